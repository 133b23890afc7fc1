//! Curves and cams: the shapes of curves, and the data from which assembly finds the contact of two curves.

use mbs_core::Closing;
use mbs_expr::{ExprId, JointId, MarkerId};

use crate::Model;

/// A joint between two curves in contact.
#[derive(Clone, Debug)]
pub struct Cam {
    /// The joint, whose rows impose the contact.
    pub joint: JointId,
    /// The first curve and the second.
    pub sides: [CamSide; 2],
}

/// One curve of a cam, at its point of contact.
#[derive(Clone, Debug)]
pub struct CamSide {
    /// The curve: index into `Curves::outlines`.
    pub curve: u32,
    /// Flat index of the curve parameter of the contact among the algebraic coordinates.
    pub unknown: u32,
    /// Interval in which assembly searches for this parameter; `None` if the text declares its start, or if the extent of the curve is unknown.
    pub range: Option<CurveRange>,
    /// World position of the point of contact \[m\].
    pub point: [ExprId; 2],
    /// Unit tangent, world components.
    pub tangent: [ExprId; 2],
}

/// Interval of a curve's parameter in which assembly searches.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum CurveRange {
    /// From the first value to the second.
    Between([f64; 2]),
    /// As far as the size of the mechanism in both directions; the parameter is a length.
    Size,
}

/// Shape of a curve at default parameters.
#[derive(Clone, Debug)]
pub struct Outline {
    /// Name as declared.
    pub name: String,
    /// The marker on which the curve is fixed. This marker is drawn.
    pub marker: MarkerId,
    /// Sampled points `[s, x, y]`: the parameter s and the position \[m\] from the marker, in the axes of its body.
    pub points: Vec<[f64; 3]>,
    /// Period of the parameter, if the curve is closed.
    pub period: Option<f64>,
    /// Whether the curve has no stated ends.
    pub is_endless: bool,
}

impl Model {
    /// Curve i as [`Describe::outline`](mbs_core::Describe::outline) reports it, for every implementation.
    pub fn outline(&self, index: usize) -> Option<mbs_core::Outline<'_>> {
        let Outline { name, marker, points, period, is_endless } = self.curves.outlines.get(index)?;
        let closing = match period {
            Some(period) => Closing::Period(*period),
            None if *is_endless => Closing::Endless,
            None => Closing::Open,
        };
        let marker = self.drawn_markers().iter().position(|drawn| drawn == marker)?;
        Some(mbs_core::Outline { name, marker, points, closing })
    }
}
