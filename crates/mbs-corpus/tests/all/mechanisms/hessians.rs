//! Second derivatives of rows: compiled code, the engine, differences of Gᵀ μ, and closed forms; which of them are constants.

use std::path::PathBuf;

use mbs::{Error, Mechanism};
use mbs_compiler::compile::Options;
use mbs_interp::Interpreted;
use mbs_model::{Formulation, Kernels};
use mbs_random::laws::hessians_are_derivatives_of_jacobians;
use mbs_random::state::{Random, assembled, scattered};

use crate::mechanisms::harness::{OwnedState, compiled_fma, engine, file, files, interpret_with, stem_of};
use crate::tiers::{by_tier, is_in_turn};

const KERNELS: Kernels = Kernels { forward: true, kinematics: true, hessians: true, ..Kernels::NONE };

fn with_hessians(name: &str, text: &str, formulation: Formulation) -> Interpreted {
    let options = Options { formulation: Some(formulation), kernels: Some(KERNELS), ..Options::default() };
    interpret_with(name, text, options, compiled_fma())
}

fn compiled_file(path: &PathBuf, formulation: Formulation) -> Interpreted {
    let text = std::fs::read_to_string(path).expect("it was just listed");
    with_hessians(&stem_of(path), &text, formulation)
}

fn compiled_corpus(name: &str, formulation: Formulation) -> Interpreted {
    compiled_file(&file(name), formulation)
}

fn check_all(formulation: Formulation) {
    let only = std::env::var("ONLY").ok();
    let mut report = String::new();
    for path in files() {
        let name = stem_of(&path);
        if !is_in_turn(&name, formulation as usize, 3) || only.as_ref().is_some_and(|only| *only != name) {
            continue;
        }
        let interpreted = compiled_file(&path, formulation);
        let start = assembled(&interpreted).unwrap_or_else(|error| panic!("{name} does not assemble: {error}"));
        let states = scattered(&interpreted, &start, by_tier(1, 3), &mut Random::new(11));
        let engine = engine(&name, formulation);
        if let Err(violation) = hessians_are_derivatives_of_jacobians(&interpreted, &engine, &states) {
            let message: String = violation.to_string().chars().take(400).collect();
            report.push_str(&format!("{name}: {message}\n"));
        }
    }
    assert!(report.is_empty(), "{report}");
}

#[test]
fn derivatives_in_body_coordinates_are_those_of_the_engine_and_of_differences() {
    check_all(Formulation::Body);
}

#[test]
fn derivatives_in_joint_coordinates_are_those_of_the_engine_and_of_differences() {
    check_all(Formulation::Joint);
}

#[test]
fn derivatives_in_natural_coordinates_are_those_of_the_engine_and_of_differences() {
    check_all(Formulation::Natural);
}

/// Bars of Andrews' mechanism and of the four-bar share points: every row is a distance, and its second derivatives are constants that need no
/// operations at run time.
#[test]
fn natural_coordinates_leave_nothing_to_compute() {
    for name in ["four_bar", "andrews"] {
        let interpreted = compiled_corpus(name, Formulation::Natural);
        let compiled = interpreted.compiled();
        assert!(!compiled.hessians.is_empty());
        for entry in &compiled.hessians {
            assert!(entry.fixed && entry.value.is_some_and(|x| x.abs() == 2.0), "{name}: {entry:?}");
        }
        assert!((0..interpreted.sizes().n_c).all(|r| compiled.is_quadratic(r)));
        let counts = compiled.function("hessians").expect("it is requested").counts;
        assert_eq!((counts.operations, counts.calls), (0, 0), "{name}");
    }
}

/// |r₂ − r₁|² = l² of a bar has second derivatives ±2; r·r/(2 l) = l/2 of a declared distance has ±1/l, constants if l is one, otherwise functions
/// of parameters.
#[test]
fn distances_have_second_derivatives_that_do_not_depend_on_the_state() {
    let text = |length: &str| {
        format!(
            "pub planar Dumbbell {{
                param l = 0.8;
                particle first {{ mass: 1, position: [0.1, 0.2] }}
                particle second {{ mass: 2, position: [0.9, 0.2] }}
                joint rod = distance(first, second) {{ length: {length} }};
            }}"
        )
    };
    let bar = "pub planar Bar { body bar { mass: 1, inertia: 0.1, com: [0.3, 0], coordinates: natural { points: [[0, 0], [0.8, 0]] } } joint air = free(ground, bar); }";
    let cases = [
        ("bar", bar.to_owned(), Formulation::Natural, 2.0, [true, true]),
        ("given", text("0.8"), Formulation::Body, 1.0 / 0.8, [true, true]),
        ("tunable", text("l"), Formulation::Body, 1.0 / 0.8, [false, true]),
    ];
    for (name, text, formulation, expected, [known, fixed]) in cases {
        let interpreted = with_hessians(name, &text, formulation);
        let hessians = &interpreted.compiled().hessians;
        let zeros = [0.0; 4];
        let at = OwnedState { t: 0.0, q: vec![0.3, -0.2, 0.5, 0.9], v: zeros.to_vec(), z: Vec::new(), u: Vec::new() };
        let mut hessian = [0.0; 16];
        interpreted.constraint_hessian(at.view(), &[1.0], &mut hessian).expect("it is requested");
        let sign = |k: usize| {
            [1.0, -1.0, 0.0][if k / 4 == k % 4 {
                0
            } else if k / 4 % 2 == k % 2 {
                1
            } else {
                2
            }]
        };
        for (k, found) in hessian.into_iter().enumerate() {
            assert!((found - expected * sign(k)).abs() <= 1e-15, "{name}: entry {k} is {found}");
        }
        assert_eq!(hessians.len(), 8, "{name}");
        assert!(hessians.iter().all(|e| e.fixed == fixed && e.value.is_some() == known), "{name}: {hessians:?}");
    }
}

/// A parameter in a Hessian is computed when it is set.
#[test]
fn second_derivatives_follow_parameters() {
    let mut interpreted = compiled_corpus("moving_wall", Formulation::Body);
    let at = assembled(&interpreted).expect("it assembles");
    let fixed: Vec<usize> = (0..interpreted.compiled().hessians.len())
        .filter(|k| {
            let entry = interpreted.compiled().hessians[*k];
            entry.fixed && entry.value.is_none()
        })
        .collect();
    assert!(!fixed.is_empty());
    let before = interpreted.hessians(at.view());
    let doubled: Vec<f64> = interpreted.parameters().iter().map(|p| 2.0 * p).collect();
    interpreted.set_parameters(&doubled).expect("they are inside their domains");
    let after = interpreted.hessians(at.view());
    assert!(fixed.iter().all(|k| before[*k] != after[*k]), "{before:?}, {after:?}");
}

#[test]
fn second_derivatives_that_are_not_requested_are_an_error() {
    let interpreted = crate::mechanisms::harness::corpus("four_bar", Formulation::Body, compiled_fma());
    let at = assembled(interpreted).expect("it assembles");
    let n = interpreted.sizes().n_v;
    let error = interpreted.constraint_hessian(at.view(), &[0.0; 8], &mut vec![0.0; n * n]);
    assert!(matches!(error, Err(Error::MissingKernel { kernel: "hessians" })), "{error:?}");
    assert!(interpreted.compiled().hessians.is_empty());
}
