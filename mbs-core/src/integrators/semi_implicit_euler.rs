//! Semi-implicit (symplectic) Euler.

use super::evaluation::{Evaluation, Rates};
use super::{Inputs, Statistics, Stepper, steps_of_equal_length};
use crate::{Error, Mechanism, Real, Stabilization, State};
use mbs_math::add_scaled;

/// Semi-implicit Euler: v⁺ = v + h a(t, q, v), q⁺ = q + h N(q) v⁺, z⁺ = z + h ż(t, q, v, z). Order 1, one evaluation.
///
/// It is symplectic for separable Hamiltonian systems, whose energy then does not drift.
///
/// # Source
/// Hairer, Lubich & Wanner (2006), Geometric Numerical Integration, §I.1.2, eq. (1.9).
pub struct SemiImplicitEuler<M: Mechanism<T>, T: Real = f64> {
    /// Longest step of [`Stepper::advance_to`] \[s\], > 0.
    pub h: T,
    rates: Rates<M, T>,
    next: State<M, T>,
    evaluation: Evaluation<M, T>,
}

impl<M: Mechanism<T>, T: Real> SemiImplicitEuler<M, T> {
    /// Semi-implicit Euler with steps of at most `h` \[s\].
    pub fn new(mechanism: &M, h: T) -> Self {
        SemiImplicitEuler {
            h,
            rates: Rates::new(mechanism),
            next: State::new(mechanism),
            evaluation: Evaluation::new(mechanism),
        }
    }

    /// Returns the integrator with this stabilisation instead of projection.
    #[must_use]
    pub fn with_stabilization(mut self, stabilization: Stabilization<T>) -> Self {
        self.evaluation.stabilization = stabilization;
        self
    }

    #[inline]
    fn step_to(
        &mut self,
        mechanism: &M,
        state: &mut State<M, T>,
        inputs: &mut Inputs<T>,
        t: T,
        h: T,
    ) -> Result<(), Error<T>> {
        state.check_like(&self.next)?;
        self.evaluation.rates(mechanism, state, inputs, &mut self.rates)?;
        let next = &mut self.next;
        next.copy_from(state);
        add_scaled(next.v.as_mut(), h, self.rates.v.as_ref());
        add_scaled(next.z.as_mut(), h, self.rates.z.as_ref());
        mechanism.coordinate_rates(state.t, state.q.as_ref(), next.v.as_ref(), self.rates.q.as_mut());
        add_scaled(next.q.as_mut(), h, self.rates.q.as_ref());
        next.t = t;
        self.evaluation.settle(mechanism, state, next)?;
        state.copy_from(next);
        self.evaluation.statistics.accept();
        Ok(())
    }
}

impl<M: Mechanism<T>, T: Real> Stepper<M, T> for SemiImplicitEuler<M, T> {
    const ORDER: usize = 1;

    steps_of_equal_length!();

    fn statistics(&self) -> Statistics {
        self.evaluation.statistics
    }
}
