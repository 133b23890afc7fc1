//! Square matrices of a motion, eliminated with an order of rows that may be reused from pose to pose: P A = L U.
//!
//! Whether det A keeps its sign between two poses is decided by eliminating A₀ and A₁ together, with the interchanges of rows that A₁ requires. If
//! all pairs of pivots have equal signs, so have all leading minors, those of each of several loops among them. For short steps A₀ is near A₁, and
//! the signs are equal.

use crate::Real;
use mbs_math::add_scaled;

/// Least pivot, relative to its value when its row was chosen.
const KEPT: f64 = 0.1;

/// A row number of an order.
pub(crate) fn index<T: Real>(row: T) -> usize {
    row.to_f64() as usize
}

/// Eliminates `matrix` with its rows in a given order; `factors` are multipliers below the diagonal and reciprocals of pivots on it. Returns false
/// if a pivot has not the sign and the size of `pivots`.
#[inline(always)] // n is a constant of generated types: loops unroll
pub(crate) fn eliminate_in_order<T: Real>(
    matrix: &[T],
    order: &[T],
    pivots: &[T],
    factors: &mut [T],
    n: usize,
) -> bool {
    for i in 0..n {
        let start = index(order[i]) * n;
        factors[i * n..(i + 1) * n].copy_from_slice(&matrix[start..start + n]);
    }
    for k in 0..n {
        // NaN is no pivot.
        if factors[k * n + k] / pivots[k] > T::from_f64(KEPT) {
            eliminate_column(factors, n, k);
        } else {
            return false;
        }
    }
    true
}

/// Eliminates `matrix` with interchanges for the largest pivots, and writes the order and the pivots. Returns false if a pivot nearly vanishes
/// compared with its column.
pub(crate) fn eliminate_interchanged<T: Real>(
    matrix: &[T],
    order: &mut [T],
    pivots: &mut [T],
    factors: &mut [T],
    n: usize,
) -> bool {
    factors.copy_from_slice(matrix);
    for (k, number) in order.iter_mut().enumerate() {
        *number = T::from_f64(k as f64);
    }
    let tolerance = T::EPSILON.sqrt().sqrt();
    for k in 0..n {
        let size = |values: &[T], i: usize| values[i * n + k].abs();
        let mut row = k;
        for i in k + 1..n {
            if size(factors, i) > size(factors, row) {
                row = i;
            }
        }
        let column = (0..n).fold(T::ZERO, |largest, i| largest.max(size(matrix, i)));
        let pivot = size(factors, row);
        let is_regular = pivot > tolerance * column && pivot.is_finite();
        if !is_regular {
            return false;
        }
        if row != k {
            order.swap(k, row);
            for j in 0..n {
                factors.swap(k * n + j, row * n + j);
            }
        }
        pivots[k] = factors[k * n + k];
        eliminate_column(factors, n, k);
    }
    true
}

/// Eliminates column k from the rows below row k.
#[inline(always)]
fn eliminate_column<T: Real>(factors: &mut [T], n: usize, k: usize) {
    let (above, below) = factors.split_at_mut((k + 1) * n);
    let (head, pivot_row) = above[k * n..].split_at_mut(k + 1);
    let reciprocal = T::ONE / head[k];
    head[k] = reciprocal;
    let mut start = k;
    while let Some(entry) = below.get_mut(start) {
        if *entry != T::ZERO {
            let factor = *entry * reciprocal;
            *entry = factor;
            add_scaled(&mut below[start + 1..], -factor, pivot_row);
        }
        start += n;
    }
}

/// Solves L U x = P g in place, from the factors of [`eliminate_in_order`] or [`eliminate_interchanged`].
#[inline(always)] // n is a constant of generated types: loops unroll
pub(crate) fn substitute<T: Real>(factors: &[T], x: &mut [T], n: usize) {
    // Column by column and without zeros, so that no product waits for an unrelated sum.
    for j in 0..n {
        let value = x[j];
        for i in j + 1..n {
            let factor = factors[i * n + j];
            if factor != T::ZERO {
                x[i] -= factor * value;
            }
        }
    }
    for j in (0..n).rev() {
        let value = x[j] * factors[j * n + j];
        x[j] = value;
        for i in 0..j {
            let factor = factors[i * n + j];
            if factor != T::ZERO {
                x[i] -= factor * value;
            }
        }
    }
}

/// Whether the pivots of two n × n matrices have equal signs, rows interchanged in both for the largest pivots of the second. Both
/// are overwritten.
pub(crate) fn have_equal_signs<T: Real>(first: &mut [T], second: &mut [T], n: usize) -> bool {
    for k in 0..n {
        let mut row = k;
        for i in k + 1..n {
            if second[i * n + k].abs() > second[row * n + k].abs() {
                row = i;
            }
        }
        for matrix in [&mut *first, &mut *second] {
            if row != k {
                for j in k..n {
                    matrix.swap(k * n + j, row * n + j);
                }
            }
        }
        let signs = first[k * n + k] * second[k * n + k];
        // Zero and NaN do not count as equal signs.
        if signs > T::ZERO {
            eliminate_column(first, n, k);
            eliminate_column(second, n, k);
        } else {
            return false;
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::{eliminate_in_order, eliminate_interchanged, have_equal_signs};

    /// Needs rows 1, 2, 0.
    const G: [f64; 9] = [0.0, 0.1, 4.0, 2.0, 0.0, 1.0, 1.0, 5.0, 0.0];

    #[test]
    fn rows_keep_their_order_as_long_as_pivots_keep_their_signs_and_sizes() {
        let (mut order, mut pivots, mut factors) = ([0.0; 3], [0.0; 3], [0.0; 9]);
        assert!(eliminate_interchanged(&G, &mut order, &mut pivots, &mut factors, 3));
        assert_eq!((order, pivots[0], pivots[1]), ([1.0, 2.0, 0.0], 2.0, 5.0));
        // The first pivot, the second, then the last is scaled: 0.3 keeps the order, 0.05, zero, and a change of sign do not.
        for (part, expected) in
            [(1.0, true), (0.3, true), (0.05, false), (0.0, false), (-1.0, false), (f64::NAN, false)]
        {
            for entry in [3, 7, 2] {
                let mut matrix = G;
                matrix[entry] *= part;
                let kept = eliminate_in_order(&matrix, &order, &pivots, &mut factors, 3);
                assert_eq!(kept, expected, "entry {entry} times {part}");
            }
        }
        let singular = [1.0, 2.0, 3.0, 2.0, 4.0, 6.0, 1.0, 0.0, 1.0];
        assert!(!eliminate_interchanged(&singular, &mut order, &mut pivots, &mut factors, 3));
    }

    #[test]
    fn one_change_of_sign_and_two_are_detected() {
        let start = [0.0, 2.0, 0.0, 1.0, 0.3, 0.0, 0.0, 0.5, 4.0];
        let near = [0.1, 1.8, 0.1, 1.1, 0.2, 0.0, 0.0, 0.5, 3.0];
        let one = [0.0, 2.0, 0.0, 1.0, 0.3, 0.0, 0.0, 0.5, -4.0];
        let two = [0.0, 2.0, 0.0, -1.0, 0.3, 0.0, 0.0, 0.5, -4.0];
        for (end, expected) in [(near, true), (one, false), (two, false), ([0.0; 9], false)] {
            assert_eq!(have_equal_signs(&mut start.clone(), &mut end.clone(), 3), expected, "{end:?}");
        }
    }
}
