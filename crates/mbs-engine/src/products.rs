//! Products of M, M⁻¹, G and Gᵀ with vectors, the projection onto admissible motions, and inverse operational inertias.
//!
//! M x is inverse dynamics at rest without loads, M⁻¹ f the recursion of articulated bodies; both are linear in the number of bodies. G is
//! sparse.

use mbs_core::{Error, StateView};

use crate::Engine;
use crate::dynamics::Inputs;
use crate::planar::{self, Planar};
use crate::space::{self, Spatial};

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

/// Positions, with accelerations x at rest.
fn driven<'a>(at: StateView<'a>, x: &'a [f64]) -> Inputs<'a> {
    Inputs { a: x, ..Inputs::of_position(at) }
}

impl Products for Planar {
    fn multiply_by_mass_matrix(&self, at: StateView, x: &[f64], product: &mut [f64]) {
        let (plan, masses) = (&self.plan, &self.numbers.masses);
        let (moved, algebraic) = product.split_at_mut(plan.moved);
        algebraic.fill(0.0);
        let work = &mut *self.work.borrow_mut();
        work.move_bodies(plan, &self.numbers, &driven(at, x));
        work.wrenches.fill(planar::Wrench::ZERO);
        work.newton_euler.required((&plan.steps, masses), &work.motion, &work.wrenches, moved);
    }

    fn multiply_by_inverse_mass_matrix(&self, at: StateView, f: &[f64], product: &mut [f64]) -> Result<(), Error> {
        let plan = &self.plan;
        if plan.moved < plan.n {
            return Err(Error::Singular { row: plan.moved, t: at.t });
        }
        let work = &mut *self.work.borrow_mut();
        work.move_bodies(plan, &self.numbers, &Inputs::of_position(at));
        let solved = work.articulated.solve((&plan.steps, &self.numbers.masses), &work.motion, (f, product));
        solved.map_err(|row| Error::Singular { row, t: at.t })
    }

    fn visit_constraint_jacobian(&self, at: StateView, visit: &mut dyn FnMut(usize, usize, f64)) {
        let (plan, inputs) = (&self.plan, self.of_rows(at));
        self.moved(&inputs, |work| {
            work.constraint_jacobian(plan, &self.numbers, &inputs);
            plan.jacobian.iter().zip(&work.jacobian).for_each(|((r, i), g)| visit(*r, *i, *g));
        });
    }
}

impl Products for Spatial {
    fn multiply_by_mass_matrix(&self, at: StateView, x: &[f64], product: &mut [f64]) {
        let plan = &self.plan;
        let (moved, algebraic) = product.split_at_mut(plan.moved_v);
        algebraic.fill(0.0);
        let work = &mut *self.work.borrow_mut();
        work.move_bodies(plan, &self.numbers, &driven(at, x));
        work.on_links.fill(space::Wrench::ZERO);
        let tree = (&plan.links[..], &self.numbers.inertias[..]);
        work.newton_euler.required(tree, &work.motion, &work.on_links, moved);
    }

    fn multiply_by_inverse_mass_matrix(&self, at: StateView, f: &[f64], product: &mut [f64]) -> Result<(), Error> {
        let plan = &self.plan;
        if plan.moved_v < plan.n_v {
            return Err(Error::Singular { row: plan.moved_v, t: at.t });
        }
        let work = &mut *self.work.borrow_mut();
        work.move_bodies(plan, &self.numbers, &Inputs::of_position(at));
        let solved = work.articulated.solve((&plan.links, &self.numbers.inertias), &work.motion, (f, product));
        solved.map_err(|row| Error::Singular { row, t: at.t })
    }

    fn visit_constraint_jacobian(&self, at: StateView, visit: &mut dyn FnMut(usize, usize, f64)) {
        let (plan, inputs) = (&self.plan, self.of_rows(at));
        if plan.rows.is_empty() {
            return;
        }
        self.moved(&inputs, |work| {
            work.constraint_jacobian(plan, &self.numbers, &inputs);
            plan.jacobian.iter().zip(&work.jacobian).for_each(|((r, i), g)| visit(*r, *i, *g));
        });
    }
}

/// Slices have the lengths that [`Sizes`](mbs_core::Sizes) states, or the methods panic. Inputs are not read, and speeds only where rows are not affine in them.
impl Engine {
    /// M x by inverse dynamics at rest; n_v values, overwritten.
    pub fn multiply_by_mass_matrix(&self, at: StateView, x: &[f64], product: &mut [f64]) {
        self.dynamics().multiply_by_mass_matrix(at, x, product);
    }

    /// M⁻¹ f by articulated bodies, without the rows; n_v values, overwritten. The solution with the rows is
    /// [`Mechanism::solve`](mbs_core::Mechanism::solve) with g = 0.
    ///
    /// # Errors
    /// [`Error::Singular`] with the speed whose pivot vanishes: M is singular where a motion has no mass of its own, even if rows give
    /// it some.
    pub fn multiply_by_inverse_mass_matrix(&self, at: StateView, f: &[f64], product: &mut [f64]) -> Result<(), Error> {
        self.dynamics().multiply_by_inverse_mass_matrix(at, f, product)
    }

    /// G x; n_c values, overwritten.
    pub fn multiply_by_constraint_jacobian(&self, at: StateView, x: &[f64], product: &mut [f64]) {
        product.fill(0.0);
        self.dynamics().visit_constraint_jacobian(at, &mut |r, i, g| product[r] += g * x[i]);
    }

    /// Gᵀ λ, the generalised forces that rows take from the motion, M a = Q − Gᵀ λ; n_v values, overwritten.
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

    /// Λ⁻¹ = J M⁻¹ Jᵀ, the inverse operational inertia along the rows of a Jacobian (n × n_v, row-major), n × n, row-major,
    /// overwritten; by one solution for each row. With constraint rows it is the constrained one,
    /// J (M⁻¹ − M⁻¹Gᵀ(GM⁻¹Gᵀ)⁻¹GM⁻¹) Jᵀ: accelerations that forces along J cause in the constrained mechanism. For mechanisms without
    /// any mass, M = 1.
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
            for (row, along) in jacobian.chunks_exact(n_v).enumerate() {
                inverse[row * rows + column] = along.iter().zip(x.iter()).map(|(j, x)| j * x).sum();
            }
        }
        Ok(())
    }
}
