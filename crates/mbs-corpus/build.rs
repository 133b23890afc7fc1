//! Compiles every mechanism of `mechanisms/` in every formulation: with `MBS_CORPUS=all` all of them, otherwise all but the largest.

use std::fs;
use std::path::{Path, PathBuf};

use mbs_codegen::Build;
use mbs_model::Formulation;

/// Mechanisms whose generated text is longer than [`LONG`] in body coordinates: two fifths of the text of all. rustc compiles them for
/// `.ci/run --full` alone; the interpreter runs them, and tests parse their text, in every tier.
const LARGEST: [&str; 4] = ["declared_joints", "gantry", "jib", "shoulder"];

/// Length of text beyond which a mechanism is one of the largest \[bytes\].
const LONG: u64 = 2_900_000;

fn main() {
    let directory = Path::new("../../mechanisms");
    println!("cargo:rerun-if-changed={}", directory.display());
    println!("cargo:rerun-if-env-changed=MBS_CORPUS");
    let with_largest = std::env::var("MBS_CORPUS").is_ok_and(|which| which == "all");
    let mut files: Vec<PathBuf> = fs::read_dir(directory)
        .expect("mechanisms/ is next to the crates")
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|e| e == "mbs"))
        .collect();
    files.sort();
    let is_listed = |path: &PathBuf| LARGEST.contains(&stem_of(path).as_str());
    assert_eq!(files.iter().filter(|path| is_listed(path)).count(), LARGEST.len(), "{LARGEST:?} are in mechanisms/");
    files.retain(|path| with_largest || !is_listed(path));
    for path in &files {
        Build::new().formulation(Formulation::Body, "_body").compile(path);
        Build::new().formulation(Formulation::Joint, "_joint").compile(path);
        let length = fs::metadata(generated(&stem_of(path), "body")).expect("it was just written").len();
        assert_eq!(length > LONG, is_listed(path), "{}: {length} bytes, and LARGEST are {LARGEST:?}", path.display());
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

/// Name of a file without its extension.
fn stem_of(path: &Path) -> String {
    path.file_stem().expect("a file has a name").to_string_lossy().into_owned()
}
