//! A point mass has no inertia about its centre of mass: M is singular in (x, y, θ) there, and eliminating θ before its
//! neighbours would lose half of the digits. Equivalent declarations of a pendulum have equal accelerations.

use mbs::Describe;
use mbs_codegen::compile_text;
use mbs_compiler::compile::Options;
use mbs_compiler::interp::Fma;
use mbs_interp::Interpreted;
use mbs_model::Formulation;

use crate::reference::case::for_both_formulations;
use crate::reference::comparison::{Accuracy, Comparison};

const LENGTH: f64 = 0.8;
const ANGLE: f64 = 0.7;
const RATE: f64 = 1.3;
const G: f64 = 9.81;

/// Pendulums on the body frame or on a point of it, with ends in either order, also behind a weld on a
/// massless link.
const SPELLINGS: [(&str, &str); 6] = [
    ("centre of mass at an offset", "body bob { mass: 2.5, com: [0, -0.8] } joint pin = revolute(ground, bob);"),
    ("pin at an offset", "body bob { mass: 2.5 } joint pin = revolute(ground, bob at [0, 0.8]);"),
    ("both", "body bob { mass: 2.5, com: [0, -0.3] } joint pin = revolute(ground, bob at [0, 0.5]);"),
    ("ground last", "body bob { mass: 2.5, com: [0, -0.8] } joint pin = revolute(bob, ground);"),
    ("cut", "body bob { mass: 2.5, com: [0, -0.8] } joint pin = revolute(ground, bob) { cut: true };"),
    (
        "massless upper half",
        "body upper {} body bob { mass: 2.5, com: [0, -0.4] } joint pin = revolute(ground, upper);
         joint weld = fixed(upper at [0, -0.4], bob);",
    ),
];

#[test]
fn every_spelling_of_a_point_mass_pendulum_accelerates_alike() {
    for (name, items) in SPELLINGS {
        let text = format!(
            "planar Pendulum {{ gravity: [0, -9.81]; {items}
                initial angle(bob) = {ANGLE}, rate(bob) = {RATE}; freedoms: 1; output a = acceleration(bob at com); }}"
        );
        check(name, &text);
    }
    let string = "planar Pendulum {
        gravity: [0, -9.81];
        particle bob { mass: 2.5, position: [0.5, -0.6], velocity: [0.8, 0.6] }
        joint string = distance(ground, bob) { length: 0.8 };
        initial position(bob).x = 0.8 * sin(0.7), velocity(bob).x = 0.8 * 1.3 * cos(0.7);
        output a = acceleration(bob);
    }";
    check("particle on a string", string);
}

fn check(name: &str, text: &str) {
    for formulation in [Formulation::Body, Formulation::Joint] {
        let mut compiled =
            compile_text("point_mass.mbs", text, Options { formulation: Some(formulation), ..Options::default() })
                .unwrap_or_else(|e| panic!("{name}\n{e}"));
        let mechanism = Interpreted::new(compiled.remove(0).0, Fma::Plain).expect("no parameters");
        let title = format!("point mass pendulum, {name}");
        let mut comparison = Comparison::new(&title, &format!("{formulation:?}"), &mechanism, &[0.0]);
        // p = ℓ (sin φ, −cos φ), φ̈ = −g sin φ / ℓ.
        let (sin, cos) = ANGLE.sin_cos();
        let alpha = -G * sin / LENGTH;
        let [x, y] = [LENGTH * (alpha * cos - RATE * RATE * sin), LENGTH * (alpha * sin + RATE * RATE * cos)];
        comparison.compare("acceleration", Accuracy::Relative(0.0), &[x], |at| at.output("a.x"));
        comparison.compare("acceleration", Accuracy::Relative(0.0), &[y], |at| at.output("a.y"));
        comparison.finish();
    }
}

#[test]
fn point_mass_pendulum_starts_with_g_over_l() {
    for_both_formulations!(simple_pendulum { length: LENGTH, mass: 2.5, g: G } => released_level());
}

fn released_level<M: Describe>(coordinates: &str, mechanism: &M) {
    let mut comparison = Comparison::new("point mass pendulum, released level", coordinates, mechanism, &[0.0]);
    // φ = −90°: φ̈ = −g sin φ / ℓ.
    comparison.compare("acceleration", Accuracy::Relative(0.0), &[G / LENGTH], |at| at.output("acceleration"));
    comparison.finish();
}
