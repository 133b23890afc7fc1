//! The mechanisms of `mechanisms/`, interpreted.

#[path = "../../../../crates/mbs-corpus/tiers.rs"]
mod tiers;

use std::fs;
use std::path::{Path, PathBuf};

use mbs_compiler::compile::Options;
use mbs_compiler::interp::Fma;
use mbs_core::max_norm;
use mbs_interp::Interpreted;
use mbs_model::{Formulation, Kernels};

pub use tiers::{by_tier, is_full_tier, stem_of};

/// Mechanisms whose forces have kinks, so that methods do not have their order.
pub const KINKED: [&str; 2] = ["cam_valve", "quarter_car"];

/// Mechanisms that take seconds to compile in other coordinates than those of their joints.
pub const LARGE: [&str; 8] =
    ["bricard", "cardan", "declared_joints", "dropped_frame", "flyball", "shoulder", "spatial_arm", "struck_pendulum"];

/// The folder of the repository.
pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).expect("the tests lie in a folder of a crate")
}

/// Files of `mechanisms/` that each landing checks, in the order of their names; with `MBS_TESTS=all` all of them.
pub fn files() -> Vec<PathBuf> {
    let corpus = root().join("crates/mbs-corpus");
    if is_full_tier() { tiers::all_files(&corpus) } else { tiers::files_up_to(&corpus, tiers::MOST_INTERPRETED) }
}

/// Files of `mechanisms/` with at most so many operations, in the order of their names.
pub fn files_up_to(operations: usize) -> Vec<PathBuf> {
    tiers::files_up_to(&root().join("crates/mbs-corpus"), operations)
}

/// A file of `mechanisms/` by its name without extension.
pub fn file(stem: &str) -> PathBuf {
    root().join(format!("mechanisms/{stem}.mbs"))
}

/// An interpreted mechanism; `None` if it does not compile in the formulation or with the kernels, or needs functions written in Rust.
pub fn interpret(path: &Path, formulation: Option<Formulation>, kernels: Kernels) -> Option<Interpreted> {
    let text = fs::read_to_string(path).expect("the file is there");
    let options = Options { kernels: Some(kernels), formulation, ..Options::default() };
    let mut compiled = mbs_codegen::compile_text(&path.to_string_lossy(), &text, options).ok()?;
    Interpreted::new(compiled.remove(0).0, Fma::Plain).ok()
}

/// The largest difference, relative to the largest entry or 1.
pub fn gap(a: &[f64], b: &[f64]) -> f64 {
    let differences: Vec<f64> = a.iter().zip(b).map(|(a, b)| a - b).collect();
    max_norm(&differences) / max_norm(b).max(1.0)
}
