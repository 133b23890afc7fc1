//! Forces: their ends and arguments, such that their loads are regular at the true pose.

use mbs_model::catalog::{ContactSurface, Ends, Exerts, Kind};

use super::Builder;
use super::expressions::{POTENTIALS, VELOCITIES};
use crate::description::{RawApplied, RawArgued, RawCondition, RawForce};
use crate::frame::{Frame, inner, plus};
use crate::matrix::size;
use crate::number::Number;
use crate::plan::{Acting, Applied, Argued, Force, ForceKind};
use crate::world::{Attachment, Z};

/// Least distance of the ends of a force that acts on the line between them.
const CLOSE: f64 = 0.05;

/// Least difference of the free length of a cable from the distance of its ends, relative to that distance, so that rounding does not decide
/// whether the cable is slack.
const SLACK: f64 = 0.05;

/// The ends of a force.
pub fn ends(kind: &ForceKind) -> &[Attachment] {
    match kind {
        ForceKind::Catalogued(applied) => applied.on.attachments(),
        ForceKind::Potential(_) => &[],
    }
}

/// Height of a hill as it is printed, with its partial derivatives.
fn hill_at(c: f64, [x, y]: [f64; 2]) -> (f64, [f64; 2]) {
    let (s, d) = (x - 2.0 * y).sin_cos();
    (0.02 * s - c * (x * x + 0.5 * y * y), [0.02 * d - 2.0 * c * x, -0.04 * d - c * y])
}

/// Distance from the nearest point of gentle terrain, negative below: s ← p_s + ∇f (p_z − f).
fn height_over([x, y, z]: [f64; 3], terrain: &dyn Fn([f64; 2]) -> (f64, [f64; 2])) -> f64 {
    let mut s = [x, y];
    for _ in 0..100 {
        let (f, [gx, gy]) = terrain(s);
        s = [0.5 * (s[0] + x + gx * (z - f)), 0.5 * (s[1] + y + gy * (z - f))];
    }
    let (f, [gx, gy]) = terrain(s);
    ((z - f) - gx * (x - s[0]) - gy * (y - s[1])) / (1.0 + gx * gx + gy * gy).sqrt()
}

impl Builder {
    pub(super) fn forces(&mut self, raw: &[(RawForce, Option<RawCondition>)]) {
        for (force, enabled) in raw {
            if let Some(kind) = self.force(force) {
                let name = format!("f{}", self.plan.forces.len());
                let allowed = if matches!(kind, ForceKind::Potential(_)) { POTENTIALS } else { VELOCITIES };
                let enabled = self.condition_of_force(enabled.as_ref(), allowed);
                self.plan.forces.push(Force { name, kind, enabled });
            }
        }
    }

    /// Two ends on different bodies, the first of which may be ground; no particles if `needs_axes`.
    pub(super) fn two_attachments(&self, raw: &[Attachment; 2], needs_axes: bool) -> Option<[Attachment; 2]> {
        let eligible: Vec<usize> =
            (0..self.plan.bodies.len()).filter(|b| !needs_axes || !self.plan.bodies[*b].particle).collect();
        if eligible.is_empty() {
            return None;
        }
        let last = raw[1].body.unwrap_or(0) % eligible.len();
        let first = match raw[0].body.unwrap_or(0) % eligible.len() {
            0 => None,
            k => Some(eligible[if k - 1 < last { k - 1 } else { k }]),
        };
        Some([self.settled(raw[0], first), self.settled(raw[1], Some(eligible[last]))])
    }

    fn one_or_two_attachments(&self, raw: &[Attachment; 2], one: bool, needs_axes: bool) -> Option<Vec<Attachment>> {
        let [first, last] = self.two_attachments(raw, needs_axes)?;
        Some(if one { vec![last] } else { vec![first, last] })
    }

    fn force(&self, raw: &RawForce) -> Option<ForceKind> {
        match raw {
            RawForce::Catalogued(raw) => self.applied(raw).map(ForceKind::Catalogued),
            RawForce::Potential(e) => {
                let potential = self.moving(self.resolve(e, POTENTIALS));
                // A product with zero is not a potential.
                let derivatives = self.plan.observable_row(&potential);
                (size(&derivatives) > 1e-9).then_some(ForceKind::Potential(potential))
            }
        }
    }

    fn applied(&self, raw: &RawApplied) -> Option<Applied> {
        let kind = raw.kind;
        let on = match kind.ends {
            Ends::Two => Acting::Attachments(self.two_attachments(&raw.ends, kind.requires_rotation)?.to_vec()),
            Ends::OneOrTwo => {
                Acting::Attachments(self.one_or_two_attachments(&raw.ends, raw.one, kind.requires_rotation)?)
            }
            Ends::Coordinate => Acting::Coordinate(self.plan.chosen_coordinate(raw.coordinate)?),
            Ends::TwoCurves => {
                let ends = self.two_attachments(&raw.ends, kind.requires_rotation)?;
                let [a, b] = self.radii(&ends, raw.size)?;
                Acting::Circles(ends, [a, b])
            }
            Ends::TwoJoints => return None,
        };
        let arguments = raw.arguments.iter().map(|(name, value)| (*name, self.argued(value))).collect();
        let mut applied = Applied { kind, on, arguments };
        if let Acting::Attachments(attachments) = &applied.on
            && let [first, last] = attachments[..]
        {
            self.fit(&mut applied, [first, last], raw.size)?;
        }
        Some(applied)
    }

