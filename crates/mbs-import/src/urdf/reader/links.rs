//! Links: `<link name="…"><inertial>…</inertial> <visual>…</visual> <collision>…</collision></link>`.

use roxmltree::Node;

use super::Read;
use super::element::{Reader, listed, printable_name};
use super::inertia::{self, Flaw};
use super::pose::pose;
use super::robot::{Inertial, Link, Spanned};
use super::shapes::{self, Materials};

pub(super) fn link(node: Node, materials: &Materials, reader: &mut Reader) -> Read<Link> {
    let name = reader.required_name(node, "name", "a link")?;
    let inertial = match reader.child(node, "inertial") {
        Some(child) => Some(inertial(child, &name.value, reader)),
        None => None,
    };
    let visuals = shapes::shapes(node, "visual", materials, reader);
    let collisions = shapes::shapes(node, "collision", materials, reader);
    let bytes = reader.start_tag(node);
    Ok(Link { name, inertial: inertial.transpose()?, visuals: visuals?, collisions: collisions?, bytes })
}

fn inertial(node: Node, link: &str, reader: &mut Reader) -> Read<Inertial> {
    let origin = pose(node, reader);
    let mass = mass(node, link, reader);
    let moments = moments(node, link, reader);
    let inertial = Inertial { origin: origin?, mass: mass?, moments: moments? };
    if inertial.tensor().iter().flatten().any(|x| !x.is_finite()) {
        let message = format!("the inertia of `{}` is too large", printable_name(link));
        return reader.fail("MBS030", &inertial.moments.bytes, message, Some(UNITS));
    }
    Ok(inertial)
}

fn mass(node: Node, link: &str, reader: &mut Reader) -> Read<Spanned<f64>> {
    let owner = format!("the inertial of `{}`", printable_name(link));
    let Some(child) = reader.child(node, "mass") else {
        return reader.fail(
            "MBS018",
            &reader.start_tag(node),
            format!("{owner} has no mass"),
            Some("write `<mass value=\"…\"/>`"),
        );
    };
    reader.refuse_other_attributes(child, &["value"]);
    let text = reader.required_attribute(child, "value", "the mass")?;
    let mass = reader.parse_number(&text)?;
    if mass.value < 0.0 {
        return reader.fail(
            "MBS031",
            &mass.bytes,
            format!("the mass of `{}` is negative", printable_name(link)),
            Some("masses are zero or more"),
        );
    }
    Ok(mass)
}

/// Attributes of `inertia` in the order of [`Inertial::moments`].
const MOMENTS: [&str; 6] = ["ixx", "iyy", "izz", "ixy", "ixz", "iyz"];

fn moments(node: Node, link: &str, reader: &mut Reader) -> Read<Spanned<[f64; 6]>> {
    let Some(child) = reader.child(node, "inertia") else {
        let message = format!("the inertial of `{}` has no inertia", printable_name(link));
        let help = "write `<inertia ixx=\"…\" ixy=\"…\" ixz=\"…\" iyy=\"…\" iyz=\"…\" izz=\"…\"/>`";
        return reader.fail("MBS018", &reader.start_tag(node), message, Some(help));
    };
    reader.refuse_other_attributes(child, &MOMENTS);
    let missing: Vec<&str> = MOMENTS.into_iter().filter(|name| !child.has_attribute(*name)).collect();
    if !missing.is_empty() {
        let message = format!("the inertia of `{}` has no {}", printable_name(link), listed(&missing));
        return reader.fail(
            "MBS018",
            &reader.start_tag(child),
            message,
            Some("products of inertia that vanish are `0`"),
        );
    }
    let (mut moments, mut rounding) = ([0.0; 6], [0.0; 6]);
    let mut complete = Ok(());
    for (k, name) in MOMENTS.into_iter().enumerate() {
        let Some(text) = reader.attribute(child, name) else { continue };
        rounding[k] = inertia::rounding(text.value.trim());
        match reader.parse_number(&text) {
            Ok(number) => moments[k] = number.value,
            Err(reported) => complete = Err(reported),
        }
    }
    complete?;
    let bytes = reader.start_tag(child);
    match inertia::flaw(&moments, &rounding) {
        Some(flaw) => refuse(flaw, link, Spanned { value: moments, bytes }, reader),
        None => Ok(Spanned { value: moments, bytes }),
    }
}

const UNITS: &str = "moments of inertia are in kg m², about the centre of mass";

fn refuse<T>(flaw: Flaw, link: &str, moments: Spanned<T>, reader: &mut Reader) -> Read<Spanned<T>> {
    let link = printable_name(link);
    let (message, help) = match flaw {
        Flaw::Negative(least) => (
            format!("the inertia of `{link}` has the principal moment {}, which is negative", short(least)),
            "products of inertia are entries of the tensor, and small beside the moments",
        ),
        Flaw::Triangle(largest, sum) => (
            format!(
                "no body has the inertia of `{link}`: its largest principal moment is {}, the others add up to {}",
                short(largest),
                short(sum)
            ),
            UNITS,
        ),
    };
    reader.fail("MBS074", &moments.bytes, message, Some(help))
}

/// A number rounded to four significant digits.
fn short(x: f64) -> f64 {
    format!("{x:.3e}").parse().unwrap_or(x)
}
