//! Second derivatives of rows: compiled ones and the engine's against each other, against central differences of Gᵀ μ, and against γ.

use mbs_core::{Describe, Mechanism, StateView};
use mbs_interp::Interpreted;
use mbs_model::RowLevel;

use super::differences::{DOUBT_WEIGHT, Differences, STEPS, TOLERANCE as DIFFERENCES, first_derivative, path};
use super::run;
use crate::ledger::{Ledger, Violation};
use crate::matrix::{dot, size, times, transposed_times, unit};
use crate::state::{OwnedState, Random, is_near_singular_attitude};

const LAW: &str = "hessians are derivatives of Jacobians";

/// Relative to the largest value of G μ and its derivatives: some hundred roundings, and nested functions with derivatives up to a hundred.
const TOLERANCE: f64 = 1e-10;

/// H(μ) of the compiled mechanism equals that of the engine, and the derivative of Gᵀ μ; where rows are affine in speeds, −vᵀ H_r v is the
/// part of γ_r that is quadratic in speeds, (γ(v) + γ(−v))/2 − γ(0). Mechanisms whose `kernels` do not include H are not checked.
///
/// # Errors
/// The violation, if they differ.
pub fn hessians_are_derivatives_of_jacobians<M: Describe>(
    compiled: &Interpreted,
    engine: &M,
    states: &[OwnedState],
) -> Result<f64, Violation> {
    if !compiled.compiled().model.settings.kernels.hessians {
        return Ok(0.0);
    }
    hessians_are_those(compiled, &contracted_hessians(engine, states)?, states)
}

/// H(μ) of a mechanism at states, with random μ for each.
///
/// # Errors
/// The mechanism has no second derivatives of rows.
pub fn contracted_hessians<M: Mechanism>(mechanism: &M, states: &[OwnedState]) -> Result<Vec<Vec<f64>>, Violation> {
    let n_c = mechanism.sizes().n_c;
    states.iter().enumerate().map(|(k, at)| contracted(mechanism, at, &vector(k, n_c))).collect()
}

/// μ of a state.
fn vector(state: usize, n_c: usize) -> Vec<f64> {
    Random::new(state as u128).vector(n_c, 2.0)
}

/// As [`hessians_are_derivatives_of_jacobians`], with the engine's H(μ) of [`contracted_hessians`].
///
/// # Errors
/// The violation, if they differ.
pub fn hessians_are_those(
    compiled: &Interpreted,
    expected: &[Vec<f64>],
    states: &[OwnedState],
) -> Result<f64, Violation> {
    let (n, n_c) = (compiled.sizes().n_v, compiled.sizes().n_c);
    let hessians = contracted_hessians(compiled, states)?;
    let worth =
        |hessian: &[f64], at: &OwnedState| size(hessian).max(size(&run(compiled, "constraint_jacobian", at))).max(1.0);
    let mut ledger = Ledger::new(LAW, TOLERANCE);
    for ((hessian, expected), at) in hessians.iter().zip(expected).zip(states) {
        let worth = worth(hessian, at);
        for (k, (got, expected)) in hessian.iter().zip(expected).enumerate() {
            ledger.record(&format!("H[{}, {}]", k / n, k % n), *got, *expected, worth, at);
        }
        quadratic_terms(compiled, at, &mut ledger)?;
    }
    let exact = ledger.settle()?;
    let mut differences = Ledger::new(LAW, DIFFERENCES);
    // Steps near a singular attitude would cross it.
    for (k, at) in states.iter().enumerate().filter(|(_, at)| !is_near_singular_attitude(compiled, at)) {
        let (mu, hessian) = (vector(k, n_c), &hessians[k]);
        let worth = worth(hessian, at);
        let forces = |q: Vec<f64>| {
            transposed_times(&run(compiled, "constraint_jacobian", &OwnedState { q, ..at.clone() }), n, &mu)
        };
        for j in 0..n {
            let e = unit(n, j);
            let moved = |s: f64| forces(path(compiled, at, &e, s, STEPS[1]));
            let column = Differences::new(STEPS[0], |step| first_derivative(&moved, step));
            for (i, (value, doubt)) in column.values.iter().zip(column.doubts).enumerate() {
                let floor = worth + doubt * DOUBT_WEIGHT;
                differences.record(&format!("H[{i}, {j}] of differences"), hessian[i * n + j], *value, floor, at);
            }
        }
    }
    Ok(exact.max(differences.settle()?))
}

/// H(μ), n_v × n_v, row-major.
fn contracted<M: Mechanism>(mechanism: &M, at: &OwnedState, mu: &[f64]) -> Result<Vec<f64>, Violation> {
    let n = mechanism.sizes().n_v;
    let mut hessian = vec![f64::NAN; n * n];
    let known = mechanism.constraint_hessian(at.view(), mu, &mut hessian);
    known.map_err(|error| Violation::new(LAW, error.to_string()))?;
    Ok(hessian)
}

/// Compares −vᵀ H_r v with the quadratic part of γ_r.
fn quadratic_terms(compiled: &Interpreted, at: &OwnedState, ledger: &mut Ledger) -> Result<(), Violation> {
    let (model, tree) = (&compiled.compiled().model, &compiled.compiled().tree);
    // Auxiliary states in rows have rates that depend on speeds.
    if model.positions_read_states() || model.jacobian_reads_speeds() {
        return Ok(());
    }
    let gamma = |s: f64| {
        let v: Vec<f64> = at.v.iter().map(|v| s * v).collect();
        compiled.gamma(StateView { v: &v, ..at.view() })
    };
    let [forth, back, still] = [1.0, -1.0, 0.0].map(gamma);
    let n_c = tree.rows.len();
    for (r, row) in tree.rows.iter().enumerate().filter(|(_, row)| row.level <= RowLevel::Velocity) {
        let hessian = contracted(compiled, at, &unit(n_c, r))?;
        let expected = 0.5 * (forth[r] + back[r]) - still[r];
        let worth = size(&hessian).max(1.0) * size(&at.v).max(1.0).powi(2) + still[r].abs() + forth[r].abs();
        let quadratic = -dot(&at.v, &times(&hessian, &at.v));
        ledger.record(&format!("gamma of {}", row.name), quadratic, expected, worth, at);
    }
    Ok(())
}
