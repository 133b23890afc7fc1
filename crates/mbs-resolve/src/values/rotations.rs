//! Rotations in space as values: matrices by their columns, made of an axis and an angle, of Euler angles, of a quaternion, or of the axes of a
//! marker.
//!
//! A rotation R_AB maps components in B to components in A, so that R_AC = R_AB R_BC and v_A = R_AB v_B. The rotation of a marker is R_WM: its
//! columns are the marker's axes. A rotation made of numbers has no axes and rotates vectors in the axes in which they are expressed.

#![allow(non_snake_case)] // monogram notation

use mbs_definition::{Expr, ExprKind, Ident, Origin};
use mbs_expr::{Expr as Formula, ExprId, Exprs, Scalar};
use mbs_math::Vector;
use mbs_model::Rotation;
use mbs_model::catalog::attitude;

use crate::mistakes;
use crate::resolvers::{Resolves, VectorResolver};
use crate::value::{Axes, Value};
use crate::{Res, Scope};

/// Sines and cosines of literal angles below this are the rounding of π, and count as zero.
const SMALLEST: f64 = 1e-15;

/// The product R v.
pub(crate) fn rotate_vector(exprs: &mut Exprs, r: Rotation, v: [ExprId; 3]) -> [ExprId; 3] {
    exprs.write(|w| {
        let v = w.vector(v);
        transposed(r).map(|row| w.id(v.dot(w.vector(row))))
    })
}

/// The product R_AC = R_AB R_BC.
pub(crate) fn composed(exprs: &mut Exprs, R_AB: Rotation, R_BC: Rotation) -> Rotation {
    R_BC.map(|axis| rotate_vector(exprs, R_AB, axis))
}

/// The transpose Rᵀ = R⁻¹.
pub(crate) fn transposed(r: Rotation) -> Rotation {
    [0, 1, 2].map(|c| r.map(|axis| axis[c]))
}

/// R(û, φ) = û ûᵀ + cos φ (1 − û ûᵀ) + sin φ [û]× of a unit vector û.
pub(crate) fn axis_angle_rotation(exprs: &mut Exprs, u: [ExprId; 3], angle: ExprId) -> Rotation {
    exprs.write(|w| {
        let (u, angle) = (w.vector(u), w.expr(angle));
        let [sin, cos] = [angle.sin(), angle.cos()].map(|x| {
            let is_rounding = x.literal().is_some_and(|x| x.abs() < SMALLEST);
            if is_rounding { Formula::from(0.0) } else { x }
        });
        rotation_from_entries(|row, column| {
            let product = u[row] * u[column];
            w.id(match column {
                _ if row == column => product + cos * (1.0 - product),
                // [û]× has −u_z at (0, 1), the other entries follow by cyclic permutation.
                _ if (row + 1) % 3 == column => product * (1.0 - cos) + -sin * u[3 - row - column],
                _ => product * (1.0 - cos) + sin * u[3 - row - column],
            })
        })
    })
}

/// R of a quaternion [e0, e] ≠ 0: 1 + s (e0 [e]× + [e]×²), s = 2/(e0² + e·e), homogeneous of degree zero.
fn quaternion_rotation(exprs: &mut Exprs, q: [ExprId; 4]) -> Rotation {
    exprs.write(|w| {
        let q = w.vector(q);
        let [e0, e @ ..] = q.0;
        let s = 2.0 / q.square();
        rotation_from_entries(|row, column| {
            if row == column {
                return w.id(1.0 - s * Vector([e[(row + 1) % 3], e[(row + 2) % 3]]).square());
            }
            let (product, cross) = (e[row] * e[column], e0 * e[3 - row - column]);
            w.id(s * if (row + 1) % 3 == column { product - cross } else { product + cross })
        })
    })
}

/// The matrix with entries `entry(row, column)`, by columns.
fn rotation_from_entries(entry: impl Fn(usize, usize) -> ExprId) -> Rotation {
    [0, 1, 2].map(|column| [0, 1, 2].map(|row| entry(row, column)))
}

