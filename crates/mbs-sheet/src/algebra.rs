//! Formulas: sums of products of atoms, in normal form.
//!
//! After this point: equal terms are merged, no factor one or summand zero remains, and a function of −x is written with x where its
//! symmetry allows. Atoms are numbered in the order in which they arise, so that results depend on the mechanism alone.

use mbs_compiler::graph::Symbol;
use mbs_expr::{Comparison, Function, Function2, FunctionId, Partial};
use rustc_hash::FxHashMap;

use super::number::Number;

/// Index of an atom.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct AtomId(pub u32);

/// A factor of products.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Atom {
    /// π.
    Pi,
    /// A symbol of the graph. A solver coordinate represents an absolute angle that has its own name.
    Symbol(Symbol),
    /// An abbreviation, by index.
    Name(u32),
    /// f(x).
    Call(Function, Sum),
    /// f(x, y).
    Call2(Function2, Sum, Sum),
    /// if left ⋚ right { then } else { otherwise }.
    Select(Comparison, Box<[Sum; 4]>),
    /// A value or a derivative of a called function.
    Called(FunctionId, Partial, Vec<Sum>),
    /// A sum of at least two terms as a factor. The first term is positive.
    Group(Sum),
}

/// Atoms with their exponents, ascending, no exponent zero.
pub type Factors = Vec<(AtomId, i32)>;

/// A coefficient times factors.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Term {
    pub factors: Factors,
    pub coefficient: Number,
}

/// A sum of terms, ascending by factors, no coefficient zero. Empty is zero.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Sum {
    pub terms: Vec<Term>,
}

impl Sum {
    pub fn from_number(x: Number) -> Sum {
        Sum::term(Vec::new(), x)
    }

    pub fn term(factors: Factors, coefficient: Number) -> Sum {
        if coefficient.is_zero() { Sum::default() } else { Sum { terms: vec![Term { factors, coefficient }] } }
    }

    pub fn atom(id: AtomId) -> Sum {
        Sum::term(vec![(id, 1)], Number::ONE)
    }

    /// Sorts terms and merges equal ones.
    pub fn from_terms(mut terms: Vec<Term>) -> Sum {
        terms.sort_by(|a, b| a.factors.cmp(&b.factors));
        let mut merged: Vec<Term> = Vec::with_capacity(terms.len());
        for term in terms {
            match merged.last_mut() {
                Some(last) if last.factors == term.factors => {
                    last.coefficient = last.coefficient.add(term.coefficient);
                }
                _ => merged.push(term),
            }
        }
        merged.retain(|t| !t.coefficient.is_zero());
        Sum { terms: merged }
    }

    pub fn is_zero(&self) -> bool {
        self.terms.is_empty()
    }

    /// The value of a sum without factors.
    pub fn constant(&self) -> Option<Number> {
        match &self.terms[..] {
            [] => Some(Number::ZERO),
            [only] if only.factors.is_empty() => Some(only.coefficient),
            _ => None,
        }
    }

    pub fn add(&self, other: &Sum) -> Sum {
        Sum::from_terms(self.terms.iter().chain(&other.terms).cloned().collect())
    }

    pub fn neg(&self) -> Sum {
        self.scale(Number::integer(-1))
    }

    pub fn scale(&self, by: Number) -> Sum {
        let scaled = self.terms.iter().map(|t| Term { coefficient: t.coefficient.mul(by), ..t.clone() });
        Sum::from_terms(scaled.collect())
    }

    /// Whether the first term is negative: where there is a choice, the sum is then written as minus its negative.
    fn is_negative(&self) -> bool {
        self.terms.first().is_some_and(|t| t.coefficient.is_negative())
    }
}

impl Sum {
    /// Whether the last term is negative: as an angle, θ − 0.3 is preferred to 0.3 − θ.
    pub fn ends_negative(&self) -> bool {
        self.terms.last().is_some_and(|t| t.coefficient.is_negative())
    }
}

/// All atoms, each once.
#[derive(Default)]
pub struct Algebra {
    atoms: Vec<Atom>,
    ids: FxHashMap<Atom, AtomId>,
}

impl Algebra {
    pub fn atom(&self, id: AtomId) -> &Atom {
        &self.atoms[id.0 as usize]
    }

    pub fn intern(&mut self, atom: Atom) -> AtomId {
        if let Some(id) = self.ids.get(&atom) {
            return *id;
        }
        let id = AtomId(self.atoms.len() as u32);
        self.atoms.push(atom.clone());
        self.ids.insert(atom, id);
        id
    }

    /// A sum of one atom.
    pub fn intern_sum(&mut self, atom: Atom) -> Sum {
        Sum::atom(self.intern(atom))
    }

    pub fn symbol(&mut self, symbol: Symbol) -> Sum {
        self.intern_sum(Atom::Symbol(symbol))
    }

    /// A sum as one factor: itself if it is one term, else a group.
    pub fn factor(&mut self, sum: &Sum) -> Sum {
        match sum.terms.len() {
            0 | 1 => sum.clone(),
            _ if sum.is_negative() => self.intern_sum(Atom::Group(sum.neg())).neg(),
            _ => self.intern_sum(Atom::Group(sum.clone())),
        }
    }

    /// a b; sums become groups and are not multiplied out.
    pub fn product(&mut self, a: &Sum, b: &Sum) -> Sum {
        let (a, b) = (self.factor(a), self.factor(b));
        match (a.terms.first(), b.terms.first()) {
            (Some(x), Some(y)) => self.term_product(x, y),
            _ => Sum::default(),
        }
    }

