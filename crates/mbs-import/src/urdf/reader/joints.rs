//! Joints: `<joint name="…" type="revolute"><parent link="…"/> <child link="…"/> <origin …/> <axis …/> …</joint>`.

use mbs_math::nearest;
use roxmltree::Node;

use super::Read;
use super::element::{Reader, listed, printable_name};
use super::pose::pose;
use super::robot::{Dynamics, Joint, JointType, Limit, Mimic, Spanned};

pub(super) fn joint(node: Node, reader: &mut Reader) -> Read<Joint> {
    let name = reader.required_name(node, "name", "a joint")?;
    let owner = format!("the joint `{}`", printable_name(&name.value));
    let kind = kind(node, &owner, reader);
    let parent = end(node, "parent", &owner, reader);
    let child = end(node, "child", &owner, reader);
    let origin = pose(node, reader);
    let axis = axis(node, kind.as_ref().ok().map(|kind| kind.value), &owner, reader);
    let limit = limit(node, &owner, reader);
    let dynamics = dynamics(node, &owner, reader);
    let mimic = mimic(node, &owner, reader);
    let bytes = reader.start_tag(node);
    Ok(Joint {
        name,
        kind: kind?,
        parent: parent?,
        child: child?,
        origin: origin?,
        axis: axis?,
        limit: limit?,
        dynamics: dynamics?,
        mimic: mimic?,
        bytes,
    })
}

fn kind(node: Node, owner: &str, reader: &mut Reader) -> Read<Spanned<JointType>> {
    let written = reader.required_name(node, "type", owner)?;
    let known = JointType::ALL.iter().find(|(name, _)| *name == written.value);
    if let Some((_, kind)) = known {
        return Ok(Spanned { value: *kind, bytes: written.bytes });
    }
    let names = JointType::ALL.map(|(name, _)| name);
    let help = match nearest(&written.value, names) {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("there are {}", listed(&names)),
    };
    let message = format!("{owner} has the unknown type `{}`", printable_name(&written.value));
    reader.fail("MBS013", &written.bytes, message, Some(&help))
}

/// The link of `parent` or `child`.
fn end(node: Node, name: &str, owner: &str, reader: &mut Reader) -> Read<Spanned<String>> {
    match reader.child(node, name) {
        Some(child) => reader.required_name(child, "link", &format!("the {name} of {owner}")),
        None => {
            let help = format!("write `<{name} link=\"…\"/>`");
            reader.fail("MBS018", &reader.start_tag(node), format!("{owner} has no {name}"), Some(&help))
        }
    }
}

fn axis(node: Node, kind: Option<JointType>, owner: &str, reader: &mut Reader) -> Read<Spanned<[f64; 3]>> {
    let default = |bytes| Ok(Spanned { value: [1.0, 0.0, 0.0], bytes });
    let Some(child) = reader.child(node, "axis") else {
        return default(reader.start_tag(node));
    };
    reader.refuse_other_attributes(child, &["xyz"]);
    let Some(text) = reader.attribute(child, "xyz") else {
        return default(reader.start_tag(child));
    };
    let axis = reader.parse_numbers(&text, "`xyz`")?;
    // Exporters write zeros for joints without an axis.
    if kind.is_some_and(JointType::has_axis) && axis.value == [0.0; 3] {
        let help = Some("write a direction, such as `0 0 1`");
        return reader.fail("MBS023", &axis.bytes, format!("the axis of {owner} has length zero"), help);
    }
    Ok(axis)
}

fn limit(node: Node, owner: &str, reader: &mut Reader) -> Read<Limit> {
    let Some(child) = reader.child(node, "limit") else { return Ok(Limit::default()) };
    let (lower, upper) = (reader.optional_number(child, "lower"), reader.optional_number(child, "upper"));
    let [effort, velocity] = ["effort", "velocity"].map(|name| {
        reader.optional_magnitude(
            child,
            name,
            owner,
            "it bounds both senses alike: write a positive number, or leave out what has no bound",
        )
    });
    let limit = Limit { lower: lower?, upper: upper?, effort: effort?, velocity: velocity? };
    if let (Some(lower), Some(upper)) = (&limit.lower, &limit.upper)
        && lower.value > upper.value
    {
        let message = format!("the lower limit of {owner}, {}, is above the upper, {}", lower.value, upper.value);
        return reader.fail("MBS031", &lower.bytes, message, Some("exchange them"));
    }
    Ok(limit)
}

fn dynamics(node: Node, owner: &str, reader: &mut Reader) -> Read<Dynamics> {
    let Some(child) = reader.child(node, "dynamics") else { return Ok(Dynamics::default()) };
    let [damping, friction] = ["damping", "friction"]
        .map(|name| reader.optional_magnitude(child, name, owner, "losses resist motion: write a positive number"));
    Ok(Dynamics { damping: damping?, friction: friction? })
}

fn mimic(node: Node, owner: &str, reader: &mut Reader) -> Read<Option<Mimic>> {
    let Some(child) = reader.child(node, "mimic") else { return Ok(None) };
    let joint = reader.required_name(child, "joint", &format!("the mimic of {owner}"));
    let (multiplier, offset) = (reader.optional_number(child, "multiplier"), reader.optional_number(child, "offset"));
    let bytes = reader.start_tag(child);
    let or = |number: Option<Spanned<f64>>, value| number.unwrap_or(Spanned { value, bytes: bytes.clone() });
    Ok(Some(Mimic { joint: joint?, multiplier: or(multiplier?, 1.0), offset: or(offset?, 0.0) }))
}
