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
    /// s″ = 0. This needs at least 2 points.
    #[default]
    Natural,
    /// Given s′ at the first and the last point. This needs at least 2 points.
    Clamped([f64; 2]),
    /// s, s′ and s″ at the last point are those at the first; the function repeats. This needs at least 4 points, the last with the value of the
    /// first.
    Periodic,
    /// s‴ is continuous at the second and the last but one point: the first two pieces are one cubic, and so are the last two. This needs at
    /// least 4 points.
    NotAKnot,
}

impl Ends {
    /// Least number of points that determine the spline.
    pub const fn fewest_points(&self) -> usize {
        match self {
            Ends::Natural | Ends::Clamped(_) => 2,
            Ends::Periodic | Ends::NotAKnot => 4,
        }
    }

    /// The continuation of least degree with continuous s″: linear where s″ = 0 at the ends, else cubic.
    pub const fn beyond(&self) -> Beyond {
        match self {
            Ends::Natural => Beyond::Linear,
            Ends::Clamped(_) | Ends::Periodic | Ends::NotAKnot => Beyond::Cubic,
        }
    }
}

/// Continuation of a spline beyond its ends, unless it is periodic.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Beyond {
    /// A linear function with the value and the derivative at the end: s″ jumps to zero there, unless it is zero.
    Linear,
    /// The cubic of the outermost piece: s″ is continuous.
    Cubic,
}

/// Reason why there is no spline through given points.
#[derive(Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum SplineError {
    /// There are fewer points than the condition at the ends needs.
    TooFewPoints {
        /// Number of points that it needs.
        needed: usize,
        /// Number of points.
        found: usize,
    },
    /// The numbers of points and values differ.
    Lengths {
        /// Number of points.
        points: usize,
        /// Number of values.
        values: usize,
    },
    /// A coordinate, a value or a derivative at an end is infinite or NaN.
    NotFinite {
        /// Index of the point.
        point: usize,
    },
    /// The x of a point is not above that of the one before.
    NotIncreasing {
        /// Index of the point.
        point: usize,
    },
    /// The last value of a periodic spline differs from the first.
    NotPeriodic,
    /// The numbers are so large, or the points so close, that the coefficients are not finite.
    Overflow,
}

/// Writes the text of `Display`, so that a `main` that returns the error shows it.
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

/// Coefficients c₀ … c₃ of a piece, in powers of the distance from its knot.
pub type Cubic = [f64; 4];

/// A cubic spline through N points with M values each: functions s₁ … s_M of one variable with common knots.
///
/// It is `Copy`, has a fixed size, and allocates nothing. It is a parameter of a mechanism whose declaration has
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
    /// The cubics left of the first knot, in powers of x − x₀.
    before: [Cubic; M],
    /// xₙ − x₀ of a periodic spline, else 0.
    period: f64,
}

impl<const N: usize> CubicSpline<N> {
    /// The natural spline through the points (xᵢ, yᵢ), linear beyond its ends.
    ///
    /// # Errors
    /// As [`CubicSpline::fit`].
    pub fn new(x: [f64; N], y: [f64; N]) -> Result<Self, SplineError> {
        Self::fit(x, [y], Ends::Natural, Beyond::Linear)
    }

    /// The value s(x).
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
    /// The splines sₖ through the points (xᵢ, yₖᵢ), all with the same conditions at the ends; y has one list of values for each spline.
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

    /// The spline with the coefficients that a fit computed, for generated code. Nothing is checked.
    pub const fn from_parts(knots: [f64; N], pieces: [[Cubic; M]; N], before: [Cubic; M], period: f64) -> Self {
        CubicSpline { knots, pieces, before, period }
    }

    /// s, s′, s″ and s‴ at x of each of the M splines, after one search for the piece.
    pub fn evaluate(&self, x: f64) -> [Cubic; M] {
        let (piece, d) = locate(&self.knots, self.period, x);
        piece.map_or(&self.before, |i| &self.pieces[i]).map(|c| derivatives(&c, d))
    }

    /// The knots x₀ … xₙ.
    pub fn knots(&self) -> &[f64; N] {
        &self.knots
    }

    /// The cubics right of each knot, in powers of the distance from it.
    pub fn pieces(&self) -> &[[Cubic; M]; N] {
        &self.pieces
    }

    /// The cubics left of the first knot, in powers of x − x₀.
    pub fn before(&self) -> &[Cubic; M] {
        &self.before
    }

    /// The period, or 0 if the spline is not periodic.
    pub fn period(&self) -> f64 {
        self.period
    }
}

/// Index of the piece that contains x, `None` left of the first knot, and the distance of x from the knot of that piece, or from the first knot.
/// With a period above 0, x is first reduced to the first period.
pub fn locate(knots: &[f64], period: f64, x: f64) -> (Option<usize>, f64) {
    let first = knots.first().copied().unwrap_or(0.0);
    let x = if period > 0.0 { x - period * math::floor((x - first) / period) } else { x };
    // NaN is right of no knot, so the distance stays NaN.
    match knots.partition_point(|knot| *knot <= x).checked_sub(1) {
        Some(i) => (Some(i), x - knots[i]),
        None => (None, x - first),
    }
}

/// Value and derivatives up to the third of a piece (1) at distance d from its knot, by Horner's rule.
pub fn derivatives(c: &Cubic, d: f64) -> Cubic {
    let [c0, c1, c2, c3] = *c;
    [c0 + d * (c1 + d * (c2 + d * c3)), c1 + d * (2.0 * c2 + d * (3.0 * c3)), 2.0 * c2 + d * (6.0 * c3), 6.0 * c3]
}
