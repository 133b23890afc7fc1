//! The algebra of quaternions `[e0, e1, e2, e3]`, scalar first, and rotations in other forms.
//!
//! With q = (e0, e): (a ∘ b)₀ = a₀ b₀ − a · b, and the vector part is a₀ b + b₀ a + a × b.
//!
//! Sources: Shuster (1993), A survey of attitude representations, J. Astronaut. Sci. 41; Markley & Crassidis (2014),
//! Fundamentals of Spacecraft Attitude Determination and Control, ch. 2 (whose first product has its factors exchanged).

use crate::{Real, Vector, math};

/// Hamilton's product a ∘ b: R(a ∘ b) = R(a) R(b).
#[inline]
pub fn product<T: Real>(a: [T; 4], b: [T; 4]) -> [T; 4] {
    [
        a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3],
        a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
        a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1],
        a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0],
    ]
}

/// q* = (e0, −e): the inverse of a unit quaternion, R(q*) = R(q)ᵀ.
#[inline]
pub fn conjugate<T: Real>(q: [T; 4]) -> [T; 4] {
    [q[0], -q[1], -q[2], -q[3]]
}

/// −q: the same rotation with the other sign.
#[inline]
pub fn flip<T: Real>(q: [T; 4]) -> [T; 4] {
    q.map(|e| -e)
}

/// Whichever of q and −q is nearer to `hint`, so that a sequence of attitudes has no jumps; q where the distances are equal.
#[inline]
pub fn nearer<T: Real>(q: [T; 4], hint: [T; 4]) -> [T; 4] {
    let cosine = q[0] * hint[0] + q[1] * hint[1] + q[2] * hint[2] + q[3] * hint[3];
    if cosine < T::ZERO { flip(q) } else { q }
}

/// |q|.
#[inline]
pub fn norm<T: Real>(q: [T; 4]) -> T {
    (q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]).sqrt()
}

/// q/|q|; NaN where q = 0, which is no rotation.
#[inline]
pub fn normalized<T: Real>(q: [T; 4]) -> [T; 4] {
    let scale = T::ONE / norm(q);
    q.map(|e| scale * e)
}

/// R(q) x: from body to world components, x_W = R_WB x_B.
///
/// It is computed without division, (e0² − e·e) x + 2 e (e·x) + 2 e0 e × x: homogeneous of degree 2 in q, so that the length of the result
/// is |q|² |x|.
#[inline]
pub fn rotate<T: Real>(q: [T; 4], x: [T; 3]) -> [T; 3] {
    let (e0, e, x) = (q[0], Vector([q[1], q[2], q[3]]), Vector(x));
    (x * (e0 * e0 - e.square()) + (e * e.dot(x) + e.cross(x) * e0) * (T::ONE + T::ONE)).0
}

/// R(q)ᵀ x: from world to body components, x_B = R_WBᵀ x_W. It is homogeneous of degree 2 in q, as [`rotate`] is.
#[inline]
pub fn rotate_back<T: Real>(q: [T; 4], x: [T; 3]) -> [T; 3] {
    rotate(conjugate(q), x)
}

/// R(q), rows of R_WB: homogeneous of degree 2, R(s q) = s² R(q), and orthogonal for |q| = 1.
///
/// # Source
/// Diebel (2006), Representing attitude, unit quaternions, transposed: his R maps world to body.
#[inline]
pub fn matrix_of<T: Real>(q: [T; 4]) -> [[T; 3]; 3] {
    let [w, x, y, z] = q;
    let (ww, xx, yy, zz) = (w * w, x * x, y * y, z * z);
    let two = T::ONE + T::ONE;
    [
        [ww + xx - yy - zz, two * (x * y - w * z), two * (x * z + w * y)],
        [two * (x * y + w * z), ww - xx + yy - zz, two * (y * z - w * x)],
        [two * (x * z - w * y), two * (y * z + w * x), ww - xx - yy + zz],
    ]
}

