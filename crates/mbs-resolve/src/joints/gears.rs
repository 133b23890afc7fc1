//! Gears: the angles of two joints, on a carrier if one is named.
//!
//! Gears A and B with centres P and Q turn on a carrier C by a and b, measured from C. With the ratio i of an external mesh (i < 0) or an
//! internal one (i > 0), û along the axes and r_C = p_Q − p_P, which the bearings keep fixed on C,
//!
//! ```text
//! Φ = a − i b − offset − (1 − i) ξ,    ξ = ŵ_C·(p_Q − p_P),    ŵ_C = û × r_C/|û × r_C|²          (1)
//! ```
//!
//! ξ is the angle by which the line of centres has turned on C. It is zero, and its derivatives are not: along Φ a multiplier λ is a force
//! λ (1 − i) ŵ_C at P, the opposite at Q, λ about the axis of A, −λ i about that of B, and nothing about that of C. That is a force of size λ/r_A
//! at the pitch point p_P + r_C/(1 − i), where the teeth have one velocity, across the line of centres: r_A = |û × r_C|/|1 − i|.

#![allow(non_snake_case)] // monogram notation

use mbs_definition::{Declaration, Expr, Origin};
use mbs_expr::{BodyId, ExprId, JointId, MarkerId, Op};
use mbs_model::catalog::{Angles, CarrierTerms};
use mbs_model::{Domain, Step};

use crate::mistakes;
use crate::resolvers::{JointResolver, Resolves};
use crate::value::Value;
use crate::values::rotations::rotated;
use crate::{Reported, Res, Scope};

/// Name of the argument.
const CARRIER: &str = "carrier";

/// Largest component of the product of two unit vectors that count as parallel.
const PARALLEL: f64 = 1e-9;

/// Carrier of both gears of a mesh.
#[derive(Clone, Copy, Debug)]
struct Carrier {
    /// `None` is ground.
    body: Option<BodyId>,
    /// Joint that the carrier turns on, with the index of its angle; `None` for ground.
    joint: Option<(JointId, u8)>,
}

/// A gear on its carrier.
#[derive(Clone, Copy, Debug)]
struct Mounted {
    /// Whether its bearing is on the carrier; otherwise it is on the body that bears the carrier.
    on_carrier: bool,
    /// Location of its axis on the carrier.
    place: MarkerId,
    /// Direction of its axis, in the axes of the carrier's body.
    axis: [ExprId; 3],
}

