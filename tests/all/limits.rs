//! Limits of runs: steps, rows, the resolution of time, states of other mechanisms, interruption.

use std::cell::Cell;

use crate::support::double_pendulum;
use mbs::simulation::Cause;
use mbs::{Error, Integrator, Rk4, Simulation, State, Stepper, Trigger, zero_inputs};

#[test]
fn steps_that_never_arrive_are_refused() {
    let mechanism = double_pendulum();
    let run = |step| Simulation::new(&mechanism).integrator(Integrator::Rk4 { step }).run().unwrap_err();
    for step in [f64::MIN_POSITIVE, 1e-30, 1e-16] {
        let failure = run(step);
        assert!(matches!(failure.cause, Cause::Run(Error::StepTooSmall { .. })), "{step}: {failure}");
        assert!(failure.recording.is_empty());
    }
    let failure = run(1e-9);
    assert!(matches!(failure.cause, Cause::Steps { most: 10_000_000, .. }), "{failure}");
    assert_eq!(
        failure.to_string(),
        "a step of 1e-9 s takes 1.00e9 steps, more than `max_steps`, 10000000: give a longer `step`, or raise `max_steps`"
    );
    let longest = Simulation::new(&mechanism).max_step(1e-9).run().unwrap_err();
    assert!(matches!(longest.cause, Cause::Steps { .. }), "{longest}");
}

#[test]
fn a_stepper_refuses_steps_that_the_end_does_not_resolve() {
    let mechanism = double_pendulum();
    let mut state = State::new(&mechanism);
    // A step of 1e-30 changes the time at t = 0, but not at 1 s.
    let outcome = Rk4::new(&mechanism, 1e-30).advance_to(&mechanism, &mut state, 1.0, &mut zero_inputs);
    assert!(matches!(outcome, Err(Error::StepTooSmall { .. })), "{outcome:?}");
    let outcome = Rk4::new(&mechanism, 1e-30).advance_to(&mechanism, &mut state, -1.0, &mut zero_inputs);
    assert!(matches!(outcome, Err(Error::StepTooSmall { .. })), "{outcome:?}");
}

#[test]
fn the_budget_of_steps_does_not_depend_on_rows() {
    let mechanism = double_pendulum();
    let full = Simulation::new(&mechanism).duration(1.0).every(1.0).run().unwrap();
    let steps = full.statistics().accepted + full.statistics().rejected;
    for every in [1.0, 0.1, 1e-3] {
        let run = |most| Simulation::new(&mechanism).duration(1.0).every(every).max_steps(most).run();
        assert!(run(steps).is_ok(), "every {every}");
        let failure = run(steps - 1).unwrap_err();
        assert!(
            matches!(failure.cause, Cause::Run(Error::TooManySteps { t, .. }) if t > 0.5),
            "every {every}: {failure}"
        );
        assert!(failure.to_string().contains("`max_steps`"), "{failure}");
    }
}

#[test]
fn times_too_coarse_for_the_interval_are_refused() {
    let mechanism = double_pendulum();
    let late = |t: f64| {
        let mut state = State::new(&mechanism);
        state.t = t;
        Simulation::new(&mechanism).initial(state)
    };
    for t in [1e300, -1e300, 1e15] {
        let failure = late(t).duration(1.0).every(0.1).run().unwrap_err();
        assert!(matches!(failure.cause, Cause::Resolution { interval: 0.1, .. }), "{t}: {failure}");
        assert!(failure.recording.is_empty());
        let failure = late(t).grid(t, t + 1.0, 3).run().unwrap_err();
        assert!(matches!(failure.cause, Cause::Resolution { .. }), "{t}: {failure}");
    }
    assert_eq!(late(1e6).duration(1.0).every(0.1).run().unwrap().len(), 11);
}

#[test]
fn an_interrupted_run_keeps_its_rows() {
    let mechanism = double_pendulum();
    let calls = Cell::new(0);
    let interrupt = || {
        calls.set(calls.get() + 1);
        calls.get() > 50
    };
    let failure = Simulation::new(&mechanism).duration(1e4).interrupt(interrupt).run().unwrap_err();
    let Cause::Interrupted { t } = failure.cause else { panic!("{failure}") };
    assert!(t > 0.0 && failure.recording.len() > 1 && *failure.recording.times().last().unwrap() <= t);
    assert!(failure.to_string().starts_with("interrupted at t = "), "{failure}");
}

#[test]
fn rows_that_events_report_count() {
    let mechanism = double_pendulum();
    let run = Simulation::new(&mechanism).report_when("often", Trigger::Every, |_| 1e-7).duration(1.0);
    // Every row needs a step: the budget of steps ends this run before memory is exhausted.
    let failure = run.max_steps(1000).run().unwrap_err();
    assert!(matches!(failure.cause, Cause::Run(Error::TooManySteps { .. })), "{failure}");
}

mod engine {
    use mbs::simulation::Cause;
    use mbs::{Engine, Error, InverseDynamics, Kinematics, Mechanism, Simulation, State, Trigger};

    fn pendulum(links: usize) -> Engine {
        crate::support::chain(links, "")
    }

    #[test]
    fn a_state_of_another_mechanism_is_refused() {
        let (one, two) = (pendulum(1), pendulum(2));
        let expected = Cause::Run(Error::Size { expected: 1, found: 2 });
        let run = Simulation::new(&one).initial(State::new(&two)).run();
        assert_eq!(run.unwrap_err().cause, expected);
        let loaded = Simulation::new(&one).load(|_, _| {}).initial(State::new(&two)).as_given().run();
        assert_eq!(loaded.unwrap_err().cause, expected);
        assert_eq!(Kinematics::new(&one).initial(State::new(&two)).run().unwrap_err().cause, expected);
        assert_eq!(InverseDynamics::new(&one).initial(State::new(&two)).run().unwrap_err().cause, expected);
        let failure = Simulation::new(&two).initial(State::new(&one)).run().unwrap_err();
        assert_eq!(failure.cause, Cause::Run(Error::Size { expected: 2, found: 1 }));
        assert_eq!(failure.state(&two).q.len(), two.sizes().n_q);
    }

    #[test]
    fn a_handler_that_assigns_another_state_is_refused() {
        let (one, two) = (pendulum(1), pendulum(2));
        let run = Simulation::new(&one).event("swap", Trigger::At, |_| 0.1, |state| *state = State::new(&two));
        let failure = run.run().unwrap_err();
        assert_eq!(failure.cause, Cause::Run(Error::Size { expected: 1, found: 2 }));
        assert!(!failure.recording.is_empty());
    }
}
