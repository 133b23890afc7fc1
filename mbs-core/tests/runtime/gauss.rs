//! Properties of Gauss's methods except their orders (`orders.rs`): symmetry, invariants, stability, rows, errors.

use mbs_core::*;

use crate::models::body::{Body, Kind};
use crate::models::cruiser::Cruiser;
use crate::models::differenced::Differenced;
use crate::models::gimbal::Gimbal;
use crate::models::links::{Links, Strike};
use crate::models::oscillator::Oscillator;
use crate::models::pendulum::Pendulum;
use crate::models::satellite::Satellite;
use crate::models::springs::Springs;
use crate::models::swing::Swing;
use crate::models::top::Top;
use crate::models::{distance, set, violations};
use crate::tier::by_tier;

fn values<M: Mechanism>(state: &State<M>) -> Vec<f64> {
    [state.q.as_ref(), state.v.as_ref(), state.z.as_ref()].concat()
}

fn energy<M: Mechanism>(m: &M, state: &State<M>) -> f64 {
    let Energy { kinetic, potential } = m.energy(state.view(&[]));
    kinetic + potential
}

/// Distance from the start after a step of h and one of −h.
fn gap_after_reversal<M: Mechanism>(m: &M, mut stepper: impl Stepper<M>, start: &[f64], h: f64) -> f64 {
    let mut state = State::new(m);
    set(&mut state, start);
    for h in [h, -h] {
        stepper.step(m, &mut state, &mut zero_inputs, h).unwrap();
    }
    distance(&state, start)
}

#[test]
fn a_step_back_undoes_a_step() {
    let start = Top::exact(0.4);
    let newton = Differenced(Top);
    // Solved to 64 roundings of 1.7.
    assert!(gap_after_reversal(&Top, Gauss4::without_derivatives(&Top, 0.3), &start, 0.3) < 1e-13);
    assert!(gap_after_reversal(&Top, Gauss6::without_derivatives(&Top, 0.3), &start, 0.3) < 1e-13);
    assert!(gap_after_reversal(&newton, Gauss4::new(&newton, 0.3), &start, 0.3) < 1e-13);
    assert!(gap_after_reversal(&newton, Gauss6::new(&newton, 0.3), &start, 0.3) < 1e-13);
}

#[test]
fn symmetric_projection_is_symmetric_and_projection_is_not() {
    let gimbal = Gimbal { tilt: 0.7, guess: [1.0, 0.0, 0.0, 0.0] };
    let pendulum = Pendulum::default();
    let swinging = [0.9, -1.2, 1.6, 1.2];
    let make = |choice| Gauss4::without_derivatives(&gimbal, 0.2).with_stabilization(choice);
    let gap = gap_after_reversal(&gimbal, make(Stabilization::SymmetricProjection), &gimbal.exact(0.3), 0.2);
    assert!(gap < 1e-13, "{gap:e}");
    let make = |choice| Gauss4::new(&pendulum, 0.1).with_stabilization(choice);
    let gap = gap_after_reversal(&pendulum, make(Stabilization::SymmetricProjection), &swinging, 0.1);
    let broken = gap_after_reversal(&pendulum, make(Stabilization::Projection), &swinging, 0.1);
    println!("{gap:.1e} {broken:.1e}");
    assert!(gap < 1e-13 && broken > 1e3 * gap, "{gap:e} {broken:e}");
}

#[test]
fn quadratic_invariants_of_a_free_top_are_constant_to_round_off() {
    let top = Satellite::top([2.0, 1.0, 0.6]);
    let mut state = State::new(&top);
    state.v.copy_from_slice(&[0.0, 0.0, 0.0, 0.9, 0.2, -1.3]);
    let (before, momentum) = (energy(&top, &state), top.angular_momentum(&state));
    let mut stepper = Gauss4::without_derivatives(&top, 0.4);
    for _ in 0..2000 {
        stepper.step(&top, &mut state, &mut zero_inputs, 0.4).unwrap();
    }
    let size = |x: [f64; 3]| x.iter().map(|x| x * x).sum::<f64>().sqrt();
    let drift = [energy(&top, &state) / before - 1.0, size(top.angular_momentum(&state)) / size(momentum) - 1.0];
    println!("{drift:?}");
    // 2000 steps, each with errors of 64 roundings at most, of random sign.
    assert!(max_norm(&drift) < 1e-12, "{drift:?}");
}

