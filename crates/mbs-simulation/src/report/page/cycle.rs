//! The table of a cycle in the data of the page.

use super::{Page, reactions};
use crate::analysis::{Cycle, CycleTable};
use crate::json::{push_list, push_numbers, push_string};
use crate::{Quantity, Recording};

/// Steps per revolution: rows are 15° apart.
const STEPS: usize = 24;
/// Largest number of columns of the default table.
const MOST: usize = 24;
/// Forces below this fraction of the largest are round-off.
const NEGLIGIBLE: f64 = 1e-9;

/// Appends `,"cycle": {…}`, or `null` without a revolution; `isChosen` if the user chose its columns.
pub(super) fn push(out: &mut String, page: &Page) {
    out.push_str(",\n\"cycle\":");
    let default = if page.cycle.is_none() && page.modes.is_none() { table(page.recording) } else { None };
    let Some(table) = page.cycle.as_ref().or(default.as_ref()) else { return out.push_str("null") };
    out.push_str("{\"angle\":");
    push_string(out, &table.angle);
    out.push_str(&format!(",\"isChosen\":{},\"degrees\":", page.cycle.is_some()));
    push_numbers(out, table.angles.iter().map(|angle| angle.to_degrees()));
    out.push_str(",\"t\":");
    push_numbers(out, table.times.iter().copied());
    out.push_str(",\"columns\":");
    push_list(out, &table.columns, |out, column| {
        out.push_str("\n{\"name\":");
        push_string(out, &column.name);
        out.push_str(",\"y\":");
        push_numbers(out, column.values.iter().copied());
        out.push_str(",\"summary\":");
        push_numbers(out, [column.minimum, column.maximum, column.mean, column.rms]);
        out.push('}');
    });
    out.push('}');
}

/// The default table: the last revolution of the first angle with a full one, every 15°.
fn table(recording: &Recording) -> Option<CycleTable> {
    let angles = recording.table(Quantity::Coordinates).names().iter();
    let mut angles = angles.filter(|name| name.ends_with(".angle")).map(|name| format!("q.{name}"));
    let cycle = angles.find_map(|name| last_revolution(recording, &name))?;
    let columns = columns(recording);
    let names: Vec<&str> = columns.iter().map(String::as_str).take(MOST).collect();
    cycle.steps(STEPS).table(&names).ok().filter(|_| !names.is_empty())
}

fn last_revolution<'r>(recording: &'r Recording, angle: &str) -> Option<Cycle<'r>> {
    let first = recording.cycle(angle).ok()?;
    first.clone().last().ok().or(Some(first))
}

/// Names of the finite outputs, loads of drives, and magnitudes of reactions that are not negligible.
fn columns(recording: &Recording) -> Vec<String> {
    let is_finite = |values: &[f64]| values.iter().all(|x| x.is_finite());
    let outputs = recording.table(Quantity::Outputs).iter().filter(|(_, values)| is_finite(values));
    let outputs = outputs.map(|(name, _)| format!("output.{name}"));
    let drives = reactions::drives(recording).into_iter().filter(|(_, values)| is_finite(values));
    let drives = drives.map(|(name, _)| format!("drive.{name}"));
    let largest = |values: &[f64]| values.iter().copied().fold(0.0, f64::max);
    let magnitudes = reactions::magnitudes(recording);
    let most = magnitudes.iter().map(|(_, values)| largest(values)).fold(0.0, f64::max);
    let is_there = |values: &[f64]| is_finite(values) && largest(values) > NEGLIGIBLE * most;
    let forces = magnitudes.iter().filter(|(_, values)| is_there(values)).map(|(name, _)| format!("reaction.{name}"));
    outputs.chain(drives).chain(forces).collect()
}
