//! Coupler curves: the paths of markers.

use super::AnalysisError;
use super::curve::{Curve, derivative, value};
use crate::Recording;

/// Nodes and weights of Gauss–Legendre quadrature on [0, 1], exact to degree nine.
///
/// # Source
/// Abramowitz & Stegun (1964), table 25.4, n = 5, moved from [−1, 1].
pub(super) const GAUSS: [(f64, f64); 5] = [
    (0.046_910_077_030_668_004, 0.118_463_442_528_094_54),
    (0.230_765_344_947_158_45, 0.239_314_335_249_683_23),
    (0.5, 0.284_444_444_444_444_44),
    (0.769_234_655_052_841_6, 0.239_314_335_249_683_23),
    (0.953_089_922_969_332, 0.118_463_442_528_094_54),
];

/// The recorded path of a marker.
#[derive(Clone, Debug, PartialEq)]
pub struct Trace {
    /// World positions \[m\] at the recorded times.
    pub points: Vec<[f64; 3]>,
    /// Length of the path \[m\].
    pub length: f64,
    /// ½ ∮ (x dy − y dx) \[m²\], closed by a straight line: positive counterclockwise; the loops of a figure of eight have opposite signs.
    pub enclosed_area: f64,
    /// Distance from the end to the beginning \[m\]: 0 after a full revolution.
    pub closure_error: f64,
}

impl Recording {
    /// The path of a marker: a coupler curve, if it is on the coupler. Between rows it is a polynomial of degree five, as in
    /// [`Recording::extremes`].
    ///
    /// # Errors
    /// [`AnalysisError::Unknown`] with the nearest marker; [`AnalysisError::TooFewRows`] below 2.
    pub fn trace(&self, marker: &str) -> Result<Trace, AnalysisError> {
        let points = self.marker(marker)?.to_vec();
        let axis = |i: usize| {
            let column: Vec<f64> = points.iter().map(|p| p[i]).collect();
            Curve::new(marker, self.times(), [Some(&column), None, None])
        };
        let curves = [axis(0)?, axis(1)?, axis(2)?];
        let (mut length, mut area) = (0.0, 0.0);
        for piece in 0..curves[0].len() {
            let polynomials = curves.each_ref().map(|curve| curve.piece(piece));
            for (s, weight) in GAUSS {
                let [x, y, _] = polynomials.each_ref().map(|c| value(c, s));
                let [dx, dy, dz] = polynomials.each_ref().map(|c| derivative(c, s));
                length += weight * dx.hypot(dy).hypot(dz);
                area += weight * 0.5 * (x * dy - y * dx);
            }
        }
        let (first, last) = (points[0], points[points.len() - 1]);
        area += 0.5 * (last[0] * first[1] - last[1] * first[0]);
        let closure_error = (last[0] - first[0]).hypot(last[1] - first[1]).hypot(last[2] - first[2]);
        Ok(Trace { points, length, enclosed_area: area, closure_error })
    }
}
