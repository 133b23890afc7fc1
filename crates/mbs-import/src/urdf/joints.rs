//! Joints: `<joint name="…" type="revolute"><parent link="…"/> <child link="…"/> <origin …/> <axis …/> …</joint>`.

use mbs_math::nearest;
use roxmltree::Node;

use super::Read;
use super::element::{Reader, listed, shown};
use super::pose::pose;
use super::robot::{Dynamics, Joint, JointType, Limit, Mimic, Placed};

pub(super) fn joint(node: Node, reader: &mut Reader) -> Read<Joint> {
    let name = reader.name(node, "name", "a joint")?;
    let of = format!("the joint `{}`", shown(&name.value));
    let kind = kind(node, &of, reader);
    let parent = end(node, "parent", &of, reader);
    let child = end(node, "child", &of, reader);
    let origin = pose(node, reader);
    let axis = axis(node, kind.as_ref().ok().map(|kind| kind.value), &of, reader);
    let limit = limit(node, &of, reader);
    let dynamics = dynamics(node, &of, reader);
    let mimic = mimic(node, &of, reader);
    let bytes = reader.start(node);
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

fn kind(node: Node, of: &str, reader: &mut Reader) -> Read<Placed<JointType>> {
    let written = reader.name(node, "type", of)?;
    let known = JointType::ALL.iter().find(|(name, _)| *name == written.value);
    if let Some((_, kind)) = known {
        return Ok(Placed { value: *kind, bytes: written.bytes });
    }
    let names = JointType::ALL.map(|(name, _)| name);
    let help = match nearest(&written.value, names) {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("there are {}", listed(&names)),
    };
    let message = format!("{of} has the unknown type `{}`", shown(&written.value));
    reader.fail("MBS013", &written.bytes, message, Some(&help))
}

/// The link of `parent` or `child`.
fn end(node: Node, name: &str, of: &str, reader: &mut Reader) -> Read<Placed<String>> {
    match reader.child(node, name) {
        Some(child) => reader.name(child, "link", &format!("the {name} of {of}")),
        None => {
            let help = format!("write `<{name} link=\"…\"/>`");
            reader.fail("MBS018", &reader.start(node), format!("{of} has no {name}"), Some(&help))
        }
    }
}

fn axis(node: Node, kind: Option<JointType>, of: &str, reader: &mut Reader) -> Read<Placed<[f64; 3]>> {
    let default = |bytes| Ok(Placed { value: [1.0, 0.0, 0.0], bytes });
    let Some(child) = reader.child(node, "axis") else {
        return default(reader.start(node));
    };
    reader.only(child, &["xyz"]);
    let Some(text) = reader.attribute(child, "xyz") else {
        return default(reader.start(child));
    };
    let axis = reader.numbers(&text, "`xyz`")?;
    // Exporters write zeros for joints that have no axis.
    if kind.is_some_and(JointType::has_axis) && axis.value == [0.0; 3] {
        let help = Some("write a direction, such as `0 0 1`");
        return reader.fail("MBS023", &axis.bytes, format!("the axis of {of} has length zero"), help);
    }
    Ok(axis)
}

fn limit(node: Node, of: &str, reader: &mut Reader) -> Read<Limit> {
    let Some(child) = reader.child(node, "limit") else { return Ok(Limit::default()) };
    let (lower, upper) = (reader.optional(child, "lower"), reader.optional(child, "upper"));
    let [effort, velocity] = ["effort", "velocity"].map(|name| {
        reader.magnitude(
            child,
            name,
            of,
            "it bounds both senses alike: write a positive number, or leave out what has no bound",
        )
    });
    let limit = Limit { lower: lower?, upper: upper?, effort: effort?, velocity: velocity? };
    if let (Some(lower), Some(upper)) = (&limit.lower, &limit.upper)
        && lower.value > upper.value
    {
        let message = format!("the lower limit of {of}, {}, is above the upper, {}", lower.value, upper.value);
        return reader.fail("MBS031", &lower.bytes, message, Some("exchange them"));
    }
    Ok(limit)
}

fn dynamics(node: Node, of: &str, reader: &mut Reader) -> Read<Dynamics> {
    let Some(child) = reader.child(node, "dynamics") else { return Ok(Dynamics::default()) };
    let [damping, friction] = ["damping", "friction"]
        .map(|name| reader.magnitude(child, name, of, "losses resist motion: write a positive number"));
    Ok(Dynamics { damping: damping?, friction: friction? })
}

fn mimic(node: Node, of: &str, reader: &mut Reader) -> Read<Option<Mimic>> {
    let Some(child) = reader.child(node, "mimic") else { return Ok(None) };
    let joint = reader.name(child, "joint", &format!("the mimic of {of}"));
    let (multiplier, offset) = (reader.optional(child, "multiplier"), reader.optional(child, "offset"));
    let bytes = reader.start(child);
    let or = |number: Option<Placed<f64>>, value| number.unwrap_or(Placed { value, bytes: bytes.clone() });
    Ok(Some(Mimic { joint: joint?, multiplier: or(multiplier?, 1.0), offset: or(offset?, 0.0) }))
}
