//! Gears: the angles of two joints, on a carrier if one is named.
//!
//! Gears A and B with centres P and Q rotate on a carrier C by the angles a and b relative to C. With the ratio i of an external mesh (i < 0) or an
//! internal one (i > 0), û the direction of the axes and r_C = p_Q − p_P, which the bearings keep constant on C,
//!
//! ```text
//! Φ = a − i b − offset − (1 − i) ξ,    ξ = ŵ_C·(p_Q − p_P),    ŵ_C = û × r_C/|û × r_C|²          (1)
//! ```
//!
//! ξ is the rotation of the line of centres relative to C. It is zero, but its derivatives are not. A multiplier λ of Φ is a force λ (1 − i) ŵ_C at
//! P, the opposite force at Q, a torque λ about the axis of A, −λ i about that of B, and none about that of C. These loads are those of a force of
//! magnitude λ/r_A at the pitch point p_P + r_C/(1 − i), where the teeth have equal velocities, normal to the line of centres: r_A = |û × r_C|/|1 −
//! i|.

#![allow(non_snake_case)] // monogram notation

use mbs_definition::{Declaration, Expr, Origin};
use mbs_expr::{BodyId, ExprId, JointId, MarkerId, Op};
use mbs_model::catalog::{Angles, CarrierTerms};
use mbs_model::{Domain, Step};

use crate::mistakes;
use crate::resolvers::{JointResolver, Resolves};
use crate::value::Value;
use crate::values::rotations::rotate_vector;
use crate::{Reported, Res, Scope};

/// Name of the argument that gives the carrier.
const CARRIER: &str = "carrier";

/// Largest component of the cross product of two unit vectors that count as parallel.
const PARALLEL: f64 = 1e-9;

/// Carrier of the two gears of a mesh.
#[derive(Clone, Copy, Debug)]
struct Carrier {
    /// `None` is ground.
    body: Option<BodyId>,
    /// Joint of the carrier, with the index of its angle; `None` for ground.
    joint: Option<(JointId, u8)>,
}

/// A gear on its carrier.
#[derive(Clone, Copy, Debug)]
struct GearMounting {
    /// Whether its bearing is on the carrier; otherwise it is on the body that the carrier's joint is mounted on.
    on_carrier: bool,
    /// Location of its axis on the carrier.
    location: MarkerId,
    /// Direction of its axis, in the axes of the carrier's body.
    axis: [ExprId; 3],
}

