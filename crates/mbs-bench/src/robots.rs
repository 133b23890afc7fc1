//! Robots of `mechanisms/robots/` in joint coordinates: dynamics and their derivatives, compiled and by the engine's recursions.

mod kernels;
mod recursions;

use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::{array, fs};

use mbs::Mechanism;
use mbs_compiler::compile::Options;
use mbs_compiler::program::Counts;
use mbs_engine::Engine;
use mbs_model::Formulation;

use crate::candidate::{Candidate, Method, Start};
use crate::{generated, satellite};
use recursions::{Recursions, Work};

/// A kernel of a mechanism, and all methods for its results.
pub struct Task {
    /// Stem of the mechanism's file.
    pub mechanism: &'static str,
    /// Name of the kernel in the generated code.
    pub kernel: &'static str,
    /// All methods at the same state: the generated code first.
    pub candidates: Vec<Candidate>,
}

impl Task {
    /// Name, such as `robot_arm7/derivatives`.
    pub fn name(&self) -> String {
        format!("{}/{}", self.mechanism, self.kernel)
    }
}

/// Kernels of the robots and the Jacobian of the satellite, of the mechanisms that are `wanted`. The quadruped is compiled in release builds and
/// with `MBS_TESTS=all` alone.
///
/// Generated code is called as applications call it, with results by value and existing stages: `inverse_dynamics` and `mass_matrix` depend
/// on nothing that a stage has computed.
///
/// # Panics
/// If generated code and recursions disagree.
pub fn tasks(wanted: &dyn Fn(&str) -> bool) -> Vec<Task> {
    // For `robot_arm7, RobotArm7`: tasks of `generated::RobotArm7`. It and its stages live as long as the process.
    macro_rules! tasks {
        ($module:ident, $type:ident) => {{
            use generated::$module::{Inputs, NQ, NU, NV};
            let (mechanism, new) = (stringify!($module), || generated::$type::new(Default::default()));
            let (engine, start) = engine_at(mechanism);
            let robot = leak(new().expect("defaults are valid"));
            let q: &'static [f64; NQ] = leak(array(&start.q));
            let [v, a]: [&'static [f64; NV]; 2] = [leak(array(&start.v)), leak(array(&waves(NV, ACCELERATION)))];
            let u = leak(Inputs::from_array(&array::<NU>(&start.u)));
            let position = leak(robot.at_position(0.0, q));
            let velocity = leak(position.at_velocity(v));

            let mut recursions = Recursions::new(engine.clone(), &start, a);
            let (by_engine, accelerations) = Candidate::from_mechanism(Method::Engine, engine, &start);
            let (in_place, found) =
                Candidate::from_mechanism(Method::Generated, new().expect("defaults are valid"), &start);
            assert_near(&found, &accelerations, 1e-9);
            assert_near(&velocity.inverse_dynamics(a, u, &[]), recursions.values(Work::Inverse), 1e-9);
            assert_near(position.mass_matrix().as_flattened(), recursions.mass_matrix(), 1e-9);
            let derivatives = robot.derivatives(0.0, q, v, u, &[]).expect("M is regular");
            let derivatives =
                columns(&derivatives.a_q).chain(columns(&derivatives.a_v)).chain(columns(&derivatives.a_u));
            assert_near(&derivatives.collect::<Vec<f64>>(), &recursions.derivatives(Work::Accelerations), 1e-4);
            let derivatives = robot.inverse_derivatives(0.0, q, v, a, &[], u, &[]);
            let derivatives =
                columns(&derivatives.tau_q).chain(columns(&derivatives.tau_v)).chain(columns(&derivatives.tau_u));
            assert_near(&derivatives.collect::<Vec<f64>>(), &recursions.derivatives(Work::Inverse), 1e-4);

            let task = |kernel, found, expected| Task { mechanism, kernel, candidates: vec![found, expected] };
            let [newton_euler, composite, derivatives, inverse_derivatives] = recursions.candidates();
            vec![
                task("accelerations", in_place, by_engine),
                task(
                    "inverse_dynamics",
                    by_generated_code(move || black_box(velocity).inverse_dynamics(a, u, &[])),
                    newton_euler,
                ),
                task("mass_matrix", by_generated_code(move || black_box(position).mass_matrix()), composite),
                task(
                    "derivatives",
                    by_generated_code(move || robot.derivatives(0.0, black_box(q), v, u, &[])),
                    derivatives,
                ),
                task(
                    "inverse_derivatives",
                    by_generated_code(move || robot.inverse_derivatives(0.0, black_box(q), v, a, &[], u, &[])),
                    inverse_derivatives,
                ),
            ]
        }};
    }
    let mut all = Vec::new();
    if wanted("robot_arm7") {
        all.extend(tasks!(robot_arm7, RobotArm7));
    }
    #[cfg(largest)]
    if wanted("quadruped18") {
        all.extend(tasks!(quadruped18, Quadruped18));
    }
    if wanted("satellite") {
        let (mechanism, kernel, candidates) = ("satellite", "state_jacobian", satellite::candidates());
        all.push(Task { mechanism, kernel, candidates });
    }
    all
}

/// Operation counts of a kernel of [`tasks`].
pub fn counts(mechanism: &str, kernel: &str) -> Counts {
    let (path, options) = file(mechanism);
    let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let compiled = mbs_codegen::compile_text(&path.display().to_string(), &text, options);
    let (compiled, _) = compiled.unwrap_or_else(|failure| panic!("{failure}")).remove(0);
    compiled.function(kernel).expect("it was asked for").counts
}

fn file(mechanism: &str) -> (PathBuf, Options) {
    let found = kernels::timed().into_iter().find(|(file, _)| Path::new(file).file_stem() == Some(mechanism.as_ref()));
    let (file, options) = found.unwrap_or_else(|| panic!("no mechanism `{mechanism}`"));
    (Path::new(env!("CARGO_MANIFEST_DIR")).join("../../mechanisms").join(file), options)
}

// Phases of `waves`.
const ACCELERATION: f64 = 0.7;
const SPEED: f64 = 1.9;
const INPUT: f64 = 2.6;

/// The engine of a robot, and the declared pose with nonzero speeds and inputs, so that no term vanishes.
fn engine_at(mechanism: &str) -> (Engine, Start) {
    let engine = Engine::options().formulation(Formulation::Joint).file(file(mechanism).0);
    let engine = engine.unwrap_or_else(|failure| panic!("{mechanism}: {failure}"));
    let (sizes, mut start) = (engine.sizes(), Start::from_engine(&engine));
    (start.v, start.u) = (waves(sizes.n_v, SPEED), waves(sizes.n_u, INPUT));
    (engine, start)
}

/// A candidate that calls generated code with results by value.
fn by_generated_code<R>(mut call: impl FnMut() -> R + 'static) -> Candidate {
    Candidate::new(Method::Generated, move || {
        black_box(call());
    })
}

/// A list of `count` numbers between −1 and 1.
fn waves(count: usize, phase: f64) -> Vec<f64> {
    (0..count).map(|i| (phase + i as f64).sin()).collect()
}

fn leak<T>(value: T) -> &'static T {
    Box::leak(Box::new(value))
}

fn array<const N: usize>(values: &[f64]) -> [f64; N] {
    array::from_fn(|i| values[i])
}

/// Columns of a matrix, one after the other.
fn columns<const N: usize>(matrix: &[[f64; N]]) -> impl Iterator<Item = f64> {
    (0..N).flat_map(|j| matrix.iter().map(move |row| row[j]))
}

/// Asserts that values agree with others, within a fraction of the largest.
fn assert_near(found: &[f64], expected: &[f64], tolerance: f64) {
    assert_eq!(found.len(), expected.len());
    let largest = expected.iter().fold(1.0_f64, |largest, x| largest.max(x.abs()));
    for (i, (found, expected)) in found.iter().zip(expected).enumerate() {
        assert!((found - expected).abs() <= tolerance * largest, "value {i}: {found}, not {expected}");
    }
}
