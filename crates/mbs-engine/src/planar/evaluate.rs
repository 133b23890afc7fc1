//! The evaluations of a planar mechanism.

use mbs_core::{Condition, Energy, Error, Level, Pose, Reaction, StateView};
use mbs_expr::MarkerId;
use mbs_model::{Model, RowLevel};
use mbs_physics::Tree;

use super::Planar;
use super::mover::Mover;
use super::numbers::Numbers;
use super::plane::{Wrench, unit};
use super::work::Work;
use crate::constants::Constants;
use crate::dynamics::{Dynamics, finite};
use crate::inputs::Inputs;

impl Dynamics for Planar {
    fn set_parameters(&mut self, model: &Model, tree: &Tree, parameters: &[f64]) -> Result<(), Error> {
        let numbers = Numbers::new(model, tree, &self.plan, self.numbers.constants.clone(), parameters);
        if !numbers.is_finite() {
            return Err(Error::NotFinite { t: 0.0 });
        }
        if numbers.massless == self.numbers.massless {
            self.masses = Planar::masses(&self.plan, &numbers, self.metric);
            self.numbers = numbers;
        } else {
            *self = Planar::from_numbers(self.plan.clone(), numbers, (self.metric, self.scale));
        }
        Ok(())
    }

    fn constants(&self) -> &Constants {
        &self.numbers.constants
    }

    fn constants_mut(&mut self) -> &mut Constants {
        &mut self.numbers.constants
    }

    fn accelerations(&self, at: StateView, a: &mut [f64], lambda: &mut [f64]) -> Result<(), Error> {
        let (plan, numbers, inputs) = (&self.plan, &self.numbers, Inputs::from(at));
        self.evaluate_at(&inputs, |work| {
            work.apply_loads(plan, numbers, &inputs);
            if self.is_open() {
                let Work { articulated, motion, wrenches, direct, .. } = work;
                let solved = articulated.accelerations(&plan.steps, &self.masses, motion, wrenches, (direct, a));
                solved.map_err(|row| Error::Singular { row, t: at.t })?;
                return finite(at.t, a, lambda);
            }
            work.forces(plan, numbers, &self.masses);
            a.copy_from_slice(&work.right);
            self.metric(work);
            work.constraint_jacobian(plan, numbers, &inputs);
            work.gamma(plan, numbers, lambda);
            work.solve(at.t, a, lambda)?;
            finite(at.t, a, lambda)
        })
    }

    fn solve(&self, at: StateView, f: &[f64], g: &[f64], x: &mut [f64], mu: &mut [f64]) -> Result<(), Error> {
        let (plan, inputs) = (&self.plan, self.jacobian_inputs(at));
        self.evaluate_at(&inputs, |work| {
            if self.is_open() {
                let Work { articulated, motion, .. } = work;
                let solved = articulated.solve(&plan.steps, &self.masses, motion, (f, x));
                return solved.map_err(|row| Error::Singular { row, t: at.t });
            }
            x.copy_from_slice(f);
            mu.copy_from_slice(g);
            self.metric(work);
            work.constraint_jacobian(plan, &self.numbers, &inputs);
            work.solve(at.t, x, mu)
        })
    }

    fn position_residuals(&self, at: StateView, phi: &mut [f64]) {
        let (tape, inputs) = (&self.plan.tapes.residuals, Inputs::for_positions(at));
        self.evaluate_at(&inputs, |work| {
            work.evaluate(1, tape, &self.plan, &self.numbers, &inputs);
            phi.iter_mut().enumerate().for_each(|(r, phi)| *phi = work.values.coefficient(tape.root(r), 0));
        });
    }

    fn velocity_residuals(&self, at: StateView, psi: &mut [f64]) {
        let inputs = Inputs::for_velocities(at);
        self.evaluate_at(&inputs, |work| work.velocity_residuals(&self.plan, &self.numbers, &inputs, psi));
    }

    fn constraint_jacobian(&self, at: StateView, jacobian: &mut [f64]) {
        let (plan, inputs) = (&self.plan, self.jacobian_inputs(at));
        jacobian.fill(0.0);
        self.evaluate_at(&inputs, |work| {
            work.constraint_jacobian(plan, &self.numbers, &inputs);
            for ((r, i), g) in plan.rows.jacobian.iter().zip(&work.jacobian) {
                if let Some(entry) = jacobian.get_mut(r * plan.n + i) {
                    *entry = *g;
                }
            }
        });
    }

