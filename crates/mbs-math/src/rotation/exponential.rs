//! The manifold of rotations: exponential map, ⊕ and ⊖ in body axes, and Cayley's map.

use super::quaternion::{atan2, conjugate, flip, normalized, product, sin_cos};
use crate::{Real, Vector};

/// The unit quaternion of a rotation vector φ \[rad\]: a rotation by |φ| about φ, (cos ½θ, sin ½θ φ/θ) with θ = |φ|.
///
/// R(exp φ) is the exponential of the matrix \[φ×\].
#[inline]
pub fn exp<T: Real>(phi: [T; 3]) -> [T; 4] {
    let half = T::from_f64(0.5);
    let theta = Vector(phi).square().sqrt();
    let (sin, cos) = sin_cos(half * theta);
    let [x, y, z] = (Vector(phi) * if theta > T::ZERO { sin / theta } else { half }).0;
    [cos, x, y, z]
}

/// The rotation vector φ \[rad\] of a rotation, with |φ| ≤ π: exp(log q) = ±q.
///
/// The result does not depend on |q|, nor on the sign of q unless |φ| = π, where φ and −φ are the same rotation. It is accurate for small
/// rotations, where arc cosines are not.
#[inline]
pub fn log<T: Real>(q: [T; 4]) -> [T; 3] {
    let q = if q[0] < T::ZERO { flip(q) } else { q };
    let e = Vector([q[1], q[2], q[3]]);
    let (sin, two) = (e.square().sqrt(), T::from_f64(2.0));
    (e * if sin > T::ZERO { two * atan2(sin, q[0]) / sin } else { two / q[0] }).0
}

/// q ⊕ δ = q ∘ exp δ, of unit length: rotates the body by the rotation vector δ \[rad\] in body axes. d/dδ at δ = 0 is N, the
/// matrix of q̇ = N ω, which is therefore the Jacobian of the error state.
#[inline]
pub fn plus<T: Real>(q: [T; 4], delta: [T; 3]) -> [T; 4] {
    normalized(product(q, exp(delta)))
}

/// q ⊖ p = log(p* ∘ q): the rotation vector δ \[rad\] in body axes with p ⊕ δ = ±q and |δ| ≤ π.
#[inline]
pub fn minus<T: Real>(q: [T; 4], p: [T; 4]) -> [T; 3] {
    log(product(conjugate(p), q))
}

/// Cayley's map (1, g)/√(1 + g·g) of Rodrigues parameters g = a tan ½θ: the rotation by θ about the unit vector a, ½ φ for small
/// rotations. It needs no trigonometric functions, and does not represent half revolutions.
///
/// # Source
/// Jackson, Tracy & Manchester (2021), Planning with attitude, IEEE Robotics and Automation Letters 6.
#[inline]
pub fn cayley<T: Real>(g: [T; 3]) -> [T; 4] {
    normalized([T::ONE, g[0], g[1], g[2]])
}

/// g = e/e0 with [`cayley`]`(g)` = ±q/|q|; not finite for half revolutions, e0 = 0.
#[inline]
pub fn inverse_cayley<T: Real>(q: [T; 4]) -> [T; 3] {
    [q[1] / q[0], q[2] / q[0], q[3] / q[0]]
}
