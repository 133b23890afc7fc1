//! The recording as the JSON that the page's scripts read; `model.js` documents its fields.

use super::{Page, curves, cycle, events, modes, orders, reactions, solids};
use crate::json::{push_list, push_numbers, push_string};
use crate::{Body, Connection};
use crate::{Quantity, Recording};

/// The JSON of a page.
pub(super) fn json(page: &Page) -> String {
    let (recording, most) = (page.recording, page.frames);
    let rows = thinned_rows(recording.len(), most);
    let is_planar = !recording.is_spatial()
        && recording.markers().iter().flat_map(|m| &m.positions).all(|p| p[2] == 0.0)
        && recording.bodies().iter().flat_map(|b| &b.attitudes).all(|e| e[1] == 0.0 && e[2] == 0.0);
    let mut out = String::from("{\"title\":");
    push_string(&mut out, &page.title);
    out.push_str(",\"mechanism\":");
    push_string(&mut out, recording.mechanism());
    let steps = recording.statistics();
    out.push_str(&format!(
        ",\"rows\":{},\"steps\":{},\"rejected\":{},\"evaluations\":{},\"planar\":{is_planar}",
        recording.len(),
        steps.accepted,
        steps.rejected,
        steps.evaluations,
    ));
    if rows.len() < recording.len() {
        out.push_str(",\"frames\":");
        push_list(&mut out, &rows, |out, row| out.push_str(&row.to_string()));
    }
    out.push_str(",\"t\":");
    push_numbers(&mut out, rows.iter().map(|row| modes::time(page, *row)));
    out.push_str(",\n\"bodies\":");
    push_list(&mut out, recording.bodies(), |out, body| push_body(out, body, &rows, is_planar));
    out.push_str(",\n\"markers\":");
    push_list(&mut out, recording.markers(), |out, marker| {
        out.push_str("\n{\"name\":");
        push_string(out, &marker.name);
        out.push_str(&format!(",\"body\":{}", marker.body.map_or("null".into(), |body| body.to_string())));
        for (axis, component) in ["x", "y", "z"].iter().zip(0..if is_planar { 2 } else { 3 }) {
            out.push_str(&format!(",\"{axis}\":"));
            push_numbers(out, rows.iter().map(|row| marker.positions[*row][component]));
        }
        out.push('}');
    });
    out.push_str(",\n\"joints\":");
    push_list(&mut out, recording.joints(), |out, joint| {
        // A gear, which connects no markers, has a row of the same name as a rod.
        let kind = joint.ends.map_or("", |_| joint_symbol(recording, &joint.name));
        push_connection(out, joint, Some(kind));
    });
    out.push_str(",\n\"forces\":");
    push_list(&mut out, recording.forces(), |out, force| {
        push_connection(out, force, force.is_cable.then_some("cable"))
    });
    if recording.is_spatial() {
        solids::push(&mut out, page);
    } else if !recording.curves().is_empty() {
        curves::push(&mut out, page, &rows);
    }
    out.push_str(",\n\"groups\":");
    match &page.modes {
        // Frames of modes have no plots over time.
        Some(_) => out.push_str("[]"),
        None => push_groups(&mut out, recording, most),
    }
    modes::push(&mut out, page);
    reactions::push(&mut out, page, &rows);
    cycle::push(&mut out, page);
    orders::push(&mut out, page);
    events::push(&mut out, page);
    out.push('}');
    out
}

/// Names with their values.
type Series<'r> = Vec<(&'r str, &'r [f64])>;

/// Appends all tables, and the loads of drives.
fn push_groups(out: &mut String, recording: &Recording, most: usize) {
    let total = recording.total_energy();
    let drives = reactions::drives(recording);
    let magnitudes = if recording.len() > most { reactions::magnitudes(recording) } else { Vec::new() };
    let mut groups: Vec<(&str, Series)> = Vec::new();
    for table in recording.tables() {
        let mut series: Series = table.iter().collect();
        match table.quantity() {
            Quantity::Energies => series.push(("total", &total)),
            Quantity::Reactions => series.extend(magnitudes.iter().map(|(name, values)| (name.as_str(), &**values))),
            _ => {}
        }
        groups.push((table.quantity().symbol(), series));
    }
    groups.push(("drive", drives.iter().map(|(name, values)| (name.as_str(), &**values)).collect()));
    push_list(out, groups, |out, (id, series)| {
        out.push_str("\n{\"id\":");
        push_string(out, id);
        out.push_str(",\"series\":");
        push_list(out, series, |out, (name, values)| {
            out.push_str("\n{\"name\":");
            push_string(out, name);
            push_series(out, recording.times(), values, most);
            out.push('}');
        });
        out.push('}');
    });
}

