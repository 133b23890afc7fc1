//! The classical Runge–Kutta method.

use super::ExplicitRungeKutta;

/// The classical Runge–Kutta method: b = (1, 2, 2, 1)/6 at c = (0, ½, ½, 1). Order 4, four evaluations per step.
///
/// # Source
/// Kutta (1901); Hairer, Nørsett & Wanner (1993), Solving ODEs I, §II.1, table 1.2.
pub type Rk4<M, T = f64> = ExplicitRungeKutta<M, T, 4>;
