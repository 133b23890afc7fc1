//! Gaussian elimination of a general matrix with several right sides.
//!
//! The matrix is stored in S × S blocks of n × n entries, each with separate storage, so that storage sized for one stage can be used by
//! methods of several; columns of blocks come first: block (I, J) is `a[J][I]`.

use crate::{Error, Real};
use mbs_math::{add_scaled, max_norm};

/// Reason why there is no solution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Failure {
    /// The unknown whose pivot vanishes.
    Singular(usize),
    /// An entry is infinite or NaN.
    NotFinite,
}

impl Failure {
    /// The error of a step at time t; `row` gives the row that is reported for an unknown.
    pub(crate) fn into_error<T: Real>(self, t: T, row: impl Fn(usize) -> usize) -> Error<T> {
        match self {
            Failure::Singular(unknown) => Error::Singular { row: row(unknown), t },
            Failure::NotFinite => Error::NotFinite { t },
        }
    }
}

/// Solves A X = B: blocks of `a` are n × n and destroyed, those of `b` n × m and overwritten by X, all row-major.
///
/// Rows are scaled to a largest entry of 1 and interchanged (partial pivoting); (2/3) (S n)³ + 2 (S n)² m operations, rows
/// with a zero below the pivot skipped. A pivot vanishes below S n ε of the entries above it in its column, whatever the unit
/// of the unknown.
///
/// # Source
/// Golub & Van Loan (2013), Matrix Computations, §3.4.
pub(crate) fn solve<T: Real, A: AsMut<[T]>, const S: usize>(
    a: &mut [[A; S]; S],
    b: &mut [A; S],
    n: usize,
    m: usize,
) -> Result<(), Failure> {
    scale_rows(a, b, n, m)?;
    for k in 0..S * n {
        eliminate(a, b, n, m, k)?;
    }
    for k in (0..S * n).rev() {
        let pivot = row(&mut a[k / n], n, n, k)[k % n];
        for x in row(b, n, m, k) {
            *x /= pivot;
        }
        for i in 0..k {
            let factor = row(&mut a[k / n], n, n, i)[k % n];
            if factor != T::ZERO {
                let (above, solved) = two_rows(b, n, m, i, k);
                add_scaled(above, -factor, solved);
            }
        }
    }
    Ok(())
}

/// Row i of a column of blocks of n rows of `width` entries.
fn row<T: Real, A: AsMut<[T]>>(blocks: &mut [A], n: usize, width: usize, i: usize) -> &mut [T] {
    &mut blocks[i / n].as_mut()[i % n * width..][..width]
}

/// Rows i < k of a column of blocks.
fn two_rows<T: Real, A: AsMut<[T]>>(
    blocks: &mut [A],
    n: usize,
    width: usize,
    i: usize,
    k: usize,
) -> (&mut [T], &mut [T]) {
    let (first, second) = (i % n * width, k % n * width);
    if i / n == k / n {
        let (above, below) = blocks[i / n].as_mut().split_at_mut(second);
        return (&mut above[first..][..width], &mut below[..width]);
    }
    let (above, below) = blocks.split_at_mut(k / n);
    (&mut above[i / n].as_mut()[first..][..width], &mut below[0].as_mut()[second..][..width])
}

/// Divides rows by their largest entries of A.
fn scale_rows<T: Real, A: AsMut<[T]>, const S: usize>(
    a: &mut [[A; S]; S],
    b: &mut [A; S],
    n: usize,
    m: usize,
) -> Result<(), Failure> {
    for i in 0..S * n {
        let largest = a.iter_mut().fold(T::ZERO, |largest, blocks| largest.max(max_norm(row(blocks, n, n, i))));
        if !(largest.is_finite() && max_norm(row(b, n, m, i)).is_finite()) {
            return Err(Failure::NotFinite);
        }
        if largest <= T::ZERO {
            return Err(Failure::Singular(i));
        }
        let scale = T::ONE / largest;
        for blocks in a.iter_mut() {
            row(blocks, n, n, i).iter_mut().for_each(|x| *x *= scale);
        }
        row(b, n, m, i).iter_mut().for_each(|x| *x *= scale);
    }
    Ok(())
}

