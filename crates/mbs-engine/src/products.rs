//! Products of M, M⁻¹ and G with vectors, and the entries of G.
//!
//! M x is inverse dynamics at rest without loads, M⁻¹ f the recursion of articulated bodies; both are linear in the number of bodies. G is
//! sparse.

use mbs_core::{Error, StateView};

/// The products that depend on where a mechanism moves.
pub(crate) trait Products {
    /// M x.
    fn multiply_by_mass_matrix(&self, at: StateView, x: &[f64], product: &mut [f64]);

    /// M⁻¹ f.
    ///
    /// # Errors
    /// [`Error::Singular`].
    fn multiply_by_inverse_mass_matrix(&self, at: StateView, f: &[f64], product: &mut [f64]) -> Result<(), Error>;

    /// Calls with row, column and value of each entry of G that may not vanish.
    fn visit_constraint_jacobian(&self, at: StateView, visit: &mut dyn FnMut(usize, usize, f64));
}
