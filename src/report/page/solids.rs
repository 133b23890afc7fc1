//! Simple solids that bodies look like, and their place in the data of the page.

use super::Page;
use crate::report::json::{push_list, push_numbers, push_string};
use crate::{Pose, Recording, Shape, UnknownName};

/// A solid fixed to a body, as a page shows it: [`Page::solid`]. Shapes and their axes are those of URDF.
///
/// ```
/// use mbs::report::Solid;
///
/// let wheel = Solid::cylinder("wheel", 0.3, 0.02);                            // about the wheel's z axis
/// let half = std::f64::consts::FRAC_1_SQRT_2;
/// let axle = Solid::cylinder("wheel", 0.02, 0.2).at([0.0, 0.0, 0.1]);
/// let arm = Solid::block("arm", [0.4, 0.05, 0.05]).at([0.2, 0.0, 0.0]).turned([half, half, 0.0, 0.0]).color([224, 147, 26]);
/// # let _ = (wheel, axle, arm);
/// ```
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Solid {
    /// Name of the body that carries it; `"ground"` carries what does not move.
    pub body: String,
    /// What it looks like.
    #[cfg_attr(feature = "serde", serde(with = "ShapeDef"))]
    pub shape: Shape,
    /// Where it is on the body: origin \[m\] and unit quaternion from the axes of the shape to those of the body, scalar first.
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

    /// A cylinder along z \[m\].
    pub fn cylinder(body: impl Into<String>, radius: f64, length: f64) -> Self {
        Self::new(body, Shape::Cylinder { radius, length })
    }

    /// A sphere \[m\].
    pub fn sphere(body: impl Into<String>, radius: f64) -> Self {
        Self::new(body, Shape::Sphere { radius })
    }

    /// Moves its origin to a point of the body \[m\], in the body's axes.
    #[must_use]
    pub fn at(mut self, position: [f64; 3]) -> Self {
        self.pose.position = position;
        self
    }

    /// Turns it about its origin: a quaternion from its axes to the body's, scalar first; its length does not matter.
    #[must_use]
    pub fn turned(mut self, attitude: [f64; 4]) -> Self {
        self.pose.attitude = attitude;
        self
    }

    /// Red, green and blue, instead of the body's colour.
    #[must_use]
    pub fn color(mut self, color: [u8; 3]) -> Self {
        self.color = Some(color);
        self
    }

    /// Whether there is something to draw: finite numbers, sizes above zero, and an attitude.
    fn is_drawable(&self) -> bool {
        let sizes = match self.shape {
            Shape::Block { size } => size,
            Shape::Cylinder { radius, length } => [radius, radius, length],
            Shape::Sphere { radius } => [radius; 3],
            _ => return false,
        };
        let length = length(self.pose.attitude);
        sizes.iter().all(|size| size.is_finite() && *size > 0.0)
            && self.pose.position.iter().all(|x| x.is_finite())
            && length.is_finite()
            && length > 0.0
    }
}

fn length(quaternion: [f64; 4]) -> f64 {
    quaternion.iter().fold(0.0, |length: f64, e| length.hypot(*e))
}

/// The index of a body, `None` of ground.
pub(super) fn carrier(recording: &Recording, name: &str) -> Result<Option<usize>, UnknownName> {
    if name == "ground" {
        return Ok(None);
    }
    recording.body(name)?;
    Ok(recording.bodies().iter().position(|known| known.name == name))
}

/// The page's solids, and those of the mechanism on bodies to which the page gives none; with the indices of their bodies.
fn drawn<'p>(page: &'p Page) -> impl Iterator<Item = (Option<usize>, &'p Solid, Owner)> {
    let index = |solid: &Solid| page.recording.bodies().iter().position(|body| body.name == solid.body);
    let of_mechanism = page.recording.solids().iter().map(move |solid| (index(solid), solid, Owner::Mechanism));
    let is_free = |body: Option<usize>| page.solids.iter().all(|(other, _)| *other != body);
    let kept = of_mechanism.filter(move |(body, ..)| is_free(*body));
    let of_page = page.solids.iter().map(|(body, solid)| (*body, solid, Owner::Page));
    kept.chain(of_page).filter(|(_, solid, _)| solid.is_drawable())
}

/// Who says that a body has a solid.
#[derive(PartialEq)]
enum Owner {
    Mechanism,
    Page,
}

/// Appends `,"up": […],"solids": […]`, which pages of spatial mechanisms have.
pub(super) fn push(out: &mut String, page: &Page) {
    out.push_str(",\n\"up\":");
    push_numbers(out, page.up);
    out.push_str(",\"solids\":");
    push_list(out, drawn(page), |out, (body, solid, owner)| {
        out.push_str(&format!("\n{{\"body\":{},\"kind\":", body.map_or("null".into(), |body| body.to_string())));
        let (kind, sizes) = match solid.shape {
            Shape::Block { size } => ("block", size.to_vec()),
            Shape::Cylinder { radius, length } => ("cylinder", vec![radius, length]),
            Shape::Sphere { radius } => ("sphere", vec![radius]),
            _ => unreachable!("others are not drawable"),
        };
        push_string(out, kind);
        out.push_str(",\"size\":");
        push_numbers(out, sizes);
        out.push_str(",\"position\":");
        push_numbers(out, solid.pose.position);
        out.push_str(",\"attitude\":");
        let length = length(solid.pose.attitude);
        push_numbers(out, solid.pose.attitude.map(|e| e / length));
        if owner == Owner::Mechanism {
            out.push_str(",\"own\":true");
        }
        out.push_str(",\"color\":");
        match solid.color {
            Some([r, g, b]) => push_string(out, &format!("#{r:02x}{g:02x}{b:02x}")),
            None => out.push_str("null"),
        }
        out.push('}');
    });
}
