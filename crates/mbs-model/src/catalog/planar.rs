//! Joints of the plane made of a translation and a rotation.

#![allow(non_snake_case)] // monogram notation

use mbs_expr::{Expr, ExprId, MarkerId};
use mbs_math::{Vec2, Vec3, Vector};

use super::geometry::unit;
use super::{Arguments, Geometry, JoinedRow, JointParts, coincident};
use crate::{BasicEquation, Motion, Step, plane};

/// How the second end's point Q moves relative to the first's, P, with the names of arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlanarTranslation {
    /// Not at all: p_P − p_Q = 0.
    Held,
    /// Along an axis fixed in the first end: (p_P − p_Q)·n̂ = 0.
    Along(&'static str),
    /// Anywhere.
    Anywhere,
}

/// How the second end turns relative to the first, with the names of arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlanarTurning {
    /// Not at all: θ_P − θ_Q = 0.
    Held,
    /// It stays turned by an angle: θ_P + α − θ_Q = 0.
    By(&'static str),
    /// By any angle.
    Free,
}

/// A translation, then a rotation: rows, coordinates and steps are those of the one, then those of the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlanarComposition {
    /// The translation.
    pub translation: PlanarTranslation,
    /// The rotation.
    pub turning: PlanarTurning,
}

/// A composition.
pub(super) const fn composed(translation: PlanarTranslation, turning: PlanarTurning) -> PlanarComposition {
    PlanarComposition { translation, turning }
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
    /// The equations of a joint. No angle is measured of a particle; that of a body which moves freely is measured from the first end,
    /// whatever it is on.
    pub(super) fn join<'e>(self, g: &Geometry<'e>, ends: [MarkerId; 2], arguments: &Arguments<'e>) -> JointParts {
        let moved = self.translation.part(g, ends, arguments);
        let turned = self.turning.part(g, ends, arguments);
        let looked_at = if self.translation == PlanarTranslation::Anywhere { &ends[1..] } else { &ends[..] };
        let turns = !looked_at.iter().any(|m| g.on_particle(*m));
        let coordinates = moved.coordinates.into_iter().chain(turned.coordinates.into_iter().filter(|_| turns));
        let coordinates = g.all_ids(coordinates);
        let steps = [moved.steps, turned.steps].concat();
        JointParts {
            coordinates,
            motion: Some(Motion { steps, angle: turned.angle }),
            ..JointParts::closing(g, moved.rows.into_iter().chain(turned.rows))
        }
    }
}

impl PlanarTranslation {
    fn part<'e>(self, g: &Geometry<'e>, ends: [MarkerId; 2], arguments: &Arguments<'e>) -> Part<'e> {
        match self {
            PlanarTranslation::Held => Part { rows: coincident(apart(g, ends).0).collect(), ..Part::default() },
            PlanarTranslation::Along(axis) => {
                let u = arguments.vector(axis);
                let position = g.displacement(ends[0], ends[1]).dot(g.to_world(ends[0], u));
                Part {
                    rows: vec![off_line(g, ends, u)],
                    coordinates: vec![position],
                    steps: vec![Step::Slide { axis: g.ids(u) }],
                    angle: None,
                }
            }
            PlanarTranslation::Anywhere => Part {
                coordinates: plane(g.from_world(ends[0], g.displacement(ends[0], ends[1])).0).to_vec(),
                steps: [0, 1].map(|k| Step::Slide { axis: g.ids(unit(k)) }).to_vec(),
                ..Part::default()
            },
        }
    }
}

impl PlanarTurning {
    fn part<'e>(self, g: &Geometry<'e>, [p, q]: [MarkerId; 2], arguments: &Arguments<'e>) -> Part<'e> {
        let held = |alpha: Expr<'e>| {
            let (row, angle) = (g.angle(p) + alpha - g.angle(q), g.id(alpha));
            Part { rows: vec![(row, Some(BasicEquation::Parallel { angle }))], angle: Some(angle), ..Part::default() }
        };
        match self {
            PlanarTurning::Held => held(0.0.into()),
            PlanarTurning::By(angle) => held(arguments.number(angle)),
            PlanarTurning::Free => Part {
                coordinates: vec![g.angle(q) - g.angle(p)],
                steps: vec![Step::Turn { axis: g.ids(unit(2)) }],
                ..Part::default()
            },
        }
    }
}

/// p_P − p_Q.
pub(super) fn apart<'e>(g: &Geometry<'e>, [p, q]: [MarkerId; 2]) -> Vec2<Expr<'e>> {
    Vector(plane(g.displacement(q, p).0))
}

/// (p_P − p_Q)·n̂ with n̂ = û turned by +90°, û fixed in the first end.
pub(super) fn off_line<'e>(g: &Geometry<'e>, ends: [MarkerId; 2], u: Vec3<Expr<'e>>) -> JoinedRow<'e> {
    let n = Vector([-u[1], u[0], 0.0.into()]);
    let row = apart(g, ends).dot(Vector(plane(g.to_world(ends[0], n).0)));
    (row, Some(BasicEquation::OffLine { axis: plane(g.ids(u)) }))
}
