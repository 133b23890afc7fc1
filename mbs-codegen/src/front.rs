//! The two front ends of the compiler: `mechanism! { … }` and build scripts. Both run one pipeline and print equal tokens.

#[cfg(feature = "build")]
mod build;
mod imports;
mod skeleton;
#[cfg(feature = "build")]
mod text;

#[cfg(feature = "build")]
pub use build::{Build, format_rust, generate};

use std::path::{Path, PathBuf};
use std::{fmt, io};

use mbs_definition::{Definition, Diagnostic, Errors, Origin};
use mbs_syntax::{
    Parsed, Severity, Sources, Style, from_folder, parse_file_with, parse_robot_tokens_with, parse_tokens_with,
    to_compile_error,
};
use proc_macro2::{Span, TokenStream};

use crate::emit::{Emission, emit, module_name_of, value_ident};
use crate::print::Paths;
use mbs_compiler::compile::{Compiled, Options, compile};

use imports::Folders;
use skeleton::skeleton;

/// Expands `mechanism! { … }` to the module, or to compile errors and a module with its names but without content. Files are imported
/// relative to the package.
pub fn expand(tokens: TokenStream) -> TokenStream {
    expand_in(tokens, None)
}

/// As [`expand`], for a call in a source file: imported files are searched first in its folder, then in the package. rustc watches them.
pub fn expand_in(tokens: TokenStream, source: Option<&Path>) -> TokenStream {
    let mut folders = Folders::new(source);
    let parsed = parse_tokens_with(tokens, &mut |name| folders.load(name));
    expand_parsed(&parsed, &folders)
}

/// Expands `urdf! { pub Arm = "arm.urdf"; }`: as [`expand_in`], for robots that are mechanisms by themselves.
pub fn expand_robots_in(tokens: TokenStream, source: Option<&Path>) -> TokenStream {
    let mut folders = Folders::new(source);
    let parsed = parse_robot_tokens_with(tokens, &mut |name| folders.load(name));
    expand_parsed(&parsed, &folders)
}

/// The module of each parsed mechanism, and the compile errors.
fn expand_parsed(parsed: &Parsed, folders: &Folders) -> TokenStream {
    let mut output = folders.include_constants();
    let mut diagnostics = parsed.errors.list().to_vec();
    let conflicts = name_conflicts(&parsed.definitions);
    diagnostics.extend(conflicts.list().iter().cloned());
    for definition in &parsed.definitions {
        if conflicts.list().iter().any(|conflict| conflict.origin == definition.name.origin) {
            continue;
        }
        // A definition with syntax errors is not resolved further: missing declarations would be reported again.
        let compiled = if parsed.errors.is_empty() { Some(compile(definition, Options::default())) } else { None };
        match compiled {
            Some(Ok(compiled)) => output.extend(emit_compiled(&compiled, &parsed.sources)),
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

/// Tokens of a compiled mechanism, with spans of its sources.
fn emit_compiled(compiled: &Compiled, sources: &Sources) -> TokenStream {
    emit(&Emission { compiled, span: &|o: Origin| sources.span(o), paths: &Paths::default() })
}

/// Reason why text did not compile.
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
            Failure::Io(path, error) => write!(f, "error: {}: {}", path.display(), describe_io_error(path, error)),
        }
    }
}

/// Writes the text of `Display`, because `main` prints errors with `Debug`.
impl fmt::Debug for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl std::error::Error for Failure {}

/// Describes an error in plain words, without numbers of the operating system.
fn describe_io_error(path: &Path, error: &io::Error) -> String {
    let folder = path.parent().filter(|parent| !parent.as_os_str().is_empty() && !parent.exists());
    match error.kind() {
        io::ErrorKind::NotFound => folder.map_or("no such file", |_| "no such folder").to_owned(),
        io::ErrorKind::IsADirectory => "a directory, not a file".to_owned(),
        io::ErrorKind::PermissionDenied => "permission denied".to_owned(),
        _ => error.to_string(),
    }
}