impl<'a> JointResolver<'_, 'a> {
    /// The angles that a gear couples, the contribution of its carrier, and the ends of the gear.
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
        let gear_on = carrier.map(|c| self.on_carrier(name, d, ends, angles, [first, second], c)).transpose()?;
        Ok((angles, gear_on, [first, second]))
    }

    /// Reads `carrier: arm_bearing` or `carrier: ground`.
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

    /// ξ = ŵ_C·(p_Q − p_P) of (1), and the angle of the carrier for each gear whose angle is not measured from the carrier.
    fn on_carrier(
        &mut self,
        name: &str,
        d: &Declaration,
        ends: &[Expr],
        angles: Angles,
        centres: [MarkerId; 2],
        carrier: Carrier,
    ) -> Res<CarrierTerms> {
        let mounted = [0, 1].map(|i| self.mounting(angles[i].0, carrier, ends[i].origin));
        let mounted = [mounted[0]?, mounted[1]?];
        let Some(first_axis) = mounted.iter().find(|m| m.on_carrier) else {
            return self.fail(ends[1].origin, mistakes::joints::carrier_without_gear(name));
        };
        let axis = first_axis.axis;
        if !self.are_parallel(mounted[0].axis, mounted[1].axis) {
            return self.fail(ends[1].origin, mistakes::joints::gear_axes_not_parallel(name));
        }
        let [p, q] = mounted.map(|m| self.resolver.bodies.markers[m.location.index()].point);
        let (cross, square) = self.vectors().write(|g| {
            let cross = g.vector(axis).cross(g.vector(q) - g.vector(p));
            (g.ids(cross), g.id(cross.square()))
        });
        let (subject, origin) =
            (format!("the square of the distance of the axes of gear `{name}`"), d.name.ident.origin);
        self.argument_resolver().parametric(square, origin, &subject)?;
        self.argument_resolver().in_domain(square, Domain::Positive, origin, &subject)?;
        let line = self.vectors().write(|g| {
            let direction = g.vector(cross) / g.expr(square);
            let w_W = match carrier.body {
                Some(body) => g.to_world(g.scene.bodies[body.index()].origin_marker, direction),
                None => direction,
            };
            g.id(w_W.dot(g.displacement(centres[0], centres[1])))
        });
        let angle = carrier.joint.map(|(j, k)| self.resolver.exprs.push(Op::JointCoordinate(j, k)));
        Ok(CarrierTerms { line, carrier: mounted.map(|m| angle.filter(|_| !m.on_carrier)) })
    }

    /// Mounting of a gear on its carrier.
    fn mounting(&mut self, j: JointId, carrier: Carrier, origin: Origin) -> Res<GearMounting> {
        let ends = self.resolver.joints.all[j.index()].as_ref().ok_or(Reported)?.ends;
        let body = |r: &Self, m: MarkerId| r.resolver.bodies.markers[m.index()].body;
        let on_carrier = body(self, ends[0]) == carrier.body;
        let carrier_joint = carrier.joint.filter(|c| c.0 != j).map(|c| c.0);
        let first_axis = self.rotation_axis(j, 0);
        // A gear on the body that the carrier is mounted on must rotate about the carrier's axis.
        let (location, axis) = match carrier_joint
            .and_then(|c| Some((c, self.resolver.joints.all[c.index()].as_ref()?.ends)))
        {
            _ if on_carrier => (Some(ends[0]), first_axis),
            Some((c, [base, gear_on])) if body(self, base) == body(self, ends[0]) => {
                let axes = first_axis.zip(self.rotation_axis(c, 0));
                let common = axes.is_some_and(|(a, b)| self.are_parallel(a, b) && self.are_aligned(a, [base, ends[0]]));
                (common.then_some(gear_on), self.rotation_axis(c, 1))
            }
            _ => (None, first_axis),
        };
        if let (Some(location), Some(axis)) = (location, axis) {
            return Ok(GearMounting { on_carrier, location, axis });
        }
        self.fail(
            origin,
            mistakes::joints::joint_turns_no_gear(
                &self.resolver.names.slots[self.resolver.joints.slots[j.index()]].name,
            ),
        )
    }

    /// The axis of a joint with one rotation and no other motion, in the axes of the body of its first or second end; `None` for other joints.
    fn rotation_axis(&mut self, j: JointId, end: usize) -> Option<[ExprId; 3]> {
        let joint = self.resolver.joints.all[j.index()].as_ref()?;
        let (marker, [Step::Revolute { axis }]) = (joint.ends[end], joint.steps()) else { return None };
        let axis = *axis;
        Some(match self.resolver.bodies.markers[marker.index()].rotation {
            Some(columns) => rotate_vector(&mut self.resolver.exprs, columns, axis),
            None => axis,
        })
    }

    /// Whether two unit vectors of constants and parameters have one direction, at the default parameters.
    fn are_parallel(&mut self, a: [ExprId; 3], b: [ExprId; 3]) -> bool {
        let (cross, dot) = self.vectors().write(|g| {
            let [a, b] = [a, b].map(|v| g.vector(v));
            (g.ids(a.cross(b)), g.id(a.dot(b)))
        });
        let is_codirectional = self.resolver.at_defaults(dot).is_some_and(|x| x > 0.0);
        is_codirectional && cross.into_iter().all(|x| self.resolver.at_defaults(x).is_some_and(|x| x.abs() < PARALLEL))
    }

    /// Whether the line through two points of one body is parallel to a unit vector, at the default parameters.
    fn are_aligned(&mut self, axis: [ExprId; 3], points: [MarkerId; 2]) -> bool {
        let [p, q] = points.map(|m| self.resolver.bodies.markers[m.index()].point);
        let cross = self.vectors().write(|g| g.ids(g.vector(axis).cross(g.vector(q) - g.vector(p))));
        cross.into_iter().all(|x| self.resolver.at_defaults(x).is_some_and(|x| x.abs() < PARALLEL))
    }

    /// A joint with an angle, and the index of that coordinate.
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
