//! Small positive semidefinite matrices, whose rank is determined during elimination.

use crate::Real;

/// Gauss–Jordan elimination of S α = b with the largest diagonal entry as pivot, both in `rows`; α replaces b, 0 where no pivot is above the
/// threshold. Row k has n_v other values, row k of S, b_k, and 1 if k has been a pivot.
///
/// Inlined, so that the sizes of a generated mechanism are known here: no bounds check remains.
#[inline(always)]
pub(crate) fn eliminate<T: Real>(rows: &mut [T], n_v: usize, n: usize, threshold: T) {
    let width = n_v + n + 2;
    let index = |i: usize, j: usize| i * width + n_v + j;
    loop {
        let mut pivot = None;
        let mut largest = threshold;
        for k in 0..n {
            if rows[index(k, n + 1)] == T::ZERO && rows[index(k, k)] > largest {
                largest = rows[index(k, k)];
                pivot = Some(k);
            }
        }
        let Some(p) = pivot else { break };
        rows[index(p, n + 1)] = T::ONE;
        for i in (0..n).filter(|i| *i != p) {
            let factor = rows[index(i, p)] / rows[index(p, p)];
            for j in 0..=n {
                let a = rows[index(p, j)];
                rows[index(i, j)] += -factor * a;
            }
        }
    }
    for k in 0..n {
        let solved = rows[index(k, n + 1)] == T::ONE;
        rows[index(k, n)] = if solved { rows[index(k, n)] / rows[index(k, k)] } else { T::ZERO };
    }
}