/// Largest changes of the energy in the first and in the last fifth of the swings.
fn energy_changes(choice: Stabilization, h: f64) -> [f64; 2] {
    let m = Pendulum { guess: [1.2, 0.9, 0.0, 0.0], ..Pendulum::default() };
    let mut state = State::new(&m);
    let mut stepper = Gauss4::new(&m, h).with_stabilization(choice);
    let (before, mut changes) = (energy(&m, &state), [0.0_f64; 5]);
    for change in &mut changes {
        for _ in 0..by_tier(1000, 4000) {
            stepper.step(&m, &mut state, &mut zero_inputs, h).unwrap();
            *change = change.max((energy(&m, &state) - before).abs());
        }
    }
    let (phi, psi) = violations(&m, &state);
    assert!(phi < 2e-14 && psi < 1e-13, "{phi:e} {psi:e}");
    [changes[0], changes[4]]
}

#[test]
fn the_energy_of_a_pendulum_with_a_row_does_not_drift() {
    // 44 steps a swing, in the full tier 20,000 steps.
    let [first, last] = energy_changes(Stabilization::SymmetricProjection, 0.08);
    println!("symmetric projection: {first:.1e} {last:.1e}");
    assert!(last < 1.2 * first, "{first:e} {last:e}");
    let [first, last] = energy_changes(Stabilization::Projection, 0.08);
    println!("projection: {first:.1e} {last:.1e}");
    assert!(last > 3.0 * first);
}

#[test]
fn steps_with_many_stiff_directions_are_solved_with_derivatives() {
    // h √k up to 7e3.
    let springs = Springs((0..30).map(|i| 10.0 * 2.0_f64.powi(i)).collect());
    let mut state = State::new(&springs);
    let before = energy(&springs, &state);
    let mut stepper = Gauss4::new(&springs, 0.1);
    for _ in 0..20 {
        stepper.step(&springs, &mut state, &mut zero_inputs, 0.1).unwrap();
    }
    let ratio = energy(&springs, &state) / before;
    // In the mixed matrix, stiffnesses of 5e9 have errors of 1e-6.
    assert!((ratio - 1.0).abs() < 1e-5, "{ratio}");
    let mut state = State::new(&springs);
    let result = Gauss4::without_derivatives(&springs, 0.1).step(&springs, &mut state, &mut zero_inputs, 0.1);
    let Err(Error::NotConverged { residual, iterations: 60, history, .. }) = result else { panic!("{result:?}") };
    assert_eq!(history.residuals().len(), History::<f64>::LENGTH);
    assert_eq!(history.residuals().last(), Some(&residual));
    assert_eq!(state, State::new(&springs));
}

#[test]
fn newton_converges_quadratically() {
    let (m, mut state) = (Pendulum::default(), State::new(&Pendulum::default()));
    let mut stepper = Gauss6::new(&m, 0.2);
    stepper.iterations = 3;
    let result = stepper.step(&m, &mut state, &mut zero_inputs, 0.2);
    let Err(Error::NotConverged { history, .. }) = result else { panic!("{result:?}") };
    let [first, second, third] = *history.residuals() else { panic!("{history:?}") };
    println!("{first:.1e} {second:.1e} {third:.1e}");
    assert!(second < 0.3 * first && third < 2.0 * second * second / first, "{history:?}");
}

#[test]
fn a_stiff_law_of_inputs_is_solved_by_secants() {
    // u₁ = −3000 θ̇: no derivative of it is known.
    let mut law = |at: StateView, u: &mut [f64]| u.copy_from_slice(&[-3000.0 * at.v[0], 0.0]);
    let mut state = State::<Swing>::new(&Swing::DRIVEN);
    state.q[0] = 0.1;
    let mut stepper = Gauss4::new(&Swing::DRIVEN, 0.05);
    stepper.advance_to(&Swing::DRIVEN, &mut state, 1.0, &mut law).unwrap();
    assert!(state.v[0].abs() < 1e-3 && state.q[0] > 0.08, "{state:?}");
    assert!(stepper.statistics().evaluations < 30 * stepper.statistics().accepted, "{:?}", stepper.statistics());
}

#[test]
fn the_two_iterations_have_equal_solutions() {
    for kind in [Kind::Quaternion, Kind::BodyVelocity, Kind::ModifiedRodrigues] {
        let body = Body::new(kind);
        let mut law = |at: StateView, u: &mut [f64]| {
            u.fill(0.3);
            u[4] = (3.0 * at.t).sin();
        };
        let mut states = [State::<Body>::new(&body), State::new(&body)];
        for state in &mut states {
            state.v.copy_from_slice(&[0.4, -0.3, 0.2, 0.9, 0.2, -1.3]);
        }
        let [first, second] = &mut states;
        Gauss6::new(&body, 0.2).advance_to(&body, first, 2.0, &mut law).unwrap();
        Gauss6::without_derivatives(&body, 0.2).advance_to(&body, second, 2.0, &mut law).unwrap();
        // Ten steps to 64 roundings.
        assert!(distance(first, &values(second)) < 1e-12, "{kind:?}: {first:?} {second:?}");
    }
}

