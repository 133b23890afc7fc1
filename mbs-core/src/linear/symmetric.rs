//! The fallback when a pivot of a static factorisation vanishes: a dense, rank-revealing solve on slices.
//!
//! It uses iterators and checked access throughout, because generated code that calls it promises no panic path.

use crate::{Error, Real};
use mbs_math::max_norm;

/// Treatment of a matrix of deficient rank in a dense solve.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RankDeficiency {
    /// Any vanishing pivot is [`Error::Singular`].
    Error,
    /// Returns a basic solution, unknowns without a pivot being 0, if the right side lies in the range; else [`Error::Singular`].
    Basic,
}

/// Work space of [`solve_symmetric`], n values each.
#[derive(Debug)]
pub struct DenseWorkspace<'a, T> {
    /// Scale s of rows and columns.
    pub scale: &'a mut [T],
    /// The solution in the order of pivots.
    pub solution: &'a mut [T],
    /// Original index of the unknown at each pivot.
    pub order: &'a mut [usize],
}

/// Solves A x = b for a symmetric, in general indefinite A, such as [M Gᵀ; G 0][x; μ] = [f; g]; returns the rank.
///
/// - `matrix` A, n × n row-major, both triangles; destroyed. `rhs` b, n values; overwritten by x. `t` is for the error.
/// - A is scaled to S A S with largest entries near 1 in every row, so that units do not decide the rank, then
///   eliminated with complete pivoting, (2/3) n³ operations. With [`RankDeficiency::Error`] a pivot vanishes below 1000 n ε of the largest scaled
///   entry where A has a diagonal entry, so that accelerations have three digits. In rows without one, those of G, it vanishes below n ε: near a
///   singular pose the digits that they lose are in the direction of the motion that rows oppose. With [`RankDeficiency::Basic`] it vanishes below
///   ε^¾; a right side is in the range if its remainder after elimination is below √ε of its largest scaled entry.
/// - Redundant constraint rows leave x determined and some multipliers free: a basic solution sets those to 0.
///
/// # Errors
/// [`Error::Singular`] with the largest original index among the unknowns that have no pivot: of dependent constraint
/// rows, the last. [`Error::Size`] if a slice does not fit.
///
/// # Source
/// Golub & Van Loan (2013), Matrix Computations, §3.4 (complete pivoting); Ruiz (2001), RAL-TR-2001-034 (scaling).
pub fn solve_symmetric<T: Real>(
    t: T,
    matrix: &mut [T],
    rhs: &mut [T],
    deficiency: RankDeficiency,
    workspace: DenseWorkspace<'_, T>,
) -> Result<usize, Error<T>> {
    let n = rhs.len();
    let DenseWorkspace { scale, solution, order } = workspace;
    for (expected, found) in [(n * n, matrix.len()), (n, scale.len()), (n, solution.len()), (n, order.len())] {
        if expected != found {
            return Err(Error::Size { expected, found });
        }
    }
    equilibrate(matrix, scale, solution);
    // Until the solution is known, its storage contains the smallest pivots.
    for (i, least) in solution.iter_mut().enumerate() {
        let diagonal = matrix.get(i * n + i).copied().unwrap_or(T::ZERO);
        *least = pivot_tolerance(n, deficiency, diagonal);
    }
    for (i, ((b, s), unknown)) in rhs.iter_mut().zip(scale.iter()).zip(order.iter_mut()).enumerate() {
        *b *= *s;
        *unknown = i;
    }
    let size = max_norm(rhs);
    if !(size.is_finite() && max_norm(matrix).is_finite()) {
        return Err(Error::NotFinite { t });
    }
    let rank = eliminate(matrix, rhs, order, solution);
    if rank < n {
        let row = order.iter().skip(rank).fold(0, |last, row| last.max(*row));
        let remainder = rhs.iter().skip(rank).fold(T::ZERO, |remainder, b| remainder.max(b.abs()));
        if deficiency == RankDeficiency::Error || remainder > T::EPSILON.sqrt() * size {
            return Err(Error::Singular { row, t });
        }
    }
    substitute(matrix, rhs, rank);
    for (b, unknown) in rhs.iter().zip(order.iter()) {
        if let (Some(x), Some(s)) = (solution.get_mut(*unknown), scale.get(*unknown)) {
            *x = *b * *s;
        }
    }
    for (b, x) in rhs.iter_mut().zip(solution.iter()) {
        *b = *x;
    }
    Ok(rank)
}

/// Rounding of a matrix changes a pivot of n terms by n ε of the largest entry. A pivot of so many of these units has three correct digits.
const DIGITS: f64 = 1000.0;

