//! Solids and limits of joints from imported files, as a mechanism reports them.

use mbs_core::{Limits, Pose, Shape, Visual};
use mbs_expr::BodyId;

use super::Model;

impl Model {
    /// Solid i as [`Describe::visual`](mbs_core::Describe::visual) reports it, for every implementation.
    pub fn visual(&self, index: usize) -> Option<Visual> {
        let solid = self.imported.solids.get(index)?;
        let shape = match solid.shape {
            mbs_definition::Shape::Block { size } => Shape::Block { size },
            mbs_definition::Shape::Cylinder { radius, length } => Shape::Cylinder { radius, length },
            mbs_definition::Shape::Sphere { radius } => Shape::Sphere { radius },
        };
        let pose = Pose { position: solid.position, attitude: solid.attitude };
        Some(Visual { body: solid.body.map(BodyId::index), shape, pose, color: solid.color })
    }

    /// Limits of joint i as [`Describe::limits`](mbs_core::Describe::limits) reports them, for every implementation.
    pub fn joint_limits(&self, joint: usize) -> Option<Limits> {
        let given = self.imported.limits.iter().find(|given| given.joint.index() == joint)?;
        let mbs_definition::Limits { lower, upper, effort, velocity, damping, friction } = given.limits;
        Some(Limits { lower, upper, effort, velocity, damping, friction })
    }
}