    fn mass_matrix(&self, at: StateView, mass: &mut [f64]) {
        let (plan, work) = (&self.plan, &mut *self.work.borrow_mut());
        work.move_bodies(plan, &self.numbers, &Inputs::for_positions(at));
        work.composite.mass_matrix(&plan.steps, &self.numbers.masses, &work.motion, &mut work.mass);
        mass.fill(0.0);
        let natural = plan.natural_mass.iter().zip(&self.numbers.natural_mass);
        for ((i, j), m) in plan.mass.iter().zip(&work.mass).chain(natural) {
            mass[i * plan.n + j] = *m;
            mass[j * plan.n + i] = *m;
        }
    }

    fn nu(&self, at: StateView, nu: &mut [f64]) {
        let plan = &self.plan;
        let (psi, others) = nu.split_at_mut(plan.rows.plans.iter().filter(|row| row.level < 2).count());
        others.fill(0.0);
        if plan.rows.reads_speeds {
            let at = Inputs::for_velocities(at);
            return self.evaluate_at(&at, |work| {
                work.velocity_residuals(plan, &self.numbers, &at, psi);
                psi.iter_mut().for_each(|x| *x = -*x);
                work.constraint_jacobian(plan, &self.numbers, &at);
                crate::dynamics::add_products(&plan.rows.jacobian, &work.jacobian, at.v, psi);
            });
        }
        let rest = {
            let work = &mut *self.work.borrow_mut();
            work.right.fill(0.0);
            std::mem::take(&mut work.right)
        };
        let at = Inputs { v: &rest, ..Inputs::for_positions(at) };
        self.evaluate_at(&at, |work| work.velocity_residuals(plan, &self.numbers, &at, psi));
        psi.iter_mut().for_each(|x| *x = -*x);
        self.work.borrow_mut().right = rest;
    }

    fn gamma(&self, at: StateView, gamma: &mut [f64]) {
        let (plan, at) = (&self.plan, Inputs::from(at));
        self.evaluate_at(&at, |work| {
            work.constraint_jacobian(plan, &self.numbers, &at);
            work.gamma(plan, &self.numbers, gamma);
        });
    }

    fn coordinate_rates(&self, _: f64, _: &[f64], v: &[f64], rates: &mut [f64]) {
        rates.copy_from_slice(v);
    }

    fn auxiliary_rates(&self, at: StateView, rates: &mut [f64]) {
        let inputs = Inputs::from(at);
        self.evaluate_at(&inputs, |work| {
            self.evaluate_rates(work, &inputs);
            rates.iter_mut().zip(&work.rates).for_each(|(to, from)| *to = from[0]);
        });
    }

    fn generalized_forces(&self, at: StateView, forces: &mut [f64]) {
        let inputs = Inputs::from(at);
        self.evaluate_at(&inputs, |work| {
            work.apply_loads(&self.plan, &self.numbers, &inputs);
            work.forces(&self.plan, &self.numbers, &self.numbers.masses);
            forces.copy_from_slice(&work.right);
        });
    }

    fn velocity_forces(&self, at: StateView, forces: &mut [f64]) {
        let plan = &self.plan;
        self.evaluate_at(&Inputs::for_velocities(at), |work| {
            work.clear_loads();
            work.forces(plan, &self.numbers, &self.numbers.masses);
            forces.copy_from_slice(&work.right);
        });
    }

    fn momentum_rates(&self, at: StateView, rates: &mut [f64]) -> bool {
        let inputs = Inputs::from(at);
        self.evaluate_at(&inputs, |work| {
            work.apply_loads(&self.plan, &self.numbers, &inputs);
            work.momentum_rates(&self.plan, &self.numbers, at.v);
            rates.copy_from_slice(&work.right);
        });
        true
    }

    fn reactions(&self, at: StateView, a: &[f64], lambda: &[f64], reactions: &mut [Reaction]) {
        let inputs = Inputs { a, lambda, ..Inputs::from(at) };
        self.evaluate_at(&inputs, |work| {
            self.evaluate_rates(work, &inputs);
            work.reactions(&self.plan, &self.numbers, &self.numbers.masses, &inputs);
            for (found, reaction) in work.joint_reactions.iter().zip(reactions) {
                *reaction = Reaction::planar(found.point.0, found.wrench.force.0, found.wrench.torque);
            }
        });
    }

    fn energy(&self, at: StateView) -> Energy {
        let (tape, inputs) = (&self.plan.tapes.energy, Inputs::from(at));
        self.evaluate_at(&inputs, |work| {
            work.evaluate(1, tape, &self.plan, &self.numbers, &inputs);
            let [kinetic, potential] = [0, 1].map(|k| work.values.coefficient(tape.root(k), 0));
            Energy { kinetic, potential }
        })
    }

