//! Placement of bodies, and definitions of coordinates and speeds.

use mbs_expr::{BodyId, JointId};

/// The coordinates that determine the pose of a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Placement {
    /// Absolute solver coordinates of the body.
    Free {
        /// The free joint whose coordinates are the body's interface coordinates, if there is one.
        joint: Option<JointId>,
        /// Whether the body is the joint's first end.
        reversed: bool,
    },
    /// Basic points and vectors.
    Natural,
    /// Coordinates of a joint of the tree, relative to a parent.
    Joint {
        /// The joint.
        joint: JointId,
        /// The body on the joint's other end, `None` for ground.
        parent: Option<BodyId>,
        /// Whether the body is the joint's first end.
        reversed: bool,
    },
}

/// Quantity that one solver coordinate is; in space one speed of the solver.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SolverCoordinate {
    /// In the plane, angle \[rad\] of a body from the world.
    Angle(BodyId),
    /// In the plane, world x (0) or y (1) \[m\] of a free body's centre of mass.
    World(BodyId, u8),
    /// In the plane, coordinate k of a joint of the tree, a displacement \[m\] along an axis.
    Displacement(JointId, u8),
    /// Speed k of a link of space.
    Link(u32, u8),
    /// Continuous coordinate k of a joint that is not in the tree, in space.
    ContinuousCoordinate(JointId, u8),
    /// In the plane, coordinate k of a joint whose kind the text declares.
    Posed(JointId, u8),
    /// World component of a basic point or vector: index into [`Natural::basics`](mbs_model::Natural::basics).
    Basic(u32, u8),
    /// Continuous angle of a body in natural coordinates.
    ContinuousAngle(BodyId),
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
    /// Continuous angle of a body in natural coordinates.
    ContinuousAngle(BodyId),
    /// Algebraic coordinate.
    Algebraic(u32),
}

/// Quantity that one interface speed measures: in the plane the rate of the coordinate with the same index, except for joints with declared speeds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InterfaceSpeed {
    /// Velocity of a body's origin (0, 1, in space 2), then its angular velocity.
    Body(BodyId, u8),
    /// Speed k of a joint.
    Joint(JointId, u8),
    /// Rate of a component of a basic point or vector.
    Basic(u32, u8),
    /// Rate of the continuous angle of a body in natural coordinates.
    ContinuousAngle(BodyId),
    /// Rate of an algebraic coordinate.
    Algebraic(u32),
}
