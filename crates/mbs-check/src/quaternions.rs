//! `initial` conditions that hold all four components of a unit quaternion.
//!
//! An attitude has three freedoms: one component follows from the others by |q| = 1, and its derivative vanishes where it is ±1, so that Newton's method
//! converges slowly there, or calls it independent of the others. The method takes the three smaller components; the largest is judged alone.

use mbs_expr::{JointId, Op};
use mbs_model::{Attitude, Model, RowLevel, Step};
use mbs_physics::Tree;

use super::{Sample, at};

/// A quaternion whose components are all held, by index of their conditions as they come in samples.
#[derive(Clone, Debug)]
pub struct HeldQuaternion {
    /// Conditions of the components, scalar first.
    conditions: [usize; 4],
    /// The condition that follows from the others.
    pub implied: usize,
    /// |q| of the values.
    pub length: f64,
}

impl HeldQuaternion {
    /// Whether one of the conditions is among the others.
    pub fn has(&self, condition: usize) -> bool {
        self.conditions.contains(&condition)
    }

    /// Whether all conditions are among the first ones.
    pub fn is_within(&self, count: usize) -> bool {
        self.conditions.iter().all(|k| *k < count)
    }

    /// Residual of the condition that follows from the others.
    pub fn miss(&self, sample: &Sample) -> f64 {
        sample.conditions.get(self.implied).map_or(0.0, |(residual, _)| residual.abs())
    }
}

/// Quaternions that conditions hold whole, at a pose.
pub fn held(model: &Model, tree: &Tree, pose: &[f64]) -> Vec<HeldQuaternion> {
    let of = |exact: bool| model.conditions.iter().filter(move |c| c.exact == exact && c.level == RowLevel::Position);
    let conditions: Vec<_> = of(true).chain(of(false)).collect();
    let position = |joint: JointId, k: u8| {
        conditions
            .iter()
            .position(|c| matches!(model.exprs.op(c.target), Op::JointCoordinate(j, i) if (j, i) == (joint, k)))
    };
    let mut found = Vec::new();
    for joint in (0..model.joints.len() as u32).map(JointId) {
        for first in quaternions(model, joint) {
            let all = [0, 1, 2, 3].map(|k| position(joint, first + k));
            let [Some(w), Some(x), Some(y), Some(z)] = all else { continue };
            let mechanics = at(model, tree, pose);
            let sizes = [w, x, y, z].map(|k| (mechanics.value(conditions[k].value).value().abs(), k));
            let (_, implied) = sizes.into_iter().max_by(|a, b| a.0.total_cmp(&b.0)).expect("there are four");
            let length = sizes.iter().map(|(size, _)| size * size).sum::<f64>().sqrt();
            found.push(HeldQuaternion { conditions: [w, x, y, z], implied, length });
        }
    }
    found
}

/// First coordinates of the unit quaternions of a joint.
fn quaternions(model: &Model, joint: JointId) -> Vec<u8> {
    let mut first = 0;
    let mut found = Vec::new();
    for step in model.joint(joint).steps() {
        match *step {
            Step::Ball { attitude: Attitude::Quaternion }
            | Step::Line { attitude: Attitude::Quaternion }
            | Step::Ellipsoid { attitude: Attitude::Quaternion, .. } => found.push(first),
            Step::Free { attitude: Attitude::Quaternion, .. } => found.push(first + 3),
            Step::Posed { pose, .. } => {
                found.extend(model.poses[pose as usize].quaternions.iter().map(|k| first + k));
            }
            _ => {}
        }
        first += step.coordinates() as u8;
    }
    found
}
