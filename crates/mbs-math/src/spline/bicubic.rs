//! Bicubic splines: functions of x and y through the points of a grid, cubic splines along either.
//!
//! With the cell right of xᵢ and yⱼ, d = x − xᵢ and e = y − yⱼ,
//!
//! 1. s(x, y) = Σ cₖₗ dᵏ eˡ, k, l = 0 … 3,
//!
//! where the splines through (xᵢ, zᵢⱼ), one for each j, have coefficients of dᵏ through which splines over y pass. All derivatives up to the
//! second along either are continuous, those of both among them; the order of x and y does not matter.
//!
//! Source: de Boor, Bicubic spline interpolation, J. Math. Phys. 41 (1962) 212–218.

use core::fmt;

use super::{Beyond, Cubic, Ends, SplineError, derivatives, fit_pieces, locate};

/// c₀₀ … c₃₃ of a cell: in powers of the distance along x, and in each of the distance along y.
pub type Cell = [Cubic; 4];

/// s and its derivatives of all orders up to the sixth, beyond which all are zero: by order, and in each order as in a dictionary.
pub type Orders = [f64; 28];

/// Why the points of a grid have no spline.
#[derive(Clone, Copy, PartialEq)]
pub struct GridError {
    /// Whether along x (0) or along y (1).
    pub axis: usize,
    /// Line of that direction on which the error was found.
    pub line: usize,
    /// The error on that line.
    pub error: SplineError,
}

/// Reads like `Display`: what `main` shows.
impl fmt::Debug for GridError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl fmt::Display for GridError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let axis = if self.axis == 0 { 'x' } else { 'y' };
        write!(f, "line {} along {axis}: {}", self.line, self.error)
    }
}

impl core::error::Error for GridError {}

/// Data of a bicubic spline.
#[derive(Clone, Copy, Debug)]
pub struct Grid<'a> {
    /// x₀ … and y₀ ….
    pub knots: [&'a [f64]; 2],
    /// The cells right of all of them: those of x₀ first.
    pub cells: &'a [Cell],
    /// Period along either direction, or 0.
    pub periods: [f64; 2],
    /// Whether it is straight left of the first knots.
    pub straight: [bool; 2],
}

impl Grid<'_> {
    /// (1) with its derivatives, after one search along x and one along y.
    pub fn evaluate(&self, x: f64, y: f64) -> Orders {
        let [(i, d), (j, e)] = [(0, x), (1, y)].map(|(axis, x)| locate(self.knots[axis], self.periods[axis], x));
        let index = i.unwrap_or(0) * self.knots[1].len() + j.unwrap_or(0);
        let Some(cell) = self.cells.get(index) else { return [f64::NAN; 28] };
        let bent =
            |axis: usize, piece: Option<usize>, power: usize| power < 2 || piece.is_some() || !self.straight[axis];
        let term = |k: usize, l: usize| if bent(0, i, k) && bent(1, j, l) { cell[k][l] } else { 0.0 };
        let along_y = [0, 1, 2, 3].map(|k| derivatives(&[0, 1, 2, 3].map(|l| term(k, l)), e));
        let s = [0, 1, 2, 3].map(|l| derivatives(&along_y.map(|orders| orders[l]), d));
        // s[l][k] is ∂ᵏ of x and ∂ˡ of y.
        let orders = (0..=6_usize).flat_map(|order| (0..=order).map(move |l| (order - l, l)));
        let mut all = [0.0; 28];
        for (to, (k, l)) in all.iter_mut().zip(orders) {
            *to = s.get(l).and_then(|of_y| of_y.get(k)).copied().unwrap_or(0.0);
        }
        all
    }
}

