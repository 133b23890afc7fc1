//! Placement of bodies, and meaning of coordinates and speeds.

use mbs_expr::{BodyId, JointId};

/// How a body gets its pose.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Placement {
    /// By its own absolute solver coordinates; `joint` is the free joint that names its interface coordinates, if any, and
    /// `reversed` says that the body is the first end of it.
    Free {
        /// Declared free joint.
        joint: Option<JointId>,
        /// The body is the joint's first end.
        reversed: bool,
    },
    /// By its basic points and vectors.
    Natural,
    /// By a tree joint from a parent that is placed already.
    Joint {
        /// The joint.
        joint: JointId,
        /// The body on the other end, `None` for ground.
        parent: Option<BodyId>,
        /// The body is the joint's first end.
        reversed: bool,
    },
}

/// Quantity that one solver coordinate stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SolverCoordinate {
    /// Absolute angle of a body's frame.
    Turn(BodyId),
    /// World x (0) or y (1) of a free body's centre of mass.
    World(BodyId, u8),
    /// In the plane, coordinate k of a joint of the tree, a displacement along an axis.
    Slide(JointId, u8),
    /// Speed k of a link of space.
    Link(u32, u8),
    /// Continuous coordinate k of a joint that is not in the tree, in space.
    Unwrapped(JointId, u8),
    /// In the plane, coordinate k of a joint whose kind the text declares.
    Posed(JointId, u8),
    /// World component of a basic point or vector: index into [`Natural::basics`](mbs_model::Natural::basics).
    Basic(u32, u8),
    /// Continuous angle of a body in natural coordinates.
    Unwound(BodyId),
    /// Algebraic coordinate.
    Algebraic(u32),
}

/// Quantity that one interface coordinate measures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InterfaceCoordinate {
    /// x (0), y (1) of a body's origin or its angle (2); in space x, y, z and the parameters of its attitude.
    Body(BodyId, u8),
    /// Coordinate k of a joint.
    Joint(JointId, u8),
    /// World component of a basic point or vector.
    Basic(u32, u8),
    /// Angle of a body in natural coordinates.
    Unwound(BodyId),
    /// Algebraic coordinate.
    Algebraic(u32),
}

/// Quantity that one interface speed measures: in the plane the rate of the coordinate with the same number, except for joints whose kinds
/// have speeds of their own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InterfaceSpeed {
    /// Velocity of a body's origin (0, 1, in space 2), then its angular velocity.
    Body(BodyId, u8),
    /// Speed k of a joint.
    Joint(JointId, u8),
    /// Rate of a component of a basic point or vector.
    Basic(u32, u8),
    /// Rate of the angle of a body in natural coordinates.
    Unwound(BodyId),
    /// Rate of an algebraic coordinate.
    Algebraic(u32),
}
