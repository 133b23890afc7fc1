//! Parameters of a rotation as expressions of its entries.
//!
//! A [`Rotation`] R_AB is given by its columns, the axes of B in A: R_ij = `r[j][i]`, so that v_A = R_AB v_B. What is read back is
//! unique: quaternions have e0 ≥ 0, vectors of parameters belong to turns of at most π, angles lie in their principal ranges.
//! Where a rotation is a half turn, or Euler angles lock, the result jumps or is not finite, as the functions say.

#![allow(non_snake_case)] // monogram notation

use mbs_expr::{Comparison, ExprId, Exprs, Function, Function2};

use crate::{Attitude, Rotation};

/// The parameters of an attitude, [`Attitude::count`] of them.
pub fn parameters(exprs: &mut Exprs, attitude: Attitude, R_AB: Rotation) -> Vec<ExprId> {
    match attitude {
        Attitude::Quaternion => quaternion(exprs, R_AB).to_vec(),
        Attitude::ModifiedRodrigues => modified_rodrigues(exprs, R_AB).to_vec(),
        Attitude::Rodrigues => rodrigues(exprs, R_AB).to_vec(),
        Attitude::RotationVector => rotation_vector(exprs, R_AB).to_vec(),
        Attitude::Euler(sequence) => euler(exprs, sequence, R_AB).to_vec(),
    }
}

/// The unit quaternion, scalar first, with e0 ≥ 0.
///
/// K = 4 q qᵀ is linear in the entries of R; with the largest of its diagonal entries, K_kk = 4 eₖ² ≥ 1, q = ± K_·k / (2 √K_kk):
/// regular everywhere. For half turns, e0 = 0, the sign is that of the column.
///
/// # Source
/// Shepperd (1978), Quaternion from rotation matrix, J. Guidance and Control 1(3), 223–224.
pub fn quaternion(exprs: &mut Exprs, R_AB: Rotation) -> [ExprId; 4] {
    let columns = outer_product(exprs, R_AB);
    let (mut best, mut largest) = (columns[0], columns[0][0]);
    for (k, column) in columns.into_iter().enumerate().skip(1) {
        let mut larger = |new, old| exprs.select(Comparison::Less, largest, column[k], new, old);
        best = [0, 1, 2, 3].map(|i| larger(column[i], best[i]));
        largest = larger(column[k], largest);
    }
    let (root, half, zero) = (exprs.unary(Function::Sqrt, largest), exprs.number(0.5), exprs.number(0.0));
    let scale = exprs.div(half, root);
    let opposite = exprs.neg(scale);
    let scale = exprs.select(Comparison::Less, best[0], zero, opposite, scale);
    let parts = best.map(|e| exprs.mul(scale, e));
    exprs.set_quaternion(parts);
    parts
}

/// The columns of 4 q qᵀ.
fn outer_product(exprs: &mut Exprs, [x, y, z]: Rotation) -> [[ExprId; 4]; 4] {
    let one = exprs.number(1.0);
    let mut diagonal = |signs: [bool; 3]| {
        [x[0], y[1], z[2]]
            .into_iter()
            .zip(signs)
            .fold(one, |sum, (entry, positive)| if positive { exprs.add(sum, entry) } else { exprs.sub(sum, entry) })
    };
    let squares = [
        diagonal([true, true, true]),
        diagonal([true, false, false]),
        diagonal([false, true, false]),
        diagonal([false, false, true]),
    ];
    let turn = [(y[2], z[1]), (z[0], x[2]), (x[1], y[0])].map(|(a, b)| exprs.sub(a, b));
    let [xy, xz, yz] = [(y[0], x[1]), (z[0], x[2]), (z[1], y[2])].map(|(a, b)| exprs.add(a, b));
    [
        [squares[0], turn[0], turn[1], turn[2]],
        [turn[0], squares[1], xy, xz],
        [turn[1], xy, squares[2], yz],
        [turn[2], xz, yz, squares[3]],
    ]
}

/// Modified Rodrigues parameters e/(1 + e0) = tan(φ/4) n, of length at most 1.
pub fn modified_rodrigues(exprs: &mut Exprs, R_AB: Rotation) -> [ExprId; 3] {
    let [e0, e @ ..] = quaternion(exprs, R_AB);
    let one = exprs.number(1.0);
    let size = exprs.add(one, e0);
    e.map(|x| exprs.div(x, size))
}

