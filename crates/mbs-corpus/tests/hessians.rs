//! Second derivatives of rows: compiled, the engine's, differences of Gᵀ μ, and closed forms; which of them are data.

mod harness;

use std::path::PathBuf;

use harness::{At, compiled_fma, engine, files, interpret_with, stem};
use mbs::{Error, Item, Mechanism};
use mbs_codegen::Interpreted;
use mbs_codegen::compile::Options;
use mbs_model::{Formulation, Kernels};
use mbs_random::laws::hessians_are_slopes_of_jacobians;
use mbs_random::state::{Random, assembled, scattered};

const KERNELS: Kernels = Kernels { forward: true, kinematics: true, hessians: true, ..Kernels::NONE };

fn with_hessians(name: &str, text: &str, formulation: Formulation) -> Interpreted {
    let options = Options { formulation: Some(formulation), kernels: Some(KERNELS) };
    interpret_with(name, text, options, compiled_fma())
}

fn of_file(path: &PathBuf, formulation: Formulation) -> Interpreted {
    let text = std::fs::read_to_string(path).expect("it was just listed");
    with_hessians(&stem(path), &text, formulation)
}

fn of_corpus(name: &str, formulation: Formulation) -> Interpreted {
    of_file(&files().into_iter().find(|path| stem(path) == name).expect("it is one of them"), formulation)
}

fn check_all(formulation: Formulation) {
    let only = std::env::var("ONLY").ok();
    let mut report = String::new();
    for path in files() {
        let name = stem(&path);
        if only.as_ref().is_some_and(|only| *only != name) {
            continue;
        }
        let interpreted = of_file(&path, formulation);
        let start = assembled(&interpreted).unwrap_or_else(|error| panic!("{name} does not assemble: {error}"));
        let states = scattered(&interpreted, &start, 3, &mut Random::new(11));
        let engine = engine(&name, formulation);
        if let Err(violation) = hessians_are_slopes_of_jacobians(&interpreted, &engine, &states) {
            let told: String = violation.to_string().chars().take(400).collect();
            report.push_str(&format!("{name}: {told}\n"));
        }
    }
    assert!(report.is_empty(), "{report}");
}

#[test]
fn slopes_in_body_coordinates_are_those_of_the_engine_and_of_differences() {
    check_all(Formulation::Body);
}

#[test]
fn slopes_in_joint_coordinates_are_those_of_the_engine_and_of_differences() {
    check_all(Formulation::Joint);
}

#[test]
fn slopes_in_natural_coordinates_are_those_of_the_engine_and_of_differences() {
    check_all(Formulation::Natural);
}
