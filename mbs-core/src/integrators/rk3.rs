//! Kutta's method of order 3.

use super::ExplicitRungeKutta;
use super::runge_kutta::Tableau;

pub(super) const TABLEAU: Tableau<3> = Tableau {
    a: [[0.0, 0.0, 0.0], [0.5, 0.0, 0.0], [-1.0, 2.0, 0.0]],
    b: [1.0 / 6.0, 2.0 / 3.0, 1.0 / 6.0],
    c: [0.0, 0.5, 1.0],
};

/// Kutta's third-order method: b = (1, 4, 1)/6 at c = (0, ½, 1). Order 3, three evaluations per step.
///
/// # Source
/// Kutta (1901); Butcher (2016), Numerical Methods for ODEs, §23.
pub type Rk3<M, T = f64> = ExplicitRungeKutta<M, T, 3>;