/// Rodrigues parameters e/e0 = tan(φ/2) n, not finite for half turns.
pub fn rodrigues(exprs: &mut Exprs, R_AB: Rotation) -> [ExprId; 3] {
    let [e0, e @ ..] = quaternion(exprs, R_AB);
    e.map(|x| exprs.div(x, e0))
}

/// Below this square of |e| = sin(φ/2) the rotation vector takes a series.
const SMALL: f64 = 1e-4;

/// asin(s)/s as a series in s²; what is left out is below 2e-26 where s² < [`SMALL`].
const ARCSINE: [f64; 6] = [1.0, 1.0 / 6.0, 3.0 / 40.0, 5.0 / 112.0, 35.0 / 1152.0, 63.0 / 2816.0];

/// Rotation vector φ n with 0 ≤ φ ≤ π: 2 atan2(|e|, e0)/|e| · e, near the identity by a series.
pub fn rotation_vector(exprs: &mut Exprs, R_AB: Rotation) -> [ExprId; 3] {
    let [e0, e @ ..] = quaternion(exprs, R_AB);
    let square = exprs.dot(&e, &e);
    let [small, one, two] = [SMALL, 1.0, 2.0].map(|x| exprs.number(x));
    // The branch that is not taken stays finite, so that its slopes are, too.
    let regular = exprs.select(Comparison::Less, square, small, one, square);
    let size = exprs.unary(Function::Sqrt, regular);
    let angle = exprs.binary(Function2::Atan2, size, e0);
    let closed = exprs.div(angle, size);
    let mut series = exprs.number(0.0);
    for coefficient in ARCSINE.into_iter().rev() {
        let (higher, coefficient) = (exprs.mul(series, square), exprs.number(coefficient));
        series = exprs.add(higher, coefficient);
    }
    let half = exprs.select(Comparison::Less, square, small, series, closed);
    let scale = exprs.mul(two, half);
    e.map(|x| exprs.mul(scale, x))
}

/// Euler angles of a sequence of axes 0 = x, 1 = y, 2 = z, R_AB = R_i(a) R_j(b) R_k(c): a and c in (−π, π\], b in \[0, π\] where the
/// first axis is the last, else in \[−π/2, π/2\]. At the ends of b's range, where they lock, a and c are zero, and their rates do not
/// exist.
pub fn euler(exprs: &mut Exprs, sequence: [u8; 3], R_AB: Rotation) -> [ExprId; 3] {
    let angles =
        euler_directions(exprs, sequence, R_AB).map(|[sine, cosine]| exprs.binary(Function2::Atan2, sine, cosine));
    exprs.set_angle(angles[0]);
    exprs.set_angle(angles[2]);
    angles
}

/// Sine and cosine of each of the angles of [`euler`], times a common factor: of a and c, |cos b| or |sin b|.
///
/// With m the axis beside i and j and ε = ±1 from e_i × e_j = ε e_m. Three axes: R_ik = ε sin b, (R_jk, R_kk) = cos b (−ε sin a, cos a),
/// (R_ij, R_ii) = cos b (−ε sin c, cos c). First axis last: R_ii = cos b, (R_ji, R_mi) = sin b (sin a, −ε cos a), (R_ij, R_im) = sin b
/// (sin c, ε cos c).
///
/// # Source
/// Diebel (2006), Representing attitude, §8, for all sequences at once.
pub fn euler_directions(exprs: &mut Exprs, sequence: [u8; 3], R_AB: Rotation) -> [[ExprId; 2]; 3] {
    let [i, j, k] = sequence.map(usize::from);
    let m = 3 - i - j;
    let right_handed = (i + 1) % 3 == j;
    let entry = |row: usize, column: usize| R_AB[column][row];
    let mut signed = |x, positive: bool| if positive { x } else { exprs.neg(x) };
    if i == k {
        let a = [entry(j, i), signed(entry(m, i), !right_handed)];
        let c = [entry(i, j), signed(entry(i, m), right_handed)];
        let sine = exprs.norm(&[entry(i, j), entry(i, m)]);
        return [a, [sine, entry(i, i)], c];
    }
    let a = [signed(entry(j, k), !right_handed), entry(k, k)];
    let c = [signed(entry(i, j), !right_handed), entry(i, i)];
    let sine = signed(entry(i, k), right_handed);
    let cosine = exprs.norm(&[entry(i, j), entry(i, i)]);
    [a, [sine, cosine], c]
}
