//! Reactions of joints and equations: −λ times the gradients of rows, and Newton–Euler towards the root for joints of the tree.
//!
//! The equations are in `reactions.rs` of mbs-physics; here they are evaluated about the origins of bodies, and the
//! joints of the tree follow from the wrenches that the recursion transmits.

use mbs_model::Alternative;

use crate::inputs::Inputs;
use crate::planar::joint_reactions::JointReaction;
use crate::planar::link::StepKind;
use crate::planar::numbers::Numbers;
use crate::planar::observe::Observer;
use crate::planar::plan::Plan;
use crate::planar::plane::{Wrench, perpendicular};
use crate::planar::recursion::Mass;
use crate::planar::rows::gradient;
use crate::planar::work::Work;

impl Work {
    /// Writes reactions into `joint_reactions` and `on_bodies` (equations), at the present motion, accelerations included, and the
    /// multipliers of `at`.
    pub fn reactions(&mut self, plan: &Plan, numbers: &Numbers, masses: &[Mass], at: &Inputs<'_>) {
        let reactions = &plan.reactions;
        self.apply_loads(plan, numbers, at);
        self.joint_reactions.fill(JointReaction::ZERO);
        self.on_bodies.fill(Wrench::ZERO);
        if reactions.tape.len() > 0 {
            self.evaluate(3, &reactions.tape, plan, numbers, at);
        }
        for r in 0..plan.rows.plans.len() {
            self.add_row_reaction(r, at.lambda.get(r).copied().unwrap_or(0.0), plan, numbers);
        }
        let moved = &mut self.right[..plan.moved];
        self.newton_euler.required(&plan.steps, masses, &self.motion, &self.wrenches, moved);
        let observer = Observer { plan, numbers, motion: &self.motion, ground: &self.ground };
        for (joint, reaction) in reactions.joints.iter().zip(&mut self.joint_reactions) {
            reaction.point = observer.point(joint.second).point;
            if !joint.has_moment {
                reaction.wrench.torque = 0.0;
            }
            if let Some((step, reversed)) = joint.step {
                let wrench = self.newton_euler.transmitted(step);
                let about = wrench.shifted(self.motion.bodies[step].origin - reaction.point);
                let transmitted = match plan.steps[step].kind {
                    StepKind::Joint { translations, rotates } => {
                        let first = plan.steps[step].first;
                        let torque = if rotates { 0.0 } else { about.torque };
                        let columns = &self.motion.columns[first..first + translations];
                        columns.iter().fold(Wrench { torque, ..about }, |wrench, column| {
                            let normal = perpendicular(column.velocity);
                            Wrench { force: normal * normal.dot(wrench.force), ..wrench }
                        })
                    }
                    StepKind::World | StepKind::Posed(_) => about,
                };
                reaction.wrench = if reversed { -transmitted } else { transmitted };
            }
        }
    }

    /// Adds the reaction −λ ∂Φ of one row to the wrenches on bodies, and to those of its joint or equation.
    fn add_row_reaction(&mut self, r: usize, lambda: f64, plan: &Plan, numbers: &Numbers) {
        let (row, reactions) = (&plan.rows.plans[r], &plan.reactions);
        let mut row_loads = std::mem::take(&mut self.row_loads);
        row_loads.clear();
        match (&row.basic, &reactions.sweeps[r]) {
            (Some(basic), _) => {
                let observer = Observer { plan, numbers, motion: &self.motion, ground: &self.ground };
                let ends = basic.ends.map(|m| observer.end(m));
                for (end, derivative) in basic.ends.iter().zip(gradient(basic.equation, &ends, numbers.rows[r])) {
                    row_loads.extend(plan.marker_steps[end.index()].map(|step| (step, derivative * -lambda)));
                }
            }
            (None, Some(sweep)) => {
                let observer = Observer { plan, numbers, motion: &self.motion, ground: &self.ground };
                let (tape, constants) = (&reactions.tape, &numbers.constants);
                tape.differentiate(sweep, constants, &self.values, &mut self.adjoints, |leaf, derivative| {
                    row_loads
                        .extend(observer.twist_derivative(leaf).map(|(step, w)| (step, w * (-lambda * derivative))));
                });
            }
            (None, None) => {}
        }
        let owner = reactions.owners[r];
        let joint = if let Some(Alternative::Joint(joint)) = owner { Some(joint) } else { None };
        let observer = Observer { plan, numbers, motion: &self.motion, ground: &self.ground };
        for (step, wrench) in &row_loads {
            // A particle has no equation of moments.
            let on_body = if plan.steps[*step].is_rigid { *wrench } else { Wrench { torque: 0.0, ..*wrench } };
            self.wrenches[*step] += on_body;
            if let Some(joint) = joint {
                let second = reactions.joints[joint.index()].second;
                let about = wrench.shifted(self.motion.bodies[*step].origin - observer.point(second).point);
                match plan.marker_steps[second.index()] {
                    Some(on) if on == *step => self.joint_reactions[joint.index()].wrench += about,
                    Some(_) => {}
                    // Ground receives the opposite of the sum over all bodies.
                    None => self.joint_reactions[joint.index()].wrench -= about,
                }
            }
            for (k, (e, on)) in reactions.on_bodies.iter().enumerate() {
                if Some(Alternative::Equation(*e)) == owner && on == step {
                    self.on_bodies[k] += on_body;
                }
            }
        }
        self.row_loads = row_loads;
    }
}
