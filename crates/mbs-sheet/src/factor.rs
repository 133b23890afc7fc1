//! Takes common factors out: m₁ g ℓ sin θ + m₂ g ℓ sin θ = (m₁ + m₂) g ℓ sin θ.

use std::collections::BTreeMap;

use mbs_compiler::graph::Symbol;

use super::algebra::{Atom, AtomId, Factors, Sum, Term};
use super::number::Number;
use super::simplify::Simplifier;

/// Width of parentheses, in the units of [`super::width`].
const PARENTHESES: i64 = 30;

impl Simplifier<'_> {
    /// A sum with factors taken out while that makes it narrower.
    pub fn take_out_factors(&mut self, sum: &Sum) -> Sum {
        if sum.terms.len() < 2 {
            return sum.clone();
        }
        let common = common_factors(&sum.terms.iter().collect::<Vec<_>>());
        let content = common_coefficient(sum);
        if !common.is_empty() || content != Number::ONE {
            let inner = self.divide_terms(&sum.terms, &common, content);
            let inner = self.take_out_factors(&inner);
            let outer = Term { factors: common, coefficient: content };
            return self.times(&outer, &inner);
        }
        let Some((factors, chosen)) = self.best_common_factors(sum) else { return sum.clone() };
        let (some, rest): (Vec<_>, Vec<_>) = sum.terms.iter().cloned().zip(chosen).partition(|(_, chosen)| *chosen);
        let terms = |list: Vec<(Term, bool)>| list.into_iter().map(|(t, _)| t).collect::<Vec<Term>>();
        let inner = self.divide_terms(&terms(some), &factors, Number::ONE);
        let inner = self.take_out_factors(&inner);
        let product = self.times(&Term { factors, coefficient: Number::ONE }, &inner);
        let rest = self.take_out_factors(&Sum { terms: terms(rest) });
        rest.add(&product)
    }

    /// Σ (coefficient of parameters) · (product of coordinates, speeds and the rest), as textbooks write it.
    pub fn collect_by_state(&mut self, sum: &Sum) -> Sum {
        let common =
            if sum.terms.is_empty() { Factors::new() } else { common_factors(&sum.terms.iter().collect::<Vec<_>>()) };
        let content = common_coefficient(sum);
        if sum.terms.len() > 1 && (!common.is_empty() || content != Number::ONE) {
            let inner = self.divide_terms(&sum.terms, &common, content);
            let inner = self.collect_by_state(&inner);
            return self.times(&Term { factors: common, coefficient: content }, &inner);
        }
        self.group_by_state(sum)
    }

    /// As [`Simplifier::collect_by_state`], but common factors of all terms are not taken out.
    pub fn group_by_state(&mut self, sum: &Sum) -> Sum {
        let mut by_state: BTreeMap<Factors, Vec<Term>> = BTreeMap::new();
        for term in &sum.terms {
            let is_parameter = |f: &&(AtomId, i32)| !self.depends_on_state(f.0);
            let (parameters, state): (Factors, Factors) = term.factors.iter().partition(is_parameter);
            by_state.entry(state).or_default().push(Term { factors: parameters, coefficient: term.coefficient });
        }
        let mut terms = Vec::new();
        for (state, coefficients) in by_state {
            let coefficient = self.take_out_factors(&Sum::from_terms(coefficients));
            if state.is_empty() {
                terms.extend(coefficient.terms);
            } else {
                terms.extend(self.times(&Term { factors: state, coefficient: Number::ONE }, &coefficient).terms);
            }
        }
        Sum::from_terms(terms)
    }

    /// Whether an atom depends on other symbols than parameters.
    fn depends_on_state(&self, id: AtomId) -> bool {
        match self.algebra.atom(id) {
            Atom::Symbol(symbol) => !matches!(symbol, Symbol::Parameter(_)),
            _ => {
                let parts = self.algebra.parts(id);
                parts.iter().flat_map(|p| &p.terms).flat_map(|t| &t.factors).any(|f| self.depends_on_state(f.0))
            }
        }
    }

    /// The factors that save most width when taken out of the terms that contain them.
    fn best_common_factors(&mut self, sum: &Sum) -> Option<(Factors, Vec<bool>)> {
        let mut atoms: Vec<(AtomId, bool)> =
            sum.terms.iter().flat_map(|t| &t.factors).map(|(atom, e)| (*atom, *e > 0)).collect();
        atoms.sort_unstable();
        atoms.dedup();
        let mut best: Option<(i64, Factors, Vec<bool>)> = None;
        for (atom, positive) in atoms {
            let contains = |t: &Term| t.factors.iter().any(|(a, e)| *a == atom && (*e > 0) == positive);
            let chosen: Vec<bool> = sum.terms.iter().map(contains).collect();
            let some: Vec<&Term> = sum.terms.iter().filter(|t| contains(t)).collect();
            if some.len() < 2 {
                continue;
            }
            let factors = common_factors(&some);
            let width = self.widths.factors(self.algebra, &factors);
            let saved = width * (some.len() as i64 - 1) - PARENTHESES;
            if saved > best.as_ref().map_or(0, |b| b.0) {
                best = Some((saved, factors, chosen));
            }
        }
        best.map(|(_, factors, chosen)| (factors, chosen))
    }

    /// Terms divided by common factors and a coefficient.
    fn divide_terms(&mut self, terms: &[Term], divisor: &Factors, coefficient: Number) -> Sum {
        let inverse = Term {
            factors: divisor.iter().map(|(atom, exponent)| (*atom, -exponent)).collect(),
            coefficient: coefficient.inv(),
        };
        let quotients: Vec<Term> = terms.iter().flat_map(|t| self.algebra.term_product(t, &inverse).terms).collect();
        Sum::from_terms(quotients)
    }

    fn times(&mut self, outer: &Term, inner: &Sum) -> Sum {
        self.algebra.product(&Sum { terms: vec![outer.clone()] }, inner)
    }
}

/// Factors that all terms contain, with the exponent nearest to zero.
fn common_factors(terms: &[&Term]) -> Factors {
    let mut common = terms[0].factors.clone();
    for term in &terms[1..] {
        common.retain_mut(|(atom, exponent)| {
            let other = term.factors.iter().find(|f| f.0 == *atom).map_or(0, |f| f.1);
            let agree = *exponent > 0 && other > 0 || *exponent < 0 && other < 0;
            *exponent = if *exponent > 0 { (*exponent).min(other) } else { (*exponent).max(other) };
            agree
        });
    }
    common
}

/// A number of which all coefficients are integer multiples, if writing it once is shorter: ½ a + ½ b, 2a + 4b, −a − b.
fn common_coefficient(sum: &Sum) -> Number {
    let mut magnitudes = sum.terms.iter().map(|t| t.coefficient.abs());
    let first = magnitudes.next().unwrap_or(Number::ONE);
    let sign = if sum.terms.iter().all(|t| t.coefficient.is_negative()) { -1 } else { 1 };
    let size = if magnitudes.all(|m| m == first) { first } else { Number::ONE };
    size.mul(Number::integer(sign))
}
