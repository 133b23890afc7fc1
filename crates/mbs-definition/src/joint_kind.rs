//! Kinds of joints that a mechanism declares.

use super::{Argument, Expr, Ident, Parameter};

/// `joint kind SlideTurn(a, b, reach = 1) { … }`: equations between two ends, or the pose of the second end in
/// the first as a function of coordinates.
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
    /// Speeds in order; none if they are the rates of the coordinates.
    pub speeds: Vec<KindSpeed>,
    /// `kinematics: […];`: rates of the coordinates as functions of the speeds.
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
    /// Number of components: `[2]` after the colon.
    pub shape: Vec<Expr>,
    /// `angle` or `quaternion` after the colon.
    pub nature: Option<Ident>,
    /// Default value at the start.
    pub start: Option<Expr>,
}

/// `speed u: [3];`
#[derive(Clone, Debug, PartialEq)]
pub struct KindSpeed {
    /// Its name.
    pub name: Ident,
    /// Number of components.
    pub shape: Vec<Expr>,
}

/// `pose { rotation: …, axes: …, translation: … }`
#[derive(Clone, Debug, PartialEq)]
pub struct KindPose {
    /// The word `pose`.
    pub word: Ident,
    /// Arguments in braces.
    pub arguments: Vec<Argument>,
}

/// `coincident(a, b);`, `a.x == b.y;`, `constraint tilt = dot(a.z, b.x) == 0;`
#[derive(Clone, Debug, PartialEq)]
pub struct KindRow {
    /// Its name, if it has one.
    pub name: Option<Ident>,
    /// The equation, or a call of a basic one.
    pub equation: Expr,
}