#[test]
fn rows_that_are_switched_and_rows_nonlinear_in_speeds_are_satisfied() {
    for choice in [Stabilization::Projection, Stabilization::SymmetricProjection] {
        for is_stuck in [0.0, 1.0] {
            let second = if is_stuck > 0.0 { (-(0.2 + 0.3_f64.sin()) / 0.8).asin() } else { 0.4 };
            let rates = [0.3, -0.3 * 0.3_f64.cos() / (0.8 * second.cos())];
            let m = Links { angles: [0.3, second], rates, strike: Strike::Stick };
            let mut state = State::new(&m);
            state.z[0] = is_stuck;
            assert!(violations(&m, &state).1 < 1e-15);
            let (before, stepper) = (energy(&m, &state), Gauss6::without_derivatives(&m, 0.01));
            crate::models::advance(&m, &mut stepper.with_stabilization(choice), &mut state, 1.0);
            let (phi, psi) = violations(&m, &state);
            assert!(phi < 1e-14 && psi < 1e-13, "{choice:?} {is_stuck}: {phi:e} {psi:e}");
            assert!((energy(&m, &state) - before).abs() < 1e-6, "{choice:?} {is_stuck}");
        }
        let m = Cruiser { speed: 3.0, gravity: 9.81 };
        let mut state = State::new(&m);
        let stepper = Gauss4::without_derivatives(&m, 0.01);
        crate::models::advance(&m, &mut stepper.with_stabilization(choice), &mut state, 1.0);
        assert!(violations(&m, &state).1 < 1e-13);
        for (v, exact) in state.v.iter().zip(m.velocity(1.0)) {
            assert!((v - exact).abs() < 1e-8, "{choice:?} {state:?}");
        }
    }
}

#[test]
fn a_reversed_run_has_the_same_states() {
    let m = Pendulum { guess: [1.2, 0.9, 0.0, 0.0], ..Pendulum::default() };
    let (mut state, start) = (State::new(&m), [1.2, 0.9, 0.0, 0.0]);
    let mut stepper = Gauss4::new(&m, 0.05).with_stabilization(Stabilization::SymmetricProjection);
    stepper.advance_to(&m, &mut state, 5.0, &mut zero_inputs).unwrap();
    assert!(distance(&state, &start) > 0.1);
    stepper.advance_to(&m, &mut state, 0.0, &mut zero_inputs).unwrap();
    // 200 steps with errors of 1e-14, which grow with the swings.
    assert!(distance(&state, &start) < 1e-11, "{state:?}");
}

#[test]
fn inputs_that_are_not_finite_are_an_error() {
    let mut state = State::<Oscillator>::new(&Oscillator);
    let mut broken = |_: StateView, u: &mut [f64]| u[0] = f64::NAN;
    let result = Gauss4::new(&Oscillator, 0.1).step(&Oscillator, &mut state, &mut broken, 0.1);
    assert!(matches!(result, Err(Error::NotFinite { .. })), "{result:?}");
    assert_eq!(state, State::new(&Oscillator));
}

#[test]
fn a_step_without_solution_is_an_error() {
    // q̈ = k q: 1 − h² k/12 = 0 of the denominator 1 − z/2 + z²/12 with z = h √k has no real root; two stages are regular.
    let unstable = Springs(vec![-4.0]);
    let mut state = State::new(&unstable);
    Gauss4::new(&unstable, 1.0).step(&unstable, &mut state, &mut zero_inputs, 1.0).unwrap();
    // For three stages, 1 − z/2 + z²/10 − z³/120 vanishes at z = 4.644370709252…, so that h = z/2.
    let mut state = State::new(&unstable);
    let result = Gauss6::new(&unstable, 1.0).step(&unstable, &mut state, &mut zero_inputs, 2.322_185_354_626_08);
    assert!(matches!(result, Err(Error::Singular { row: 0, t: 0.0 })), "{result:?}");
}

#[test]
fn single_precision_works() {
    let mut state = State::<Oscillator, f32>::new(&Oscillator);
    let mut stepper = Gauss4::new(&Oscillator, 0.1_f32);
    stepper.advance_to(&Oscillator, &mut state, 2.0, &mut zero_inputs).unwrap();
    // 20 steps of 64 roundings of 6e-8 at most.
    assert!((f64::from(state.q[0]) - 2.0_f64.cos()).abs() < 5e-6, "{state:?}");
}
