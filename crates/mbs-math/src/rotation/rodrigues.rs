//! Rodrigues parameters g = a tan ½θ and modified ones σ = a tan ¼θ, for the turn by θ about the unit vector a.
//!
//! With ω in body axes:
//!
//! 1. ġ = ½ (ω + g × ω + (g·ω) g), ω = 2/(1 + g·g) (ġ − g × ġ);
//! 2. σ̇ = ¼ ((1 − σ·σ) ω + 2 σ × ω + 2 (σ·ω) σ), ω = 4/(1 + σ·σ)² ((1 − σ·σ) σ̇ − 2 σ × σ̇ + 2 (σ·σ̇) σ).
//!
//! Sources: Schaub & Junkins (2018), Analytical Mechanics of Space Systems, ch. 3, classical and modified Rodrigues parameters;
//! Markley & Crassidis (2014), Fundamentals of Spacecraft Attitude Determination and Control, ch. 2 and 3.

use super::quaternion::norm;
use super::space::{added, cross, inner, scaled};

/// (1, g)/√(1 + g·g).
pub(super) fn quaternion(g: [f64; 3]) -> [f64; 4] {
    super::cayley(g)
}

/// (1 − σ·σ, 2 σ)/(1 + σ·σ).
pub(super) fn quaternion_of_modified(sigma: [f64; 3]) -> [f64; 4] {
    let square = inner(sigma, sigma);
    let scale = 1.0 / (1.0 + square);
    let [x, y, z] = scaled(2.0 * scale, sigma);
    [(1.0 - square) * scale, x, y, z]
}

/// σ = e/(|q| + e0) of whichever of q and −q has |σ| ≤ 1; for half turns, |σ| = 1, the sign of q decides.
pub(super) fn modified(q: [f64; 4]) -> [f64; 3] {
    let size = if q[0] < 0.0 { q[0] - norm(q) } else { q[0] + norm(q) };
    [q[1] / size, q[2] / size, q[3] / size]
}

/// The same attitude with the other sign of the quaternion, −σ/(σ·σ): not finite at the identity.
pub(super) fn shadow(sigma: [f64; 3]) -> [f64; 3] {
    let square = inner(sigma, sigma);
    sigma.map(|s| -s / square)
}

/// Equation 1, ġ.
pub(super) fn rates(g: [f64; 3], omega: [f64; 3]) -> [f64; 3] {
    scaled(0.5, added(added(omega, 1.0, cross(g, omega)), inner(g, omega), g))
}

/// Equation 1, ω.
pub(super) fn angular_velocity(g: [f64; 3], rate: [f64; 3]) -> [f64; 3] {
    scaled(2.0 / (1.0 + inner(g, g)), added(rate, -1.0, cross(g, rate)))
}

/// Ṅ ω, the derivative of equation 1 at constant ω: ½ (ġ × ω + (ġ·ω) g + (g·ω) ġ).
pub(super) fn bias(g: [f64; 3], omega: [f64; 3]) -> [f64; 3] {
    let rate = rates(g, omega);
    scaled(0.5, added(added(cross(rate, omega), inner(rate, omega), g), inner(g, omega), rate))
}

/// Equation 2, σ̇.
pub(super) fn modified_rates(sigma: [f64; 3], omega: [f64; 3]) -> [f64; 3] {
    let turned = added(cross(sigma, omega), inner(sigma, omega), sigma);
    scaled(0.25, added(scaled(1.0 - inner(sigma, sigma), omega), 2.0, turned))
}

/// Equation 2, ω.
pub(super) fn angular_velocity_of_modified(sigma: [f64; 3], rate: [f64; 3]) -> [f64; 3] {
    let square = inner(sigma, sigma);
    let turned = added(cross(rate, sigma), inner(sigma, rate), sigma);
    scaled(4.0 / ((1.0 + square) * (1.0 + square)), added(scaled(1.0 - square, rate), 2.0, turned))
}

/// Ṅ ω, the derivative of equation 2 at constant ω: ½ (σ̇ × ω + (σ·ω) σ̇ + (σ̇·ω) σ − (σ·σ̇) ω).
pub(super) fn modified_bias(sigma: [f64; 3], omega: [f64; 3]) -> [f64; 3] {
    let rate = modified_rates(sigma, omega);
    let turned = added(cross(rate, omega), -inner(sigma, rate), omega);
    scaled(0.5, added(added(turned, inner(sigma, omega), rate), inner(rate, omega), sigma))
}
