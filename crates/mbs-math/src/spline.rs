//! Cubic splines: piecewise cubic functions through given points, with continuous second derivatives.
//!
//! With knots x₀ < x₁ < … and hᵢ = xᵢ₊₁ − xᵢ the function is on [xᵢ, xᵢ₊₁], with d = x − xᵢ,
//!
//! 1. s(x) = c₀ + c₁ d + c₂ d² + c₃ d³,
//! 2. c₀ = yᵢ, c₁ = (yᵢ₊₁ − yᵢ) / hᵢ − hᵢ (2 mᵢ + mᵢ₊₁) / 6, c₂ = mᵢ / 2, c₃ = (mᵢ₊₁ − mᵢ) / (6 hᵢ),
//! 3. hᵢ₋₁ mᵢ₋₁ + 2 (hᵢ₋₁ + hᵢ) mᵢ + hᵢ mᵢ₊₁ = 6 ((yᵢ₊₁ − yᵢ) / hᵢ − (yᵢ − yᵢ₋₁) / hᵢ₋₁),
//!
//! where mᵢ = s″(xᵢ), and [`Ends`] gives the two equations that (3) lacks.
//!
//! Source: de Boor, A Practical Guide to Splines (2001), ch. IV.

mod bicubic;
mod fit;

use core::fmt;

pub use bicubic::{BicubicSpline, Cell, Grid, GridError, Orders, continuation, fit_cells};
pub use fit::{finish_pieces, fit_pieces};

use crate::math;

/// Conditions at the first and the last point of a spline.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Ends {
    /// s″ = 0. At least 2 points.
    #[default]
    Natural,
    /// s′ at the first and the last point. At least 2 points.
    Clamped([f64; 2]),
    /// s, s′ and s″ are the same at both; the function repeats. At least 4 points, of which the last repeats the first value.
    Periodic,
    /// s‴ is continuous at the second and the last but one point: the first two pieces are one cubic, and so are the last two. At least 4
    /// points.
    NotAKnot,
}

impl Ends {
    /// Fewest points that determine the spline.
    pub const fn fewest_points(&self) -> usize {
        match self {
            Ends::Natural | Ends::Clamped(_) => 2,
            Ends::Periodic | Ends::NotAKnot => 4,
        }
    }

    /// The continuation of least degree that keeps s″ continuous: straight where s″ = 0 at the ends, else that of the cubics.
    pub const fn beyond(&self) -> Beyond {
        match self {
            Ends::Natural => Beyond::Linear,
            Ends::Clamped(_) | Ends::Periodic | Ends::NotAKnot => Beyond::Cubic,
        }
    }
}

/// How a spline continues beyond its ends; one that is periodic repeats.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Beyond {
    /// With the value and derivative of the end: s″ jumps to zero there, unless it is zero.
    Linear,
    /// With the cubic of the outermost piece: s″ is continuous.
    Cubic,
}

/// Why points have no spline.
#[derive(Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum SplineError {
    /// There are fewer points than the condition at the ends needs.
    TooFewPoints {
        /// How many it needs.
        needed: usize,
        /// How many there are.
        found: usize,
    },
    /// As many values as points are needed.
    Lengths {
        /// Points.
        points: usize,
        /// Values.
        values: usize,
    },
    /// A coordinate, a value or a derivative at an end is infinite or NaN.
    NotFinite {
        /// Which point.
        point: usize,
    },
    /// A point does not lie right of the one before.
    NotIncreasing {
        /// Which point.
        point: usize,
    },
    /// The last value of a periodic spline is not the first.
    NotPeriodic,
    /// Numbers so large, or points so close, that the coefficients are not finite.
    Overflow,
}

/// Reads like `Display`: what `main` shows.
impl fmt::Debug for SplineError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl fmt::Display for SplineError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SplineError::TooFewPoints { needed, found } => write!(f, "{found} points, at least {needed} are needed"),
            SplineError::Lengths { points, values } => write!(f, "{points} points and {values} values"),
            SplineError::NotFinite { point } => write!(f, "point {point} is not finite"),
            SplineError::NotIncreasing { point } => write!(f, "point {point} does not lie right of the one before"),
            SplineError::NotPeriodic => write!(f, "the last value differs from the first"),
            SplineError::Overflow => write!(f, "the points are too close for their values"),
        }
    }
}

impl core::error::Error for SplineError {}

/// c₀ … c₃ of a piece, in powers of the distance from its knot.
pub type Cubic = [f64; 4];

