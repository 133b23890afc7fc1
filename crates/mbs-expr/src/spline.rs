//! Cubic splines whose numbers of points and values are known when a declaration is read. They correspond to
//! [`CubicSpline`](mbs_core::CubicSpline) of the runtime, and are evaluated by the same code.

mod grid;
mod smooth;
#[cfg(test)]
mod tests;

pub use grid::GridSpline;
use mbs_core::spline::{Cubic, derivatives, finish_pieces, fit_pieces, locate};
use mbs_core::{Beyond, CubicSpline, Ends, SplineError};

/// Derivatives of a spline up to the last that is not zero, the value counted.
pub const SPLINE_RESULTS: usize = 4;

/// Up to which order a spline over a grid gives its derivatives, the last that are not zero.
pub(crate) const GRID_ORDER: usize = 6;

/// A cubic spline with several values.
#[derive(Clone, Debug, PartialEq)]
pub struct Spline {
    /// x₀ … xₙ.
    pub knots: Vec<f64>,
    /// Number of values.
    pub values: usize,
    /// Whether its value is a vector: it may be a vector of one.
    pub several: bool,
    /// The cubics right of each knot in powers of the distance from it, knot by knot, all values of a knot together.
    pub pieces: Vec<Cubic>,
    /// The cubics left of the first knot.
    pub before: Vec<Cubic>,
    /// Period, or 0 if it does not repeat.
    pub period: f64,
}

/// Options of a fit.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Fit {
    /// Conditions at its ends; derivatives of clamped ends apply to all values.
    pub ends: Ends,
    /// Continuation beyond its ends; by default one that keeps s″ continuous.
    pub beyond: Option<Beyond>,
    /// p of Σ (yᵢ − s(xᵢ))² + p ∫ s″² dx, which the spline makes smallest; with 0 it passes through the points. Ends are natural then.
    pub smoothing: f64,
}

impl Spline {
    /// Fits a spline to points and their values, a list for each value.
    ///
    /// # Errors
    /// [`SplineError`], with the list of values that it is about.
    pub fn fit(x: &[f64], values: &[Vec<f64>], fit: Fit) -> Result<Spline, (usize, SplineError)> {
        let n = values.len();
        let mut pieces = vec![[0.0; 4]; x.len() * n];
        let mut before = Vec::new();
        let beyond = fit.beyond.unwrap_or(fit.ends.beyond());
        for (k, y) in values.iter().enumerate() {
            let first = if fit.smoothing > 0.0 {
                // Smoothing does not detect inputs that a fit refuses.
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

    /// Zero, with knots 0, 1, 2, …: what a function is that is set at run time, until it is. `several` is the size of a vector.
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

    /// Writes s, s′, s″ and s‴ of each value at x, value by value, after one search for the piece. `results` has room for four numbers
    /// of each value.
    pub fn evaluate(&self, x: f64, results: &mut [f64]) {
        let (piece, d) = locate(&self.knots, self.period, x);
        let cubics = piece.map_or(&self.before[..], |i| &self.pieces[i * self.values..][..self.values]);
        for (to, c) in results.chunks_exact_mut(SPLINE_RESULTS).zip(cubics) {
            to.copy_from_slice(&derivatives(c, d));
        }
    }

    /// Takes the numbers of a spline of the runtime; false, and nothing is taken, if it has other numbers of points or values. Allocates nothing.
    pub fn set<const N: usize, const M: usize>(&mut self, from: &CubicSpline<N, M>) -> bool {
        if self.knots.len() != N || self.values != M {
            return false;
        }
        self.knots.copy_from_slice(from.knots());
        self.pieces.copy_from_slice(from.pieces().as_flattened());
        self.before.copy_from_slice(from.before());
        self.period = from.period();
        true
    }

    /// The largest jump of s, s′ and s″ of any value at an inner knot, and at the ends of a spline that repeats, relative to the largest
    /// terms of the piece on its left and the value on its right: rounding errors of a fit that went well.
    pub fn largest_jump(&self) -> f64 {
        let n = self.knots.len();
        let mut worst: f64 = 0.0;
        for i in 1..n {
            let h = self.knots[i] - self.knots[i - 1];
            // Beyond its ends a spline may be straight.
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
                    // Derivatives by h^order are of one unit, so that terms of any of them are the measure.
                    let scale = (0..3).map(|o| terms[o] * h.powi(o as i32)).fold(0.0, f64::max);
                    let jump = (from_left[order] - from_right[order]).abs() * h.powi(order as i32);
                    if jump > 0.0 {
                        worst = worst.max(jump / scale.max(f64::MIN_POSITIVE));
                    }
                    if jump.is_nan() {
                        return f64::INFINITY;
                    }
                }
            }
        }
        worst
    }
}
