//! Plan of the reactions: the joint or equation of each row, the bodies that it acts on, and the joints of the tree.

use std::collections::BTreeSet;

use mbs_expr::{ExprId, MarkerId};
use mbs_model::{Alternative, Row};
use mbs_physics::{InterfaceCoordinate, Placement};

use super::Plan;
use crate::plan::SharedBasic;
use crate::tape::{Leaf, Names, Sweep, Tape};

/// Data of reactions, in addition to the plan.
#[derive(Clone, Debug, Default)]
pub(crate) struct ReactionPlan {
    pub joints: Vec<JointPlan>,
    /// Joint or equation of each row.
    pub owners: Vec<Option<Alternative>>,
    /// Expressions that measure coordinates of joints.
    pub tape: Tape,
    /// Coordinates that loads or rows observe, with the sweeps of the expressions that measure them.
    pub measured: Vec<(usize, Sweep)>,
    /// Bodies that each row acts on, directly or through measured coordinates.
    pub touched: Vec<Vec<usize>>,
    /// Joints of the tree with their children and parents, children first.
    pub tree_joints: Vec<TreeJoint>,
    /// Equation and body of the reactions that expressions refer to.
    pub on_bodies: Vec<(usize, usize)>,
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
    /// Whether its kind has constraint rows: the reaction of a free joint is zero at any accelerations.
    pub has_rows: bool,
    /// Whether the joint exerts a moment about the origin of that marker.
    pub has_moment: bool,
}

/// A joint of the tree with its child `body`; `reversed` states that the child is the first end.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TreeJoint {
    pub body: usize,
    pub joint: usize,
    pub parent: Option<usize>,
    pub reversed: bool,
}

impl ReactionPlan {
    /// Reactions of a model whose plan is made.
    pub fn new(names: &Names<'_>, plan: &Plan) -> Self {
        let (model, tree) = (names.model, names.tree);
        let observed = [&plan.loads.values, &plan.tapes.residuals].into_iter().flat_map(Tape::leaves);
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
        let tree_joints = tree.order.iter().rev().filter_map(|b| match tree.placements[b.index()] {
            Placement::Joint { joint, parent, reversed } => {
                let parent = parent.map(mbs_expr::BodyId::index);
                Some(TreeJoint { body: b.index(), joint: joint.index(), parent, reversed })
            }
            Placement::Free { .. } | Placement::Natural => None,
        });
        let measured: Vec<(usize, Sweep)> = measured.iter().enumerate().map(|(k, m)| (m.0, tape.sweep(k, 0))).collect();
        let touched = plan.rows.plans.iter().map(|row| {
            let through = measured.iter().filter(|m| row.coordinates.contains(&m.0));
            let leaves = through.flat_map(|m| tape.swept_leaves(&m.1)).filter_map(Leaf::marker);
            let bodies = leaves.filter_map(|m| plan.marker_bodies[m.index()]).chain(row.bodies.iter().copied());
            bodies.collect::<BTreeSet<usize>>().into_iter().collect()
        });
        ReactionPlan {
            touched: touched.collect(),
            joints: model
                .joints
                .iter()
                .map(|j| JointPlan { second: j.ends[1], has_rows: !j.rows.is_empty(), has_moment: j.has_moment() })
                .collect(),
            owners: tree.rows.iter().map(Row::element).collect(),
            measured,
            tree_joints: tree_joints.collect(),
            on_bodies: model.quantities.equation_reactions.iter().map(|(e, b)| (*e, b.index())).collect(),
            shared: SharedBasic::all(model, |body, basic| {
                let natural = plan.natural.index_of[body.index()]?;
                Some((natural, plan.natural.bodies[natural].basics.iter().position(|i| *i == basic)?))
            }),
            rigid_bodies: tree.rows.iter().map(|row| plan.natural.index_of[row.body()?.index()]).collect(),
            observed: plan.tapes.outputs.observes_reactions(),
            tape,
        }
    }

    /// Number of reactions of joints, and of equations on bodies.
    pub fn counts(&self) -> (usize, usize) {
        (self.joints.len(), self.on_bodies.len())
    }
}
