//! Rates of momenta in the engine against forces that are quadratic in speeds, of the compiler.

use mbs_core::{Mechanism, Momenta};
use mbs_engine::Engine;
use mbs_interp::Interpreted;

use super::weight;
use crate::ledger::{Ledger, Violation};
use crate::matrix::{dot, size};
use crate::state::OwnedState;

const LAW: &str = "rates of momenta are those of forces";

/// Relative to the loads, or to M and squared speeds: thousands of roundings.
const TOLERANCE: f64 = 1e-12;

/// −B(v, v), the part of Q that is quadratic in speeds.
fn velocity_forces(interpreted: &Interpreted, at: &OwnedState, v: &[f64]) -> Vec<f64> {
    let mut forces = vec![f64::NAN; v.len()];
    let at = OwnedState { v: v.to_vec(), ..at.clone() };
    interpreted.velocity_forces(at.view(), &mut forces);
    forces
}

/// Where speeds are rates of coordinates and no motion is prescribed, the engine's rates of momenta are Q + B(v, v) + ∂T/∂q with
/// ∂T/∂q_i = v · B(v, e_i), where B(v, e_i) = (B(v + s e_i, v + s e_i) − B(v − s e_i, v − s e_i)) / 4s.
///
/// # Errors
/// The violation, if they are not.
pub fn momentum_rates_are_those_of_forces(
    interpreted: &Interpreted,
    engine: &Engine,
    states: &[OwnedState],
) -> Result<f64, Violation> {
    let mut ledger = Ledger::new(LAW, TOLERANCE);
    let has_plain_momenta = engine.checked().solvable && engine.tree().prescribed.is_empty();
    for at in states.iter().filter(|_| has_plain_momenta) {
        let n = at.v.len();
        let mut rates = vec![f64::NAN; n];
        if engine.momentum_rates(at.view(), &mut rates).is_err() {
            continue;
        }
        let mut expected = vec![f64::NAN; n];
        interpreted.generalized_forces(at.view(), &mut expected);
        let bias = velocity_forces(interpreted, at, &at.v);
        let s = size(&at.v).max(1.0);
        for (i, x) in expected.iter_mut().enumerate() {
            let [ahead, behind] = [s, -s].map(|s| {
                let mut v = at.v.clone();
                v[i] += s;
                dot(&at.v, &velocity_forces(interpreted, at, &v))
            });
            *x -= bias[i] + (ahead - behind) / (4.0 * s);
        }
        let mass = weight(&interpreted.mass_matrix(at.view()));
        let floor = size(&rates).max(mass * s * s);
        ledger.record_all("momentum rates", &rates, &expected, floor, at);
    }
    ledger.settle()
}
