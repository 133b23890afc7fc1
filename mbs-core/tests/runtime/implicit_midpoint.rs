//! Properties of the implicit midpoint rule except its order (`orders.rs`): symmetry, invariants, stability, solutions, errors.

use mbs_core::rotation::plus;
use mbs_core::*;

use crate::models::body::{Body, Kind};
use crate::models::differenced::Differenced;
use crate::models::gimbal::Gimbal;
use crate::models::oscillator::Oscillator;
use crate::models::springs::Springs;
use crate::models::swing::Swing;
use crate::models::top::Top;
use crate::models::{assert_order, distance, set, violations};

#[test]
fn a_step_back_undoes_a_step() {
    let (mut state, mut stepper) = (State::new(&Top), ImplicitMidpoint::without_derivatives(&Top, 0.3));
    set(&mut state, &Top::exact(0.4));
    let before = [state.q.to_vec(), state.v.to_vec()].concat();
    for h in [0.3, -0.3] {
        stepper.step(&Top, &mut state, &mut zero_inputs, h).unwrap();
    }
    // Solved to 64 roundings of 1.7.
    assert!(distance(&state, &before) < 1e-13, "{state:?}");
}

#[test]
fn the_energy_of_a_linear_oscillator_does_not_drift() {
    let (mut state, mut stepper) =
        (State::<Oscillator>::new(&Oscillator), ImplicitMidpoint::without_derivatives(&Oscillator, 0.5));
    for _ in 0..2000 {
        stepper.step(&Oscillator, &mut state, &mut zero_inputs, 0.5).unwrap();
    }
    let energy = Oscillator.energy(state.view(&[0.0]));
    // 2000 steps, each with errors of 64 roundings at most, of random sign.
    assert!((energy.kinetic + energy.potential - 0.5).abs() < 1e-12, "{energy:?}");
}

#[test]
fn stiff_directions_do_not_limit_the_step() {
    // h √k up to 200: explicit methods are unstable above 2 or 3, plain fixed points diverge above 2.
    let springs = Springs(vec![1.0, 30.0, 1e3, 1e5, 4e6]);
    let (mut state, mut stepper) = (State::new(&springs), ImplicitMidpoint::without_derivatives(&springs, 0.1));
    let before = springs.energy(state.view(&[]));
    crate::models::advance(&springs, &mut stepper, &mut state, 10.0);
    let after = springs.energy(state.view(&[]));
    let ratio = (after.kinetic + after.potential) / (before.kinetic + before.potential);
    println!("{:?}, energy {:.1e}", stepper.statistics(), ratio - 1.0);
    // Residuals of 1e-14 in speeds are divided by no stiffness; 100 steps.
    assert!((ratio - 1.0).abs() < 1e-10, "{ratio}");
    assert!(stepper.statistics().evaluations < 20 * stepper.statistics().accepted);
}

#[test]
fn a_step_without_solution_is_an_error_and_does_not_change_the_state() {
    let springs = Springs((0..30).map(|i| 10.0 * 3.0_f64.powi(i)).collect());
    let (mut state, mut stepper) = (State::new(&springs), ImplicitMidpoint::without_derivatives(&springs, 0.1));
    let before = state.clone();
    let result = stepper.step(&springs, &mut state, &mut zero_inputs, 0.1);
    assert!(matches!(result, Err(Error::NotConverged { iterations: 60, t: 0.05, .. })), "{result:?}");
    assert_eq!(state, before);
    assert_eq!(stepper.statistics().accepted, 0);
    // A shorter step is solved.
    let soft = Springs(springs.0[..8].to_vec());
    let mut state = State::new(&soft);
    ImplicitMidpoint::without_derivatives(&soft, 0.01).step(&soft, &mut state, &mut zero_inputs, 0.01).unwrap();
    let mut history = History::new();
    [0.7, 0.6, 0.5].into_iter().for_each(|residual| history.push(residual));
    let error = Error::NotConverged { residual: 0.5, iterations: 60, history, t: 1.5 };
    assert_eq!(
        error.to_string(),
        "no convergence at t = 1.5: an implicit step misses by 0.5 after 60 iterations (before: 7.0e-1, 6.0e-1)"
    );
}

#[test]
fn steps_with_many_stiff_directions_are_solved_with_derivatives() {
    // h √k up to 7e3, beyond the values that secants solve.
    let springs = Springs((0..30).map(|i| 10.0 * 2.0_f64.powi(i)).collect());
    let (mut state, mut stepper) = (State::new(&springs), ImplicitMidpoint::new(&springs, 0.1));
    let before = springs.energy(state.view(&[]));
    crate::models::advance(&springs, &mut stepper, &mut state, 2.0);
    let after = springs.energy(state.view(&[]));
    let ratio = (after.kinetic + after.potential) / (before.kinetic + before.potential);
    // In the mixed matrix, stiffnesses of 5e9 have errors of 1e-6.
    assert!((ratio - 1.0).abs() < 1e-5, "{ratio}");
    // The equations are linear: the first iteration solves them.
    assert!(stepper.statistics().evaluations <= 4 * stepper.statistics().accepted, "{:?}", stepper.statistics());
}

