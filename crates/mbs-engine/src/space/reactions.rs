//! Loads of joints and equations in space: multipliers along the gradients of rows, and Newton–Euler from body to body for joints of
//! the tree.
//!
//! The equations are in `reactions.rs` of mbs-physics; here they are evaluated about the origins of bodies. Loads and rows
//! along a coordinate of a joint act on bodies through the expression that measures it.

use mbs_model::Alternative;

use super::exerted::Exerted;
use super::numbers::Numbers;
use super::observe::Observer;
use super::plan::Plan;
use super::recursion::{Inertia, inertial};
use super::vector::{Fixed, Wrench, ZERO};
use super::work::Work;
use crate::inputs::Inputs;

impl Work {
    /// Reactions into `exerted` (joints) and `on_bodies` (equations), at the present motion, accelerations included, and the
    /// multipliers of `at`.
    pub fn reactions(&mut self, (plan, numbers): (&Plan, &Numbers), at: &Inputs<'_>) {
        self.on_bodies.fill(Wrench::ZERO);
        let observer = Observer { plan, numbers, motion: &self.motion, ground: &self.ground };
        for (joint, exerted) in plan.reactions.joints.iter().zip(&mut self.exerted) {
            *exerted = Exerted { point: observer.point(joint.second).value, wrench: Wrench::ZERO };
        }
        let leaf = |leaf| observer.leaf(leaf, at, &self.rates);
        plan.reactions.tape.evaluate(1, &numbers.constants, leaf, &mut self.measured);
        self.apply_loads(plan, numbers, at);
        self.along_measured(plan, numbers);
        self.received.copy_from_slice(&self.wrenches);
        self.clear();
        if !plan.rows.is_empty() {
            self.evaluate(3, &plan.residuals, plan, numbers, at);
        }
        for r in 0..plan.rows.len() {
            self.exert(r, at.lambda.get(r).copied().unwrap_or(0.0), plan, numbers);
        }
        for (joint, exerted) in plan.reactions.joints.iter().zip(&mut self.exerted) {
            if !joint.has_moment {
                exerted.wrench.torque = ZERO;
            }
        }
        self.carry(plan, numbers);
    }

    /// Adds the loads along measured coordinates to the wrenches on bodies.
    fn along_measured(&mut self, plan: &Plan, numbers: &Numbers) {
        let observer = Observer { plan, numbers, motion: &self.motion, ground: &self.ground };
        for (coordinate, sweep) in &plan.reactions.measured {
            let along = std::mem::take(&mut self.direct[*coordinate]);
            if along == 0.0 {
                continue;
            }
            let (tape, constants, wrenches) = (&plan.reactions.tape, &numbers.constants, &mut self.wrenches);
            tape.differentiate(sweep, constants, &self.measured, &mut self.adjoints, |leaf, derivative| {
                if let Some((body, wrench)) = observer.twist_derivative(leaf) {
                    wrenches[body] += wrench * (along * derivative);
                }
            });
        }
        // Algebraic coordinates move no body.
        self.direct.fill(0.0);
    }

    /// Adds the loads of one row to the wrenches that bodies receive, and to those of its joint or equation.
    fn exert(&mut self, r: usize, lambda: f64, plan: &Plan, numbers: &Numbers) {
        let reactions = &plan.reactions;
        self.differentiate(&plan.residuals, &plan.rows[r].sweep, plan, numbers, -lambda);
        self.along_measured(plan, numbers);
        let owner = reactions.owners[r];
        let joint = if let Some(Alternative::Joint(joint)) = owner { Some(joint) } else { None };
        for body in &reactions.touched[r] {
            let wrench = std::mem::replace(&mut self.wrenches[*body], Wrench::ZERO);
            // A particle has no equation of moments.
            let held = if plan.turns[*body] { wrench } else { Wrench { torque: ZERO, ..wrench } };
            self.received[*body] += held;
            if let Some(joint) = joint {
                let exerted = &mut self.exerted[joint.index()];
                let about = wrench.shifted(self.motion.bodies[*body].origin - exerted.point);
                match plan.marker_bodies[reactions.joints[joint.index()].second.index()] {
                    Some(on) if on == *body => exerted.wrench += about,
                    Some(_) => {}
                    // Ground receives the opposite of the sum over all bodies.
                    None => exerted.wrench -= about,
                }
            }
            for ((e, on), sum) in reactions.on_bodies.iter().zip(&mut self.on_bodies) {
                if Some(Alternative::Equation(*e)) == owner && on == body {
                    *sum += held;
                }
            }
        }
    }

    /// Joints of the tree exert the wrenches that their bodies need beyond those received, and the opposite on their parents.
    fn carry(&mut self, plan: &Plan, numbers: &Numbers) {
        for carried in plan.reactions.carried.iter().filter(|c| plan.reactions.joints[c.joint].holds) {
            let frame = &self.motion.bodies[carried.body];
            let inertia = Inertia::of(&numbers.masses[carried.body], &Fixed::NONE).in_world(frame);
            let mut needed = inertial(&inertia, frame);
            needed -= self.received[carried.body];
            let exerted = &mut self.exerted[carried.joint];
            let about = needed.shifted(frame.origin - exerted.point);
            exerted.wrench = if carried.reversed { -about } else { about };
            if let Some(parent) = carried.parent {
                self.received[parent] -= needed.shifted(frame.origin - self.motion.bodies[parent].origin);
            }
        }
    }
}
