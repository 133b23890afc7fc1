//! Smoothing splines: the function f with the smallest Σ (yᵢ − f(xᵢ))² + p ∫ f″² dx.
//!
//! It is a natural cubic spline. With gᵢ = f(xᵢ), the second derivatives m at the inner knots and hᵢ = xᵢ₊₁ − xᵢ,
//!
//! 1. Qᵀ g = R m: (3) of `mbs_core::spline`, over 6. Q has columns (1/hᵢ₋₁, −1/hᵢ₋₁ − 1/hᵢ, 1/hᵢ), R is tridiagonal with
//!    (hᵢ₋₁ + hᵢ) / 3 and hᵢ / 6;
//! 2. ∫ f″² dx = mᵀ R m, so that g = y − p Q m;
//! 3. (R + p QᵀQ) m = Qᵀ y, five diagonals, positive definite.
//!
//! Source: Green & Silverman, Nonparametric Regression and Generalized Linear Models (1994), § 2.3, the algorithm of Reinsch (1967).

/// The values gᵢ and second derivatives mᵢ at the knots x, for data y and p > 0. The knots increase; there are at least two.
pub fn smooth(x: &[f64], y: &[f64], p: f64) -> (Vec<f64>, Vec<f64>) {
    let n = x.len();
    let h: Vec<f64> = x.windows(2).map(|pair| pair[1] - pair[0]).collect();
    let q = |i: usize| [1.0 / h[i - 1], -1.0 / h[i - 1] - 1.0 / h[i], 1.0 / h[i]];
    // (3) for the inner knots 1 … n − 2: the diagonal and the two above it.
    let mut rows: Vec<[f64; 3]> = Vec::new();
    let mut m: Vec<f64> = vec![0.0; n];
    for i in 1..n.saturating_sub(1) {
        let a = q(i);
        let mut row = [(h[i - 1] + h[i]) / 3.0 + p * a.iter().map(|x| x * x).sum::<f64>(), 0.0, 0.0];
        if i + 1 < n - 1 {
            let b = q(i + 1);
            row[1] = h[i] / 6.0 + p * (a[1] * b[0] + a[2] * b[1]);
        }
        if i + 2 < n - 1 {
            row[2] = p * a[2] * q(i + 2)[0];
        }
        rows.push(row);
        m[i] = a[0] * y[i - 1] + a[1] * y[i] + a[2] * y[i + 1];
    }
    solve(&mut rows, m.get_mut(1..n.saturating_sub(1)).unwrap_or_default());
    // (2). At the end knots m is zero.
    let mut g = y.to_vec();
    for i in 1..n.saturating_sub(1) {
        for (k, q) in q(i).into_iter().enumerate() {
            g[i + k - 1] -= p * q * m[i];
        }
    }
    (g, m)
}

/// Solves L D Lᵀ x = b in place, for a symmetric matrix of five diagonals. A row contains its main diagonal element and the two above it.
fn solve(rows: &mut [[f64; 3]], b: &mut [f64]) {
    let n = rows.len();
    for i in 0..n {
        let [pivot, next, far] = rows[i];
        let (l1, l2) = (next / pivot, far / pivot);
        if i + 1 < n {
            rows[i + 1][0] -= l1 * next;
            rows[i + 1][1] -= l1 * far;
            b[i + 1] -= l1 * b[i];
        }
        if i + 2 < n {
            rows[i + 2][0] -= l2 * far;
            b[i + 2] -= l2 * b[i];
        }
        (rows[i][1], rows[i][2]) = (l1, l2);
    }
    for i in (0..n).rev() {
        b[i] /= rows[i][0];
        if i + 1 < n {
            b[i] -= rows[i][1] * b[i + 1];
        }
        if i + 2 < n {
            b[i] -= rows[i][2] * b[i + 2];
        }
    }
}
