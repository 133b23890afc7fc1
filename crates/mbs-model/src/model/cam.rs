//! Cams: what is known of where two curves touch, before they do.

use crate::{ExprId, JointId};

/// A joint of two curves that touch.
#[derive(Clone, Debug)]
pub struct Cam {
    /// The joint, whose rows hold the contact.
    pub joint: JointId,
    /// The first curve and the second.
    pub sides: [CamSide; 2],
}

/// One curve of a cam, at its place of contact.
#[derive(Clone, Debug)]
pub struct CamSide {
    /// Flat index of the place of contact among the algebraic coordinates.
    pub unknown: u32,
    /// Where assembly looks for it; `None` if the text says where it begins, or nothing says where the curve is.
    pub range: Option<CurveRange>,
    /// World position of the point.
    pub point: [ExprId; 2],
    /// Unit tangent, world components.
    pub tangent: [ExprId; 2],
}

/// Parameters of a curve that are looked at.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum CurveRange {
    /// From one to the other.
    Between([f64; 2]),
    /// As far as the mechanism is large, both ways: the parameter is a length.
    Size,
}
