//! Coefficients of cubic splines, without allocation: the pieces to be computed serve as work space.
//!
//! Numbers in parentheses are the equations of [`super`].

use super::{Beyond, Cubic, Ends, SplineError};

/// Entries of a piece while (3) is solved: the elimination factor, mᵢ, and the solution for the vector u of a periodic system.
const FACTOR: usize = 1;
const MOMENT: usize = 2;
const CORNER: usize = 3;

/// The pieces of one of several splines: every `stride`-th piece from `first` on.
struct Column<'p> {
    pieces: &'p mut [Cubic],
    first: usize,
    stride: usize,
}

impl Column<'_> {
    fn piece(&mut self, i: usize) -> &mut Cubic {
        &mut self.pieces[self.first + i * self.stride]
    }
}

/// A row of the tridiagonal system: the entries left of, on and right of the diagonal, and the right side.
#[derive(Clone, Copy, Default)]
struct Row {
    left: f64,
    diagonal: f64,
    right: f64,
    side: f64,
}

/// Overwrites the pieces of spline k of m with common knots, where `layout` is (k, m), and returns the cubic left of the first knot. `pieces`
/// has the pieces of all m splines, knot by knot: m times the number of points.
///
/// # Errors
/// [`SplineError`]. The pieces are then undefined.
pub fn fit_pieces(
    x: &[f64],
    y: &[f64],
    ends: Ends,
    beyond: Beyond,
    pieces: &mut [Cubic],
    layout: (usize, usize),
) -> Result<Cubic, SplineError> {
    check(x, y, ends)?;
    let mut column = Column { pieces, first: layout.0, stride: layout.1 };
    // By rounding, a reduced periodic argument may be slightly beyond the ends.
    let beyond = if ends == Ends::Periodic { Beyond::Cubic } else { beyond };
    match ends {
        Ends::Periodic => solve_periodic(x, y, &mut column),
        _ => solve_open(x, y, ends, &mut column),
    }
    finish(x, y, beyond, &mut column)
}

/// Overwrites the pieces of spline k of m from the second derivatives at the knots, as [`fit_pieces`] does from conditions at the ends.
///
/// # Errors
/// [`SplineError`]. The pieces are then undefined.
pub fn finish_pieces(
    x: &[f64],
    y: &[f64],
    second_derivatives: &[f64],
    beyond: Beyond,
    pieces: &mut [Cubic],
    layout: (usize, usize),
) -> Result<Cubic, SplineError> {
    check(x, y, Ends::Natural)?;
    let mut column = Column { pieces, first: layout.0, stride: layout.1 };
    if second_derivatives.len() != x.len() {
        return Err(SplineError::Lengths { points: x.len(), values: second_derivatives.len() });
    }
    second_derivatives.iter().enumerate().for_each(|(i, m)| column.piece(i)[MOMENT] = *m);
    finish(x, y, beyond, &mut column)
}

fn check(x: &[f64], y: &[f64], ends: Ends) -> Result<(), SplineError> {
    let (found, needed) = (x.len(), ends.fewest_points());
    if found < needed {
        return Err(SplineError::TooFewPoints { needed, found });
    }
    if y.len() != found {
        return Err(SplineError::Lengths { points: found, values: y.len() });
    }
    for point in 0..found {
        if !(x[point].is_finite() && y[point].is_finite()) {
            return Err(SplineError::NotFinite { point });
        }
        if point > 0 && x[point] <= x[point - 1] {
            return Err(SplineError::NotIncreasing { point });
        }
    }
    match ends {
        Ends::Clamped([first, _]) if !first.is_finite() => Err(SplineError::NotFinite { point: 0 }),
        Ends::Clamped([_, last]) if !last.is_finite() => Err(SplineError::NotFinite { point: found - 1 }),
        Ends::Periodic if y[0] != y[found - 1] => Err(SplineError::NotPeriodic),
        _ => Ok(()),
    }
}

/// xᵢ₊₁ − xᵢ and (yᵢ₊₁ − yᵢ) / hᵢ.
fn step(x: &[f64], y: &[f64], i: usize) -> (f64, f64) {
    let h = x[i + 1] - x[i];
    (h, (y[i + 1] - y[i]) / h)
}

/// (3) at an inner point, or where the pieces `left` and `right` meet.
fn inner(left: (f64, f64), right: (f64, f64)) -> Row {
    Row { left: left.0, diagonal: 2.0 * (left.0 + right.0), right: right.0, side: 6.0 * (right.1 - left.1) }
}

/// Row i of the system with conditions at both ends.
fn row(x: &[f64], y: &[f64], ends: Ends, i: usize) -> Row {
    let last = x.len() - 1;
    if i == 0 || i == last {
        let (h, quotient) = step(x, y, if i == 0 { 0 } else { last - 1 });
        return match ends {
            // 2 h m₀ + h m₁ = 6 ((y₁ − y₀) / h − s′(x₀)), and its mirror image.
            Ends::Clamped([s, _]) if i == 0 => {
                Row { left: 0.0, diagonal: 2.0 * h, right: h, side: 6.0 * (quotient - s) }
            }
            Ends::Clamped([_, s]) => Row { left: h, diagonal: 2.0 * h, right: 0.0, side: 6.0 * (s - quotient) },
            // Natural: m = 0. Not a knot: m is computed when the others are known.
            _ => Row { diagonal: 1.0, ..Row::default() },
        };
    }
    let (left, right) = (step(x, y, i - 1), step(x, y, i));
    let mut row = inner(left, right);
    if ends == Ends::NotAKnot {
        // m₀ = m₁ − (h₀ / h₁) (m₂ − m₁) in (3).
        if i == 1 {
            let ratio = left.0 / right.0;
            row = Row {
                left: 0.0,
                diagonal: row.diagonal + left.0 * (1.0 + ratio),
                right: right.0 - left.0 * ratio,
                ..row
            };
        }
        if i == last - 1 {
            let ratio = right.0 / left.0;
            row = Row {
                right: 0.0,
                diagonal: row.diagonal + right.0 * (1.0 + ratio),
                left: left.0 - right.0 * ratio,
                ..row
            };
        }
    }
    row
}

