//! Cubic splines in a declaration, of any number of points and values. They correspond to [`CubicSpline`](mbs_core::CubicSpline) of the runtime,
//! and are evaluated by the same code.

mod grid;
mod smooth;
#[cfg(test)]
mod tests;

pub use grid::GridSpline;
use mbs_core::spline::{Cubic, derivatives, finish_pieces, fit_pieces, locate};
use mbs_core::{Beyond, CubicSpline, Ends, SplineError};

/// Number of results per value of a spline: the value and its derivatives up to the third.
pub const SPLINE_RESULTS: usize = 4;

/// Greatest order of the derivatives of a bicubic spline that are not zero.
pub(crate) const GRID_ORDER: usize = 6;

/// A cubic spline with several values.
#[derive(Clone, Debug, PartialEq)]
pub struct Spline {
    /// x₀ … xₙ.
    pub knots: Vec<f64>,
    /// Number of values.
    pub values: usize,
    /// Whether its value is a vector, which may have one component.
    pub several: bool,
    /// The cubics to the right of each knot in powers of the distance from it, knot by knot, all values of a knot together.
    pub pieces: Vec<Cubic>,
    /// The cubics to the left of the first knot, one per value.
    pub before: Vec<Cubic>,
    /// Period, or 0 if it is not periodic.
    pub period: f64,
}

/// Options of a fit.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Fit {
    /// Conditions at its ends; derivatives of clamped ends apply to all values.
    pub ends: Ends,
    /// Continuation beyond its ends; by default s″ stays continuous.
    pub beyond: Option<Beyond>,
    /// p of Σ (yᵢ − s(xᵢ))² + p ∫ s″² dx, which the spline minimises. With p = 0 it interpolates the points; with p > 0 its ends are natural.
    pub smoothing: f64,
}

impl Spline {
    /// Fits a spline to points x and their values: `values[k]` contains value k at all points.
    ///
    /// # Errors
    /// [`SplineError`], with the index k of the value that it concerns.
    pub fn fit(x: &[f64], values: &[Vec<f64>], fit: Fit) -> Result<Spline, (usize, SplineError)> {
        let n = values.len();
        let mut pieces = vec![[0.0; 4]; x.len() * n];
        let mut before = Vec::new();
        let beyond = fit.beyond.unwrap_or(fit.ends.beyond());
        for (k, y) in values.iter().enumerate() {
            let first = if fit.smoothing > 0.0 {
                // The fit rejects invalid inputs, which smoothing does not detect.
                fit_pieces(x, y, Ends::Natural, beyond, &mut pieces, (k, n)).map_err(|e| (k, e))?;
                let (smooth, second) = smooth::smooth(x, y, fit.smoothing);
                finish_pieces(x, &smooth, &second, beyond, &mut pieces, (k, n))
            } else {
                fit_pieces(x, y, fit.ends, beyond, &mut pieces, (k, n))
            };
            before.push(first.map_err(|e| (k, e))?);
        }
        let period = match (fit.ends, x) {
            (Ends::Periodic, [first, .., last]) => last - first,
            _ => 0.0,
        };
        Ok(Spline { knots: x.to_vec(), values: n, several: n != 1, pieces, before, period })
    }

    /// The zero spline with knots 0, 1, 2, …: the default of a function that is set at run time. `several` is the number of components of a
    /// vector.
    pub fn zero(points: usize, several: Option<usize>) -> Spline {
        let values = several.unwrap_or(1);
        let knots = (0..points).map(|i| i as f64).collect();
        let zeros = |n: usize| vec![[0.0; 4]; n];
        Spline {
            knots,
            values,
            several: several.is_some(),
            pieces: zeros(points * values),
            before: zeros(values),
            period: 0.0,
        }
    }

    /// Writes s, s′, s″ and s‴ of each value at x, value by value. The length of `results` is four times the number of values.
    pub fn evaluate(&self, x: f64, results: &mut [f64]) {
        let (piece, d) = locate(&self.knots, self.period, x);
        let cubics = piece.map_or(&self.before[..], |i| &self.pieces[i * self.values..][..self.values]);
        for (result, c) in results.chunks_exact_mut(SPLINE_RESULTS).zip(cubics) {
            result.copy_from_slice(&derivatives(c, d));
        }
    }

    /// Copies the data of a runtime spline. If its number of points or values differs, it copies nothing and returns false. It allocates nothing.
    pub fn set<const N: usize, const M: usize>(&mut self, source: &CubicSpline<N, M>) -> bool {
        if self.knots.len() != N || self.values != M {
            return false;
        }
        self.knots.copy_from_slice(source.knots());
        self.pieces.copy_from_slice(source.pieces().as_flattened());
        self.before.copy_from_slice(source.before());
        self.period = source.period();
        true
    }

    /// The largest jump of s, s′ and s″ of any value at an inner knot, and at the ends of a periodic spline, relative to the largest terms of the
    /// piece to the left of the knot. It consists of rounding errors if the fit is well conditioned.
    pub fn largest_jump(&self) -> f64 {
        let n = self.knots.len();
        let mut largest: f64 = 0.0;
        for i in 1..n {
            let h = self.knots[i] - self.knots[i - 1];
            // The continuation beyond the ends may be straight, with a jump of s″.
            let right = if i < n - 1 {
                i
            } else if self.period > 0.0 {
                0
            } else {
                break;
            };
            for k in 0..self.values {
                let c = self.pieces[(i - 1) * self.values + k];
                let r = self.pieces[right * self.values + k];
                let from_left = derivatives(&c, h);
                let from_right = derivatives(&r, 0.0);
                let terms = derivatives(&c.map(f64::abs), h);
                for order in 0..3 {
                    // Derivatives times h^order have the same unit, so that the terms of all of them determine the scale.
                    let scale = (0..3).map(|o| terms[o] * h.powi(o as i32)).fold(0.0, f64::max);
                    let jump = (from_left[order] - from_right[order]).abs() * h.powi(order as i32);
                    if jump > 0.0 {
                        largest = largest.max(jump / scale.max(f64::MIN_POSITIVE));
                    }
                    if jump.is_nan() {
                        return f64::INFINITY;
                    }
                }
            }
        }
        largest
    }
}
