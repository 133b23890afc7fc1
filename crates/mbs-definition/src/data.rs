//! Data of imported files for drawings and controllers. They do not affect the motion.

/// A convex solid with its origin at the centre.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Shape {
    /// A block with edges along x, y and z.
    Block {
        /// Full lengths of the edges \[m\].
        size: [f64; 3],
    },
    /// A circular cylinder along z, half of it on either side of the origin.
    Cylinder {
        /// Radius \[m\].
        radius: f64,
        /// Full length \[m\].
        length: f64,
    },
    /// A sphere.
    Sphere {
        /// Radius \[m\].
        radius: f64,
    },
}

/// A solid with which a body is drawn. In a definition the body is a name, in a model an id.
#[derive(Clone, Debug, PartialEq)]
pub struct Solid<B> {
    /// Body to which the solid is fixed.
    pub body: B,
    /// Shape of the solid.
    pub shape: Shape,
    /// Position of its origin in body axes \[m\].
    pub position: [f64; 3],
    /// Unit quaternion from its axes to those of the body, scalar first.
    pub attitude: [f64; 4],
    /// Red, green and blue.
    pub color: Option<[u8; 3]>,
}

/// Limits and losses of a joint with one coordinate. In a definition the joint is a name, in a model an id.
#[derive(Clone, Debug, PartialEq)]
pub struct JointLimits<J> {
    /// The joint.
    pub joint: J,
    /// Its limits.
    pub limits: Limits,
    /// Whether it is coupled to another joint and has no motor.
    pub follows: bool,
}

/// Limits and losses of a joint, in the units of its coordinate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limits {
    /// Smallest coordinate, or −∞.
    pub lower: f64,
    /// Largest coordinate, or ∞.
    pub upper: f64,
    /// Largest torque or force, or ∞.
    pub effort: f64,
    /// Largest speed, or ∞.
    pub velocity: f64,
    /// Torque or force per speed, or 0.
    pub damping: f64,
    /// Static friction, or 0.
    pub friction: f64,
}
