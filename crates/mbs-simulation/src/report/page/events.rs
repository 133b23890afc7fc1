//! The events of a run in the data of the page.

use super::Page;
use crate::Occurrence;
use crate::json::{push_list, push_number, push_string};

/// Largest number of events that a page lists.
const MOST: usize = 500;

/// Appends `,"events": {…}`, or `null` without events.
pub(super) fn push(out: &mut String, page: &Page) {
    let events = page.recording.events();
    out.push_str(",\n\"events\":");
    if events.is_empty() {
        return out.push_str("null");
    }
    out.push_str(&format!("{{\"count\":{},\"stop\":", events.len()));
    match events.stop() {
        Some(name) => push_string(out, name),
        None => out.push_str("null"),
    }
    out.push_str(",\"list\":");
    push_list(out, events.iter().take(MOST), |out, Occurrence { event, name, t, impulses, .. }| {
        out.push_str("\n{\"name\":");
        push_string(out, name);
        out.push_str(",\"t\":");
        push_number(out, t, ["null"; 3]);
        out.push_str(",\"impulses\":");
        push_list(out, events.conditions(event).iter().zip(impulses), |out, (name, impulse)| {
            out.push('[');
            push_string(out, name);
            out.push(',');
            push_number(out, *impulse, ["null"; 3]);
            out.push(']');
        });
        out.push('}');
    });
    out.push('}');
}