    fn argued(&self, raw: &RawArgued) -> Argued {
        match raw {
            RawArgued::Number(x) => Argued::Number(*x),
            // A direction must not vanish.
            RawArgued::Numbers(v) if v.iter().all(|x| x.value == 0.0) => Argued::Numbers(Z.map(Number::literal)),
            RawArgued::Numbers(v) => Argued::Numbers(*v),
            RawArgued::Load(e) => Argued::Load(self.resolve(e, VELOCITIES)),
            RawArgued::Vector(v) => Argued::Vector(self.vector(v, VELOCITIES)),
            RawArgued::Hill(x) => Argued::Hill(*x),
        }
    }

    /// Sets the arguments of a force between two attachments that follow from the poses; `None` if its load would be singular, or at a jump.
    fn fit(&self, force: &mut Applied, ends: [Attachment; 2], size: Number) -> Option<()> {
        let length = ends[0].distance(&ends[1], &self.plan.world());
        let far = (length > CLOSE).then_some(());
        match (force.kind.contact_surface(), force.kind.name) {
            (Some(ContactSurface::Plane | ContactSurface::Terrain), _) => {
                // A particle has no axes to define a surface.
                let radius = (!self.plan.is_particle(ends[0].body)).then(|| self.radius(force, ends, size))?;
                force.arguments.push(("radius", Argued::Number(radius)));
            }
            (Some(_), _) => {
                let radii = self.radii(&ends, size)?.map(Argued::Number);
                force.arguments.extend(["first", "second"].into_iter().zip(radii));
            }
            // Without damping and free length the load is regular where the ends coincide.
            (_, "spring_damper") if far.is_none() => force.arguments.retain(|(name, _)| *name == "stiffness"),
            (_, "cable") => {
                far?;
                let free_length = size.with_value((1e4 * away_from_one(size) * length).round() / 1e4);
                force.arguments.push(("free_length", Argued::Number(free_length)));
            }
            (_, "torsion_spring") => (!self.plan.is_near_half_revolution(&ends, axis_of(force))).then_some(())?,
            (_, "bushing") => self.plan.is_regular(ends).then_some(())?,
            _ if acts_between_points(force.kind) => far?,
            _ => {}
        }
        Some(())
    }

    /// Radius of the second end's ball that clearly touches the first end's plane or hill, or clearly does not.
    fn radius(&self, force: &Applied, ends: [Attachment; 2], size: Number) -> Number {
        let world = self.plan.world();
        let hill = force.arguments.iter().find_map(|(_, value)| match value {
            Argued::Hill(hill) => Some(hill.value),
            _ => None,
        });
        let [a, b] = ends.map(|end| Frame::from_attachment(&end, &world));
        let up = if self.plan.is_spatial() { 2 } else { 1 };
        let arm = plus(b.position, -1.0, a.position);
        let [x, y, z] = a.axes.map(|axis| inner(arm, axis));
        let height = match hill {
            Some(hill) if up == 1 => height_over([x, 0.0, y], &|[x, _]| {
                let (f, [derivative, _]) = hill_at(hill, [x, 0.0]);
                (f, [derivative, 0.0])
            }),
            Some(hill) => height_over([x, y, z], &|s| hill_at(hill, s)),
            None => [x, y, z][up],
        };
        let ratio = away_from_one(size);
        // Below the plane a contact is deep with any radius.
        let radius = if height > CLOSE { ratio * height } else { 0.2 * ratio - height.min(0.0) };
        size.with_value((1e4 * radius).round() / 1e4)
    }

    /// Radii of two balls or circles that clearly touch or clearly do not.
    fn radii(&self, ends: &[Attachment; 2], size: Number) -> Option<[Number; 2]> {
        let length = Some(ends[0].distance(&ends[1], &self.plan.world())).filter(|length| *length > CLOSE)?;
        Some([0.4, 0.6].map(|part| size.with_value((1e4 * part * away_from_one(size) * length).round() / 1e4)))
    }
}

/// A size over a distance that clearly differs from one.
fn away_from_one(size: Number) -> f64 {
    if (size.value - 1.0).abs() < SLACK { 1.0 - SLACK } else { size.value }
}

/// Whether a kind has a direction that is undefined where its points coincide.
fn acts_between_points(kind: &Kind) -> bool {
    kind.exerts == Exerts::Force && kind.ends == Ends::Two && !kind.requires_rotation
}

/// The axis of a torsion spring; z in the plane.
fn axis_of(force: &Applied) -> [Number; 3] {
    let given = force.arguments.iter().find_map(|(_, value)| match value {
        Argued::Numbers(axis) => Some(*axis),
        _ => None,
    });
    given.unwrap_or(Z.map(Number::literal))
}
