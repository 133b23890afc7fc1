//! Checks that an inertia is physically possible.
//!
//! Principal moments of a body are A = ∫ (y² + z²) dm, B = ∫ (z² + x²) dm, C = ∫ (x² + y²) dm in its principal axes, so that
//! none is negative and none exceeds the sum of the others.
//!
//! Files contain rounded numbers. A number written with d decimals has an error of up to ½ 10⁻ᵈ; such errors E of the tensor change its
//! eigenvalues by at most ‖E‖ (Weyl), and a sum of three by 3 ‖E‖. This is the tolerance, but at most 1 % of the largest moment.

/// Reason why a tensor is not the inertia of a body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Flaw {
    /// The smallest principal moment.
    Negative(f64),
    /// The largest principal moment and the sum of the others.
    Triangle(f64, f64),
}

/// The symmetric tensor of Ixx, Iyy, Izz, Ixy, Ixz, Iyz.
pub(super) fn tensor(&[xx, yy, zz, xy, xz, yz]: &[f64; 6]) -> [[f64; 3]; 3] {
    [[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]
}

/// Checks moments that were rounded by up to `rounding` each.
pub(super) fn flaw(moments: &[f64; 6], rounding: &[f64; 6]) -> Option<Flaw> {
    let largest = moments.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
    if largest == 0.0 {
        return None;
    }
    // The moments are scaled, so that products do not overflow.
    let [low, middle, high] = eigenvalues(tensor(&moments.map(|x| x / largest)));
    let squares = rounding
        .iter()
        .enumerate()
        .map(|(i, e)| if i < 3 { (e / largest).powi(2) } else { 2.0 * (e / largest).powi(2) });
    let error = squares.sum::<f64>().sqrt();
    // 1e-9: errors of the sweeps below, and of sums of numbers that are equal as written.
    let tolerance = |e: f64| e.min(0.01) + 1e-9;
    if low < -tolerance(error) {
        Some(Flaw::Negative(low * largest))
    } else if high > low + middle + tolerance(3.0 * error) {
        Some(Flaw::Triangle(high * largest, (low + middle) * largest))
    } else {
        None
    }
}

/// Eigenvalues of a symmetric matrix with entries up to 1, in ascending order, with errors up to 1e-14.
///
/// # Source
/// Cyclic Jacobi sweeps: Golub, Van Loan, Matrix Computations (4th ed.), algorithm 8.5.3.
fn eigenvalues(mut a: [[f64; 3]; 3]) -> [f64; 3] {
    // Convergence is quadratic; matrices of order 3 need five sweeps.
    for _ in 0..8 {
        for (p, q) in [(0, 1), (0, 2), (1, 2)] {
            if a[p][q].abs() < f64::MIN_POSITIVE {
                continue;
            }
            let tau = (a[q][q] - a[p][p]) / (2.0 * a[p][q]);
            let t = tau.signum() / (tau.abs() + tau.hypot(1.0));
            let c = 1.0 / t.hypot(1.0);
            rotate(&mut a, p, q, c, t * c);
        }
    }
    let mut values = [a[0][0], a[1][1], a[2][2]];
    values.sort_by(f64::total_cmp);
    values
}

/// Overwrites A by Jᵀ A J, with J the rotation by (c, s) in the p–q plane.
fn rotate(a: &mut [[f64; 3]; 3], p: usize, q: usize, c: f64, s: f64) {
    for row in a.iter_mut() {
        (row[p], row[q]) = (c * row[p] - s * row[q], s * row[p] + c * row[q]);
    }
    let (of_p, of_q) = (a[p], a[q]);
    a[p] = std::array::from_fn(|k| c * of_p[k] - s * of_q[k]);
    a[q] = std::array::from_fn(|k| s * of_p[k] + c * of_q[k]);
}

/// Half a unit of the last decimal of a number as written; integers are exact.
pub(super) fn rounding(text: &str) -> f64 {
    let (mantissa, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
    let decimals = mantissa.split_once('.').map(|(_, digits)| digits.len());
    let is_zero = !mantissa.contains(|c: char| ('1'..='9').contains(&c));
    match (decimals, exponent.parse::<i32>()) {
        (None, Ok(0)) | (_, Err(_)) => 0.0,
        _ if is_zero => 0.0,
        (decimals, Ok(exponent)) => {
            let decimals = i32::try_from(decimals.unwrap_or(0)).unwrap_or(i32::MAX);
            0.5 * 10.0_f64.powi(exponent.saturating_sub(decimals))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn eigenvalues_of_a_rotated_diagonal_are_the_diagonal() {
        let diagonal = [[0.2, 0.0, 0.0], [0.0, 0.5, 0.0], [0.0, 0.0, 1.0]];
        let rotated = super::super::axes::rotated_tensor(&diagonal, &super::super::axes::rotation([0.4, -1.0, 2.0]));
        for (found, expected) in eigenvalues(rotated).iter().zip([0.2, 0.5, 1.0]) {
            // 1e-14: five sweeps of three rotations.
            assert!((found - expected).abs() < 1e-14, "{found} {expected}");
        }
    }

    #[test]
    fn a_thin_rod_and_a_thin_plate_are_bodies() {
        assert_eq!(flaw(&[1.0, 1.0, 0.0, 0.0, 0.0, 0.0], &[0.0; 6]), None);
        assert_eq!(flaw(&[1.0, 1.0, 2.0, 0.0, 0.0, 0.0], &[0.0; 6]), None);
    }

    #[test]
    fn rounding_of_the_last_decimal_is_tolerated_and_more_is_not() {
        let plate = [0.0833, 0.0833, 0.1667, 0.0, 0.0, 0.0];
        assert!(matches!(flaw(&plate, &[0.0; 6]), Some(Flaw::Triangle(..))));
        assert_eq!(flaw(&plate, &["0.0833", "0.0833", "0.1667", "0", "0.0", "0"].map(rounding)), None);
        let half = ["1.0", "1.0", "3.0", "0.0", "0.0", "0.0"].map(rounding);
        assert!(matches!(flaw(&[1.0, 1.0, 3.0, 0.0, 0.0, 0.0], &half), Some(Flaw::Triangle(..))));
    }

    #[test]
    fn rounding_is_half_a_unit_of_the_last_decimal() {
        let cases = [
            ("0.021", 0.5e-3),
            ("5e-05", 0.5e-5),
            ("1.5e2", 5.0),
            ("3", 0.0),
            ("0.000", 0.0),
            ("-1.", 0.5),
            ("1e99999999999", 0.0),
        ];
        for (text, expected) in cases {
            // 1e-12, relative: a power and a product.
            assert!((rounding(text) - expected).abs() <= 1e-12 * expected, "{text}: {}", rounding(text));
        }
    }
}