/// Fills the cells of a grid; z gives the values, zᵢⱼ at (xᵢ, yⱼ). `along_x` has room for a number of each xᵢ, `along_y` for four of each yⱼ.
///
/// # Errors
/// [`GridError`]. The cells are then of no use.
pub fn fit_cells(
    [x, y]: [&[f64]; 2],
    z: impl Fn(usize, usize) -> f64,
    ends: [Ends; 2],
    beyond: [Beyond; 2],
    cells: &mut [Cell],
    (along_x, along_y): (&mut [f64], &mut [f64]),
) -> Result<(), GridError> {
    let m = y.len();
    for (axis, (knots, ends)) in [x, y].into_iter().zip(ends).enumerate() {
        let (found, needed) = (knots.len(), ends.fewest_points());
        if found < needed {
            return Err(GridError { axis, line: 0, error: SplineError::TooFewPoints { needed, found } });
        }
    }
    if let (Ends::Periodic, Some(last)) = (ends[1], m.checked_sub(1))
        && let Some(line) = (0..x.len()).find(|i| z(*i, 0) != z(*i, last))
    {
        return Err(GridError { axis: 1, line, error: SplineError::NotPeriodic });
    }
    let (pieces, per_knot) = (cells.as_flattened_mut(), 4);
    for j in 0..m {
        along_x.iter_mut().enumerate().for_each(|(i, to)| *to = z(i, j));
        // Until there are cells, the first cubic of one is that along x, at y of its corner.
        fit_pieces(x, along_x, ends[0], beyond[0], pieces, (j * per_knot, m * per_knot))
            .map_err(|error| GridError { axis: 0, line: j, error })?;
    }
    for i in 0..x.len() {
        let corners = &mut pieces[i * m * per_knot..][..m * per_knot];
        for j in 0..m {
            for (k, c) in corners[j * per_knot].into_iter().enumerate() {
                along_y[k * m + j] = c;
            }
        }
        for (k, values) in along_y.chunks_exact(m.max(1)).take(4).enumerate() {
            // Slopes at the ends are the same for all x.
            let ends = match ends[1] {
                Ends::Clamped(_) if k > 0 => Ends::Clamped([0.0; 2]),
                ends => ends,
            };
            fit_pieces(y, values, ends, beyond[1], corners, (k, per_knot)).map_err(|error| GridError {
                axis: 1,
                line: i,
                error,
            })?;
        }
    }
    Ok(())
}

/// Period of splines with such ends, or 0; whether they are straight left of the first knot.
pub fn continuation(knots: &[f64], ends: Ends, beyond: Beyond) -> (f64, bool) {
    match (ends, knots) {
        (Ends::Periodic, [first, .., last]) => (last - first, false),
        _ => (0.0, beyond == Beyond::Linear),
    }
}

/// A bicubic spline through the points of a grid of N by M: a height over x and y.
///
/// It is `Copy`, of fixed size, 128 bytes for each point, and allocates nothing. As a value of a type, a mechanism has it among its parameters if
/// its declaration has `function hill(x, y): opaque(3, Hill);` and the program `type Hill = mbs::BicubicSpline<16, 12>;`.
///
/// ```
/// use mbs_math::BicubicSpline;
///
/// let s = BicubicSpline::new([0.0, 1.0, 2.0], [0.0, 1.0], [[0.0, 0.0], [1.0, 2.0], [0.0, 0.0]])?;
/// assert_eq!(s.value(1.0, 0.5), 1.5);
/// assert_eq!(s.derivatives(1.0, 0.5)[2], 1.0); // s_y
/// # Ok::<(), mbs_math::GridError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BicubicSpline<const N: usize, const M: usize> {
    x: [f64; N],
    y: [f64; M],
    cells: [[Cell; M]; N],
    periods: [f64; 2],
    straight: [bool; 2],
}

impl<const N: usize, const M: usize> BicubicSpline<N, M> {
    /// The natural spline through the points (xᵢ, yⱼ, zᵢⱼ), straight beyond the edges.
    ///
    /// # Errors
    /// As [`BicubicSpline::fit`].
    pub fn new(x: [f64; N], y: [f64; M], z: [[f64; M]; N]) -> Result<Self, GridError> {
        Self::fit(x, y, z, [Ends::Natural; 2], [Beyond::Linear; 2])
    }

    /// The spline through the points (xᵢ, yⱼ, zᵢⱼ), a list z of all y for each x. Conditions at the ends, and beyond them, are stated for lines
    /// along x and for those along y; derivatives at clamped ends are those of all lines.
    ///
    /// # Errors
    /// [`GridError`]: points that do not increase, too few of them, or numbers that are not finite.
    pub fn fit(
        x: [f64; N],
        y: [f64; M],
        z: [[f64; M]; N],
        ends: [Ends; 2],
        beyond: [Beyond; 2],
    ) -> Result<Self, GridError> {
        let mut cells = [[[[0.0; 4]; 4]; M]; N];
        let (mut along_x, mut along_y) = ([0.0; N], [[0.0; M]; 4]);
        let room = (&mut along_x[..], along_y.as_flattened_mut());
        fit_cells([&x, &y], |i, j| z[i][j], ends, beyond, cells.as_flattened_mut(), room)?;
        let [(a, b), (c, d)] = [continuation(&x, ends[0], beyond[0]), continuation(&y, ends[1], beyond[1])];
        Ok(BicubicSpline { x, y, cells, periods: [a, c], straight: [b, d] })
    }