    fn outputs(&self, at: StateView, a: &[f64], lambda: &[f64], outputs: &mut [f64]) {
        let (tape, inputs) = (&self.plan.tapes.outputs, Inputs { a, lambda, ..Inputs::from(at) });
        self.evaluate_at(&inputs, |work| {
            self.evaluate_rates(work, &inputs);
            if self.plan.reactions.observed {
                work.reactions(&self.plan, &self.numbers, &self.numbers.masses, &inputs);
            }
            work.evaluate(1, tape, &self.plan, &self.numbers, &inputs);
            let values = outputs.iter_mut().enumerate();
            values.for_each(|(k, x)| *x = work.values.coefficient(tape.root(k), 0));
        });
    }

    fn observe_events(&self, inputs: &Inputs<'_>, order: usize, observe: &mut dyn FnMut(usize, f64)) {
        let (tape, first) = (&self.plan.tapes.outputs, self.plan.tapes.first_event);
        self.evaluate_at(inputs, |work| {
            self.evaluate_rates(work, inputs);
            if self.plan.reactions.observed {
                work.reactions(&self.plan, &self.numbers, &self.numbers.masses, inputs);
            }
            work.evaluate(order + 1, tape, &self.plan, &self.numbers, inputs);
            (first..tape.roots()).for_each(|k| observe(k - first, work.values.coefficient(tape.root(k), order)));
        });
    }

    fn observe_memories(&self, at: &Inputs<'_>, first: usize, observe: &mut dyn FnMut(usize, f64)) {
        self.observe_events(at, 0, &mut |k, value| k.checked_sub(first).into_iter().for_each(|i| observe(i, value)));
    }

    fn poses(&self, at: StateView, poses: &mut [Pose]) {
        self.evaluate_at(&Inputs::for_positions(at), |work| {
            for (mover, pose) in self.plan.movers.iter().zip(poses) {
                let [x, y] = work.motion.origin(*mover).0;
                *pose = Pose::planar(x, y, work.motion.angle(*mover));
            }
        });
    }

    fn marker_positions(&self, at: StateView, markers: &[MarkerId], positions: &mut [[f64; 3]]) {
        self.evaluate_at(&Inputs::for_positions(at), |work| {
            let observer = work.observer(&self.plan, &self.numbers);
            for (marker, position) in markers.iter().zip(positions) {
                let [x, y] = observer.point(*marker).point.0;
                *position = [x, y, 0.0];
            }
        });
    }

    fn body_jacobians(&self, at: StateView, jacobians: &mut [f64]) {
        let plan = &self.plan;
        jacobians.fill(0.0);
        self.evaluate_at(&Inputs::for_positions(at), |work| {
            for (body, mover) in plan.movers.iter().enumerate() {
                let rows = [0, 1].map(|k| (k, Wrench { force: unit(k), torque: 0.0 }));
                for (row, wrench) in rows.into_iter().chain([(5, Wrench::torque(1.0))]) {
                    let row = &mut jacobians[(6 * body + row) * plan.n..][..plan.n];
                    match *mover {
                        Mover::Step(s) => work.motion.project_wrench(&plan.steps, s, wrench, |i, x| row[i] = x),
                        Mover::Natural(k) => {
                            let forces = work.motion.natural[k].wrench_on_axes(wrench);
                            plan.natural[k].project(&self.numbers.natural[k], &forces, |i, x| row[i] = x);
                        }
                    }
                }
            }
        });
    }

    fn initial_condition(&self, condition: usize, at: StateView, gradient: &mut [f64]) -> Condition {
        let (plan, inputs) = (&self.plan, Inputs::from(at));
        let declared = &plan.tapes.condition_plans[condition];
        self.evaluate_at(&inputs, |work| {
            work.evaluate(1, &plan.tapes.conditions, plan, &self.numbers, &inputs);
            work.clear_loads();
            work.differentiate(&plan.tapes.conditions, &declared.sweep, plan, &self.numbers, 1.0);
            gradient.copy_from_slice(&work.direct);
            for (step, wrench) in work.wrenches.iter().enumerate() {
                work.motion.project_wrench(&plan.steps, step, *wrench, |i, x| gradient[i] += x);
            }
            for (k, natural) in plan.natural.iter().enumerate() {
                natural.project(&self.numbers.natural[k], &work.natural.forces[k], |i, x| gradient[i] += x);
            }
            let value = work.values.coefficient(plan.tapes.conditions.root(condition), 0);
            let level = if declared.level == RowLevel::Position { Level::Position } else { Level::Velocity };
            Condition { residual: declared.residual(value - self.numbers.constants.value(declared.value)), level }
        })
    }
}
