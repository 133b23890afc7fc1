//! Derivatives of functions written in Rust, compared with differences in debug builds.

use super::Cause;
use mbs_core::{Describe, Item, StateView};

/// Number of rows in which they are compared: in a single row, at rest, they may be right by chance.
const CHECKED_ROWS: usize = 20;

/// Checks in debug builds, for the first `CHECKED_ROWS` rows, that functions give the derivatives of their values at a state.
pub(crate) fn check_row<M: Describe>(mechanism: &M, at: StateView, rows: usize) -> Result<(), Cause> {
    if rows >= CHECKED_ROWS { Ok(()) } else { check(mechanism, at) }
}

/// In debug builds the wrong derivative at a state, if there is one, in place of a failure that it may have caused; else that failure.
pub(crate) fn replace_by_wrong_derivative<M: Describe>(mechanism: &M, at: StateView, cause: Cause) -> Cause {
    check(mechanism, at).err().unwrap_or(cause)
}

fn check<M: Describe>(mechanism: &M, at: StateView) -> Result<(), Cause> {
    if !cfg!(debug_assertions) {
        return Ok(());
    }
    mechanism.check_functions(at).map_err(|wrong| {
        let function = mechanism.name(Item::Function(wrong.function)).to_owned();
        Cause::Derivative { function, wrong }
    })
}