/// A cubic spline through N points with M values: functions s₁ … s_M of one number over the same knots.
///
/// It is `Copy`, of fixed size, and allocates nothing: a mechanism has it as a parameter where its declaration says
/// `function road: CubicSpline<16>;`.
///
/// ```
/// use mbs_math::CubicSpline;
///
/// let s = CubicSpline::new([0.0, 1.0, 2.0], [0.0, 1.0, 0.0])?;
/// assert_eq!(s.value(1.0), 1.0);
/// assert_eq!(s.derivatives(1.0)[1], 0.0);
/// # Ok::<(), mbs_math::SplineError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CubicSpline<const N: usize, const M: usize = 1> {
    knots: [f64; N],
    /// The cubics right of each knot; those of the last knot continue beyond it.
    pieces: [[Cubic; M]; N],
    /// The cubics left of the first knot, in powers of the distance from it.
    before: [Cubic; M],
    /// xₙ − x₀ of a spline that repeats, else 0.
    period: f64,
}

impl<const N: usize> CubicSpline<N> {
    /// The natural spline through the points (xᵢ, yᵢ), straight beyond its ends.
    ///
    /// # Errors
    /// As [`CubicSpline::fit`].
    pub fn new(x: [f64; N], y: [f64; N]) -> Result<Self, SplineError> {
        Self::fit(x, [y], Ends::Natural, Beyond::Linear)
    }

    /// s(x).
    pub fn value(&self, x: f64) -> f64 {
        self.derivatives(x)[0]
    }

    /// s, s′, s″ and s‴ at x; all further derivatives are zero. At a knot s‴ is that of the piece on its right.
    pub fn derivatives(&self, x: f64) -> Cubic {
        let [all] = self.evaluate(x);
        all
    }
}

impl<const N: usize, const M: usize> CubicSpline<N, M> {
    /// The splines through the points (xᵢ, yₖᵢ), a list y of values for each, all with the same conditions at the ends.
    ///
    /// # Errors
    /// [`SplineError`]: points that do not increase, too few of them, or numbers that are not finite.
    pub fn fit(x: [f64; N], y: [[f64; N]; M], ends: Ends, beyond: Beyond) -> Result<Self, SplineError> {
        let zero = [[0.0; 4]; M];
        let mut spline = CubicSpline { knots: x, pieces: [zero; N], before: zero, period: 0.0 };
        for (k, y) in y.iter().enumerate() {
            let pieces = spline.pieces.as_flattened_mut();
            spline.before[k] = fit_pieces(&x, y, ends, beyond, pieces, (k, M))?;
        }
        if let (Ends::Periodic, [first, .., last]) = (ends, &x[..]) {
            spline.period = last - first;
        }
        Ok(spline)
    }

    /// Spline of the numbers that a fit made. For generated code: nothing is checked.
    pub const fn from_parts(knots: [f64; N], pieces: [[Cubic; M]; N], before: [Cubic; M], period: f64) -> Self {
        CubicSpline { knots, pieces, before, period }
    }

    /// s, s′, s″ and s‴ of each value at x, after one search for the piece.
    pub fn evaluate(&self, x: f64) -> [Cubic; M] {
        let (piece, d) = locate(&self.knots, self.period, x);
        piece.map_or(&self.before, |i| &self.pieces[i]).map(|c| derivatives(&c, d))
    }

    /// x₀ … xₙ.
    pub fn knots(&self) -> &[f64; N] {
        &self.knots
    }

    /// The cubics right of each knot, in powers of the distance from it.
    pub fn pieces(&self) -> &[[Cubic; M]; N] {
        &self.pieces
    }

    /// The cubics left of the first knot, in powers of the distance from it.
    pub fn before(&self) -> &[Cubic; M] {
        &self.before
    }

    /// Period, or 0.
    pub fn period(&self) -> f64 {
        self.period
    }
}

/// Which piece x lies in, `None` left of the first knot, and its distance from that piece's knot. A spline with a period repeats.
pub fn locate(knots: &[f64], period: f64, x: f64) -> (Option<usize>, f64) {
    let first = knots.first().copied().unwrap_or(0.0);
    let x = if period > 0.0 { x - period * math::floor((x - first) / period) } else { x };
    // NaN is right of no knot, so the distance stays NaN.
    match knots.partition_point(|knot| *knot <= x).checked_sub(1) {
        Some(i) => (Some(i), x - knots[i]),
        None => (None, x - first),
    }
}

/// (1) and its derivatives up to the third, by Horner's rule.
pub fn derivatives(c: &Cubic, d: f64) -> Cubic {
    let [c0, c1, c2, c3] = *c;
    [c0 + d * (c1 + d * (c2 + d * c3)), c1 + d * (2.0 * c2 + d * (3.0 * c3)), 2.0 * c2 + d * (6.0 * c3), 6.0 * c3]
}
