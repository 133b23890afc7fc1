//! Chooses the shortest of several equivalent forms of a formula.
//!
//! The candidates for each sum are: its original form, the form multiplied out with the trigonometric identities applied, the form sorted
//! by coordinates and speeds, and those with common factors taken out again; the narrowest is chosen. Inner sums are simplified first, so that
//! a root's argument or a squared distance has its best form.

use mbs_expr::Function;
use rustc_hash::FxHashMap;

use super::algebra::{Algebra, Atom, AtomId, Factors, Sum, Term};
use super::number::Number;
use super::width::Widths;

/// Largest number of terms of a product that is multiplied out: longer ones are unreadable, and take long.
const MOST_TERMS: usize = 400;

/// Largest number of terms of a sum in which common factors of parts are searched.
const MANY_TERMS: usize = 100;
/// Weights of widths: a sum sorted by coordinates and speeds is easier to read than one that is only short.
const SORTED: i64 = 10;
const PLAIN: i64 = 12;

/// Simplifies formulas of one algebra.
pub struct Simplifier<'a> {
    pub algebra: &'a mut Algebra,
    pub widths: &'a mut Widths,
    /// Atoms with a definition that may be substituted where that is shorter: absolute angles and their rates.
    pub definitions: FxHashMap<AtomId, Sum>,
    atoms: FxHashMap<AtomId, Sum>,
    known: FxHashMap<Sum, Sum>,
}

impl<'a> Simplifier<'a> {
    pub fn new(algebra: &'a mut Algebra, widths: &'a mut Widths, definitions: FxHashMap<AtomId, Sum>) -> Self {
        Simplifier { algebra, widths, definitions, atoms: FxHashMap::default(), known: FxHashMap::default() }
    }

    /// The most readable form: the narrowest, except that a sum sorted by coordinates and speeds may be somewhat wider.
    pub fn simplify(&mut self, sum: &Sum) -> Sum {
        if let Some(known) = self.known.get(sum) {
            return known.clone();
        }
        let simplified = self.simplify_uncached(sum);
        self.known.insert(sum.clone(), simplified.clone());
        simplified
    }

    fn simplify_uncached(&mut self, sum: &Sum) -> Sum {
        let inner = self.simplify_parts(sum);
        let mut starts = vec![inner.clone()];
        starts.extend(self.substitute_definitions(&inner));
        for depth in [Depth::Linear, Depth::Full] {
            starts.extend(self.expand(&inner, depth));
        }
        starts.extend(self.distribute(&inner));
        let mut candidates = Vec::new();
        for start in starts {
            let merged = self.merge_trigonometry(&start);
            candidates.push((self.group_by_state(&merged), SORTED));
            candidates.push((self.collect_by_state(&merged), SORTED));
            if merged.terms.len() <= MANY_TERMS {
                candidates.push((self.take_out_factors(&merged), PLAIN));
            }
            candidates.extend([(merged, PLAIN), (start, PLAIN)]);
        }
        let width = |(sum, weight): &(Sum, i64)| self.widths.sum(self.algebra, sum) * weight;
        let best = candidates.into_iter().min_by_key(width);
        let best = best.map_or(inner, |b| b.0);
        // Sums whose factors were taken out are new.
        self.simplify_parts(&best)
    }

    /// A formula with constants such as cos 0.2 multiplied into its numbers, where that is narrower.
    pub fn fold_constants(&mut self, sum: &Sum) -> Sum {
        let atoms: Vec<AtomId> = sum.terms.iter().flat_map(|t| &t.factors).map(|f| f.0).collect();
        let mut folded = FxHashMap::default();
        for id in atoms {
            let parts: Vec<Sum> = self.algebra.parts(id).iter().map(|p| self.fold_constants(p)).collect();
            let atom = if parts.is_empty() { Sum::atom(id) } else { self.algebra.replace_parts(id, &parts) };
            folded.insert(id, atom);
        }
        let unfolded = self.algebra.map(sum, &mut |_, id| folded[&id].clone());
        let terms = unfolded.terms.iter().map(|t| {
            let (known, factors) = t.factors.iter().partition(|f| self.constant(f.0).is_some());
            let known: Factors = known;
            let power = |(atom, exponent): &(AtomId, i32)| self.constant(*atom).unwrap_or(1.0).powi(*exponent);
            let value = known.iter().map(power).product::<f64>();
            Term { factors, coefficient: t.coefficient.mul(Number::from_f64(value)) }
        });
        let folded = Sum::from_terms(terms.collect());
        let widths = [&folded, &unfolded].map(|x| self.widths.sum(self.algebra, x));
        if widths[0] < widths[1] { folded } else { unfolded }
    }

    /// The value of a function of a number, or of a multiple of π.
    fn constant(&self, id: AtomId) -> Option<f64> {
        let Atom::Call(f, x) = self.algebra.atom(id) else { return None };
        let [Term { factors, coefficient }] = &x.terms[..] else { return None };
        let of_pi = match factors[..] {
            [] => 1.0,
            [(atom, 1)] if *self.algebra.atom(atom) == Atom::Pi => std::f64::consts::PI,
            _ => return None,
        };
        // √2 is as short as any number.
        (*f != Function::Sqrt).then(|| f.apply(coefficient.to_f64() * of_pi))
    }