/// The unit quaternion of a rotation matrix, with e0 ≥ 0.
///
/// It normalizes 4 e_i q for the largest e_i², where 4 e_i² ≥ 1, so that no digits are lost at any attitude. The matrix must be a rotation up
/// to round-off; the quaternion is then exact up to round-off.
///
/// # Source
/// Shepperd (1978), Quaternion from rotation matrix, J. Guidance and Control 1.
pub fn quaternion_of<T: Real>(rotation: [[T; 3]; 3]) -> [T; 4] {
    let r = rotation;
    let trace = r[0][0] + r[1][1] + r[2][2];
    let [x, y, z] = [r[2][1] - r[1][2], r[0][2] - r[2][0], r[1][0] - r[0][1]];
    let [xy, xz, yz] = [r[0][1] + r[1][0], r[0][2] + r[2][0], r[1][2] + r[2][1]];
    let square = |i: usize| T::ONE + r[i][i] + r[i][i] - trace;
    // 4 e_i q for the i with the largest e_i².
    let multiple = if trace >= r[0][0] && trace >= r[1][1] && trace >= r[2][2] {
        [T::ONE + trace, x, y, z]
    } else if r[0][0] >= r[1][1] && r[0][0] >= r[2][2] {
        [x, square(0), xy, xz]
    } else if r[1][1] >= r[2][2] {
        [y, xy, square(1), yz]
    } else {
        [z, xz, yz, square(2)]
    };
    let q = normalized(multiple);
    if q[0] < T::ZERO { flip(q) } else { q }
}

/// The unit quaternion of a rotation by `angle` \[rad\] about `axis`, which need not be a unit vector: (cos ½α, sin ½α a/|a|).
/// NaN for the axis 0.
pub fn axis_angle<T: Real>(axis: [T; 3], angle: T) -> [T; 4] {
    let (sin, cos) = sin_cos(T::from_f64(0.5) * angle);
    let [x, y, z] = (Vector(axis) * (sin / Vector(axis).square().sqrt())).0;
    [cos, x, y, z]
}

/// Unit axis and angle in \[0, π\] of a rotation; the x axis and 0 for the identity. The result does not depend on |q|, nor on the sign of q
/// unless the angle is π.
pub fn axis_and_angle<T: Real>(q: [T; 4]) -> ([T; 3], T) {
    let q = if q[0] < T::ZERO { flip(q) } else { q };
    let e = Vector([q[1], q[2], q[3]]);
    let sin = e.square().sqrt();
    if sin <= T::ZERO {
        return ([T::ONE, T::ZERO, T::ZERO], T::ZERO);
    }
    ((e * (T::ONE / sin)).0, T::from_f64(2.0) * atan2(sin, q[0]))
}

/// A rotation uniform over all rotations, from three independent numbers uniform in [0, 1).
///
/// # Source
/// Shoemake (1992), Uniform random rotations, Graphics Gems III, §III.6.
pub fn random<T: Real>(uniforms: [T; 3]) -> [T; 4] {
    let [u, v, w] = uniforms;
    let tau = T::from_f64(core::f64::consts::TAU);
    let ((s1, c1), (s2, c2)) = (sin_cos(tau * v), sin_cos(tau * w));
    let (a, b) = ((T::ONE - u).sqrt(), u.sqrt());
    [b * c2, a * s1, a * c1, b * s2]
}

/// (sin x, cos x), computed in `f64`.
#[inline]
pub(super) fn sin_cos<T: Real>(x: T) -> (T, T) {
    let (sin, cos) = math::sin_cos(x.to_f64());
    (T::from_f64(sin), T::from_f64(cos))
}

/// The angle of the point (x, y) in [−π, π], computed in `f64`.
#[inline]
pub(super) fn atan2<T: Real>(y: T, x: T) -> T {
    T::from_f64(math::atan2(y.to_f64(), x.to_f64()))
}

/// Normalizes the four coordinates from `first` on, a quaternion; does nothing if there are fewer.
pub fn normalize_at<T: Real>(coordinates: &mut [T], first: usize) {
    if let Some(e) = coordinates.get_mut(first..).and_then(|rest| rest.first_chunk_mut::<4>()) {
        *e = normalized(*e);
    }
}
