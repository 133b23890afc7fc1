//! Events at roots of values: their times, and that each occurs, and occurs once.

use mbs_core::*;

use crate::models::case::read;
use crate::models::particle::{Particle, Spec};

/// Times of the events of one index.
fn times(all: &[(usize, f64)], event: usize) -> Vec<f64> {
    all.iter().filter(|(index, _)| *index == event).map(|(_, t)| *t).collect()
}

fn assert_near(found: &[f64], wanted: &[f64], tolerance: f64) {
    assert_eq!(found.len(), wanted.len(), "{found:?} for {wanted:?}");
    let gap = found.iter().zip(wanted).fold(0.0, |gap: f64, (a, b)| gap.max((a - b).abs()));
    assert!(gap <= tolerance, "{gap:.1e}: {found:?} for {wanted:?}");
}

/// Checks the times and speeds of bounces in a reference case.
fn check_restitution<S: Stepper<Particle>>(name: &str, stepper: impl Fn(&Particle) -> S, tolerance: f64) {
    let case = read(name);
    let number = |key: &str| case["parameters"][key].as_f64().unwrap();
    let rows = case["reference"]["rows"].as_array().unwrap();
    let ball = Particle::<f64>::falling(number("h")).bouncing(number("e"));
    let (mut state, mut events) = (State::new(&ball), Events::new(&ball));
    let (mut stepper, mut worst) = (stepper(&ball), 0.0_f64);
    for row in rows {
        let [_, t, speed, apex] = crate::models::case::array(row);
        let event = loop {
            let found = events.step_towards(&ball, &mut stepper, &mut state, 10.0, &mut zero_inputs).unwrap();
            if let Some(event) = found {
                break event;
            }
        };
        assert!(state.q[0] <= 0.0, "the state is where the value has passed");
        let before = state.v[0];
        events.handle(&ball, &mut state, event, &mut zero_inputs).unwrap();
        assert!((events.impulses()[0] - (state.v[0] - before)).abs() < 1e-14, "the impulse is m Δv");
        let height = state.v[0] * state.v[0] / (2.0 * 9.81);
        worst = worst.max((state.t - t).abs()).max((state.v[0] - speed).abs()).max((height - apex).abs());
    }
    println!("{name}: {worst:.1e}");
    assert!(worst < tolerance, "{name}: {worst:.1e}");
}

/// A parabola is exact in methods of order 2 and more, so that the only error is that of the location, 32 roundings for each bounce.
#[test]
fn a_bouncing_ball_agrees_with_the_closed_form() {
    for name in ["event_restitution", "event_restitution_b"] {
        check_restitution(name, DormandPrince::new, 2e-12);
        check_restitution(name, |ball| Rk4::new(ball, 0.05), 2e-12);
        check_restitution(name, |ball| Rk2::new(ball, 0.3), 2e-12);
        check_restitution(name, |ball| ImplicitMidpoint::without_derivatives(ball, 0.02), 2e-12);
        check_restitution(name, |ball| Gauss6::without_derivatives(ball, 0.3), 2e-12);
        check_restitution(name, |ball| GeneralizedAlpha::without_derivatives(ball, 0.02, 0.5), 2e-12);
    }
}

#[test]
fn every_direction_is_distinguished() {
    let swing = || Particle::<f64>::swinging().on(Spec::new(Trigger::Rises, |at| at.q[0]).rate(|at| at.v[0]));
    let mechanism = swing()
        .on(Spec::new(Trigger::Falls, |at| at.q[0]).rate(|at| at.v[0]))
        .on(Spec::new(Trigger::Crosses, |at| at.q[0]).rate(|at| at.v[0]))
        .on(Spec::new(Trigger::Above, |at| at.q[0]).rate(|at| at.v[0]))
        .on(Spec::new(Trigger::Above, |at: StateView| -at.q[0]).rate(|at: StateView| -at.v[0]))
        .on(Spec::new(Trigger::Above, |at: StateView| if at.t < 1.0 { f64::NAN } else { at.q[0] }));
    let (all, _) = mechanism.run_dense(12.0);
    let quarter = core::f64::consts::FRAC_PI_2;
    // Errors of the integration at rtol = 1e-9.
    assert_near(&times(&all, 0), &[3.0 * quarter, 7.0 * quarter], 1e-7);
    assert_near(&times(&all, 1), &[quarter, 5.0 * quarter], 1e-7);
    assert_near(&times(&all, 2), &[quarter, 3.0 * quarter, 5.0 * quarter, 7.0 * quarter], 1e-7);
    // One value is above zero from the start, the other is not.
    assert_near(&times(&all, 3), &[0.0, 3.0 * quarter, 7.0 * quarter], 1e-7);
    assert_near(&times(&all, 4), &[quarter, 5.0 * quarter], 1e-7);
    assert_eq!(times(&all, 5).len(), 3, "switched on above zero: {:?}", times(&all, 5));
}

