//! Joints whose pose is written over coordinates of their own.

use mbs_expr::{ExprId, FunctionId, JointId};

use super::{Model, Rotation};

/// The pose of a joint's second end in its first over its coordinates, of a kind that a text declares.
///
/// X = translation p(q) in the first end's axes, then the turning R(q). Its expressions are made of
/// [`Op::JointCoordinate`](mbs_expr::Op::JointCoordinate) of the joint, constants and parameters.
#[derive(Clone, Debug, PartialEq)]
pub struct JointPose {
    /// Whose.
    pub joint: JointId,
    /// p \[m\]; z = 0 in the plane.
    pub translation: [ExprId; 3],
    /// R.
    pub turning: PoseTurning,
    /// Where motion starts, one value per coordinate, made of constants and parameters.
    pub starts: Vec<ExprId>,
    /// Which coordinates are angles \[rad\].
    pub angles: Vec<bool>,
    /// First coordinates of unit quaternions.
    pub quaternions: Vec<u8>,
    /// N of q̇ = N(q) u, a column per speed; `None` where the speeds are the rates of the coordinates.
    pub rates: Option<Vec<Vec<ExprId>>>,
    /// Names of the speeds, where these are not rates.
    pub speeds: Vec<String>,
    /// These speeds by the coordinates and their rates, u = (NᵀN)⁻¹Nᵀ q̇.
    pub measured: Vec<ExprId>,
}

/// How a pose turns.
#[derive(Clone, Debug, PartialEq)]
pub enum PoseTurning {
    /// By angles about axes, one turn after the other, each about a unit vector fixed in what the turns before it have turned. In the
    /// plane one about z, or none.
    Turns(Vec<([ExprId; 3], ExprId)>),
    /// By a rotation, the axes of the second end in the first's.
    Matrix(Rotation),
}

impl JointPose {
    /// How many coordinates.
    pub fn n_q(&self) -> usize {
        self.starts.len()
    }

    /// How many speeds.
    pub fn n_v(&self) -> usize {
        self.rates.as_ref().map_or(self.n_q(), Vec::len)
    }

    /// Functions in it to which nothing is bound: where it shifts, where it turns.
    pub fn unknown(&self, model: &Model) -> [Option<FunctionId>; 2] {
        let unknown = |e: &ExprId| model.unknown_in(*e);
        [self.translation.iter().find_map(unknown), self.turning.expressions().iter().find_map(unknown)]
    }

    /// All expressions of coordinates.
    pub fn expressions(&self) -> impl Iterator<Item = ExprId> + '_ {
        self.translation
            .into_iter()
            .chain(self.turning.expressions())
            .chain(self.rates.iter().flatten().flatten().copied())
    }
}

impl PoseTurning {
    /// Axes and angles, or the components of axes.
    fn expressions(&self) -> Vec<ExprId> {
        match self {
            PoseTurning::Turns(turns) => {
                turns.iter().flat_map(|(axis, angle)| axis.iter().chain([angle])).copied().collect()
            }
            PoseTurning::Matrix(rotation) => rotation.concat(),
        }
    }
}
