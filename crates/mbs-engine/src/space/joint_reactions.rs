//! Reactions of joints and equations on bodies.

use mbs_math::Vec3;

use super::vector::{Wrench, ZERO};

/// Reaction of a joint on the body of its second end: the force at a point and the moment about it, world axes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct JointReaction {
    pub point: Vec3<f64>,
    pub wrench: Wrench,
}

impl JointReaction {
    /// No load.
    pub const ZERO: JointReaction = JointReaction { point: ZERO, wrench: Wrench::ZERO };
}

/// Component c of reaction i: joints first, then equations on bodies.
pub(crate) fn reaction_component(reactions: &[JointReaction], on_bodies: &[Wrench], i: usize, c: usize) -> f64 {
    let wrench = match reactions.get(i) {
        Some(reactions) => reactions.wrench,
        None => on_bodies.get(i - reactions.len()).copied().unwrap_or(Wrench::ZERO),
    };
    if c < 3 { wrench.force[c] } else { wrench.torque[c - 3] }
}
