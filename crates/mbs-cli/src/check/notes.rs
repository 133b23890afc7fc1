//! Notes on a sound mechanism: its redundant rows, and the diagnosis of its initial state.

use mbs::diagnosis::{Finding, diagnose};
use mbs::{State, assemble};
use mbs_compiler::compile::Compiled;
use mbs_compiler::interp::Fma;
use mbs_interp::Interpreted;
use mbs_physics::Redundant;

/// The result of `redundant: resolve;`, then the findings about the assembled initial state, as sentences. There are no findings if the
/// mechanism calls functions written in Rust, which the command line does not have.
pub fn sentences(compiled: Compiled) -> Vec<String> {
    let mut notes: Vec<String> = left_out(&compiled).into_iter().collect();
    notes.extend(findings(compiled));
    notes
}

/// The rows that `redundant: resolve;` leaves out; none if the mechanism does not declare it.
fn left_out(compiled: &Compiled) -> Option<String> {
    compiled.model.settings.redundant?;
    let Redundant { rows, sharing } = &compiled.tree.redundant;
    let listed = |names: Vec<&str>| match &names.iter().map(|n| format!("`{n}`")).collect::<Vec<_>>()[..] {
        [first @ .., last] if !first.is_empty() => format!("{} and {last}", first.join(", ")),
        all => all.concat(),
    };
    let left_out = listed(rows.iter().map(|r| r.name.as_str()).collect());
    let [is, it, adds] = if rows.len() == 1 { ["is", "it", "it adds"] } else { ["are", "them", "they add"] };
    Some(match &sharing[..] {
        [] => "`redundant: resolve;` has nothing to do: all rows are independent".to_owned(),
        [_] => format!("{left_out} {is} redundant and left out: {adds} no constraint"),
        all => format!(
            "{left_out} {is} redundant and left out, other rows imply {it}; how {} share their load is not determined",
            listed(all.iter().map(String::as_str).collect())
        ),
    })
}

/// Most speeds of a mechanism whose initial state is diagnosed: the diagnosis takes dense decompositions, some seconds at this size.
const MOST_SPEEDS: usize = 500;

/// Findings of the diagnosis; empty if functions written in Rust would be needed.
fn findings(compiled: Compiled) -> Vec<String> {
    let speeds = compiled.tree.n();
    if speeds > MOST_SPEEDS {
        return vec![format!("the start is not diagnosed: {speeds} speeds are more than {MOST_SPEEDS}")];
    }
    let Ok(mechanism) = Interpreted::new(compiled, Fma::Plain) else { return Vec::new() };
    let mut state = State::new(&mechanism);
    // A mechanism that does not assemble is diagnosed in the state in which assembly stopped.
    let _ = assemble(&mechanism, &mut state);
    diagnose(&mechanism, &state).findings.iter().filter(|f| !is_in_summary(f)).map(Finding::to_string).collect()
}

/// Whether the mobility of the summary reports the finding already.
fn is_in_summary(finding: &Finding) -> bool {
    matches!(finding, Finding::Rigid | Finding::UnderDriven { .. })
}
