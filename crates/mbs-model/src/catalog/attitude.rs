//! Attitude parameters as expressions of the entries of a rotation matrix.
//!
//! The argument R_AB is the list of its columns, the axes of B in A: R_ij = `R_AB[j][i]`, so that v_A = R_AB v_B. The parameters are unique:
//! quaternions have e0 ≥ 0, vectors of parameters belong to rotations by at most π, angles lie in their principal ranges. At half revolutions,
//! and at the singularities of Euler angles, the result jumps or is not finite, as the functions document.

#![allow(non_snake_case)] // monogram notation

use mbs_expr::{Expr, Scalar, Writer};
use mbs_math::{Vec3, Vector};

use crate::Attitude;

/// The parameters of an attitude. Shape: [`Attitude::count`].
pub fn parameters<'e>(w: &'e Writer, attitude: Attitude, R_AB: [Vec3<Expr<'e>>; 3]) -> Vec<Expr<'e>> {
    match attitude {
        Attitude::Quaternion => quaternion(w, R_AB).to_vec(),
        Attitude::ModifiedRodrigues => modified_rodrigues(w, R_AB).0.to_vec(),
        Attitude::Rodrigues => rodrigues(w, R_AB).0.to_vec(),
        Attitude::RotationVector => rotation_vector(w, R_AB).0.to_vec(),
        Attitude::Euler(sequence) => euler(w, sequence, R_AB).to_vec(),
    }
}

/// The unit quaternion, scalar first, with e0 ≥ 0.
///
/// K = 4 q qᵀ is linear in the entries of R. With its largest diagonal entry, K_kk = 4 eₖ² ≥ 1, it is q = ± K_·k / (2 √K_kk), which is regular
/// everywhere. For half revolutions, e0 = 0, the sign is that of the column.
///
/// # Source
/// Shepperd (1978), Quaternion from rotation matrix, J. Guidance and Control 1(3), 223–224.
pub fn quaternion<'e>(w: &'e Writer, R_AB: [Vec3<Expr<'e>>; 3]) -> [Expr<'e>; 4] {
    let columns = outer_product(R_AB);
    let (mut best, mut largest) = (columns[0], columns[0][0]);
    for (k, column) in columns.into_iter().enumerate().skip(1) {
        best = [0, 1, 2, 3].map(|i| largest.if_less(column[k], column[i], best[i]));
        largest = largest.if_less(column[k], column[k], largest);
    }
    let scale = 0.5 / largest.sqrt();
    let scale = best[0].if_less(0.0, -scale, scale);
    let parts = best.map(|e| scale * e);
    let ids = parts.map(|e| w.id(e));
    w.edit(|exprs| exprs.set_quaternion(ids));
    parts
}

/// The columns of 4 q qᵀ.
fn outer_product<'e>([x, y, z]: [Vec3<Expr<'e>>; 3]) -> [[Expr<'e>; 4]; 4] {
    let squares =
        [1.0 + x[0] + y[1] + z[2], 1.0 + x[0] - y[1] - z[2], 1.0 - x[0] + y[1] - z[2], 1.0 - x[0] - y[1] + z[2]];
    let skew = [y[2] - z[1], z[0] - x[2], x[1] - y[0]];
    let [xy, xz, yz] = [y[0] + x[1], z[0] + x[2], z[1] + y[2]];
    [
        [squares[0], skew[0], skew[1], skew[2]],
        [skew[0], squares[1], xy, xz],
        [skew[1], xy, squares[2], yz],
        [skew[2], xz, yz, squares[3]],
    ]
}

/// Modified Rodrigues parameters e/(1 + e0) = tan(φ/4) n, of length at most 1.
pub fn modified_rodrigues<'e>(w: &'e Writer, R_AB: [Vec3<Expr<'e>>; 3]) -> Vec3<Expr<'e>> {
    let [e0, e @ ..] = quaternion(w, R_AB);
    Vector(e) / (1.0 + e0)
}

/// Rodrigues parameters e/e0 = tan(φ/2) n, not finite for half revolutions.
pub fn rodrigues<'e>(w: &'e Writer, R_AB: [Vec3<Expr<'e>>; 3]) -> Vec3<Expr<'e>> {
    let [e0, e @ ..] = quaternion(w, R_AB);
    Vector(e) / e0
}

/// Limit of |e|² = sin²(φ/2) below which the rotation vector is a series.
const SMALL: f64 = 1e-4;

/// Coefficients of asin(s)/s as a series in s². The truncation error is less than 2e-26 for s² < [`SMALL`].
const ARCSINE: [f64; 6] = [1.0, 1.0 / 6.0, 3.0 / 40.0, 5.0 / 112.0, 35.0 / 1152.0, 63.0 / 2816.0];

/// Rotation vector φ n \[rad\] with 0 ≤ φ ≤ π: 2 atan2(|e|, e0)/|e| · e, and a series near the identity.
pub fn rotation_vector<'e>(w: &'e Writer, R_AB: [Vec3<Expr<'e>>; 3]) -> Vec3<Expr<'e>> {
    let [e0, e @ ..] = quaternion(w, R_AB);
    let e = Vector(e);
    let square = e.square();
    // The branch that is not taken must be finite, so that its derivatives are finite.
    let size = square.if_less(SMALL, 1.0, square).sqrt();
    let closed = size.atan2(e0) / size;
    let series = ARCSINE.into_iter().rev().fold(Expr::from(0.0), |series, c| series * square + c);
    2.0 * square.if_less(SMALL, series, closed) * e
}

/// Euler angles \[rad\] of a sequence of axes 0 = x, 1 = y, 2 = z, R_AB = R_i(a) R_j(b) R_k(c): a and c in (−π, π\], b in \[0, π\] if the first
/// axis equals the last, otherwise in \[−π/2, π/2\]. At the ends of b's range, the singularities, a and c are zero, and their rates do not exist.
pub fn euler<'e>(w: &'e Writer, sequence: [u8; 3], R_AB: [Vec3<Expr<'e>>; 3]) -> [Expr<'e>; 3] {
    let angles = euler_directions(sequence, R_AB).map(|[sine, cosine]| sine.atan2(cosine));
    for angle in [w.id(angles[0]), w.id(angles[2])] {
        w.edit(|exprs| exprs.set_angle(angle));
    }
    angles
}

/// Sine and cosine of each of the angles of [`euler`], times a common positive factor, which is |cos b| or |sin b| for a and c.
///
/// m is the axis other than i and j, and ε = ±1 from e_i × e_j = ε e_m. For three different axes: R_ik = ε sin b,
/// (R_jk, R_kk) = cos b (−ε sin a, cos a), (R_ij, R_ii) = cos b (−ε sin c, cos c). If the first axis equals the last: R_ii = cos b,
/// (R_ji, R_mi) = sin b (sin a, −ε cos a), (R_ij, R_im) = sin b (sin c, ε cos c).
///
/// # Source
/// Diebel (2006), Representing attitude, §8, for all sequences at once.
pub fn euler_directions<'e>(sequence: [u8; 3], R_AB: [Vec3<Expr<'e>>; 3]) -> [[Expr<'e>; 2]; 3] {
    let [i, j, k] = sequence.map(usize::from);
    let m = 3 - i - j;
    let right_handed = (i + 1) % 3 == j;
    let R = |row: usize, column: usize| R_AB[column][row];
    let signed = |x: Expr<'e>, positive: bool| if positive { x } else { -x };
    let length = |x: Expr<'e>, y: Expr<'e>| Vector([x, y]).square().sqrt();
    if i == k {
        let a = [R(j, i), signed(R(m, i), !right_handed)];
        let c = [R(i, j), signed(R(i, m), right_handed)];
        return [a, [length(R(i, j), R(i, m)), R(i, i)], c];
    }
    let a = [signed(R(j, k), !right_handed), R(k, k)];
    let c = [signed(R(i, j), !right_handed), R(i, i)];
    [a, [signed(R(i, k), right_handed), length(R(i, j), R(i, i))], c]
}
