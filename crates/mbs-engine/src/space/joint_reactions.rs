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

/// All reactions at a state.
#[derive(Clone, Debug)]
pub(crate) struct Reactions {
    pub joints: Vec<JointReaction>,
    /// Reactions of equations on bodies, about the origins of the bodies.
    pub on_bodies: Vec<Wrench>,
    /// Wrenches on bodies about their origins, from all but the inboard joints of the tree.
    pub received: Vec<Wrench>,
}

impl Reactions {
    /// Reactions of so many joints and equations, and wrenches on so many bodies.
    pub fn new((joints, equations): (usize, usize), bodies: usize) -> Self {
        Reactions {
            joints: vec![JointReaction::ZERO; joints],
            on_bodies: vec![Wrench::ZERO; equations],
            received: vec![Wrench::ZERO; bodies],
        }
    }

    /// Component c of reaction i: joints first, then equations on bodies.
    pub fn component(&self, i: usize, c: usize) -> f64 {
        let wrench = match self.joints.get(i) {
            Some(reaction) => reaction.wrench,
            None => self.on_bodies.get(i - self.joints.len()).copied().unwrap_or(Wrench::ZERO),
        };
        if c < 3 { wrench.force[c] } else { wrench.torque[c - 3] }
    }
}