/// Residuals of the first iterations of a step.
fn residuals<M: Differentiable>(m: &M, v: &[f64], h: f64) -> [f64; 3] {
    let (mut state, mut stepper) = (State::new(m), ImplicitMidpoint::new(m, h));
    state.v.as_mut().copy_from_slice(v);
    stepper.iterations = 3;
    let result = stepper.step(m, &mut state, &mut zero_inputs, h);
    let Err(Error::NotConverged { history, .. }) = result else { panic!("{result:?}") };
    let [first, second, third] = *history.residuals() else { panic!("{history:?}") };
    println!("{first:.1e} {second:.1e} {third:.1e}");
    [first, second, third]
}

#[test]
fn newton_converges_quadratically_on_attitudes_too() {
    for kind in [Kind::Quaternion, Kind::BodyVelocity, Kind::ModifiedRodrigues] {
        let [first, second, third] = residuals(&Body::new(kind), &[0.4, -0.3, 0.2, 2.9, 1.2, -2.3], 0.3);
        assert!(second < 0.3 * first && third < 5.0 * second * second / first, "{kind:?}");
    }
}

#[test]
fn the_two_iterations_have_equal_solutions() {
    for kind in [Kind::Quaternion, Kind::BodyVelocity, Kind::ModifiedRodrigues] {
        let body = Body::new(kind);
        let mut law = |at: StateView, u: &mut [f64]| {
            u.fill(0.3);
            u[4] = (3.0 * at.t).sin();
        };
        let mut ends = [true, false].map(|is_newton| {
            let mut state = State::<Body>::new(&body);
            state.v.copy_from_slice(&[0.4, -0.3, 0.2, 0.9, 0.2, -1.3]);
            let (mut newton, mut secants) =
                (ImplicitMidpoint::new(&body, 0.1), ImplicitMidpoint::without_derivatives(&body, 0.1));
            let outcome = match is_newton {
                true => newton.advance_to(&body, &mut state, 2.0, &mut law),
                false => secants.advance_to(&body, &mut state, 2.0, &mut law),
            };
            outcome.unwrap();
            [state.q.as_ref(), state.v.as_ref()].concat()
        });
        let [first, second] = &mut ends;
        // Twenty steps to 64 roundings.
        assert!(first.iter().zip(second).all(|(a, b)| (*a - *b).abs() < 1e-12), "{kind:?}: {ends:?}");
    }
}

#[test]
fn a_stiff_law_of_inputs_is_solved_by_secants() {
    // u₁ = −3000 θ̇: no derivative of it is known.
    let mut law = |at: StateView, u: &mut [f64]| u.copy_from_slice(&[-3000.0 * at.v[0], 0.0]);
    let mut state = State::<Swing>::new(&Swing::DRIVEN);
    state.q[0] = 0.1;
    let mut stepper = ImplicitMidpoint::new(&Swing::DRIVEN, 0.05);
    stepper.advance_to(&Swing::DRIVEN, &mut state, 1.0, &mut law).unwrap();
    assert!(state.v[0].abs() < 1e-3 && state.q[0] > 0.08, "{state:?}");
    assert!(stepper.statistics().evaluations < 15 * stepper.statistics().accepted, "{:?}", stepper.statistics());
}

#[test]
fn rows_are_satisfied_with_derivatives_too() {
    let gimbal = Differenced(Gimbal { tilt: 0.7, guess: [1.0, 0.0, 0.0, 0.0] });
    let (mut state, mut stepper) = (State::new(&gimbal), ImplicitMidpoint::new(&gimbal, 0.1));
    set(&mut state, &gimbal.0.exact(0.0));
    crate::models::advance(&gimbal, &mut stepper, &mut state, 5.0);
    let (phi, psi) = violations(&gimbal, &state);
    assert!(phi < 2e-15 && psi < 4e-15, "{phi:e} {psi:e}");
}

#[test]
fn inputs_that_are_not_finite_are_an_error() {
    let mut state = State::<Oscillator>::new(&Oscillator);
    let mut stepper = ImplicitMidpoint::without_derivatives(&Oscillator, 0.1);
    let mut broken = |_: StateView, u: &mut [f64]| u[0] = f64::NAN;
    assert_eq!(stepper.step(&Oscillator, &mut state, &mut broken, 0.1), Err(Error::NotFinite { t: 0.05 }));
}

