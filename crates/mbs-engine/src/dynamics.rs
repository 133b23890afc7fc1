//! Evaluations of the engine, in the plane and in space.

use mbs_core::{Condition, Energy, Error, Pose, Reaction, StateView};
use mbs_expr::MarkerId;
use mbs_model::Model;
use mbs_physics::Tree;

use crate::constants::Constants;
use crate::inputs::Inputs;
use crate::products::Products;

/// The numeric evaluations of [`Mechanism`](mbs_core::Mechanism), whose documentation applies to methods without one here.
pub(crate) trait Dynamics: Products {
    /// Sets other parameters, inside their domains.
    ///
    /// # Errors
    /// [`Error::NotFinite`]; nothing is changed then.
    fn set_parameters(&mut self, model: &Model, tree: &Tree, parameters: &[f64]) -> Result<(), Error>;

    /// Values that depend on parameters alone, and the functions that are called.
    fn constants(&self) -> &Constants;

    /// As [`Dynamics::constants`], for changes; functions are read at every evaluation.
    fn constants_mut(&mut self) -> &mut Constants;

    fn accelerations(&self, at: StateView, a: &mut [f64], lambda: &mut [f64]) -> Result<(), Error>;

    fn solve(&self, at: StateView, f: &[f64], g: &[f64], x: &mut [f64], mu: &mut [f64]) -> Result<(), Error>;

    fn position_residuals(&self, at: StateView, phi: &mut [f64]);

    fn velocity_residuals(&self, at: StateView, psi: &mut [f64]);

    /// G, n_c × n_v, row-major, overwritten; only the first rows where `jacobian` is shorter.
    fn constraint_jacobian(&self, at: StateView, jacobian: &mut [f64]);

    /// M, n_v × n_v, row-major, overwritten.
    fn mass_matrix(&self, at: StateView, mass: &mut [f64]);

    /// ν of G v = ν; n_c values, overwritten, zero for acceleration rows.
    fn nu(&self, at: StateView, nu: &mut [f64]);

    /// γ of G a = γ; n_c values, overwritten.
    fn gamma(&self, at: StateView, gamma: &mut [f64]);

    fn coordinate_rates(&self, t: f64, q: &[f64], v: &[f64], rates: &mut [f64]);

    fn auxiliary_rates(&self, at: StateView, rates: &mut [f64]);

    fn generalized_forces(&self, at: StateView, forces: &mut [f64]);

    fn velocity_forces(&self, at: StateView, forces: &mut [f64]);

    /// Writes ∂T/∂q + loads where speeds are the rates of coordinates and no motion is prescribed, see
    /// [`Momenta`](mbs_core::Momenta); otherwise false.
    fn momentum_rates(&self, at: StateView, rates: &mut [f64]) -> bool {
        let _ = (at, rates);
        false
    }

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

/// Returns an error unless all accelerations and multipliers are finite.
pub(crate) fn finite(t: f64, a: &[f64], lambda: &[f64]) -> Result<(), Error> {
    if mbs_core::all_finite(a) && mbs_core::all_finite(lambda) { Ok(()) } else { Err(Error::NotFinite { t }) }
}

/// y ← y + G x with the entries of G at (row, column) `pattern`; rows beyond y are left out.
pub(crate) fn add_products(pattern: &[(usize, usize)], entries: &[f64], x: &[f64], y: &mut [f64]) {
    for ((r, i), g) in pattern.iter().zip(entries) {
        if let Some(y) = y.get_mut(*r) {
            *y += g * x[*i];
        }
    }
}
