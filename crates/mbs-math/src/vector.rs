//! Arithmetic on slices.

use crate::Real;

/// Largest absolute value, 0 for an empty slice; not finite if any entry is not.
#[inline]
pub fn max_norm<T: Real>(values: &[T]) -> T {
    // Four independent maxima, so that the processor computes them in parallel.
    let mut largest = [T::ZERO; 4];
    let groups = values.chunks_exact(4);
    for (largest, value) in largest.iter_mut().zip(groups.remainder()) {
        *largest = value.abs();
    }
    for group in groups {
        for (largest, value) in largest.iter_mut().zip(group) {
            *largest = largest.max(value.abs());
        }
    }
    let [a, b, c, d] = largest;
    if all_finite(values) { a.max(b).max(c.max(d)) } else { T::ONE / T::ZERO }
}

/// The matrix whose entries are listed row by row; missing entries are zero.
#[inline]
pub fn matrix_of_rows<const ROWS: usize, const COLUMNS: usize>(flat: &[f64]) -> [[f64; COLUMNS]; ROWS] {
    let mut matrix = [[0.0; COLUMNS]; ROWS];
    for (row, chunk) in matrix.iter_mut().zip(flat.chunks_exact(COLUMNS.max(1))) {
        row.copy_from_slice(chunk);
    }
    matrix
}

/// Index and absolute value of the first entry that is not finite, or else of the first of largest absolute value; (0, 0) for an empty slice.
pub fn largest<T: Real>(values: &[T]) -> (usize, T) {
    let mut found = (0, T::ZERO);
    for (index, value) in values.iter().enumerate() {
        let size = value.abs();
        if !size.is_finite() {
            return (index, size);
        }
        if size > found.1 {
            found = (index, size);
        }
    }
    found
}

/// The scalar product aᵀ b, over the shorter of the two lengths.
#[inline]
pub fn dot<T: Real>(a: &[T], b: &[T]) -> T {
    a.iter().zip(b).fold(T::ZERO, |sum, (a, b)| sum + *a * *b)
}

/// y ← y + s x: adds to y.
#[inline]
pub fn add_scaled<T: Real>(y: &mut [T], s: T, x: &[T]) {
    for (y, x) in y.iter_mut().zip(x) {
        *y += s * *x;
    }
}

/// out ← y + s x, each element up to the end of the shortest slice.
#[inline]
pub fn set_sum_scaled<T: Real>(out: &mut [T], y: &[T], s: T, x: &[T]) {
    for ((out, y), x) in out.iter_mut().zip(y).zip(x) {
        *out = *y + s * *x;
    }
}

/// y ← −y: overwrites y.
#[inline]
pub fn negate<T: Real>(y: &mut [T]) {
    for y in y {
        *y = -*y;
    }
}

/// Whether all values are finite.
#[inline]
#[allow(clippy::eq_op)] // x − x is intended
pub fn all_finite<T: Real>(values: &[T]) -> bool {
    // x − x is 0 for finite x and NaN for all others: no branch for each value, and four independent sums, which the processor computes in parallel.
    let mut sums = [T::ZERO; 4];
    let groups = values.chunks_exact(4);
    for x in groups.remainder() {
        sums[0] += *x - *x;
    }
    for group in groups {
        for (sum, x) in sums.iter_mut().zip(group) {
            *sum += *x - *x;
        }
    }
    let [a, b, c, d] = sums;
    (a + b) + (c + d) == T::ZERO
}
