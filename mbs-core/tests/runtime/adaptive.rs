//! Step control, end times, statistics and errors of the integrators.

use mbs_core::*;

use crate::models::oscillator::Oscillator;
use crate::models::pendulum::Pendulum;
use crate::models::{advance, distance};

fn run(rtol: f64, t_end: f64) -> (f64, Statistics) {
    let (m, mut state) = (Oscillator, State::new(&Oscillator));
    let mut stepper = DormandPrince::new(&m).with_tolerances(rtol, rtol * 1e-2);
    advance(&m, &mut stepper, &mut state, t_end);
    assert_eq!(state.t, t_end);
    (distance(&state, &Oscillator::exact(t_end)), Stepper::<Oscillator>::statistics(&stepper))
}

#[test]
fn the_error_follows_the_tolerance() {
    let mut last = (f64::INFINITY, 0);
    for exponent in 4..12 {
        let tolerance = 10.0_f64.powi(-exponent);
        let (error, statistics) = run(tolerance, 20.0);
        println!("rtol {tolerance:.0e}: error {error:.2e}, {statistics:?}");
        // 20 s are three periods: local errors add up to less than 100 tolerances.
        assert!(error < 100.0 * tolerance && error < last.0);
        assert!(statistics.evaluations > last.1);
        // First same as last: six evaluations for each step, and two at the start.
        assert!(statistics.evaluations <= 6 * (statistics.accepted + statistics.rejected) + 2);
        last = (error, statistics.evaluations);
    }
}

#[test]
fn projection_preserves_first_same_as_last() {
    let (m, mut state) = (Pendulum::default(), State::<Pendulum>::new(&Pendulum::default()));
    let mut stepper = DormandPrince::new(&m);
    advance(&m, &mut stepper, &mut state, 5.0);
    let Statistics { accepted, rejected, evaluations } = Stepper::<Pendulum>::statistics(&stepper);
    assert!(evaluations <= 6 * (accepted + rejected) + 2, "{evaluations} for {accepted} + {rejected}");
}

#[test]
fn every_method_ends_exactly_at_the_end_forwards_and_backwards() {
    fn check(mut stepper: impl Stepper<Oscillator>, tolerance: f64) {
        let m = Oscillator;
        let mut state = State::new(&m);
        for t_end in [0.3, 1.0, 1.0, 1.000_000_1, 0.2, -0.7] {
            stepper.advance_to(&m, &mut state, t_end, &mut zero_inputs).unwrap();
            assert_eq!(state.t, t_end);
        }
        assert!((state.q[0] - 0.7_f64.cos()).abs() < tolerance, "{}", state.q[0]);
    }
    check(ExplicitEuler::new(&Oscillator, 1e-3), 3e-3);
    check(SemiImplicitEuler::new(&Oscillator, 1e-3), 3e-3);
    check(Rk2::new(&Oscillator, 1e-2), 1e-4);
    check(Rk3::new(&Oscillator, 1e-2), 1e-6);
    check(Rk4::new(&Oscillator, 1e-2), 1e-8);
    check(DormandPrince::new(&Oscillator), 1e-8);
}

#[test]
fn fixed_steps_are_equal_and_not_longer_than_given() {
    let (m, mut state) = (Oscillator, State::new(&Oscillator));
    let mut stepper = Rk4::new(&m, 0.3);
    advance(&m, &mut stepper, &mut state, 1.0);
    assert_eq!(Stepper::<Oscillator>::statistics(&stepper).accepted, 4);
    advance(&m, &mut stepper, &mut state, 1.6);
    assert_eq!(Stepper::<Oscillator>::statistics(&stepper), Statistics { accepted: 6, rejected: 0, evaluations: 24 });
}

#[test]
fn invalid_steps_and_end_times_are_errors() {
    let m = Oscillator;
    let mut state = State::new(&m);
    for h in [0.0, f64::NAN, 1e-30] {
        state.t = 1.0;
        let result = Rk4::new(&m, h).advance_to(&m, &mut state, 2.0, &mut zero_inputs);
        assert!(matches!(result, Err(Error::StepTooSmall { t: 1.0, .. })), "{h}: {result:?}");
    }
    for t_end in [f64::NAN, f64::INFINITY] {
        let result = Rk4::new(&m, 0.1).advance_to(&m, &mut state, t_end, &mut zero_inputs);
        assert_eq!(result, Err(Error::NotFinite { t: 1.0 }));
        let result = DormandPrince::new(&m).advance_to(&m, &mut state, t_end, &mut zero_inputs);
        assert_eq!(result, Err(Error::NotFinite { t: 1.0 }));
    }
}

