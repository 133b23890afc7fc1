//! Kutta's method of order 3.

use super::ExplicitRungeKutta;

/// Kutta's third-order method: b = (1, 4, 1)/6 at c = (0, ½, 1). Order 3, three evaluations per step.
///
/// # Source
/// Kutta (1901); Butcher (2016), Numerical Methods for ODEs, §23.
pub type Rk3<M, T = f64> = ExplicitRungeKutta<M, T, 3>;
