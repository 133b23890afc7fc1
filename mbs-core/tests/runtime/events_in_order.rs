//! Events one after the other: simultaneous ones, schedules, events caused by handlers, order of the method, discrete variables.

use mbs_core::*;

use crate::models::particle::{Particle, Spec};

fn indices(all: &[(usize, f64)]) -> Vec<usize> {
    all.iter().map(|(index, _)| *index).collect()
}

/// The event with a handler that appends its number to the decimal digits of z[0], which give the order of events.
fn noted(spec: Spec, digit: f64) -> Spec {
    spec.assigns((0, 0), move |_, z, _| z[0] = 10.0 * z[0] + digit)
}

#[test]
fn several_events_in_one_step_happen_in_order_of_time() {
    // One step includes all events, which are declared in another order.
    let passing = |time: f64| Spec::new(Trigger::Rises, move |at: StateView| at.t - time).rate(|_| 1.0);
    let mechanism = Particle::new([0.0, 0.0], |_| 0.0)
        .discrete(&[0.0])
        .on(noted(passing(0.7), 1.0))
        .on(noted(passing(0.2), 2.0))
        .on(passing(0.5))
        .on(noted(passing(0.5 + 1e-9), 4.0));
    let (all, state) = mechanism.run(Rk4::new(&mechanism, 1.0), 1.0);
    assert_eq!((indices(&all), state.z[0]), (vec![1, 2, 3, 0], 241.0));
}

#[test]
fn simultaneous_events_happen_in_order_of_declaration() {
    // Events within a rounding of each other, one of them exactly at the end of a step, where another is scheduled too.
    let passing = |time: f64| Spec::new(Trigger::Rises, move |at: StateView| at.t - time).rate(|_| 1.0);
    let mechanism = Particle::new([0.0, 0.0], |_| 0.0)
        .discrete(&[0.0])
        .on(noted(Spec::new(Trigger::At, |_| 0.5), 1.0))
        .on(noted(passing(0.3 + 1e-16), 2.0))
        .on(noted(passing(0.3), 3.0))
        .on(noted(passing(0.5 - 1e-16), 4.0));
    for h in [1.0, 0.25] {
        let (all, state) = mechanism.run(Rk4::new(&mechanism, h), 1.0);
        assert_eq!((indices(&all), state.z[0]), (vec![1, 2, 0, 3], 2314.0), "{all:?}");
        assert_eq!(all[0].1, all[1].1);
        assert_eq!([all[2].1, all[3].1], [0.5, 0.5]);
    }
}

#[test]
fn each_of_simultaneous_events_is_checked_again_after_those_before() {
    // The handler of the second event prevents the third, and causes the first.
    let passes = |at: StateView| if at.t > 0.3 && at.z[0] == 0.0 { 1.0 } else { -1.0 };
    let mechanism = Particle::new([0.0, 0.0], |_| 0.0)
        .discrete(&[0.0])
        .on(Spec::new(Trigger::Rises, |at: StateView| at.z[0] - 0.5))
        .on(Spec::new(Trigger::Rises, |at: StateView| at.t - 0.3).assigns((0, 0), |_, z, _| z[0] = 1.0))
        .on(Spec::new(Trigger::Rises, passes));
    let (all, _) = mechanism.run_dense(1.0);
    assert_eq!(indices(&all), [1, 0]);
    assert_eq!(all[0].1, all[1].1);
}

#[test]
fn an_infinite_cascade_of_handlers_is_an_error() {
    let flip = |at: StateView, z: &mut [f64], _: &mut [f64]| z[0] = -at.z[0];
    let mechanism = Particle::new([0.0, 0.0], |_| 0.0)
        .discrete(&[-1.0])
        .on(Spec::new(Trigger::Rises, |at: StateView| at.z[0]).assigns((0, 0), flip))
        .on(Spec::new(Trigger::Falls, |at: StateView| at.z[0]).assigns((0, 0), flip))
        .on(Spec::new(Trigger::At, |_| 0.4).assigns((0, 0), flip));
    let (mut state, mut events) = (State::new(&mechanism), Events::new(&mechanism));
    let mut stepper = DormandPrince::new(&mechanism);
    let outcome = events.advance_to(&mechanism, &mut stepper, &mut state, 1.0, &mut zero_inputs, &mut |_, _| {});
    assert_eq!(outcome, Err(Error::Zeno { event: 0, t: 0.4 }));
}

