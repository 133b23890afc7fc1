//! Vectors and matrices of space, as arrays.

use crate::{Real, Vector};

/// a · b.
#[inline]
pub fn inner<T: Real>(a: [T; 3], b: [T; 3]) -> T {
    Vector(a).dot(Vector(b))
}

/// a × b.
#[inline]
pub fn cross<T: Real>(a: [T; 3], b: [T; 3]) -> [T; 3] {
    Vector(a).cross(Vector(b)).0
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