    /// Spline of the numbers that a fit made. For generated code: nothing is checked.
    pub const fn from_parts(
        x: [f64; N],
        y: [f64; M],
        cells: [[Cell; M]; N],
        periods: [f64; 2],
        straight: [bool; 2],
    ) -> Self {
        BicubicSpline { x, y, cells, periods, straight }
    }

    /// s(x, y).
    pub fn value(&self, x: f64, y: f64) -> f64 {
        self.derivatives(x, y)[0]
    }

    /// s; s_x, s_y; s_xx, s_xy, s_yy; and so on up to the sixth order. At a knot third derivatives are those on its right.
    pub fn derivatives(&self, x: f64, y: f64) -> Orders {
        let (knots, cells) = ([&self.x[..], &self.y[..]], self.cells.as_flattened());
        Grid { knots, cells, periods: self.periods, straight: self.straight }.evaluate(x, y)
    }
}

/// Zero, with knots 0, 1, 2, …: the value of a parameter of a mechanism until it is set.
impl<const N: usize, const M: usize> Default for BicubicSpline<N, M> {
    fn default() -> Self {
        let (x, y) = (core::array::from_fn(|i| i as f64), core::array::from_fn(|j| j as f64));
        BicubicSpline { x, y, cells: [[[[0.0; 4]; 4]; M]; N], periods: [0.0; 2], straight: [true; 2] }
    }
}

#[cfg(test)]
mod tests {
    extern crate std;

    use std::string::ToString as _;

    use super::*;

    const X: [f64; 6] = [-1.0, -0.4, 0.3, 0.9, 1.6, 2.0];
    const Y: [f64; 5] = [-0.5, 0.1, 0.4, 1.1, 1.5];

    /// Derivative ∂ᵃ of x, ∂ᵇ of y of (1) with d = x and e = y, cₖₗ = 1 / (1 + k + 2 l).
    fn bicubic(x: f64, y: f64, [a, b]: [usize; 2]) -> f64 {
        let falling = |k: usize, a: usize| (0..a).map(|i| k as f64 - i as f64).product::<f64>();
        let power = |x: f64, k: usize, a: usize| if k < a { 0.0 } else { falling(k, a) * x.powi((k - a) as i32) };
        let term = |k: usize, l: usize| power(x, k, a) * power(y, l, b) / (1 + k + 2 * l) as f64;
        (0..4).flat_map(|k| (0..4).map(move |l| (k, l))).map(|(k, l)| term(k, l)).sum()
    }

    fn orders() -> impl Iterator<Item = [usize; 2]> {
        (0..=6).flat_map(|n: usize| (0..=n).map(move |b| [n - b, b]))
    }

    fn places() -> impl Iterator<Item = (f64, f64)> {
        let x = [-1.7, -1.0, -0.7, 0.3, 0.5, 1.7, 2.6];
        x.into_iter().flat_map(|x| [-0.9, -0.5, 0.2, 0.4, 1.3, 1.5, 2.2].map(|y| (x, y)))
    }

    /// The spline through points of a polynomial of third degree in either direction is that polynomial, also beyond the ends: round-off of terms
    /// of some 10² in 4 digits of coefficients.
    #[test]
    fn through_points_of_a_bicubic_passes_the_bicubic() {
        let z = X.map(|x| Y.map(|y| bicubic(x, y, [0, 0])));
        let s = BicubicSpline::fit(X, Y, z, [Ends::NotAKnot; 2], [Beyond::Cubic; 2]).expect("a grid");
        for (x, y) in places() {
            for (order, found) in orders().zip(s.derivatives(x, y)) {
                let expected = bicubic(x, y, order);
                let miss = (found - expected).abs();
                assert!(miss < 1e-11 * expected.abs().max(1.0), "{order:?} at {x}, {y}: {found}, not {expected}");
            }
        }
    }

