//! Values that a mechanism is evaluated at.

use mbs_core::StateView;

/// Values of a state besides poses: slices may be empty where they are not known.
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
    /// Values that positions depend on.
    pub fn of_position(at: StateView<'a>) -> Self {
        Inputs { t: at.t, q: at.q, z: at.z, ..Inputs::default() }
    }

    /// Values that velocities depend on.
    pub fn of_velocity(at: StateView<'a>) -> Self {
        Inputs { v: at.v, ..Inputs::of_position(at) }
    }

    /// Positions at rest, with accelerations.
    pub fn at_rest(at: StateView<'a>, a: &'a [f64]) -> Self {
        Inputs { a, ..Inputs::of_position(at) }
    }
}

impl<'a> From<StateView<'a>> for Inputs<'a> {
    fn from(at: StateView<'a>) -> Self {
        Inputs { t: at.t, q: at.q, v: at.v, z: at.z, u: at.u, ..Inputs::default() }
    }
}