/// Appends the motion of a body: in the plane the angle in (−2π, 2π], since the attitude does not determine revolutions; in space origin and
/// attitude.
fn push_body(out: &mut String, body: &Body, rows: &[usize], is_planar: bool) {
    out.push_str("\n{\"name\":");
    push_string(out, &body.name);
    if is_planar {
        out.push_str(",\"angle\":");
        // θ = 2 atan2(e₃, e₀).
        let angle = |row: &usize| 2.0 * body.attitudes[*row][3].atan2(body.attitudes[*row][0]);
        push_numbers(out, rows.iter().map(angle));
    } else {
        out.push_str(",\"position\":");
        push_numbers(out, rows.iter().flat_map(|row| body.positions[*row]));
        out.push_str(",\"attitude\":");
        push_numbers(out, rows.iter().flat_map(|row| body.attitudes[*row]));
    }
    out.push('}');
}

fn push_connection(out: &mut String, connection: &Connection, kind: Option<&str>) {
    out.push_str("\n{\"name\":");
    push_string(out, &connection.name);
    if let Some(kind) = kind {
        out.push_str(",\"kind\":");
        push_string(out, kind);
    }
    match connection.ends {
        Some([first, second]) => out.push_str(&format!(",\"ends\":[{first},{second}]}}")),
        None => out.push_str(",\"ends\":null}"),
    }
}

/// Symbol of a joint, inferred from the names of its rows and coordinates, which depend on its kind; empty if they are ambiguous.
fn joint_symbol(recording: &Recording, joint: &str) -> &'static str {
    let has = |quantity, part: &str| {
        let names = recording.table(quantity).names();
        names.iter().any(|name| name.strip_prefix(joint).is_some_and(|rest| rest == part))
    };
    let is_known = [Quantity::Multipliers, Quantity::Coordinates].iter().any(|quantity| {
        let names = recording.table(*quantity).names();
        names.iter().any(|name| name.strip_prefix(joint).is_some_and(|rest| rest.starts_with('.')))
    });
    let (row, coordinate) = (|part| has(Quantity::Multipliers, part), |part| has(Quantity::Coordinates, part));
    match () {
        // In space the page infers the symbol from the motion of the ends where names do not determine it.
        () if recording.is_spatial() && is_known && !coordinate(".position[0]") => "",
        () if recording.is_spatial() && !row("") => "free",
        () if coordinate(".position[0]") => "free",
        () if coordinate(".position") || row(".normal") && row(".angle") => "slide",
        () if row(".normal") => "slot",
        () if row(".x") && row(".angle") => "weld",
        // A contact of curves: its ends are the points to which the curves are fixed.
        () if row(".x") && row(".tangent") => "",
        () if row(".x") || coordinate(".angle") => "pin",
        () if row("") => "rod",
        () => "",
    }
}

/// Appends the values at the frames, or, for a long recording, the extremes of equal intervals with their times.
fn push_series(out: &mut String, times: &[f64], values: &[f64], most: usize) {
    if values.len() > most {
        let points = extremes(values, most / 2);
        out.push_str(",\"t\":");
        push_numbers(out, points.iter().map(|i| times[*i]));
        out.push_str(",\"y\":");
        push_numbers(out, points.iter().map(|i| values[*i]));
    } else {
        out.push_str(",\"y\":");
        push_numbers(out, values.iter().copied());
    }
}

/// Indices of at most `most` ≥ 2 of n rows, evenly spaced, including the first and the last.
fn thinned_rows(n: usize, most: usize) -> Vec<usize> {
    if n <= most { (0..n).collect() } else { (0..most).map(|k| k * (n - 1) / (most - 1)).collect() }
}

/// Indices of the least and the largest value of each of `pieces` equal pieces, in order, and both ends.
fn extremes(values: &[f64], pieces: usize) -> Vec<usize> {
    let mut indices = vec![0];
    for piece in 0..pieces {
        let (start, end) = (piece * values.len() / pieces, (piece + 1) * values.len() / pieces);
        let least = (start..end).min_by(|i, j| values[*i].total_cmp(&values[*j]));
        let largest = (start..end).max_by(|i, j| values[*i].total_cmp(&values[*j]));
        indices.extend(least.into_iter().chain(largest));
    }
    indices.push(values.len() - 1);
    indices.sort_unstable();
    indices.dedup();
    indices
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thinning_keeps_both_ends() {
        assert_eq!(thinned_rows(3, 2000), [0, 1, 2]);
        let rows = thinned_rows(10_000, 2000);
        assert_eq!((rows.len(), rows[0], rows[1999]), (2000, 0, 9999));
        assert!(rows.windows(2).all(|pair| pair[0] < pair[1]));
    }

    #[test]
    fn extremes_survive() {
        let values: Vec<f64> = (0..10_000).map(|i| if i == 4321 { 9.0 } else { f64::from(i % 7) }).collect();
        let kept = extremes(&values, 1000);
        assert!(kept.contains(&4321) && kept[0] == 0 && kept.last() == Some(&9999) && kept.len() <= 2002);
    }
}
