//! States of another mechanism, with sizes that are known at run time only: every function with a state returns `Error::Size`, and none panics.

use mbs::diagnosis::{Finding, diagnose};
use mbs::{
    DormandPrince, Engine, Error, Events, ExplicitEuler, Gauss4, Gauss6, GeneralizedAlpha, ImplicitMidpoint, Mechanism,
    MotionWork, Projection, Rk2, Rk3, Rk4, SemiImplicitEuler, State, StateView, Stepper, Tracker, Zhong06, assemble,
    assemble_positions, least_velocities, project, project_positions, project_velocities, zero_inputs,
};

/// A chain of links with an auxiliary state for each link.
fn chain(links: usize) -> Engine {
    let (cold, rates) = (vec![0.0; links], vec![1.0; links]);
    let more = format!(
        "state heat: [{links}] = {cold:?} {{ rate: {rates:?} }};
        event half = when pin[0].angle > 0.5 {{ }}"
    );
    crate::support::chain(links, &more)
}

fn check<R>(label: &str, [expected, found]: [usize; 2], outcome: Result<R, Error>) {
    match outcome {
        Err(Error::Size { expected: e, found: f }) => assert_eq!([e, f], [expected, found], "{label}"),
        Err(other) => panic!("{label}: {other}"),
        Ok(_) => panic!("{label} takes a state of another mechanism"),
    }
}

fn check_stepper<S: Stepper<Engine>>(mechanism: &Engine, other: &Engine, make: impl Fn(&Engine) -> S) {
    let sizes = [mechanism, other].map(|m| m.sizes().n_q);
    let (label, foreign) = (std::any::type_name::<S>(), State::new(other));
    let mut stepper = make(mechanism);
    let mut state = foreign.clone();
    check(label, sizes, stepper.step(mechanism, &mut state, &mut zero_inputs, 1e-3));
    check(label, sizes, stepper.step_towards(mechanism, &mut state, 1.0, &mut zero_inputs));
    check(label, sizes, stepper.advance_to(mechanism, &mut state, 1.0, &mut zero_inputs));
    assert_eq!(state, foreign, "{label}: the state is unchanged");
    // The work space belongs to another mechanism.
    let mut local = State::new(mechanism);
    let outcome = make(other).step(mechanism, &mut local, &mut zero_inputs, 1e-3);
    check(label, [sizes[1], sizes[0]], outcome);
    // The stepper continues with states of its mechanism.
    assert!(stepper.step(mechanism, &mut local, &mut zero_inputs, 1e-3).is_ok(), "{label}");
    let mut within = foreign;
    let outcome = stepper.state_at(mechanism, &State::new(mechanism), 5e-4, &mut zero_inputs, &mut within);
    check(label, sizes, outcome);
}

#[test]
fn steppers_refuse_states_of_another_mechanism() {
    for (one, two) in [(chain(1), chain(2)), (chain(3), chain(2))] {
        check_stepper(&one, &two, DormandPrince::new);
        check_stepper(&one, &two, |m| Rk4::new(m, 1e-3));
        check_stepper(&one, &two, |m| Rk3::new(m, 1e-3));
        check_stepper(&one, &two, |m| Rk2::new(m, 1e-3));
        check_stepper(&one, &two, |m| ExplicitEuler::new(m, 1e-3));
        check_stepper(&one, &two, |m| SemiImplicitEuler::new(m, 1e-3));
        check_stepper(&one, &two, |m| ImplicitMidpoint::without_derivatives(m, 1e-3));
        check_stepper(&one, &two, |m| Gauss4::without_derivatives(m, 1e-3));
        check_stepper(&one, &two, |m| Gauss6::without_derivatives(m, 1e-3));
        check_stepper(&one, &two, |m| GeneralizedAlpha::without_derivatives(m, 1e-3, 0.8));
        check_stepper(&one, &two, |m| Zhong06::new(m, 1e-3));
    }
}

#[test]
fn dense_output_is_written_to_states_of_the_mechanism() {
    let (one, two) = (chain(1), chain(2));
    let mut stepper = DormandPrince::new(&one);
    stepper.step(&one, &mut State::new(&one), &mut zero_inputs, 1e-3).unwrap();
    check("interpolate", [1, 2], stepper.interpolate(&one, 5e-4, &mut State::new(&two)));
}

#[test]
fn assembly_and_projection_refuse_states_of_another_mechanism() {
    let (one, two) = (chain(1), chain(2));
    let (mut state, mut work) = (State::new(&two), Projection::new(&one));
    check("assemble", [1, 2], assemble(&one, &mut state));
    check("assemble_positions", [1, 2], assemble_positions(&one, &mut state));
    check("project", [1, 2], project(&one, &mut state, &mut work));
    check("project_positions", [1, 2], project_positions(&one, &mut state, &mut work));
    check("project_velocities", [1, 2], project_velocities(&one, &mut state, &mut work));
    check("least_velocities", [1, 2], least_velocities(&one, &mut state, &mut MotionWork::new(&one)));
}

#[test]
fn events_and_trackers_refuse_states_of_another_mechanism() {
    let (one, two) = (chain(1), chain(2));
    let (mut state, mut events, mut stepper) = (State::new(&two), Events::new(&one), Rk4::new(&one, 1e-3));
    check("start", [1, 2], events.start(&one, &state, &mut zero_inputs));
    check("step_towards", [1, 2], events.step_towards(&one, &mut stepper, &mut state, 1.0, &mut zero_inputs));
    let advanced = events.advance_to(&one, &mut stepper, &mut state, 1.0, &mut zero_inputs, &mut |_, _| {});
    check("advance_to", [1, 2], advanced);
    check("handle", [1, 2], events.handle(&one, &mut state, 0, &mut zero_inputs));
    check("settle", [1, 2], events.settle(&one, &mut state, 0));

    let mut work = vec![0.0; Tracker::work_size(&one)];
    let mut tracker = Tracker::new(&one, &mut work);
    check("Tracker::start", [1, 2], tracker.start(&one, &mut state, &mut zero_inputs));
    let followed = tracker.advance_to(&one, &mut state, 1.0, &mut zero_inputs);
    check("Tracker::advance_to", [1, 2], followed.map_err(|obstacle| obstacle.error));
}

#[test]
fn kernels_and_diagnoses_refuse_states_of_another_mechanism() {
    let (one, two) = (chain(1), chain(2));
    let state = State::new(&two);
    check("accelerations", [1, 2], one.accelerations(state.view(&[]), &mut [0.0], &mut []));
    let short = StateView { t: 0.0, q: &[0.0], v: &[0.0], z: &[], u: &[] };
    check("accelerations", [1, 0], one.accelerations(short, &mut [0.0], &mut []));
    let mut change = State::new(&one);
    check("displace", [1, 2], state.clone().displace(&one, &[0.0; 3]));
    assert!(change.displace(&one, &[0.1; 3]).is_ok());
    let diagnosis = diagnose(&one, &state);
    assert_eq!(diagnosis.findings, [Finding::OtherState { expected: 1, found: 2 }]);
    assert!(!diagnosis.is_healthy() && diagnosis.to_string().contains("another mechanism"), "{diagnosis}");
}
