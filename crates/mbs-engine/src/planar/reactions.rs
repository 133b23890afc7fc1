//! Reactions of joints and equations: −λ times the gradients of rows, and Newton–Euler towards the root for joints of the tree.
//!
//! The equations are in `reactions.rs` of mbs-physics; here they are evaluated about the origins of bodies, and the
//! joints of the tree follow from the wrenches that the recursion transmits.

use mbs_math::Vector;
use mbs_model::Alternative;

use crate::inputs::Inputs;
use crate::natural::NaturalWork;
use crate::planar::joint_reactions::JointReaction;
use crate::planar::link::StepKind;
use crate::planar::mover::Mover;
use crate::planar::numbers::Numbers;
use crate::planar::observe::Observer;
use crate::planar::plan::Plan;
use crate::planar::plane::{Wrench, ZERO, perpendicular, unit};
use crate::planar::recursion::Mass;
use crate::planar::rows::gradient;
use crate::planar::work::Work;
use crate::tape::Leaf;

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
        self.natural.row_forces.iter_mut().for_each(|forces| forces.fill(ZERO));
        for r in 0..plan.rows.plans.len() {
            self.add_row_reaction(r, at.lambda.get(r).copied().unwrap_or(0.0), plan, numbers);
        }
        self.newton_euler.required(&plan.steps, masses, &self.motion, &self.wrenches, &mut self.right);
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
        for shared in &reactions.shared {
            let natural = &numbers.natural;
            let force = self.natural.force_on_shared_basic(
                shared,
                |k| natural[k].moments.inertial_forces(&self.motion.natural[k].acceleration),
                |k, basic, forces| natural[k].force_on_term(basic, forces),
            );
            let [x, y] = [0, 1].map(|c| observer.leaf(Leaf::Basic(shared.basic as u32, c), at, &[])[0]);
            self.joint_reactions[shared.joint].wrench += match shared.is_point {
                true => Wrench { force, torque: 0.0 },
                false => Wrench::torque(Vector([x, y]).cross(force)),
            };
        }
    }

    /// Adds the reaction −λ ∂Φ of one row to the loads on bodies, and to those of its joint or equation.
    fn add_row_reaction(&mut self, r: usize, lambda: f64, plan: &Plan, numbers: &Numbers) {
        let (row, reactions) = (&plan.rows.plans[r], &plan.reactions);
        let mut row_loads = std::mem::take(&mut self.row_loads);
        row_loads.clear();
        match (&row.basic, &reactions.sweeps[r]) {
            (Some(basic), _) => {
                let observer = Observer { plan, numbers, motion: &self.motion, ground: &self.ground };
                let ends = basic.ends.map(|m| observer.end(m));
                for (end, derivative) in basic.ends.iter().zip(gradient(basic.equation, &ends, numbers.rows[r])) {
                    let mover = plan.marker_movers[end.index()];
                    row_loads.extend(mover.map(|mover| (mover, derivative * -lambda)));
                }
            }
            (None, Some(sweep)) => {
                let observer = Observer { plan, numbers, motion: &self.motion, ground: &self.ground };
                let (tape, constants) = (&reactions.tape, &numbers.constants);
                let NaturalWork { forces, row_forces, .. } = &mut self.natural;
                tape.differentiate(sweep, constants, &self.values, &mut self.adjoints, |leaf, derivative| {
                    let load = -lambda * derivative;
                    if let (Leaf::Basic(i, c), Some(k)) = (leaf, reactions.rigid_bodies[r]) {
                        let term = plan.natural[k].basics.iter().position(|basic| *basic == i as usize);
                        row_forces[k][term.expect("rows of a body are of its basics")] += unit(usize::from(c)) * load;
                    }
                    let Some((mover, wrench)) = observer.twist_derivative(leaf) else { return };
                    // A load along a continuous angle acts on that unknown.
                    if let (Mover::Natural(k), None) = (mover, plan.direct_coordinate(leaf)) {
                        forces[k] += observer.natural_load(leaf, k) * load;
                    }
                    row_loads.push((mover, wrench * load));
                });
            }
            (None, None) => {}
        }
        let owner = reactions.owners[r];
        let joint = if let Some(Alternative::Joint(joint)) = owner { Some(joint) } else { None };
        let observer = Observer { plan, numbers, motion: &self.motion, ground: &self.ground };
        for (mover, wrench) in &row_loads {
            // A particle has no equation of moments.
            let on_body = if plan.is_rigid(*mover) { *wrench } else { Wrench { torque: 0.0, ..*wrench } };
            if let Mover::Step(step) = mover {
                self.wrenches[*step] += on_body;
            }
            if let Some(joint) = joint {
                let second = reactions.joints[joint.index()].second;
                let about = wrench.shifted(self.motion.origin(*mover) - observer.point(second).point);
                match plan.marker_movers[second.index()] {
                    Some(on) if on == *mover => self.joint_reactions[joint.index()].wrench += about,
                    Some(_) => {}
                    // Ground receives the opposite of the sum over all bodies.
                    None => self.joint_reactions[joint.index()].wrench -= about,
                }
            }
            for (k, (e, on)) in reactions.on_bodies.iter().enumerate() {
                if Some(Alternative::Equation(*e)) == owner && on == mover {
                    self.on_bodies[k] += on_body;
                }
            }
        }
        self.row_loads = row_loads;
    }
}
