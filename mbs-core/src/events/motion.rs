//! An object-safe interface of steppers: the search for events is compiled once per mechanism, not once per stepper.

use crate::{Error, Inputs, Mechanism, Real, State, Stepper};

/// The methods of [`Stepper`] that the search for events uses.
pub(super) trait Motion<M: Mechanism<T>, T: Real> {
    fn is_dense(&self) -> bool;
    fn restart(&mut self);
    fn step_towards(&mut self, m: &M, state: &mut State<M, T>, t: T, inputs: &mut Inputs<T>) -> Result<(), Error<T>>;
    fn state_at(
        &mut self,
        m: &M,
        start: &State<M, T>,
        t: T,
        inputs: &mut Inputs<T>,
        state: &mut State<M, T>,
    ) -> Result<(), Error<T>>;
}

impl<M: Mechanism<T>, T: Real, S: Stepper<M, T>> Motion<M, T> for S {
    fn is_dense(&self) -> bool {
        S::IS_DENSE
    }

    fn restart(&mut self) {
        Stepper::restart(self);
    }

    fn step_towards(&mut self, m: &M, state: &mut State<M, T>, t: T, inputs: &mut Inputs<T>) -> Result<(), Error<T>> {
        Stepper::step_towards(self, m, state, t, inputs)
    }

    fn state_at(
        &mut self,
        m: &M,
        start: &State<M, T>,
        t: T,
        inputs: &mut Inputs<T>,
        state: &mut State<M, T>,
    ) -> Result<(), Error<T>> {
        Stepper::state_at(self, m, start, t, inputs, state)
    }
}
