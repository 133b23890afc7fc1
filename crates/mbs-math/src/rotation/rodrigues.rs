//! Rodrigues parameters g = a tan ½θ and modified ones σ = a tan ¼θ, for the rotation by θ about the unit vector a.
//!
//! With ω in body axes:
//!
//! 1. ġ = ½ (ω + g × ω + (g·ω) g), ω = 2/(1 + g·g) (ġ − g × ġ);
//! 2. σ̇ = ¼ ((1 − σ·σ) ω + 2 σ × ω + 2 (σ·ω) σ), ω = 4/(1 + σ·σ)² ((1 − σ·σ) σ̇ − 2 σ × σ̇ + 2 (σ·σ̇) σ).
//!
//! Sources: Schaub & Junkins (2018), Analytical Mechanics of Space Systems, ch. 3, classical and modified Rodrigues parameters;
//! Markley & Crassidis (2014), Fundamentals of Spacecraft Attitude Determination and Control, ch. 2 and 3.

use super::quaternion::norm;
use crate::Vector;

/// (1, g)/√(1 + g·g).
pub(super) fn quaternion(g: [f64; 3]) -> [f64; 4] {
    super::cayley(g)
}

/// (1 − σ·σ, 2 σ)/(1 + σ·σ).
pub(super) fn quaternion_of_modified(sigma: [f64; 3]) -> [f64; 4] {
    let square = Vector(sigma).square();
    let scale = 1.0 / (1.0 + square);
    let [x, y, z] = (Vector(sigma) * (2.0 * scale)).0;
    [(1.0 - square) * scale, x, y, z]
}

/// σ = e/(|q| + e0) of whichever of q and −q has |σ| ≤ 1; for half revolutions, |σ| = 1, the sign of q decides.
pub(super) fn modified(q: [f64; 4]) -> [f64; 3] {
    let size = if q[0] < 0.0 { q[0] - norm(q) } else { q[0] + norm(q) };
    [q[1] / size, q[2] / size, q[3] / size]
}

/// Parameters of the same attitude with the other sign of the quaternion, −σ/(σ·σ): not finite at the identity.
pub(super) fn shadow(sigma: [f64; 3]) -> [f64; 3] {
    (-Vector(sigma) / Vector(sigma).square()).0
}

/// Equation 1, ġ.
pub(super) fn rates(g: [f64; 3], omega: [f64; 3]) -> [f64; 3] {
    let [g, omega] = [g, omega].map(Vector);
    ((omega + g.cross(omega) + g * g.dot(omega)) * 0.5).0
}

/// Equation 1, ω.
pub(super) fn angular_velocity(g: [f64; 3], rate: [f64; 3]) -> [f64; 3] {
    let [g, rate] = [g, rate].map(Vector);
    ((rate - g.cross(rate)) * (2.0 / (1.0 + g.square()))).0
}

/// Ṅ ω, the derivative of equation 1 at constant ω: ½ (ġ × ω + (ġ·ω) g + (g·ω) ġ).
pub(super) fn bias(g: [f64; 3], omega: [f64; 3]) -> [f64; 3] {
    let [rate, g, omega] = [rates(g, omega), g, omega].map(Vector);
    ((rate.cross(omega) + g * rate.dot(omega) + rate * g.dot(omega)) * 0.5).0
}

/// Equation 2, σ̇.
pub(super) fn modified_rates(sigma: [f64; 3], omega: [f64; 3]) -> [f64; 3] {
    let [sigma, omega] = [sigma, omega].map(Vector);
    let doubled = sigma.cross(omega) + sigma * sigma.dot(omega);
    ((omega * (1.0 - sigma.square()) + doubled * 2.0) * 0.25).0
}

/// Equation 2, ω.
pub(super) fn angular_velocity_of_modified(sigma: [f64; 3], rate: [f64; 3]) -> [f64; 3] {
    let [sigma, rate] = [sigma, rate].map(Vector);
    let square = sigma.square();
    let doubled = rate.cross(sigma) + sigma * sigma.dot(rate);
    ((rate * (1.0 - square) + doubled * 2.0) * (4.0 / ((1.0 + square) * (1.0 + square)))).0
}

/// Ṅ ω, the derivative of equation 2 at constant ω: ½ (σ̇ × ω + (σ·ω) σ̇ + (σ̇·ω) σ − (σ·σ̇) ω).
pub(super) fn modified_bias(sigma: [f64; 3], omega: [f64; 3]) -> [f64; 3] {
    let [rate, sigma, omega] = [modified_rates(sigma, omega), sigma, omega].map(Vector);
    let terms = rate.cross(omega) - omega * sigma.dot(rate);
    ((terms + rate * sigma.dot(omega) + sigma * rate.dot(omega)) * 0.5).0
}
