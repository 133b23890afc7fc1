//! Rotations and rates of their parameters. ω is in the axes of the rotated frame.
//!
//! Sources: Schaub, Junkins (2018), *Analytical Mechanics of Space Systems*, ch. 3; Diebel (2006), *Representing Attitude*.

use mbs_expr::{Comparison, Scalar};
use mbs_math::{Each, Mat3, Vector};
use mbs_model::Attitude;

use super::vector::{Matrix3, Vector3, identity, tilde, unit};

/// Rotation R of an attitude with parameters `q`: components in the rotated frame to components in the original frame.
///
/// A quaternion need not have unit length: R(e) = R(e/|e|) = 1 + s (e0 ẽ + ẽ²), s = 2/|e|², is homogeneous of degree zero.
pub fn rotation<S: Scalar>(attitude: Attitude, q: &[S]) -> Matrix3<S> {
    match attitude {
        Attitude::Quaternion => quaternion([q[0], q[1], q[2], q[3]]),
        // R = 1 + (4 (1 − σ²) σ̃ + 8 σ̃²) / (1 + σ²)²
        Attitude::ModifiedRodrigues => {
            let s = Vector([q[0], q[1], q[2]]);
            let square = s.dot(s);
            let over = S::number(1.0) / (S::number(1.0) + square);
            let over = over * over;
            let first = S::number(4.0) * (S::number(1.0) - square) * over;
            rotation_polynomial(s, first, S::number(8.0) * over)
        }
        // R = 1 + 2 (g̃ + g̃²) / (1 + g²)
        Attitude::Rodrigues => {
            let g = Vector([q[0], q[1], q[2]]);
            let over = S::number(2.0) / (S::number(1.0) + g.dot(g));
            rotation_polynomial(g, over, over)
        }
        // R = 1 + sin φ/φ r̃ + (1 − cos φ)/φ² r̃²
        Attitude::RotationVector => {
            let r = Vector([q[0], q[1], q[2]]);
            let [sine, versine, _] = vector_coefficients(r.dot(r));
            rotation_polynomial(r, sine, versine)
        }
        Attitude::Euler(axes) => {
            let r = [0, 1, 2].each(|k| axis_rotation(axes[k].into(), q[k]));
            r[0] * r[1] * r[2]
        }
    }
}

/// Rates q̇ = N(q) ω of the parameters of an attitude; as many as parameters. Singular for Euler angles in gimbal lock.
pub fn attitude_rates<S: Scalar>(attitude: Attitude, q: &[S], w: Vector3<S>) -> Vec<S> {
    let half = S::number(0.5);
    match attitude {
        // ė = ½ e ∘ (0, ω)
        Attitude::Quaternion => {
            let (e0, e) = (q[0], Vector([q[1], q[2], q[3]]));
            let vector = w * e0 + e.cross(w);
            let mut rates = vec![-(half * e.dot(w))];
            rates.extend((vector * half).0);
            rates
        }
        // σ̇ = ¼ ((1 − σ²) ω + 2 σ × ω + 2 (σ·ω) σ)
        Attitude::ModifiedRodrigues => {
            let s = Vector([q[0], q[1], q[2]]);
            let first = w * (S::number(0.25) * (S::number(1.0) - s.dot(s)));
            let second = s.cross(w) + s * s.dot(w);
            (first + second * half).to_vec()
        }
        // ġ = ½ (ω + g × ω + (g·ω) g)
        Attitude::Rodrigues => {
            let g = Vector([q[0], q[1], q[2]]);
            ((w + (g.cross(w) + g * g.dot(w))) * half).to_vec()
        }
        // ṙ = ω + ½ r × ω + (1 − (φ/2) cot(φ/2))/φ² r × (r × ω)
        Attitude::RotationVector => {
            let r = Vector([q[0], q[1], q[2]]);
            let [_, _, cotangent] = vector_coefficients(r.dot(r));
            let cross = r.cross(w);
            (w + (cross * half + r.cross(cross) * cotangent)).to_vec()
        }
        // ω = Σ wₖ q̇ₖ with the axes wₖ in the rotated frame, solved by Cramer's rule; singular at gimbal lock.
        Attitude::Euler(axes) => {
            let r = [1, 2].each(|k: usize| axis_rotation(axes[k].into(), q[k]));
            let first = r[1].transpose_times(r[0].transpose_times(unit(axes[0].into())));
            let second = r[1].transpose_times(unit(axes[1].into()));
            let third: Vector3<S> = unit(axes[2].into());
            let over = S::number(1.0) / first.dot(second.cross(third));
            [second.cross(third), third.cross(first), first.cross(second)].each(|n| over * n.dot(w)).to_vec()
        }
    }
}

