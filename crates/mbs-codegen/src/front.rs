//! The two faces of the compiler: `mechanism! { … }` and build scripts. Both run the same pipeline and print the same tokens.

mod imports;
mod skeleton;
mod text;

use std::path::{Path, PathBuf};
use std::{env, fmt, fs, io};

use mbs_model::Origin;
use mbs_syntax::{
    Parsed, Sources, from_folder, parse_file_with, parse_robot_tokens_with, parse_tokens_with, to_compile_error,
};
use proc_macro2::TokenStream;

use crate::compile::{Compiled, Options, compile};
use crate::emit::{Emission, emit};
use crate::print::Paths;
use imports::Folders;
use skeleton::skeleton;

/// `mechanism! { … }`: the module, or the mistakes and a module with the same names. Files are imported relative to the package.
pub fn expand(tokens: TokenStream) -> TokenStream {
    expand_in(tokens, None)
}

/// As [`expand`], for a call in a source file: imported files are looked for beside it first. rustc watches them.
pub fn expand_in(tokens: TokenStream, source: Option<&Path>) -> TokenStream {
    let mut folders = Folders::of(source);
    let parsed = parse_tokens_with(tokens, &mut |name| folders.load(name));
    expanded(&parsed, &folders)
}

/// `urdf! { pub Arm = "arm.urdf"; }`: as [`expand_in`], of robots that are mechanisms by themselves.
pub fn expand_robots_in(tokens: TokenStream, source: Option<&Path>) -> TokenStream {
    let mut folders = Folders::of(source);
    let parsed = parse_robot_tokens_with(tokens, &mut |name| folders.load(name));
    expanded(&parsed, &folders)
}

fn expanded(parsed: &Parsed, folders: &Folders) -> TokenStream {
    let mut output = folders.watches();
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
        _ => error.to_string(),
    }
}

/// Compiles every mechanism of a text; of a robot in URDF, where `path` ends in `.urdf`: see [`parse_urdf`](mbs_syntax::parse_urdf). Files are imported relative to the folder of `path`; the [`Sources`] list those that were
/// read.
///
/// # Errors
/// All mistakes of the first stage that has any, rendered.
pub fn compile_text(path: &str, text: &str, options: Options) -> Result<Vec<(Compiled, Sources)>, Failure> {
    let Parsed { definitions, sources, errors } =
        parse_file_with(path, text, &mut |name| from_folder(folder_of(path), name));
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

fn folder_of(path: &str) -> &Path {
    Path::new(path).parent().unwrap_or(Path::new(""))
}

/// Tokens of every mechanism of a text; the same as the macro's.
///
/// # Errors
/// As [`compile_text`].
pub fn tokens(path: &str, text: &str, options: Options) -> Result<TokenStream, Failure> {
    Ok(all_emitted(&compile_text(path, text, options)?))
}

fn all_emitted(compiled: &[(Compiled, Sources)]) -> TokenStream {
    compiled.iter().map(|(compiled, sources)| emitted(compiled, sources)).collect()
}

/// Formatted Rust of every mechanism of a text.
///
/// # Errors
/// As [`compile_text`].
pub fn generate(path: &str, text: &str, options: Options) -> Result<String, Failure> {
    Ok(text::format(tokens(path, text, options)?))
}

/// A build script's work: compiles `.mbs` and `.urdf` files to `$OUT_DIR/<file name>.rs`, to be included with
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

    /// Compiles one file, a robot where its name ends in `.urdf`, and tells cargo to watch it and the files it imports. Mistakes are printed as rustc would print them, and
    /// end the build.
    pub fn compile(&self, path: impl AsRef<Path>) {
        let path = path.as_ref();
        println!("cargo:rerun-if-changed={}", path.display());
        match self.run(path) {
            Ok((_, imported)) => imported.iter().for_each(|path| println!("cargo:rerun-if-changed={path}")),
            Err(failure) => {
                eprintln!("{failure}");
                std::process::exit(1);
            }
        }
    }

    /// As [`Build::compile`], for callers that handle failures, and tell cargo what to watch. Returns the file written.
    ///
    /// # Errors
    /// Mistakes, or a file that cannot be read or written.
    pub fn try_compile(&self, path: &Path) -> Result<PathBuf, Failure> {
        self.run(path).map(|(target, _)| target)
    }

    /// The file written, and the files imported.
    fn run(&self, path: &Path) -> Result<(PathBuf, Vec<String>), Failure> {
        let io = |path: &Path| {
            let path = path.to_owned();
            move |error| Failure::Io(path, error)
        };
        let text = mbs_syntax::read_text(path).map_err(io(path))?;
        let compiled = compile_text(&path.display().to_string(), &text, self.options)?;
        let rust = text::format(all_emitted(&compiled));
        let stem = path.file_stem().map_or_else(String::new, |s| s.to_string_lossy().into_owned());
        let directory = env::var_os("OUT_DIR").map_or_else(|| PathBuf::from("."), PathBuf::from);
        let target = directory.join(format!("{stem}{}.rs", self.suffix));
        fs::write(&target, rust).map_err(io(&target))?;
        // All mechanisms of a file share its sources.
        let imported = compiled.first().map(|(_, sources)| sources.imported_paths()).unwrap_or_default();
        Ok((target, imported.into_iter().map(str::to_owned).collect()))
    }
}
