//! Loads of joints and equations: multipliers along the gradients of rows, and Newton–Euler backwards for joints of the tree.
//!
//! The equations are in `reactions.rs` of mbs-physics; here they are evaluated about the origins of bodies, and the
//! joints of the tree follow from the wrenches that the recursion passes on.

use mbs_model::Alternative;

use crate::inputs::Inputs;
use crate::planar::exerted::Exerted;
use crate::planar::link::StepKind;
use crate::planar::numbers::Numbers;
use crate::planar::observe::Observer;
use crate::planar::plan::Plan;
use crate::planar::plane::{Wrench, across};
use crate::planar::recursion::Mass;
use crate::planar::rows::gradient;
use crate::planar::work::Work;

impl Work {
    /// Reactions into `exerted` (joints) and `on_bodies` (equations), at the present motion, accelerations included, and the
    /// multipliers of `at`.
    pub fn reactions(&mut self, (plan, numbers, masses): (&Plan, &Numbers, &[Mass]), at: &Inputs<'_>) {
        let reactions = &plan.reactions;
        self.apply_loads(plan, numbers, at);
        self.exerted.fill(Exerted::ZERO);
        self.on_bodies.fill(Wrench::ZERO);
        if reactions.tape.len() > 0 {
            self.evaluate(3, &reactions.tape, plan, numbers, at);
        }
        for r in 0..plan.rows.len() {
            self.exert(r, at.lambda.get(r).copied().unwrap_or(0.0), plan, numbers);
        }
        let moved = &mut self.right[..plan.moved];
        self.newton_euler.required((&plan.steps, masses), &self.motion, &self.wrenches, moved);
        let observer = Observer { plan, numbers, motion: &self.motion, ground: &self.ground };
        for (joint, exerted) in reactions.joints.iter().zip(&mut self.exerted) {
            exerted.point = observer.point(joint.second).point;
            if !joint.has_moment {
                exerted.wrench.torque = 0.0;
            }
            if let Some((step, reversed)) = joint.step {
                let wrench = self.newton_euler.passed(step);
                let about = wrench.shifted(self.motion.bodies[step].origin - exerted.point);
                let held = match plan.steps[step].kind {
                    StepKind::Joint { slides, turns } => {
                        let first = plan.steps[step].first;
                        let torque = if turns { 0.0 } else { about.torque };
                        let columns = &self.motion.columns[first..first + slides];
                        columns.iter().fold(Wrench { torque, ..about }, |held, column| {
                            let normal = across(column.velocity);
                            Wrench { force: normal * normal.dot(held.force), ..held }
                        })
                    }
                    StepKind::World | StepKind::Posed(_) => about,
                };
                exerted.wrench = if reversed { -held } else { held };
            }
        }
    }

    /// Adds the loads of one row to the wrenches on bodies, and to those of its joint or equation.
    fn exert(&mut self, r: usize, lambda: f64, plan: &Plan, numbers: &Numbers) {
        let (row, reactions) = (&plan.rows[r], &plan.reactions);
        let mut pulls = std::mem::take(&mut self.pulls);
        pulls.clear();
        match (&row.basic, &reactions.sweeps[r]) {
            (Some(basic), _) => {
                let observer = Observer { plan, numbers, motion: &self.motion, ground: &self.ground };
                let ends = basic.ends.map(|m| observer.end(m));
                for (end, derivative) in basic.ends.iter().zip(gradient(basic.equation, &ends, numbers.rows[r])) {
                    pulls.extend(plan.marker_steps[end.index()].map(|step| (step, derivative * -lambda)));
                }
            }
            (None, Some(sweep)) => {
                let observer = Observer { plan, numbers, motion: &self.motion, ground: &self.ground };
                let (tape, constants) = (&reactions.tape, &numbers.constants);
                tape.differentiate(sweep, constants, &self.values, &mut self.adjoints, |leaf, derivative| {
                    pulls.extend(observer.twist_derivative(leaf).map(|(step, w)| (step, w * (-lambda * derivative))));
                });
            }
            (None, None) => {}
        }
        let owner = reactions.owners[r];
        let joint = if let Some(Alternative::Joint(joint)) = owner { Some(joint) } else { None };
        let observer = Observer { plan, numbers, motion: &self.motion, ground: &self.ground };
        for (step, wrench) in &pulls {
            // A particle has no equation of moments.
            let held = if plan.steps[*step].turns { *wrench } else { Wrench { torque: 0.0, ..*wrench } };
            self.wrenches[*step] += held;
            if let Some(joint) = joint {
                let second = reactions.joints[joint.index()].second;
                let about = wrench.shifted(self.motion.bodies[*step].origin - observer.point(second).point);
                match plan.marker_steps[second.index()] {
                    Some(on) if on == *step => self.exerted[joint.index()].wrench += about,
                    Some(_) => {}
                    // Ground receives the opposite of the sum over all bodies.
                    None => self.exerted[joint.index()].wrench -= about,
                }
            }
            for (k, (e, on)) in reactions.on_bodies.iter().enumerate() {
                if Some(Alternative::Equation(*e)) == owner && on == step {
                    self.on_bodies[k] += held;
                }
            }
        }
        self.pulls = pulls;
    }
}
