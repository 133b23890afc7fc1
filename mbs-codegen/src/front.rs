//! The two front ends of the compiler: `mechanism! { … }` and build scripts. Both run one pipeline and print equal tokens.

#[cfg(feature = "build")]
mod build;
#[cfg(feature = "build")]
mod compile_text;
mod imports;
mod skeleton;
#[cfg(feature = "build")]
mod text;

#[cfg(feature = "build")]
pub use build::{Build, format_rust, generate};
#[cfg(feature = "build")]
pub use compile_text::{Failure, compile_text, compile_text_in, rendered_warnings, tokens};

use std::path::Path;

use mbs_definition::{Definition, Errors, Origin};
use mbs_syntax::{Parsed, Sources, parse_robot_tokens_with, parse_tokens_with, to_compile_error};
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
