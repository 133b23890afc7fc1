//! Products of M, M⁻¹ and G with vectors, and the entries of G.
//!
//! M x is inverse dynamics at rest without loads, M⁻¹ f the recursion of articulated bodies; both are linear in the number of bodies. G is
//! sparse.

use mbs_core::{Error, StateView};

/// Products of a mechanism's matrices with vectors.
pub(crate) trait Products {
    /// M x; n_v values, overwritten.
    fn multiply_by_mass_matrix(&self, at: StateView, x: &[f64], product: &mut [f64]);

    /// M⁻¹ f; n_v values, overwritten.
    ///
    /// # Errors
    /// [`Error::Singular`].
    fn multiply_by_inverse_mass_matrix(&self, at: StateView, f: &[f64], product: &mut [f64]) -> Result<(), Error>;

    /// Calls `visit` with row, column and value of each structurally nonzero entry of G.
    fn visit_constraint_jacobian(&self, at: StateView, visit: &mut dyn FnMut(usize, usize, f64));
}