#[test]
fn a_changed_state_needs_no_restart() {
    let (m, mut state) = (Oscillator, State::new(&Oscillator));
    let mut stepper = DormandPrince::new(&m);
    stepper.step(&m, &mut state, &mut zero_inputs, 0.1).unwrap();
    state.q[0] = 5.0;
    let mut twin = state.clone();
    stepper.step(&m, &mut state, &mut zero_inputs, 0.1).unwrap();
    DormandPrince::new(&m).step(&m, &mut twin, &mut zero_inputs, 0.1).unwrap();
    assert_eq!(state, twin);
}

#[test]
fn too_many_steps_and_divergence_are_typed_errors() {
    let (m, mut state) = (Oscillator, State::new(&Oscillator));
    let mut stepper = DormandPrince::new(&m);
    stepper.max_steps = 5;
    let result = stepper.advance_to(&m, &mut state, 100.0, &mut zero_inputs);
    assert!(matches!(result, Err(Error::TooManySteps { t, .. }) if t > 0.0 && t == state.t));

    // The solution of v̇ = v² is infinite at t = 1.
    let mut state = State::new(&m);
    state.v[0] = 1.0;
    let mut blow_up = |at: StateView, u: &mut [f64]| u[0] = at.q[0] + at.v[0] * at.v[0];
    let result = DormandPrince::new(&m).advance_to(&m, &mut state, 2.0, &mut blow_up);
    assert!(matches!(result, Err(Error::StepTooSmall { .. } | Error::NotFinite { .. })), "{result:?}");
    assert!((state.t - 1.0).abs() < 1e-6, "stopped at {}", state.t);

    let mut state = State::new(&m);
    let mut broken = |at: StateView, u: &mut [f64]| u[0] = if at.t > 0.5 { f64::NAN } else { 0.0 };
    let result = DormandPrince::new(&m).advance_to(&m, &mut state, 2.0, &mut broken);
    assert!(matches!(result, Err(Error::NotFinite { t }) if t <= 0.5), "{result:?}");
}

#[test]
fn the_error_of_a_singular_pose_is_returned() {
    let m = Pendulum { guess: [0.0; 4], ..Pendulum::default() };
    let mut state = State::<Pendulum>::new(&m);
    let before = state.clone();
    let result = Rk4::new(&m, 0.1).step(&m, &mut state, &mut zero_inputs, 0.1);
    assert_eq!(result, Err(Error::Singular { row: 2, t: 0.0 }));
    assert_eq!(state, before);
    assert!(matches!(assemble(&m, &mut state), Err(Error::Singular { row: 2, .. })));
    let result = DormandPrince::new(&m).advance_to(&m, &mut state, 1.0, &mut zero_inputs);
    assert!(matches!(result, Err(Error::Singular { row: 2, .. })));
}

#[test]
fn a_zero_order_hold_samples_at_multiples_of_its_period() {
    let m = Oscillator;
    let mut state = State::new(&m);
    let mut times = Vec::new();
    let mut hold = ZeroOrderHold::new(0.1, [0.0], |at: StateView, u: &mut [f64]| {
        times.push(at.t);
        u[0] = at.t - at.v[0];
    });
    let mut stepper = DormandPrince::new(&m);
    for t_end in [0.25, 0.3, 1.0] {
        hold.advance_to(&m, &mut stepper, &mut state, t_end).unwrap();
        assert_eq!(state.t, t_end);
    }
    assert_eq!(hold.samples(), 10);
    for (k, t) in times.iter().enumerate() {
        assert!((t - 0.1 * k as f64).abs() < 1e-12);
    }
    // Exact solution: (q − u, v) rotates by the angle of the period.
    let (mut q, mut v) = (1.0, 0.0);
    let (s, c) = 0.1_f64.sin_cos();
    for k in 0..10 {
        let u = 0.1 * f64::from(k) - v;
        (q, v) = (u + (q - u) * c + v * s, v * c - (q - u) * s);
    }
    assert!((state.q[0] - q).abs() < 1e-9 && (state.v[0] - v).abs() < 1e-9);
}
