//! Forces: their ends and arguments, such that their loads are regular at the true pose.

use mbs_model::catalog::{ContactSurface, Ends, Exerts, Kind};

use super::Builder;
use super::expressions::{POTENTIALS, VELOCITIES};
use crate::catalogued::turn_about;
use crate::description::{RawApplied, RawArgued, RawCondition, RawForce};
use crate::frame::{Frame, inner, plus};
use crate::matrix::size;
use crate::number::Number;
use crate::plan::{Acting, Applied, Argued, Force, ForceKind};
use crate::world::{Place, Z};

/// Least distance of the ends of a force along the line between them.
const CLOSE: f64 = 0.05;

/// Least difference of the free length of a cable from the distance of its ends, relative to that: rounding decides where a cable becomes
/// slack.
const SLACK: f64 = 0.05;

/// The ends of a force.
pub fn ends(kind: &ForceKind) -> &[Place] {
    match kind {
        ForceKind::Catalogued(applied) => applied.on.places(),
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
                let reach = if matches!(kind, ForceKind::Potential(_)) { POTENTIALS } else { VELOCITIES };
                let enabled = self.condition_of_force(enabled.as_ref(), reach);
                self.plan.forces.push(Force { name, kind, enabled });
            }
        }
    }

    /// Two ends on different bodies, the first of which may be ground; no particles where the kind `turns`.
    pub(super) fn two(&self, raw: &[Place; 2], turns: bool) -> Option<[Place; 2]> {
        let eligible: Vec<usize> =
            (0..self.plan.bodies.len()).filter(|b| !turns || !self.plan.bodies[*b].particle).collect();
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

    fn one_or_two(&self, raw: &[Place; 2], one: bool, turns: bool) -> Option<Vec<Place>> {
        let [first, last] = self.two(raw, turns)?;
        Some(if one { vec![last] } else { vec![first, last] })
    }

    fn force(&self, raw: &RawForce) -> Option<ForceKind> {
        match raw {
            RawForce::Catalogued(raw) => self.applied(raw).map(ForceKind::Catalogued),
            RawForce::Potential(e) => {
                let potential = self.moving(self.settle(e, POTENTIALS));
                // A product with zero is no potential.
                let derivatives = self.plan.observable_row(&potential);
                (size(&derivatives) > 1e-9).then_some(ForceKind::Potential(potential))
            }
        }
    }

    fn applied(&self, raw: &RawApplied) -> Option<Applied> {
        let kind = raw.kind;
        let on = match kind.ends {
            Ends::Two => Acting::Places(self.two(&raw.ends, kind.requires_rotation)?.to_vec()),
            Ends::OneOrTwo => Acting::Places(self.one_or_two(&raw.ends, raw.one, kind.requires_rotation)?),
            Ends::Coordinate => Acting::Coordinate(self.chosen_coordinate(raw.along)?),
            Ends::TwoCurves => {
                let ends = self.two(&raw.ends, kind.requires_rotation)?;
                let [a, b] = self.radii(&ends, raw.size)?;
                Acting::Circles(ends, [a, b])
            }
            Ends::TwoJoints => return None,
        };
        let arguments = raw.arguments.iter().map(|(name, value)| (*name, self.argued(value))).collect();
        let mut applied = Applied { kind, on, arguments };
        if let Acting::Places(places) = &applied.on
            && let [first, last] = places[..]
        {
            self.fit(&mut applied, [first, last], raw.size)?;
        }
        Some(applied)
    }

    fn argued(&self, raw: &RawArgued) -> Argued {
        match raw {
            RawArgued::Number(x) => Argued::Number(*x),
            // A direction has a length.
            RawArgued::Numbers(v) if v.iter().all(|x| x.value == 0.0) => Argued::Numbers(Z.map(Number::literal)),
            RawArgued::Numbers(v) => Argued::Numbers(*v),
            RawArgued::Load(e) => Argued::Load(self.settle(e, VELOCITIES)),
            RawArgued::Vector(v) => Argued::Vector(self.vector(v, VELOCITIES)),
            RawArgued::Hill(x) => Argued::Hill(*x),
        }
    }

    /// Gives a force between two places the arguments that follow from their poses; `None` where its load would be singular, or on a jump.
    fn fit(&self, force: &mut Applied, ends: [Place; 2], size: Number) -> Option<()> {
        let length = ends[0].distance(&ends[1], &self.plan.world());
        let far = (length > CLOSE).then_some(());
        match (force.kind.contact_surface(), force.kind.name) {
            (Some(ContactSurface::Plane | ContactSurface::Terrain), _) => {
                // A particle has no axes that could define a surface.
                let radius = (!self.is_particle(ends[0].body)).then(|| self.radius(force, ends, size))?;
                force.arguments.push(("radius", Argued::Number(radius)));
            }
            (Some(_), _) => {
                let radii = self.radii(&ends, size)?.map(Argued::Number);
                force.arguments.extend(["first", "second"].into_iter().zip(radii));
            }
            // Without damping and free length it is regular where the ends coincide.
            (_, "spring_damper") if far.is_none() => force.arguments.retain(|(name, _)| *name == "stiffness"),
            (_, "cable") => {
                far?;
                let free_length = size.with_value((1e4 * beside_one(size) * length).round() / 1e4);
                force.arguments.push(("free_length", Argued::Number(free_length)));
            }
            (_, "torsion_spring") => (!self.nears_half_turn(&ends, axis_of(force))).then_some(())?,
            (_, "bushing") => self.is_regular(ends).then_some(())?,
            _ if acts_along_a_line(force.kind) => far?,
            _ => {}
        }
        Some(())
    }

    /// Radius of the second end's ball that clearly touches the first end's plane or hill, or clearly does not.
    fn radius(&self, force: &Applied, ends: [Place; 2], size: Number) -> Number {
        let world = self.plan.world();
        let hill = force.arguments.iter().find_map(|(_, value)| match value {
            Argued::Hill(hill) => Some(hill.value),
            _ => None,
        });
        let [a, b] = ends.map(|end| Frame::of(&end, &world));
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
        let ratio = beside_one(size);
        // Below the plane a contact is deep with any radius.
        let radius = if height > CLOSE { ratio * height } else { 0.2 * ratio - height.min(0.0) };
        size.with_value((1e4 * radius).round() / 1e4)
    }

    /// Radii of two balls or circles that clearly touch or clearly do not.
    fn radii(&self, ends: &[Place; 2], size: Number) -> Option<[Number; 2]> {
        let length = Some(ends[0].distance(&ends[1], &self.plan.world())).filter(|length| *length > CLOSE)?;
        Some([0.4, 0.6].map(|part| size.with_value((1e4 * part * beside_one(size) * length).round() / 1e4)))
    }

    /// Whether the angle of a spatial torsion spring may reach its jump: where joints keep its sine at zero and the cosine is not well
    /// above it, rounding would choose between the half revolutions.
    fn nears_half_turn(&self, ends: &[Place; 2], axis: [Number; 3]) -> bool {
        let [sine, cosine] = turn_about(axis, ends, &self.plan.world()).map(|x| x.value());
        self.plan.is_spatial() && sine.abs() < 0.3 && cosine < 0.5
    }

    /// Whether a bushing is between frames whose axes are not too far apart: its angles are singular at a right angle, and jump at half revolutions.
    fn is_regular(&self, ends: [Place; 2]) -> bool {
        let world = self.plan.world();
        let [a, b] = ends.map(|e| Frame::of(&e, &world));
        let (cosine, [first, _, last]) = a.inverse().then(&b).angles([0, 1, 2]);
        cosine > 0.5 && first.abs() < 2.0 && last.abs() < 2.0
    }
}

/// A size over a distance that clearly differs from one.
fn beside_one(size: Number) -> f64 {
    if (size.value - 1.0).abs() < SLACK { 1.0 - SLACK } else { size.value }
}

/// Whether a kind may have a direction that is undefined where its points coincide.
fn acts_along_a_line(kind: &Kind) -> bool {
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
