//! Vectors and matrices of space, as arrays.

use crate::Real;

/// a · b.
#[inline]
pub fn inner<T: Real>(a: [T; 3], b: [T; 3]) -> T {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// a × b.
#[inline]
pub fn cross<T: Real>(a: [T; 3], b: [T; 3]) -> [T; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

/// A x, with A an array of rows.
#[inline]
pub fn transform<T: Real>(a: [[T; 3]; 3], x: [T; 3]) -> [T; 3] {
    a.map(|row| inner(row, x))
}

/// Aᵀ.
#[inline]
pub fn transposed<T: Real>(a: [[T; 3]; 3]) -> [[T; 3]; 3] {
    core::array::from_fn(|i| core::array::from_fn(|j| a[j][i]))
}

/// A B, such as R_WC = R_WB R_BC.
#[inline]
pub fn compose<T: Real>(a: [[T; 3]; 3], b: [[T; 3]; 3]) -> [[T; 3]; 3] {
    let columns = transposed(b);
    a.map(|row| columns.map(|column| inner(row, column)))
}

/// √(x · x).
#[inline]
pub(super) fn length<T: Real>(x: [T; 3]) -> T {
    inner(x, x).sqrt()
}

/// s x.
#[inline]
pub(super) fn scaled<T: Real>(s: T, x: [T; 3]) -> [T; 3] {
    x.map(|x| s * x)
}

/// x + s y.
#[inline]
pub(super) fn added<T: Real>(x: [T; 3], s: T, y: [T; 3]) -> [T; 3] {
    [x[0] + s * y[0], x[1] + s * y[1], x[2] + s * y[2]]
}
