//! Shapes of bodies: data for pictures, no mechanics.

use crate::Pose;

/// A convex solid around its own origin. Shapes and their axes are those of URDF.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
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

/// A solid that a body is drawn as: [`Describe::visual`](crate::Describe::visual).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Visual {
    /// The body that it is fixed to; `None` is ground.
    pub body: Option<usize>,
    /// Its shape.
    pub shape: Shape,
    /// Its pose on the body: origin \[m\] and unit quaternion from the axes of the shape to those of the body, scalar first.
    pub pose: Pose,
    /// Red, green and blue; `None` for the default colour of the picture.
    pub color: Option<[u8; 3]>,
}
