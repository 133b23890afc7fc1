//! Products of a planar mechanism's matrices with vectors, by its recursions.

use mbs_core::{Error, StateView};

use super::Planar;
use super::plane::Wrench;
use crate::inputs::Inputs;
use crate::products::Products;

impl Products for Planar {
    fn multiply_by_mass_matrix(&self, at: StateView, x: &[f64], product: &mut [f64]) {
        let (plan, masses) = (&self.plan, &self.numbers.masses);
        product.fill(0.0);
        let work = &mut *self.work.borrow_mut();
        work.move_bodies(plan, &self.numbers, &Inputs::at_rest(at, x));
        work.wrenches.fill(Wrench::ZERO);
        work.newton_euler.required(&plan.steps, masses, &work.motion, &work.wrenches, product);
        for ((natural, numbers), motion) in plan.natural.iter().zip(&self.numbers.natural).zip(&work.motion.natural) {
            let forces = numbers.moments.inertial_forces(&motion.acceleration);
            natural.project(numbers, &forces, |i, x| product[i] += x);
        }
    }

    fn multiply_by_inverse_mass_matrix(&self, at: StateView, f: &[f64], product: &mut [f64]) -> Result<(), Error> {
        let plan = &self.plan;
        let massless = (0..plan.n).find(|i| !plan.moved.contains(i) && !plan.natural_mass.contains(&(*i, *i)));
        if let Some(row) = massless {
            return Err(Error::Singular { row, t: at.t });
        }
        let work = &mut *self.work.borrow_mut();
        work.move_bodies(plan, &self.numbers, &Inputs::for_positions(at));
        let mut solved = Ok(());
        if let Some(mass) = &mut work.natural.mass {
            product.copy_from_slice(f);
            solved = mass.solve(&self.numbers.natural_mass, product);
        }
        let steps = work.articulated.solve(&plan.steps, &self.numbers.masses, &work.motion, (f, product));
        solved.and(steps).map_err(|row| Error::Singular { row, t: at.t })
    }

    fn visit_constraint_jacobian(&self, at: StateView, visit: &mut dyn FnMut(usize, usize, f64)) {
        let (plan, inputs) = (&self.plan, self.jacobian_inputs(at));
        self.evaluate_at(&inputs, |work| {
            work.constraint_jacobian(plan, &self.numbers, &inputs);
            plan.rows.jacobian.iter().zip(&work.jacobian).for_each(|((r, i), g)| visit(*r, *i, *g));
        });
    }
}
