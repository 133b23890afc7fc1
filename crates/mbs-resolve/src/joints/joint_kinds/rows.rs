//! The rows of a declared kind: its equations, or those that constrain its ends to its pose.

use std::borrow::Cow;

use mbs_definition::{Expr, ExprKind};
use mbs_expr::ExprId;
use mbs_model::{JointPose, PoseRotation, Rotation, catalog};

use super::PendingJoint;
use crate::Res;
use crate::mistakes;
use crate::resolvers::{JointResolver, Resolves};
use crate::scope::Scope;
use crate::value::Axes;
use crate::values::rotations::{axis_angle_rotation, composed};

impl<'a> JointResolver<'_, 'a> {
    /// Names and residuals of the rows of a kind that is given by equations.
    pub(crate) fn kind_rows(&mut self, pending: &PendingJoint<'_>) -> Res<Vec<(Cow<'static, str>, ExprId)>> {
        let (kind, scope) = (pending.kind, &pending.scope);
        let mut rows: Vec<(Cow<'static, str>, ExprId)> = Vec::new();
        for (i, row) in kind.rows.iter().enumerate() {
            let owner = match &row.name {
                Some(name) => format!("constraint `{}` of joint kind `{}`", name.text, kind.name.text),
                None => format!("equation {} of joint kind `{}`", i + 1, kind.name.text),
            };
            let (word, residuals) = match self.basic_rows(&row.equation, scope)? {
                Some((word, residuals)) => (word.to_owned(), residuals),
                None => {
                    let residual = self.resolver.residual(&row.equation, &owner, scope)?;
                    ("row".to_owned(), residual.components().expect("differences have components").to_vec())
                }
            };
            self.resolver.row_level(&residuals, &owner, row.equation.origin)?;
            let base = row.name.as_ref().map_or(word, |name| name.text.clone());
            let n = residuals.len();
            for (k, residual) in residuals.into_iter().enumerate() {
                let component = if n == 1 { base.clone() } else { format!("{base}[{k}]") };
                let is_used = |name: &str| rows.iter().any(|(other, _)| other == name);
                let numbered = (2..).map(|n| format!("{component}_{n}")).find(|name| !is_used(name));
                let name = if is_used(&component) { numbered.expect("numbers do not end") } else { component };
                rows.push((name.into(), residual));
            }
        }
        Ok(rows)
    }

    /// Residuals of `coincident(a, b)`, p_a − p_b, and of `perpendicular(u, v)` and `parallel(u, v)`, products of unit vectors; `None` for other
    /// calls.
    fn basic_rows<'e>(&mut self, e: &'e Expr, scope: &Scope) -> Res<Option<(&'e str, Vec<ExprId>)>> {
        let ExprKind::Call(word, given) = &e.kind else { return Ok(None) };
        let name = word.text.as_str();
        if !["coincident", "perpendicular", "parallel"].contains(&name) {
            return Ok(None);
        }
        let [first, second] = &given[..] else {
            return self.fail(
                word.origin,
                mistakes::joints::wrong_number_between(name, given.len(), if given.len() == 1 { "is" } else { "are" }),
            );
        };
        if name == "coincident" {
            let points = [self.resolver.eval(first, scope)?, self.resolver.eval(second, scope)?];
            let [p, q] = [
                self.vectors().as_marker(&points[0], first.origin)?,
                self.vectors().as_marker(&points[1], second.origin)?,
            ];
            let difference = self.vectors().write(|g| g.ids(g.displacement(q, p)));
            return Ok(Some((name, difference[..self.resolver.dimension()].to_vec())));
        }
        let [(u, of_u), (v, of_v)] = [
            self.resolver.evaluate_vector(first, scope, &format!("the first of `{name}`"))?,
            self.resolver.evaluate_vector(second, scope, &format!("the second of `{name}`"))?,
        ];
        let [u, v] = [self.vectors().reexpress(u, of_u, Axes::World), self.vectors().reexpress(v, of_v, Axes::World)];
        let rows = match name {
            "perpendicular" => vec![self.resolver.exprs.write(|w| w.id(w.dot(&u, &v)))],
            _ if self.resolver.is_planar() => {
                vec![self.vectors().write(|g| g.id(g.vector(u).cross(g.vector(v))[2]))]
            }
            _ => {
                // u = ±v where v is normal to two directions normal to u; those are made of a direction fixed in u's marker.
                let (marker, local) =
                    self.resolver.exprs.declared_components(u).unwrap_or((self.vectors().ground_marker(), u));
                self.vectors().write(|g| {
                    let normals = catalog::normal_directions(g.vector(local)).map(|d| g.to_world(marker, d));
                    g.all_ids(normals.map(|d| d.dot(g.vector(v))))
                })
            }
        };
        Ok(Some((name, rows)))
    }

    /// Rows that constrain the second end to its pose in the first, where the joint closes a loop.
    pub(crate) fn pose_rows(
        &mut self,
        pending: &PendingJoint<'_>,
        pose: &JointPose,
    ) -> Vec<(Cow<'static, str>, ExprId)> {
        let [p, q] = pending.ends;
        let (names, rows): (&[&'static str], _) = if self.resolver.is_planar() {
            let rows = self.vectors().write(|g| {
                let [x, y, _] = (g.displacement(q, p) + g.to_world(p, g.vector(pose.translation))).0;
                let orientation = match &pose.rotation {
                    PoseRotation::Successive(rotations) => {
                        rotations.iter().fold(g.angle(p), |sum, (_, angle)| sum + g.expr(*angle))
                    }
                    PoseRotation::Matrix(_) => g.angle(p),
                };
                g.all_ids([x, y, orientation - g.angle(q)])
            });
            (&["x", "y", "angle"], rows)
        } else {
            let rotation = self.pose_rotation(&pose.rotation);
            let rows = self.vectors().write(|g| {
                let together = g.displacement(q, p) + g.to_world(p, g.vector(pose.translation));
                let required = rotation.map(|axis| g.to_world(p, g.vector(axis)));
                g.all_ids(together.0.into_iter().chain(catalog::parallel_to(g, q, required)))
            });
            (&["x", "y", "z", "turn_x", "turn_y", "turn_z"], rows)
        };
        names.iter().map(|name| Cow::from(*name)).zip(rows).collect()
    }

    /// The rotation matrix of a pose, by columns.
    fn pose_rotation(&mut self, rotation: &PoseRotation) -> Rotation {
        let [zero, one] = [0.0, 1.0].map(|x| self.resolver.exprs.constant(x));
        let start = [[one, zero, zero], [zero, one, zero], [zero, zero, one]];
        match rotation {
            PoseRotation::Matrix(rotation) => *rotation,
            PoseRotation::Successive(rotations) => rotations.iter().fold(start, |before, (axis, angle)| {
                let step = axis_angle_rotation(&mut self.resolver.exprs, *axis, *angle);
                composed(&mut self.resolver.exprs, before, step)
            }),
        }
    }
}
