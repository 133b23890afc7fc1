//! Solids in the data of the page.

use super::Page;
use crate::json::{push_list, push_numbers, push_string};
use crate::solids::{Shape, Solid};
use crate::{Recording, UnknownName};

fn length(quaternion: [f64; 4]) -> f64 {
    quaternion.iter().fold(0.0, |length: f64, e| length.hypot(*e))
}

/// The index of a body, `None` for ground.
pub(super) fn body_index(recording: &Recording, name: &str) -> Result<Option<usize>, UnknownName> {
    if name == "ground" {
        return Ok(None);
    }
    recording.body(name)?;
    Ok(recording.bodies().iter().position(|known| known.name == name))
}

/// The drawn solids with the indices of their bodies: those of the page, and those of the mechanism on bodies without solids of the page.
fn drawn_solids<'p>(page: &'p Page) -> impl Iterator<Item = (Option<usize>, &'p Solid, Owner)> {
    let index = |solid: &Solid| page.recording.bodies().iter().position(|body| body.name == solid.body);
    let mechanism_solids = page.recording.solids().iter().map(move |solid| (index(solid), solid, Owner::Mechanism));
    let is_free = |body: Option<usize>| page.solids.iter().all(|(other, _)| *other != body);
    let kept = mechanism_solids.filter(move |(body, ..)| is_free(*body));
    let page_solids = page.solids.iter().map(|(body, solid)| (*body, solid, Owner::Page));
    kept.chain(page_solids).filter(|(_, solid, _)| is_drawable(solid))
}

/// Source of a solid.
#[derive(PartialEq)]
enum Owner {
    Mechanism,
    Page,
}

/// Appends `,"up": […],"solids": […]`, which pages of spatial mechanisms have.
pub(super) fn push(out: &mut String, page: &Page) {
    out.push_str(",\n\"up\":");
    push_numbers(out, page.up);
    out.push_str(",\"solids\":");
    push_list(out, drawn_solids(page), |out, (body, solid, owner)| {
        out.push_str(&format!("\n{{\"body\":{},\"kind\":", body.map_or("null".into(), |body| body.to_string())));
        let (kind, sizes) = match solid.shape {
            Shape::Block { size } => ("block", size.to_vec()),
            Shape::Cylinder { radius, length } => ("cylinder", vec![radius, length]),
            Shape::Sphere { radius } => ("sphere", vec![radius]),
            _ => unreachable!("others are not drawable"),
        };
        push_string(out, kind);
        out.push_str(",\"size\":");
        push_numbers(out, sizes);
        out.push_str(",\"position\":");
        push_numbers(out, solid.pose.position);
        out.push_str(",\"attitude\":");
        let length = length(solid.pose.attitude);
        push_numbers(out, solid.pose.attitude.map(|e| e / length));
        if owner == Owner::Mechanism {
            out.push_str(",\"own\":true");
        }
        out.push_str(",\"color\":");
        match solid.color {
            Some([r, g, b]) => push_string(out, &format!("#{r:02x}{g:02x}{b:02x}")),
            None => out.push_str("null"),
        }
        out.push('}');
    });
}

/// Whether there is something to draw: finite numbers, sizes above zero, and an attitude.
fn is_drawable(solid: &Solid) -> bool {
    let sizes = match solid.shape {
        Shape::Block { size } => size,
        Shape::Cylinder { radius, length } => [radius, radius, length],
        Shape::Sphere { radius } => [radius; 3],
        _ => return false,
    };
    let length = length(solid.pose.attitude);
    sizes.iter().all(|size| size.is_finite() && *size > 0.0)
        && solid.pose.position.iter().all(|x| x.is_finite())
        && length.is_finite()
        && length > 0.0
}