    /// The product of two terms. The result is a sum, because it may be zero.
    pub fn term_product(&mut self, a: &Term, b: &Term) -> Sum {
        let mut coefficient = a.coefficient.mul(b.coefficient);
        let mut factors: Factors = a.factors.iter().chain(&b.factors).copied().collect();
        factors.sort_unstable();
        let mut merged: Factors = Vec::with_capacity(factors.len());
        for (atom, exponent) in factors {
            match merged.last_mut() {
                Some(last) if last.0 == atom => last.1 += exponent,
                _ => merged.push((atom, exponent)),
            }
        }
        for (atom, exponent) in &mut merged {
            // √2² is 2, 1/√2 is √2/2.
            if let Atom::Call(Function::Sqrt, x) = self.atom(*atom)
                && let Some(x) = x.constant()
            {
                let (pairs, rest) = (exponent.div_euclid(2), exponent.rem_euclid(2));
                let base = if pairs < 0 { x.inv() } else { x };
                (0..pairs.abs()).for_each(|_| coefficient = coefficient.mul(base));
                *exponent = rest;
            }
        }
        merged.retain(|f| f.1 != 0);
        match self.even_power_of_absolute(&merged) {
            // |x|² is x².
            Some((size, base, even)) => {
                let factors = vec![(size, -even), (base, even)];
                let one = Number::ONE;
                self.term_product(&Term { factors: merged, coefficient }, &Term { factors, coefficient: one })
            }
            None => Sum::term(merged, coefficient),
        }
    }

    /// An absolute value to a power beyond ±1: its atom, its argument, and the even part of the power.
    fn even_power_of_absolute(&mut self, factors: &Factors) -> Option<(AtomId, AtomId, i32)> {
        let (size, exponent) = factors
            .iter()
            .copied()
            .find(|(atom, exponent)| exponent.abs() > 1 && matches!(self.atom(*atom), Atom::Call(Function::Abs, _)))?;
        let Atom::Call(_, x) = self.atom(size).clone() else { return None };
        let x = self.factor(&x);
        match &x.terms[..] {
            [Term { factors, coefficient: Number::Ratio(1 | -1, 1) }] if factors.len() == 1 && factors[0].1 == 1 => {
                Some((size, factors[0].0, exponent / 2 * 2))
            }
            _ => None,
        }
    }

    /// 1 / a.
    pub fn inverse(&mut self, a: &Sum) -> Sum {
        let a = self.factor(a);
        let Some(term) = a.terms.first() else {
            // 1/0 of the declaration remains visible.
            return Sum::from_number(Number::Float(f64::INFINITY.to_bits()));
        };
        let inverted = Term {
            factors: term.factors.iter().map(|(atom, exponent)| (*atom, -exponent)).collect(),
            coefficient: term.coefficient.inv(),
        };
        self.term_product(&inverted, &Term { factors: Vec::new(), coefficient: Number::ONE })
    }

    /// aⁿ, n ≥ 0, not multiplied out.
    pub fn power(&mut self, a: &Sum, n: u32) -> Sum {
        (0..n).fold(Sum::from_number(Number::ONE), |product, _| self.product(&product, a))
    }

    /// The sums of which an atom consists.
    pub fn parts(&self, id: AtomId) -> Vec<Sum> {
        match self.atom(id) {
            Atom::Pi | Atom::Symbol(_) | Atom::Name(_) => Vec::new(),
            Atom::Call(_, x) | Atom::Group(x) => vec![x.clone()],
            Atom::Called(.., list) => list.clone(),
            Atom::Call2(_, x, y) => vec![x.clone(), y.clone()],
            Atom::Select(_, list) => list.to_vec(),
        }
    }

    /// An atom with other parts, as a sum: a group of one term becomes that term.
    pub fn replace_parts(&mut self, id: AtomId, parts: &[Sum]) -> Sum {
        match (self.atom(id).clone(), parts) {
            (Atom::Call(f, _), [x]) => self.unary_call(f, x),
            (Atom::Group(_), [x]) => self.factor(x),
            (Atom::Called(f, partial, _), list) => self.intern_sum(Atom::Called(f, partial, list.to_vec())),
            (Atom::Call2(f, ..), [x, y]) => self.binary_call(f, x, y),
            (Atom::Select(test, _), [l, r, t, e]) => self.select(test, [l.clone(), r.clone(), t.clone(), e.clone()]),
            _ => Sum::atom(id),
        }
    }

    /// A sum with every atom replaced by a sum; products become groups and are not multiplied out.
    pub fn map(&mut self, sum: &Sum, replace: &mut dyn FnMut(&mut Algebra, AtomId) -> Sum) -> Sum {
        let mut terms = Vec::new();
        for term in &sum.terms {
            let mut product = Sum::from_number(term.coefficient);
            for (atom, exponent) in &term.factors {
                let value = replace(self, *atom);
                let power = self.power(&value, exponent.unsigned_abs());
                let power = if *exponent < 0 { self.inverse(&power) } else { power };
                product = if product.constant() == Some(Number::ONE) { power } else { self.product(&product, &power) };
            }
            // A single group becomes part of the surrounding sum.
            terms.extend(self.without_group(product).terms);
        }
        Sum::from_terms(terms)
    }

    /// ± (a group) as the terms of the group.
    pub fn without_group(&self, sum: Sum) -> Sum {
        let [Term { factors, coefficient }] = &sum.terms[..] else { return sum };
        let [(atom, 1)] = factors[..] else { return sum };
        match (self.atom(atom), coefficient) {
            (Atom::Group(inner), Number::Ratio(1 | -1, 1)) => inner.scale(*coefficient),
            _ => sum,
        }
    }
}
