//! Which mechanisms of `mechanisms/` each landing compiles and checks: a part of the build script of this crate, of its tests and of those of
//! the generator.
//!
//! A mechanism costs what its operations cost, and the thirteen largest have seven tenths of all operations. `.ci/run` leaves these to
//! `.ci/run --full`, which sets `MBS_TESTS=all`.

#[path = "../../tests/tier.rs"]
mod tier;

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

#[allow(unused_imports)] // each crate uses a part
pub use tier::{by_tier, is_full_tier, is_in_turn};

/// Folder of the mechanisms, from that of this crate.
const MECHANISMS: &str = "../../mechanisms";

/// Golden file of costs, from the folder of this crate.
const COSTS: &str = "tests/all/golden/costs.txt";

/// Operations of all functions in both formulations, by the golden file of costs, beyond which tests interpret a mechanism in the full tier
/// alone.
#[allow(dead_code)] // the build script has another limit
pub const MOST_INTERPRETED: usize = 5_600;

/// Files of `mechanisms/` with at most so many operations, in the order of their names; `corpus` is the folder of this crate. A mechanism
/// without golden costs is a new one, and one of them.
pub fn files_up_to(corpus: &Path, operations: usize) -> Vec<PathBuf> {
    let costs = fs::read_to_string(corpus.join(COSTS)).expect("the golden file is next to the tests");
    let sums = sums_of_operations(&costs);
    let mut files = all_files(corpus);
    files.retain(|path| sums.get(&stem_of(path)).is_none_or(|n| *n <= operations));
    files
}

/// Files of `mechanisms/`, in the order of their names.
pub fn all_files(corpus: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(corpus.join(MECHANISMS)).expect("mechanisms/ is next to the crates");
    let mut files: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    files.retain(|path| path.extension().is_some_and(|e| e == "mbs"));
    files.sort();
    files
}

/// Operations of the functions of mechanisms in body and joint coordinates, by their stems: the golden file has a line `stem (formulation)`
/// and below it one for each function. Corrections of projections do not count: they repeat the terms of other functions, and take tests little time.
fn sums_of_operations(costs: &str) -> HashMap<String, usize> {
    let mut sums = HashMap::new();
    let mut current = None;
    for line in costs.lines() {
        if let Some((stem, formulation)) = line.strip_suffix(')').and_then(|line| line.split_once(" (")) {
            current = ["body", "joint"].contains(&formulation).then(|| stem.to_owned());
        } else if let Some(stem) = current.as_ref().filter(|_| !line.trim_start().starts_with("corrections ")) {
            let before = line.split_once(" operations").and_then(|(before, _)| before.split_whitespace().last());
            let count: usize = before.and_then(|n| n.parse().ok()).expect("a number before `operations`");
            *sums.entry(stem.clone()).or_default() += count;
        }
    }
    sums
}

/// Name of a file without its extension.
pub fn stem_of(path: &Path) -> String {
    path.file_stem().expect("a file has a name").to_string_lossy().into_owned()
}
