//! Bicubic splines: functions of x and y through the points of a grid, which are cubic splines in x for each y and in y for each x.
//!
//! With the cell right of xᵢ and yⱼ, d = x − xᵢ and e = y − yⱼ,
//!
//! 1. s(x, y) = Σ cₖₗ dᵏ eˡ, k, l = 0 … 3,
//!
//! where for each k a spline in y interpolates the coefficients of dᵏ of the splines in x through (xᵢ, zᵢⱼ), of which there is one for each j.
//! All derivatives ∂ᵏ⁺ˡs/∂xᵏ∂yˡ with k, l ≤ 2 are continuous, and the result is the same with x and y exchanged.
//!
//! Source: de Boor, Bicubic spline interpolation, J. Math. Phys. 41 (1962) 212–218.

use core::fmt;

use super::{Beyond, Cubic, Ends, SplineError, derivatives, fit_pieces, locate};

/// Coefficients cₖₗ of a cell: entry k has the coefficients of dᵏ, in powers of e.
pub type Cell = [Cubic; 4];

/// s and its derivatives of all orders up to the sixth, beyond which all are zero: by order, and within an order by increasing number of
/// derivatives with respect to y.
pub type Orders = [f64; 28];

/// Reason why there is no spline through the points of a grid.
#[derive(Clone, Copy, PartialEq)]
pub struct GridError {
    /// Direction of the line with the error: 0 for x, 1 for y.
    pub axis: usize,
    /// Index of the line among those of that direction.
    pub line: usize,
    /// The error on that line.
    pub error: SplineError,
}

/// Writes the text of `Display`, so that a `main` that returns the error shows it.
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
    /// Knots x₀ … and y₀ ….
    pub knots: [&'a [f64]; 2],
    /// One cell for each pair of knots (xᵢ, yⱼ), to the right of them: all cells of x₀ first.
    pub cells: &'a [Cell],
    /// Periods in x and y, 0 where not periodic.
    pub periods: [f64; 2],
    /// Whether the spline is linear in x for x < x₀, and in y for y < y₀.
    pub straight: [bool; 2],
}

impl Grid<'_> {
    /// (1) with its derivatives, after one search for the cell in x and one in y.
    pub fn evaluate(&self, x: f64, y: f64) -> Orders {
        let [(i, d), (j, e)] = [(0, x), (1, y)].map(|(axis, x)| locate(self.knots[axis], self.periods[axis], x));
        let index = i.unwrap_or(0) * self.knots[1].len() + j.unwrap_or(0);
        let Some(cell) = self.cells.get(index) else { return [f64::NAN; 28] };
        let has_power =
            |axis: usize, piece: Option<usize>, power: usize| power < 2 || piece.is_some() || !self.straight[axis];
        let term = |k: usize, l: usize| if has_power(0, i, k) && has_power(1, j, l) { cell[k][l] } else { 0.0 };
        let derivatives_in_y = [0, 1, 2, 3].map(|k| derivatives(&[0, 1, 2, 3].map(|l| term(k, l)), e));
        let s = [0, 1, 2, 3].map(|l| derivatives(&derivatives_in_y.map(|orders| orders[l]), d));
        // s[l][k] is the derivative of order k in x and l in y.
        let orders = (0..=6_usize).flat_map(|order| (0..=order).map(move |l| (order - l, l)));
        let mut all = [0.0; 28];
        for (entry, (k, l)) in all.iter_mut().zip(orders) {
            *entry = s.get(l).and_then(|derivatives_in_x| derivatives_in_x.get(k)).copied().unwrap_or(0.0);
        }
        all
    }
}

