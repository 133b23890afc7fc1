//! Converts a robot to items of the mechanism language.

use std::collections::BTreeMap;

use mbs_definition::{Argument, BinaryOp, Errors, Expr, Item};
use mbs_math::nearest;

use super::element::{Reader, printable_name};
use super::names::Names;
use super::options::{LinkArguments, RobotOptions};
use super::robot::{Inertial, Joint, JointType, Link, Robot, Spanned};
use super::standalone;
use super::write::{Writer, argument};
use super::{MakeOrigin, Read, limits, solids};

/// The items of a robot that [`read`](super::read) returned: bodies in the order of the links, then each joint with its frame, its data
/// and the coupling of a mimic. A [`Standalone`](super::Standalone) robot adds gravity, base, motors and losses. Solids and limits come last.
///
/// Returns `None` if mistakes were added to `errors`: a name that cannot become an identifier, or arguments of a link that does not exist.
pub fn items(
    robot: &Robot,
    options: RobotOptions<'_>,
    make_origin: MakeOrigin<'_>,
    errors: &mut Errors,
) -> Option<Vec<Item>> {
    let mut reader = Reader::without_text(make_origin, errors);
    let mut names = Names::new(robot, options.prefix, &mut reader);
    if !reader.is_sound() {
        return None;
    }
    let mut added = added_by_body(robot, options.links, &names, &mut reader);
    let mut items = Vec::new();
    for link in &robot.links {
        let Some(body_name) = names.body(&link.name.value) else { continue };
        let added = added.remove(body_name).unwrap_or_default();
        items.push(body(link, robot, &names.link(&link.name.value), added, &mut reader));
    }
    for joint in &robot.joints {
        // All names that are used twice are reported.
        let _: Read<()> = joint_items(joint, robot, &mut names, &mut items, &mut reader);
    }
    if let Some(alone) = options.alone {
        let _: Read<()> = standalone::items(robot, alone, &mut names, &mut items, &mut reader);
    }
    items.extend(solids::solids(robot, &names, &mut reader));
    items.extend(limits::items(robot, &names, &mut reader));
    reader.is_sound().then_some(items)
}

/// The additional arguments of each body; reports those of ground and of bodies that do not exist.
fn added_by_body(
    robot: &Robot,
    added: &[LinkArguments],
    names: &Names,
    reader: &mut Reader,
) -> BTreeMap<String, Vec<Argument>> {
    let bodies: Vec<&str> = robot.links.iter().filter_map(|link| names.body(&link.name.value)).collect();
    let mut by_body: BTreeMap<String, Vec<Argument>> = BTreeMap::new();
    for LinkArguments { link, arguments } in added {
        let name = &link.text;
        let read: Read<()> = if robot.is_root_ground() && (name == "world" || name == "ground") {
            let message = "the link `world` has no mass and is ground, which has no arguments";
            reader.fail_at("MBS017", link.origin, message, Some("leave them out"))
        } else if !bodies.contains(&name.as_str()) {
            let help =
                nearest(name, bodies.iter().copied()).map(|nearest_name| format!("did you mean `{nearest_name}`?"));
            reader.fail_at("MBS010", link.origin, format!("the robot has no link `{name}`"), help.as_deref())
        } else if by_body.contains_key(name) {
            reader.fail_at(
                "MBS019",
                link.origin,
                format!("the arguments of `{name}` are given twice"),
                Some("write them together"),
            )
        } else {
            Ok(())
        };
        if read.is_ok() {
            by_body.insert(name.clone(), arguments.clone());
        }
    }
    by_body
}

