//! Properties of the generalized-α method except its order (`orders.rs`): damping, rows, multipliers, restarts, errors.

use mbs_core::rotation::{Attitude, Sequence};
use mbs_core::*;

use crate::models::bead::Bead;
use crate::models::body::{Body, Kind};
use crate::models::cruiser::Cruiser;
use crate::models::differenced::Differenced;
use crate::models::links::{Links, Strike};
use crate::models::oscillator::Oscillator;
use crate::models::particle::Particle;
use crate::models::pendulum::Pendulum;
use crate::models::satellite::Satellite;
use crate::models::springs::Springs;
use crate::models::swing::Swing;
use crate::models::top::Top;
use crate::models::{distance, set, violations};
use crate::tier::by_tier;

const RADII: [f64; 5] = [0.0, 0.3, 0.7, 0.9, 1.0];

fn energy<M: Mechanism>(m: &M, state: &State<M>) -> f64 {
    let Energy { kinetic, potential } = m.energy(state.view(&[]));
    kinetic + potential
}

#[test]
fn fast_oscillations_are_damped_to_the_spectral_radius() {
    // h √k = 1e5: a step has the double eigenvalue −ρ∞, approximately.
    let stiff = Springs(vec![1e10]);
    for radius in RADII {
        let (mut state, mut stepper) = (State::new(&stiff), GeneralizedAlpha::new(&stiff, 1.0, radius));
        let mut amplitudes = [0.0_f64; 2];
        let count = 200;
        for i in 1..=2 * count {
            stepper.step(&stiff, &mut state, &mut zero_inputs, 1.0).unwrap();
            if i % count == 0 {
                amplitudes[i / count - 1] = state.q[0].abs();
            }
            // A triple eigenvalue 0; the first step does not damp.
            if radius < 0.2 && i == 5 {
                assert!(state.q[0].abs() < 1e-7, "{state:?}");
            }
        }
        let measured = (amplitudes[1] / amplitudes[0]).powf(1.0 / count as f64);
        println!("ρ∞ = {radius}: {measured:.4}");
        // (i + c) ρⁱ: a double eigenvalue.
        assert!(radius < 0.2 || (measured - radius).abs() < 0.01, "{radius} {measured}");
    }
}

#[test]
fn slow_oscillations_are_hardly_damped() {
    for (radius, most) in [(0.0, 2e-2), (0.5, 2e-3), (0.9, 1e-4), (1.0, 1e-9)] {
        let soft = Springs(vec![1.0]);
        let (mut state, mut stepper) = (State::new(&soft), GeneralizedAlpha::new(&soft, 0.1, radius));
        let before = energy(&soft, &state);
        for _ in 0..126 {
            stepper.step(&soft, &mut state, &mut zero_inputs, 0.1).unwrap();
        }
        let lost = 1.0 - energy(&soft, &state) / before;
        println!("ρ∞ = {radius}: {lost:.1e} of the energy in two periods of 63 steps");
        assert!(lost < most && lost > -5e-3, "{radius} {lost}");
    }
}

#[test]
fn stiff_modes_are_damped_and_soft_modes_are_not() {
    let springs = Springs((0..30).map(|i| if i == 0 { 1.0 } else { 1e6 * 1.5_f64.powi(i) }).collect());
    let mode = |x: &[f64], k: usize| x[k] - 2.0 / 30.0 * x.iter().sum::<f64>();
    let (mut state, mut stepper) = (State::new(&springs), GeneralizedAlpha::new(&springs, 0.05, 0.6));
    let start = mode(&state.q, 0);
    crate::models::advance(&springs, &mut stepper, &mut state, 5.0);
    assert!((mode(&state.q, 0) - start * 5.0_f64.cos()).abs() < 5e-3, "{}", mode(&state.q, 0));
    assert!((1..30).all(|k| mode(&state.q, k).abs() < 1e-9), "{state:?}");
}

