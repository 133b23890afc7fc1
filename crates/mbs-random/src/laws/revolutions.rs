//! Angles that count revolutions, and quaternions that keep their sign, along a motion.

use mbs_core::{Error, Mechanism, Projection, Rk4, State, Stepper, project_velocities, zero_inputs};
use mbs_interp::Interpreted;

use super::size;
use crate::ledger::{Ledger, Violation};
use crate::oracle::Oracle;
use crate::state::{OwnedState, Random};

/// A lost revolution is 2π, a lost sign of a unit quaternion at least 1 in its largest component; the trapezoidal rule is off by (h θ̇)³/12
/// over steps of h θ̇ ≤ 0.2 at speeds that hardly change.
const TOLERANCE: f64 = 0.5;
/// Longest step \[s\], and largest change of an angle in a step \[rad\].
const STEP: [f64; 2] = [0.02, 0.2];
/// Number of steps, and revolutions after which no more steps are made.
const STEPS: usize = 200;
const REVOLUTIONS: f64 = 3.0;

/// In a motion of several revolutions, memories change from step to step by their rates: m⁺ − m = ½ h (ṁ + ṁ⁺). The motion ends early where a step
/// fails. `other` computes equal memories.
///
/// # Errors
/// The violation, if they do not.
pub fn angles_count_revolutions(
    interpreted: &Interpreted,
    other: &impl Mechanism,
    start: &OwnedState,
) -> Result<f64, Violation> {
    let mut ledger = Ledger::new("angles count revolutions", TOLERANCE);
    let model = &interpreted.compiled().model;
    if model.quantities.memories.is_empty() {
        return Ok(0.0);
    }
    let mut state = State::new(interpreted);
    // A mechanism that cannot move is not checked.
    if set_start(interpreted, &mut state, start).is_err() {
        return Ok(0.0);
    }
    let mut stepper = Rk4::new(interpreted, STEP[0]);
    let (mut rates, mut travelled) = (memory_rates(interpreted, &state), 0.0);
    for _ in 0..STEPS {
        let fastest = size(&rates);
        let h = STEP[0].min(STEP[1] / fastest);
        let (start, before) = (state.clone(), state.z.to_vec());
        if travelled > REVOLUTIONS * std::f64::consts::TAU
            || stepper.step(interpreted, &mut state, &mut zero_inputs, h).is_err()
        {
            break;
        }
        let (at, after) = (owned_state(interpreted, &state), memory_rates(interpreted, &state));
        let is_smooth = size(&after) < 2.0 * fastest.max(1.0) && after.iter().all(|rate| rate.is_finite());
        let mut theirs = before.clone();
        other.remember(state.t, &state.q, &mut theirs);
        for (i, (rate, next)) in rates.iter().zip(&after).enumerate().filter(|_| is_smooth) {
            let k = model.n_z() + i;
            let expected = 0.5 * h * (rate + next);
            let is_far = (state.z[k] - before[k] - expected).abs() > TOLERANCE;
            if is_far && passes_pole(interpreted, &start, h, 2.0 * fastest.max(1.0)) {
                continue;
            }
            ledger.record(&format!("change of memory {i}"), state.z[k] - before[k], expected, 1.0, &at);
            ledger.record(&format!("memory {i} against the other side's"), theirs[k] - state.z[k], 0.0, 1e-6, &at);
        }
        travelled += h * fastest;
        rates = after;
    }
    ledger.settle()
}

/// Whether an angle changes faster than `fast` within a step, as near a pole, where it changes by half a revolution between two steps.
fn passes_pole(interpreted: &Interpreted, start: &State<Interpreted>, h: f64, fast: f64) -> bool {
    const PARTS: usize = 64;
    let (mut state, part) = (start.clone(), h / PARTS as f64);
    let mut stepper = Rk4::new(interpreted, part);
    let is_fast = (0..PARTS).any(|_| {
        let is_made = stepper.step(interpreted, &mut state, &mut zero_inputs, part).is_ok();
        !is_made || !(size(&memory_rates(interpreted, &state)) <= fast)
    });
    is_fast || passes_through_pole(interpreted, start, h)
}

/// Whether an angle changes by half a revolution within the smallest part of a step that bisection finds: the motion passes exactly through
/// a pole, and no state near it is fast.
fn passes_through_pole(interpreted: &Interpreted, start: &State<Interpreted>, h: f64) -> bool {
    const HALVINGS: usize = 30;
    let change = |from: &State<Interpreted>, to: &State<Interpreted>| {
        from.z.iter().zip(to.z.iter()).map(|(a, b)| (b - a).abs()).fold(0.0, f64::max)
    };
    let (mut state, mut h) = (start.clone(), h);
    for _ in 0..HALVINGS {
        h *= 0.5;
        let mut halfway = state.clone();
        if Rk4::new(interpreted, h).step(interpreted, &mut halfway, &mut zero_inputs, h).is_err() {
            return true;
        }
        let mut end = halfway.clone();
        if Rk4::new(interpreted, h).step(interpreted, &mut end, &mut zero_inputs, h).is_err() {
            return true;
        }
        if change(&halfway, &end) > change(&state, &halfway) {
            state = halfway;
        }
    }
    let mut end = state.clone();
    let is_made = Rk4::new(interpreted, h).step(interpreted, &mut end, &mut zero_inputs, h).is_ok();
    !is_made || change(&state, &end) > 1.0
}

/// Sets the start, with random speeds that are projected onto the rows.
fn set_start(interpreted: &Interpreted, state: &mut State<Interpreted>, start: &OwnedState) -> Result<(), Error> {
    state.t = start.t;
    state.q.copy_from_slice(&start.q);
    state.z.copy_from_slice(&start.z);
    state.v.copy_from_slice(&Random::new(5).vector(start.v.len(), 10.0));
    state.remember(interpreted);
    project_velocities(interpreted, state, &mut Projection::new(interpreted)).map(|_| ())
}

fn owned_state(interpreted: &Interpreted, state: &State<Interpreted>) -> OwnedState {
    let (q, v, z) = (state.q.to_vec(), state.v.to_vec(), state.z.to_vec());
    OwnedState { t: state.t, q, v, z, u: vec![0.0; interpreted.sizes().n_u] }
}

fn memory_rates(interpreted: &Interpreted, state: &State<Interpreted>) -> Vec<f64> {
    Oracle::new(interpreted, &owned_state(interpreted, state)).memory_rates()
}