/// m of a spline with conditions at its ends, by Thomas' elimination.
fn solve_open(x: &[f64], y: &[f64], ends: Ends, column: &mut Column<'_>) {
    let n = x.len();
    let (mut factor, mut side) = (0.0, 0.0);
    for i in 0..n {
        let row = row(x, y, ends, i);
        let pivot = row.diagonal - row.left * factor;
        factor = row.right / pivot;
        side = (row.side - row.left * side) / pivot;
        column.piece(i)[FACTOR] = factor;
        column.piece(i)[MOMENT] = side;
    }
    for i in (0..n - 1).rev() {
        let next = column.piece(i + 1)[MOMENT];
        let factor = column.piece(i)[FACTOR];
        column.piece(i)[MOMENT] -= factor * next;
    }
    if ends == Ends::NotAKnot {
        let outer = |near: f64, far: f64, ratio: f64| near - ratio * (far - near);
        let ratio = |a: usize, b: usize| step(x, y, a).0 / step(x, y, b).0;
        let (m1, m2) = (column.piece(1)[MOMENT], column.piece(2)[MOMENT]);
        column.piece(0)[MOMENT] = outer(m1, m2, ratio(0, 1));
        let (m1, m2) = (column.piece(n - 2)[MOMENT], column.piece(n - 3)[MOMENT]);
        column.piece(n - 1)[MOMENT] = outer(m1, m2, ratio(n - 2, n - 3));
    }
}

/// m of a periodic spline: a tridiagonal system with corners, by the formula of Sherman and Morrison.
fn solve_periodic(x: &[f64], y: &[f64], column: &mut Column<'_>) {
    let k = x.len() - 1;
    let corner = step(x, y, k - 1).0;
    let row = |i: usize| inner(step(x, y, if i == 0 { k - 1 } else { i - 1 }), step(x, y, i));
    // A = B + u vᵀ with u = (g, 0, …, corner) and v = (1, 0, …, corner / g).
    let g = -row(0).diagonal;
    let (mut factor, mut side, mut aside) = (0.0, 0.0, 0.0);
    for i in 0..k {
        let mut row = row(i);
        let mut u = 0.0;
        if i == 0 {
            (row.left, row.diagonal, u) = (0.0, row.diagonal - g, g);
        }
        if i == k - 1 {
            (row.right, row.diagonal, u) = (0.0, row.diagonal - corner * corner / g, corner);
        }
        let pivot = row.diagonal - row.left * factor;
        factor = row.right / pivot;
        side = (row.side - row.left * side) / pivot;
        aside = (u - row.left * aside) / pivot;
        let piece = column.piece(i);
        (piece[FACTOR], piece[MOMENT], piece[CORNER]) = (factor, side, aside);
    }
    for i in (0..k - 1).rev() {
        let next = *column.piece(i + 1);
        let piece = column.piece(i);
        piece[MOMENT] -= piece[FACTOR] * next[MOMENT];
        piece[CORNER] -= piece[FACTOR] * next[CORNER];
    }
    let dot_v =
        |column: &mut Column<'_>, entry: usize| column.piece(0)[entry] + corner / g * column.piece(k - 1)[entry];
    let amount = dot_v(column, MOMENT) / (1.0 + dot_v(column, CORNER));
    for i in 0..k {
        let piece = column.piece(i);
        piece[MOMENT] -= amount * piece[CORNER];
    }
    column.piece(k)[MOMENT] = column.piece(0)[MOMENT];
}

/// Computes (2) from the second derivatives at the knots; returns the cubic left of the first knot.
fn finish(x: &[f64], y: &[f64], beyond: Beyond, column: &mut Column<'_>) -> Result<Cubic, SplineError> {
    let last = x.len() - 1;
    for i in 0..last {
        let (h, quotient) = step(x, y, i);
        let (m, next) = (column.piece(i)[MOMENT], column.piece(i + 1)[MOMENT]);
        *column.piece(i) = [y[i], quotient - h * (2.0 * m + next) / 6.0, m / 2.0, (next - m) / (6.0 * h)];
    }
    let (h, quotient) = step(x, y, last - 1);
    let m = column.piece(last)[MOMENT];
    let [.., before, third] = *column.piece(last - 1);
    // s′ at the last knot, from the left: the mirror image of (2).
    let end = quotient + h * (2.0 * m + 2.0 * before) / 6.0;
    let mut first = *column.piece(0);
    *column.piece(last) = [y[last], end, m / 2.0, third];
    if beyond == Beyond::Linear {
        (first[2], first[3]) = (0.0, 0.0);
        let end = column.piece(last);
        (end[2], end[3]) = (0.0, 0.0);
    }
    let finite = (0..=last).all(|i| column.piece(i).iter().all(|c| c.is_finite()));
    if finite { Ok(first) } else { Err(SplineError::Overflow) }
}
