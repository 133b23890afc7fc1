//! Diagnosis of mechanisms that do not move, or that stop: messages, and numbers against closed forms, in both formulations.

mod linkages;
mod motion;
mod redundant;
mod singular;
mod state;

use mbs::diagnosis::Finding;
use mbs::{Describe, Diagnosis, State, diagnose};

/// Findings as text, a line each.
fn messages(diagnosis: &Diagnosis) -> Vec<String> {
    diagnosis.findings.iter().map(Finding::to_string).collect()
}

/// The only finding of a state.
fn only<M: Describe>(mechanism: &M, state: &State<M>) -> Finding {
    let diagnosis = diagnose(mechanism, state);
    assert_eq!(diagnosis.findings.len(), 1, "{diagnosis}");
    diagnosis.findings[0].clone()
}

/// Names as `&str`.
fn names<'a>(of: impl IntoIterator<Item = &'a String>) -> Vec<&'a str> {
    of.into_iter().map(String::as_str).collect()
}
