//! The file of a complete mechanism: gravity, attachment of the root, and a motor at every joint.
//!
//! | item | |
//! |---|---|
//! | `gravity: [0, 0, -9.81];` | z is up, as in ROS (REP 103) |
//! | `joint stand = fixed(ground, root);` | the base is fixed |
//! | `joint float = free(ground, root);` | the base is free |
//! | `input effort: [n];` | torques and forces of the n joints with one coordinate that mimic no other, in the order of the tree, which is that of
//! the speeds |
//! | `force hip_motor = mobility(hip) { value: effort[0] };` | one for each of them |
//! | `force hip_loss = mobility(hip) { value: -hip_damping * hip.rate };` | if the file has a damping |

use mbs_definition::{Argument, BinaryOp, Expr, Ident, Item, Origin, Setting};

use super::Read;
use super::element::{Reader, printable_name};
use super::names::{Names, identifier};
use super::options::{Base, MakeOrigin, Standalone};
use super::robot::{Joint, Robot};
use super::write::Writer;

pub(super) fn items(
    robot: &Robot,
    options: &Standalone,
    names: &mut Names,
    items: &mut Vec<Item>,
    reader: &mut Reader,
) -> Read<()> {
    if !options.has_gravity {
        items.insert(0, gravity(robot, reader));
    }
    items.extend(base(robot, options, names, reader)?);
    let driven: Vec<&Joint> = robot.in_tree_order().into_iter().filter(|joint| joint.is_driven()).collect();
    if !driven.is_empty() {
        let effort = names.robot_item_name(robot, &["effort".to_owned(), "joint_effort".to_owned()], reader)?;
        items.insert(0, input(robot, &effort, driven.len(), reader));
        for (k, joint) in driven.iter().enumerate() {
            let name = names.joint_item_name(joint, "motor", reader)?;
            let writer = Writer::at_bytes(&joint.name.bytes, reader);
            let docs = format!("Motor of the joint `{}`.", printable_name(&joint.name.value));
            let value = writer.index(&effort, k);
            items.push(mobility(&writer, docs, &name, &names.joint(&joint.name.value), value));
        }
    }
    for joint in robot.in_tree_order() {
        items.extend(loss(joint, options, names, reader)?);
    }
    Ok(())
}

fn gravity(robot: &Robot, reader: &mut Reader) -> Item {
    let writer = Writer::at_bytes(&robot.name.bytes, reader);
    let value = Some(writer.vector([0.0, 0.0, -9.81]));
    Item::Setting(Setting { name: writer.ident("gravity"), tunable: false, value, arguments: Vec::new() })
}

/// The joint between ground and the root.
fn base(robot: &Robot, options: &Standalone, names: &mut Names, reader: &mut Reader) -> Read<Option<Item>> {
    let Some(root) = robot.root() else { return Ok(None) };
    let (base, origin) = options.base.unwrap_or((Base::Fixed, Origin::NONE));
    if robot.is_root_ground() {
        return match base {
            Base::Fixed => Ok(None),
            Base::Free => {
                let message = "the root `world` has no mass and is ground, which cannot be free";
                reader.fail_at("MBS032", origin, message, Some("leave out `base`"))
            }
        };
    }
    let (free_name, kind, docs) = match base {
        Base::Fixed => ("stand", "fixed", "The root is fixed to ground."),
        Base::Free => ("float", "free", "The root moves freely."),
    };
    let candidates = [free_name.to_owned(), format!("{free_name}_joint")];
    let name = names.robot_item_name(robot, &candidates, reader)?;
    let writer = Writer::at_bytes(&root.name.bytes, reader);
    let ends = vec![writer.name("ground"), writer.name(&names.link(&root.name.value))];
    let value = Some(writer.call(kind, ends));
    Ok(Some(writer.declaration(docs.to_owned(), ["joint", &name], value, Vec::new())))
}

/// The item `input effort: [n];`.
fn input(robot: &Robot, name: &str, n: usize, reader: &mut Reader) -> Item {
    let writer = Writer::at_bytes(&robot.name.bytes, reader);
    let docs = "Torques [N m] and forces [N] of the motors, in the order of the joints' speeds.".to_owned();
    let mut item = writer.declaration(docs, ["input", name], None, Vec::new());
    if let Item::Declaration(declaration) = &mut item {
        declaration.shape = vec![writer.integer(n)];
    }
    item
}

/// The item `force name = mobility(joint) { value };`.
fn mobility(writer: &Writer, docs: String, name: &str, joint: &str, value: Expr) -> Item {
    let arguments = vec![Argument { name: writer.ident("value"), value, arguments: None }];
    let kind = writer.call("mobility", vec![writer.name(joint)]);
    writer.declaration(docs, ["force", name], Some(kind), arguments)
}

/// The force −d rate − f tanh(rate / s) of a joint with one coordinate; `None` if it has neither damping d nor friction f.
fn loss(joint: &Joint, options: &Standalone, names: &mut Names, reader: &mut Reader) -> Read<Option<Item>> {
    let Some(coordinate) = joint.kind.value.coordinate() else { return Ok(None) };
    let name = names.joint(&joint.name.value);
    let rate = |writer: &Writer| writer.field(&name, if coordinate == "angle" { "rate" } else { "speed" });
    let mut value = None;
    if let Some(damping) = joint.dynamics.damping.as_ref().filter(|damping| damping.value != 0.0) {
        let writer = Writer::at_bytes(&damping.bytes, reader);
        value = Some(writer.binary(BinaryOp::Mul, writer.number(-damping.value), rate(&writer)));
    }
    let friction = joint.dynamics.friction.as_ref().filter(|friction| friction.value != 0.0);
    if let (Some(friction), Some(speed)) = (friction, &options.friction_speed) {
        let writer = Writer::at_bytes(&friction.bytes, reader);
        let ratio = writer.binary(BinaryOp::Div, rate(&writer), speed.clone());
        let term = writer.binary(BinaryOp::Mul, writer.number(-friction.value), writer.call("tanh", vec![ratio]));
        value = Some(match value {
            Some(damping) => writer.binary(BinaryOp::Add, damping, term),
            None => term,
        });
    }
    let Some(value) = value else { return Ok(None) };
    let item_name = names.joint_item_name(joint, "loss", reader)?;
    let writer = Writer::at_bytes(&joint.name.bytes, reader);
    let docs = format!("Damping and friction of the joint `{}`.", printable_name(&joint.name.value));
    Ok(Some(mobility(&writer, docs, &item_name, &name, value)))
}

/// The robot's name for docs: one short line.
pub fn printable_robot_name(robot: &Robot) -> String {
    printable_name(&robot.name.value)
}

/// The name of a mechanism's type, made of the robot's name: `robot_arm7` becomes `RobotArm7`.
pub fn type_name(robot: &Robot, make_origin: MakeOrigin<'_>) -> Ident {
    let plain = identifier(&robot.name.value).unwrap_or_default();
    let words = plain.split('_').filter(|word| !word.is_empty());
    let mut text: String = words.map(capitalized).collect();
    if !text.starts_with(|c: char| c.is_ascii_alphabetic()) || text == "Self" {
        text.insert_str(0, "Robot");
    }
    Ident { text, origin: make_origin(robot.name.bytes.clone()) }
}

fn capitalized(word: &str) -> String {
    let (first, rest) = word.split_at(1);
    first.to_ascii_uppercase() + rest
}
