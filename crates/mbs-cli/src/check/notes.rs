//! What the diagnosis of the initial state adds to a sound mechanism.

use mbs::diagnosis::{Finding, diagnose};
use mbs::{State, assemble};
use mbs_codegen::Interpreted;
use mbs_codegen::compile::Compiled;
use mbs_codegen::interp::Fma;

/// Findings about the assembled initial state, in words. None where functions written in Rust would be needed.
pub fn of(compiled: Compiled) -> Vec<String> {
    let Ok(mechanism) = Interpreted::new(compiled, Fma::Plain) else { return Vec::new() };
    let mut state = State::new(&mechanism);
    // What does not assemble is diagnosed where assembly left it.
    let _ = assemble(&mechanism, &mut state);
    diagnose(&mechanism, &state).findings.iter().filter(|f| !is_told(f)).map(Finding::to_string).collect()
}

/// The mobility of the summary says these.
fn is_told(finding: &Finding) -> bool {
    matches!(finding, Finding::Rigid | Finding::UnderDriven { .. })
}
