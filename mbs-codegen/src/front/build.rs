//! The compiler for build scripts: Rust in files, formatted.

use std::path::{Path, PathBuf};
use std::{env, fs};

use mbs_compiler::compile::{Compiled, Options};
use mbs_definition::Diagnostic;
use mbs_syntax::Sources;

use super::compile_text::{Failure, compile_text, emit_all, warnings};
use super::text;

/// Formatted Rust of every mechanism of a text.
///
/// # Errors
/// As [`compile_text`].
pub fn generate(path: &str, text: &str, options: Options) -> Result<String, Failure> {
    Ok(format_rust(&compile_text(path, text, options)?))
}

/// Formatted Rust of the result of [`compile_text`].
pub fn format_rust(compiled: &[(Compiled, Sources)]) -> String {
    text::format(emit_all(compiled))
}

/// The compiler for build scripts: compiles `.mbs` and `.urdf` files to `$OUT_DIR/<file name>.rs`, to be included with
/// `include!(concat!(env!("OUT_DIR"), "/four_bar.rs"));`.
#[derive(Clone, Debug, Default)]
pub struct Build {
    options: Options,
    suffix: String,
}

impl Build {
    /// A compiler that uses the declared formulations.
    pub fn new() -> Self {
        Self::default()
    }

    /// Overrides the formulation, and appends a suffix to the names of the files written.
    pub fn formulation(mut self, formulation: mbs_model::Formulation, suffix: &str) -> Self {
        self.options.formulation = Some(formulation);
        self.suffix = suffix.to_owned();
        self
    }

    /// Compiles one file, a robot if its name ends in `.urdf`, and makes Cargo watch the file and its imports. Mistakes are printed like
    /// errors of rustc, and end the build with exit code 1; warnings are printed as warnings of Cargo.
    pub fn compile(&self, path: impl AsRef<Path>) {
        let path = path.as_ref();
        println!("cargo:rerun-if-changed={}", path.display());
        match self.run(path) {
            Ok(Built { imported, warnings, .. }) => {
                imported.iter().for_each(|path| println!("cargo:rerun-if-changed={path}"));
                warnings.iter().for_each(|warning| println!("cargo:warning={warning}"));
            }
            Err(failure) => {
                eprintln!("{failure}");
                std::process::exit(1);
            }
        }
    }

    /// As [`Build::compile`], for callers that handle failures and declare the files that Cargo watches. Returns the path of the written file.
    ///
    /// # Errors
    /// Mistakes, or a file that cannot be read or written.
    pub fn try_compile(&self, path: &Path) -> Result<PathBuf, Failure> {
        self.run(path).map(|built| built.target)
    }

    fn run(&self, path: &Path) -> Result<Built, Failure> {
        let io = |path: &Path| {
            let path = path.to_owned();
            move |error| Failure::Io(path, error)
        };
        let text = mbs_syntax::read_text(path).map_err(io(path))?;
        let compiled = compile_text(&path.display().to_string(), &text, self.options)?;
        let rust = format_rust(&compiled);
        let stem = path.file_stem().map_or_else(String::new, |s| s.to_string_lossy().into_owned());
        let directory = env::var_os("OUT_DIR").map_or_else(|| PathBuf::from("."), PathBuf::from);
        let target = directory.join(format!("{stem}{}.rs", self.suffix));
        fs::write(&target, rust).map_err(io(&target))?;
        // All mechanisms of a file share its sources.
        let imported = compiled.first().map(|(_, sources)| sources.imported_paths()).unwrap_or_default();
        let imported = imported.into_iter().map(str::to_owned).collect();
        Ok(Built { target, imported, warnings: cargo_warnings(&compiled) })
    }
}

/// The result of a build.
struct Built {
    /// The written file.
    target: PathBuf,
    /// The imported files.
    imported: Vec<String>,
    /// Warnings, a line each.
    warnings: Vec<String>,
}

/// Warnings for Cargo, a line each: `mechanisms/arm.mbs:3:11: [MBS052] parameter `k` is not used`.
fn cargo_warnings(compiled: &[(Compiled, Sources)]) -> Vec<String> {
    let line = |(sources, warning): (&Sources, Diagnostic)| {
        let location = sources.excerpt(warning.origin).map_or_else(String::new, |excerpt| {
            let (line, column) = excerpt.line_and_column();
            format!("{}:{line}:{column}: ", excerpt.path)
        });
        format!("{location}[{}] {}", warning.code, warning.message)
    };
    warnings(compiled).map(line).collect()
}
