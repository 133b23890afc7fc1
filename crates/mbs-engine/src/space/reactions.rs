//! Reactions of joints and equations in space: −λ times the gradients of rows, and Newton–Euler from body to body for joints of the tree.
//!
//! The equations are in `reactions.rs` of mbs-physics; here they are evaluated about the origins of bodies. A load on a coordinate of a
//! joint, and a row that contains one, act on bodies through the expression that measures the coordinate.

use mbs_math::{Vec3, Vector};
use mbs_model::Alternative;

use super::joint_reactions::JointReaction;
use super::numbers::Numbers;
use super::observe::Observer;
use super::plan::Plan;
use super::recursion::{Inertia, inertial};
use super::vector::{FixedPose, Wrench, ZERO, unit};
use super::work::Work;
use crate::inputs::Inputs;
use crate::tape::Leaf;

impl Work {
    /// Writes reactions into `reactions`, at the present motion, accelerations included, and the
    /// multipliers of `at`.
    pub fn reactions(&mut self, plan: &Plan, numbers: &Numbers, at: &Inputs<'_>) {
        self.reactions.on_bodies.fill(Wrench::ZERO);
        let observer = Observer { plan, numbers, motion: &self.motion, ground: &self.ground };
        for (joint, reaction) in plan.reactions.joints.iter().zip(&mut self.reactions.joints) {
            *reaction = JointReaction { point: observer.point(joint.second).value, wrench: Wrench::ZERO };
        }
        let leaf = |leaf| observer.leaf(leaf, at, &self.rates);
        plan.reactions.tape.evaluate(1, &numbers.constants, leaf, &mut self.measured);
        self.apply_loads(plan, numbers, at);
        self.apply_measured_loads(plan, numbers);
        self.reactions.received.copy_from_slice(&self.wrenches);
        self.clear();
        if !plan.rows.plans.is_empty() {
            self.evaluate(3, &plan.tapes.residuals, plan, numbers, at);
        }
        self.natural.row_forces.iter_mut().for_each(|forces| forces.fill(ZERO));
        for r in 0..plan.rows.plans.len() {
            self.add_row_reaction(r, at.lambda.get(r).copied().unwrap_or(0.0), plan, numbers);
        }
        for (joint, reaction) in plan.reactions.joints.iter().zip(&mut self.reactions.joints) {
            if !joint.has_moment {
                reaction.wrench.torque = ZERO;
            }
        }
        self.add_tree_reactions(plan, numbers);
        for shared in &plan.reactions.shared {
            let natural = &numbers.natural;
            let force = self.natural.force_on_shared_basic(
                shared,
                |k| natural[k].moments.inertial_forces(&self.motion.natural[k].acceleration),
                |k, basic, forces| natural[k].force_on_term(basic, forces),
            );
            let observer = Observer { plan, numbers, motion: &self.motion, ground: &self.ground };
            let vector: Vec3<f64> =
                Vector::from_fn(|c| observer.leaf(Leaf::Basic(shared.basic as u32, c as u8), at, &[])[0]);
            self.reactions.joints[shared.joint].wrench += match shared.is_point {
                true => Wrench { force, torque: ZERO },
                false => Wrench::torque(vector.cross(force)),
            };
        }
    }

    /// Adds the reaction −λ ∂Φ of a row that keeps body `natural` rigid to the forces on its basics.
    fn add_rigid_row(&mut self, r: usize, natural: usize, lambda: f64, plan: &Plan, numbers: &Numbers) {
        let (tape, forces) = (&plan.tapes.residuals, &mut self.natural.row_forces[natural]);
        let (sweep, adjoints) = (&plan.rows.plans[r].sweep, &mut self.adjoints);
        tape.differentiate(sweep, &numbers.constants, &self.values, adjoints, |leaf, derivative| {
            if let Leaf::Basic(i, c) = leaf {
                let term = plan.natural.bodies[natural].basics.iter().position(|basic| *basic == i as usize);
                forces[term.expect("rows of a body are of its basics")] +=
                    unit(usize::from(c)) * (-lambda * derivative);
            }
        });
    }

