//! `initial` conditions on all four components of a unit quaternion.
//!
//! An attitude has three degrees of freedom: by |q| = 1 one component follows from the others. The derivative of that component vanishes where it is
//! ±1, so that Newton's method converges slowly there, or takes its condition for independent of the others. The method therefore uses the
//! conditions of the three smaller components; the condition of the largest is checked separately.

use mbs_expr::{JointId, Op};
use mbs_model::{Attitude, Model, RowLevel, Step};
use mbs_physics::Tree;

use super::{Sample, mechanics_at};

/// A quaternion with conditions on all components. Conditions are indices into [`Sample::conditions`].
#[derive(Clone, Debug)]
pub struct ConstrainedQuaternion {
    /// Conditions of the components, scalar first.
    conditions: [usize; 4],
    /// The condition that follows from the others.
    pub implied: usize,
    /// |q| of the values that the conditions require.
    pub length: f64,
}

impl ConstrainedQuaternion {
    /// Whether a condition is one of the four.
    pub fn includes(&self, condition: usize) -> bool {
        self.conditions.contains(&condition)
    }

    /// Whether all four conditions are among the first `count` conditions.
    pub fn is_within(&self, count: usize) -> bool {
        self.conditions.iter().all(|k| *k < count)
    }

    /// |residual| of the condition that follows from the others.
    pub fn implied_residual(&self, sample: &Sample) -> f64 {
        sample.conditions.get(self.implied).map_or(0.0, |(residual, _)| residual.abs())
    }
}

/// Quaternions with conditions on all four components; a pose decides which condition is the implied one.
pub fn constrained(model: &Model, tree: &Tree, pose: &[f64]) -> Vec<ConstrainedQuaternion> {
    let select =
        |exact: bool| model.start.conditions.iter().filter(move |c| c.exact == exact && c.level == RowLevel::Position);
    let conditions: Vec<_> = select(true).chain(select(false)).collect();
    let position = |joint: JointId, k: u8| {
        conditions
            .iter()
            .position(|c| matches!(model.exprs.op(c.target), Op::JointCoordinate(j, i) if (j, i) == (joint, k)))
    };
    let mut found = Vec::new();
    for joint in (0..model.joints.len() as u32).map(JointId) {
        for first in quaternion_offsets(model, joint) {
            let all = [0, 1, 2, 3].map(|k| position(joint, first + k));
            let [Some(w), Some(x), Some(y), Some(z)] = all else { continue };
            let mechanics = mechanics_at(model, tree, pose);
            let sizes = [w, x, y, z].map(|k| (mechanics.value(conditions[k].value).value().abs(), k));
            let (_, implied) = sizes.into_iter().max_by(|a, b| a.0.total_cmp(&b.0)).expect("there are four");
            let length = sizes.iter().map(|(size, _)| size * size).sum::<f64>().sqrt();
            found.push(ConstrainedQuaternion { conditions: [w, x, y, z], implied, length });
        }
    }
    found
}

/// First coordinate of each unit quaternion of a joint.
fn quaternion_offsets(model: &Model, joint: JointId) -> Vec<u8> {
    let mut first = 0;
    let mut found = Vec::new();
    for step in model.joint(joint).steps() {
        match *step {
            Step::Ball { attitude: Attitude::Quaternion }
            | Step::Line { attitude: Attitude::Quaternion }
            | Step::Ellipsoid { attitude: Attitude::Quaternion, .. } => found.push(first),
            Step::Free { attitude: Attitude::Quaternion, .. } => found.push(first + 3),
            Step::Posed { pose, .. } => {
                found.extend(model.coordinates.poses[pose as usize].quaternions.iter().map(|k| first + k));
            }
            _ => {}
        }
        first += step.coordinates() as u8;
    }
    found
}
