//! Converts data of imported files other than mechanics to types of the runtime.

use mbs_core::{Limits, Pose, Shape, Visual};
use mbs_expr::BodyId;

/// A solid that a body is drawn as.
pub fn visual(solid: &mbs_definition::Solid<Option<BodyId>>) -> Visual {
    let shape = match solid.shape {
        mbs_definition::Shape::Block { size } => Shape::Block { size },
        mbs_definition::Shape::Cylinder { radius, length } => Shape::Cylinder { radius, length },
        mbs_definition::Shape::Sphere { radius } => Shape::Sphere { radius },
    };
    let pose = Pose { position: solid.position, attitude: solid.attitude };
    Visual { body: solid.body.map(BodyId::index), shape, pose, color: solid.color }
}

/// Limits of a joint.
pub fn limits(limits: mbs_definition::Limits) -> Limits {
    let mbs_definition::Limits { lower, upper, effort, velocity, damping, friction } = limits;
    Limits { lower, upper, effort, velocity, damping, friction }
}