    /// A product of two splines is the spline of the products: each kind of end along x with each along y, within and beyond the grid.
    #[test]
    fn products_of_splines_are_their_own_spline() {
        let f = [0.0, 0.7, -0.4, 1.1, 0.2, 0.0];
        let g = [1.0, -0.6, 0.8, 0.3, 1.0];
        let kinds = [
            (Ends::Natural, Beyond::Linear),
            (Ends::Natural, Beyond::Cubic),
            (Ends::NotAKnot, Beyond::Linear),
            (Ends::Periodic, Beyond::Cubic),
        ];
        let z = f.map(|f| g.map(|g| f * g));
        for (along_x, along_y) in kinds.into_iter().flat_map(|a| kinds.map(|b| (a, b))) {
            let p = super::super::CubicSpline::fit(X, [f], along_x.0, along_x.1).expect("increasing");
            let q = super::super::CubicSpline::fit(Y, [g], along_y.0, along_y.1).expect("increasing");
            let s = BicubicSpline::fit(X, Y, z, [along_x.0, along_y.0], [along_x.1, along_y.1]).expect("a grid");
            for (x, y) in places() {
                let ([p], [q]) = (p.evaluate(x), q.evaluate(y));
                for ([a, b], found) in orders().zip(s.derivatives(x, y)) {
                    let expected = if a > 3 || b > 3 { 0.0 } else { p[a] * q[b] };
                    let miss = (found - expected).abs();
                    assert!(miss < 1e-11 * expected.abs().max(1.0), "{along_x:?}, {along_y:?}, ∂{a} ∂{b} at {x}, {y}");
                }
            }
        }
    }

    /// Derivatives of clamped ends apply to all lines: z = x + 2 y + a wave with zero derivative at the edges.
    #[test]
    fn clamped_edges_have_their_slopes() {
        let z = X.map(|x| Y.map(|y| x + 2.0 * y + 0.3 * (x * x).sin() * y.cos()));
        let ends = [Ends::Clamped([1.5, -0.5]), Ends::Clamped([0.25, 3.0])];
        let s = BicubicSpline::fit(X, Y, z, ends, [Beyond::Linear; 2]).expect("a grid");
        for t in [0.0, 0.35, 1.0] {
            let (x, y) = (X[0] + t * (X[5] - X[0]), Y[0] + t * (Y[4] - Y[0]));
            for (found, expected) in [
                (s.derivatives(X[0], y)[1], 1.5),
                (s.derivatives(X[5], y)[1], -0.5),
                (s.derivatives(x, Y[0])[2], 0.25),
                (s.derivatives(x, Y[4])[2], 3.0),
            ] {
                assert!((found - expected).abs() < 1e-12, "{found}, not {expected}");
            }
        }
    }

    #[test]
    fn bad_grids_are_refused_where_they_are_bad() {
        let z = [[0.0; 5]; 6];
        let bad = |x, y, z, ends| BicubicSpline::fit(x, y, z, ends, [Beyond::Linear; 2]).expect_err("bad");
        let natural = [Ends::Natural; 2];
        let (mut x, mut y, mut w) = (X, Y, z);
        (x[3], y[2], w[4][1]) = (X[2], Y[1], f64::NAN);
        assert_eq!(bad(x, Y, z, natural).to_string(), "line 0 along x: point 3 does not lie right of the one before");
        assert_eq!(
            bad(X, y, z, natural),
            GridError { axis: 1, line: 0, error: SplineError::NotIncreasing { point: 2 } }
        );
        assert_eq!(bad(X, Y, w, natural), GridError { axis: 0, line: 1, error: SplineError::NotFinite { point: 4 } });
        w[4][1] = 1.0;
        w[4][4] = 2.0;
        let none = BicubicSpline::<3, 0>::new([f64::NAN; 3], [], [[]; 3]).expect_err("no points");
        assert_eq!(none, GridError { axis: 1, line: 0, error: SplineError::TooFewPoints { needed: 2, found: 0 } });
        let repeats = [Ends::Natural, Ends::Periodic];
        assert_eq!(bad(X, Y, w, repeats), GridError { axis: 1, line: 4, error: SplineError::NotPeriodic });
    }

    /// NaN in, NaN out.
    #[test]
    fn no_number_has_no_height() {
        let s = BicubicSpline::new(X, Y, [[1.0; 5]; 6]).expect("a grid");
        assert!(s.value(f64::NAN, 0.0).is_nan() && s.value(0.0, f64::NAN).is_nan());
        assert_eq!(BicubicSpline::<3, 2>::default().derivatives(-1.0, 7.0), [0.0; 28]);
    }
}
