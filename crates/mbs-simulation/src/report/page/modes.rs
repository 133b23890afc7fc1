//! Modes in the data of the page.

use super::Page;
use crate::json::{push_list, push_numbers, push_string};

#[cfg(feature = "nalgebra")]
impl crate::analysis::Swings {
    /// A page with a table of modes, which animates the chosen one.
    pub fn page(&self) -> Page<'_> {
        self.recording().page().swings(self.modes.clone())
    }
}

/// Frames per second of a page of modes: a period of 48 frames takes 2 s.
const RATE: f64 = 24.0;

/// Time of a row in the page \[s\].
pub(super) fn time(page: &Page, row: usize) -> f64 {
    if page.modes.is_some() { row as f64 / RATE } else { page.recording.times()[row] }
}

/// Appends `,"modes": […]`, or `null` for a run.
pub(super) fn push(out: &mut String, page: &Page) {
    out.push_str(",\n\"modes\":");
    let Some(modes) = &page.modes else { return out.push_str("null") };
    push_list(out, modes, |out, mode| {
        out.push_str("\n{\"kind\":");
        push_string(out, &mode.kind);
        out.push_str(&format!(",\"isUnstable\":{},\"numbers\":", mode.is_unstable));
        push_numbers(out, mode.numbers);
        let [first, last] = mode.frames;
        out.push_str(&format!(",\"first\":{first},\"last\":{last}}}"));
    });
}
