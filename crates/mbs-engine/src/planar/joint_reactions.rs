//! Reactions of joints and equations on bodies.

use mbs_math::Vec2;

use super::plane::{Wrench, ZERO};

/// Reaction of a joint on the body of its second end: the force at a point and the moment about it, world axes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct JointReaction {
    pub point: Vec2<f64>,
    pub wrench: Wrench,
}

impl JointReaction {
    /// No load.
    pub const ZERO: JointReaction = JointReaction { point: ZERO, wrench: Wrench::ZERO };
}

/// Component c of reaction i: joints first, then equations on bodies.
pub(crate) fn reaction_component(joint_reactions: &[JointReaction], on_bodies: &[Wrench], i: usize, c: usize) -> f64 {
    let wrench = match joint_reactions.get(i) {
        Some(reaction) => reaction.wrench,
        None => on_bodies.get(i - joint_reactions.len()).copied().unwrap_or(Wrench::ZERO),
    };
    [wrench.force[0], wrench.force[1], wrench.torque][c]
}
