//! How bodies follow their parents: steps of the tree, and the numbers of the joints between them.

use mbs_math::Vec2;

use super::plane::ZERO;

/// How a body follows its parent; numbers that depend on parameters are in [`Link`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum StepKind {
    /// x, y and (rigid bodies) θ of its origin in the world.
    World,
    /// Slides along axes of the joint's first end, then turns.
    Joint {
        /// How many slides.
        slides: usize,
        /// Whether it turns, by an angle that rigid bodies have.
        turns: bool,
    },
    /// As the text of the joint's kind defines: index of the pose.
    Posed(usize),
}

/// One body in the order of the tree.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Step {
    /// How it is placed.
    pub kind: StepKind,
    /// Step of the parent, `None` for ground.
    pub parent: Option<usize>,
    /// First coordinate and speed.
    pub first: usize,
    /// Number of coordinates.
    pub dofs: usize,
    /// The body is the joint's first end.
    pub reversed: bool,
    /// It is a rigid body, not a particle.
    pub turns: bool,
}

impl Step {
    /// How many slides turn with the body, which is the joint's first end.
    pub fn own_slides(&self) -> usize {
        match self.kind {
            StepKind::Joint { slides, turns: true } if self.reversed && self.turns => slides,
            _ => 0,
        }
    }

    /// Its coordinates.
    pub fn range(&self) -> std::ops::Range<usize> {
        self.first..self.first + self.dofs
    }
}

/// The numbers of a step that depend on parameters alone.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Link {
    /// Inboard marker in the parent's axes.
    pub inboard: Vec2<f64>,
    /// (cos, sin) of its angle.
    pub inboard_turn: [f64; 2],
    /// Outboard marker in the body's axes.
    pub outboard: Vec2<f64>,
    /// (cos, sin) of its angle.
    pub outboard_turn: [f64; 2],
    /// Angle of the body from the parent's, without the coordinate.
    pub alignment: f64,
    /// (cos, sin) of it.
    pub turn: [f64; 2],
    /// Slides towards the child: in the parent's axes, or in the body's where they turn with that.
    pub axes: [Vec2<f64>; 2],
}

impl Link {
    /// Link of a body that no joint places.
    pub const NONE: Link = Link {
        inboard: ZERO,
        inboard_turn: [0.0; 2],
        outboard: ZERO,
        outboard_turn: [0.0; 2],
        alignment: 0.0,
        turn: [0.0; 2],
        axes: [ZERO; 2],
    };
}