/// Two passages within 2 √depth, far less than a step.
#[test]
fn a_value_with_two_roots_within_a_step_is_found() {
    for depth in [1e-2, 1e-5, 1e-8, 1e-11] {
        let value = move |at: StateView| at.q[0] + 1.0 - depth;
        let dip = |spec: Spec| Particle::<f64>::swinging().on(spec);
        let width = (2.0 * depth).sqrt();
        let both = [core::f64::consts::PI - width, core::f64::consts::PI + width];
        let known = dip(Spec::new(Trigger::Crosses, value).rate(|at| at.v[0]));
        // The error of the times is that of q divided by the derivative √(2 depth).
        let mut stepper = DormandPrince::new(&known).with_tolerances(1e-13, 1e-14);
        stepper.max_step = Some(0.05);
        let (all, _) = known.run(stepper, 5.0);
        assert_near(&times(&all, 0), &both, 2e-3 * width + 1e-12 / width);
        // Without rates, roots are located by samples and parabolas, with equal results.
        if depth < 1e-9 {
            continue;
        }
        let unknown = dip(Spec::new(Trigger::Crosses, value));
        let mut stepper = DormandPrince::new(&unknown).with_tolerances(1e-13, 1e-14);
        stepper.max_step = Some(0.05);
        assert_near(&times(&unknown.run(stepper, 5.0).0, 0), &both, 2e-3 * width + 1e-12 / width);
        // Repeated steps give equal times.
        let (all, _) = known.run(Rk4::new(&known, 0.02), 5.0);
        if depth > 1e-6 {
            assert_near(&times(&all, 0), &both, 2e-3 * width + 1e-7 / width);
            let (all, _) = unknown.run(Rk4::new(&unknown, 0.02), 5.0);
            assert_near(&times(&all, 0), &both, 2e-3 * width + 1e-7 / width);
        }
    }
}

#[test]
fn three_passages_within_a_step_are_three() {
    // (t − 1)(t − 1.1)(t − 1.2) on a step from 0 to 2.
    let value = |at: StateView| (at.t - 1.0) * (at.t - 1.1) * (at.t - 1.2);
    let rate = |at: StateView| 3.0 * at.t * at.t - 6.6 * at.t + 3.62;
    let mechanism = Particle::<f64>::new([0.0, 0.0], |_| 0.0).on(Spec::new(Trigger::Crosses, value).rate(rate));
    let (all, _) = mechanism.run(Rk4::new(&mechanism, 2.0), 2.0);
    assert_near(&times(&all, 0), &[1.0, 1.1, 1.2], 1e-12);
}

#[test]
fn a_value_that_only_touches_zero_does_not_pass() {
    let mechanism =
        Particle::<f64>::swinging().on(Spec::new(Trigger::Crosses, |at| at.q[0] + 1.0 + 1e-9).rate(|at| at.v[0]));
    assert_eq!(mechanism.run_dense(10.0).0, []);
}

#[test]
fn zero_at_the_start_is_not_an_event() {
    // A ball is thrown up from the floor: there is one event, on landing, although one step includes the start and the landing.
    for spec in [
        Spec::new(Trigger::Crosses, |at| at.q[0]).rate(|at| at.v[0]),
        Spec::new(Trigger::Crosses, |at| at.q[0]),
        Spec::new(Trigger::Falls, |at| at.q[0]).rate(|at| at.v[0]),
    ] {
        let thrown = Particle::<f64>::new([0.0, 9.81], |_| -9.81).on(spec);
        assert_near(&times(&thrown.run(Rk4::new(&thrown, 5.0), 3.0).0, 0), &[2.0], 1e-12);
        assert_near(&times(&thrown.run_dense(3.0).0, 0), &[2.0], 1e-12);
    }
    // The value is at rest at zero, then decreases.
    let falling = Particle::<f64>::falling(0.0).on(Spec::new(Trigger::Crosses, |at| at.q[0]).rate(|at| at.v[0]));
    assert_eq!(falling.run_dense(1.0).0, []);
}

#[test]
fn an_event_occurs_once_at_its_root() {
    // The value is reflected after zero, and so passes it again.
    let bounce = |at: StateView, _: &mut [f64], targets: &mut [f64]| targets[0] = -at.v[0];
    for trigger in [Trigger::Falls, Trigger::Crosses] {
        for rate in [true, false] {
            let spec = Spec::new(trigger, |at: StateView| at.q[0]).assigns((0, 1), bounce);
            let ball = Particle::<f64>::falling(9.81 / 2.0).on(if rate { spec.rate(|at| at.v[0]) } else { spec });
            let wanted: Vec<f64> = (0..10).map(|k| f64::from(2 * k + 1)).collect();
            assert_near(&times(&ball.run_dense(20.0).0, 0), &wanted, 1e-9);
            assert_near(&times(&ball.run(Rk4::new(&ball, 0.3), 20.0).0, 0), &wanted, 1e-9);
        }
    }
}

