//! Limits and losses of joints, as data.

use mbs_definition::{Item, JointLimits, Limits};

use super::element::Reader;
use super::names::Names;
use super::robot::{Joint, JointType, Robot, Spanned};
use super::write::Writer;

/// Limits and losses of every joint with one coordinate, in the order of the tree.
pub(super) fn items(robot: &Robot, names: &Names, reader: &mut Reader) -> Vec<Item> {
    let mut items = Vec::new();
    for joint in robot.in_tree_order() {
        if joint.kind.value.coordinate().is_some() {
            let joint_name = Writer::at_bytes(&joint.name.bytes, reader).ident(&names.joint(&joint.name.value));
            let (limits, follows) = (limits(joint), joint.mimic.is_some());
            items.push(Item::Limits(JointLimits { joint: joint_name, limits, follows }));
        }
    }
    items
}

fn limits(joint: &Joint) -> Limits {
    let or = |number: &Option<Spanned<f64>>, default: f64| number.as_ref().map_or(default, |number| number.value);
    let (limit, dynamics) = (&joint.limit, &joint.dynamics);
    let mut limits = Limits {
        lower: or(&limit.lower, f64::NEG_INFINITY),
        upper: or(&limit.upper, f64::INFINITY),
        effort: or(&limit.effort, f64::INFINITY),
        velocity: or(&limit.velocity, f64::INFINITY),
        damping: or(&dynamics.damping, 0.0),
        friction: or(&dynamics.friction, 0.0),
    };
    if joint.kind.value == JointType::Continuous {
        // A continuous joint has no limits.
        (limits.lower, limits.upper) = (f64::NEG_INFINITY, f64::INFINITY);
    }
    limits
}
