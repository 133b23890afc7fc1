//! The compiler compared with the engine, and its printed results.

use mbs::diagnosis::diagnose;
use mbs::{Engine, State, assemble};
use mbs_codegen::emit::{Emission, emit};
use mbs_codegen::print::Paths;
use mbs_compiler::compile::Compiled;
use mbs_compiler::interp::Fma;
use mbs_definition::{Errors, Space};
use mbs_interp::Interpreted;
use mbs_sheet::{MOST_SYMBOLS, expanded_size, markdown};
use mbs_syntax::Sources;

use super::Failure;
use super::diagnostics::BIDIRECTIONAL;
use super::engine::Refusal;

/// Codes that only the compiler reports: names of generated types, operations over a budget, derivatives of functions, kernels.
const COMPILER_CODES: [&str; 8] = ["MBS028", "MBS064", "MBS065", "MBS066", "MBS067", "MBS068", "MBS069", "MBS081"];

/// Checks that engine and compiler agree on whether a mechanism is valid, and on the first message.
pub fn compare(engine: &Result<Engine, Refusal>, compiled: &Result<Compiled, Errors>) -> Result<(), Failure> {
    let first_message = |errors: &Errors| errors.list().first().map_or_else(String::new, ToString::to_string);
    let differ = |law: String, message: String| Err(Failure::new(law, message));
    match (engine, compiled) {
        (Ok(_), Err(errors)) if !errors.list().first().is_some_and(|d| COMPILER_CODES.contains(&d.code)) => {
            let first = first_message(errors);
            differ(format!("the engine takes what the compiler takes, {}", &first[..8.min(first.len())]), first)
        }
        (Err(Refusal::Mistake(first)), Ok(_)) => {
            differ(format!("the compiler takes what the engine takes, {}", &first[..8.min(first.len())]), first.clone())
        }
        (Err(Refusal::Mistake(engine_message)), Err(errors)) if *engine_message != first_message(errors) => {
            let compiler_message = first_message(errors);
            if COMPILER_CODES.iter().any(|code| compiler_message.contains(code)) {
                return Ok(());
            }
            let codes = [engine_message.get(1..7).unwrap_or_default(), compiler_message.get(1..7).unwrap_or_default()];
            let law = format!("the first message of engine and compiler is the same, {} {}", codes[0], codes[1]);
            differ(law, format!("engine: {engine_message}\ncompiler: {compiler_message}"))
        }
        _ => Ok(()),
    }
}

/// Prints a mechanism as Rust; if `is_complete`, also prints it as mathematics, and interprets it at the start.
pub fn print(compiled: &Compiled, sources: &Sources, is_complete: bool) -> Result<(), Failure> {
    let tokens = emit(&Emission { compiled, span: &|origin| sources.span(origin), paths: &Paths::default() });
    let text = tokens.to_string();
    if let Some(c) = text.chars().find(|c| *c == '\r' || BIDIRECTIONAL.contains(c)) {
        return Err(Failure::new("generated Rust has no character that rustc refuses", format!("{c:?}")));
    }
    if let Err(error) = syn::parse_file(&text) {
        return Err(Failure::new("generated Rust parses", error.to_string()));
    }
    if !is_complete {
        return Ok(());
    }
    if compiled.model.space == Space::Planar && expanded_size(compiled) <= MOST_SYMBOLS {
        let _ = markdown(compiled);
    }
    let Ok(mechanism) = Interpreted::new(compiled.clone(), Fma::Plain) else { return Ok(()) };
    let mut state = State::new(&mechanism);
    let _ = assemble(&mechanism, &mut state);
    let _ = diagnose(&mechanism, &state);
    Ok(())
}