/// The item `body name { mass, inertia, com, … }`; data that are zero are left out.
fn body(link: &Link, robot: &Robot, name: &str, added: Vec<Argument>, reader: &mut Reader) -> Item {
    let mut arguments = Vec::new();
    if let Some(inertial) = &link.inertial {
        if inertial.mass.value != 0.0 {
            arguments.push(argument("mass", &inertial.mass, reader, Writer::number));
        }
        arguments.extend(inertia(inertial, reader));
        if inertial.origin.xyz.value != [0.0; 3] {
            arguments.push(argument("com", &inertial.origin.xyz, reader, Writer::vector));
        }
    }
    arguments.extend(added);
    let docs = format!("Link `{}` of `{}`.", printable_name(&link.name.value), printable_name(&robot.name.value));
    Writer::at_bytes(&link.name.bytes, reader).declaration(docs, ["body", name], None, arguments)
}

/// The argument `inertia`: the tensor in the body's axes, or its diagonal if it is diagonal; `None` if it is zero.
fn inertia(inertial: &Inertial, reader: &mut Reader) -> Option<Argument> {
    let rows = inertial.tensor();
    if rows == [[0.0; 3]; 3] {
        return None;
    }
    let tensor = Spanned { value: rows, bytes: inertial.moments.bytes.clone() };
    let is_diagonal = rows[0][1] == 0.0 && rows[0][2] == 0.0 && rows[1][2] == 0.0;
    Some(argument("inertia", &tensor, reader, |writer, rows| match is_diagonal {
        true => writer.vector([rows[0][0], rows[1][1], rows[2][2]]),
        false => writer.list(rows.iter().map(|row| writer.vector(*row)).collect()),
    }))
}

/// Adds the marker of the joint's frame if it needs one, the joint, its data, and the coupling to the joint that it mimics.
fn joint_items(
    joint: &Joint,
    robot: &Robot,
    names: &mut Names,
    items: &mut Vec<Item>,
    reader: &mut Reader,
) -> Read<()> {
    let parent = parent_end(joint, names, items, reader)?;
    let child = Writer::at_bytes(&joint.child.bytes, reader).name(&names.link(&joint.child.value));
    let axis_name = if joint.kind.value == JointType::Planar { "normal" } else { "axis" };
    let arguments = match joint.kind.value.has_axis() {
        true => vec![argument(axis_name, &joint.axis, reader, Writer::vector)],
        false => Vec::new(),
    };
    let value = Writer::at_bytes(&joint.kind.bytes, reader).call(kind(joint.kind.value), vec![parent, child]);
    let docs = format!("Joint `{}`, {}.", printable_name(&joint.name.value), joint.kind.value.name());
    let writer = Writer::at_bytes(&joint.name.bytes, reader);
    let name = names.joint(&joint.name.value);
    items.push(writer.declaration(docs, ["joint", &name], Some(value), arguments));
    data(joint, names, items, reader)?;
    mimic(joint, robot, names, items, reader)
}

fn kind(kind: JointType) -> &'static str {
    match kind {
        JointType::Revolute | JointType::Continuous => "revolute",
        JointType::Prismatic => "prismatic",
        JointType::Fixed => "fixed",
        JointType::Floating => "free",
        JointType::Planar => "planar",
    }
}

/// The end of a joint on its parent: the parent, a point of it, or a marker with the joint's axes, which is added to the items.
fn parent_end(joint: &Joint, names: &mut Names, items: &mut Vec<Item>, reader: &mut Reader) -> Read<Expr> {
    let parent = names.link(&joint.parent.value);
    let (xyz, rpy) = (&joint.origin.xyz, &joint.origin.rpy);
    if rpy.value == [0.0; 3] {
        return Ok(match xyz.value {
            [0.0, 0.0, 0.0] => Writer::at_bytes(&joint.parent.bytes, reader).name(&parent),
            point => Writer::at_bytes(&xyz.bytes, reader).point(&parent, point),
        });
    }
    let name = names.joint_item_name(joint, "frame", reader)?;
    let rotation = argument("rotation", rpy, reader, |writer, [roll, pitch, yaw]| {
        writer.call("euler", vec![writer.name("zyx"), writer.vector([yaw, pitch, roll])])
    });
    let writer = Writer::at_bytes(&xyz.bytes, reader);
    let docs = format!("Frame of the joint `{}`.", printable_name(&joint.name.value));
    let point = writer.point(&parent, xyz.value);
    items.push(writer.declaration(docs, ["marker", &name], Some(point), vec![rotation]));
    Ok(Writer::at_bytes(&joint.parent.bytes, reader).name(&name))
}

