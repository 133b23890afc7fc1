//! Notes on a sound mechanism: its redundant rows, and the diagnosis of its initial state.

use mbs::diagnosis::{Finding, diagnose};
use mbs::{State, assemble};
use mbs_compiler::compile::Compiled;
use mbs_compiler::interp::Fma;
use mbs_interp::Interpreted;
use mbs_physics::Redundant;

/// Result of `redundant: resolve;`, then findings about the assembled initial state, as sentences. There are no findings where functions
/// written in Rust would be needed.
pub fn of(compiled: Compiled) -> Vec<String> {
    let mut notes: Vec<String> = left_out(&compiled).into_iter().collect();
    notes.extend(findings(compiled));
    notes
}

fn left_out(compiled: &Compiled) -> Option<String> {
    compiled.model.redundant?;
    let Redundant { rows, sharing } = &compiled.tree.redundant;
    let listed = |names: Vec<&str>| match &names.iter().map(|n| format!("`{n}`")).collect::<Vec<_>>()[..] {
        [first @ .., last] if !first.is_empty() => format!("{} and {last}", first.join(", ")),
        all => all.concat(),
    };
    let left_out = listed(rows.iter().map(|r| r.name.as_str()).collect());
    let [is, it] = if rows.len() == 1 { ["is", "it"] } else { ["are", "them"] };
    Some(match &sharing[..] {
        [] => "`redundant: resolve;` has nothing to do: all rows are independent".to_owned(),
        [_] => format!("{left_out} {is} redundant and left out: nothing new is held by {it}"),
        all => format!(
            "{left_out} {is} redundant and left out, other rows imply {it}; how {} share their load is not determined",
            listed(all.iter().map(String::as_str).collect())
        ),
    })
}

/// Most speeds of a mechanism whose start is diagnosed: that takes dense decompositions, of so many some seconds.
const MOST_SPEEDS: usize = 500;

/// None where functions written in Rust would be needed.
fn findings(compiled: Compiled) -> Vec<String> {
    let speeds = compiled.tree.n();
    if speeds > MOST_SPEEDS {
        return vec![format!("the start is not diagnosed: {speeds} speeds are more than {MOST_SPEEDS}")];
    }
    let Ok(mechanism) = Interpreted::new(compiled, Fma::Plain) else { return Vec::new() };
    let mut state = State::new(&mechanism);
    // A mechanism that does not assemble is diagnosed where assembly stopped.
    let _ = assemble(&mechanism, &mut state);
    diagnose(&mechanism, &state).findings.iter().filter(|f| !is_told(f)).map(Finding::to_string).collect()
}

/// The mobility of the summary says these.
fn is_told(finding: &Finding) -> bool {
    matches!(finding, Finding::Rigid | Finding::UnderDriven { .. })
}
