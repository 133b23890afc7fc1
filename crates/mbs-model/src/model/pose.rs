//! Joints whose kinds declare the pose as a function of the joint's coordinates.

use mbs_expr::{ExprId, FunctionId, JointId};

use super::{Model, Rotation};

/// The pose of a joint's second end in its first end as a function of the joint's coordinates, of a kind that a text declares.
///
/// The pose X(q) is the translation p(q) in the first end's axes, then the rotation R(q). Its expressions are made of
/// [`Op::JointCoordinate`](mbs_expr::Op::JointCoordinate) of the joint, constants and parameters.
#[derive(Clone, Debug, PartialEq)]
pub struct JointPose {
    /// The joint.
    pub joint: JointId,
    /// p \[m\], from the origin of the first end, in its axes; z = 0 in the plane.
    pub translation: [ExprId; 3],
    /// R: from the second end's axes to the first's.
    pub rotation: PoseRotation,
    /// Coordinates at the start, one value per coordinate, made of constants and parameters.
    pub starts: Vec<ExprId>,
    /// Whether each coordinate is an angle \[rad\].
    pub angles: Vec<bool>,
    /// Index of the first coordinate of each unit quaternion.
    pub quaternions: Vec<u8>,
    /// N of q̇ = N(q) u, one column per speed; `None` where the speeds are the rates of the coordinates.
    pub rates: Option<Vec<Vec<ExprId>>>,
    /// Names of the speeds, where these are not rates.
    pub speeds: Vec<String>,
    /// The speeds as functions of the coordinates and their rates, u = (NᵀN)⁻¹Nᵀ q̇.
    pub measured: Vec<ExprId>,
}

/// The rotation of a declared pose.
#[derive(Clone, Debug, PartialEq)]
pub enum PoseRotation {
    /// Successive rotations, each an axis and an angle \[rad\]. The axis is a unit vector that is fixed in the frame that the rotations before
    /// it produce. In the plane there is one rotation about z, or none.
    Successive(Vec<([ExprId; 3], ExprId)>),
    /// A rotation matrix: the axes of the second end, in those of the first.
    Matrix(Rotation),
}

impl JointPose {
    /// Number of coordinates.
    pub fn n_q(&self) -> usize {
        self.starts.len()
    }

    /// Number of speeds.
    pub fn n_v(&self) -> usize {
        self.rates.as_ref().map_or(self.n_q(), Vec::len)
    }

    /// The first unbound Rust function of the translation, and of the rotation.
    pub fn unbound_functions(&self, model: &Model) -> [Option<FunctionId>; 2] {
        let unbound = |e: &ExprId| model.unbound_function_in(*e);
        [self.translation.iter().find_map(unbound), self.rotation.expressions().iter().find_map(unbound)]
    }

    /// All expressions that depend on the coordinates: translation, rotation, N.
    pub fn expressions(&self) -> impl Iterator<Item = ExprId> + '_ {
        self.translation
            .into_iter()
            .chain(self.rotation.expressions())
            .chain(self.rates.iter().flatten().flatten().copied())
    }
}

impl PoseRotation {
    /// The axes and angles, or the components of the matrix.
    fn expressions(&self) -> Vec<ExprId> {
        match self {
            PoseRotation::Successive(rotations) => {
                rotations.iter().flat_map(|(axis, angle)| axis.iter().chain([angle])).copied().collect()
            }
            PoseRotation::Matrix(rotation) => rotation.concat(),
        }
    }
}
