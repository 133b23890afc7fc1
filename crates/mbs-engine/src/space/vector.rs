//! Poses, wrenches and columns of space, and operations on vectors and matrices in addition to the shared operators.

use mbs_math::{Mat3, Vec3, Vector};

use crate::wrench;

/// The zero vector.
pub(crate) const ZERO: Vec3<f64> = Vector([0.0; 3]);

/// No rotation.
pub(crate) const IDENTITY: Mat3<f64> =
    Mat3([Vector([1.0, 0.0, 0.0]), Vector([0.0, 1.0, 0.0]), Vector([0.0, 0.0, 1.0])]);

/// A unit vector.
pub(crate) fn unit(k: usize) -> Vec3<f64> {
    Vector([0, 1, 2].map(|i| f64::from(i == k)))
}

/// The first three.
pub(crate) fn first(x: &[f64]) -> Vec3<f64> {
    Vector([x[0], x[1], x[2]])
}

/// s a bᵀ.
pub(crate) fn outer(s: f64, a: Vec3<f64>, b: Vec3<f64>) -> Mat3<f64> {
    Mat3(a.0.map(|x| b * (s * x)))
}

/// ã: ã b = a × b.
pub(crate) fn tilde(Vector([x, y, z]): Vec3<f64>) -> Mat3<f64> {
    Mat3([Vector([0.0, -z, y]), Vector([z, 0.0, -x]), Vector([-y, x, 0.0])])
}

/// The pose of a frame in another: x_outer = R x_inner + p.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fixed {
    /// R.
    pub rotation: Mat3<f64>,
    /// p.
    pub point: Vec3<f64>,
}

impl Fixed {
    /// The frame itself.
    pub const NONE: Fixed = Fixed { rotation: IDENTITY, point: ZERO };

    /// A point of the inner frame in the outer one.
    pub fn point(&self, x: Vec3<f64>) -> Vec3<f64> {
        self.rotation * x + self.point
    }

    /// This pose, then another inside it.
    pub fn then(&self, inner: &Fixed) -> Self {
        Fixed { rotation: self.rotation * inner.rotation, point: self.point(inner.point) }
    }

    /// The outer frame in the inner one.
    pub fn inverse(&self) -> Self {
        let rotation = self.rotation.transpose();
        Fixed { rotation, point: -(rotation * self.point) }
    }
}

/// A force with the moment about some point.
pub(crate) type Wrench = wrench::Wrench<Vec3<f64>, Vec3<f64>>;

impl Wrench {
    /// None.
    pub const ZERO: Wrench = Wrench { force: ZERO, torque: ZERO };

    /// A force at the end of an arm, about the arm's beginning.
    pub fn at(arm: Vec3<f64>, force: Vec3<f64>) -> Self {
        Wrench { force, torque: arm.cross(force) }
    }

    /// A moment.
    pub fn torque(torque: Vec3<f64>) -> Self {
        Wrench { force: ZERO, torque }
    }

    /// Wrench about another point, from which the present one is at `offset`.
    pub fn shifted(self, offset: Vec3<f64>) -> Self {
        Wrench { force: self.force, torque: self.torque + offset.cross(self.force) }
    }
}

/// Effect of a unit speed on a frame: velocity of its origin and angular velocity, world axes.
pub(crate) type Column = wrench::Column<Vec3<f64>, Vec3<f64>>;

impl Column {
    /// Nothing moves.
    pub const ZERO: Column = Column { velocity: ZERO, rate: ZERO };

    /// Power of a wrench about the origin.
    pub fn power(self, w: Wrench) -> f64 {
        self.velocity.dot(w.force) + self.rate.dot(w.torque)
    }
}
