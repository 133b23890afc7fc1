//! Products of the matrices of a mechanism in space with vectors, by its recursions.

use mbs_core::{Error, StateView};

use super::Spatial;
use super::vector::Wrench;
use crate::inputs::Inputs;
use crate::products::Products;

impl Products for Spatial {
    fn multiply_by_mass_matrix(&self, at: StateView, x: &[f64], product: &mut [f64]) {
        let plan = &self.plan;
        let (moved, others) = product.split_at_mut(plan.moved_v);
        let work = &mut *self.work.borrow_mut();
        work.move_bodies(plan, &self.numbers, &Inputs::at_rest(at, x));
        work.on_links.fill(Wrench::ZERO);
        work.newton_euler.required(&plan.links, &self.numbers.inertias, &work.motion, &work.on_links, moved);
        work.clear_loads();
        for ((forces, numbers), motion) in
            work.natural.forces.iter_mut().zip(&self.numbers.natural).zip(&work.motion.natural)
        {
            *forces = numbers.moments.inertial_forces(&motion.acceleration);
        }
        work.gather_natural(plan, &self.numbers);
        others.copy_from_slice(&work.direct[plan.moved_q..]);
    }

    fn multiply_by_inverse_mass_matrix(&self, at: StateView, f: &[f64], product: &mut [f64]) -> Result<(), Error> {
        let plan = &self.plan;
        let massless = (plan.moved_v..plan.n_v).find(|i| !plan.natural.mass.contains(&(*i, *i)));
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
        let links = work.articulated.solve(&plan.links, &self.numbers.inertias, &work.motion, (f, product));
        solved.and(links).map_err(|row| Error::Singular { row, t: at.t })
    }

    fn visit_constraint_jacobian(&self, at: StateView, visit: &mut dyn FnMut(usize, usize, f64)) {
        let (plan, inputs) = (&self.plan, self.jacobian_inputs(at));
        if plan.rows.plans.is_empty() {
            return;
        }
        self.evaluate_at(&inputs, |work| {
            work.constraint_jacobian(plan, &self.numbers, &inputs);
            plan.rows.jacobian.iter().zip(&work.jacobian).for_each(|((r, i), g)| visit(*r, *i, *g));
        });
    }
}
