//! The compiler on texts, for build scripts and tools: mistakes are rendered with the lines that they are in.

use std::path::{Path, PathBuf};
use std::{fmt, io};

use mbs_definition::Diagnostic;
use mbs_syntax::{Parsed, Severity, Sources, Style, from_folder, parse_file_with};
use proc_macro2::TokenStream;

use mbs_compiler::compile::{Compiled, Options, compile};

use super::{emit_compiled, name_conflicts};

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

/// Warnings of compiled mechanisms, without those in imported files.
pub(super) fn warnings(compiled: &[(Compiled, Sources)]) -> impl Iterator<Item = (&Sources, Diagnostic)> {
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

pub(super) fn emit_all(compiled: &[(Compiled, Sources)]) -> TokenStream {
    compiled.iter().map(|(compiled, sources)| emit_compiled(compiled, sources)).collect()
}
