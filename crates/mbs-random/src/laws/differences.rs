//! G and γ against central differences of Φ.

use mbs_core::{Mechanism, StateView};
use mbs_interp::Interpreted;

use super::run;
use crate::ledger::{Ledger, Violation};
use crate::matrix::{size, unit};
use crate::state::{OwnedState, is_near_singular_attitude};

/// Steps of the first and the second differences, both of fourth order, each also taken with twice and four times the step.
pub(super) const STEPS: [f64; 2] = [5e-4, 1e-3];

/// Truncation errors are h⁴/30 of fifth derivatives and h⁴/90 of sixth ones at speeds of up to 4, thus 1e-7 for rows whose frequencies
/// reach 8/m; rounding errors are 1e-16/h and 1e-16/h². Where a row changes faster, near the origin of a distance, the doubt of the
/// difference shows it, and counts as well.
pub(super) const TOLERANCE: f64 = 1e-6;

/// Weight of the doubt. If a jump is within all steps, such as that of the normals of a direction, the error with the short step is twice
/// that with the double step.
pub(super) const DOUBT_WEIGHT: f64 = 2.5 / TOLERANCE;

/// A step in units of the shortest one that no period has in common with it: the golden ratio less one.
const INCOMMENSURATE: f64 = 0.618_033_988_749_894_9;

/// Derivatives by differences, and how far they may be wrong.
pub(super) struct Differences {
    /// The differences with the shortest step.
    pub values: Vec<f64>,
    /// The largest one of the changes to twice that step, from there to four times the step, which has 16 times the error, and to an incommensurate
    /// step. One change alone vanishes where the error has an extremum between both steps, and multiples of a step see nothing of an oscillation
    /// with that period.
    pub doubts: Vec<f64>,
}

impl Differences {
    /// Takes the differences that `with_step` gives for a step and for its multiples.
    pub fn new(step: f64, with_step: impl Fn(f64) -> Vec<f64>) -> Self {
        let [values, twice, four_times, other] = [1.0, 2.0, 4.0, INCOMMENSURATE].map(|k| with_step(k * step));
        let doubt = |r: usize| {
            let doubled = (twice[r] - values[r]).abs().max((four_times[r] - twice[r]).abs() / 16.0);
            doubled.max((other[r] - values[r]).abs())
        };
        let doubts = (0..values.len()).map(doubt).collect();
        Differences { values, doubts }
    }
}

