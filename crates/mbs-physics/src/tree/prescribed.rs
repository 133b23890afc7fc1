//! Coordinates that are given as functions of time.

use std::cmp::Reverse;

use mbs_definition::Space;
use mbs_expr::{ExprId, JointId};
use mbs_model::{BodyKind, Model, Step};

use super::{Placement, Tree};

/// A coordinate of a joint of the tree that `prescribe` gives, so that it is no unknown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Prescribed {
    /// The joint.
    pub joint: JointId,
    /// Number of its coordinate.
    pub coordinate: u8,
    /// Value, as a function of time and parameters.
    pub value: ExprId,
    /// Index into [`Model::equations`].
    pub equation: usize,
    /// Index into [`Model::rows`] of its row, which is not among those of the tree.
    pub row: usize,
}

impl Prescribed {
    /// Whether it is this coordinate.
    pub fn is(&self, joint: JointId, coordinate: u8) -> bool {
        (self.joint, self.coordinate) == (joint, coordinate)
    }
}

impl Tree {
    /// Value of a coordinate, if it is prescribed.
    pub fn prescribed(&self, joint: JointId, coordinate: u8) -> Option<ExprId> {
        self.prescribed.iter().find(|p| p.is(joint, coordinate)).map(|p| p.value)
    }
}

/// All joints, those with prescribed coordinates first: in a tree these cost nothing.
pub fn joints(model: &Model) -> Vec<JointId> {
    let mut all: Vec<JointId> = (0..model.joints.len() as u32).map(JointId).collect();
    let has = |j: &JointId| model.prescriptions().any(|(_, p)| p.joint == *j);
    all.sort_by_key(|j| Reverse(has(j)));
    all
}

/// Prescribed coordinates of a tree's joints. All other prescribed coordinates are constrained by a row: those of bodies, of free joints and
/// attitudes, and of joints that close loops.
pub fn of_tree(model: &Model, placements: &[Placement]) -> Vec<Prescribed> {
    let mut found = Vec::new();
    let rows = model.rows();
    for (equation, p) in model.prescriptions() {
        let carries = |p: &Placement, j: JointId| matches!(p, Placement::Joint { joint, .. } if *joint == j);
        let Some(body) = placements.iter().position(|placement| carries(placement, p.joint)) else { continue };
        let turns = model.bodies[body].kind == BodyKind::Rigid;
        if eliminates(model, p.joint, usize::from(p.coordinate), turns) {
            let row = rows.iter().position(|row| row.equation() == Some(equation)).expect("an equation has a row");
            found.push(Prescribed { joint: p.joint, coordinate: p.coordinate, value: p.value, equation, row });
        }
    }
    found
}

/// Whether a coordinate of a joint is its own, with its rate as speed.
fn eliminates(model: &Model, joint: JointId, coordinate: usize, turns: bool) -> bool {
    let joint = model.joint(joint);
    let posed = |pose: u32| model.poses[pose as usize].rates.is_none();
    // Planar motions of several steps are not evaluated with some of them given.
    if model.space == Space::Planar && joint.steps().len() > 1 {
        return false;
    }
    let mut first = 0;
    for step in joint.steps() {
        if coordinate < first + step.coordinates() {
            return match *step {
                Step::Turn { .. } => turns || model.space == Space::Spatial,
                Step::Slide { .. } | Step::Screw { .. } => true,
                Step::Posed { pose, .. } => posed(pose),
                _ => false,
            };
        }
        first += step.coordinates();
    }
    false
}