#[test]
fn a_hundred_thousand_periods_do_not_drift() {
    assert_periods_do_not_drift(1e5);
}

#[test]
#[ignore = "ten seconds in a debug build; `.ci/run --full`"]
fn a_million_periods_do_not_drift() {
    assert_periods_do_not_drift(1e6);
}

fn assert_periods_do_not_drift(periods: f64) {
    let count = Spec::new(Trigger::Every, |_| 1e-3).assigns((0, 0), |_, z: &mut [f64], _: &mut [f64]| z[0] += 1.0);
    let mechanism = Particle::new([0.0, 1.0], |_| 0.0).discrete(&[0.0]).on(count);
    let (mut state, mut events) = (State::new(&mechanism), Events::new(&mechanism));
    let mut stepper = Rk4::new(&mechanism, 1.0);
    let mut k = 0.0;
    let then = &mut |_: usize, state: &State<Particle>| {
        assert_eq!(state.t, k * 1e-3);
        k += 1.0;
    };
    let t_end = 1e-3 * periods - 1e-4;
    events.advance_to(&mechanism, &mut stepper, &mut state, t_end, &mut zero_inputs, then).unwrap();
    assert_eq!((k, state.z[0], state.t), (periods, periods, t_end));
}

#[test]
fn a_changed_period_restarts_the_schedule() {
    let slower = |_: StateView, z: &mut [f64], _: &mut [f64]| z[0] *= 2.0;
    let mechanism =
        Particle::new([0.0, 0.0], |_| 0.0)
            .discrete(&[0.1])
            .on(Spec::new(Trigger::Every, |at: StateView| at.z[0]).assigns((0, 0), slower));
    let (all, _) = mechanism.run_dense(3.5);
    let times: Vec<f64> = all.iter().map(|(_, t)| *t).collect();
    assert_eq!(times, [0.0, 0.2, 0.2 + 0.4, 0.2 + 0.4 + 0.8, 0.2 + 0.4 + 0.8 + 1.6]);
}

#[test]
fn an_invalid_period_is_an_error_and_nan_switches_off() {
    let outcome_from = |t: f64, period: f64| {
        let mechanism = Particle::new([0.0, 0.0], |_| 0.0).on(Spec::new(Trigger::Every, move |_| period));
        let (mut state, mut events) = (State::new(&mechanism), Events::new(&mechanism));
        state.t = t;
        let mut stepper = DormandPrince::new(&mechanism);
        let then = &mut |_: usize, _: &State<Particle>| {};
        events.advance_to(&mechanism, &mut stepper, &mut state, t + 0.5, &mut zero_inputs, then)
    };
    let outcome = |period: f64| outcome_from(0.5, period);
    for period in [0.0, -1.0, f64::INFINITY] {
        assert_eq!(outcome(period), Err(Error::Period { event: 0, period, t: 0.5 }));
    }
    assert_eq!(outcome(f64::NAN), Ok(None));
    // The period is so short that the time does not change from one event to the next, except near t = 0.
    for (t, period) in [(0.5, 1e-20), (0.0, 1e-20), (0.0, 2e-16), (-1e6, 1e-10), (1e6, 1e-10)] {
        assert_eq!(outcome_from(t, period), Err(Error::Period { event: 0, period, t }));
    }
    assert_eq!(outcome_from(1e6, 0.125), Ok(None));
}

