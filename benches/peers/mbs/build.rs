//! Compiles the mechanisms that are compared. All numbers are constants, as in the code of the peers.

use std::path::Path;
use std::{env, fs};

use mbs_compiler::compile::Options;
use mbs_model::{Formulation, Kernels};

/// Mechanisms with loops: the file, and the coordinates in which they are compared.
const LINKAGES: [(&str, &[Formulation]); 9] = [
    ("double_pendulum", &ALL),
    ("slider_crank", &ALL),
    ("four_bar", &ALL),
    ("four_bars10", &ALL),
    ("four_bars40", &ALL),
    ("andrews", &ALL),
    ("bricard", &[Formulation::Joint]),
    ("stewart", &[Formulation::Joint]),
    ("stewart_crosses", &[Formulation::Joint]),
];

const ALL: [Formulation; 3] = [Formulation::Joint, Formulation::Body, Formulation::Natural];

/// Robots: the file of `mechanisms/robots/` or of `benches/peers/mechanisms/`.
const ROBOTS: [&str; 5] = ["robot_arm7", "quadruped18", "humanoid38", "chain16", "chain64"];

fn main() {
    println!("cargo:rerun-if-env-changed=PEERS_ONLY");
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-changed=../../../mechanisms");
    println!("cargo:rerun-if-changed=../mechanisms");
    let mut modules = String::new();
    let mut cases = String::new();
    for (stem, formulations) in LINKAGES.into_iter().filter(|(stem, _)| is_wanted(stem)) {
        let (path, text) = linkage(stem);
        for formulation in formulations {
            let options = Options { formulation: Some(*formulation), ..Options::default() };
            let suffix = format!("{formulation:?}").to_lowercase();
            let name = write(&mut modules, &format!("{stem}_{suffix}"), &path, &text, options);
            cases.push_str(&format!(
                "linkage(\"{stem} {suffix}\", {stem}_{suffix}::{name}::new(Default::default())),\n"
            ));
            cases.push_str(&engine(&format!("{stem} engine {suffix}"), &path, &text, *formulation));
        }
    }
    for stem in ROBOTS.into_iter().filter(|stem| is_wanted(stem)) {
        let (path, text) = robot(stem);
        // Derivatives of the long chain have 8,192 entries.
        let jacobians = stem != "chain64";
        let kernels = Kernels { forward: true, operators: true, jacobians, ..Kernels::NONE };
        let options = Options { formulation: Some(Formulation::Joint), kernels: Some(kernels), ..Options::default() };
        let name = write(&mut modules, stem, &path, &text, options);
        let derivatives = if jacobians { "with_derivatives" } else { "without_derivatives" };
        cases.push_str(&format!("robot!({stem}, {name}, {derivatives}),\n"));
        cases.push_str(&engine(&format!("{stem} engine"), &path, &text, Formulation::Joint));
    }
    let text = format!("{modules}\nfn all_cases() -> Vec<Box<dyn Case>> {{ vec![{cases}] }}\n");
    let target = Path::new(&env::var("OUT_DIR").expect("cargo sets it")).join("cases.rs");
    fs::write(target, text).expect("OUT_DIR is writable");
}

/// The case of the engine that evaluates a text.
fn engine(case: &str, path: &str, text: &str, formulation: Formulation) -> String {
    let folder = Path::new(&env::var("CARGO_MANIFEST_DIR").expect("cargo sets it")).join(path);
    let folder = folder.parent().expect("it is a file").to_owned();
    format!("linkage({case:?}, engine({text:?}, {folder:?}, Formulation::{formulation:?})),\n")
}

/// Whether `compare.py --only` names a mechanism, or nothing.
fn is_wanted(stem: &str) -> bool {
    let only = env::var("PEERS_ONLY").unwrap_or_default();
    only.is_empty() || only.split(',').any(|name| name == stem || stem == format!("{name}_crosses"))
}

/// Path and text of a linkage with constant data.
fn linkage(stem: &str) -> (String, String) {
    let mechanisms = "../../../mechanisms";
    if let Some(n) = stem.strip_prefix("four_bars") {
        let path = format!("{mechanisms}/n_four_bar_2.mbs");
        let text = read(&path).replace("const N = 2;", &format!("const N = {n};"));
        return (path, constant(&text.replace("NFourBar2", &format!("FourBars{n}"))));
    }
    let own = format!("../mechanisms/{stem}.mbs");
    let path = if Path::new(&own).exists() { own } else { format!("{mechanisms}/{stem}.mbs") };
    let text = constant(&read(&path));
    (path, text)
}

/// Path and text of a robot with constant data.
fn robot(stem: &str) -> (String, String) {
    let own = format!("../mechanisms/{stem}.mbs");
    let path = if Path::new(&own).exists() { own } else { format!("../../../mechanisms/robots/{stem}.mbs") };
    let text = constant(&read(&path));
    (path, text)
}

fn read(path: &str) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// The text with constants in place of parameters.
fn constant(text: &str) -> String {
    text.replace("param ", "const ")
}

/// Compiles a text into a module of its own; returns the name of its type.
fn write(modules: &mut String, module: &str, path: &str, text: &str, options: Options) -> String {
    let compiled = mbs_codegen::compile_text(path, text, options).unwrap_or_else(|failure| panic!("{failure}"));
    let name = compiled[0].0.model.header.name.clone();
    let rust = mbs_codegen::format_rust(&compiled);
    modules.push_str(&format!("#[allow(unused_imports, missing_docs)]\nmod {module} {{\n{rust}\n}}\n"));
    name
}
