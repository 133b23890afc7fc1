//! Rotation vectors φ = θ a \[rad\], for the rotation by θ = |φ| about the unit vector a.
//!
//! With ω in body axes (the right Jacobian of the exponential map and its inverse):
//!
//! 1. φ̇ = ω + ½ φ × ω + c φ × (φ × ω), c = (1 − ½θ cot ½θ)/θ²;
//! 2. ω = φ̇ − ½ sinc²(½θ) φ × φ̇ + d φ × (φ × φ̇), d = (θ − sin θ)/θ³, sinc x = sin x/x.
//!
//! Below θ = ½ the coefficients are sums of series, truncated at round-off: closed forms cancel there.
//!
//! Sources: Bortz (1971), A new mathematical formulation for strapdown inertial navigation, IEEE Trans. AES-7 (equation 1);
//! Diebel (2006), Representing attitude, rotation vectors; Chirikjian (2012), Stochastic Models, Information Theory, and
//! Lie Groups 2, ch. 10.

use crate::Vector;
use crate::math::{floor, sin_cos};
use core::f64::consts::TAU;

/// Below this angle \[rad\] the series are used.
const SMALL: f64 = 0.5;

/// c of equation 1 as a series in θ²: |B₂ₙ|/(2n)! with the Bernoulli numbers, n = 1, 2, ….
const C: [f64; 7] = [
    1.0 / 12.0,
    1.0 / 720.0,
    1.0 / 30240.0,
    1.0 / 1209600.0,
    1.0 / 47900160.0,
    691.0 / 1307674368000.0,
    1.0 / 74724249600.0,
];

/// d of equation 2 as a series in θ²: (−1)ⁿ⁻¹/(2n + 1)!.
const D: [f64; 6] = [1.0 / 6.0, -1.0 / 120.0, 1.0 / 5040.0, -1.0 / 362880.0, 1.0 / 39916800.0, -1.0 / 6227020800.0];

/// The rotation vector nearest to `hint` of those with the rotation of `phi`: angles θ + 2πk about a are the same rotation.
pub(super) fn nearest_equivalent(phi: [f64; 3], hint: [f64; 3]) -> [f64; 3] {
    let [vector, hint] = [phi, hint].map(Vector);
    let (angle, size) = (length(phi), length(hint.0));
    // The identity is a rotation by 0 about any axis.
    let (axis, angle) = if angle > 0.0 {
        (vector * (1.0 / angle), angle)
    } else if size > 0.0 {
        (hint * (1.0 / size), 0.0)
    } else {
        return phi;
    };
    let revolutions = floor((axis.dot(hint) - angle) / TAU + 0.5);
    (axis * (angle + TAU * revolutions)).0
}

/// φ with |φ| ≤ π for the same rotation.
pub(super) fn shortest(phi: [f64; 3]) -> [f64; 3] {
    let angle = length(phi);
    let revolutions = floor(angle / TAU + 0.5);
    if revolutions > 0.0 { (Vector(phi) * (1.0 - TAU * revolutions / angle)).0 } else { phi }
}

/// |φ|.
fn length(phi: [f64; 3]) -> f64 {
    crate::Real::sqrt(Vector(phi).square())
}

/// Equation 1.
pub(super) fn rates(phi: [f64; 3], omega: [f64; 3]) -> [f64; 3] {
    let theta = length(phi);
    let [phi, omega] = [phi, omega].map(Vector);
    let cross = phi.cross(omega);
    (omega + cross * 0.5 + phi.cross(cross) * c(theta)).0
}

/// Equation 2.
pub(super) fn angular_velocity(phi: [f64; 3], rate: [f64; 3]) -> [f64; 3] {
    let theta = length(phi);
    let [phi, rate] = [phi, rate].map(Vector);
    let cross = phi.cross(rate);
    (rate - cross * half_sinc_squared(theta) + phi.cross(cross) * d(theta)).0
}

/// Ṅ ω, the derivative of equation 1 at constant ω:
/// ½ φ̇ × ω + c (φ̇ × (φ × ω) + φ × (φ̇ × ω)) + ċ φ × (φ × ω), ċ = (dc/dθ)/θ φ·φ̇.
pub(super) fn bias(phi: [f64; 3], omega: [f64; 3]) -> [f64; 3] {
    let theta = length(phi);
    let [rate, phi, omega] = [rates(phi, omega), phi, omega].map(Vector);
    let (cross, cross_rate) = (phi.cross(omega), rate.cross(omega));
    let double_cross_rate = rate.cross(cross) + phi.cross(cross_rate);
    let c_rate = derivative_of_c(theta) * phi.dot(rate);
    (cross_rate * 0.5 + double_cross_rate * c(theta) + phi.cross(cross) * c_rate).0
}

/// |sin ½θ|/½θ: the square root of the determinant of equation 2, 1 at the identity and 0 at θ = 2π, 4π, ….
pub(super) fn regularity(phi: [f64; 3]) -> f64 {
    let half = 0.5 * length(phi);
    if half > 0.0 { (sin_cos(half).0 / half).abs() } else { 1.0 }
}

/// c of equation 1.
fn c(theta: f64) -> f64 {
    let square = theta * theta;
    if theta < SMALL {
        return series(&C, square);
    }
    let (sin, cos) = sin_cos(0.5 * theta);
    (1.0 - 0.5 * theta * cos / sin) / square
}

/// (dc/dθ)/θ = (−2 + ½θ cot ½θ + (½θ/sin ½θ)²)/θ⁴.
fn derivative_of_c(theta: f64) -> f64 {
    let square = theta * theta;
    if theta < SMALL {
        let derivatives: [f64; 6] = core::array::from_fn(|i| 2.0 * (i + 1) as f64 * C[i + 1]);
        return series(&derivatives, square);
    }
    let (sin, cos) = sin_cos(0.5 * theta);
    let ratio = 0.5 * theta / sin;
    (ratio * cos + ratio * ratio - 2.0) / (square * square)
}

/// d of equation 2.
fn d(theta: f64) -> f64 {
    let square = theta * theta;
    if theta < SMALL { series(&D, square) } else { (theta - sin_cos(theta).0) / (square * theta) }
}

/// (1 − cos θ)/θ² = 2 sin²(½θ)/θ².
fn half_sinc_squared(theta: f64) -> f64 {
    if theta > 0.0 {
        let ratio = sin_cos(0.5 * theta).0 / theta;
        2.0 * ratio * ratio
    } else {
        0.5
    }
}

/// Σ c_i xⁱ.
fn series(coefficients: &[f64], x: f64) -> f64 {
    coefficients.iter().rev().fold(0.0, |sum, c| sum * x + c)
}