#[test]
fn a_schedule_is_switched_off_and_on() {
    let period = |at: StateView| if at.z[0] == 0.0 { f64::NAN } else { 0.25 };
    let set = |time: f64, to: f64| Spec::new(Trigger::At, move |_| time).assigns((0, 0), move |_, z, _| z[0] = to);
    let mechanism = Particle::new([0.0, 0.0], |_| 0.0)
        .discrete(&[1.0])
        .on(set(0.6, 0.0))
        .on(set(1.1, 1.0))
        .on(Spec::new(Trigger::Every, period));
    let (all, _) = mechanism.run_dense(1.5);
    let ticks: Vec<f64> = all.iter().filter(|(event, _)| *event == 2).map(|(_, t)| *t).collect();
    assert_eq!(ticks, [0.0, 0.25, 0.5, 1.1, 1.1 + 0.25]);
}

#[test]
fn times_are_met_exactly_and_may_be_moved() {
    // Each event schedules the next: at 0.1, 0.3, 0.7, 1.5; a time in the past causes no event.
    let next = |at: StateView, z: &mut [f64], _: &mut [f64]| z[0] = 2.0 * at.z[0] + 0.1;
    let mechanism = Particle::<f64>::swinging()
        .discrete(&[0.1])
        .on(Spec::new(Trigger::At, |at: StateView| at.z[0]).assigns((0, 0), next))
        .on(Spec::new(Trigger::At, |_| -1.0));
    for (all, _) in [mechanism.run_dense(3.0), mechanism.run(Rk4::new(&mechanism, 0.07), 3.0)] {
        let wanted = [0.1, 2.0 * 0.1 + 0.1, 2.0 * (2.0 * 0.1 + 0.1) + 0.1];
        assert_eq!(all[..3], wanted.map(|t| (0, t)));
        assert_eq!(all.len(), 4);
    }
    // An event at the end of a run occurs in that run.
    let mechanism = Particle::<f64>::swinging().on(Spec::new(Trigger::At, |_| 1.0));
    assert_eq!(mechanism.run_dense(1.0).0, [(0, 1.0)]);
}

/// Error of a bouncing oscillator q̈ = −q with a wall at q = −½: reflected without loss, it has the period 2 acos(−½).
fn error_with_events<S: Stepper<Particle>>(make: impl Fn(&Particle, f64) -> S, h: f64) -> f64 {
    let reflect = |at: StateView, _: &mut [f64], targets: &mut [f64]| targets[0] = -at.v[0];
    let wall = Spec::new(Trigger::Falls, |at| at.q[0] + 0.5).rate(|at| at.v[0]).assigns((0, 1), reflect);
    let mechanism = Particle::swinging().on(wall);
    let (all, state) = mechanism.run(make(&mechanism, h), 10.0);
    let half = (-0.5_f64).acos();
    assert_eq!(all.len(), 2, "{all:?}");
    let phase = 10.0 - 4.0 * half;
    (state.q[0] - phase.cos()).abs().max((state.v[0] + phase.sin()).abs())
}

#[test]
fn orders_are_those_of_the_methods_without_events() {
    fn check<S: Stepper<Particle>>(make: impl Fn(&Particle, f64) -> S, h: f64) {
        // Steps are divided at different times, so that errors scatter: the order is the average over three halvings.
        let errors = [h, h / 8.0].map(|h| error_with_events(&make, h));
        let order = (errors[0] / errors[1]).log2() / 3.0;
        println!("{} {errors:?}: order {order:.2}", S::ORDER);
        assert!((order - S::ORDER as f64).abs() < 0.3, "order {} measured {order}", S::ORDER);
    }
    check(Rk4::new, 0.1);
    check(Rk3::new, 0.1);
    check(Rk2::new, 0.05);
    check(ImplicitMidpoint::without_derivatives, 0.05);
    check(|m, h| GeneralizedAlpha::without_derivatives(m, h, 0.8), 0.05);
    check(Gauss4::without_derivatives, 0.2);
    check(ExplicitEuler::new, 2e-4);
    check(SemiImplicitEuler::new, 0.01);
}

#[test]
fn errors_follow_tolerances_through_events() {
    let by = |rtol: f64| {
        let make = |m: &Particle, _| DormandPrince::new(m).with_tolerances(rtol, 0.01 * rtol);
        error_with_events(make, 0.0)
    };
    // Dense output is of order 4: its error at an event is of the size of the tolerance, not more.
    let errors = [1e-6, 1e-9, 1e-12].map(by);
    println!("{errors:?}");
    assert!(errors[0] < 1e-4 && errors[1] < 1e-7 && errors[2] < 1e-10, "{errors:?}");
}

