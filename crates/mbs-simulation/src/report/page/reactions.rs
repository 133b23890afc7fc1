//! Reactions and loads of drives in the data of the page, and the initially shown ones.

use super::{End, Page};
use crate::json::{push_list, push_numbers, push_string};
use crate::{Quantity, Recording};

/// Appends `,"reactions": […]`, one per joint, and `,"shown": {…}`.
pub(super) fn push(out: &mut String, page: &Page, rows: &[usize]) {
    let recording = page.recording;
    let is_thinned = rows.len() < recording.len();
    let columns = recording.table(Quantity::Reactions).columns();
    let parts = recording.reaction_parts();
    let axes: &[(&str, usize)] =
        if recording.is_spatial() { &[("px", 0), ("py", 1), ("pz", 2)] } else { &[("px", 0), ("py", 1)] };
    out.push_str(",\n\"reactions\":");
    let joints = recording.reaction_points().iter().zip(recording.joints()).enumerate();
    push_list(out, joints, |out, (i, (points, joint))| {
        out.push_str("\n{\"name\":");
        push_string(out, &joint.name);
        match joint.ends.and_then(|[_, second]| coincident_marker(recording, points, second)) {
            Some(marker) => out.push_str(&format!(",\"at\":{marker}")),
            None => {
                for (axis, component) in axes {
                    out.push_str(&format!(",\"{axis}\":"));
                    push_numbers(out, rows.iter().map(|row| points[*row][*component]));
                }
            }
        }
        // Without thinning the scripts read them from the group of reactions.
        if is_thinned {
            for (part, column) in parts.iter().zip(&columns[parts.len() * i..]) {
                out.push_str(&format!(",\"{part}\":"));
                push_numbers(out, rows.iter().map(|row| column[*row]));
            }
        }
        out.push('}');
    });
    push_shown(out, page);
}

fn push_shown(out: &mut String, page: &Page) {
    out.push_str(",\n\"shown\":{\"traces\":");
    let push_index = |out: &mut String, index: &usize| out.push_str(&index.to_string());
    push_list(out, &page.traces, push_index);
    out.push_str(",\"reactions\":");
    match &page.joints {
        Some(joints) => push_list(out, joints, push_index),
        None => out.push_str("null"),
    }
    out.push_str(",\"polar\":");
    push_list(out, &page.polar, |out, polar| {
        let axes = polar.axes.map_or("null".into(), |body| body.to_string());
        let sign = match polar.end {
            End::First => -1,
            End::Second => 1,
        };
        out.push_str(&format!("{{\"joint\":{},\"axes\":{axes},\"sign\":{sign}}}", polar.joint));
    });
    out.push('}');
}

/// The marker, if its positions are the points, to 1e-12 of the largest coordinate, a few roundings.
fn coincident_marker(recording: &Recording, points: &[[f64; 3]], marker: usize) -> Option<usize> {
    let positions = &recording.markers()[marker].positions;
    let size = positions.iter().flatten().fold(0.0, |most: f64, x| most.max(x.abs()));
    let is_near = |(p, q): (&[f64; 3], &[f64; 3])| (p[0] - q[0]).hypot(p[1] - q[1]).hypot(p[2] - q[2]) <= 1e-12 * size;
    points.iter().zip(positions).all(is_near).then_some(marker)
}

/// Loads of the drives by name, one per row; none if no loads are recorded.
pub(super) fn drives(recording: &Recording) -> Vec<(String, Vec<f64>)> {
    recording.drives().filter_map(|name| Some((name.to_owned(), recording.drive(name).ok()?))).collect()
}

/// Magnitudes of the forces, as `joint.magnitude`.
pub(super) fn magnitudes(recording: &Recording) -> Vec<(String, Vec<f64>)> {
    let magnitude = |name: &String| Some((format!("{name}.magnitude"), recording.reaction(name).ok()?.magnitude()));
    recording.joints().iter().filter_map(|joint| magnitude(&joint.name)).collect()
}