    /// A sum whose atoms have simplified parts.
    fn simplify_parts(&mut self, sum: &Sum) -> Sum {
        let atoms: Vec<AtomId> = sum.terms.iter().flat_map(|t| &t.factors).map(|f| f.0).collect();
        let mut better = FxHashMap::default();
        for id in atoms {
            let atom = self.simplify_atom(id);
            better.insert(id, atom);
        }
        self.algebra.map(sum, &mut |_, id| better[&id].clone())
    }

    fn simplify_atom(&mut self, id: AtomId) -> Sum {
        if let Some(known) = self.atoms.get(&id) {
            return known.clone();
        }
        let parts = self.algebra.parts(id);
        let simplified = if parts.is_empty() {
            Sum::atom(id)
        } else {
            let parts: Vec<Sum> = parts.iter().map(|p| self.simplify(p)).collect();
            self.algebra.replace_parts(id, &parts)
        };
        self.atoms.insert(id, simplified.clone());
        simplified
    }

    /// Substitutes definitions: φ₂ − φ₁ is the angle of the joint between the bodies; `None` if no atom of the sum has a definition.
    fn substitute_definitions(&mut self, sum: &Sum) -> Option<Sum> {
        let is_defined = |t: &Term| matches!(t.factors[..], [(atom, 1)] if self.definitions.contains_key(&atom));
        if sum.terms.iter().filter(|t| is_defined(t)).count() == 0 {
            return None;
        }
        let mut terms = Vec::new();
        for term in &sum.terms {
            match term.factors[..] {
                [(atom, 1)] if self.definitions.contains_key(&atom) => {
                    terms.extend(self.definitions[&atom].scale(term.coefficient).terms);
                }
                _ => terms.push(term.clone()),
            }
        }
        Some(Sum::from_terms(terms))
    }

    /// Multiplies groups out; `None` if that would become too long or changes nothing.
    fn expand(&mut self, sum: &Sum, depth: Depth) -> Option<Sum> {
        let groups = |t: &Term| {
            let exponents = t.factors.iter().filter(|f| matches!(self.algebra.atom(f.0), Atom::Group(_)));
            exponents.map(|f| f.1.max(0)).sum::<i32>()
        };
        let is_expanded = |n: i32| n == 1 || n > 1 && depth == Depth::Full;
        if !sum.terms.iter().any(|t| is_expanded(groups(t))) {
            return None;
        }
        let chosen: Vec<bool> = sum.terms.iter().map(|t| is_expanded(groups(t))).collect();
        let mut terms = Vec::new();
        for (term, chosen) in sum.terms.iter().zip(chosen) {
            if chosen {
                terms.extend(self.expand_term(term, depth)?.terms);
            } else {
                terms.push(term.clone());
            }
            if terms.len() > MOST_TERMS {
                return None;
            }
        }
        Some(Sum::from_terms(terms))
    }

    /// Multiplies the widest sum of each term by the other factors, which remain as they are.
    fn distribute(&mut self, sum: &Sum) -> Option<Sum> {
        let mut terms = Vec::new();
        let mut changes = false;
        for term in &sum.terms {
            let groups = term.factors.iter().filter(|f| f.1 == 1 && matches!(self.algebra.atom(f.0), Atom::Group(_)));
            let atoms: Vec<AtomId> = groups.map(|f| f.0).collect();
            let widest = atoms.into_iter().max_by_key(|atom| self.widths.atom(self.algebra, *atom));
            let inner = widest.map(|atom| (atom, self.algebra.atom(atom).clone()));
            let Some((atom, Atom::Group(inner))) = inner.filter(|_| term.factors.len() > 1) else {
                terms.push(term.clone());
                continue;
            };
            changes = true;
            let mut rest = term.clone();
            rest.factors.retain(|f| f.0 != atom);
            for part in &inner.terms {
                terms.extend(self.algebra.term_product(&rest, part).terms);
            }
        }
        (changes && terms.len() <= MOST_TERMS).then(|| Sum::from_terms(terms))
    }

    fn expand_term(&mut self, term: &Term, depth: Depth) -> Option<Sum> {
        let mut plain = term.clone();
        let mut groups = Vec::new();
        plain.factors.retain(|(atom, exponent)| match self.algebra.atom(*atom) {
            Atom::Group(inner) if *exponent > 0 => {
                groups.extend(std::iter::repeat_n(inner.clone(), *exponent as usize));
                false
            }
            _ => true,
        });
        let mut product = Sum { terms: vec![plain] };
        for group in groups {
            let inner = self.expand(&group, depth).unwrap_or(group);
            if product.terms.len() * inner.terms.len() > MOST_TERMS {
                return None;
            }
            let mut terms = Vec::new();
            for x in &product.terms {
                for y in &inner.terms {
                    terms.extend(self.algebra.term_product(x, y).terms);
                }
            }
            product = Sum::from_terms(terms);
        }
        Some(product)
    }
}

/// Extent of multiplying out.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Depth {
    /// Terms with one group to the first power.
    Linear,
    /// All groups.
    Full,
}