/// Overwrites the cells of a grid with n knots xᵢ and m knots yⱼ: n m cells, all those of x₀ first. z(i, j) is the value at (xᵢ, yⱼ). The two
/// work arrays have n and 4 m entries.
///
/// # Errors
/// [`GridError`]. The cells are then undefined.
pub fn fit_cells(
    [x, y]: [&[f64]; 2],
    z: impl Fn(usize, usize) -> f64,
    ends: [Ends; 2],
    beyond: [Beyond; 2],
    cells: &mut [Cell],
    (work_x, work_y): (&mut [f64], &mut [f64]),
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
        work_x.iter_mut().enumerate().for_each(|(i, entry)| *entry = z(i, j));
        // Until the splines in y are fitted, the first cubic of a cell is the piece in x at yⱼ.
        fit_pieces(x, work_x, ends[0], beyond[0], pieces, (j * per_knot, m * per_knot)).map_err(|error| GridError {
            axis: 0,
            line: j,
            error,
        })?;
    }
    for i in 0..x.len() {
        let corners = &mut pieces[i * m * per_knot..][..m * per_knot];
        for j in 0..m {
            for (k, c) in corners[j * per_knot].into_iter().enumerate() {
                work_y[k * m + j] = c;
            }
        }
        for (k, values) in work_y.chunks_exact(m.max(1)).take(4).enumerate() {
            // The derivatives at the ends do not depend on x.
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

/// Period of splines with such ends, or 0, and whether they are linear left of the first knot.
pub fn continuation(knots: &[f64], ends: Ends, beyond: Beyond) -> (f64, bool) {
    match (ends, knots) {
        (Ends::Periodic, [first, .., last]) => (last - first, false),
        _ => (0.0, beyond == Beyond::Linear),
    }
}

/// A bicubic spline through the points of a grid of N by M, for example a height over x and y.
///
/// It is `Copy`, has a fixed size, 128 bytes for each point, and allocates nothing. It is a parameter of a mechanism if the declaration has
/// `function hill(x, y): opaque(3, Hill);` and the program `type Hill = mbs::BicubicSpline<16, 12>;`.
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
    /// The natural spline through the points (xᵢ, yⱼ, zᵢⱼ), linear beyond the edges.
    ///
    /// # Errors
    /// As [`BicubicSpline::fit`].
    pub fn new(x: [f64; N], y: [f64; M], z: [[f64; M]; N]) -> Result<Self, GridError> {
        Self::fit(x, y, z, [Ends::Natural; 2], [Beyond::Linear; 2])
    }

    /// The spline through the points (xᵢ, yⱼ, zᵢⱼ); z has a list of the values at all yⱼ for each xᵢ. Conditions at the ends, and continuations
    /// beyond them, are given for x and for y; derivatives at clamped ends apply to all lines of the grid.
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
        let (mut work_x, mut work_y) = ([0.0; N], [[0.0; M]; 4]);
        let work = (&mut work_x[..], work_y.as_flattened_mut());
        fit_cells([&x, &y], |i, j| z[i][j], ends, beyond, cells.as_flattened_mut(), work)?;
        let [(a, b), (c, d)] = [continuation(&x, ends[0], beyond[0]), continuation(&y, ends[1], beyond[1])];
        Ok(BicubicSpline { x, y, cells, periods: [a, c], straight: [b, d] })
    }

    /// The spline with the coefficients that a fit computed, for generated code. Nothing is checked.
    pub const fn from_parts(
        x: [f64; N],
        y: [f64; M],
        cells: [[Cell; M]; N],
        periods: [f64; 2],
        straight: [bool; 2],
    ) -> Self {
        BicubicSpline { x, y, cells, periods, straight }
    }

    /// The value s(x, y).
    pub fn value(&self, x: f64, y: f64) -> f64 {
        self.derivatives(x, y)[0]
    }

    /// s; s_x, s_y; s_xx, s_xy, s_yy; and so on up to the sixth order. At a knot, third derivatives are those of the piece on its right.
    pub fn derivatives(&self, x: f64, y: f64) -> Orders {
        let (knots, cells) = ([&self.x[..], &self.y[..]], self.cells.as_flattened());
        Grid { knots, cells, periods: self.periods, straight: self.straight }.evaluate(x, y)
    }
}

