//! Data of imported files for pictures and controllers. They do not affect the motion.

/// A convex solid around its own origin.
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

/// A solid that a body is drawn as. The body is a name as written, then an id.
#[derive(Clone, Debug, PartialEq)]
pub struct Solid<B> {
    /// Body that the solid is fixed to.
    pub body: B,
    /// Shape of the solid.
    pub shape: Shape,
    /// Its origin on the body \[m\].
    pub position: [f64; 3],
    /// Unit quaternion from its axes to those of the body, scalar first.
    pub attitude: [f64; 4],
    /// Red, green and blue.
    pub color: Option<[u8; 3]>,
}

/// Limits and losses of a joint with one coordinate. The joint is a name as written, then an id.
#[derive(Clone, Debug, PartialEq)]
pub struct JointLimits<J> {
    /// The joint.
    pub joint: J,
    /// Its limits.
    pub limits: Limits,
    /// It follows another joint, and has no motor of its own.
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