/// Compiles every mechanism of a text, or a robot in URDF if `path` ends in `.urdf`: see [`parse_urdf`](mbs_syntax::parse_urdf). Files are
/// imported relative to the folder of `path`; the [`Sources`] list the files read.
///
/// # Errors
/// All mistakes of the first stage that has any, rendered.
pub fn compile_text(path: &str, text: &str, options: Options) -> Result<Vec<(Compiled, Sources)>, Failure> {
    compile_text_in(Style::Plain, path, text, options)
}

/// As [`compile_text`], with mistakes rendered in a style.
///
/// # Errors
/// All mistakes of the first stage that has any, rendered.
pub fn compile_text_in(
    style: Style,
    path: &str,
    text: &str,
    options: Options,
) -> Result<Vec<(Compiled, Sources)>, Failure> {
    let Parsed { definitions, sources, errors } =
        parse_file_with(path, text, &mut |name| from_folder(parent_folder(path), name));
    let refused = |list: &[Diagnostic]| Failure::Mistakes(sources.render_as(list, Severity::Error, style));
    if !errors.is_empty() {
        return Err(refused(errors.list()));
    }
    let conflicts = name_conflicts(&definitions);
    if !conflicts.is_empty() {
        return Err(refused(conflicts.list()));
    }
    let mut all = Vec::new();
    let mut mistakes = Vec::new();
    for definition in &definitions {
        match compile(definition, options) {
            Ok(compiled) => all.push((compiled, sources.clone())),
            Err(errors) => mistakes.extend(errors.list().iter().cloned()),
        }
    }
    if mistakes.is_empty() { Ok(all) } else { Err(refused(&mistakes)) }
}

/// Reports mechanisms of one text whose modules or types would have equal names.
fn name_conflicts(definitions: &[Definition]) -> Errors {
    let names = |d: &Definition| {
        let (span, name) = (Span::call_site(), &d.name.text);
        [module_name_of(name, span), value_ident(name, span)]
    };
    let mut errors = Errors::new();
    for (i, definition) in definitions.iter().enumerate().filter(|(_, d)| !d.name.text.is_empty()) {
        let rust_names = names(definition);
        let conflict =
            definitions[..i].iter().find(|earlier| names(earlier).iter().any(|name| rust_names.contains(name)));
        let Some(conflict) = conflict else { continue };
        let (name, origin) = (&definition.name.text, definition.name.origin);
        let message = match conflict.name.text == *name {
            true => format!("two mechanisms are called `{name}`"),
            false => format!("mechanisms `{}` and `{name}` would have one name in Rust", conflict.name.text),
        };
        errors.push("MBS011", origin, message, Some("give one of them another name".to_owned()));
        errors.point_to("MBS011", origin, conflict.name.origin, "first declared here");
    }
    errors
}

/// Warnings of compiled mechanisms, without those in imported files.
fn warnings(compiled: &[(Compiled, Sources)]) -> impl Iterator<Item = (&Sources, Diagnostic)> {
    compiled
        .iter()
        .flat_map(|(of, sources)| sources.outside_imports(&of.model.warnings).into_iter().map(move |w| (sources, w)))
}

/// Warnings of compiled mechanisms, rendered; empty if there are none.
pub fn rendered_warnings(compiled: &[(Compiled, Sources)], style: Style) -> String {
    let rendered = warnings(compiled).map(|(sources, warning)| sources.render_as(&[warning], Severity::Warning, style));
    rendered.collect::<Vec<_>>().join("\n\n")
}

/// The folder of a file; empty for a file name alone.
fn parent_folder(path: &str) -> &Path {
    Path::new(path).parent().unwrap_or(Path::new(""))
}

/// Tokens of every mechanism of a text, equal to those of the macro.
///
/// # Errors
/// As [`compile_text`].
pub fn tokens(path: &str, text: &str, options: Options) -> Result<TokenStream, Failure> {
    Ok(emit_all(&compile_text(path, text, options)?))
}

fn emit_all(compiled: &[(Compiled, Sources)]) -> TokenStream {
    compiled.iter().map(|(compiled, sources)| emit_compiled(compiled, sources)).collect()
}