#[test]
fn orders_of_positions_velocities_and_multipliers_on_a_wire() {
    let bead = Bead { omega: 1.2 };
    for radius in RADII {
        for choice in [Stabilization::Projection, Stabilization::None] {
            let errors = [100, 200, 400].map(|n| {
                let mut stepper = GeneralizedAlpha::without_derivatives(&bead, 1.0, radius).with_stabilization(choice);
                let mut state = State::new(&bead);
                set(&mut state, &bead.exact(0.0));
                for _ in 0..n {
                    stepper.step(&bead, &mut state, &mut zero_inputs, 1.5 / f64::from(n)).unwrap();
                }
                // G a + λ = 0: the force of the wire on the bead is 2 ω ṙ.
                let lambda = -2.0 * 1.2 * 1.2 * (1.2 * 1.5_f64).sinh();
                [
                    distance(&state, &bead.exact(1.5)),
                    (stepper.multipliers()[0] - lambda).abs(),
                    violations(&bead, &state).0,
                ]
            });
            for i in 0..2 {
                let order = (errors[1][i] / errors[2][i]).log2();
                println!("ρ∞ = {radius}, {choice:?}: errors {:.1e}, order {order:.3}", errors[2][i]);
                assert!((order - 2.0).abs() < 0.15, "{radius} {choice:?} {errors:?}");
            }
            let is_kept = choice == Stabilization::Projection;
            assert!(errors.iter().all(|e| is_kept == (e[2] < 1e-14)), "{errors:?}");
        }
    }
}

#[test]
fn orders_on_attitudes_of_every_kind() {
    let mut law = |at: StateView, u: &mut [f64]| {
        u.fill(0.2);
        u[4] = (2.0 * at.t).sin();
    };
    for attitude in
        [Attitude::Quaternion, Attitude::ModifiedRodrigues, Attitude::RotationVector, Attitude::Euler(Sequence::ZYX)]
    {
        let satellite = Satellite { attitude, ..Satellite::top([2.0, 1.0, 0.6]) };
        let start =
            RigidBodyState::new([0.0; 3], [0.9, 0.1, -0.2, 0.3], [0.1, 0.2, 0.3], [0.3, 0.7, -0.4]).normalized();
        let mut exact = satellite.state(&start);
        let mut fine = DormandPrince::new(&satellite).with_tolerances(1e-12, 1e-13);
        fine.advance_to(&satellite, &mut exact, 1.0, &mut law).unwrap();
        let exact: Vec<f64> = exact.q.iter().chain(&exact.v).copied().collect();
        for radius in [0.2, 0.8] {
            let errors = [40, 80].map(|n| {
                let mut stepper = GeneralizedAlpha::without_derivatives(&satellite, 1.0 / f64::from(n), radius);
                let mut state = satellite.state(&start);
                stepper.advance_to(&satellite, &mut state, 1.0, &mut law).unwrap();
                distance(&state, &exact)
            });
            let order = (errors[0] / errors[1]).log2();
            println!("{attitude}, ρ∞ = {radius}: {:.1e}, order {order:.3}", errors[1]);
            assert!((order - 2.0).abs() < 0.15, "{attitude} {radius} {errors:?}");
        }
    }
}

#[test]
fn the_two_iterations_have_equal_solutions() {
    let mut law = |at: StateView, u: &mut [f64]| {
        u.fill(0.3);
        u[0] = (3.0 * at.t).sin();
    };
    for kind in [Kind::Quaternion, Kind::BodyVelocity, Kind::ModifiedRodrigues] {
        let body = Body::new(kind);
        let mut states = [State::<Body>::new(&body), State::new(&body)];
        for state in &mut states {
            state.v.copy_from_slice(&[0.4, -0.3, 0.2, 0.9, 0.2, -1.3]);
        }
        let [first, second] = &mut states;
        GeneralizedAlpha::new(&body, 0.1, 0.6).advance_to(&body, first, 2.0, &mut law).unwrap();
        GeneralizedAlpha::without_derivatives(&body, 0.1, 0.6).advance_to(&body, second, 2.0, &mut law).unwrap();
        // Twenty steps to 64 roundings.
        assert!(distance(first, &[&second.q[..], &second.v[..]].concat()) < 1e-12, "{kind:?}: {first:?} {second:?}");
    }
    let swing = Swing::DRIVEN;
    let mut states = [State::<Swing>::new(&swing), State::new(&swing)];
    let [first, second] = &mut states;
    GeneralizedAlpha::new(&swing, 0.1, 0.6).advance_to(&swing, first, 2.0, &mut law).unwrap();
    GeneralizedAlpha::without_derivatives(&swing, 0.1, 0.6).advance_to(&swing, second, 2.0, &mut law).unwrap();
    assert!(distance(first, &[second.q[0], second.v[0], second.z[0]]) < 1e-12, "{first:?} {second:?}");
}

