//! Poses: `<origin xyz="…" rpy="…"/>`.

use roxmltree::Node;

use super::Read;
use super::element::Reader;
use super::robot::{Pose, Spanned};

/// The `origin` of an element.
pub(super) fn pose(node: Node, reader: &mut Reader) -> Read<Pose> {
    let Some(child) = reader.child(node, "origin") else {
        let bytes = reader.start_tag(node);
        let zero = || Spanned { value: [0.0; 3], bytes: bytes.clone() };
        return Ok(Pose { xyz: zero(), rpy: zero() });
    };
    if let Some(quaternion) = reader.attribute(child, "quat_xyzw") {
        let message = "an origin with a quaternion is not available yet";
        return reader.fail("MBS090", &quaternion.bytes, message, Some("write `rpy=\"roll pitch yaw\"`"));
    }
    reader.refuse_other_attributes(child, &["xyz", "rpy"]);
    let mut vector = |name: &str| match reader.attribute(child, name) {
        Some(text) => reader.parse_numbers(&text, &format!("`{name}`")),
        None => Ok(Spanned { value: [0.0; 3], bytes: reader.start_tag(child) }),
    };
    let (xyz, rpy) = (vector("xyz"), vector("rpy"));
    Ok(Pose { xyz: xyz?, rpy: rpy? })
}
