//! Operators of an engine: products of M, M⁻¹, G and Gᵀ with vectors, the projection onto admissible motions, and inverse operational
//! inertias.

use mbs_core::{Error, StateView};

use crate::Engine;

/// Slices have the lengths that [`Sizes`](mbs_core::Sizes) states, or the methods panic. Inputs are not read, and speeds only where rows are
/// not affine in them.
impl Engine {
    /// M x by inverse dynamics at rest; n_v values, overwritten.
    pub fn multiply_by_mass_matrix(&self, at: StateView, x: &[f64], product: &mut [f64]) {
        self.dynamics().multiply_by_mass_matrix(at, x, product);
    }

    /// M⁻¹ f by articulated bodies, without the rows; n_v values, overwritten. The solution with the rows is
    /// [`Mechanism::solve`](mbs_core::Mechanism::solve) with g = 0.
    ///
    /// # Errors
    /// [`Error::Singular`] with the speed whose pivot vanishes: M is singular where a motion is massless, even if rows couple it to motions
    /// with mass.
    pub fn multiply_by_inverse_mass_matrix(&self, at: StateView, f: &[f64], product: &mut [f64]) -> Result<(), Error> {
        self.dynamics().multiply_by_inverse_mass_matrix(at, f, product)
    }

    /// G x; n_c values, overwritten.
    pub fn multiply_by_constraint_jacobian(&self, at: StateView, x: &[f64], product: &mut [f64]) {
        product.fill(0.0);
        self.dynamics().visit_constraint_jacobian(at, &mut |r, i, g| product[r] += g * x[i]);
    }

    /// Gᵀ λ, which is subtracted from the generalised forces, M a = Q − Gᵀ λ; n_v values, overwritten.
    pub fn multiply_by_constraint_jacobian_transpose(&self, at: StateView, lambda: &[f64], forces: &mut [f64]) {
        forces.fill(0.0);
        self.dynamics().visit_constraint_jacobian(at, &mut |r, i, g| forces[i] += g * lambda[r]);
    }

    /// P x = x − M⁻¹Gᵀ(GM⁻¹Gᵀ)⁻¹G x: the admissible motion, G P x = 0, that is nearest to x in kinetic energy; n_v values,
    /// overwritten. For mechanisms without any mass, M = 1.
    ///
    /// # Errors
    /// [`Error::Singular`] with the row whose pivot vanishes.
    pub fn project_speeds(&self, at: StateView, x: &[f64], projected: &mut [f64]) -> Result<(), Error> {
        if self.tree().rows.is_empty() {
            projected.copy_from_slice(x);
            return Ok(());
        }
        let [zeros, rows, mu] = &mut *self.vectors.borrow_mut();
        zeros.fill(0.0);
        self.multiply_by_constraint_jacobian(at, x, rows);
        self.dynamics().solve(at, zeros, rows, projected, mu)?;
        projected.iter_mut().zip(x).for_each(|(y, x)| *y = x - *y);
        Ok(())
    }

    /// Λ⁻¹ = J M⁻¹ Jᵀ, the inverse operational inertia of a Jacobian J (n × n_v, row-major); n × n, row-major, overwritten. Costs one
    /// solution for each row of J. With constraint rows it is the constrained one, J (M⁻¹ − M⁻¹Gᵀ(GM⁻¹Gᵀ)⁻¹GM⁻¹) Jᵀ: the accelerations
    /// J a that forces Jᵀ f cause in the constrained mechanism. For mechanisms without any mass, M = 1.
    ///
    /// # Errors
    /// [`Error::Singular`] with the row whose pivot vanishes.
    pub fn inverse_operational_inertia(
        &self,
        at: StateView,
        jacobian: &[f64],
        inverse: &mut [f64],
    ) -> Result<(), Error> {
        let [x, zeros, mu] = &mut *self.vectors.borrow_mut();
        let n_v = x.len().max(1);
        let rows = jacobian.len() / n_v;
        zeros.fill(0.0);
        for (column, force) in jacobian.chunks_exact(n_v).enumerate() {
            self.dynamics().solve(at, force, zeros, x, mu)?;
            for (row, direction) in jacobian.chunks_exact(n_v).enumerate() {
                inverse[row * rows + column] = direction.iter().zip(x.iter()).map(|(j, x)| j * x).sum();
            }
        }
        Ok(())
    }
}