impl<'a> JointResolver<'_, 'a> {
    /// Angles that a gear couples, contribution of its carrier, and ends.
    pub(crate) fn gear(
        &mut self,
        name: &str,
        d: &Declaration,
        ends: &[Expr],
        values: &[Value],
        scope: &Scope,
    ) -> Res<(Angles, Option<CarrierTerms>, [MarkerId; 2])> {
        let angles = [0, 1].map(|i| self.joint_angle(&values[i], &ends[i]));
        let carrier = d.arguments.iter().find(|a| a.name.text == CARRIER).map(|a| self.carrier(&a.value, scope));
        let (angles, carrier) = ([angles[0]?, angles[1]?], carrier.transpose()?);
        if angles[0].0 == angles[1].0 {
            return self.fail(ends[1].origin, mistakes::joints::gear_with_itself(name));
        }
        let markers =
            [angles[0].0, angles[1].0].map(|j| self.resolver.joints.all[j.index()].as_ref().map(|joint| joint.ends[1]));
        let [Some(first), Some(second)] = markers else { return Err(Reported) };
        let on = carrier.map(|c| self.on_carrier(name, d, ends, angles, [first, second], c)).transpose()?;
        Ok((angles, on, [first, second]))
    }

    /// `carrier: arm_bearing`, `carrier: ground`.
    fn carrier(&mut self, value: &Expr, scope: &Scope) -> Res<Carrier> {
        match self.resolver.eval(value, scope)? {
            Value::Body(None) => Ok(Carrier { body: None, joint: None }),
            joint @ Value::Joint(_) => {
                let (j, k) = self.joint_angle(&joint, value)?;
                let second = self.resolver.joints.all[j.index()].as_ref().ok_or(Reported)?.ends[1];
                Ok(Carrier { body: self.resolver.bodies.markers[second.index()].body, joint: Some((j, k)) })
            }
            other => self.fail(value.origin, mistakes::joints::carrier_is_no_joint(other.describe())),
        }
    }

    /// ŵ_C·(p_Q − p_P) of (1), and the angle of the carrier where a gear is not measured from it.
    fn on_carrier(
        &mut self,
        name: &str,
        d: &Declaration,
        ends: &[Expr],
        angles: Angles,
        centres: [MarkerId; 2],
        carrier: Carrier,
    ) -> Res<CarrierTerms> {
        let mounted = [0, 1].map(|i| self.mounted(angles[i].0, carrier, ends[i].origin));
        let mounted = [mounted[0]?, mounted[1]?];
        let Some(own) = mounted.iter().find(|m| m.on_carrier) else {
            return self.fail(ends[1].origin, mistakes::joints::carrier_without_gear(name));
        };
        let axis = own.axis;
        if !self.are_parallel(mounted[0].axis, mounted[1].axis) {
            return self.fail(ends[1].origin, mistakes::joints::gear_axes_not_parallel(name));
        }
        let [p, q] = mounted.map(|m| self.resolver.bodies.markers[m.place.index()].point);
        let (across, square) = self.vectors().write(|g| {
            let across = g.vector(axis).cross(g.vector(q) - g.vector(p));
            (g.ids(across), g.id(across.square()))
        });
        let (what, origin) = (format!("the square of the distance of the axes of gear `{name}`"), d.name.ident.origin);
        self.argument_resolver().parametric(square, origin, &what)?;
        self.argument_resolver().in_domain(square, Domain::Positive, origin, &what)?;
        let line = self.vectors().write(|g| {
            let turned = g.vector(across) / g.expr(square);
            let w_W = match carrier.body {
                Some(body) => g.to_world(g.scene.bodies[body.index()].origin_marker, turned),
                None => turned,
            };
            g.id(w_W.dot(g.displacement(centres[0], centres[1])))
        });
        let angle = carrier.joint.map(|(j, k)| self.resolver.exprs.push(Op::JointCoordinate(j, k)));
        Ok(CarrierTerms { line, carrier: mounted.map(|m| angle.filter(|_| !m.on_carrier)) })
    }

    /// Mounting of a gear on its carrier.
    fn mounted(&mut self, j: JointId, carrier: Carrier, origin: Origin) -> Res<Mounted> {
        let ends = self.resolver.joints.all[j.index()].as_ref().ok_or(Reported)?.ends;
        let body = |r: &Self, m: MarkerId| r.resolver.bodies.markers[m.index()].body;
        let on_carrier = body(self, ends[0]) == carrier.body;
        let turning = carrier.joint.filter(|c| c.0 != j).map(|c| c.0);
        let own = self.axis_at(j, 0);
        // In the axes of the carrier's body, where the carrier turns about the same axis.
        let (place, axis) = match turning.and_then(|c| Some((c, self.resolver.joints.all[c.index()].as_ref()?.ends))) {
            _ if on_carrier => (Some(ends[0]), own),
            Some((c, [base, on])) if body(self, base) == body(self, ends[0]) => {
                let axes = own.zip(self.axis_at(c, 0));
                let common = axes.is_some_and(|(a, b)| self.are_parallel(a, b) && self.is_along(a, [base, ends[0]]));
                (common.then_some(on), self.axis_at(c, 1))
            }
            _ => (None, own),
        };
        if let (Some(place), Some(axis)) = (place, axis) {
            return Ok(Mounted { on_carrier, place, axis });
        }
        self.fail(
            origin,
            mistakes::joints::joint_turns_no_gear(
                &self.resolver.names.slots[self.resolver.joints.slots[j.index()]].name,
            ),
        )
    }

    /// The axis of a joint that only turns about one, in the axes of the body of its first or second end.
    fn axis_at(&mut self, j: JointId, end: usize) -> Option<[ExprId; 3]> {
        let joint = self.resolver.joints.all[j.index()].as_ref()?;
        let (marker, [Step::Revolute { axis }]) = (joint.ends[end], joint.steps()) else { return None };
        let axis = *axis;
        Some(match self.resolver.bodies.markers[marker.index()].rotation {
            Some(columns) => rotated(&mut self.resolver.exprs, columns, axis),
            None => axis,
        })
    }

    /// Whether two unit vectors of constants and parameters point one way, at the default parameters.
    fn are_parallel(&mut self, a: [ExprId; 3], b: [ExprId; 3]) -> bool {
        let (across, along) = self.vectors().write(|g| {
            let [a, b] = [a, b].map(|v| g.vector(v));
            (g.ids(a.cross(b)), g.id(a.dot(b)))
        });
        let ahead = self.resolver.at_defaults(along).is_some_and(|x| x > 0.0);
        ahead && across.into_iter().all(|x| self.resolver.at_defaults(x).is_some_and(|x| x.abs() < PARALLEL))
    }

    /// Whether two places on one body are on one line along a unit vector, at the default parameters.
    fn is_along(&mut self, axis: [ExprId; 3], places: [MarkerId; 2]) -> bool {
        let [p, q] = places.map(|m| self.resolver.bodies.markers[m.index()].point);
        let across = self.vectors().write(|g| g.ids(g.vector(axis).cross(g.vector(q) - g.vector(p))));
        across.into_iter().all(|x| self.resolver.at_defaults(x).is_some_and(|x| x.abs() < PARALLEL))
    }

    /// A joint with an angle, and the number of that coordinate.
    fn joint_angle(&mut self, value: &Value, end: &Expr) -> Res<(JointId, u8)> {
        let Value::Joint(j) = value else {
            return self.fail(end.origin, mistakes::joints::gear_of_no_joint(value.describe()));
        };
        self.ready_joint(*j, end.origin)?;
        let joint = self.resolver.joints.all[j.index()].as_ref().ok_or(Reported)?;
        let name = joint.name.clone();
        let angles = joint.pose().map_or(&[][..], |pose| &self.resolver.joints.poses[pose as usize].angles);
        let is_angle = |(k, n): (usize, &str)| n == "angle" || angles.get(k) == Some(&true);
        match joint.coordinates.iter().enumerate().position(|(k, (n, _))| is_angle((k, n))) {
            Some(k) => Ok((*j, k as u8)),
            None => self.fail(end.origin, mistakes::joints::joint_without_angle(&name)),
        }
    }
}
