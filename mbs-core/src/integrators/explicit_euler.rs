//! Explicit Euler.

use super::ExplicitRungeKutta;

/// Explicit Euler: y⁺ = y + h f(t, y). Order 1, one evaluation per step.
///
/// # Source
/// Hairer, Nørsett & Wanner (1993), Solving ODEs I, §I.7, eq. (7.3).
pub type ExplicitEuler<M, T = f64> = ExplicitRungeKutta<M, T, 1>;
