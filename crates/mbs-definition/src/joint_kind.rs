//! Kinds of joints that a text declares.

use super::{Argument, Expr, Ident, Parameter};

/// `joint kind SlideTurn(a, b, reach = 1) { … }`: equations between two ends, or the pose of the second in the first over coordinates.
#[derive(Clone, Debug, PartialEq)]
pub struct JointKindDeclaration {
    /// Doc comment.
    pub docs: String,
    /// Its name.
    pub name: Ident,
    /// Both ends, then its arguments.
    pub parameters: Vec<Parameter>,
    /// Coordinates in order.
    pub coordinates: Vec<KindCoordinate>,
    /// Speeds in order; none where they are the rates of the coordinates.
    pub speeds: Vec<KindSpeed>,
    /// `kinematics: […];`, rates of the coordinates from the speeds.
    pub kinematics: Option<Expr>,
    /// `pose { … }`
    pub pose: Option<KindPose>,
    /// Equations in order.
    pub rows: Vec<KindRow>,
}

/// `coordinate turn: angle = 0.1;`, `coordinate q: [2];`, `coordinate q: quaternion;`
#[derive(Clone, Debug, PartialEq)]
pub struct KindCoordinate {
    /// Its name.
    pub name: Ident,
    /// How many numbers: `[2]` after the colon.
    pub shape: Vec<Expr>,
    /// `angle` or `quaternion` after the colon.
    pub nature: Option<Ident>,
    /// Where motion starts, if nothing else says it.
    pub start: Option<Expr>,
}

/// `speed u: [3];`
#[derive(Clone, Debug, PartialEq)]
pub struct KindSpeed {
    /// Its name.
    pub name: Ident,
    /// How many numbers.
    pub shape: Vec<Expr>,
}

/// `pose { rotation: …, axes: …, translation: … }`
#[derive(Clone, Debug, PartialEq)]
pub struct KindPose {
    /// The word.
    pub word: Ident,
    /// Arguments in braces.
    pub arguments: Vec<Argument>,
}

/// `coincident(a, b);`, `a.x == b.y;`, `constraint tilt = dot(a.z, b.x) == 0;`
#[derive(Clone, Debug, PartialEq)]
pub struct KindRow {
    /// Its name, where it has one.
    pub name: Option<Ident>,
    /// The equation, or a call of a basic one.
    pub equation: Expr,
}
