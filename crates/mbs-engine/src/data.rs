//! What imported files say beside mechanics, in the words of the runtime.

use mbs_core::{Limits, Pose, Shape, Visual};
use mbs_model::{BodyId, definition};

/// A solid that a body is drawn as.
pub fn visual(solid: &definition::Solid<Option<BodyId>>) -> Visual {
    let shape = match solid.shape {
        definition::Shape::Block { size } => Shape::Block { size },
        definition::Shape::Cylinder { radius, length } => Shape::Cylinder { radius, length },
        definition::Shape::Sphere { radius } => Shape::Sphere { radius },
    };
    let pose = Pose { position: solid.position, attitude: solid.attitude };
    Visual { body: solid.body.map(BodyId::index), shape, pose, color: solid.color }
}

/// Limits of a joint.
pub fn limits(limits: definition::Limits) -> Limits {
    let definition::Limits { lower, upper, effort, velocity, damping, friction } = limits;
    Limits { lower, upper, effort, velocity, damping, friction }
}
