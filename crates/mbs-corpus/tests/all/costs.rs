//! Operation counts of every kernel of every mechanism, so that reviews show changes.
//!
//! Counts follow `mbs_compiler::program::Counts`: adds, products, quotients and square roots that depend on the state; sines, other calls, negations
//! and pivot checks apart. A landing counts those of mechanisms that tests interpret. `MBS_TESTS=all UPDATE_EXPECT=1 cargo test -p mbs-corpus --test
//! all costs` counts all and writes the golden file anew; commit it with the change that moved it.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use mbs_codegen::compile_text;
use mbs_compiler::compile::{Compiled, Options};
use mbs_compiler::program::Operand;
use mbs_model::{Formulation, Kernels};

use crate::tiers::{MOST_INTERPRETED, all_files, files_up_to, is_full_tier, stem_of};

fn compile(path: &Path, formulation: Formulation) -> Compiled {
    let text = std::fs::read_to_string(path).expect("the file is readable");
    let options = Options { formulation: Some(formulation), ..Options::default() };
    let compiled = compile_text(&path.display().to_string(), &text, options);
    compiled.unwrap_or_else(|e| panic!("{e}")).remove(0).0
}

/// Operations of a kernel of a mechanism.
fn operations(name: &str, kernel: &str, formulation: Formulation) -> usize {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../mechanisms").join(name);
    let compiled = compile(&path, formulation);
    compiled.function(kernel).expect("it is declared or always emitted").counts.operations
}

#[test]
fn costs_are_as_recorded() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR"));
    let all = all_files(corpus);
    let counted = if is_full_tier() { all.clone() } else { files_up_to(corpus, MOST_INTERPRETED) };
    let of_files = |files: &[PathBuf]| {
        let mut table = String::new();
        files.iter().for_each(|path| write_costs_of_file(&mut table, path));
        table
    };
    let (first, second) = counted.split_at(counted.len() / 2);
    let mut table = std::thread::scope(|scope| {
        let second = scope.spawn(|| of_files(second));
        of_files(first) + &second.join().expect("it does not panic")
    });
    for name in ["robot_arm7", "quadruped18"] {
        let _ = writeln!(table, "robots/{name} (joint)");
        write_costs(&mut table, &robot(name), |kernel| ROBOT_KERNELS.contains(&kernel));
    }
    for (name, text) in CHAINS {
        let _ = writeln!(table, "{name} (joint)");
        write_costs(&mut table, &chain(text), |kernel| ROBOT_KERNELS.contains(&kernel));
    }
    let golden = expect_test::expect_file!["golden/costs.txt"];
    if is_full_tier() {
        return golden.assert_eq(&table);
    }
    let is_left_out = |title: &str| all.iter().any(|path| !counted.contains(path) && is_of(title, &stem_of(path)));
    assert_eq!(table, without_sections(&golden.data(), is_left_out));
}

/// Whether a section of the table, `stem (formulation)`, is that of a mechanism.
fn is_of(title: &str, stem: &str) -> bool {
    title.strip_prefix(stem).is_some_and(|rest| rest.starts_with(" ("))
}

/// The sections of a table whose titles do not satisfy a condition.
fn without_sections(table: &str, is_left_out: impl Fn(&str) -> bool) -> String {
    let mut is_kept = true;
    let lines = table.lines().filter(|line| {
        if !line.starts_with(' ') {
            is_kept = !is_left_out(line);
        }
        is_kept
    });
    lines.map(|line| format!("{line}\n")).collect()
}

fn write_costs_of_file(table: &mut String, path: &Path) {
    let formulations = [("body", Formulation::Body), ("joint", Formulation::Joint), ("natural", Formulation::Natural)];
    for (name, formulation) in formulations {
        let compiled = compile(path, formulation);
        let stem = stem_of(path);
        let _ = writeln!(table, "{stem} ({name})");
        write_costs(table, &compiled, |_| true);
    }
}

/// Kernels of robots with promised costs, and the kernels that they consist of.
const ROBOT_KERNELS: [&str; 9] = [
    "accelerations",
    "solve",
    "inverse_dynamics",
    "mass_matrix",
    "multiply_by_mass_matrix",
    "generalized_forces",
    "velocity_forces",
    "derivatives",
    "inverse_derivatives",
];

/// Sixteen links on hinges.
const CHAINS: [(&str, &str); 2] = [
    (
        "16 links in the plane",
        "pub planar Chain {
            kernels: [forward, operators];
            gravity: [0, -9.81];
            for i in 0..16 { body link[i] { mass: 1 + 0.1 * i, inertia: 0.1, com: [0.4, 0.02] } }
            joint foot = revolute(ground, link[0]);
            for i in 0..15 { joint pin[i] = revolute(link[i] at [0.9, 0], link[i + 1]); }
        }",
    ),
    (
        "16 links in space",
        "pub spatial Chain {
            kernels: [forward, operators];
            gravity: [0, 0, -9.81];
            for i in 0..16 { body link[i] { mass: 1 + 0.1 * i, inertia: [0.1, 0.2, 0.15], com: [0.02, 0.4, 0.1] } }
            joint foot = revolute(ground, link[0]) { axis: [0, 0, 1] };
            for i in 0..8 { joint x[i] = revolute(link[2 * i] at [0, 0.9, 0.1], link[2 * i + 1]) { axis: [1, 0, 0] }; }
            for i in 0..7 { joint z[i] = revolute(link[2 * i + 1] at [0, 0.9, 0.1], link[2 * i + 2]) { axis: [0, 0, 1] }; }
        }",
    ),
];