#[test]
fn newton_takes_few_iterations_with_rows_and_short_steps() {
    let m = Pendulum { guess: [1.2, 0.9, 0.0, 0.0], ..Pendulum::default() };
    for h in [1e-1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6] {
        let mut state = State::new(&m);
        let mut stepper = GeneralizedAlpha::new(&m, h, 0.8);
        for _ in 0..50 {
            stepper.step(&m, &mut state, &mut zero_inputs, h).unwrap();
        }
        let (phi, psi) = violations(&m, &state);
        let evaluations = stepper.statistics().evaluations;
        println!("h = {h:e}: {evaluations} evaluations in 50 steps, {phi:.1e} {psi:.1e}");
        assert!(evaluations < 400 && phi < 2e-15 && psi < 1e-14, "{h:e}: {evaluations} {phi:e} {psi:e}");
    }
}

#[test]
fn the_energy_error_of_a_pendulum_with_a_row_is_bounded() {
    let m = Pendulum { guess: [1.2, 0.9, 0.0, 0.0], ..Pendulum::default() };
    for (radius, most) in [(0.9, 1.0), (0.6, 1.0)] {
        let mut state = State::new(&m);
        let mut stepper = GeneralizedAlpha::new(&m, 0.01, radius);
        let before = energy(&m, &state);
        let mut change = 0.0_f64;
        for _ in 0..by_tier(5_000, 20_000) {
            stepper.step(&m, &mut state, &mut zero_inputs, 0.01).unwrap();
            change = change.max(energy(&m, &state) - before);
        }
        println!("ρ∞ = {radius}: gains at most {change:.1e} J, ends with {:.1e}", energy(&m, &state) - before);
        assert!(change < 0.05, "{change:e}");
        assert!((energy(&m, &state) - before).abs() < most, "{}", energy(&m, &state) - before);
    }
}

#[test]
fn rows_that_are_switched_and_rows_nonlinear_in_speeds_are_satisfied() {
    for is_stuck in [0.0, 1.0] {
        let second = if is_stuck > 0.0 { (-(0.2 + 0.3_f64.sin()) / 0.8).asin() } else { 0.4 };
        let rates = [0.3, -0.3 * 0.3_f64.cos() / (0.8 * second.cos())];
        let m = Links { angles: [0.3, second], rates, strike: Strike::Stick };
        let mut states = [State::new(&m), State::new(&m)];
        states.iter_mut().for_each(|state| state.z[0] = is_stuck);
        let [state, exact] = &mut states;
        crate::models::advance(&m, &mut GeneralizedAlpha::without_derivatives(&m, 1e-3, 0.8), state, 1.0);
        crate::models::advance(&m, &mut DormandPrince::new(&m), exact, 1.0);
        let (phi, psi) = violations(&m, state);
        assert!(phi < 1e-14 && psi < 1e-13, "{is_stuck}: {phi:e} {psi:e}");
        assert!(distance(state, &[&exact.q[..], &exact.v[..], &exact.z[..]].concat()) < 1e-4, "{is_stuck} {state:?}");
    }
    let m = Cruiser { speed: 3.0, gravity: 9.81 };
    for choice in [Stabilization::Projection, Stabilization::None] {
        let mut state = State::new(&m);
        let stepper = GeneralizedAlpha::without_derivatives(&m, 1e-3, 0.8);
        crate::models::advance(&m, &mut stepper.with_stabilization(choice), &mut state, 1.0);
        assert!(violations(&m, &state).1 < 1e-13, "{:e}", violations(&m, &state).1);
        for (v, exact) in state.v.iter().zip(m.velocity(1.0)) {
            assert!((v - exact).abs() < 2e-5, "{choice:?} {state:?}");
        }
    }
}

#[test]
fn a_changed_state_restarts_the_method() {
    let mut fresh = State::<Oscillator>::new(&Oscillator);
    set(&mut fresh, &[0.2, -0.7, 0.1]);
    let mut used = State::<Oscillator>::new(&Oscillator);
    let mut stepper = GeneralizedAlpha::new(&Oscillator, 0.1, 0.5);
    for _ in 0..5 {
        stepper.step(&Oscillator, &mut used, &mut zero_inputs, 0.1).unwrap();
    }
    set(&mut used, &[0.2, -0.7, 0.1]);
    used.t = 0.0;
    stepper.step(&Oscillator, &mut used, &mut zero_inputs, 0.1).unwrap();
    GeneralizedAlpha::new(&Oscillator, 0.1, 0.5).step(&Oscillator, &mut fresh, &mut zero_inputs, 0.1).unwrap();
    assert_eq!(fresh, used);
}

