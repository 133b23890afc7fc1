//! Compiles the mechanisms of `mechanisms/` in body and joint coordinates: with `MBS_CORPUS=all` and for benchmarks (release builds) all of them,
//! otherwise those with [`MOST_OPERATIONS`] at most.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

use mbs_codegen::Build;
use mbs_model::Formulation;

/// Operations of all functions in both formulations, by the golden file of costs, beyond which rustc compiles a mechanism for `.ci/run --full`
/// alone: a third of the mechanisms has two thirds of the text. The interpreter runs all of them, and tests parse their text, in every tier.
const MOST_OPERATIONS: usize = 5_000;

/// Larger ones with compiled code of kinds that no smaller one has: wrenches with derivatives, and impacts in space.
const ALWAYS: [&str; 2] = ["satellite", "struck_pendulum"];

fn main() {
    let directory = Path::new("../../mechanisms");
    let costs = Path::new("tests/all/golden/costs.txt");
    println!("cargo:rerun-if-changed={}", directory.display());
    println!("cargo:rerun-if-changed={}", costs.display());
    println!("cargo:rerun-if-env-changed=MBS_CORPUS");
    println!("cargo:rustc-check-cfg=cfg(largest)");
    let is = |variable: &str, value: &str| std::env::var(variable).is_ok_and(|found| found == value);
    let with_largest = is("MBS_CORPUS", "all") || is("PROFILE", "release");
    if with_largest {
        println!("cargo:rustc-cfg=largest");
    }
    let mut files: Vec<PathBuf> = fs::read_dir(directory)
        .expect("mechanisms/ is next to the crates")
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|e| e == "mbs"))
        .collect();
    files.sort();
    let operations = operations(&fs::read_to_string(costs).expect("the golden file is next to the tests"));
    // A mechanism without costs is a new one.
    let is_large = |stem: &str| operations.get(stem).is_some_and(|n| *n > MOST_OPERATIONS) && !ALWAYS.contains(&stem);
    files.retain(|path| with_largest || !is_large(&stem_of(path)));
    for path in &files {
        Build::new().formulation(Formulation::Body, "_body").compile(path);
        Build::new().formulation(Formulation::Joint, "_joint").compile(path);
    }
    // One module per formulation, and a macro that visits every mechanism: `visit!(body::FourBar, joint::FourBar)`.
    let mut text = String::new();
    for formulation in ["body", "joint"] {
        // Both modules have equal documentation: one is enough to check its links.
        let when = if formulation == "body" { "#[cfg(not(doc))]\n" } else { "" };
        text.push_str(&format!("/// Every mechanism in `{formulation}` coordinates.\n{when}pub mod {formulation} {{\n    use crate::functions::*;\n"));
        for path in &files {
            let stem = stem_of(path);
            text.push_str(&format!("    include!(concat!(env!(\"OUT_DIR\"), \"/{stem}_{formulation}.rs\"));\n"));
        }
        text.push_str("}\n");
    }
    let mechanisms: Vec<Declared> = files.iter().map(|path| Declared::from_file(path)).collect();
    for (prefix, which) in [("", "every mechanism"), ("planar_", "every planar mechanism")] {
        let list = || mechanisms.iter().filter(|m| prefix.is_empty() || m.planar);
        text.push_str(&format!(
            "/// Calls `$visitor!(file stem, type in body coordinates, type in joint coordinates);` for {which}.\n\
             #[macro_export]\nmacro_rules! for_each_{prefix}mechanism {{ ($visitor:ident) => {{\n"
        ));
        for Declared { name, stem, .. } in list() {
            text.push_str(&format!("    $visitor!(\"{stem}\", $crate::body::{name}, $crate::joint::{name});\n"));
        }
        text.push_str(&format!(
            "}} }}\n/// Calls `$visitor!(file stem, module, type);` for {which}; `body::module` and `joint::module` contain it.\n\
             #[macro_export]\nmacro_rules! for_each_{prefix}module {{ ($visitor:ident) => {{\n"
        ));
        for Declared { name, stem, module, .. } in list() {
            text.push_str(&format!("    $visitor!(\"{stem}\", {module}, {name});\n"));
        }
        text.push_str("} }\n");
    }
    let target = Path::new(&std::env::var("OUT_DIR").expect("cargo sets it")).join("corpus.rs");
    fs::write(target, text).expect("OUT_DIR is writable");
}

/// Operations of all functions of mechanisms in body and joint coordinates, by their stems: the golden file has a line `stem (formulation)`
/// and below it one for each function.
fn operations(costs: &str) -> HashMap<String, usize> {
    let mut sums = HashMap::new();
    let mut current = None;
    for line in costs.lines() {
        if let Some((stem, formulation)) = line.strip_suffix(')').and_then(|line| line.split_once(" (")) {
            current = ["body", "joint"].contains(&formulation).then(|| stem.to_owned());
        } else if let Some(stem) = &current {
            let before = line.split_once(" operations").and_then(|(before, _)| before.split_whitespace().last());
            let count: usize = before.and_then(|n| n.parse().ok()).expect("a number before `operations`");
            *sums.entry(stem.clone()).or_default() += count;
        }
    }
    sums
}

/// Declaration in the file of a mechanism.
struct Declared {
    name: String,
    stem: String,
    module: String,
    planar: bool,
}

impl Declared {
    fn from_file(path: &Path) -> Declared {
        let text = fs::read_to_string(path).expect("it was just compiled");
        let header = |space: &str| text.lines().find_map(|line| line.strip_prefix(space)?.split_whitespace().next());
        let planar = header("pub planar ");
        let name = planar.or_else(|| header("pub spatial ")).expect("a header").to_owned();
        let stem = stem_of(path);
        Declared { name, module: module_of(&stem), planar: planar.is_some(), stem }
    }
}

/// Name of the module that was generated for a file.
fn module_of(stem: &str) -> String {
    let text = fs::read_to_string(generated(stem, "body")).expect("it was just written");
    let name = text.lines().find_map(|line| line.strip_prefix("pub mod ")).expect("a mechanism is a module");
    name.trim_end_matches(" {").to_owned()
}

/// Path of the module that is generated for a file.
fn generated(stem: &str, formulation: &str) -> PathBuf {
    Path::new(&std::env::var("OUT_DIR").expect("cargo sets it")).join(format!("{stem}_{formulation}.rs"))
}

/// Name of a file without its extension.
fn stem_of(path: &Path) -> String {
    path.file_stem().expect("a file has a name").to_string_lossy().into_owned()
}
