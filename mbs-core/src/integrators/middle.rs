//! The midpoint of a displacement: q_m with q = q_m ⊕ (−δ), so that q⁺ = q_m ⊕ δ is as far from q_m as q is.
//!
//! Where ⊕ is q + N(q) δ, q⁺ − q = 2 N(q_m) δ about the mean q_m of both, for any N. For other ⊕ it is symmetric, too: −δ from q⁺ has the
//! same midpoint. q_m is found by fixed-point iteration, which needs no accelerations.

use super::iteration::{ratio, repeated};
use crate::{Error, Mechanism, Real};
use mbs_math::{add_scaled, max_norm};

/// Largest number of iterations that compute q_m: each reduces the error by a factor of 2/|δ| or more for quaternions.
const MOST: usize = 100;

/// Work space of displacements.
pub(crate) struct Middle<M: Mechanism<T>, T: Real> {
    back: M::Coordinates,
    rates: M::Coordinates,
    /// δ.
    pub(crate) delta: M::Speeds,
}

impl<M: Mechanism<T>, T: Real> Middle<M, T> {
    pub(crate) fn new(mechanism: &M) -> Self {
        let (back, delta, ..) = mechanism.storage();
        Middle { rates: back.clone(), back, delta }
    }

    /// δ ← s v.
    pub(crate) fn set_delta(&mut self, s: T, v: &[T]) {
        for (delta, v) in self.delta.as_mut().iter_mut().zip(v) {
            *delta = s * *v;
        }
    }

    /// Solves q_m ⊕ δ = q for q_m, with δ of [`Middle::set_delta`]. `middle` is the first iterate, and becomes q_m.
    pub(crate) fn solve(&mut self, mechanism: &M, t: T, q: &[T], middle: &mut [T]) -> Result<(), Error<T>> {
        let (back, rates, delta) = (self.back.as_mut(), self.rates.as_mut(), self.delta.as_ref());
        repeated(MOST, t, || {
            back.copy_from_slice(middle);
            mechanism.retract(t, back, delta, rates);
            for (back, wanted) in back.iter_mut().zip(q) {
                *back = *wanted - *back;
            }
            add_scaled(middle, T::ONE, back);
            mechanism.normalize(middle);
            let change = max_norm(back);
            // Relative to the larger of size and change, so that 0/0 counts as 0.
            ratio(change, max_norm(middle).max(change))
        })
    }

    /// q ← q ⊕ δ.
    pub(crate) fn advance(&mut self, mechanism: &M, t: T, q: &mut [T]) {
        mechanism.retract(t, q, self.delta.as_ref(), self.rates.as_mut());
    }
}
