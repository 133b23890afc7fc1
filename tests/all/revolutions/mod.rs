//! Angles count revolutions and quaternions keep their sign in a run, in every formulation, compiled and in the engine.
//!
//! Closed form: a body that rotates freely about a fixed axis has the angle ω t and the quaternion (cos ½ω t, sin ½ω t n). The tolerance 1e-6 covers
//! integration errors over 3 s; a lost revolution is 2π and a lost sign is 2.

mod plane;
mod space;

use mbs::{Engine, FullMechanism, Mechanism, Recording, Rk4, Simulation, State, Stepper, assemble, zero_inputs};

/// The engine of a text with its bodies in the given coordinates.
fn engine(text: &str, coordinates: &str) -> Engine {
    let text = text.replacen('{', &format!("{{ coordinates: {coordinates};"), 1);
    Engine::options().text(&text).unwrap_or_else(|e| panic!("{e}\n{text}"))
}

/// Calls `check` with the engine of a text in every formulation.
fn every_formulation(text: &str, mut check: impl FnMut(&str, &Engine)) {
    for coordinates in ["joint", "body", "natural"] {
        check(coordinates, &engine(text, coordinates));
    }
}

fn run(mechanism: &impl FullMechanism, duration: f64) -> Recording {
    Simulation::new(mechanism).duration(duration).every(0.05).run().expect("it runs")
}

/// Asserts that the first output is an angle of constant rate \[rad/s\], after 2 s backwards and then 3 s forwards. Steps of fourth order
/// of 0.01 s have errors of 1e-4; a lost revolution is 2π.
fn assert_counts_backwards(mechanism: &impl Mechanism, rate: f64, label: &str) {
    for (times, expected) in [(&[-2.0][..], -2.0 * rate), (&[-2.0, 1.0], rate)] {
        let angle = output_after(mechanism, times);
        assert!((angle - expected).abs() < 1e-3, "{label}: {angle}, not {expected}");
    }
}

/// The first output after steps to each of these times in succession, forwards or backwards.
fn output_after<M: Mechanism>(mechanism: &M, times: &[f64]) -> f64 {
    let mut state = State::new(mechanism);
    assemble(mechanism, &mut state).expect("it can be put together");
    let mut stepper = Rk4::new(mechanism, 0.01);
    for t in times {
        stepper.advance_to(mechanism, &mut state, *t, &mut zero_inputs).expect("it moves regularly");
    }
    let sizes = mechanism.sizes();
    let [mut a, mut lambda, mut outputs] = [sizes.n_v, sizes.n_c, sizes.n_outputs].map(|n| vec![0.0; n]);
    mechanism.accelerations(state.view(&[]), &mut a, &mut lambda).expect("it is regular");
    mechanism.outputs(state.view(&[]), &a, &lambda, &mut outputs);
    outputs[0]
}

/// Asserts that an output follows a function of time.
fn assert_follows(recording: &Recording, output: &str, expected: impl Fn(f64) -> f64, label: &str) {
    for (t, found) in recording.times().iter().zip(recording.output(output).expect("it is there")) {
        let expected = expected(*t);
        assert!((found - expected).abs() < 1e-6, "{label}: {output} at {t} s is {found}, not {expected}");
    }
}

/// A prescribed coordinate of another body has no effect. Next to bodies in natural coordinates the engine once lost revolutions.
#[test]
fn angles_count_revolutions_next_to_prescribed_bodies() {
    let planar = "planar Beside {
        body spinner { mass: 1, inertia: 0.1 }
        body table { mass: 1, inertia: 1, position: [2, 0] }
        joint pin = revolute(ground, spinner);
        joint axle = revolute(ground at [2, 0], table);
        prescribe turn = axle.angle == 0.3 * t;
        initial pin.rate = 7;
        output angle = pin.angle;
    }";
    // Without loads the body moves on a circle.
    let spatial = "spatial Beside {
        body ball { mass: 1, inertia: [0.2, 0.3, 0.25] }
        body table { mass: 1, inertia: [1, 1, 1] }
        joint orbit = orbital_fixed(ground, ball) { radius: 0.66 };
        joint axle = revolute(ground, table);
        prescribe turn = axle.angle == 0.3 * t;
        initial orbit.azimuth = 0, orbit.azimuth_rate = 7, orbit.elevation = 0;
        output angle = orbit.azimuth;
    }";
    for (text, body) in [(planar, "inertia: 0.1"), (spatial, "inertia: [0.2, 0.3, 0.25]")] {
        let check = |label: &str, engine: &Engine| assert_follows(&run(engine, 1.5), "angle", |t| 7.0 * t, label);
        every_formulation(text, check);
        let mixed = text.replace(body, &format!("{body}, coordinates: natural"));
        check("mixed", &Engine::text(&mixed).unwrap_or_else(|e| panic!("{e}")));
    }
}