#[test]
fn logical_values_are_located_as_numbers_are() {
    let truth = |at: StateView| if at.q[0] < 0.3 { 1.0 } else { -1.0 };
    let mechanism = Particle::<f64>::swinging().on(Spec::new(Trigger::Rises, truth));
    let turn = core::f64::consts::TAU;
    let first = 0.3_f64.acos();
    let wanted = [first, first + turn, first + 2.0 * turn];
    assert_near(&times(&mechanism.run_dense(18.0).0, 0), &wanted, 1e-7);
    let (all, _) = mechanism.run(Rk4::new(&mechanism, 0.01), 18.0);
    assert_near(&times(&all, 0), &wanted, 1e-7);
}

#[test]
fn an_event_whose_value_is_nan_is_switched_off() {
    // The event is switched off between 1 and 5, when the value passes zero, and switched on while it is negative, which is not a passage.
    let value = |at: StateView| if at.t > 1.0 && at.t < 5.0 { f64::NAN } else { at.q[0] };
    let mechanism = Particle::<f64>::swinging().on(Spec::new(Trigger::Crosses, value));
    let quarter = core::f64::consts::FRAC_PI_2;
    let stepper = Rk4::new(&mechanism, 0.01);
    assert_near(&times(&mechanism.run(stepper, 9.0).0, 0), &[5.0 * quarter], 1e-7);
}

#[test]
fn a_run_ends_where_an_event_stops_it() {
    let mechanism = Particle::<f64>::swinging().on(Spec::new(Trigger::Falls, |at| at.q[0]).rate(|at| at.v[0]).stops());
    let (all, state) = mechanism.run_dense(9.0);
    assert_eq!(all, [(0, state.t)]);
    assert!((state.t - core::f64::consts::FRAC_PI_2).abs() < 1e-8, "rtol = 1e-9");
}

#[test]
fn infinitely_many_bounces_are_an_error_that_names_the_event() {
    // The second floor is at 0.5, where rounding errors are larger than near 0.
    for (e, floor) in [0.9, 0.8, 0.5, 0.1, 0.01].into_iter().flat_map(|e| [(e, 0.0), (e, 0.5)]) {
        let bounce = move |at: StateView, _: &mut [f64], targets: &mut [f64]| targets[0] = -e * at.v[0];
        let spec = Spec::new(Trigger::Falls, move |at: StateView| at.q[0] - floor).rate(|at| at.v[0]);
        let ball = Particle::<f64>::falling(1.0 + floor)
            .on(Spec::new(Trigger::Rises, |at| at.t - 1e6))
            .on(spec.assigns((0, 1), bounce))
            .on(Spec::new(Trigger::Falls, |at: StateView| at.v[0]).rate(|_| -9.81));
        let (mut state, mut events) = (State::new(&ball), Events::new(&ball));
        let mut stepper = DormandPrince::new(&ball);
        let mut count = 0;
        let then = &mut |_: usize, _: &State<Particle>| count += 1;
        let outcome = events.advance_to(&ball, &mut stepper, &mut state, 20.0, &mut zero_inputs, then);
        // The ball comes to rest at t₁ (1 + e)/(1 − e), with t₁ the time of the first impact.
        let rest = (2.0_f64 / 9.81).sqrt() * (1.0 + e) / (1.0 - e);
        let Err(Error::Zeno { event: 1, t }) = outcome else {
            panic!("e = {e}, floor {floor}: {outcome:?} after {count}")
        };
        // The error is √ε times the time and the step, some 20 s.
        let height = state.q[0] - floor;
        assert!((t - rest).abs() < 1e-6 && height.abs() < 1e-9, "e = {e}, floor {floor}: {t} for {rest}, {height}");
    }
}

#[test]
fn single_precision_locates_events_to_its_accuracy() {
    let ball = Particle::<f32>::falling(1.0).bouncing(0.8);
    let mut wanted = vec![(2.0_f32 / 9.81).sqrt()];
    for k in 0..5 {
        wanted.push(wanted[k] + 2.0 * wanted[0] * 0.8_f32.powi(k as i32 + 1));
    }
    let t_end = f64::from(wanted[5]) + 0.05;
    // The tolerance is coarse, since 32 roundings are 4e-6.
    let dense = DormandPrince::new(&ball).with_tolerances(1e-5, 1e-6);
    for all in [ball.run(dense, t_end).0, ball.run(Rk4::new(&ball, 0.03), t_end).0] {
        assert_eq!(all.len(), 6, "{all:?}");
        assert!(all.iter().zip(&wanted).all(|((_, t), wanted)| (t - wanted).abs() < 3e-4), "{all:?}");
    }
}
