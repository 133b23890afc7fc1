//! Joints in the plane that are composed of a translation and a rotation.

#![allow(non_snake_case)] // monogram notation

use mbs_expr::{Expr, ExprId, MarkerId};
use mbs_math::{Vec2, Vec3, Vector};

use super::geometry::unit;
use super::{Arguments, Geometry, JoinedRow, JointParts, coincident};
use crate::{BasicEquation, Motion, Step, plane};

/// Translation of the second end's point Q relative to the first end's point P. Strings are names of arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlanarTranslation {
    /// None: p_P − p_Q = 0.
    Fixed,
    /// Along an axis fixed in the first end: (p_P − p_Q)·n̂ = 0.
    Along(&'static str),
    /// Unrestricted.
    Anywhere,
}

/// Rotation of the second end relative to the first. Strings are names of arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlanarRotation {
    /// None: θ_P − θ_Q = 0.
    Fixed,
    /// A constant angle α: θ_P + α − θ_Q = 0.
    ConstantAngle(&'static str),
    /// Unrestricted.
    Free,
}

/// A translation, then a rotation. Rows, coordinates and steps are those of the translation, then those of the rotation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlanarComposition {
    /// The translation.
    pub translation: PlanarTranslation,
    /// The rotation.
    pub rotation: PlanarRotation,
}

/// Composes a translation and a rotation.
pub(super) const fn composed(translation: PlanarTranslation, rotation: PlanarRotation) -> PlanarComposition {
    PlanarComposition { translation, rotation }
}

/// Contribution of the translation or of the rotation.
#[derive(Debug, Default)]
struct Part<'e> {
    rows: Vec<JoinedRow<'e>>,
    coordinates: Vec<Expr<'e>>,
    steps: Vec<Step>,
    angle: Option<ExprId>,
}

impl PlanarComposition {
    /// Makes the equations of a joint. It has no angle if an end is on a particle. If the translation is unrestricted, only the second end
    /// counts.
    pub(super) fn join<'e>(self, g: &Geometry<'e>, ends: [MarkerId; 2], arguments: &Arguments<'e>) -> JointParts {
        let translation = self.translation.part(g, ends, arguments);
        let rotation = self.rotation.part(g, ends, arguments);
        let rotating_ends = if self.translation == PlanarTranslation::Anywhere { &ends[1..] } else { &ends[..] };
        let has_angle = !rotating_ends.iter().any(|m| g.on_particle(*m));
        let coordinates =
            translation.coordinates.into_iter().chain(rotation.coordinates.into_iter().filter(|_| has_angle));
        let coordinates = g.all_ids(coordinates);
        let steps = [translation.steps, rotation.steps].concat();
        JointParts {
            coordinates,
            motion: Some(Motion { steps, angle: rotation.angle }),
            ..JointParts::closing(g, translation.rows.into_iter().chain(rotation.rows))
        }
    }
}

impl PlanarTranslation {
    fn part<'e>(self, g: &Geometry<'e>, ends: [MarkerId; 2], arguments: &Arguments<'e>) -> Part<'e> {
        match self {
            PlanarTranslation::Fixed => Part { rows: coincident(separation(g, ends).0).collect(), ..Part::default() },
            PlanarTranslation::Along(axis) => {
                let u = arguments.vector(axis);
                let position = g.displacement(ends[0], ends[1]).dot(g.to_world(ends[0], u));
                Part {
                    rows: vec![line_row(g, ends, u)],
                    coordinates: vec![position],
                    steps: vec![Step::Prismatic { axis: g.ids(u) }],
                    angle: None,
                }
            }
            PlanarTranslation::Anywhere => Part {
                coordinates: plane(g.from_world(ends[0], g.displacement(ends[0], ends[1])).0).to_vec(),
                steps: [0, 1].map(|k| Step::Prismatic { axis: g.ids(unit(k)) }).to_vec(),
                ..Part::default()
            },
        }
    }
}

impl PlanarRotation {
    fn part<'e>(self, g: &Geometry<'e>, [p, q]: [MarkerId; 2], arguments: &Arguments<'e>) -> Part<'e> {
        let fixed = |alpha: Expr<'e>| {
            let (row, angle) = (g.angle(p) + alpha - g.angle(q), g.id(alpha));
            Part { rows: vec![(row, Some(BasicEquation::Parallel { angle }))], angle: Some(angle), ..Part::default() }
        };
        match self {
            PlanarRotation::Fixed => fixed(0.0.into()),
            PlanarRotation::ConstantAngle(angle) => fixed(arguments.scalar(angle)),
            PlanarRotation::Free => Part {
                coordinates: vec![g.angle(q) - g.angle(p)],
                steps: vec![Step::Revolute { axis: g.ids(unit(2)) }],
                ..Part::default()
            },
        }
    }
}

/// The vector p_P − p_Q, world axes.
pub(super) fn separation<'e>(g: &Geometry<'e>, [p, q]: [MarkerId; 2]) -> Vec2<Expr<'e>> {
    Vector(plane(g.displacement(q, p).0))
}

/// The row (p_P − p_Q)·n̂, where n̂ is û rotated by +90° and û is fixed in the first end.
pub(super) fn line_row<'e>(g: &Geometry<'e>, ends: [MarkerId; 2], u: Vec3<Expr<'e>>) -> JoinedRow<'e> {
    let n = Vector([-u[1], u[0], 0.0.into()]);
    let row = separation(g, ends).dot(Vector(plane(g.to_world(ends[0], n).0)));
    (row, Some(BasicEquation::OffLine { axis: plane(g.ids(u)) }))
}
