//! Evaluations of the engine, in the plane and in space.

use mbs_core::{Condition, Energy, Error, Pose, Reaction, StateView};
use mbs_expr::MarkerId;
use mbs_model::Model;
use mbs_physics::Tree;

use crate::constants::Constants;
use crate::products::Products;

/// A mechanism in numbers: the evaluations of [`Mechanism`](mbs_core::Mechanism), whose documentation applies here as well.
pub(crate) trait Dynamics: Products {
    /// Sets other parameters, inside their domains.
    ///
    /// # Errors
    /// [`Error::NotFinite`]; nothing is changed then.
    fn set_parameters(&mut self, model: &Model, tree: &Tree, parameters: &[f64]) -> Result<(), Error>;

    /// Values that depend on parameters alone, and the functions that are called.
    fn constants(&self) -> &Constants;

    /// As [`Dynamics::constants`], to be changed.
    fn constants_mut(&mut self) -> &mut Constants;

    /// To be called after one of these functions was set.
    fn functions_changed(&mut self);

    fn accelerations(&self, at: StateView, a: &mut [f64], lambda: &mut [f64]) -> Result<(), Error>;

    fn solve(&self, at: StateView, f: &[f64], g: &[f64], x: &mut [f64], mu: &mut [f64]) -> Result<(), Error>;

    fn position_residuals(&self, at: StateView, phi: &mut [f64]);

    fn velocity_residuals(&self, at: StateView, psi: &mut [f64]);

    /// G, n_c × n_v, or as many of its first rows as there is room for.
    fn constraint_jacobian(&self, at: StateView, jacobian: &mut [f64]);

    /// M, n_v × n_v.
    fn mass_matrix(&self, at: StateView, mass: &mut [f64]);

    /// G v = ν.
    fn nu(&self, at: StateView, nu: &mut [f64]);

    /// G a = γ.
    fn gamma(&self, at: StateView, gamma: &mut [f64]);

    fn coordinate_rates(&self, t: f64, q: &[f64], v: &[f64], rates: &mut [f64]);

    fn auxiliary_rates(&self, at: StateView, rates: &mut [f64]);

    fn generalized_forces(&self, at: StateView, forces: &mut [f64]);

    fn velocity_forces(&self, at: StateView, forces: &mut [f64]);

    fn reactions(&self, at: StateView, a: &[f64], lambda: &[f64], reactions: &mut [Reaction]);

    fn energy(&self, at: StateView) -> Energy;

    fn outputs(&self, at: StateView, a: &[f64], lambda: &[f64], outputs: &mut [f64]);

    /// Values that events depend on, or their rates of the first order, one root of [`Event::roots`](mbs_model::Event::roots) after the other;
    /// then the next values of memories.
    fn observe_events(&self, inputs: &Inputs<'_>, order: usize, observe: &mut dyn FnMut(usize, f64));

    /// Next values of memories, which depend on positions alone. `first` is the number of roots of events.
    fn observe_memories(&self, at: &Inputs<'_>, first: usize, observe: &mut dyn FnMut(usize, f64));

    fn poses(&self, at: StateView, poses: &mut [Pose]);

    /// World positions of some markers.
    fn marker_positions(&self, at: StateView, markers: &[MarkerId], positions: &mut [[f64; 3]]);

    fn body_jacobians(&self, at: StateView, jacobians: &mut [f64]);

    fn initial_condition(&self, condition: usize, at: StateView, gradient: &mut [f64]) -> Condition;
}

/// The matrix M of the solver.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Metric {
    /// From masses and inertias.
    Mass,
    /// One for each solver coordinate, for mechanisms whose motions have no mass.
    Unit,
}

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
}

impl<'a> From<StateView<'a>> for Inputs<'a> {
    fn from(at: StateView<'a>) -> Self {
        Inputs { t: at.t, q: at.q, v: at.v, z: at.z, u: at.u, ..Inputs::default() }
    }
}

/// Returns an error unless all accelerations and multipliers are finite.
pub(crate) fn finite(t: f64, a: &[f64], lambda: &[f64]) -> Result<(), Error> {
    if mbs_core::all_finite(a) && mbs_core::all_finite(lambda) { Ok(()) } else { Err(Error::NotFinite { t }) }
}

/// y ← y + G x with the entries of G at `places`; rows beyond y are left out.
pub(crate) fn add_products((places, entries): (&[(usize, usize)], &[f64]), x: &[f64], y: &mut [f64]) {
    for ((r, i), g) in places.iter().zip(entries) {
        if let Some(y) = y.get_mut(*r) {
            *y += g * x[*i];
        }
    }
}
