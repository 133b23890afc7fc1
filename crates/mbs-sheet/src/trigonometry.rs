//! Merges terms by cos² + sin² = 1 and the addition theorems.
//!
//! ```text
//! (1)  cos a cos b + sin a sin b = cos(a − b)        cos a cos b − sin a sin b = cos(a + b)
//! (2)  sin a cos b − cos a sin b = sin(a − b)        sin a cos b + cos a sin b = sin(a + b)
//! ```

use std::collections::BTreeMap;

use mbs_expr::Function;

use super::algebra::{Atom, AtomId, Factors, Sum, Term};
use super::number::Number;
use super::simplify::Simplifier;

type Terms = BTreeMap<Factors, Number>;

/// A sine or cosine among the factors of a term.
#[derive(Clone)]
struct Wave {
    atom: AtomId,
    f: Function,
    angle: Sum,
}

/// Two terms that can be merged: the factors of the second, and the sum of both.
struct Merger {
    partner: Factors,
    merged: Sum,
}

impl Simplifier<'_> {
    /// A multiplied-out sum with every pair of terms (1) and (2) merged.
    pub fn merge_trigonometry(&mut self, sum: &Sum) -> Sum {
        let mut terms: Terms = sum.terms.iter().map(|t| (t.factors.clone(), t.coefficient)).collect();
        let mut queue: Vec<Factors> = terms.keys().rev().cloned().collect();
        while let Some(factors) = queue.pop() {
            let Some(&coefficient) = terms.get(&factors) else { continue };
            let Some(merger) = self.find_merger(&terms, &Term { factors: factors.clone(), coefficient }) else {
                continue;
            };
            terms.remove(&factors);
            terms.remove(&merger.partner);
            for new in merger.merged.terms {
                let sum = terms.get(&new.factors).map_or(new.coefficient, |c| c.add(new.coefficient));
                if sum.is_zero() {
                    terms.remove(&new.factors);
                } else {
                    terms.insert(new.factors.clone(), sum);
                    queue.push(new.factors);
                }
            }
        }
        Sum { terms: terms.into_iter().map(|(factors, coefficient)| Term { factors, coefficient }).collect() }
    }

    fn find_merger(&mut self, terms: &Terms, term: &Term) -> Option<Merger> {
        let waves = self.waves(term);
        for (i, a) in waves.iter().enumerate() {
            for b in &waves[i..] {
                if a.atom == b.atom && exponent(&term.factors, a.atom) < 2 {
                    continue;
                }
                if let Some(merger) = self.merge_pair(terms, term, a, b) {
                    return Some(merger);
                }
            }
        }
        None
    }

    fn waves(&self, term: &Term) -> Vec<Wave> {
        let wave = |(atom, exponent): &(AtomId, i32)| match self.algebra.atom(*atom) {
            Atom::Call(f @ (Function::Sin | Function::Cos), angle) if *exponent > 0 => {
                Some(Wave { atom: *atom, f: *f, angle: angle.clone() })
            }
            _ => None,
        };
        term.factors.iter().filter_map(wave).collect()
    }

    fn merge_pair(&mut self, terms: &Terms, term: &Term, a: &Wave, b: &Wave) -> Option<Merger> {
        let other = |w: &Wave| if w.f == Function::Sin { Function::Cos } else { Function::Sin };
        let [pa, pb] = [a, b].map(|w| self.algebra.unary_call(other(w), &w.angle));
        let (Some(pa), Some(pb)) = (single_atom(&pa), single_atom(&pb)) else { return None };
        let rest = divided_by(&divided_by(&term.factors, a.atom), b.atom);
        let partner = multiplied_by(&multiplied_by(&rest, pa), pb);
        let coefficient = *terms.get(&partner)?;
        let is_equal = coefficient == term.coefficient;
        if partner == term.factors || !(is_equal || coefficient == term.coefficient.neg()) {
            return None;
        }
        let (sum, difference) = (a.angle.add(&b.angle), a.angle.add(&b.angle.neg()));
        use Function::{Cos, Sin};
        // The value of `term` plus its partner, as a multiple of the rest.
        let (f, angle, sign) = match (a.f, b.f, is_equal) {
            (Cos, Cos, true) | (Sin, Sin, true) => (Cos, difference, 1),
            (Cos, Cos, false) => (Cos, sum, 1),
            (Sin, Sin, false) => (Cos, sum, -1),
            (Sin, Cos, true) | (Cos, Sin, true) => (Sin, sum, 1),
            (Sin, Cos, false) => (Sin, difference, 1),
            (Cos, Sin, false) => (Sin, difference, -1),
            _ => return None,
        };
        let angle = self.simplify(&angle);
        let wave = self.algebra.unary_call(f, &angle).scale(Number::integer(sign));
        let rest = Term { factors: rest, coefficient: term.coefficient };
        let mut merged = Vec::new();
        for factor in wave.terms {
            merged.extend(self.algebra.term_product(&rest, &factor).terms);
        }
        Some(Merger { partner, merged: Sum::from_terms(merged) })
    }
}

/// The atom of a sum that consists of one atom.
fn single_atom(sum: &Sum) -> Option<AtomId> {
    match &sum.terms[..] {
        [Term { factors, coefficient: Number::ONE }] if factors.len() == 1 && factors[0].1 == 1 => Some(factors[0].0),
        _ => None,
    }
}

fn exponent(factors: &Factors, atom: AtomId) -> i32 {
    factors.iter().find(|f| f.0 == atom).map_or(0, |f| f.1)
}

fn multiplied_by(factors: &Factors, atom: AtomId) -> Factors {
    let mut result = factors.clone();
    match result.binary_search_by_key(&atom, |f| f.0) {
        Ok(i) => result[i].1 += 1,
        Err(i) => result.insert(i, (atom, 1)),
    }
    result.retain(|f| f.1 != 0);
    result
}

fn divided_by(factors: &Factors, atom: AtomId) -> Factors {
    let mut result = factors.clone();
    result.iter_mut().filter(|f| f.0 == atom).for_each(|f| f.1 -= 1);
    result.retain(|f| f.1 != 0);
    result
}
