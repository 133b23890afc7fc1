//! Compiles every mechanism of `mechanisms/` in every formulation.

use std::fs;
use std::path::{Path, PathBuf};

use mbs_codegen::Build;
use mbs_model::Formulation;

fn main() {
    let directory = Path::new("../../mechanisms");
    println!("cargo:rerun-if-changed={}", directory.display());
    let mut files: Vec<PathBuf> = fs::read_dir(directory)
        .expect("mechanisms/ lies beside the crates")
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|e| e == "mbs"))
        .collect();
    files.sort();
    for path in &files {
        Build::new().formulation(Formulation::Body, "_body").compile(path);
        Build::new().formulation(Formulation::Joint, "_joint").compile(path);
    }
    // One module per formulation, and a macro that visits every mechanism: `visit!(body::FourBar, joint::FourBar)`.
    let mut text = String::new();
    for formulation in ["body", "joint"] {
        text.push_str(&format!("/// Every mechanism in `{formulation}` coordinates.\npub mod {formulation} {{\n    use crate::functions::*;\n"));
        for path in &files {
            let stem = path.file_stem().expect("a file has a name").to_string_lossy();
            text.push_str(&format!("    include!(concat!(env!(\"OUT_DIR\"), \"/{stem}_{formulation}.rs\"));\n"));
        }
        text.push_str("}\n");
    }
    let names: Vec<String> = files
        .iter()
        .flat_map(|path| {
            let text = fs::read_to_string(path).expect("it was just compiled");
            let header = text.lines().find(|l| l.starts_with("pub planar ")).expect("a header").to_owned();
            header.split_whitespace().nth(2).map(str::to_owned)
        })
        .collect();
    let stems: Vec<String> =
        files.iter().map(|p| p.file_stem().expect("a file has a name").to_string_lossy().into_owned()).collect();
    text.push_str(
        "/// Calls `$visitor!(file stem, type in body coordinates, type in joint coordinates);` for every mechanism.\n",
    );
    text.push_str("#[macro_export]\nmacro_rules! for_each_mechanism { ($visitor:ident) => {\n");
    for (name, stem) in names.iter().zip(&stems) {
        text.push_str(&format!("    $visitor!(\"{stem}\", $crate::body::{name}, $crate::joint::{name});\n"));
    }
    text.push_str("} }\n");
    text.push_str("/// Calls `$visitor!(file stem, module, type);` for every mechanism; `body::module` and `joint::module` hold it.\n");
    text.push_str("#[macro_export]\nmacro_rules! for_each_module { ($visitor:ident) => {\n");
    for (name, stem) in names.iter().zip(&stems) {
        text.push_str(&format!("    $visitor!(\"{stem}\", {}, {name});\n", module_of(stem)));
    }
    text.push_str("} }\n");
    let target = Path::new(&std::env::var("OUT_DIR").expect("cargo sets it")).join("corpus.rs");
    fs::write(target, text).expect("OUT_DIR is writable");
}

/// Name of the module that was generated for a file.
fn module_of(stem: &str) -> String {
    let generated = Path::new(&std::env::var("OUT_DIR").expect("cargo sets it")).join(format!("{stem}_body.rs"));
    let text = fs::read_to_string(generated).expect("it was just written");
    let name = text.lines().find_map(|line| line.strip_prefix("pub mod ")).expect("a mechanism is a module");
    name.trim_end_matches(" {").to_owned()
}
