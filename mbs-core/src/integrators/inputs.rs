//! Inputs u of an integrator: a closure, or a sampled law with a zero-order hold.

use crate::{Error, Mechanism, Real, State, StateView, Stepper, Storage};
use mbs_math::math::floor;

/// A law of inputs: writes u (n_u) at a state (t, q, v, z), a view whose `u` is empty.
///
/// It is evaluated at each stage, and not at all for mechanisms without inputs. Any closure coerces:
/// `&mut |at: StateView, u: &mut [f64]| u[0] = -gain * at.v[0]`.
pub type Inputs<'a, T = f64> = dyn FnMut(StateView<T>, &mut [T]) + 'a;

/// u = 0, to be passed as `&mut zero_inputs`.
pub fn zero_inputs<T: Real>(_: StateView<T>, u: &mut [T]) {
    u.fill(T::ZERO);
}

/// A zero-order hold: a law sampled at the multiples of a period, with u constant between them.
///
/// `F` is the law, as [`Inputs`] describes it; `U` is the storage of u, such as `[T; N]`.
#[derive(Clone, Debug)]
pub struct ZeroOrderHold<F, U, T = f64> {
    period: T,
    law: F,
    value: U,
    samples: usize,
}

impl<F: FnMut(StateView<T>, &mut [T]), U: Storage<T>, T: Real> ZeroOrderHold<F, U, T> {
    /// A hold with `period` \[s\] > 0; `u` is its storage and its value before the first sample.
    pub fn new(period: T, u: U, law: F) -> Self {
        ZeroOrderHold { period, law, value: u, samples: 0 }
    }

    /// Samples the law at a state now.
    pub fn sample(&mut self, at: StateView<T>) {
        (self.law)(at, self.value.as_mut());
        self.samples += 1;
    }

    /// The value of u (n_u) of the last sample.
    pub fn value(&self) -> &[T] {
        self.value.as_ref()
    }

    /// Samples taken so far.
    pub fn samples(&self) -> usize {
        self.samples
    }

    /// Advances a state to `t_end` > t. The law is sampled at each multiple of the period, at the state there, and u is constant
    /// between them. If it starts between multiples, u stays until the next one; the first call samples at once.
    ///
    /// # Errors
    /// Those of [`Stepper::advance_to`].
    pub fn advance_to<M: Mechanism<T>>(
        &mut self,
        mechanism: &M,
        stepper: &mut impl Stepper<M, T>,
        state: &mut State<M, T>,
        t_end: T,
    ) -> Result<(), Error<T>> {
        while state.t < t_end {
            let last = self.last_sample_time(state.t);
            if self.samples == 0 || state.t - last < self.period * T::from_f64(SLACK) {
                self.sample(state.view(&[]));
            }
            let target = (last + self.period).min(t_end);
            let held = self.value.as_ref();
            stepper.advance_to(mechanism, state, target, &mut |_, u: &mut [T]| u.copy_from_slice(held))?;
        }
        Ok(())
    }

    /// The last multiple of the period not after t; a t just before a multiple counts as that multiple.
    fn last_sample_time(&self, t: T) -> T {
        let periods = floor((t / self.period).to_f64() + 0.5 * SLACK);
        T::from_f64(periods) * self.period
    }
}

/// Fraction of a period within which a time is a multiple of it.
const SLACK: f64 = 1e-6;
