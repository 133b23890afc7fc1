//! Angles in the plane.

use mbs::{Mechanism, Rk4, State, Stepper, assemble, zero_inputs};

use super::{assert_counts_backwards, assert_follows, engine, every_formulation, run};

/// A flywheel with 15 revolutions in 10 s, with another one on it that rotates in the opposite direction.
const WHEELS: &str = "pub planar Wheels {
    body wheel { mass: 1, inertia: 0.01 }
    body planet { mass: 1, inertia: 0.02 }
    joint pin = revolute(ground, wheel);
    joint hub = revolute(wheel, planet);
    initial pin.rate = 9, hub.rate = -23;
    output angle = pin.angle;
    output apart = hub.angle;
    output heading = angle(planet);
    output half = sin(0.5 * angle(wheel));
    output half_rate = rate(sin(0.5 * pin.angle));
}";

#[test]
fn every_formulation_counts_revolutions() {
    every_formulation(WHEELS, |label, engine| {
        let recording = run(engine, 3.0);
        assert_follows(&recording, "angle", |t| 9.0 * t, label);
        assert_follows(&recording, "apart", |t| -23.0 * t, label);
        assert_follows(&recording, "heading", |t| -14.0 * t, label);
        assert_follows(&recording, "half", |t| (4.5 * t).sin(), label);
        assert_follows(&recording, "half_rate", |t| 4.5 * (4.5 * t).cos(), label);
    });
}

#[test]
fn a_declared_angle_beyond_half_a_turn_is_where_counting_begins() {
    let text = "pub planar Wound { body wheel { mass: 1, inertia: 0.01, angle: 4 } joint pin = revolute(ground, wheel);
        initial pin.rate = 9; output angle = angle(wheel); }";
    every_formulation(text, |label, engine| assert_follows(&run(engine, 2.0), "angle", |t| 4.0 + 9.0 * t, label));
}

mbs::mechanism! {
    pub planar Turn {
        coordinates: natural;
        body rod { mass: 1, inertia: 0.01 }
        joint pin = revolute(ground, rod);
        initial pin.angle = 0, pin.rate = 10;
        output angle = pin.angle;
    }
}

#[test]
fn generated_code_counts_revolutions_forwards_and_backwards() {
    let mechanism = Turn::new(turn::Params::default()).unwrap();
    assert_follows(&run(&mechanism, 3.0), "angle", |t| 10.0 * t, "generated");

    assert_counts_backwards(&mechanism, 10.0, "generated");
}

#[test]
fn the_engine_counts_revolutions_backwards() {
    every_formulation(WHEELS, |label, engine| assert_counts_backwards(engine, 9.0, label));
}

/// 20 rad are passed once, after 20/9 s, and 20 rad less three revolutions are no event. Events are located to 1e-8 s.
#[test]
fn events_read_angles_that_count() {
    let text = WHEELS.replace("initial", "event far = when pin.angle - 20 rises { } initial");
    every_formulation(&text, |label, engine| {
        let recording = run(engine, 3.0);
        let times: Vec<f64> = recording.events().of("far").unwrap().map(|event| event.t).collect();
        assert_eq!(times.len(), 1, "{label}: {times:?}");
        assert!((times[0] - 20.0 / 9.0).abs() < 1e-8, "{label}: {times:?}");
    });
}

#[test]
fn a_bare_state_gives_the_principal_value() {
    let mechanism = Turn::new(turn::Params::default()).unwrap();
    let mut state = State::new(&mechanism);
    assemble(&mechanism, &mut state).unwrap();
    Rk4::new(&mechanism, 0.01).advance_to(&mechanism, &mut state, 0.5, &mut zero_inputs).unwrap();
    let (a, lambda, mut outputs) = ([0.0; turn::NV], [0.0; turn::NC], [0.0]);
    let bare = mbs::StateView { z: &[], ..state.view(&[]) };
    assert_eq!(mechanism.sizes().n_z, 0);
    Mechanism::outputs(&mechanism, bare, &a, &lambda, &mut outputs);
    assert!((outputs[0] - (5.0 - std::f64::consts::TAU)).abs() < 1e-3, "{}", outputs[0]);
    Mechanism::outputs(&mechanism, state.view(&[]), &a, &lambda, &mut outputs);
    assert!((outputs[0] - 5.0).abs() < 1e-3, "{}", outputs[0]);
}

#[test]
fn an_event_that_never_happens_changes_no_output() {
    let with = WHEELS.replace("initial", "event far = when pin.angle - 1e6 rises { } initial");
    for coordinates in ["joint", "body", "natural"] {
        let [plain, watched] = [WHEELS, &with].map(|text| run(&engine(text, coordinates), 1.0));
        for output in ["angle", "apart", "heading"] {
            let both = plain.output(output).unwrap().iter().zip(watched.output(output).unwrap());
            both.for_each(|(a, b)| assert!((a - b).abs() < 1e-6, "{coordinates}: {output} is {a} or {b}"));
        }
    }
}

#[test]
fn laws_of_inputs_read_angles_that_count() {
    let text = WHEELS
        .replace("body wheel", "input brake; force load = torque(ground, wheel) { torque: 0 * brake }; body wheel");
    let engine = engine(&text, "natural");
    let sizes = engine.sizes();
    let (a, lambda) = (vec![0.0; sizes.n_v], vec![0.0; sizes.n_c]);
    let angle = |at: mbs::StateView| {
        let mut outputs = vec![0.0; sizes.n_outputs];
        engine.outputs(at, &a, &lambda, &mut outputs);
        outputs[0]
    };
    let mut worst = 0.0_f64;
    let law = |at: mbs::StateView, u: &mut [f64]| {
        worst = worst.max((angle(at) - 9.0 * at.t).abs());
        u[0] = 0.0;
    };
    mbs::Simulation::new(&engine).inputs(law).duration(2.0).every(0.5).run().unwrap();
    // Stages of trial steps have larger errors than the accepted steps.
    assert!(worst < 0.5, "{worst}");
}

#[test]
fn memories_are_no_columns() {
    let engine = engine(WHEELS, "natural");
    let recording = run(&engine, 0.2);
    assert!(recording.table(mbs::simulation::Quantity::Auxiliary).names().is_empty());
    let mut csv = Vec::new();
    recording.to_csv(&mut csv).unwrap();
    assert!(!String::from_utf8(csv).unwrap().contains("memory"));
}

#[test]
fn declared_revolutions_count() {
    let text = WHEELS.replace("pin.rate = 9", "pin.angle = 7, hub.angle = -20, pin.rate = 9");
    every_formulation(&text, |label, engine| {
        let recording = run(engine, 1.0);
        assert_follows(&recording, "angle", |t| 7.0 + 9.0 * t, label);
        assert_follows(&recording, "apart", |t| -20.0 - 23.0 * t, label);
    });
}
