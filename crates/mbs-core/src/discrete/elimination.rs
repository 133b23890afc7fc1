//! Gaussian elimination of a general matrix with several right sides.

use crate::vector::{add_scaled, max_norm};
use crate::{Error, Real};

/// Why there is no solution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Failure {
    /// The unknown whose pivot vanishes.
    Singular(usize),
    /// An entry is infinite or NaN.
    NotFinite,
}

impl Failure {
    /// As an error of a step: `row` tells what is reported for an unknown.
    pub(super) fn at<T: Real>(self, t: T, row: impl Fn(usize) -> usize) -> Error<T> {
        match self {
            Failure::Singular(unknown) => Error::Singular { row: row(unknown), t },
            Failure::NotFinite => Error::NotFinite { t },
        }
    }
}

/// Solves A X = B: `a` is n × n and destroyed, `b` n × m and overwritten by X, both row-major.
///
/// Rows are scaled to a largest entry of 1 and interchanged (partial pivoting); (2/3) n³ + 2 n² m operations. A pivot
/// vanishes below n ε of what stands above it in its column, whatever the unit of the unknown.
///
/// # Source
/// Golub & Van Loan (2013), Matrix Computations, §3.4.
pub(super) fn solve<T: Real>(a: &mut [T], b: &mut [T], (n, m): (usize, usize)) -> Result<(), Failure> {
    let (a, b) = (&mut a[..n * n], &mut b[..n * m]);
    if !(max_norm(a).is_finite() && max_norm(b).is_finite()) {
        return Err(Failure::NotFinite);
    }
    for i in 0..n {
        let row = &mut a[i * n..][..n];
        let largest = max_norm(row);
        if largest <= T::ZERO {
            return Err(Failure::Singular(i));
        }
        let scale = T::ONE / largest;
        for x in row.iter_mut().chain(&mut b[i * m..][..m]) {
            *x *= scale;
        }
    }
    for k in 0..n {
        eliminate(a, b, (n, m), k)?;
    }
    for k in (0..n).rev() {
        let (above, solved) = b.split_at_mut(k * m);
        let x = &mut solved[..m];
        for x in x.iter_mut() {
            *x /= a[k * n + k];
        }
        for (i, row) in above.chunks_exact_mut(m.max(1)).enumerate() {
            add_scaled(row, -a[i * n + k], x);
        }
    }
    Ok(())
}

/// Brings the largest entry of column k below the diagonal to the diagonal, and clears what is below it.
fn eliminate<T: Real>(a: &mut [T], b: &mut [T], (n, m): (usize, usize), k: usize) -> Result<(), Failure> {
    let size = |i: usize| a[i * n + k].abs();
    let above = (0..k).map(size).fold(T::ZERO, T::max);
    let chosen = (k + 1..n).fold(k, |best, i| if size(i) > size(best) { i } else { best });
    let pivot = size(chosen);
    if pivot <= T::from_f64(n as f64) * T::EPSILON * above || pivot <= T::ZERO {
        return Err(Failure::Singular(k));
    }
    if chosen != k {
        (0..n).for_each(|j| a.swap(k * n + j, chosen * n + j));
        (0..m).for_each(|j| b.swap(k * m + j, chosen * m + j));
    }
    let (done, below) = a.split_at_mut((k + 1) * n);
    let (done_b, below_b) = b.split_at_mut((k + 1) * m);
    let (row, row_b) = (&done[k * n + k..], &done_b[k * m..]);
    for (i, other) in below.chunks_exact_mut(n).enumerate() {
        let factor = other[k] / row[0];
        add_scaled(&mut other[k + 1..], -factor, &row[1..]);
        add_scaled(&mut below_b[i * m..][..m], -factor, row_b);
    }
    Ok(())
}