    /// Adds the loads on measured coordinates to the wrenches on bodies, and clears all loads on coordinates.
    fn apply_measured_loads(&mut self, plan: &Plan, numbers: &Numbers) {
        let observer = Observer { plan, numbers, motion: &self.motion, ground: &self.ground };
        for (coordinate, sweep) in &plan.reactions.measured {
            let load = std::mem::take(&mut self.direct[*coordinate]);
            if load == 0.0 {
                continue;
            }
            let (tape, constants, wrenches) = (&plan.reactions.tape, &numbers.constants, &mut self.wrenches);
            tape.differentiate(sweep, constants, &self.measured, &mut self.adjoints, |leaf, derivative| {
                if let Some((body, wrench)) = observer.twist_derivative(leaf) {
                    wrenches[body] += wrench * (load * derivative);
                }
            });
        }
        // Algebraic coordinates move no body.
        self.direct.fill(0.0);
    }

    /// Adds the reaction −λ ∂Φ of one row to the wrenches that bodies receive, and to those of its joint or equation.
    fn add_row_reaction(&mut self, r: usize, lambda: f64, plan: &Plan, numbers: &Numbers) {
        let reactions = &plan.reactions;
        if let Some(natural) = reactions.rigid_bodies[r] {
            self.add_rigid_row(r, natural, lambda, plan, numbers);
            return;
        }
        self.differentiate(&plan.tapes.residuals, &plan.rows.plans[r].sweep, plan, numbers, -lambda);
        self.apply_measured_loads(plan, numbers);
        let owner = reactions.owners[r];
        let joint = if let Some(Alternative::Joint(joint)) = owner { Some(joint) } else { None };
        for body in &reactions.touched[r] {
            let wrench = std::mem::replace(&mut self.wrenches[*body], Wrench::ZERO);
            // A particle has no equation of moments.
            let on_body = if plan.is_rigid[*body] { wrench } else { Wrench { torque: ZERO, ..wrench } };
            self.reactions.received[*body] += on_body;
            if let Some(joint) = joint {
                let reaction = &mut self.reactions.joints[joint.index()];
                let about = wrench.shifted(self.motion.bodies[*body].origin - reaction.point);
                match plan.marker_bodies[reactions.joints[joint.index()].second.index()] {
                    Some(on) if on == *body => reaction.wrench += about,
                    Some(_) => {}
                    // Ground receives the opposite of the sum over all bodies.
                    None => reaction.wrench -= about,
                }
            }
            for ((e, on), sum) in reactions.on_bodies.iter().zip(&mut self.reactions.on_bodies) {
                if Some(Alternative::Equation(*e)) == owner && on == body {
                    *sum += on_body;
                }
            }
        }
    }

    /// Adds the reactions of joints of the tree: the wrench that the motion of the child requires in addition to those received, and the
    /// opposite on the parent.
    fn add_tree_reactions(&mut self, plan: &Plan, numbers: &Numbers) {
        for joint in plan.reactions.tree_joints.iter().filter(|c| plan.reactions.joints[c.joint].has_rows) {
            let frame = &self.motion.bodies[joint.body];
            let inertia = Inertia::from_mass(&numbers.masses[joint.body], &FixedPose::IDENTITY).in_world(frame);
            let mut needed = inertial(&inertia, frame);
            needed -= self.reactions.received[joint.body];
            let reaction = &mut self.reactions.joints[joint.joint];
            let about = needed.shifted(frame.origin - reaction.point);
            reaction.wrench = if joint.reversed { -about } else { about };
            if let Some(parent) = joint.parent {
                self.reactions.received[parent] -= needed.shifted(frame.origin - self.motion.bodies[parent].origin);
            }
        }
    }
}
