//! Solids that bodies are drawn as.

use mbs_core::Pose;
pub use mbs_core::Shape;

/// A solid fixed to a body, as a page shows it: [`Page::solid`](crate::report::Page::solid). Shapes and their axes are those of URDF.
///
/// ```
/// use mbs::report::Solid;
///
/// let wheel = Solid::cylinder("wheel", 0.3, 0.02);                            // about the wheel's z axis
/// let half = std::f64::consts::FRAC_1_SQRT_2;
/// let axle = Solid::cylinder("wheel", 0.02, 0.2).at([0.0, 0.0, 0.1]);
/// let arm = Solid::block("arm", [0.4, 0.05, 0.05]).at([0.2, 0.0, 0.0]).rotated([half, half, 0.0, 0.0]).color([224, 147, 26]);
/// # let _ = (wheel, axle, arm);
/// ```
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Solid {
    /// Name of the body that it is fixed to; `"ground"` for solids that do not move.
    pub body: String,
    /// Its form and sizes.
    #[cfg_attr(feature = "serde", serde(with = "ShapeDef"))]
    pub shape: Shape,
    /// Its pose on the body: origin \[m\] and unit quaternion from the axes of the shape to those of the body, scalar first.
    #[cfg_attr(feature = "serde", serde(with = "PoseDef"))]
    pub pose: Pose,
    /// Red, green and blue, instead of the body's colour.
    pub color: Option<[u8; 3]>,
}

/// [`Shape`] for serde, which the runtime does not know.
#[cfg(feature = "serde")]
#[derive(serde::Serialize, serde::Deserialize)]
#[serde(remote = "Shape")]
#[non_exhaustive]
enum ShapeDef {
    Block { size: [f64; 3] },
    Cylinder { radius: f64, length: f64 },
    Sphere { radius: f64 },
}

/// [`Pose`] for serde.
#[cfg(feature = "serde")]
#[derive(serde::Serialize, serde::Deserialize)]
#[serde(remote = "Pose")]
struct PoseDef {
    position: [f64; 3],
    attitude: [f64; 4],
}

impl Solid {
    /// A shape at the origin of a body, in its axes and its colour.
    pub fn new(body: impl Into<String>, shape: Shape) -> Self {
        Solid {
            body: body.into(),
            shape,
            pose: Pose { position: [0.0; 3], attitude: [1.0, 0.0, 0.0, 0.0] },
            color: None,
        }
    }

    /// A block with edges of these lengths \[m\].
    pub fn block(body: impl Into<String>, size: [f64; 3]) -> Self {
        Self::new(body, Shape::Block { size })
    }

    /// A cylinder with its axis along z, of this radius and length \[m\], with the origin in its middle.
    pub fn cylinder(body: impl Into<String>, radius: f64, length: f64) -> Self {
        Self::new(body, Shape::Cylinder { radius, length })
    }

    /// A sphere of this radius \[m\].
    pub fn sphere(body: impl Into<String>, radius: f64) -> Self {
        Self::new(body, Shape::Sphere { radius })
    }

    /// Sets the position of its origin \[m\] on the body, in the body's axes.
    #[must_use]
    pub fn at(mut self, position: [f64; 3]) -> Self {
        self.pose.position = position;
        self
    }

    /// Rotates it about its origin: a quaternion from its axes to the body's, scalar first; its length does not matter.
    #[must_use]
    pub fn rotated(mut self, attitude: [f64; 4]) -> Self {
        self.pose.attitude = attitude;
        self
    }

    /// Sets its colour, red, green and blue, instead of the body's.
    #[must_use]
    pub fn color(mut self, color: [u8; 3]) -> Self {
        self.color = Some(color);
        self
    }
}
