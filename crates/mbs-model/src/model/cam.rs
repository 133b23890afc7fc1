//! Curves and cams: what curves look like, and what is known of where two touch, before they do.

use mbs_core::Closing;
use mbs_expr::{ExprId, JointId, MarkerId};

use crate::Model;

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
    /// Which curve, of [`Model::outlines`].
    pub curve: u32,
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
    /// The size of the mechanism, in both directions; the parameter is a length.
    Size,
}

/// Shape of a curve at default parameters.
#[derive(Clone, Debug)]
pub struct Outline {
    /// Name as declared.
    pub name: String,
    /// Marker that it is fixed on, which is drawn.
    pub marker: MarkerId,
    /// Parameters, with the points there \[m\] from the marker, in the axes of its body: `[s, x, y]`.
    pub points: Vec<[f64; 3]>,
    /// Period of the parameter, if the curve is closed.
    pub period: Option<f64>,
    /// Whether its ends are not stated.
    pub is_endless: bool,
}

impl Model {
    /// Curve i as [`Describe::outline`](mbs_core::Describe::outline) reports it, for every implementation.
    pub fn outline(&self, index: usize) -> Option<mbs_core::Outline<'_>> {
        let Outline { name, marker, points, period, is_endless } = self.outlines.get(index)?;
        let closing = match period {
            Some(period) => Closing::Period(*period),
            None if *is_endless => Closing::Endless,
            None => Closing::Open,
        };
        let marker = self.drawn_markers().iter().position(|drawn| drawn == marker)?;
        Some(mbs_core::Outline { name, marker, points, closing })
    }
}