#[test]
fn a_state_within_the_last_step_does_not_affect_the_next_one() {
    let (mut plain, mut probed) = (State::<Oscillator>::new(&Oscillator), State::<Oscillator>::new(&Oscillator));
    let mut steppers = [0, 1].map(|_| GeneralizedAlpha::new(&Oscillator, 0.1, 0.5));
    let mut inside = probed.clone();
    for _ in 0..20 {
        steppers[0].step(&Oscillator, &mut plain, &mut zero_inputs, 0.1).unwrap();
        let start = probed.clone();
        steppers[1].step(&Oscillator, &mut probed, &mut zero_inputs, 0.1).unwrap();
        steppers[1].state_at(&Oscillator, &start, start.t + 0.03, &mut zero_inputs, &mut inside).unwrap();
        assert!((inside.q[0] - inside.t.cos()).abs() < 5e-3, "{inside:?}");
    }
    assert_eq!(plain, probed);
}

#[test]
fn steps_of_different_lengths_have_the_order() {
    let errors = [40, 80].map(|n| {
        let h = 2.0 / f64::from(n);
        let mut state = State::<Oscillator>::new(&Oscillator);
        let mut stepper = GeneralizedAlpha::new(&Oscillator, h, 0.5);
        for i in 0..n {
            let h = if i % 2 == 0 { 0.7 * h } else { 1.3 * h };
            stepper.step(&Oscillator, &mut state, &mut zero_inputs, h).unwrap();
        }
        distance(&state, &Oscillator::exact(state.t))
    });
    let order = (errors[0] / errors[1]).log2();
    assert!((order - 2.0).abs() < 0.15, "{errors:?}");
}

#[test]
fn events_begin_anew() {
    let ball = Particle::falling(1.0).bouncing(0.8);
    let (mut state, mut events, mut times) = (State::new(&ball), Events::new(&ball), Vec::new());
    let mut stepper = GeneralizedAlpha::without_derivatives(&ball, 0.02, 0.7);
    let then = &mut |_: usize, state: &State<Particle>| times.push(state.t);
    events.advance_to(&ball, &mut stepper, &mut state, 2.0, &mut zero_inputs, then).unwrap();
    assert!(times.len() >= 3, "{times:?}");
}

#[test]
fn quaternions_remain_unit_quaternions() {
    let top = Differenced(Top);
    let mut state = State::new(&top);
    crate::models::advance(&top, &mut GeneralizedAlpha::new(&top, 0.05, 0.8), &mut state, 5.0);
    let size = state.q.iter().map(|e| e * e).sum::<f64>();
    assert!((size - 1.0).abs() < 1e-15);
    assert!(distance(&state, &Top::exact(5.0)) < 5e-2, "{state:?}");
}

#[test]
fn a_step_without_solution_is_an_error_and_does_not_change_the_state() {
    let springs = Springs((0..30).map(|i| 10.0 * 3.0_f64.powi(i)).collect());
    let mut state = State::new(&springs);
    let result =
        GeneralizedAlpha::without_derivatives(&springs, 0.1, 0.8).step(&springs, &mut state, &mut zero_inputs, 0.1);
    let Err(Error::NotConverged { iterations: 60, history, t: 0.1, .. }) = result else { panic!("{result:?}") };
    assert_eq!(history.residuals().len(), History::<f64>::LENGTH);
    assert_eq!(state, State::new(&springs));
    let mut state = State::<Oscillator>::new(&Oscillator);
    let mut broken = |_: StateView, u: &mut [f64]| u[0] = f64::NAN;
    let result = GeneralizedAlpha::new(&Oscillator, 0.1, 0.5).step(&Oscillator, &mut state, &mut broken, 0.1);
    assert!(matches!(result, Err(Error::NotFinite { .. })), "{result:?}");
}

#[test]
fn single_precision_works() {
    let mut state = State::<Oscillator, f32>::new(&Oscillator);
    let mut stepper = GeneralizedAlpha::new(&Oscillator, 0.01_f32, 0.9);
    stepper.advance_to(&Oscillator, &mut state, 2.0, &mut zero_inputs).unwrap();
    assert!((f64::from(state.q[0]) - 2.0_f64.cos()).abs() < 1e-4, "{state:?}");
}
