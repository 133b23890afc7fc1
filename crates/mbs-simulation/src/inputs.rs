//! Inputs as a law of the state.

use mbs_core::{Inputs, Mechanism, State};

/// Writes the inputs of a law at a state to `u`.
pub(super) fn evaluate<M: Mechanism>(inputs: &mut Inputs, state: &State<M>, u: &mut M::Inputs) {
    if !u.as_ref().is_empty() {
        inputs(state.view(&[]), u.as_mut());
    }
}
