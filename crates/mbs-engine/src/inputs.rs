//! The values at which a mechanism is evaluated.

use mbs_core::StateView;

/// A state with accelerations and multipliers. Slices are empty where values are not known.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Inputs<'a> {
    pub t: f64,
    pub q: &'a [f64],
    pub v: &'a [f64],
    pub a: &'a [f64],
    pub z: &'a [f64],
    pub u: &'a [f64],
    pub lambda: &'a [f64],
}

impl<'a> Inputs<'a> {
    /// The values that positions depend on: t, q, z.
    pub fn for_positions(at: StateView<'a>) -> Self {
        Inputs { t: at.t, q: at.q, z: at.z, ..Inputs::default() }
    }

    /// The values that velocities depend on: t, q, v, z.
    pub fn for_velocities(at: StateView<'a>) -> Self {
        Inputs { v: at.v, ..Inputs::for_positions(at) }
    }

    /// The configuration at rest, with accelerations.
    pub fn at_rest(at: StateView<'a>, a: &'a [f64]) -> Self {
        Inputs { a, ..Inputs::for_positions(at) }
    }
}

impl<'a> From<StateView<'a>> for Inputs<'a> {
    fn from(at: StateView<'a>) -> Self {
        Inputs { t: at.t, q: at.q, v: at.v, z: at.z, u: at.u, ..Inputs::default() }
    }
}
