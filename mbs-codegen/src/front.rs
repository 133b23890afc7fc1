//! The two front ends of the compiler: `mechanism! { … }` and build scripts. Both run the same pipeline and print the same tokens.

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

/// Expands `mechanism! { … }` to the module, or to the mistakes and a module with the same names. Files are imported relative to the package.
pub fn expand(tokens: TokenStream) -> TokenStream {
    expand_in(tokens, None)
}

/// As [`expand`], for a call in a source file: imported files are searched first in its folder. rustc watches them.
pub fn expand_in(tokens: TokenStream, source: Option<&Path>) -> TokenStream {
    let mut folders = Folders::of(source);
    let parsed = parse_tokens_with(tokens, &mut |name| folders.load(name));
    expanded(&parsed, &folders)
}

/// Expands `urdf! { pub Arm = "arm.urdf"; }`: as [`expand_in`], for robots that are mechanisms by themselves.
pub fn expand_robots_in(tokens: TokenStream, source: Option<&Path>) -> TokenStream {
    let mut folders = Folders::of(source);
    let parsed = parse_robot_tokens_with(tokens, &mut |name| folders.load(name));
    expanded(&parsed, &folders)
}

fn expanded(parsed: &Parsed, folders: &Folders) -> TokenStream {
    let mut output = folders.watches();
    let mut diagnostics = parsed.errors.list().to_vec();
    let twins = twins(&parsed.definitions);
    diagnostics.extend(twins.list().iter().cloned());
    for definition in &parsed.definitions {
        if twins.list().iter().any(|twin| twin.origin == definition.name.origin) {
            continue;
        }
        // A definition with syntax errors is not resolved further: missing declarations would be reported again.
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
            Failure::Io(path, error) => write!(f, "error: {}: {}", path.display(), reason(path, error)),
        }
    }
}

/// As `Display`, because `main` shows this.
impl fmt::Debug for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl std::error::Error for Failure {}

/// Describes an error in plain words, without numbers of the operating system.
fn reason(path: &Path, error: &io::Error) -> String {
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
        parse_file_with(path, text, &mut |name| from_folder(folder_of(path), name));
    let refused = |list: &[Diagnostic]| Failure::Mistakes(sources.render_as(list, Severity::Error, style));
    if !errors.is_empty() {
        return Err(refused(errors.list()));
    }
    let twins = twins(&definitions);
    if !twins.is_empty() {
        return Err(refused(twins.list()));
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
fn twins(definitions: &[Definition]) -> Errors {
    let names = |d: &Definition| {
        let (span, name) = (Span::call_site(), &d.name.text);
        [module_name_of(name, span), value_ident(name, span)]
    };
    let mut errors = Errors::new();
    for (i, definition) in definitions.iter().enumerate().filter(|(_, d)| !d.name.text.is_empty()) {
        let own = names(definition);
        let twin = definitions[..i].iter().find(|earlier| names(earlier).iter().any(|name| own.contains(name)));
        let Some(twin) = twin else { continue };
        let (name, origin) = (&definition.name.text, definition.name.origin);
        let message = match twin.name.text == *name {
            true => format!("two mechanisms are called `{name}`"),
            false => format!("mechanisms `{}` and `{name}` would have one name in Rust", twin.name.text),
        };
        errors.push("MBS011", origin, message, Some("give one of them another name".to_owned()));
        errors.point_to("MBS011", origin, twin.name.origin, "first declared here");
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
