//! Spatial torsion springs count revolutions: their motion is that in the plane, by compiler and engine, in every formulation.

use mbs_codegen::compile_text;
use mbs_compiler::compile::Options;
use mbs_compiler::interp::Fma;
use mbs_core::{DormandPrince, Mechanism, State, StateView, Stepper, assemble};
use mbs_engine::Engine;
use mbs_interp::Interpreted;
use mbs_model::Formulation;

use crate::tier::by_tier;

const SECONDS: f64 = 6.0;

/// Angle, rate and energy at the times of a run.
fn run<M: Mechanism>(label: &str, mechanism: &M) -> Vec<[f64; 3]> {
    let mut state = State::new(mechanism);
    assemble(mechanism, &mut state).unwrap_or_else(|error| panic!("{label}: {error}"));
    let mut integrator = DormandPrince::new(mechanism).with_tolerances(1e-10, 1e-10);
    let sizes = mechanism.sizes();
    let report = |state: &State<M>| {
        let mut outputs = vec![0.0; sizes.n_outputs];
        let at = StateView::new(state.t, state.q.as_ref(), state.v.as_ref());
        mechanism.outputs(at, &vec![0.0; sizes.n_v], &vec![0.0; sizes.n_c], &mut outputs);
        outputs.try_into().unwrap_or_else(|_| panic!("{label}: three outputs"))
    };
    let mut rows = vec![report(&state)];
    for k in 1..=24 {
        integrator
            .advance_to(mechanism, &mut state, SECONDS * f64::from(k) / 24.0, &mut |_: StateView, _: &mut [f64]| {})
            .unwrap_or_else(|error| panic!("{label}: {error}"));
        rows.push(report(&state));
    }
    rows
}

/// Calls `check` with the results of every side of a mechanism.
fn sides(text: &str, mut check: impl FnMut(&str, Vec<[f64; 3]>)) {
    for formulation in [Formulation::Joint, Formulation::Body, Formulation::Natural] {
        let label = format!("{formulation:?} coordinates of {text}");
        let options = Options { formulation: Some(formulation), ..Options::default() };
        let mut all = compile_text("torsion.mbs", text, options).unwrap_or_else(|failure| panic!("{label}: {failure}"));
        let compiled = Interpreted::new(all.remove(0).0, Fma::Plain).expect("defaults are inside their domains");
        check(&format!("compiled, {label}"), run(&label, &compiled));
        let engine = Engine::options().formulation(formulation).text(text);
        let engine = engine.unwrap_or_else(|failure| panic!("{label}: {failure}"));
        check(&format!("engine, {label}"), run(&label, &engine));
    }
}

/// θ = (ω₀/ω) sin ω t and its rate, of inertia one, and the energy ½ ω₀².
fn closed_form(stiffness: f64, rate: f64, t: f64) -> [f64; 3] {
    let omega = stiffness.sqrt();
    [rate / omega * (omega * t).sin(), rate * (omega * t).cos(), 0.5 * rate * rate]
}

#[track_caller]
fn check_swing(stiffness: f64, rate: f64, text: &str) {
    let size = rate / stiffness.sqrt();
    sides(text, |label, rows| {
        for (k, row) in rows.iter().enumerate() {
            let expected = closed_form(stiffness, rate, SECONDS * k as f64 / 24.0);
            // Tolerances of 1e-10 per step, some hundred steps: relative to the largest of each.
            for (found, (expected, size)) in row.iter().zip(expected.iter().zip([size, rate, 0.5 * rate * rate])) {
                assert!((found - expected).abs() < 1e-7 * size, "{label}\nat row {k}: {row:?}, not {expected:?}");
            }
        }
    });
}

const OUTPUTS: &str = "output rate = angular_velocity(flap).z; output energy = kinetic_energy + potential_energy;";

/// A spring in the plane and in space with an initial angle of 4 rad, more than half a revolution.
#[test]
fn a_spring_in_space_moves_as_in_the_plane() {
    let text = |space: &str, inertia: &str| {
        format!(
            "{space} Flap {{ body flap {{ mass: 1, inertia: {inertia} }}
            joint hinge = revolute(ground, flap);
            force spring = torsion_spring(ground, flap) {{ stiffness: 1 }};
            initial hinge.angle = 0, hinge.rate = 4;
            output angle = hinge.angle; output rate = hinge.rate; output energy = kinetic_energy + potential_energy; }}"
        )
    };
    check_swing(1.0, 4.0, &text("planar", "1"));
    check_swing(1.0, 4.0, &text("spatial", "[1, 1, 1]"));
}

/// Spatial bodies on a spring with every measurement of the angle: a joint about the spring's axis, with either end first and either sense, in
/// the tree or cut, or only the ends of the spring.
fn wound() -> [String; 9] {
    let free = "joint base = free(ground, flap); initial base.u[2] = 40;";
    let hinge = |arguments: &str| {
        format!("joint hinge = revolute(ground, flap) {{ {arguments} }}; initial rate(dot(flap.x, ground.y)) = 40;")
    };
    let turned = "marker a = ground { rotation: axis_angle([0, 1, 0], PI / 2) }; marker b = flap { rotation: axis_angle([0, 1, 0], PI / 2) };";
    let spring = |ends: &str, arguments: &str| {
        format!("force spring = torsion_spring({ends}) {{ stiffness: 0.1, {arguments} }};")
    };
    [
        hinge("") + &spring("ground, flap", ""),
        hinge("") + &spring("flap, ground", ""),
        hinge("axis: [0, 0, -1]") + &spring("ground, flap", ""),
        hinge("cut: true") + &spring("ground, flap at [0.1, 0.2, 0.3]", ""),
        hinge("") + turned + &spring("a, b", "axis: [-1, 0, 0]"),
        hinge("cut: true") + turned + &spring("b, a", "axis: [1, 0, 0]"),
        free.to_string() + &spring("ground, flap", ""),
        "joint tube = cylindrical(ground, flap); initial tube.rate = 40;".to_string() + &spring("ground, flap", ""),
        "joint table = planar(flap, ground); initial table.rate = -40;".to_string() + &spring("ground, flap", ""),
    ]
}

/// Twenty revolutions in each direction.
#[test]
fn springs_in_space_are_wound_by_twenty_revolutions() {
    let texts = wound();
    for items in &texts[..by_tier(1, texts.len())] {
        // The potential depends on the angle, which is positive in the first quarter of the period.
        let text = format!(
            "spatial Flap {{ body flap {{ mass: 1, inertia: [1, 1, 1] }} {items}
            output angle = sqrt(abs(2 * potential_energy / 0.1)); {OUTPUTS} }}"
        );
        check_swing(0.1, 40.0, &text);
    }
}
