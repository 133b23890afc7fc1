//! Small symmetric matrices without negative eigenvalues, whose rank is found during elimination.

use crate::Real;

/// Gauss–Jordan elimination of S α = b by largest diagonal, both in `rows`; α replaces b, 0 where no pivot is above the
/// threshold.
///
/// Inlined, so that the sizes of a generated mechanism are known here: no bounds check remains.
#[inline(always)]
pub(crate) fn eliminate<T: Real>(rows: &mut [T], n_v: usize, n: usize, threshold: T) {
    let width = n_v + n + 2;
    let at = |i: usize, j: usize| i * width + n_v + j;
    loop {
        let mut pivot = None;
        let mut largest = threshold;
        for k in 0..n {
            if rows[at(k, n + 1)] == T::ZERO && rows[at(k, k)] > largest {
                largest = rows[at(k, k)];
                pivot = Some(k);
            }
        }
        let Some(p) = pivot else { break };
        rows[at(p, n + 1)] = T::ONE;
        for i in (0..n).filter(|i| *i != p) {
            let factor = rows[at(i, p)] / rows[at(p, p)];
            for j in 0..=n {
                let a = rows[at(p, j)];
                rows[at(i, j)] += -factor * a;
            }
        }
    }
    for k in 0..n {
        let solved = rows[at(k, n + 1)] == T::ONE;
        rows[at(k, n)] = if solved { rows[at(k, n)] / rows[at(k, k)] } else { T::ZERO };
    }
}