/// The zero function, with knots 0, 1, 2, …: the value of a parameter of a mechanism until it is set.
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

    /// Derivative of order a in x and b in y of (1), with d = x, e = y and cₖₗ = 1 / (1 + k + 2 l).
    fn bicubic(x: f64, y: f64, [a, b]: [usize; 2]) -> f64 {
        let falling = |k: usize, a: usize| (0..a).map(|i| k as f64 - i as f64).product::<f64>();
        let power = |x: f64, k: usize, a: usize| if k < a { 0.0 } else { falling(k, a) * x.powi((k - a) as i32) };
        let term = |k: usize, l: usize| power(x, k, a) * power(y, l, b) / (1 + k + 2 * l) as f64;
        (0..4).flat_map(|k| (0..4).map(move |l| (k, l))).map(|(k, l)| term(k, l)).sum()
    }

    fn orders() -> impl Iterator<Item = [usize; 2]> {
        (0..=6).flat_map(|n: usize| (0..=n).map(move |b| [n - b, b]))
    }

    fn points() -> impl Iterator<Item = (f64, f64)> {
        let x = [-1.7, -1.0, -0.7, 0.3, 0.5, 1.7, 2.6];
        x.into_iter().flat_map(|x| [-0.9, -0.5, 0.2, 0.4, 1.3, 1.5, 2.2].map(|y| (x, y)))
    }

    /// The spline through points of a polynomial of third degree in x and in y is that polynomial, also beyond the ends. The tolerance is the
    /// round-off of terms of some 10², with coefficients that lose 4 digits.
    #[test]
    fn through_points_of_a_bicubic_passes_the_bicubic() {
        let z = X.map(|x| Y.map(|y| bicubic(x, y, [0, 0])));
        let s = BicubicSpline::fit(X, Y, z, [Ends::NotAKnot; 2], [Beyond::Cubic; 2]).expect("a grid");
        for (x, y) in points() {
            for (order, found) in orders().zip(s.derivatives(x, y)) {
                let expected = bicubic(x, y, order);
                let miss = (found - expected).abs();
                assert!(miss < 1e-11 * expected.abs().max(1.0), "{order:?} at {x}, {y}: {found}, not {expected}");
            }
        }
    }

    /// The product of two splines is the spline of the products, for each kind of ends in x with each in y, within and beyond the grid.
    #[test]
    fn products_of_splines_are_splines_of_the_products() {
        let f = [0.0, 0.7, -0.4, 1.1, 0.2, 0.0];
        let g = [1.0, -0.6, 0.8, 0.3, 1.0];
        let kinds = [
            (Ends::Natural, Beyond::Linear),
            (Ends::Natural, Beyond::Cubic),
            (Ends::NotAKnot, Beyond::Linear),
            (Ends::Periodic, Beyond::Cubic),
        ];
        let z = f.map(|f| g.map(|g| f * g));
        for (in_x, in_y) in kinds.into_iter().flat_map(|a| kinds.map(|b| (a, b))) {
            let p = super::super::CubicSpline::fit(X, [f], in_x.0, in_x.1).expect("increasing");
            let q = super::super::CubicSpline::fit(Y, [g], in_y.0, in_y.1).expect("increasing");
            let s = BicubicSpline::fit(X, Y, z, [in_x.0, in_y.0], [in_x.1, in_y.1]).expect("a grid");
            for (x, y) in points() {
                let ([p], [q]) = (p.evaluate(x), q.evaluate(y));
                for ([a, b], found) in orders().zip(s.derivatives(x, y)) {
                    let expected = if a > 3 || b > 3 { 0.0 } else { p[a] * q[b] };
                    let miss = (found - expected).abs();
                    assert!(miss < 1e-11 * expected.abs().max(1.0), "{in_x:?}, {in_y:?}, ∂{a} ∂{b} at {x}, {y}");
                }
            }
        }
    }

    /// Derivatives of clamped ends apply to all lines: z = x + 2 y + a wave with zero derivative at the edges.
    #[test]
    fn clamped_edges_have_the_given_derivatives() {
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
    fn errors_name_the_line_of_the_grid() {
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

    /// At NaN the value is NaN.
    #[test]
    fn nan_gives_nan() {
        let s = BicubicSpline::new(X, Y, [[1.0; 5]; 6]).expect("a grid");
        assert!(s.value(f64::NAN, 0.0).is_nan() && s.value(0.0, f64::NAN).is_nan());
        assert_eq!(BicubicSpline::<3, 2>::default().derivatives(-1.0, 7.0), [0.0; 28]);
    }
}
