//! Steps of the tree: the pose of each body relative to its parent, and the numbers of the joint between them.

use mbs_math::Vec2;

use super::plane::ZERO;

/// The motion of a body relative to its parent; numbers that depend on parameters are in [`Link`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum StepKind {
    /// x, y and (rigid bodies) θ of its origin in the world.
    World,
    /// Translations along axes of the joint's first end, then a rotation.
    Joint {
        /// Number of translations.
        translations: usize,
        /// Whether a rotation follows; its angle is a coordinate of rigid bodies only.
        rotates: bool,
    },
    /// A pose that the text of the joint's kind defines: its index.
    Posed(usize),
}

/// One body in the order of the tree.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Step {
    /// Motion relative to the parent.
    pub kind: StepKind,
    /// Step of the parent, `None` for ground.
    pub parent: Option<usize>,
    /// First coordinate and speed.
    pub first: usize,
    /// Number of coordinates.
    pub dofs: usize,
    /// Whether the body is the joint's first end.
    pub reversed: bool,
    /// Whether the body is rigid, not a particle.
    pub is_rigid: bool,
}

impl Step {
    /// Number of translations whose axes rotate with the body: those of a joint whose first end is on this body.
    pub fn body_fixed_translations(&self) -> usize {
        match self.kind {
            StepKind::Joint { translations, rotates: true } if self.reversed && self.is_rigid => translations,
            _ => 0,
        }
    }

    /// Whether the velocity of its origin relative to the parent rotates with the parent. It does not where the axes of the joint are fixed in
    /// a particle.
    pub fn rotates_with_parent(&self) -> bool {
        self.is_rigid || !self.reversed
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
    pub inboard_rotation: [f64; 2],
    /// Outboard marker in the body's axes.
    pub outboard: Vec2<f64>,
    /// (cos, sin) of its angle.
    pub outboard_rotation: [f64; 2],
    /// Angle of the body relative to the parent at coordinate zero \[rad\].
    pub alignment: f64,
    /// (cos, sin) of the alignment.
    pub rotation: [f64; 2],
    /// Axes of the translations, towards the child: in the parent's axes, or in the body's where they rotate with the body.
    pub axes: [Vec2<f64>; 2],
}

impl Link {
    /// Link of a body without an inboard joint.
    pub const NONE: Link = Link {
        inboard: ZERO,
        inboard_rotation: [0.0; 2],
        outboard: ZERO,
        outboard_rotation: [0.0; 2],
        alignment: 0.0,
        rotation: [0.0; 2],
        axes: [ZERO; 2],
    };
}
