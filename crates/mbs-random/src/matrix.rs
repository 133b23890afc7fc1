//! Linear algebra of small dense matrices (row-major slices) for the judge and the laws, written for clarity.

/// Largest absolute value.
pub fn size(values: &[f64]) -> f64 {
    values.iter().fold(0.0, |largest, x| x.abs().max(largest))
}

/// Σ aᵢ bᵢ.
pub fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// A x of a matrix with `x.len()` columns.
pub fn times(matrix: &[f64], x: &[f64]) -> Vec<f64> {
    matrix.chunks_exact(x.len().max(1)).map(|row| dot(row, x)).collect()
}

/// Aᵀ y of a matrix with n columns.
pub fn transposed_times(matrix: &[f64], n: usize, y: &[f64]) -> Vec<f64> {
    let mut x = vec![0.0; n];
    for (row, y) in matrix.chunks_exact(n.max(1)).zip(y) {
        x.iter_mut().zip(row).for_each(|(x, a)| *x += a * y);
    }
    x
}

/// Unit vector j of n.
pub fn unit(n: usize, j: usize) -> Vec<f64> {
    (0..n).map(|i| if i == j { 1.0 } else { 0.0 }).collect()
}

/// An orthonormal basis that is extended by Gram–Schmidt, with reorthogonalisation.
#[derive(Clone, Debug, Default)]
pub struct Basis(Vec<Vec<f64>>);

impl Basis {
    /// Adds the direction of a vector, unless the fraction of its length that the basis does not span is below `least`. Returns this
    /// fraction.
    pub fn add(&mut self, vector: &[f64], least: f64) -> f64 {
        let length = dot(vector, vector).sqrt();
        if length == 0.0 {
            return 0.0;
        }
        let mut x: Vec<f64> = vector.iter().map(|x| x / length).collect();
        for _ in 0..2 {
            for b in &self.0 {
                let component = dot(&x, b);
                x.iter_mut().zip(b).for_each(|(x, b)| *x -= component * b);
            }
        }
        let left = dot(&x, &x).sqrt();
        if left > least {
            x.iter_mut().for_each(|x| *x /= left);
            self.0.push(x);
        }
        left
    }

    /// Number of vectors.
    pub fn rank(&self) -> usize {
        self.0.len()
    }
}

/// An orthonormal basis of the kernel of a matrix with n columns.
pub fn kernel(matrix: &[f64], n: usize) -> Vec<Vec<f64>> {
    let mut basis = Basis::default();
    for row in matrix.chunks_exact(n.max(1)) {
        basis.add(row, 1e-6);
    }
    let rows = basis.rank();
    for j in 0..n {
        basis.add(&unit(n, j), 1e-6);
    }
    basis.0.split_off(rows)
}

/// The matrix restricted to the span of some vectors: Zᵀ M Z.
pub fn restricted(matrix: &[f64], basis: &[Vec<f64>]) -> Vec<Vec<f64>> {
    let images: Vec<Vec<f64>> = basis.iter().map(|x| times(matrix, x)).collect();
    basis.iter().map(|x| images.iter().map(|y| dot(x, y)).collect()).collect()
}

/// Least eigenvalue of a symmetric matrix; infinite for an empty matrix.
pub fn least_eigenvalue(matrix: Vec<Vec<f64>>) -> f64 {
    eigenvalues(matrix).into_iter().fold(f64::INFINITY, f64::min)
}

/// Eigenvalues of a symmetric matrix, by Jacobi's rotations.
pub fn eigenvalues(mut a: Vec<Vec<f64>>) -> Vec<f64> {
    let n = a.len();
    for _ in 0..60 {
        for p in 0..n {
            for q in p + 1..n {
                if a[p][q] == 0.0 {
                    continue;
                }
                let theta = 0.5 * (2.0 * a[p][q]).atan2(a[q][q] - a[p][p]);
                let (s, c) = theta.sin_cos();
                for row in &mut a {
                    (row[p], row[q]) = (c * row[p] - s * row[q], s * row[p] + c * row[q]);
                }
                let (above, below) = a.split_at_mut(q);
                for (x, y) in above[p].iter_mut().zip(&mut below[0]) {
                    (*x, *y) = (c * *x - s * *y, s * *x + c * *y);
                }
            }
        }
    }
    (0..n).map(|i| a[i][i]).collect()
}

/// The inverse by Gauss–Jordan with row pivoting, rows and columns scaled first; `None` where a pivot vanishes.
pub fn inverse(matrix: &[f64], n: usize) -> Option<Vec<f64>> {
    let mut scale = vec![1.0; n];
    for _ in 0..4 {
        let entry = |i: usize, j: usize, s: &[f64]| (s[i] * matrix[i * n + j] * s[j]).abs();
        let next: Vec<f64> = (0..n)
            .map(|i| {
                let largest = (0..n).map(|j| entry(i, j, &scale)).fold(0.0, f64::max);
                if largest > 0.0 { scale[i] / largest.sqrt() } else { scale[i] }
            })
            .collect();
        scale = next;
    }
    let width = 2 * n;
    let mut work = vec![0.0; n * width];
    for i in 0..n {
        for j in 0..n {
            work[i * width + j] = scale[i] * matrix[i * n + j] * scale[j];
        }
        work[i * width + n + i] = 1.0;
    }
    for k in 0..n {
        let best = (k..n).max_by(|a, b| work[a * width + k].abs().total_cmp(&work[b * width + k].abs()))?;
        if !(work[best * width + k].abs() > 1e-300) {
            return None;
        }
        for j in 0..width {
            work.swap(k * width + j, best * width + j);
        }
        let pivot = work[k * width + k];
        (0..width).for_each(|j| work[k * width + j] /= pivot);
        for i in (0..n).filter(|i| *i != k) {
            let factor = work[i * width + k];
            if factor != 0.0 {
                (0..width).for_each(|j| work[i * width + j] -= factor * work[k * width + j]);
            }
        }
    }
    Some((0..n * n).map(|e| scale[e / n] * work[e / n * width + n + e % n] * scale[e % n]).collect())
}

/// |L| |D| |Lᵀ| of the factors of a symmetric matrix, without pivoting; `None` where a pivot vanishes.
pub fn terms_of_elimination(matrix: &[f64], n: usize) -> Option<Vec<f64>> {
    let mut left = matrix.to_vec();
    let mut terms = vec![0.0; n * n];
    for k in 0..n {
        let pivot = left[k * (n + 1)];
        if pivot == 0.0 || !pivot.is_finite() {
            return None;
        }
        let column: Vec<f64> = (0..n).map(|i| if i < k { 0.0 } else { left[i * n + k] }).collect();
        for e in 0..n * n {
            let term = column[e / n] * column[e % n] / pivot;
            left[e] -= term;
            terms[e] += term.abs();
        }
    }
    Some(terms)
}
