//! Plan of the reactions: the joint or equation of each row, and the bodies that it acts on.

use mbs_expr::MarkerId;
use mbs_model::{Alternative, Model, Row};
use mbs_physics::{Placement, Tree};

use super::Plan;
use crate::plan::SharedBasic;
use crate::planar::mover::Mover;
use crate::tape::{Names, Sweep, Tape};

/// Data of reactions, in addition to the plan.
#[derive(Clone, Debug, Default)]
pub(crate) struct ReactionPlan {
    pub joints: Vec<JointPlan>,
    /// Joint or equation of each row.
    pub owners: Vec<Option<Alternative>>,
    /// Sweep of each row that is not a basic equation, with joint coordinates replaced by the expressions that measure them on bodies.
    pub sweeps: Vec<Option<Sweep>>,
    pub tape: Tape,
    /// Equation and body of the reactions that expressions refer to.
    pub on_bodies: Vec<(usize, Mover)>,
    /// Basic points and vectors that joints share, with their joints.
    pub shared: Vec<SharedBasic>,
    /// The body in natural coordinates that each row keeps rigid, if it is such a row.
    pub rigid_bodies: Vec<Option<usize>>,
    /// Whether outputs observe reactions.
    pub observed: bool,
}

/// A joint.
#[derive(Clone, Copy, Debug)]
pub(crate) struct JointPlan {
    pub second: MarkerId,
    /// Whether the joint exerts a moment about the origin of that marker.
    pub has_moment: bool,
    /// The step whose inboard joint it is, if it is a joint of the tree, and whether the child is its first end.
    pub step: Option<(usize, bool)>,
}

impl ReactionPlan {
    /// Reactions of a model whose plan is made.
    pub fn new(names: &Names<'_>, plan: &Plan) -> Self {
        let (model, tree) = (names.model, names.tree);
        let measured = Names { measured: true, ..*names };
        let rigid_body = |row: &Row| plan.natural.iter().position(|n| Some(n.body) == row.body());
        let general = |r: &usize| plan.rows.plans[*r].basic.is_none();
        let residuals: Vec<_> = (0..plan.rows.plans.len()).filter(general).map(|r| tree.rows[r].residual).collect();
        let tape = Tape::new(&measured, &residuals);
        let mut next = 0..residuals.len();
        let sweeps = plan.rows.plans.iter().map(|row| match row.basic {
            Some(_) => None,
            None => next.next().map(|k| tape.sweep(k, row.level)),
        });
        ReactionPlan {
            joints: joints(model, tree, &plan.movers),
            owners: tree.rows.iter().map(Row::element).collect(),
            sweeps: sweeps.collect(),
            on_bodies: model.quantities.equation_reactions.iter().map(|(e, b)| (*e, plan.movers[b.index()])).collect(),
            shared: SharedBasic::all(model, |body, basic| {
                let natural = plan.natural.iter().position(|n| n.body == body)?;
                Some((natural, plan.natural[natural].basics.iter().position(|i| *i == basic)?))
            }),
            rigid_bodies: tree.rows.iter().map(rigid_body).collect(),
            observed: plan.tapes.outputs.observes_reactions(),
            tape,
        }
    }

    /// Number of reactions of joints, and of equations on bodies.
    pub fn counts(&self) -> (usize, usize) {
        (self.joints.len(), self.on_bodies.len())
    }
}

fn joints(model: &Model, tree: &Tree, movers: &[Mover]) -> Vec<JointPlan> {
    let mut joints: Vec<JointPlan> =
        model.joints.iter().map(|j| JointPlan { second: j.ends[1], has_moment: j.has_moment(), step: None }).collect();
    for (placement, mover) in tree.placements.iter().zip(movers) {
        if let (Placement::Joint { joint, reversed, .. }, Mover::Step(step)) = (placement, mover) {
            joints[joint.index()].step = Some((*step, *reversed));
        }
    }
    joints
}