/// G ≈ (8 (Φ₁ − Φ₋₁) − (Φ₂ − Φ₋₂)) / 12h with Φₖ = Φ(q + k h eⱼ), γ ≈ −(16 (Φ₁ + Φ₋₁) − (Φ₂ + Φ₋₂) − 30 Φ₀) / 12h² on the motion q + v τ, t + τ.
/// For rows of speeds, G follows from ψ, by such differences where it is not affine in v, and γ from the differences of Ψ on this motion.
///
/// # Errors
/// The violation, with the states where they differ.
pub fn derivatives_are_differences(interpreted: &Interpreted, states: &[OwnedState]) -> Result<f64, Violation> {
    let sizes = interpreted.sizes();
    let n = sizes.n_v;
    let mut ledger = Ledger::new("derivatives are differences", TOLERANCE);
    // Switches keep their states.
    let psi = |t: f64, q: &[f64], v: &[f64], z: &[f64]| {
        let mut all = vec![0.0; sizes.n_velocity];
        interpreted.velocity_residuals(StateView { z, ..StateView::new(t, q, v) }, &mut all);
        all.split_off(sizes.n_position)
    };
    let phi = |t: f64, q: &[f64], z: &[f64]| {
        let mut phi = vec![0.0; sizes.n_position];
        interpreted.position_residuals(StateView { z, ..StateView::new(t, q, &[]) }, &mut phi);
        phi
    };
    let compiled = interpreted.compiled();
    let is_nonlinear = |r: usize| compiled.model.row_reads_speeds(&compiled.tree.rows[r]);
    let shifted = |v: &[f64], d: &[f64], s: f64| -> Vec<f64> { v.iter().zip(d).map(|(v, d)| v + s * d).collect() };
    // Steps near a singular attitude would cross it.
    for at in states.iter().filter(|at| !is_near_singular_attitude(interpreted, at)) {
        let jacobian = run(interpreted, "constraint_jacobian", at);
        let worth: Vec<f64> = (0..sizes.n_c).map(|r| size(&jacobian[r * n..(r + 1) * n]).max(1.0)).collect();
        for j in 0..n {
            let e = unit(n, j);
            let moved = |s: f64| phi(at.t, &path(interpreted, at, &e, s, STEPS[1]), &at.z);
            let of_positions = Differences::new(STEPS[0], |step| first_derivative(&moved, step));
            let faster = |s: f64| psi(at.t, &at.q, &shifted(&at.v, &e, s), &at.z);
            let (changed, unchanged) = (faster(1.0), faster(0.0));
            let of_speeds = Differences::new(STEPS[0], |step| first_derivative(&faster, step));
            for r in 0..sizes.n_velocity {
                let (difference, doubt) = match r.checked_sub(sizes.n_position) {
                    None => (of_positions.values[r], of_positions.doubts[r]),
                    Some(k) if is_nonlinear(r) => (of_speeds.values[k], of_speeds.doubts[k]),
                    Some(k) => (changed[k] - unchanged[k], 0.0),
                };
                let Some(floor) = floor(difference, worth[r], doubt) else { continue };
                ledger.record(&format!("G[{r}]"), jacobian[r * n + j], difference, floor, at);
            }
        }
        let gamma = run(interpreted, "gamma", at);
        let square = size(&at.v).max(1.0).powi(2);
        let position = |s: f64, step: f64| path(interpreted, at, &at.v, s, step);
        let second =
            Differences::new(STEPS[1], |step| second_derivative(&|s| phi(at.t + s, &position(s, step), &at.z), step));
        let here = run(interpreted, "position_residuals", at);
        // A row that counts revolutions jumps half a revolution away, and differences may step over the jump.
        let rows = &interpreted.compiled().tree.rows;
        let is_near_jump =
            |r: usize| rows[r].body().is_some() && rows[r].name.ends_with(".angle") && here[r].abs() > 2.5;
        for r in (0..sizes.n_position).filter(|r| !is_near_jump(*r)) {
            let Some(floor) = floor(second.values[r], worth[r] * square, second.doubts[r]) else { continue };
            ledger.record(&format!("gamma[{r}]"), gamma[r], -second.values[r], floor, at);
        }
        let of_speeds = Differences::new(STEPS[0], |step| {
            first_derivative(&|s| psi(at.t + s, &position(s, STEPS[1] / STEPS[0] * step), &at.v, &at.z), step)
        });
        for (k, (value, doubt)) in of_speeds.values.iter().zip(&of_speeds.doubts).enumerate() {
            let r = sizes.n_position + k;
            let Some(floor) = floor(*value, worth[r] * square, *doubt) else { continue };
            ledger.record(&format!("gamma[{r}]"), gamma[r], -value, floor, at);
        }
    }
    ledger.settle()
}

/// The scale of the comparison: the size of the terms and the doubt. `None` where the doubt exceeds one per cent, since the function then changes
/// within a step.
pub(super) fn floor(difference: f64, worth: f64, doubt: f64) -> Option<f64> {
    (doubt <= 0.01 * difference.abs().max(worth)).then_some(worth + doubt * DOUBT_WEIGHT)
}

/// f′(0) by central differences of fourth order.
pub(super) fn first_derivative(f: &dyn Fn(f64) -> Vec<f64>, h: f64) -> Vec<f64> {
    let [one, minus_one, two, minus_two] = [h, -h, 2.0 * h, -2.0 * h].map(f);
    (0..one.len()).map(|r| (8.0 * (one[r] - minus_one[r]) - (two[r] - minus_two[r])) / (12.0 * h)).collect()
}

/// f″(0) by central differences of fourth order.
pub(super) fn second_derivative(f: &dyn Fn(f64) -> Vec<f64>, h: f64) -> Vec<f64> {
    let [zero, one, minus_one, two, minus_two] = [0.0, h, -h, 2.0 * h, -2.0 * h].map(f);
    let sum = |r: usize| 16.0 * (one[r] + minus_one[r]) - (two[r] + minus_two[r]) - 30.0 * zero[r];
    (0..zero.len()).map(|r| sum(r) / (12.0 * h * h)).collect()
}

/// Coordinates after s seconds at constant speeds, up to terms of third order: q + N v s + ½ Ṅ v s², Ṅ by differences of a step.
pub(super) fn path(mechanism: &Interpreted, at: &OwnedState, v: &[f64], s: f64, step: f64) -> Vec<f64> {
    let rates = |q: &[f64]| {
        let mut rates = vec![0.0; q.len()];
        mechanism.coordinate_rates(at.t, q, v, &mut rates);
        rates
    };
    let start = rates(&at.q);
    let linear = |s: f64| -> Vec<f64> { at.q.iter().zip(&start).map(|(q, d)| q + s * d).collect() };
    let second = first_derivative(&|s| rates(&linear(s)), step);
    linear(s).iter().zip(second).map(|(q, d)| q + 0.5 * s * s * d).collect()
}
