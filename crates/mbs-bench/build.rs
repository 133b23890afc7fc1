//! Compiles N four-bars in both formulations and robots with their derivatives, and passes compiler version and flags to the library. Landings
//! compile no large ones, which take rustc longer than all of `mechanisms/` together: benchmarks (release builds) and `MBS_TESTS=all` do.

#[path = "src/family.rs"]
mod family;
#[path = "src/robots/kernels.rs"]
mod kernels;
#[path = "../../tests/tier.rs"]
mod tier;

use std::path::Path;
use std::process::Command;
use std::{env, fs};

use mbs_compiler::compile::Options;
use mbs_model::{Formulation, Kernels};

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-changed=src/family.rs");
    println!("cargo:rerun-if-changed=../../mechanisms/n_four_bar_2.mbs");
    println!("cargo:rerun-if-env-changed=MBS_TESTS");
    println!("cargo:rustc-check-cfg=cfg(largest)");
    let with_largest = tier::is_full_tier() || env::var("PROFILE").is_ok_and(|profile| profile == "release");
    if with_largest {
        println!("cargo:rustc-cfg=largest");
    }
    if env::var_os("CARGO_FEATURE_CORPUS").is_some() {
        write_family(with_largest);
    }
    write_robots(with_largest);
    write_momenta();
    println!("cargo:rustc-env=MBS_RUSTC={}", version());
    let flags = env::var("CARGO_ENCODED_RUSTFLAGS").expect("cargo sets it").replace('\x1f', " ");
    println!("cargo:rustc-env=MBS_RUSTFLAGS={flags}");
}

/// Writes a module of N four-bars and all mechanisms of the corpus.
fn write_family(with_largest: bool) {
    let sizes: &[usize] = if with_largest { &[1, 5, 10, 40] } else { &[1, 5] };
    let mut text = format!("/// Numbers of four-bars timed.\npub const SIZES: &[usize] = &{sizes:?};\n");
    for (name, formulation) in [("body", Formulation::Body), ("joint", Formulation::Joint)] {
        text.push_str(&format!("/// Every mechanism, and N four-bars, in `{name}` coordinates.\npub mod {name} {{\n"));
        text.push_str(&format!("    pub use mbs_corpus::{name}::*;\n"));
        sizes.iter().for_each(|n| text.push_str(&compiled(*n, formulation)));
        text.push_str("}\n");
    }
    text.push_str("/// Calls `$visitor!(name, module, type);` for every number of four-bars.\n");
    text.push_str("macro_rules! for_each_size { ($visitor:ident) => {\n");
    for n in sizes {
        text.push_str(&format!("    $visitor!(\"four_bars_{n}\", four_bars{n}, FourBars{n});\n"));
    }
    text.push_str("} }\n");
    let target = Path::new(&env::var("OUT_DIR").expect("cargo sets it")).join("family.rs");
    fs::write(target, text).expect("OUT_DIR is writable");
}

/// Tokens of N four-bars, unformatted, as they are not meant to be read.
fn compiled(n: usize, formulation: Formulation) -> String {
    let options = Options { formulation: Some(formulation), ..Options::default() };
    let tokens = mbs_codegen::tokens("n_four_bar_2.mbs", &family::four_bars(n), options);
    tokens.unwrap_or_else(|failure| panic!("{n} four-bars: {failure}")).to_string()
}

/// Writes the robots and the satellite with their timed kernels, in separate modules.
fn write_robots(with_largest: bool) {
    let mechanisms = Path::new("../../mechanisms");
    for file in ["urdf/robot_arm7.urdf", "urdf/robot_quadruped18.urdf", "../crates/mbs-bench/src/robots/kernels.rs"] {
        println!("cargo:rerun-if-changed={}", mechanisms.join(file).display());
    }
    let mut text = String::new();
    for (file, options) in kernels::timed().into_iter().filter(|(file, _)| with_largest || *file != kernels::LARGEST) {
        let path = mechanisms.join(file);
        println!("cargo:rerun-if-changed={}", path.display());
        let declared = fs::read_to_string(&path).expect("mechanisms/ lies beside the crates");
        let tokens = mbs_codegen::tokens(&path.display().to_string(), &declared, options);
        text.push_str(&tokens.unwrap_or_else(|failure| panic!("{failure}")).to_string());
    }
    let target = Path::new(&env::var("OUT_DIR").expect("cargo sets it")).join("robots.rs");
    fs::write(target, text).expect("OUT_DIR is writable");
}

/// The four-bar and a heavy top with their momenta, a module for each formulation.
fn write_momenta() {
    let kernels = Some(Kernels { forward: true, momenta: true, ..Kernels::NONE });
    let mut text = String::new();
    for (name, file, formulation) in [
        ("natural", "four_bar", Formulation::Natural),
        ("joint", "four_bar", Formulation::Joint),
        ("body", "four_bar", Formulation::Body),
        ("top", "heavy_top", Formulation::Natural),
    ] {
        let path = format!("../../mechanisms/{file}.mbs");
        println!("cargo:rerun-if-changed={path}");
        let declared = fs::read_to_string(&path).expect("mechanisms/ lies beside the crates");
        let options = Options { formulation: Some(formulation), kernels, ..Options::default() };
        let tokens = mbs_codegen::tokens(&path, &declared, options);
        let tokens = tokens.unwrap_or_else(|failure| panic!("{failure}"));
        text.push_str(&format!("/// `{file}` in {formulation:?} coordinates.\npub mod {name} {{ {tokens} }}\n"));
    }
    let target = Path::new(&env::var("OUT_DIR").expect("cargo sets it")).join("momenta.rs");
    fs::write(target, text).expect("OUT_DIR is writable");
}

/// Version of the compiler of the benches.
fn version() -> String {
    let rustc = env::var_os("RUSTC").expect("cargo sets it");
    let output = Command::new(rustc).arg("--version").output().expect("rustc runs");
    String::from_utf8_lossy(&output.stdout).trim().to_owned()
}
