//! Work and energy at one moment, without integration.

use mbs_interp::Interpreted;

use super::{accelerations, inputs, run};
use crate::ledger::{Ledger, Violation};
use crate::matrix::{dot, size, times};
use crate::oracle::Oracle;

/// Relative to the largest power: sums of some hundred terms after an elimination.
const TOLERANCE: f64 = 1e-11;

/// At consistent states:
///
/// ```text
/// (1)  power of constraint loads: −λᵀ G v = −λᵀ ν, with G v for ν in rows of accelerations
/// (2)  dT/dt = Σ power of forces + power of gravity − λᵀ ν
/// (3)  d(T + V)/dt = Σ (power of a force + rate of its potential) − λᵀ ν
/// (4)  vᵀ (M a − Q) = −λᵀ ν
/// ```
///
/// Where coordinates are prescribed, the powers of their loads and of the rows on all moving bodies replace −λᵀ ν in (2) and (3).
///
/// T, V and their rates on the motion with accelerations a come from series of the model, powers of forces from their kernel.
///
/// # Errors
/// The violation, if an equation does not hold.
pub fn loads_account_for_energy(interpreted: &Interpreted, oracles: &[Oracle<'_>]) -> Result<f64, Violation> {
    let mut ledger = Ledger::new("loads account for energy", TOLERANCE);
    if !interpreted.compiled().checked.solvable {
        return Ok(0.0);
    }
    for oracle in oracles {
        let at = oracle.state();
        let Some((a, lambda)) = accelerations(interpreted, at) else { continue };
        let (mass, jacobian) = (run(interpreted, "mass_matrix", at), run(interpreted, "constraint_jacobian", at));
        let forces = run(interpreted, "generalized_forces", at);
        // Rows of accelerations do not constrain speeds, and have no ν.
        let row_rates = times(&jacobian, &at.v);
        let mut nu = run(interpreted, "nu", at);
        nu.extend_from_slice(&row_rates[nu.len()..]);
        let driven = -dot(&lambda, &nu);
        let constraints = -dot(&lambda, &row_rates);
        // Prescribed motions are contained in ν of the rows.
        let supplied = match interpreted.compiled().tree.prescribed.is_empty() {
            true => driven,
            false => oracle.supplied_power(&a, &lambda),
        };
        let powers = interpreted.run("force_energies", inputs(at)).ok().and_then(|e| e.into_iter().nth(1));
        let powers = powers.unwrap_or_default();
        let gravity = oracle.gravity_power();
        // Terms of λᵀ G v, of M a v, and of forces. Speeds of zero have rounding errors of speeds of order one after a projection. Massless
        // motions have a typical mass during elimination, whose terms cancel. Relative errors of loads are proportional to the size of the
        // coordinates that they depend on.
        let speed = size(&at.v).max(1.0) * size(&at.q).max(1.0);
        let weight = size(&mass).max(interpreted.compiled().checked.mass_scale);
        let floor = (size(&lambda) * size(&jacobian) * speed)
            .max(size(&a) * weight * speed)
            .max(weight * speed.powi(3))
            .max(size(&powers))
            .max(gravity.abs());
        ledger.record("power of constraint loads", constraints, driven, floor, at);
        let [kinetic, total] = oracle.energy_rates(&a);
        let power: f64 = powers.iter().sum();
        ledger.record("dT/dt", kinetic, power + gravity + supplied, floor, at);
        let potentials = oracle.potential_rates();
        let applied: f64 = powers.iter().zip(&potentials).map(|(p, v)| p + v).sum();
        let floor = floor.max(size(&potentials));
        ledger.record("d(T + V)/dt", kinetic + total, applied + supplied, floor, at);
        let inertial = times(&mass, &a);
        let work = (0..a.len()).map(|i| at.v[i] * (inertial[i] - forces[i])).sum();
        let floor = floor.max(size(&forces) * speed);
        ledger.record("v (M a - Q)", work, driven, floor, at);
    }
    ledger.settle()
}