/// Interchanges rows so that the largest entry of column k on or below the diagonal is the pivot, and eliminates the entries below it.
fn eliminate<T: Real, A: AsMut<[T]>, const S: usize>(
    a: &mut [[A; S]; S],
    b: &mut [A; S],
    n: usize,
    m: usize,
    k: usize,
) -> Result<(), Failure> {
    let (block, column) = (k / n, k % n);
    let (count, blocks) = (S * n, &mut a[block]);
    let mut size = |i: usize| row(blocks, n, n, i)[column].abs();
    let above = (0..k).map(&mut size).fold(T::ZERO, T::max);
    let (mut chosen, mut pivot) = (k, size(k));
    for i in k + 1..count {
        let other = size(i);
        if other > pivot {
            (chosen, pivot) = (i, other);
        }
    }
    if pivot <= T::from_f64(count as f64) * T::EPSILON * above || pivot <= T::ZERO {
        return Err(Failure::Singular(k));
    }
    if chosen != k {
        for blocks in &mut a[block..] {
            let (x, y) = two_rows(blocks, n, n, k, chosen);
            x.swap_with_slice(y);
        }
        let (x, y) = two_rows(b, n, m, k, chosen);
        x.swap_with_slice(y);
    }
    for i in k + 1..count {
        let (pivot_row, other) = two_rows(&mut a[block], n, n, k, i);
        let factor = other[column] / pivot_row[column];
        if factor == T::ZERO {
            continue;
        }
        add_scaled(&mut other[column + 1..], -factor, &pivot_row[column + 1..]);
        for blocks in &mut a[block + 1..] {
            let (pivot_row, other) = two_rows(blocks, n, n, k, i);
            add_scaled(other, -factor, pivot_row);
        }
        let (pivot_row, other) = two_rows(b, n, m, k, i);
        add_scaled(other, -factor, pivot_row);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{Failure, solve};

    /// Pivots are zero unless rows of different blocks are interchanged.
    const A: [[f64; 4]; 4] = [[0.0, 0.0, 2.0, 1.0], [0.0, 1e-3, 0.3, 0.0], [4.0, 0.2, 0.0, 1e3], [0.0, 5.0, -0.7, 0.1]];
    const X: [f64; 4] = [1.0, -2.0, 0.5, 3.0];

    /// A X, and A in one block and in four, columns of blocks first.
    fn system() -> ([f64; 4], [f64; 16], [[[f64; 4]; 2]; 2]) {
        let right = A.map(|row| row.iter().zip(X).map(|(a, x)| a * x).sum());
        let entry = |i: usize, j: usize, k: usize| A[2 * i + k / 2][2 * j + k % 2];
        let block = |i, j| core::array::from_fn(|k| entry(i, j, k));
        (right, core::array::from_fn(|k| A[k / 4][k % 4]), [[block(0, 0), block(1, 0)], [block(0, 1), block(1, 1)]])
    }

    #[test]
    fn blocks_have_the_solution_of_one_matrix_to_the_bit() {
        let (right, mut matrix, mut blocks) = system();
        let (mut one, mut two) = (right, [[right[0], right[1]], [right[2], right[3]]]);
        solve(&mut [[&mut matrix[..]]], &mut [&mut one[..]], 4, 1).unwrap();
        let [[a, b], [c, d]] = &mut blocks;
        let [above, below] = &mut two;
        let mut columns = [[&mut a[..], &mut b[..]], [&mut c[..], &mut d[..]]];
        solve(&mut columns, &mut [&mut above[..], &mut below[..]], 2, 1).unwrap();
        assert_eq!(one, [two[0][0], two[0][1], two[1][0], two[1][1]]);
        // The row that determines x₀ has the entries 4 and 1e3.
        assert!(one.iter().zip(X).all(|(a, b)| (a - b).abs() < 1e-13), "{one:?}");
    }

    #[test]
    fn columns_that_depend_are_singular_in_whichever_block() {
        let mut columns = [[[1.0, 2.0, 3.0, 4.0], [0.0; 4]], [[0.0; 4], [1.0, 2.0, 2.0, 4.0]]];
        let mut right = [[1.0, 1.0, 0.0, 0.0]; 2];
        assert_eq!(solve(&mut columns, &mut right, 2, 1), Err(Failure::Singular(3)));
        columns[0][1][2] = f64::NAN;
        assert_eq!(solve(&mut columns, &mut right, 2, 1), Err(Failure::NotFinite));
    }
}
