//! Eigenvalues and vectors of a general real matrix.
//!
//! nalgebra computes the real Schur form B = Q T Qᵀ, where T has blocks of one or two rows. Vectors of T follow by substitution from the block of
//! their eigenvalue upwards.
//!
//! # Source
//! Golub & Van Loan (2013), Matrix Computations, §7.5 (the form), §7.6.4 (the vectors).

use nalgebra::linalg::balancing::balance_parlett_reinsch;
use nalgebra::{Complex, DMatrix, DVector, Schur};

/// Largest number of iterations.
pub(super) const ITERATIONS: usize = 100_000;

/// An eigenvalue λ with its vector x, B x = λ x.
pub(super) type Pair = (Complex<f64>, DVector<Complex<f64>>);

/// All eigenvalues with their vectors, including both of a conjugate pair. `None` if the iteration does not converge.
pub(super) fn eigen(matrix: &DMatrix<f64>) -> Option<Vec<Pair>> {
    if matrix.is_empty() {
        return Some(Vec::new());
    }
    if matrix.iter().any(|x| !x.is_finite()) {
        return None;
    }
    let mut balanced = matrix.clone();
    let scales = balance_parlett_reinsch(&mut balanced);
    let (q, t) = schur(balanced)?;
    let q = q.map(Complex::from);
    let blocks = blocks(&t);
    let pair = |(lambda, x): Pair| {
        let mut x = &q * x;
        x.iter_mut().zip(&scales).for_each(|(x, scale)| *x *= *scale);
        let size = x.norm();
        (lambda, if size > 0.0 { x / Complex::from(size) } else { x })
    };
    Some((0..blocks.len()).flat_map(|k| block_pairs(&t, &blocks, k)).map(pair).collect())
}

/// Q and T of the real Schur form. Shifts of the double step can repeat periodically; a reflection of the matrix then breaks its symmetry.
fn schur(matrix: DMatrix<f64>) -> Option<(DMatrix<f64>, DMatrix<f64>)> {
    let n = matrix.nrows();
    (0..4).find_map(|attempt| {
        let mirror = if attempt == 0 { DMatrix::identity(n, n) } else { reflection(n, f64::from(attempt)) };
        let found = Schur::try_new(&mirror * &matrix * &mirror, f64::EPSILON, 200 * n.max(10))?;
        let (q, t) = found.unpack();
        Some((mirror * q, t))
    })
}

/// 1 − 2 u uᵀ with a fixed irrational pattern u.
fn reflection(n: usize, seed: f64) -> DMatrix<f64> {
    let u = DVector::from_fn(n, |i, _| (seed + 1.7 * i as f64).sin()).normalize();
    DMatrix::identity(n, n) - &u * u.transpose() * 2.0
}

/// First rows and sizes of the diagonal blocks.
fn blocks(t: &DMatrix<f64>) -> Vec<(usize, usize)> {
    let n = t.nrows();
    let mut blocks = Vec::new();
    let mut i = 0;
    while i < n {
        let size = if i + 1 < n && t[(i + 1, i)] != 0.0 { 2 } else { 1 };
        blocks.push((i, size));
        i += size;
    }
    blocks
}

/// Eigenvalues of a block, with their vectors in the axes of T.
fn block_pairs(t: &DMatrix<f64>, blocks: &[(usize, usize)], k: usize) -> Vec<Pair> {
    let (i, size) = blocks[k];
    let starts = if size == 1 {
        vec![(Complex::from(t[(i, i)]), vec![Complex::ONE])]
    } else {
        let (a, b, c, d) = (t[(i, i)], t[(i, i + 1)], t[(i + 1, i)], t[(i + 1, i + 1)]);
        let (middle, half) = (0.5 * (a + d), 0.5 * (a - d));
        let root = Complex::from(half * half + b * c).sqrt();
        // In (a − λ, b) and (c, d − λ), c is not zero.
        [root, -root].map(|root| (middle + root, vec![middle + root - d, Complex::from(c)])).into()
    };
    starts.into_iter().map(|(lambda, start)| (lambda, substitute(t, &blocks[..k], i, start, lambda))).collect()
}

/// The vector of T with the given entries from row i on: (T₁₁ − λ) x₁ = −T₁₂ x₂, block by block upwards.
fn substitute(
    t: &DMatrix<f64>,
    above: &[(usize, usize)],
    i: usize,
    start: Vec<Complex<f64>>,
    lambda: Complex<f64>,
) -> DVector<Complex<f64>> {
    let mut x = DVector::zeros(t.nrows());
    start.iter().enumerate().for_each(|(k, entry)| x[i + k] = *entry);
    let end = i + start.len();
    // For equal eigenvalues the pivot vanishes; it is replaced by round-off of the matrix.
    let least = f64::EPSILON * t.amax().max(f64::MIN_POSITIVE);
    for &(row, size) in above.iter().rev() {
        let right = |r: usize| -(row + size..end).map(|j| x[j] * t[(r, j)]).sum::<Complex<f64>>();
        if size == 1 {
            let pivot = t[(row, row)] - lambda;
            x[row] = right(row) / if pivot.norm() < least { Complex::from(least) } else { pivot };
        } else {
            let (b0, b1) = (right(row), right(row + 1));
            let (a, b, c, d) =
                (t[(row, row)] - lambda, t[(row, row + 1)], t[(row + 1, row)], t[(row + 1, row + 1)] - lambda);
            let determinant = a * d - b * c;
            let least = least * t.amax();
            let determinant = if determinant.norm() < least { Complex::from(least) } else { determinant };
            x[row] = (b0 * d - b1 * b) / determinant;
            x[row + 1] = (a * b1 - b0 * c) / determinant;
        }
    }
    x
}

#[cfg(test)]
mod tests {
    use super::*;

    fn assert_pairs(matrix: &DMatrix<f64>) {
        let pairs = eigen(matrix).expect("eigenvalues are found");
        assert_eq!(pairs.len(), matrix.nrows());
        for (lambda, x) in pairs {
            let left = matrix.map(Complex::from) * &x - &x * lambda;
            // 1e-13: n ε of a backward stable form.
            assert!(left.norm() < 1e-13 * matrix.norm().max(1.0), "{lambda}: {}", left.norm());
            assert!((x.norm() - 1.0).abs() < 1e-12);
        }
    }

    #[test]
    fn vectors_satisfy_their_equation() {
        for n in 1..12 {
            let pattern = |i: usize, j: usize| (1.0 + 1.3 * i as f64 + 2.9 * j as f64 + (i * j) as f64).sin();
            assert_pairs(&DMatrix::from_fn(n, n, pattern));
        }
    }

    #[test]
    fn circles_of_shifts_are_broken() {
        for n in 3..9 {
            assert_pairs(&DMatrix::from_fn(n, n, |i, j| if (i + 1) % n == j { 1.0 } else { 0.0 }));
        }
    }

    #[test]
    fn equal_eigenvalues_have_independent_vectors() {
        let n = 6;
        let swing = DMatrix::from_fn(n, n, |i, j| match (i % 2, j) {
            (0, j) if j == i + 1 => 1.0,
            (1, j) if j + 1 == i => -4.0,
            _ => 0.0,
        });
        assert_pairs(&swing);
        let pairs = eigen(&swing).unwrap();
        let vectors: Vec<_> = pairs.iter().filter(|(lambda, _)| lambda.im > 0.0).map(|(_, x)| x.clone()).collect();
        let rank = DMatrix::from_columns(&vectors).svd(false, false).singular_values;
        assert!(rank.min() > 0.1, "{rank}");
    }
}
