//! Constant poses: markers, alignments of axes.

use mbs_expr::{Comparison, ExprId, MarkerId, Scalar};
use mbs_math::{Each, Mat3, Vector};
use mbs_model::Model;

use super::links::Constant;
use super::transform::Part;
use super::vector::{Matrix3, Vector3, identity, is_zero, zero};

/// A constant pose of a frame in another: x_outer = R x_inner + p.
#[derive(Clone, Copy, Debug)]
pub struct Fixed<S> {
    /// R; `None` where the axes are parallel.
    pub rotation: Option<Matrix3<S>>,
    /// p.
    pub point: Vector3<S>,
}

impl<S: Scalar> Fixed<S> {
    /// The identity.
    pub fn identity() -> Self {
        Fixed { rotation: None, point: zero() }
    }

    /// R v: components in the inner axes to components in the outer ones.
    pub fn rotate(&self, v: Vector3<S>) -> Vector3<S> {
        self.rotation.as_ref().map_or(v, |r| r * v)
    }

    /// R x + p: outer coordinates of the point with inner coordinates x.
    pub fn point(&self, x: Vector3<S>) -> Vector3<S> {
        self.rotate(x) + self.point
    }

    /// The composition of this pose with `inner`, a pose in its inner frame. Literal entries that differ from 0 and ±1 only by rounding are set to
    /// these.
    pub fn compose(&self, inner: &Fixed<S>) -> Self {
        let rotation = match (self.rotation, inner.rotation) {
            (None, r) | (r, None) => r,
            (Some(a), Some(b)) => {
                let r = (a * b).map(without_rounding);
                (!is_identity(&r)).then_some(r)
            }
        };
        Fixed { rotation, point: self.point(inner.point) }
    }

    /// The pose of the outer frame in the inner one.
    pub fn inverse(&self) -> Self {
        let rotation = self.rotation.map(Matrix3::transpose);
        let inverse = Fixed { rotation, point: zero() };
        Fixed { rotation, point: zero() - inverse.rotate(self.point) }
    }
}

/// An entry of a rotation; a literal that differs from 0 and ±1 only by rounding becomes that number.
fn without_rounding<S: Scalar>(x: S) -> S {
    match x.literal() {
        Some(x) if (x - x.round()).abs() < 4.0 * f64::EPSILON => S::number(x.round() + 0.0),
        _ => x,
    }
}

fn is_identity<S: Scalar>(r: &Matrix3<S>) -> bool {
    let one = identity::<S>();
    let is_equal = |a: S, b: S| a.literal().is_some() && a.literal() == b.literal();
    (0..3).all(|i| (0..3).all(|k| is_equal(r[i][k], one[i][k])))
}

/// The composition of constant poses as elementary parts: rotations about coordinate axes remain parts of their own, the other poses between them
/// are composed.
pub fn constant_parts<S: Scalar>(model: &Model, poses: &[Constant], value: &dyn Fn(ExprId) -> S) -> Vec<Part<S>> {
    let mut parts = Vec::new();
    let mut composed = Fixed::identity();
    let flush = |composed: &mut Fixed<S>, parts: &mut Vec<Part<S>>| {
        let Fixed { rotation, point } = std::mem::replace(composed, Fixed::identity());
        if !is_zero(point) {
            parts.push(Part::Translation(point));
        }
        parts.extend(rotation.map(Part::Rotation));
    };
    for pose in poses {
        if let Constant::AxisRotation { axis, cos, sin } = *pose {
            flush(&mut composed, &mut parts);
            parts.push(Part::AxisRotation { axis, cos: S::number(cos), sin: S::number(sin) });
        } else {
            composed = composed.compose(&constant_pose(model, *pose, value));
        }
    }
    flush(&mut composed, &mut parts);
    parts
}

/// The pose of a [`Constant`].
pub fn constant_pose<S: Scalar>(model: &Model, constant: Constant, value: &dyn Fn(ExprId) -> S) -> Fixed<S> {
    let marker = |m: MarkerId| {
        let declared = &model.markers[m.index()];
        let rotation = declared.rotation.map(|axes| Mat3::of_columns(axes.each(|axis| Vector(axis).map(value))));
        Fixed { rotation, point: Vector(declared.point).map(value) }
    };
    match constant {
        Constant::Marker(m) => marker(m),
        Constant::Inverse(m) => marker(m).inverse(),
        Constant::Align(axis) => aligned(Vector(axis).map(value)),
        Constant::Unalign(axis) => aligned(Vector(axis).map(value)).inverse(),
        Constant::Pose { rotation, point } => {
            let rotation = rotation.map(|rows| Mat3::from_rows(|i| Vector(rows[i]).map(S::number)));
            Fixed { rotation, point: Vector(point).map(S::number) }
        }
        Constant::AxisRotation { axis, cos, sin } => {
            let (i, j) = ((axis + 1) % 3, (axis + 2) % 3);
            let mut rows = identity();
            (rows[i][i], rows[j][j]) = (S::number(cos), S::number(cos));
            (rows[i][j], rows[j][i]) = (S::number(-sin), S::number(sin));
            Fixed { rotation: Some(rows), point: zero() }
        }
        Constant::FromCom(m, body) => {
            let com = Vector(model.bodies[body.index()].com).map(value);
            Fixed { rotation: None, point: zero() - marker(m).inverse().point(com) }
        }
    }
}

/// Rotation to axes whose z axis is the unit vector z, smooth except where its z component changes sign: Duff et al. (2017), *Building an Orthonormal
/// Basis, Revisited*.
fn aligned<S: Scalar>(z: Vector3<S>) -> Fixed<S> {
    let (o, one) = (S::number(0.0), S::number(1.0));
    let sign = S::select(Comparison::Less, z[2], o, -one, one);
    let a = -(one / (sign + z[2]));
    let b = z[0] * z[1] * a;
    let x = Vector([one + sign * z[0] * z[0] * a, sign * b, -(sign * z[0])]);
    let y = Vector([b, sign + z[1] * z[1] * a, -z[1]]);
    Fixed { rotation: Some(Mat3::of_columns([x, y, z])), point: zero() }
}
