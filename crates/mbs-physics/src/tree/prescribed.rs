//! Coordinates that are prescribed as functions of time.

use std::cmp::Reverse;

use mbs_definition::Space;
use mbs_expr::{ExprId, JointId};
use mbs_model::{BodyKind, Model, Step};

use super::{Placement, Tree};

/// A prescribed coordinate of a joint of the tree, which is no unknown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Prescribed {
    /// The joint.
    pub joint: JointId,
    /// Index of its coordinate.
    pub coordinate: u8,
    /// Value, as a function of time and parameters.
    pub value: ExprId,
    /// Index into [`Model::equations`].
    pub equation: usize,
    /// Index into [`Model::rows`] of its row, which the tree does not have.
    pub row: usize,
}

impl Prescribed {
    /// Whether it is coordinate `coordinate` of a joint.
    pub fn is_coordinate(&self, joint: JointId, coordinate: u8) -> bool {
        (self.joint, self.coordinate) == (joint, coordinate)
    }
}

impl Tree {
    /// Value of a joint coordinate that is prescribed in the tree; `None` for others.
    pub fn prescribed(&self, joint: JointId, coordinate: u8) -> Option<ExprId> {
        self.prescribed.iter().find(|p| p.is_coordinate(joint, coordinate)).map(|p| p.value)
    }
}

/// All joints, those with prescribed coordinates first: in a tree these have neither coordinates nor rows.
pub fn joints_prescribed_first(model: &Model) -> Vec<JointId> {
    let mut all: Vec<JointId> = (0..model.joints.len() as u32).map(JointId).collect();
    let is_prescribed = |j: &JointId| model.prescriptions().any(|(_, p)| p.joint == *j);
    all.sort_by_key(|j| Reverse(is_prescribed(j)));
    all
}

/// Prescribed coordinates of a tree's joints, which are no unknowns. Other prescribed coordinates have a row: those of bodies, of free joints and
/// attitudes, and of joints that close loops.
pub fn prescribed_in_tree(model: &Model, placements: &[Placement]) -> Vec<Prescribed> {
    let mut found = Vec::new();
    let rows = model.rows();
    for (equation, p) in model.prescriptions() {
        let is_on_joint = |p: &Placement, j: JointId| matches!(p, Placement::Joint { joint, .. } if *joint == j);
        let Some(body) = placements.iter().position(|placement| is_on_joint(placement, p.joint)) else { continue };
        let is_rigid = model.bodies[body].kind == BodyKind::Rigid;
        if can_eliminate(model, p.joint, usize::from(p.coordinate), is_rigid) {
            let row = rows.iter().position(|row| row.equation() == Some(equation)).expect("an equation has a row");
            found.push(Prescribed { joint: p.joint, coordinate: p.coordinate, value: p.value, equation, row });
        }
    }
    found
}

/// Whether prescribing a coordinate of a joint of the tree can eliminate it: its rate is one of the joint's speeds.
fn can_eliminate(model: &Model, joint: JointId, coordinate: usize, is_rigid: bool) -> bool {
    let joint = model.joint(joint);
    let speeds_are_rates = |pose: u32| model.coordinates.poses[pose as usize].rates.is_none();
    // Planar joints with several steps are not evaluated with some of these prescribed.
    if model.space == Space::Planar && joint.steps().len() > 1 {
        return false;
    }
    let mut first = 0;
    for step in joint.steps() {
        if coordinate < first + step.coordinates() {
            return match *step {
                Step::Revolute { .. } => is_rigid || model.space == Space::Spatial,
                Step::Prismatic { .. } | Step::Screw { .. } => true,
                Step::Posed { pose, .. } => speeds_are_rates(pose),
                _ => false,
            };
        }
        first += step.coordinates();
    }
    false
}
