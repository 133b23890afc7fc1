//! Runge's method of order 2.

use super::ExplicitRungeKutta;

/// The explicit midpoint rule: y⁺ = y + h f(t + h/2, y + h/2 f(t, y)). Order 2, two evaluations per step.
///
/// # Source
/// Runge (1895); Hairer, Nørsett & Wanner (1993), Solving ODEs I, §II.1, eq. (1.4).
pub type Rk2<M, T = f64> = ExplicitRungeKutta<M, T, 2>;
