//! Runge's method of order 2.

use super::ExplicitRungeKutta;
use super::runge_kutta::Tableau;

pub(super) const TABLEAU: Tableau<2> = Tableau { a: [[0.0, 0.0], [0.5, 0.0]], b: [0.0, 1.0], c: [0.0, 0.5] };

/// The explicit midpoint rule: y⁺ = y + h f(t + h/2, y + h/2 f(t, y)). Order 2, two evaluations per step.
///
/// # Source
/// Runge (1895); Hairer, Nørsett & Wanner (1993), Solving ODEs I, §II.1, eq. (1.4).
pub type Rk2<M, T = f64> = ExplicitRungeKutta<M, T, 2>;