/// The parameters with a quaternion normalised to unit length; other parameters are unchanged.
pub fn normalized<S: Scalar>(attitude: Attitude, q: &[S]) -> Vec<S> {
    if attitude != Attitude::Quaternion {
        return q.to_vec();
    }
    let square = q.iter().fold(S::number(0.0), |sum, x| sum + *x * *x);
    let over = S::number(1.0) / square.sqrt();
    q.iter().map(|x| *x * over).collect()
}

/// Parameters of the identity rotation, where proper Euler angles are singular.
pub fn identity_parameters(attitude: Attitude) -> Vec<f64> {
    match attitude {
        Attitude::Quaternion => vec![1.0, 0.0, 0.0, 0.0],
        _ => vec![0.0; 3],
    }
}

/// Rotation of a quaternion, scalar first.
fn quaternion<S: Scalar>([w, x, y, z]: [S; 4]) -> Matrix3<S> {
    let one = S::number(1.0);
    let s = S::number(2.0) / (w * w + x * x + y * y + z * z);
    let [x2, y2, z2] = [x, y, z].each(|c| s * c);
    let (xx, yy, zz) = (x * x2, y * y2, z * z2);
    let (xy, xz, yz) = (x * y2, x * z2, y * z2);
    let (wx, wy, wz) = (w * x2, w * y2, w * z2);
    Mat3([
        Vector([one - (yy + zz), xy - wz, xz + wy]),
        Vector([xy + wz, one - (xx + zz), yz - wx]),
        Vector([xz - wy, yz + wx, one - (xx + yy)]),
    ])
}

/// 1 + a r̃ + b r̃².
fn rotation_polynomial<S: Scalar>(r: Vector3<S>, a: S, b: S) -> Matrix3<S> {
    let skew = tilde(r);
    identity() + skew * a + skew * skew * b
}

/// sin φ/φ, (1 − cos φ)/φ² and (1 − (φ/2) cot(φ/2))/φ² as functions of φ²; where φ is small by their series, so that they are smooth at zero.
fn vector_coefficients<S: Scalar>(square: S) -> [S; 3] {
    let n = S::number;
    // Below this eight terms are exact to rounding, above it the closed forms lose a digit at most.
    let limit = n(0.25);
    let safe = S::select(Comparison::Less, square, limit, n(1.0), square);
    let phi = safe.sqrt();
    let (sin, cos) = (n(0.5) * phi).sin_cos();
    let over = n(1.0) / safe;
    let closed = [n(2.0) * sin * cos / phi, n(2.0) * sin * sin * over, (n(1.0) - n(0.5) * phi * cos / sin) * over];
    let series = |c: &[f64; 8]| c.iter().rev().fold(n(0.0), |sum, c| n(*c) + square * sum);
    [0, 1, 2].each(|k: usize| S::select(Comparison::Less, square, limit, series(&SERIES[k]), closed[k]))
}

/// Coefficients of φ⁰, φ², φ⁴, …
const SERIES: [[f64; 8]; 3] = [
    [
        1.0,
        -1.0 / 6.0,
        1.0 / 120.0,
        -1.0 / 5_040.0,
        1.0 / 362_880.0,
        -1.0 / 39_916_800.0,
        1.0 / 6_227_020_800.0,
        -1.0 / 1_307_674_368_000.0,
    ],
    [
        0.5,
        -1.0 / 24.0,
        1.0 / 720.0,
        -1.0 / 40_320.0,
        1.0 / 3_628_800.0,
        -1.0 / 479_001_600.0,
        1.0 / 87_178_291_200.0,
        -1.0 / 20_922_789_888_000.0,
    ],
    [
        1.0 / 12.0,
        1.0 / 720.0,
        1.0 / 30_240.0,
        1.0 / 1_209_600.0,
        1.0 / 47_900_160.0,
        691.0 / 1_307_674_368_000.0,
        1.0 / 74_724_249_600.0,
        3_617.0 / 10_670_622_842_880_000.0,
    ],
];

/// Rotation about a coordinate axis (0 = x, 1 = y, 2 = z).
fn axis_rotation<S: Scalar>(axis: usize, angle: S) -> Matrix3<S> {
    let (sin, cos) = angle.sin_cos();
    let (i, j) = ((axis + 1) % 3, (axis + 2) % 3);
    let mut r = identity();
    (r[i][i], r[i][j], r[j][i], r[j][j]) = (cos, -sin, sin, cos);
    r
}
