//! Corrections of projections against separate evaluations and differences.

use mbs_core::{Corrections, Mechanism, StateView};
use mbs_interp::Interpreted;

use super::differences::{Differences, STEPS, TOLERANCE, first_derivative, floor, path, second_derivative};
use super::{condition, run};
use crate::ledger::{Ledger, Violation};
use crate::matrix::size;
use crate::state::{OwnedState, is_near_singular_attitude};

/// Fraction of [`TOLERANCE`] for values that no difference has: 1e-12.
const EXACT: f64 = 1e-12 / TOLERANCE;

/// Corrections at one state.
struct Found {
    phi: Vec<f64>,
    displacement: Vec<f64>,
    remainder: Vec<f64>,
    psi: Vec<f64>,
    speeds: Vec<f64>,
}

impl Found {
    /// `None` at singular states, and where the mechanism has no such function.
    fn new(interpreted: &Interpreted, at: &OwnedState) -> Option<Self> {
        let sizes = interpreted.sizes();
        let zeros = |n: usize| vec![0.0; n];
        let (n_position, n_v) = (sizes.n_position, sizes.n_v);
        let mut found = Found {
            phi: zeros(n_position),
            displacement: zeros(n_v),
            remainder: zeros(n_position),
            psi: zeros(sizes.n_velocity),
            speeds: zeros(n_v),
        };
        let Found { phi, displacement, remainder, psi, speeds } = &mut found;
        let corrections = Corrections { phi, displacement, remainder, psi, speeds };
        (interpreted.corrections(at.view(), corrections) == Ok(true)).then_some(found)
    }
}

/// Φ is that of its function; δ and x are solutions for −Φ and −ψ⁺; Φ⁺ and ψ⁺ − ψ are derivatives along δ, by differences.
///
/// # Errors
/// The violation, with the state where they differ.
pub fn corrections_are_those_of_evaluations(
    interpreted: &Interpreted,
    states: &[OwnedState],
) -> Result<f64, Violation> {
    let mut ledger = Ledger::new("corrections are those of evaluations", TOLERANCE);
    if !interpreted.compiled().checked.solvable {
        return Ok(0.0);
    }
    for at in states {
        let Some(found) = Found::new(interpreted, at) else { continue };
        let phi = run(interpreted, "position_residuals", at);
        ledger.record_all("phi", &found.phi, &phi, EXACT * size(&at.q).max(1.0), at);
        solution(interpreted, "displacement", [&found.phi, &found.displacement], at, &mut ledger);
        solution(interpreted, "speeds", [&found.psi, &found.speeds], at, &mut ledger);
        // Steps near a singular attitude would cross it.
        if !is_near_singular_attitude(interpreted, at) {
            changes(interpreted, &found, at, &mut ledger);
        }
    }
    ledger.settle()
}

/// The solution of M y + Gᵀ μ = 0, G y = −r is that of `solve`.
fn solution(
    interpreted: &Interpreted,
    name: &str,
    [residuals, found]: [&[f64]; 2],
    at: &OwnedState,
    ledger: &mut Ledger,
) {
    let sizes = interpreted.sizes();
    let (n, n_c) = (sizes.n_v, sizes.n_c);
    let (f, mut g) = (vec![0.0; n], vec![0.0; n_c]);
    g.iter_mut().zip(residuals).for_each(|(g, r)| *g = -r);
    let (mut x, mut mu) = (vec![0.0; n], vec![0.0; n_c]);
    if interpreted.solve(at.view(), &f, &g, &mut x, &mut mu).is_err() {
        return;
    }
    let (mass, jacobian) = (run(interpreted, "mass_matrix", at), run(interpreted, "constraint_jacobian", at));
    let moved = condition(&mass, &jacobian, &[f, g].concat(), &[&x[..], &mu].concat());
    for (i, (got, expected)) in found.iter().zip(&x).enumerate() {
        ledger.record(&format!("{name}[{i}]"), *got, *expected, EXACT * moved[i], at);
    }
}

/// Derivatives of the rows along the displacement, per unit of it.
fn changes(interpreted: &Interpreted, found: &Found, at: &OwnedState, ledger: &mut Ledger) {
    let sizes = interpreted.sizes();
    let length = size(&found.displacement);
    // Squares of such displacements, of coordinates that almost vanish, are no numbers.
    if length < 1e-100 {
        return;
    }
    let direction: Vec<f64> = found.displacement.iter().map(|x| x / length).collect();
    let residuals = |s: f64, step: f64| {
        let q = path(interpreted, at, &direction, s, step);
        let view = StateView { z: &at.z, ..StateView::new(at.t, &q, &at.v) };
        let (mut phi, mut psi) = (vec![0.0; sizes.n_position], vec![0.0; sizes.n_velocity]);
        interpreted.position_residuals(view, &mut phi);
        interpreted.velocity_residuals(view, &mut psi);
        (phi, psi)
    };
    let second = Differences::new(STEPS[1], |step| second_derivative(&|s| residuals(s, step).0, step));
    let first = Differences::new(STEPS[0], |step| first_derivative(&|s| residuals(s, step).1, step));
    let jacobian = run(interpreted, "constraint_jacobian", at);
    let worth = |r: usize| size(&jacobian[r * sizes.n_v..][..sizes.n_v]).max(1.0);
    let speed = size(&at.v).max(1.0);
    // ψ is given with the rounding of its terms, and the derivative of ν is subtracted from that of ψ.
    let rounding = |r: usize| EXACT * worth(r) * speed / length;
    for (r, remainder) in found.remainder.iter().enumerate() {
        if let Some(floor) = floor(second.values[r], worth(r), second.doubts[r]) {
            let floor = floor + rounding(r);
            ledger.record(&format!("remainder[{r}]"), 2.0 * remainder / length / length, second.values[r], floor, at);
        }
    }
    let psi = run(interpreted, "velocity_residuals", at);
    for (r, (moved, psi)) in found.psi.iter().zip(&psi).enumerate() {
        if let Some(floor) = floor(first.values[r], worth(r) * speed, first.doubts[r]) {
            ledger.record(&format!("psi[{r}]"), (moved - psi) / length, first.values[r], floor + rounding(r), at);
        }
    }
}