/// Adds constants for limits, damping and friction, where given.
fn data(joint: &Joint, names: &mut Names, items: &mut Vec<Item>, reader: &mut Reader) -> Read<()> {
    let Some(coordinate) = joint.kind.value.coordinate() else { return Ok(()) };
    let [length, load, speed, damping] = match coordinate {
        "angle" => ["rad", "N m", "rad/s", "N m s/rad"],
        _ => ["m", "N", "m/s", "N s/m"],
    };
    // A continuous joint has no limits.
    let bounds = Some(&joint.limit).filter(|_| joint.kind.value != JointType::Continuous);
    let constants = [
        ("lower", "Lower limit", length, bounds.and_then(|limit| limit.lower.as_ref())),
        ("upper", "Upper limit", length, bounds.and_then(|limit| limit.upper.as_ref())),
        ("effort", "Largest load", load, joint.limit.effort.as_ref()),
        ("velocity", "Largest speed", speed, joint.limit.velocity.as_ref()),
        ("damping", "Damping", damping, joint.dynamics.damping.as_ref()),
        ("friction", "Static friction", load, joint.dynamics.friction.as_ref()),
    ];
    for (suffix, words, unit, number) in constants {
        let Some(number) = number else { continue };
        let name = names.joint_item_name(joint, suffix, reader)?;
        let docs = format!("{words} of the joint `{}` [{unit}].", printable_name(&joint.name.value));
        let writer = Writer::at_bytes(&number.bytes, reader);
        let value = writer.number(number.value);
        items.push(writer.declaration(docs, ["const", &name], Some(value), Vec::new()));
    }
    Ok(())
}

/// Adds `coupling j_mimic = j.angle == multiplier * other.angle + offset;`.
fn mimic(joint: &Joint, robot: &Robot, names: &mut Names, items: &mut Vec<Item>, reader: &mut Reader) -> Read<()> {
    let Some(mimic) = &joint.mimic else { return Ok(()) };
    let other = robot.joints.iter().find(|other| other.name.value == mimic.joint.value);
    let coordinate = |joint: &Joint| joint.kind.value.coordinate();
    let (Some(other), Some(own)) = (other, coordinate(joint)) else { return Ok(()) };
    let Some(followed) = coordinate(other) else { return Ok(()) };
    let name = names.joint_item_name(joint, "mimic", reader)?;
    let writer = Writer::at_bytes(&mimic.joint.bytes, reader);
    let mut right = writer.field(&names.joint(&other.name.value), followed);
    if mimic.multiplier.value != 1.0 {
        let multiplier = Writer::at_bytes(&mimic.multiplier.bytes, reader).number(mimic.multiplier.value);
        right = writer.binary(BinaryOp::Mul, multiplier, right);
    }
    let offset = mimic.offset.value;
    if offset != 0.0 {
        let number = Writer::at_bytes(&mimic.offset.bytes, reader).number(offset.abs());
        right = writer.binary(if offset < 0.0 { BinaryOp::Sub } else { BinaryOp::Add }, right, number);
    }
    let left = writer.field(&names.joint(&joint.name.value), own);
    let [follower, leader] = [joint, other].map(|joint| printable_name(&joint.name.value));
    let docs = format!("The joint `{follower}` follows `{leader}`.");
    let equation = writer.binary(BinaryOp::Equal, left, right);
    items.push(writer.declaration(docs, ["coupling", &name], Some(equation), Vec::new()));
    Ok(())
}
