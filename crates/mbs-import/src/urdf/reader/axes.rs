//! Rotations of frames: 3 × 3 matrices, row-major.

type Matrix = [[f64; 3]; 3];

/// Round-off of a few operations on numbers up to 1: cos(π/2) is 6e-17.
const ROUND_OFF: f64 = 1e-15;

/// The rotation matrix Rz(yaw) Ry(pitch) Rx(roll) of [roll, pitch, yaw] \[rad\]. Entries within round-off of −1, 0 and 1 are set to these, so that
/// rotations by right angles leave zeros in a tensor.
pub(super) fn rotation([roll, pitch, yaw]: [f64; 3]) -> Matrix {
    let ([sr, cr], [sp, cp], [sy, cy]) = (sin_cos(roll), sin_cos(pitch), sin_cos(yaw));
    [
        [cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr],
        [sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr],
        [-sp, cp * sr, cp * cr],
    ]
}

fn sin_cos(angle: f64) -> [f64; 2] {
    let (sin, cos) = angle.sin_cos();
    [sin, cos].map(|x| if (x - x.round()).abs() < ROUND_OFF { x.round() } else { x })
}

/// The symmetric matrix R A Rᵀ of a symmetric A; entries below round-off of the largest are zero.
pub(super) fn rotated_tensor(a: &Matrix, r: &Matrix) -> Matrix {
    let ra = product(r, a);
    let mut b = [[0.0; 3]; 3];
    for i in 0..3 {
        for j in i..3 {
            b[i][j] = (0..3).map(|k| ra[i][k] * r[j][k]).sum();
            b[j][i] = b[i][j];
        }
    }
    let largest = b.iter().flatten().fold(0.0_f64, |m, x| m.max(x.abs()));
    b.map(|row| row.map(|x| if x.abs() < ROUND_OFF * largest { 0.0 } else { x }))
}

fn product(a: &Matrix, b: &Matrix) -> Matrix {
    let entry = |i: usize, j: usize| (0..3).map(|k| a[i][k] * b[k][j]).sum();
    std::array::from_fn(|i| std::array::from_fn(|j| entry(i, j)))
}

#[cfg(test)]
mod tests {
    use std::f64::consts::FRAC_PI_2;

    use super::*;

    #[test]
    fn roll_pitch_yaw_rotate_about_fixed_axes_in_this_order() {
        // x → (roll) x → (pitch) −z → (yaw) −z; y → z → x → y; z → −y → −y → x.
        let expected = [[0.0, 0.0, 1.0], [0.0, 1.0, 0.0], [-1.0, 0.0, 0.0]];
        assert_eq!(rotation([FRAC_PI_2; 3]), expected);
    }

    #[test]
    fn rotations_are_orthonormal() {
        let r = rotation([0.3, -1.2, 2.5]);
        let identity = rotated_tensor(&[[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]], &r);
        for (i, row) in identity.iter().enumerate() {
            for (j, x) in row.iter().enumerate() {
                // 1e-15: three products of numbers below 1.
                assert!((x - f64::from(u8::from(i == j))).abs() < 1e-15, "{identity:?}");
            }
        }
    }

    #[test]
    fn a_quarter_revolution_exchanges_moments_exactly() {
        let rotated =
            rotated_tensor(&[[1.0, 0.0, 0.0], [0.0, 2.0, 0.0], [0.0, 0.0, 3.0]], &rotation([FRAC_PI_2, 0.0, 0.0]));
        assert_eq!(rotated, [[1.0, 0.0, 0.0], [0.0, 3.0, 0.0], [0.0, 0.0, 2.0]]);
    }
}