/// Least pivot of an unknown with a given diagonal entry. ε^¾ separates exact redundancy at a pose assembled to round-off from a pose near a
/// singular one.
fn pivot_tolerance<T: Real>(n: usize, deficiency: RankDeficiency, diagonal: T) -> T {
    let rounding = T::from_f64(n as f64) * T::EPSILON;
    match deficiency {
        RankDeficiency::Error if diagonal == T::ZERO => rounding,
        RankDeficiency::Error => T::from_f64(DIGITS) * rounding,
        RankDeficiency::Basic => T::EPSILON.sqrt() * T::EPSILON.sqrt().sqrt(),
    }
}

/// A ← S A S by three sweeps of s_i ← s_i / √(max_j |a_ij|) (Ruiz). `factors` are those of one sweep.
fn equilibrate<T: Real>(matrix: &mut [T], scale: &mut [T], factors: &mut [T]) {
    let n = scale.len().max(1);
    scale.fill(T::ONE);
    for _ in 0..3 {
        for (row, factor) in matrix.chunks_exact(n).zip(factors.iter_mut()) {
            let largest = max_norm(row);
            *factor = if largest > T::ZERO { T::ONE / largest.sqrt() } else { T::ONE };
        }
        for (row, s_i) in matrix.chunks_exact_mut(n).zip(factors.iter()) {
            for (a, s_j) in row.iter_mut().zip(factors.iter()) {
                *a *= *s_i * *s_j;
            }
        }
        for (s, factor) in scale.iter_mut().zip(factors.iter()) {
            *s *= *factor;
        }
    }
}

/// Gaussian elimination with complete pivoting; returns the number of pivots above the tolerances of the unknowns.
fn eliminate<T: Real>(matrix: &mut [T], rhs: &mut [T], order: &mut [usize], tolerances: &[T]) -> usize {
    let n = rhs.len();
    let size = max_norm(matrix);
    for k in 0..n {
        let (row, column, pivot) = largest_entry(matrix, n, k);
        let tolerance = order.get(column).and_then(|unknown| tolerances.get(*unknown));
        if tolerance.is_none_or(|tolerance| pivot <= *tolerance * size) {
            return k;
        }
        for i in 0..n {
            swap(matrix, k * n + i, row * n + i);
        }
        for i in 0..n {
            swap(matrix, i * n + k, i * n + column);
        }
        swap(rhs, k, row);
        swap(order, k, column);
        clear_below(matrix, rhs, k);
    }
    n
}

/// Subtracts multiples of row k from the rows below so that column k vanishes there.
fn clear_below<T: Real>(matrix: &mut [T], rhs: &mut [T], k: usize) {
    let n = rhs.len().max(1);
    let mut rows = matrix.chunks_exact_mut(n).zip(rhs.iter_mut()).skip(k);
    let Some((pivot_row, pivot_rhs)) = rows.next() else { return };
    let mut pivot_entries = pivot_row.iter().skip(k);
    let Some(pivot) = pivot_entries.next() else { return };
    for (row, b) in rows {
        let mut entries = row.iter_mut().skip(k);
        let Some(first) = entries.next() else { return };
        let factor = *first / *pivot;
        *first = T::ZERO;
        for (a, p) in entries.zip(pivot_entries.clone()) {
            *a += -factor * *p;
        }
        *b += -factor * *pivot_rhs;
    }
}

/// Position and size of the largest entry of the trailing submatrix; the first of equals, so that rows keep their order.
fn largest_entry<T: Real>(matrix: &[T], n: usize, k: usize) -> (usize, usize, T) {
    let mut found = (k, k, T::ZERO);
    for (i, row) in matrix.chunks_exact(n.max(1)).enumerate().skip(k) {
        for (j, a) in row.iter().enumerate().skip(k) {
            if a.abs() > found.2 {
                found = (i, j, a.abs());
            }
        }
    }
    found
}

/// Back substitution in the leading rank × rank triangle; the rest of x is 0.
fn substitute<T: Real>(matrix: &[T], rhs: &mut [T], rank: usize) {
    let n = rhs.len().max(1);
    rhs.iter_mut().skip(rank).for_each(|x| *x = T::ZERO);
    for k in (0..rank).rev() {
        // Checked, because chunks taken from their end index the slice with a panic.
        let Some(row) = matrix.get(k * n..k * n + n) else { return };
        let mut entries = row.iter().zip(rhs.iter()).skip(k);
        let Some((pivot, b)) = entries.next() else { return };
        let known = entries.fold(T::ZERO, |sum, (a, x)| sum + *a * *x);
        let x = (*b - known) / *pivot;
        if let Some(b) = rhs.get_mut(k) {
            *b = x;
        }
    }
}

/// Exchanges two entries; does nothing if the indices are equal, or out of range.
fn swap<T>(values: &mut [T], a: usize, b: usize) {
    if let Ok([a, b]) = values.get_disjoint_mut([a, b]) {
        core::mem::swap(a, b);
    }
}
