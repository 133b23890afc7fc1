//! The two faces of the compiler: `mechanism! { … }` and build scripts. Both run the same pipeline and print the same tokens.

mod skeleton;
mod text;

use std::path::{Path, PathBuf};
use std::{env, fmt, fs, io};

use mbs_model::Origin;
use mbs_syntax::{Parsed, Sources, parse_text, parse_tokens, to_compile_error};
use proc_macro2::TokenStream;

use crate::compile::{Compiled, Options, compile};
use crate::emit::{Emission, emit};
use crate::print::Paths;
use skeleton::skeleton;

/// `mechanism! { … }`: the module, or the mistakes and a module with the same names.
pub fn expand(tokens: TokenStream) -> TokenStream {
    let parsed = parse_tokens(tokens);
    let mut output = TokenStream::new();
    let mut diagnostics = parsed.errors.list().to_vec();
    for definition in &parsed.definitions {
        // A definition with syntax errors is not resolved further: what is missing would be reported again.
        let compiled = if parsed.errors.is_empty() { Some(compile(definition, Options::default())) } else { None };
        match compiled {
            Some(Ok(compiled)) => output.extend(emitted(&compiled, &parsed.sources)),
            Some(Err(errors)) => {
                diagnostics.extend(errors.list().iter().cloned());
                output.extend(skeleton(definition, &parsed.sources));
            }
            None => output.extend(skeleton(definition, &parsed.sources)),
        }
    }
    output.extend(to_compile_error(&diagnostics, &parsed.sources));
    output
}

fn emitted(compiled: &Compiled, sources: &Sources) -> TokenStream {
    emit(&Emission { compiled, span: &|o: Origin| sources.span(o), paths: &Paths::default() })
}

/// Why text did not compile.
#[derive(Debug)]
pub enum Failure {
    /// Mistakes in the mechanism, rendered for a terminal.
    Mistakes(String),
    /// A file could not be read or written.
    Io(PathBuf, io::Error),
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::Mistakes(text) => f.write_str(text),
            Failure::Io(path, error) => write!(f, "error: {}: {}", path.display(), reason(path, error)),
        }
    }
}

impl std::error::Error for Failure {}

/// What a person would say, without numbers of the operating system.
fn reason(path: &Path, error: &io::Error) -> String {
    let folder = path.parent().filter(|parent| !parent.as_os_str().is_empty() && !parent.exists());
    match error.kind() {
        io::ErrorKind::NotFound => folder.map_or("no such file", |_| "no such folder").to_owned(),
        io::ErrorKind::IsADirectory => "a directory, not a file".to_owned(),
        io::ErrorKind::PermissionDenied => "permission denied".to_owned(),
        io::ErrorKind::InvalidData => "not a text in UTF-8".to_owned(),
        _ => error.to_string(),
    }
}

/// Compiles every mechanism of a text.
///
/// # Errors
/// All mistakes of the first stage that has any, rendered.
pub fn compile_text(path: &str, text: &str, options: Options) -> Result<Vec<(Compiled, Sources)>, Failure> {
    let Parsed { definitions, sources, errors } = parse_text(path, text);
    if !errors.is_empty() {
        return Err(Failure::Mistakes(sources.render(errors.list())));
    }
    let mut all = Vec::new();
    let mut mistakes = Vec::new();
    for definition in &definitions {
        match compile(definition, options) {
            Ok(compiled) => all.push((compiled, sources.clone())),
            Err(errors) => mistakes.extend(errors.list().iter().cloned()),
        }
    }
    if mistakes.is_empty() { Ok(all) } else { Err(Failure::Mistakes(sources.render(&mistakes))) }
}

/// Tokens of every mechanism of a text; the same as the macro's.
///
/// # Errors
/// As [`compile_text`].
pub fn tokens(path: &str, text: &str, options: Options) -> Result<TokenStream, Failure> {
    let compiled = compile_text(path, text, options)?;
    Ok(compiled.iter().map(|(compiled, sources)| emitted(compiled, sources)).collect())
}

/// Formatted Rust of every mechanism of a text.
///
/// # Errors
/// As [`compile_text`].
pub fn generate(path: &str, text: &str, options: Options) -> Result<String, Failure> {
    Ok(text::format(tokens(path, text, options)?))
}

/// A build script's work: compiles `.mbs` files to `$OUT_DIR/<file name>.rs`, to be included with
/// `include!(concat!(env!("OUT_DIR"), "/four_bar.rs"));`.
#[derive(Clone, Debug, Default)]
pub struct Build {
    options: Options,
    suffix: String,
}

impl Build {
    /// With the declared formulations.
    pub fn new() -> Self {
        Self::default()
    }

    /// Forces a formulation, and appends a suffix to the names of the files written.
    pub fn formulation(mut self, formulation: mbs_model::Formulation, suffix: &str) -> Self {
        self.options.formulation = Some(formulation);
        self.suffix = suffix.to_owned();
        self
    }

    /// Compiles one file and tells cargo to watch it. Mistakes are printed as rustc would print them, and end the build.
    pub fn compile(&self, path: impl AsRef<Path>) {
        let path = path.as_ref();
        println!("cargo:rerun-if-changed={}", path.display());
        match self.try_compile(path) {
            Ok(_) => {}
            Err(failure) => {
                eprintln!("{failure}");
                std::process::exit(1);
            }
        }
    }

    /// As [`Build::compile`], for callers that handle failures. Returns the file written.
    ///
    /// # Errors
    /// Mistakes, or a file that cannot be read or written.
    pub fn try_compile(&self, path: &Path) -> Result<PathBuf, Failure> {
        let io = |path: &Path| {
            let path = path.to_owned();
            move |error| Failure::Io(path, error)
        };
        let text = fs::read_to_string(path).map_err(io(path))?;
        let rust = generate(&path.display().to_string(), &text, self.options)?;
        let stem = path.file_stem().map_or_else(String::new, |s| s.to_string_lossy().into_owned());
        let directory = env::var_os("OUT_DIR").map_or_else(|| PathBuf::from("."), PathBuf::from);
        let target = directory.join(format!("{stem}{}.rs", self.suffix));
        fs::write(&target, rust).map_err(io(&target))?;
        Ok(target)
    }
}
