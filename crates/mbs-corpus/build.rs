//! Compiles the mechanisms of `mechanisms/` in body and joint coordinates: with `MBS_TESTS=all` and for benchmarks (release builds) all of them,
//! otherwise those with [`MOST_OPERATIONS`] at most.

mod tiers;

use std::fs;
use std::path::{Path, PathBuf};

use mbs_codegen::Build;
use mbs_model::Formulation;

use tiers::{all_files, files_up_to, is_full_tier, stem_of};

/// Operations of all functions in both formulations, by the golden file of costs, beyond which rustc compiles a mechanism for `.ci/run --full`
/// alone: half of the mechanisms has nine tenths of the text. Tests interpret more of them: see [`tiers`].
const MOST_OPERATIONS: usize = 2_300;

/// Larger ones that are compiled in each landing: the squeezer, which benchmarks compare with code by hand, and those with compiled code of kinds
/// that no smaller one has, derivatives without those of steps, prescribed coordinates that count revolutions, wrenches with derivatives, impacts
/// in space.
const ALWAYS: [&str; 5] = ["actuated_cart", "andrews", "driven_arm", "satellite", "struck_pendulum"];

fn main() {
    let corpus = Path::new(".");
    for input in ["../../mechanisms", "tests/all/golden/costs.txt"] {
        println!("cargo:rerun-if-changed={input}");
    }
    println!("cargo:rerun-if-env-changed=MBS_TESTS");
    println!("cargo:rustc-check-cfg=cfg(largest)");
    let with_largest = is_full_tier() || std::env::var("PROFILE").is_ok_and(|profile| profile == "release");
    if with_largest {
        println!("cargo:rustc-cfg=largest");
    }
    let mut files = all_files(corpus);
    if !with_largest {
        let small = files_up_to(corpus, MOST_OPERATIONS);
        files.retain(|path| small.contains(path) || ALWAYS.contains(&stem_of(path).as_str()));
    }
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