impl<'a> VectorResolver<'_, 'a> {
    /// Evaluates `rotation(m)`, `axis_angle(axis, angle)` or `quaternion(…)`; see [`Resolver::euler`] for `euler`, which has a word as an argument.
    pub(crate) fn rotation_call(&mut self, function: &Ident, values: &[Value], from: &[Expr]) -> Res<Value> {
        let origin = from[0].origin;
        match (function.text.as_str(), &values[0]) {
            ("rotation", m) => {
                let m = self.as_marker(m, origin)?;
                self.check_can_rotate(m, origin, "its axes stay parallel to the world's")?;
                let axes = self.world_axes(m);
                Ok(Value::Rotation(axes, Some([Axes::World, self.resolver.marker_axes(m)])))
            }
            ("axis_angle", Value::Vector(v, axes)) if v.len() == 3 => {
                let axes = *axes;
                let axis = self.padded(v);
                self.body_resolver().check_axis(axis, origin)?;
                let [angle] = self.numbers("axis_angle", &values[1..], &from[1..])?;
                let unit = self.body_resolver().unit_vector(axis);
                let stated = (axes != Axes::Unstated).then_some([axes; 2]);
                let rotation = axis_angle_rotation(&mut self.resolver.exprs, unit, angle);
                self.finite_rotation(rotation, stated, origin)
            }
            ("quaternion", Value::Vector(v, Axes::Unstated)) if v.len() == 4 => {
                let q = [v[0], v[1], v[2], v[3]];
                if q.iter().all(|x| self.resolver.at_defaults(*x) == Some(0.0)) {
                    return self.fail(origin, mistakes::values::quaternion_of_zeros());
                }
                let square = self.resolver.exprs.write(|w| w.id(w.dot(&q, &q)));
                if self.resolver.at_defaults(square).is_some_and(|x| !x.is_normal()) {
                    return self.fail(origin, mistakes::values::quaternion_length_may_vanish());
                }
                let rotation = quaternion_rotation(&mut self.resolver.exprs, q);
                self.finite_rotation(rotation, None, origin)
            }
            ("quaternion", Value::Rotation(r, _)) => {
                let r = *r;
                let q = self.write(|g| g.all_ids(attitude::quaternion(g.writer, r.map(|axis| g.vector(axis)))));
                Ok(Value::Vector(q, Axes::Unstated))
            }
            (name, other) => {
                let (takes, help) = match (name, other) {
                    ("quaternion", Value::Body(_) | Value::Marker(_)) => {
                        ("a vector of 4 or a rotation", Some("write `quaternion(rotation(m))`".to_string()))
                    }
                    ("quaternion", _) => {
                        ("a vector of 4 or a rotation", Some("write `quaternion([w, x, y, z])`".into()))
                    }
                    _ => ("an axis and an angle", Some("write `axis_angle([x, y, z], angle)`".into())),
                };
                let code = mistakes::code_of_shape(matches!(other, Value::Vector(..)));
                self.fail(origin, mistakes::values::rotation_takes(code, name, takes, other.describe()).help_if(help))
            }
        }
    }

    /// Evaluates `euler(zyx, [a, b, c])` = R_z(a) R_y(b) R_x(c): each rotation is about an axis of the frame that results from those before it.
    pub(crate) fn euler(&mut self, arguments: &[Expr], scope: &Scope) -> Res<Value> {
        let sequence = self.sequence(&arguments[0]);
        let (angles, axes) = self.resolver.evaluate_vector(&arguments[1], scope, "the list of angles of `euler`")?;
        if axes != Axes::Unstated {
            return self.fail(arguments[1].origin, mistakes::values::angles_are_numbers());
        }
        let mut rotation: Option<Rotation> = None;
        for (axis, angle) in sequence?.into_iter().zip(angles) {
            let unit = [0, 1, 2].map(|c| self.resolver.exprs.constant(f64::from(u8::from(c == axis))));
            let next = axis_angle_rotation(&mut self.resolver.exprs, unit, angle);
            rotation = Some(rotation.map_or(next, |before| composed(&mut self.resolver.exprs, before, next)));
        }
        self.finite_rotation(rotation.ok_or(crate::Reported)?, None, arguments[1].origin)
    }

    /// A rotation whose entries are finite at the default parameters, where they are known.
    fn finite_rotation(&mut self, r: Rotation, axes: Option<[Axes; 2]>, origin: Origin) -> Res<Value> {
        for x in r.as_flattened() {
            self.argument_resolver().finite_at_defaults(*x, origin, "this rotation")?;
        }
        Ok(Value::Rotation(r, axes))
    }

    /// Reads a sequence of axes, `zyx`: consecutive axes differ.
    pub(crate) fn sequence(&mut self, e: &Expr) -> Res<[u8; 3]> {
        let word = match &e.kind {
            ExprKind::Name(word) => word,
            ExprKind::Broken => {
                self.resolver.mistakes.broken = true;
                return Err(crate::Reported);
            }
            _ => return self.fail(e.origin, mistakes::values::sequence_is_a_word()),
        };
        let axes: Option<Vec<u8>> = word.chars().map(|c| "xyz".find(c).map(|axis| axis as u8)).collect();
        match axes.as_deref() {
            Some([a, b, c]) if a != b && b != c => Ok([*a, *b, *c]),
            _ => self.fail(e.origin, mistakes::values::not_a_sequence(word)),
        }
    }

    /// The product of a rotation with a rotation or a vector; `None` for other operands.
    pub(crate) fn rotation_product(
        &mut self,
        R_AB: Rotation,
        axes: Option<[Axes; 2]>,
        right: &Value,
        origin: Origin,
    ) -> Res<Option<Value>> {
        Ok(Some(match right {
            Value::Rotation(R_BC, others) => {
                let axes = match (axes, *others) {
                    (Some([to, middle]), Some([of, from])) => {
                        self.check_rotated_axes(middle, of, origin)?;
                        Some([to, from])
                    }
                    (one, other) => one.or(other),
                };
                Value::Rotation(composed(&mut self.resolver.exprs, R_AB, *R_BC), axes)
            }
            Value::Vector(v, operand_axes) if v.len() == 3 => {
                let v = self.padded(v);
                let to = match axes {
                    Some([to, from]) => {
                        self.check_rotated_axes(from, *operand_axes, origin)?;
                        to
                    }
                    None => *operand_axes,
                };
                Value::Vector(rotate_vector(&mut self.resolver.exprs, R_AB, v).to_vec(), to)
            }
            _ => return Ok(None),
        }))
    }

    /// Checks that an operand of a rotation R_AB is expressed in the axes B.
    fn check_rotated_axes(&mut self, from: Axes, found: Axes, origin: Origin) -> Res<()> {
        if found == Axes::Unstated || self.resolver.bodies.are_parallel_axes(from, found) {
            return Ok(());
        }
        let (from, found) = (self.resolver.axes_name(from), self.resolver.axes_name(found));
        self.fail(origin, mistakes::values::rotation_in_other_axes(&from, &found))
    }
}
