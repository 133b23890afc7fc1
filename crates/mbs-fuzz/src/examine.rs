//! Examination of one text, URDF or table by parser, resolver, checks, engine and compiler, in this process.

mod compiler;
mod diagnostics;
mod engine;
mod panics;

use std::panic::{AssertUnwindSafe, catch_unwind};

use mbs_compiler::compile::{Options, compile};
use mbs_definition::{Definition, Errors};
use mbs_model::Formulation;
use mbs_resolve::resolve;
use mbs_syntax::{Imported, Sources, parse_file_with, to_compile_error};
use serde::{Deserialize, Serialize};

use crate::input::Input;

pub use panics::record as record_panics;

/// Outcome for an input.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Verdict {
    /// The input is refused, with the code of the first message or another word for the reason.
    Refused(String),
    /// The input is valid, and no fault was found.
    Sound {
        /// Whether it was compiled and printed as well.
        is_compiled: bool,
    },
    /// A failure of this project.
    Failed(Failure),
}

/// A violated law.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Failure {
    /// The law, and the location of the violation; equal for inputs that fail alike.
    pub law: String,
    /// The message.
    pub message: String,
}

impl Failure {
    /// Creates the failure of a law, with a message.
    pub fn new(law: impl Into<String>, message: impl Into<String>) -> Failure {
        Failure { law: law.into(), message: message.into() }
    }
}

/// One mechanism in this many that the resolver accepts is compiled, whatever the verdict of the engine.
const COMPILED: u64 = 4;
/// One compiled mechanism in this many is also printed as a page of mathematics; one sound mechanism in this many is diagnosed.
const DIAGNOSED: u64 = 16;

/// The coordinates of a choice: the declared ones half the time.
fn formulation(choice: u64) -> Option<Formulation> {
    match (choice / 256) % 6 {
        0 => Some(Formulation::Body),
        1 => Some(Formulation::Joint),
        2 => Some(Formulation::Natural),
        _ => None,
    }
}

/// Examines an input; a panic is a failure like any other, reported with its location if [`record_panics`] was called before.
pub fn examine(input: &Input) -> Verdict {
    match catch_unwind(AssertUnwindSafe(|| judged(input))) {
        Ok(Ok(verdict)) => verdict,
        Ok(Err(failure)) => Verdict::Failed(failure),
        Err(_) => Verdict::Failed(panics::last()),
    }
}

fn judged(input: &Input) -> Result<Verdict, Failure> {
    let Some((main, others)) = input.files.split_first() else { return Ok(Verdict::Refused("no file".to_owned())) };
    let mut loader = |name: &str| {
        let last = name.rsplit('/').next().unwrap_or(name);
        let found = others.iter().find(|file| file.name == last);
        found
            .map(|file| Imported { path: name.to_owned(), text: file.text.clone() })
            .ok_or_else(|| "no such file".to_owned())
    };
    let parsed = parse_file_with(&main.name, &main.text, &mut loader);
    let sources = &parsed.sources;
    // Compile errors that the macro makes of mistakes.
    let _ = to_compile_error(parsed.errors.list(), sources);
    if let Some(code) = diagnostics::check("the parser", &parsed.errors, sources)? {
        return Ok(Verdict::Refused(code));
    }
    let mut verdict = Verdict::Refused("no mechanism".to_owned());
    for definition in parsed.definitions.iter().take(3) {
        verdict = mechanism(definition, sources, input.choice)?;
    }
    Ok(verdict)
}

fn mechanism(definition: &Definition, sources: &Sources, choice: u64) -> Result<Verdict, Failure> {
    let mut model = match resolve(definition) {
        Ok(model) => model,
        Err(errors) => return refused("the resolver", &errors, sources),
    };
    let mut warnings = Errors::new();
    model.warnings.iter().for_each(|warning| warnings.add(warning.clone()));
    diagnostics::check("a warning", &warnings, sources)?;
    let formulation = formulation(choice);
    if let Some(formulation) = formulation {
        mbs_physics::set_formulation(&mut model, formulation);
    }
    // The compiler has no values of functions written in Rust, without which the engine cannot run.
    let engine = model.check_bound().is_ok().then(|| engine::build(model));
    let is_compiled = choice.is_multiple_of(COMPILED) || engine.is_none();
    let compiled = is_compiled.then(|| compile(definition, Options { formulation, ..Options::default() }));
    if let (Some(engine), Some(compiled)) = (&engine, &compiled) {
        compiler::compare(engine, compiled)?;
    }
    let is_complete = (choice / COMPILED).is_multiple_of(DIAGNOSED);
    if let Some(Ok(engine)) = &engine {
        engine::run(engine, is_complete)?;
    }
    match (engine, compiled) {
        (_, Some(Err(errors))) => refused("the compiler", &errors, sources),
        (Some(Err(refusal)), _) => Ok(Verdict::Refused(refusal.code())),
        (_, Some(Ok(compiled))) => {
            compiler::print(&compiled, sources, is_complete)?;
            Ok(Verdict::Sound { is_compiled: true })
        }
        _ => Ok(Verdict::Sound { is_compiled: false }),
    }
}

fn refused(stage: &str, errors: &Errors, sources: &Sources) -> Result<Verdict, Failure> {
    match diagnostics::check(stage, errors, sources)? {
        Some(code) => Ok(Verdict::Refused(code)),
        None => Err(Failure::new(format!("{stage} says why it refuses"), "no message")),
    }
}
