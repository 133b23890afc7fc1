//! Rank and singular values of scaled rows.

use nalgebra::{DMatrix, DVector};

/// Limit up to which singular values of scaled rows, and remainders of rows, count as zero. Redundant rows cancel to 1e-14 at a closed pose.
pub(super) const INDEPENDENT: f64 = 1e-9;

/// The decomposition A = U Σ Vᵀ of a matrix with n columns: n right singular vectors, those of the largest singular value first; left singular
/// vectors are zero beyond the rows of A.
pub struct Svd {
    rows: usize,
    /// Left singular vectors U, as columns.
    pub u: DMatrix<f64>,
    /// Singular values, largest first.
    pub sigma: DVector<f64>,
    /// Right singular vectors V, as columns.
    pub v: DMatrix<f64>,
}

impl Svd {
    /// The decomposition of a matrix; `None` if it has no columns, or is not finite.
    pub fn new(matrix: &DMatrix<f64>) -> Option<Self> {
        let (rows, n) = matrix.shape();
        if n == 0 || matrix.iter().any(|x| !x.is_finite()) {
            return None;
        }
        // With rows of zeros there are n right singular vectors.
        let square = matrix.clone().resize_vertically(rows.max(n), 0.0);
        let svd = square.try_svd(true, true, f64::EPSILON, 100_000)?;
        Some(Svd { rows, u: svd.u?, sigma: svd.singular_values, v: svd.v_t?.transpose() })
    }

    /// Orthonormal basis of the null space of A, as columns.
    pub fn null_space(&self) -> DMatrix<f64> {
        let rank = self.sigma.iter().take(self.rows).filter(|s| **s > INDEPENDENT).count();
        self.v.columns(rank, self.v.ncols() - rank).into_owned()
    }

    /// The x of least norm that minimizes |A x − b|², where singular values up to `negligible` count as zero.
    pub fn least_solution(&self, b: &DVector<f64>, negligible: f64) -> DVector<f64> {
        let mut x = DVector::zeros(self.v.nrows());
        for (k, s) in self.sigma.iter().enumerate().filter(|(_, s)| **s > negligible) {
            x += self.v.column(k) * (self.u.column(k).rows(0, self.rows).dot(b) / s);
        }
        x
    }

    /// The x that minimizes |A x − b|² + damping |x|².
    pub fn damped_solution(&self, b: &DVector<f64>, damping: f64) -> DVector<f64> {
        let mut x = DVector::zeros(self.v.nrows());
        for (k, s) in self.sigma.iter().enumerate().filter(|(_, s)| **s > 1e-12) {
            let component = self.u.column(k).rows(0, self.rows).dot(b);
            x += self.v.column(k) * (s / (s * s + damping) * component);
        }
        x
    }
}

/// A row that is a linear combination of rows before it.
#[derive(Clone, Debug)]
pub(super) struct Dependence {
    pub row: usize,
    /// Rows in the combination.
    pub on: Vec<usize>,
}

/// Rows that depend on those before them in a given order, by Gram–Schmidt orthogonalization, twice for accuracy. The coefficients of each
/// combination determine [`Dependence::on`].
pub(super) fn dependences(jacobian: &DMatrix<f64>, order: &[usize]) -> Vec<Dependence> {
    let mut basis: Vec<(DVector<f64>, DVector<f64>)> = Vec::new();
    let mut found = Vec::new();
    for &r in order {
        let mut rest = jacobian.row(r).transpose();
        let mut parts = DVector::zeros(jacobian.nrows());
        parts[r] = 1.0;
        for _ in 0..2 {
            for (direction, combination) in &basis {
                let component = direction.dot(&rest);
                rest.axpy(-component, direction, 1.0);
                parts.axpy(-component, combination, 1.0);
            }
        }
        let size = rest.norm();
        if size > INDEPENDENT {
            basis.push((rest / size, parts / size));
            continue;
        }
        let share = |k: usize| parts[k].abs() * jacobian.row(k).norm();
        let on = order.iter().copied().filter(|k| *k != r && share(*k) > 1e-6 * share(r).max(INDEPENDENT)).collect();
        found.push(Dependence { row: r, on });
    }
    found
}