#[test]
fn an_event_that_changes_nothing_changes_no_step() {
    let quiet = Particle::<f64>::swinging();
    let watched = Particle::<f64>::swinging()
        .on(Spec::new(Trigger::Crosses, |at| at.q[0]).rate(|at| at.v[0]))
        .on(Spec::new(Trigger::Crosses, |at| at.v[0] + 0.2));
    let (mut a, mut b) = (DormandPrince::new(&quiet), DormandPrince::new(&watched));
    let (mut x, mut y) = (State::new(&quiet), State::new(&watched));
    let mut events = Events::new(&watched);
    let mut count = 0;
    a.advance_to(&quiet, &mut x, 20.0, &mut zero_inputs).unwrap();
    let then = &mut |_: usize, _: &State<Particle>| count += 1;
    events.advance_to(&watched, &mut b, &mut y, 20.0, &mut zero_inputs, then).unwrap();
    assert_eq!((x.q, x.v, a.statistics()), (y.q, y.v, b.statistics()));
    assert_eq!(count, 13);
}

#[test]
fn requested_times_change_no_step_if_there_is_dense_output() {
    let ball = || Particle::<f64>::falling(1.0).bouncing(0.8);
    let run = |times: &[f64]| {
        let ball = ball();
        let (mut stepper, mut state, mut events) = (DormandPrince::new(&ball), State::new(&ball), Events::new(&ball));
        events.horizon = Some(2.0);
        let mut all = Vec::new();
        for t in times {
            let then = &mut |_: usize, state: &State<Particle>| all.push(state.t);
            events.advance_to(&ball, &mut stepper, &mut state, *t, &mut zero_inputs, then).unwrap();
            assert_eq!(state.t, *t);
        }
        (all, state.q[0], stepper.statistics())
    };
    let many: Vec<f64> = (1..=200).map(|k| f64::from(k) * 0.01).collect();
    assert_eq!(run(&[2.0]), run(&many));
}

/// ż = 1 for the first variable; the last two have large values, which must have no effect.
#[test]
fn discrete_variables_disturb_neither_steps_nor_residuals() {
    let with = |discrete: &[f64]| {
        let mut mechanism = Particle::<f64>::swinging();
        mechanism.z.push(0.5);
        mechanism.discrete(discrete)
    };
    let (plain, wild) = (with(&[]), with(&[1e12, -0.1]));
    let (mut a, mut b) = (DormandPrince::new(&plain), DormandPrince::new(&wild));
    let (mut x, mut y) = (State::new(&plain), State::new(&wild));
    a.advance_to(&plain, &mut x, 7.0, &mut zero_inputs).unwrap();
    b.advance_to(&wild, &mut y, 7.0, &mut zero_inputs).unwrap();
    assert_eq!((x.q, x.v, x.z[0], a.statistics()), (y.q, y.v, y.z[0], b.statistics()));
    assert_eq!(y.z[1..], [1e12, -0.1]);
    let (start, end) = b.last_step();
    b.interpolate(&wild, 0.3 * start + 0.7 * end, &mut y).unwrap();
    assert_eq!(y.z[1..], [1e12, -0.1]);
    let (mut a, mut b) =
        (ImplicitMidpoint::without_derivatives(&plain, 0.1), ImplicitMidpoint::without_derivatives(&wild, 0.1));
    let (mut x, mut y) = (State::new(&plain), State::new(&wild));
    a.advance_to(&plain, &mut x, 7.0, &mut zero_inputs).unwrap();
    b.advance_to(&wild, &mut y, 7.0, &mut zero_inputs).unwrap();
    assert_eq!((x.q, x.v, x.z[0], a.statistics()), (y.q, y.v, y.z[0], b.statistics()));
    assert_eq!(y.z[1..], [1e12, -0.1]);
}