#[test]
fn a_mechanism_at_rest_remains_at_rest() {
    let mut state = State::<Oscillator>::new(&Oscillator);
    set(&mut state, &[0.3, 0.0, 0.3]);
    let mut stepper = ImplicitMidpoint::without_derivatives(&Oscillator, 0.1);
    // The forces cancel up to round-off, so that the speeds are round-off, too, without significant digits.
    let mut hold = |_: StateView, u: &mut [f64]| u[0] = 0.1 + 0.2;
    for _ in 0..100 {
        stepper.step(&Oscillator, &mut state, &mut hold, 0.1).unwrap();
    }
    assert!(distance(&state, &[0.3, 0.0, 0.3]) < 1e-15, "{state:?}");
    assert!(stepper.statistics().evaluations < 1000, "{:?}", stepper.statistics());
}

/// The top with q ⊕ δ = q ∘ exp δ.
struct Exponential;

impl Mechanism for Exponential {
    type Coordinates = [f64; 4];
    type Speeds = [f64; 3];
    type Multipliers = [f64; 0];
    type Auxiliary = [f64; 0];
    type Inputs = [f64; 0];
    type Scratch = [f64; 0];

    fn sizes(&self) -> Sizes {
        Top.sizes()
    }

    fn storage(&self) -> ([f64; 4], [f64; 3], [f64; 0], [f64; 0], [f64; 0], [f64; 0]) {
        Top.storage()
    }

    fn guess(&self, q: &mut [f64], v: &mut [f64], z: &mut [f64]) {
        Top.guess(q, v, z);
    }

    fn accelerations(&self, at: StateView, a: &mut [f64], lambda: &mut [f64]) -> Result<(), Error> {
        Top.accelerations(at, a, lambda)
    }

    fn solve(&self, at: StateView, f: &[f64], g: &[f64], x: &mut [f64], mu: &mut [f64]) -> Result<(), Error> {
        Top.solve(at, f, g, x, mu)
    }

    fn position_residuals(&self, _: StateView, _: &mut [f64]) {}

    fn velocity_residuals(&self, _: StateView, _: &mut [f64]) {}

    fn coordinate_rates(&self, t: f64, q: &[f64], v: &[f64], rates: &mut [f64]) {
        Top.coordinate_rates(t, q, v, rates);
    }

    fn retract(&self, _: f64, q: &mut [f64], delta: &[f64], _: &mut [f64]) {
        let rotated = plus([q[0], q[1], q[2], q[3]], [delta[0], delta[1], delta[2]]);
        q.copy_from_slice(&rotated);
    }

    fn normalize(&self, q: &mut [f64]) {
        Top.normalize(q);
    }
}

#[test]
fn the_exponential_map_also_has_the_order() {
    assert_order(&Exponential, || ImplicitMidpoint::without_derivatives(&Exponential, 1.0), &Top::exact, (2.0, 100));
    let (mut state, mut stepper) = (State::new(&Exponential), ImplicitMidpoint::without_derivatives(&Exponential, 0.3));
    let before = [state.q.to_vec(), state.v.to_vec()].concat();
    for h in [0.3, -0.3] {
        stepper.step(&Exponential, &mut state, &mut zero_inputs, h).unwrap();
    }
    assert!(distance(&state, &before) < 1e-13, "{state:?}");
}

#[test]
fn constraints_are_projected_after_the_step() {
    let gimbal = Gimbal { tilt: 0.7, guess: [1.0, 0.0, 0.0, 0.0] };
    let (mut state, mut stepper) = (State::new(&gimbal), ImplicitMidpoint::without_derivatives(&gimbal, 0.1));
    set(&mut state, &gimbal.exact(0.0));
    for i in 1..=50 {
        crate::models::advance(&gimbal, &mut stepper, &mut state, 0.2 * f64::from(i));
        let (phi, psi) = violations(&gimbal, &state);
        assert!(phi < 2e-15 && psi < 4e-15, "{phi:e} {psi:e}");
    }
}

#[test]
fn single_precision_works() {
    let (mut state, mut stepper) =
        (State::<Oscillator, f32>::new(&Oscillator), ImplicitMidpoint::without_derivatives(&Oscillator, 0.01));
    stepper.advance_to(&Oscillator, &mut state, 2.0_f32, &mut zero_inputs).unwrap();
    // h²/12 of the phase: 2e-5, and 200 roundings of 6e-8.
    assert!((f64::from(state.q[0]) - 2.0_f64.cos()).abs() < 5e-5, "{state:?}");
}
