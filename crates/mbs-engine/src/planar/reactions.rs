//! Loads of joints and equations: multipliers along the gradients of rows, and Newton–Euler backwards for joints of the tree.
//!
//! The equations are in mbs-model's `mechanics/reactions.rs`; here they are evaluated about the origins of bodies, and the
//! joints of the tree follow from the wrenches that the recursion passes on.

use mbs_expr::MarkerId;
use mbs_math::Vec2;
use mbs_model::{Alternative, Model, Row};
use mbs_physics::{Placement, Tree};

use crate::dynamics::Inputs;
use crate::planar::motion::StepKind;
use crate::planar::numbers::Numbers;
use crate::planar::observe::Observer;
use crate::planar::plan::Plan;
use crate::planar::plane::{Wrench, ZERO, across};
use crate::planar::recursion::Mass;
use crate::planar::rows::gradient;
use crate::planar::work::Work;
use crate::tape::{Names, Sweep, Tape};

/// Data of reactions, in addition to the plan.
#[derive(Clone, Debug, Default)]
pub(crate) struct ReactionPlan {
    joints: Vec<JointPlan>,
    /// Joint or equation of each row.
    owners: Vec<Option<Alternative>>,
    /// Rows that are no basic equations, in observables of bodies alone: root and sweep, by row.
    sweeps: Vec<Option<Sweep>>,
    tape: Tape,
    /// Equation and step of the reactions that expressions ask for.
    on_bodies: Vec<(usize, usize)>,
    /// Whether outputs observe reactions.
    pub observed: bool,
}

/// A joint.
#[derive(Clone, Copy, Debug)]
struct JointPlan {
    second: MarkerId,
    /// Whether it exerts a moment about that.
    has_moment: bool,
    /// The step that it places as a joint of the tree, and whether the child is its first end.
    step: Option<(usize, bool)>,
}

/// Load of a joint on the body of its second end: the force at a point, and the moment about it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Exerted {
    pub point: Vec2<f64>,
    pub wrench: Wrench,
}

impl Exerted {
    /// No load.
    pub const ZERO: Exerted = Exerted { point: ZERO, wrench: Wrench::ZERO };
}

impl ReactionPlan {
    /// Reactions of a model whose plan is made.
    pub fn new(names: &Names<'_>, plan: &Plan) -> Self {
        let (model, tree) = (names.model, names.tree);
        let measured = Names { measured: true, ..*names };
        let general = |r: &usize| plan.rows[*r].basic.is_none();
        let residuals: Vec<_> = (0..plan.rows.len()).filter(general).map(|r| tree.rows[r].residual).collect();
        let tape = Tape::new(&measured, &residuals);
        let mut next = 0..residuals.len();
        let sweeps = plan.rows.iter().map(|row| match row.basic {
            Some(_) => None,
            None => next.next().map(|k| tape.sweep(k, row.level)),
        });
        ReactionPlan {
            joints: joints(model, tree, &plan.step_of),
            owners: tree.rows.iter().map(Row::element).collect(),
            sweeps: sweeps.collect(),
            on_bodies: model.equation_reactions.iter().map(|(e, b)| (*e, plan.step_of[b.index()])).collect(),
            observed: plan.outputs.observes_reactions(),
            tape,
        }
    }

    /// The tape that has to be given room.
    pub fn tape(&self) -> &Tape {
        &self.tape
    }

    /// Reactions of joints, and of equations on bodies.
    pub fn counts(&self) -> (usize, usize) {
        (self.joints.len(), self.on_bodies.len())
    }
}

fn joints(model: &Model, tree: &Tree, step_of: &[usize]) -> Vec<JointPlan> {
    let mut joints: Vec<JointPlan> =
        model.joints.iter().map(|j| JointPlan { second: j.ends[1], has_moment: j.has_moment(), step: None }).collect();
    for (placement, step) in tree.placements.iter().zip(step_of) {
        if let Placement::Joint { joint, reversed, .. } = placement {
            joints[joint.index()].step = Some((*step, *reversed));
        }
    }
    joints
}

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
                for (end, slope) in basic.ends.iter().zip(gradient(basic.equation, &ends, numbers.rows[r])) {
                    pulls.extend(plan.marker_steps[end.index()].map(|step| (step, slope * -lambda)));
                }
            }
            (None, Some(sweep)) => {
                let observer = Observer { plan, numbers, motion: &self.motion, ground: &self.ground };
                let (tape, constants) = (&reactions.tape, &numbers.constants);
                tape.differentiate(sweep, constants, &self.values, &mut self.adjoints, |leaf, slope| {
                    pulls.extend(observer.twist_derivative(leaf).map(|(step, w)| (step, w * (-lambda * slope))));
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

/// Component c of reaction i: joints first, then equations on bodies.
pub(crate) fn observed(exerted: &[Exerted], on_bodies: &[Wrench], i: usize, c: usize) -> f64 {
    let wrench = match exerted.get(i) {
        Some(exerted) => exerted.wrench,
        None => on_bodies.get(i - exerted.len()).copied().unwrap_or(Wrench::ZERO),
    };
    [wrench.force[0], wrench.force[1], wrench.torque][c]
}
