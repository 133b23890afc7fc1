//! Eigenvalues of symmetric 3 × 3 matrices.

use crate::math;

/// Eigenvalues of the symmetric matrix with entries xx, yy, zz, xy, xz, yz in ascending order, by Jacobi's rotations (Golub & Van Loan 2013,
/// *Matrix Computations*, §8.5). Exact up to rounding errors of the largest.
pub fn symmetric_eigenvalues([xx, yy, zz, xy, xz, yz]: [f64; 6]) -> [f64; 3] {
    let mut a = [[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]];
    // Convergence is quadratic: a handful of sweeps leaves nothing off the diagonal.
    for _ in 0..12 {
        for (p, q) in [(0, 1), (0, 2), (1, 2)] {
            if a[p][q] == 0.0 {
                continue;
            }
            let theta = (a[q][q] - a[p][p]) / (2.0 * a[p][q]);
            let t = (if theta < 0.0 { -1.0 } else { 1.0 }) / (math::abs(theta) + math::hypot(theta, 1.0));
            let cos = 1.0 / math::hypot(t, 1.0);
            let sin = t * cos;
            for row in &mut a {
                (row[p], row[q]) = (cos * row[p] - sin * row[q], sin * row[p] + cos * row[q]);
            }
            let [first, second] = [a[p], a[q]];
            a[p] = [0, 1, 2].map(|k| cos * first[k] - sin * second[k]);
            a[q] = [0, 1, 2].map(|k| sin * first[k] + cos * second[k]);
        }
    }
    let mut values = [a[0][0], a[1][1], a[2][2]];
    values.sort_unstable_by(f64::total_cmp);
    values
}

#[cfg(test)]
mod tests {
    use super::symmetric_eigenvalues;

    #[test]
    fn eigenvalues_of_a_rotated_matrix_are_those_of_the_matrix() {
        // diag(1, 2, 4) rotated by an angle with cos = 0.6 about z, then about x.
        let [c, s] = [0.6, 0.8];
        let r = [[c, -s, 0.0], [c * s, c * c, -s], [s * s, s * c, c]];
        let entry = |i: usize, k: usize| (0..3).map(|j| r[i][j] * [1.0, 2.0, 4.0][j] * r[k][j]).sum::<f64>();
        let entries = [entry(0, 0), entry(1, 1), entry(2, 2), entry(0, 1), entry(0, 2), entry(1, 2)];
        // 1e-13: a few dozen rounded operations on numbers below 10.
        for (found, expected) in symmetric_eigenvalues(entries).into_iter().zip([1.0, 2.0, 4.0]) {
            assert!((found - expected).abs() < 1e-13, "{found} is not {expected}");
        }
    }
}