fn chain(text: &str) -> Compiled {
    let options = Options { formulation: Some(Formulation::Joint), ..Options::default() };
    compile_text("chain.mbs", text, options).unwrap_or_else(|e| panic!("{e}")).remove(0).0
}

/// Compares M x with the computation of M and a product with its entries. By recursion M x of a chain takes operations in proportion to its links.
#[test]
fn multiplying_by_the_mass_matrix_does_not_form_it() {
    let [plane, space] = CHAINS.map(|(_, text)| chain(text));
    for (compiled, factor) in [(plane, 2.5), (space, 2.5), (robot("robot_arm7"), 1.4), (robot("quadruped18"), 1.2)] {
        let function = |kernel: &str| compiled.function(kernel).expect("it is requested");
        let [product, formed] = ["multiply_by_mass_matrix", "mass_matrix"].map(function);
        let entries = &formed.outputs[0].values;
        let present = entries.iter().filter(|x| !matches!(x, Operand::Literal(0.0))).count();
        let otherwise = formed.counts.operations + 2 * present - entries.len().isqrt();
        let product = product.counts.operations;
        assert!(factor * product as f64 <= otherwise as f64, "{product} operations for M x, {otherwise} with M");
    }
}

fn write_costs(table: &mut String, compiled: &Compiled, is_listed: impl Fn(&str) -> bool) {
    for f in compiled.program.functions.iter().filter(|f| is_listed(&f.name)) {
        let c = &f.counts;
        if c.operations + c.sincos + c.calls > 0 {
            let _ = writeln!(
                table,
                "    {:22} {:>6} operations {:>3} sincos {:>3} calls, critical path {}",
                f.name, c.operations, c.sincos, c.calls, c.critical_path
            );
        }
    }
}

/// All data `param`, forces of the case: the reference's spring has no stiffness and no damping, so it is left out.
#[test]
fn the_four_bar_is_within_its_promised_cost() {
    assert!(operations("four_bar.mbs", "accelerations", Formulation::Joint) <= 120);
    assert!(operations("four_bar.mbs", "accelerations", Formulation::Body) <= 260);
}

#[test]
fn andrews_mechanism_is_within_its_promised_cost() {
    assert!(operations("andrews.mbs", "accelerations", Formulation::Joint) <= 420);
    assert!(operations("andrews.mbs", "accelerations", Formulation::Body) <= 790);
}

/// Accelerations, the motor's torque and the reactions of all joints in one function, with offset, gas and all data `param`.
#[test]
fn inverse_dynamics_of_the_slider_crank_is_within_its_promised_cost() {
    for formulation in [Formulation::Body, Formulation::Joint] {
        assert!(operations("slider_crank_offset.mbs", "inverse", formulation) <= 250);
    }
}

/// A robot with kernels of derivatives.
fn robot(name: &str) -> Compiled {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../mechanisms/robots").join(format!("{name}.mbs"));
    let text = std::fs::read_to_string(&path).expect("the file is readable");
    let kernels = Kernels { forward: true, operators: true, jacobians: true, ..Kernels::NONE };
    let options = Options { formulation: Some(Formulation::Joint), kernels: Some(kernels), ..Options::default() };
    let compiled = compile_text(&path.display().to_string(), &text, options);
    compiled.unwrap_or_else(|e| panic!("{e}")).remove(0).0
}

/// Operations of the kernels of a robot.
fn robot_costs(name: &str) -> impl Fn(&str) -> usize {
    let compiled = robot(name);
    move |kernel: &str| compiled.function(kernel).expect("it was requested").counts.operations
}

/// An arm with seven hinges, two of them skew: frames of links are chosen and inertias regrouped.
#[test]
fn the_arm_is_within_its_promised_cost() {
    let cost = robot_costs("robot_arm7");
    assert!(cost("accelerations") <= 1_550, "{}", cost("accelerations"));
    assert!(cost("inverse_dynamics") <= 740, "{}", cost("inverse_dynamics"));
    assert!(cost("mass_matrix") <= 580, "{}", cost("mass_matrix"));
    // Derivatives of a with respect to coordinates, speeds and torques, the latter being the columns of M⁻¹, and a itself.
    assert!(cost("derivatives") <= 5_800, "{}", cost("derivatives"));
}

/// Twelve hinges on a trunk with its velocity in body axes and a wrench on it.
#[test]
fn the_quadruped_is_within_its_promised_cost() {
    let cost = robot_costs("quadruped18");
    assert!(cost("accelerations") <= 3_000, "{}", cost("accelerations"));
    assert!(cost("inverse_dynamics") <= 1_300, "{}", cost("inverse_dynamics"));
}

/// Derivatives of ẋ of a free body with thrusters and a full inertia tensor with respect to its 13 states and 6 inputs; 221 operations account for
/// the length of the quaternion.
#[test]
fn the_jacobian_of_the_satellite_is_as_recorded() {
    for formulation in [Formulation::Body, Formulation::Joint] {
        assert_eq!(operations("satellite.mbs", "state_jacobian", formulation), 852);
    }
}
