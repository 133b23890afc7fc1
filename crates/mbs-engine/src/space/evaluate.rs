//! The evaluations of a spatial mechanism.

use mbs_core::{Condition, Energy, Error, Level, Pose, Reaction, StateView};
use mbs_expr::MarkerId;
use mbs_model::{Model, RowLevel};
use mbs_physics::Tree;
use mbs_saddle::Metric;

use super::Spatial;
use super::numbers::Numbers;
use super::vector::{Wrench, ZERO, unit};
use super::work::Work;
use crate::constants::Constants;
use crate::dynamics::{Dynamics, finite};
use crate::inputs::Inputs;

impl Dynamics for Spatial {
    fn set_parameters(&mut self, model: &Model, _: &Tree, parameters: &[f64]) -> Result<(), Error> {
        let numbers = Numbers::new(model, &self.plan, self.numbers.constants.clone(), parameters);
        if !numbers.is_finite() {
            return Err(Error::NotFinite { t: 0.0 });
        }
        if numbers.massless == self.numbers.massless {
            self.numbers = numbers;
        } else {
            *self = Spatial::from_numbers(self.plan.clone(), numbers, (self.metric, self.scale));
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
                work.gather(plan);
                let mut direct = std::mem::take(&mut work.right);
                direct.fill(0.0);
                work.add_coordinate_loads(plan, at.q, &mut direct);
                let Work { articulated, motion, on_links, .. } = work;
                let solved = articulated.accelerations(&plan.links, &numbers.inertias, motion, on_links, (&direct, a));
                work.right = direct;
                solved.map_err(|row| Error::Singular { row, t: at.t })?;
                return finite(at.t, a, lambda);
            }
            work.forces(plan, numbers, at.q);
            a.copy_from_slice(&work.right);
            work.mass_matrix(plan, numbers, self.metric);
            work.constraint_jacobian(plan, numbers, &inputs);
            work.gamma(plan, lambda);
            work.solve(at.t, a, lambda)?;
            finite(at.t, a, lambda)
        })
    }

    fn solve(&self, at: StateView, f: &[f64], g: &[f64], x: &mut [f64], mu: &mut [f64]) -> Result<(), Error> {
        let (plan, numbers, inputs) = (&self.plan, &self.numbers, self.jacobian_inputs(at));
        self.evaluate_at(&inputs, |work| {
            if self.is_open() {
                let Work { articulated, motion, .. } = work;
                let solved = articulated.solve(&plan.links, &numbers.inertias, motion, (f, x));
                return solved.map_err(|row| Error::Singular { row, t: at.t });
            }
            x.copy_from_slice(f);
            mu.copy_from_slice(g);
            work.mass_matrix(plan, numbers, self.metric);
            work.constraint_jacobian(plan, numbers, &inputs);
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
                if let Some(entry) = jacobian.get_mut(r * plan.n_v + i) {
                    *entry = *g;
                }
            }
        });
    }

    fn mass_matrix(&self, at: StateView, mass: &mut [f64]) {
        let plan = &self.plan;
        mass.fill(0.0);
        self.evaluate_at(&Inputs::for_positions(at), |work| {
            work.mass_matrix(plan, &self.numbers, Metric::Mass);
            let natural = plan.natural.mass.iter().zip(&self.numbers.natural_mass);
            for ((i, j), m) in plan.mass.iter().zip(&work.mass).chain(natural) {
                mass[i * plan.n_v + j] = *m;
                mass[j * plan.n_v + i] = *m;
            }
        });
    }

    fn nu(&self, at: StateView, nu: &mut [f64]) {
        let plan = &self.plan;
        let (psi, others) = nu.split_at_mut(plan.rows.plans.iter().filter(|row| row.level < 2).count());
        others.fill(0.0);
        let v = if plan.rows.reads_speeds { at.v } else { &[] };
        self.velocity_residuals(StateView { v, ..at }, psi);
        psi.iter_mut().for_each(|x| *x = -*x);
        if plan.rows.reads_speeds {
            let at = Inputs::for_velocities(at);
            self.evaluate_at(&at, |work| {
                work.constraint_jacobian(plan, &self.numbers, &at);
                crate::dynamics::add_products(&plan.rows.jacobian, &work.jacobian, at.v, psi);
            });
        }
    }

    fn gamma(&self, at: StateView, gamma: &mut [f64]) {
        let inputs = Inputs::from(at);
        self.evaluate_at(&inputs, |work| {
            work.constraint_jacobian(&self.plan, &self.numbers, &inputs);
            work.gamma(&self.plan, gamma);
        });
    }

    fn coordinate_rates(&self, t: f64, q: &[f64], v: &[f64], rates: &mut [f64]) {
        self.evaluate_at(&Inputs { t, q, v, ..Inputs::default() }, |work| rates.copy_from_slice(&work.motion.rates));
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
            work.forces(&self.plan, &self.numbers, at.q);
            forces.copy_from_slice(&work.right);
        });
    }

    fn velocity_forces(&self, at: StateView, forces: &mut [f64]) {
        self.evaluate_at(&Inputs::for_velocities(at), |work| {
            work.clear_loads();
            work.forces(&self.plan, &self.numbers, at.q);
            forces.copy_from_slice(&work.right);
        });
    }

    fn momentum_rates(&self, at: StateView, rates: &mut [f64]) -> bool {
        if !self.plan.speeds_are_rates() {
            return false;
        }
        let inputs = Inputs::from(at);
        self.evaluate_at(&inputs, |work| {
            work.apply_loads(&self.plan, &self.numbers, &inputs);
            work.momentum_rates(&self.plan, &self.numbers, [at.q, at.v]);
            rates.copy_from_slice(&work.right);
        });
        true
    }

    fn reactions(&self, at: StateView, a: &[f64], lambda: &[f64], reactions: &mut [Reaction]) {
        let inputs = Inputs { a, lambda, ..Inputs::from(at) };
        self.evaluate_at(&inputs, |work| {
            self.evaluate_rates(work, &inputs);
            work.reactions(&self.plan, &self.numbers, &inputs);
            for (found, reaction) in work.reactions.joints.iter().zip(reactions) {
                let Wrench { force, torque } = found.wrench;
                *reaction = Reaction { point: found.point.0, force: force.0, torque: torque.0 };
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
                work.reactions(&self.plan, &self.numbers, &inputs);
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
                work.reactions(&self.plan, &self.numbers, inputs);
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
            for (body, pose) in work.motion.bodies.iter().zip(poses) {
                *pose = Pose::spatial(body.origin.0, body.rotation.0.map(|row| row.0));
            }
        });
    }

    fn marker_positions(&self, at: StateView, markers: &[MarkerId], positions: &mut [[f64; 3]]) {
        self.evaluate_at(&Inputs::for_positions(at), |work| {
            let observer = work.observer(&self.plan, &self.numbers);
            for (marker, position) in markers.iter().zip(positions) {
                *position = observer.point(*marker).value.0;
            }
        });
    }

    fn body_jacobians(&self, at: StateView, jacobians: &mut [f64]) {
        let plan = &self.plan;
        jacobians.fill(0.0);
        self.evaluate_at(&Inputs::for_positions(at), |work| {
            for (body, link) in plan.link_of.iter().enumerate() {
                for row in 0..6 {
                    let wrench = match row {
                        0..3 => Wrench { force: unit(row), torque: ZERO },
                        _ => Wrench::torque(unit(row - 3)),
                    };
                    let row = &mut jacobians[(6 * body + row) * plan.n_v..][..plan.n_v];
                    if let Some(link) = link {
                        let about = wrench.shifted(work.motion.bodies[body].offset);
                        work.motion.project_wrench(&plan.links, *link, about, |i, x| row[i] = x);
                    }
                    if let Some(k) = plan.natural.index_of[body] {
                        let numbers = &self.numbers.natural[k];
                        let forces = work.motion.natural[k].wrench_on_axes(numbers, wrench);
                        work.direct.fill(0.0);
                        plan.natural.bodies[k].project(numbers, &forces, &mut work.direct);
                        row[plan.moved_v..].copy_from_slice(&work.direct[plan.moved_q..]);
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
            work.gather_natural(plan, &self.numbers);
            gradient.fill(0.0);
            work.add_coordinate_loads(plan, at.q, gradient);
            work.gather(plan);
            for (link, wrench) in work.on_links.iter().enumerate() {
                work.motion.project_wrench(&plan.links, link, *wrench, |i, x| gradient[i] += x);
            }
            let value = work.values.coefficient(plan.tapes.conditions.root(condition), 0);
            let level = if declared.level == RowLevel::Position { Level::Position } else { Level::Velocity };
            Condition { residual: declared.residual(value - self.numbers.constants.value(declared.value)), level }
        })
    }
}
