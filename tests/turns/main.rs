//! Angles count turns and quaternions keep their sign in a run, in every formulation, compiled and in the engine.
//!
//! Closed forms: what turns freely about a fixed axis has the angle ω t and the quaternion (cos ½ω t, sin ½ω t n). Tolerance 1e-6: the integrator's
//! over 3 s, where a lost turn is 2π and a lost sign is 2.

mod plane;
mod space;

use mbs::{Engine, Mechanism, Recording, Simulation};

/// A text in one formulation, in the engine.
fn engine(text: &str, coordinates: &str) -> Engine {
    let text = text.replacen('{', &format!("{{ coordinates: {coordinates};"), 1);
    Engine::options().text(&text).unwrap_or_else(|e| panic!("{e}\n{text}"))
}

/// Runs of a text in every formulation.
fn every_formulation(text: &str, mut check: impl FnMut(&str, &Engine)) {
    for coordinates in ["joint", "body", "natural"] {
        check(coordinates, &engine(text, coordinates));
    }
}

fn run(mechanism: &impl Mechanism, duration: f64) -> Recording {
    Simulation::new(mechanism).duration(duration).every(0.05).run().expect("it runs")
}

/// Asserts that an output follows a function of time.
fn assert_follows(recording: &Recording, output: &str, expected: impl Fn(f64) -> f64, who: &str) {
    for (t, found) in recording.times().iter().zip(recording.output(output).expect("it is there")) {
        let expected = expected(*t);
        assert!((found - expected).abs() < 1e-6, "{who}: {output} at {t} s is {found}, not {expected}");
    }
}
