//! Products of a planar mechanism's matrices with vectors, by its recursions.

use mbs_core::{Error, StateView};

use super::Planar;
use super::plane::Wrench;
use crate::inputs::Inputs;
use crate::products::Products;

impl Products for Planar {
    fn multiply_by_mass_matrix(&self, at: StateView, x: &[f64], product: &mut [f64]) {
        let (plan, masses) = (&self.plan, &self.numbers.masses);
        let (moved, algebraic) = product.split_at_mut(plan.moved);
        algebraic.fill(0.0);
        let work = &mut *self.work.borrow_mut();
        work.move_bodies(plan, &self.numbers, &Inputs::at_rest(at, x));
        work.wrenches.fill(Wrench::ZERO);
        work.newton_euler.required(&plan.steps, masses, &work.motion, &work.wrenches, moved);
    }

    fn multiply_by_inverse_mass_matrix(&self, at: StateView, f: &[f64], product: &mut [f64]) -> Result<(), Error> {
        let plan = &self.plan;
        if plan.moved < plan.n {
            return Err(Error::Singular { row: plan.moved, t: at.t });
        }
        let work = &mut *self.work.borrow_mut();
        work.move_bodies(plan, &self.numbers, &Inputs::for_positions(at));
        let solved = work.articulated.solve(&plan.steps, &self.numbers.masses, &work.motion, (f, product));
        solved.map_err(|row| Error::Singular { row, t: at.t })
    }

    fn visit_constraint_jacobian(&self, at: StateView, visit: &mut dyn FnMut(usize, usize, f64)) {
        let (plan, inputs) = (&self.plan, self.jacobian_inputs(at));
        self.evaluate_at(&inputs, |work| {
            work.constraint_jacobian(plan, &self.numbers, &inputs);
            plan.rows.jacobian.iter().zip(&work.jacobian).for_each(|((r, i), g)| visit(*r, *i, *g));
        });
    }
}
