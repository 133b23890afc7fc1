//! Loads of joints and equations in space: multipliers along the gradients of rows, and Newton–Euler from body to body for joints of
//! the tree.
//!
//! The equations are in mbs-model's `mechanics/reactions.rs`; here they are evaluated about the origins of bodies. Loads and rows
//! along a coordinate of a joint act on bodies through the expression that measures it.

use std::collections::BTreeSet;

use mbs_expr::{ExprId, MarkerId};
use mbs_math::Vec3;
use mbs_model::{Alternative, Row};
use mbs_physics::{InterfaceCoordinate, Placement};

use super::numbers::Numbers;
use super::observe::Observer;
use super::plan::Plan;
use super::recursion::{Inertia, inertial};
use super::vector::{Fixed, Wrench, ZERO};
use super::work::Work;
use crate::dynamics::Inputs;
use crate::tape::{Leaf, Names, Sweep, Tape};

/// Data of reactions, in addition to the plan.
#[derive(Clone, Debug, Default)]
pub(crate) struct ReactionPlan {
    joints: Vec<JointPlan>,
    /// Joint or equation of each row.
    owners: Vec<Option<Alternative>>,
    /// Expressions that measure coordinates of joints.
    tape: Tape,
    /// Coordinates that loads or rows observe, with the sweeps of the expressions that measure them.
    measured: Vec<(usize, Sweep)>,
    /// Bodies that each row acts on, through measured coordinates, too.
    touched: Vec<Vec<usize>>,
    /// Bodies that joints of the tree place, children first.
    carried: Vec<Carried>,
    /// Equation and body of the reactions that expressions ask for.
    on_bodies: Vec<(usize, usize)>,
    /// Whether outputs observe reactions.
    pub observed: bool,
}

/// A joint.
#[derive(Clone, Copy, Debug)]
struct JointPlan {
    second: MarkerId,
    /// Whether it has rows where it closes a loop: a free joint exerts nothing, at any accelerations.
    holds: bool,
    /// Whether it exerts a moment about that.
    has_moment: bool,
}

/// A body that a joint of the tree places.
#[derive(Clone, Copy, Debug)]
struct Carried {
    body: usize,
    joint: usize,
    parent: Option<usize>,
    reversed: bool,
}

/// Load of a joint on the body of its second end: the force at a point, and the moment about it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Exerted {
    pub point: Vec3<f64>,
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
        let observed = [&plan.loads, &plan.residuals].into_iter().flat_map(Tape::leaves);
        let mut coordinates: Vec<usize> = observed
            .filter_map(|leaf| match leaf {
                Leaf::Coordinate(i) => Some(i),
                _ => None,
            })
            .collect();
        coordinates.sort_unstable();
        coordinates.dedup();
        let measuring = |i: &usize| match tree.interface[*i] {
            InterfaceCoordinate::Joint(j, k) => Some((*i, model.joint(j).coordinates[usize::from(k)].1)),
            _ => None,
        };
        let measured: Vec<(usize, ExprId)> = coordinates.iter().filter_map(measuring).collect();
        let tape = Tape::new(&Names { measured: true, ..*names }, &measured.iter().map(|m| m.1).collect::<Vec<_>>());
        let carried = tree.order.iter().rev().filter_map(|b| match tree.placements[b.index()] {
            Placement::Joint { joint, parent, reversed } => {
                let parent = parent.map(mbs_expr::BodyId::index);
                Some(Carried { body: b.index(), joint: joint.index(), parent, reversed })
            }
            Placement::Free { .. } | Placement::Natural => None,
        });
        let measured: Vec<(usize, Sweep)> = measured.iter().enumerate().map(|(k, m)| (m.0, tape.sweep(k, 0))).collect();
        let touched = plan.rows.iter().map(|row| {
            let through = measured.iter().filter(|m| row.coordinates.contains(&m.0));
            let leaves = through.flat_map(|m| tape.reached(&m.1)).filter_map(Leaf::marker);
            let bodies = leaves.filter_map(|m| plan.marker_bodies[m.index()]).chain(row.bodies.iter().copied());
            bodies.collect::<BTreeSet<usize>>().into_iter().collect()
        });
        ReactionPlan {
            touched: touched.collect(),
            joints: model
                .joints
                .iter()
                .map(|j| JointPlan { second: j.ends[1], holds: !j.rows.is_empty(), has_moment: j.has_moment() })
                .collect(),
            owners: tree.rows.iter().map(Row::element).collect(),
            measured,
            carried: carried.collect(),
            on_bodies: model.equation_reactions.iter().map(|(e, b)| (*e, b.index())).collect(),
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
            tape.differentiate(sweep, constants, &self.measured, &mut self.adjoints, |leaf, slope| {
                if let Some((body, wrench)) = observer.twist_derivative(leaf) {
                    wrenches[body] += wrench * (along * slope);
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

/// Component c of reaction i: joints first, then equations on bodies.
pub(crate) fn observed(exerted: &[Exerted], on_bodies: &[Wrench], i: usize, c: usize) -> f64 {
    let wrench = match exerted.get(i) {
        Some(exerted) => exerted.wrench,
        None => on_bodies.get(i - exerted.len()).copied().unwrap_or(Wrench::ZERO),
    };
    if c < 3 { wrench.force[c] } else { wrench.torque[c - 3] }
}
