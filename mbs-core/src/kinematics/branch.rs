//! Whether a singular pose lies between two poses of a prescribed motion.
//!
//! G is square, n_c = n_v. On the way from one pose to the next without a singular one between, det G keeps its sign; where links
//! pass their dead point, it does not. G₀ and G₁ are eliminated side by side, with the interchanges of rows that G₁ asks for: if
//! all pairs of pivots have equal signs, so have all leading minors, those of each of several loops among them. For short
//! steps G₀ is near G₁, and they have.

use crate::Real;
use mbs_math::add_scaled;

/// Whether the pivots of two n × n matrices have equal signs, rows interchanged in both for the largest pivots of the second. Both
/// are overwritten.
pub(super) fn have_equal_signs<T: Real>(first: &mut [T], second: &mut [T], n: usize) -> bool {
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
        // Zero and NaN are no equal signs.
        if signs > T::ZERO {
            eliminate(first, n, k);
            eliminate(second, n, k);
        } else {
            return false;
        }
    }
    true
}

/// Takes row k from those below it.
fn eliminate<T: Real>(matrix: &mut [T], n: usize, k: usize) {
    let (above, below) = matrix.split_at_mut((k + 1) * n);
    let pivot = &above[k * n..];
    for row in below.chunks_exact_mut(n) {
        if row[k] != T::ZERO {
            let factor = row[k] / pivot[k];
            add_scaled(&mut row[k + 1..], -factor, &pivot[k + 1..]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::have_equal_signs;

    #[test]
    fn one_flip_and_two_are_both_seen() {
        let start = [0.0, 2.0, 0.0, 1.0, 0.3, 0.0, 0.0, 0.5, 4.0];
        let near = [0.1, 1.8, 0.1, 1.1, 0.2, 0.0, 0.0, 0.5, 3.0];
        let one = [0.0, 2.0, 0.0, 1.0, 0.3, 0.0, 0.0, 0.5, -4.0];
        let two = [0.0, 2.0, 0.0, -1.0, 0.3, 0.0, 0.0, 0.5, -4.0];
        for (end, expected) in [(near, true), (one, false), (two, false), ([0.0; 9], false)] {
            assert_eq!(have_equal_signs(&mut start.clone(), &mut end.clone(), 3), expected, "{end:?}");
        }
    }
}
