//! Contact quantities of a cam: `contact.pressure_angle`, `.radius`, `.relative_curvature`, `.force`.
//!
//! The second curve has its body on its left: its normal n₂ points into the body. With σ = t₁·t₂ = ±1 and d the direction of motion of the second
//! curve's body, which a revolute or prismatic joint guides:
//!
//! ```text
//! pressure angle        α = atan((d × n₂)/(d·n₂))
//! radius of curvature   ρ₁ = −σ/κ₁          of the first curve, positive where it curves away from the second
//! relative curvature    κ₂ − σ κ₁ = κ₂ + 1/ρ₁          positive where the curves lie on either side of their tangent
//! force                 F·n₂          on the second body, positive where they press
//! ```
//!
//! Source: Norton, Cam Design and Manufacturing Handbook, on cam size; relative curvature as in Johnson, Contact Mechanics, § 4.1.

use mbs_definition::Ident;
use mbs_expr::{BodyId, ExprId, JointId, MarkerId, Op, Scalar};
use mbs_model::{Step, plane};

use crate::mistakes;
use crate::resolvers::{CurveResolver, Resolves};
use crate::tables::CurvePoint;
use crate::value::Value;
use crate::{Reported, Res};

/// Quantities of a cam in addition to its coordinates.
pub(crate) const REPORTED: [&str; 4] = ["pressure_angle", "radius", "relative_curvature", "force"];

impl<'a> CurveResolver<'_, 'a> {
    /// A quantity of [`REPORTED`], if the joint is a cam.
    pub(crate) fn contact_quantity(&mut self, j: JointId, field: &Ident) -> Res<Option<Value>> {
        let Some([a, b]) = self.resolver.joints.cams.get(&j).copied() else { return Ok(None) };
        let normal = self.curve_normal(&b);
        Ok(Some(Value::Number(match field.text.as_str() {
            "pressure_angle" => {
                let travel = self.travel(j, &b, field)?;
                self.resolver.exprs.write(|w| {
                    let [travel, normal] = [travel, normal].map(|v| w.vector(v));
                    w.id((travel.cross(normal) / travel.dot(normal)).atan())
                })
            }
            "radius" => {
                let curvature = self.curvature_along_other(&a, &b);
                if self.resolver.exprs.value(curvature) == Some(0.0) {
                    return self.fail(field.origin, mistakes::curves::straight_curve_has_no_radius());
                }
                self.resolver.exprs.write(|w| w.id(-1.0 / w.expr(curvature)))
            }
            "relative_curvature" => {
                let (second, other) = (self.curvature(&b), self.curvature_along_other(&a, &b));
                self.resolver.exprs.write(|w| w.id(w.expr(second) - w.expr(other)))
            }
            "force" => {
                let force = [0, 1].map(|c| self.resolver.exprs.push(Op::Reaction(j.0, c)));
                self.resolver.exprs.write(|w| w.id(w.dot(&force, &normal)))
            }
            _ => return Ok(None),
        })))
    }

    /// World components of the unit normal.
    fn curve_normal(&mut self, traced: &CurvePoint) -> [ExprId; 2] {
        let [x, y, _] = self.curve_tangent(traced);
        self.rotated_left([x, y])
    }

    /// σ κ₁: the curvature of the first curve for the direction of travel of the second.
    fn curvature_along_other(&mut self, a: &CurvePoint, b: &CurvePoint) -> ExprId {
        let [t, u] = [a, b].map(|traced| self.curve_tangent(traced));
        let curvature = self.curvature(a);
        self.resolver.exprs.write(|w| w.id(w.dot(&t[..2], &u[..2]) * w.expr(curvature)))
    }

    /// A world vector in the direction of motion of the second body's point at the contact.
    fn travel(&mut self, cam: JointId, second: &CurvePoint, field: &Ident) -> Res<[ExprId; 2]> {
        let Some(body) = self.resolver.bodies.markers[second.marker.index()].body else {
            return self.fail(field.origin, mistakes::curves::ground_does_not_travel());
        };
        let guide = self.guiding_joint(cam, body, field)?;
        let joint = self.resolver.joints.all[guide.index()].as_ref().ok_or(Reported)?;
        let first = joint.ends[0];
        match *joint.steps() {
            [Step::Prismatic { axis }] => Ok(plane(self.vectors().world_in_plane(first, plane(axis)))),
            _ => {
                let point = self.curve_point(second);
                let arm = self
                    .resolver
                    .exprs
                    .write(|w| [0, 1].map(|c: usize| w.id(w.expr(point[c]) - w.op(Op::Position(first, c as u8)))));
                Ok(self.rotated_left(arm))
            }
        }
    }

    /// The prismatic or revolute joint that guides a body: the one on ground, or the only one.
    fn guiding_joint(&mut self, cam: JointId, body: BodyId, field: &Ident) -> Res<JointId> {
        let mut guides = Vec::new();
        for j in 0..self.resolver.joints.slots.len() {
            let slot = &self.resolver.names.slots[self.resolver.joints.slots[j]];
            if slot.kind.is_some_and(|(kind, _)| kind.name == "revolute" || kind.name == "prismatic") {
                self.joint_resolver().ready_joint(JointId(j as u32), field.origin)?;
                let ends = self.resolver.joints.all[j].as_ref().ok_or(Reported)?.ends;
                let bodies = ends.map(|m: MarkerId| self.resolver.bodies.markers[m.index()].body);
                if bodies.contains(&Some(body)) {
                    guides.push((JointId(j as u32), bodies.contains(&None)));
                }
            }
        }
        let on_ground: Vec<_> = guides.iter().filter(|(_, on_ground)| *on_ground).collect();
        match (&on_ground[..], &guides[..]) {
            ([(guide, _)], _) | ([], [(guide, _)]) => Ok(*guide),
            _ => {
                let (name, missing) = (
                    &self.resolver.names.slots[self.resolver.joints.slots[cam.index()]].name,
                    &self.resolver.bodies.all[body.index()].name,
                );
                self.fail(field.origin, mistakes::curves::no_pressure_angle(name, missing))
            }
        }
    }
}
