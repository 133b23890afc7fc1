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

/// The vector of the first three values.
pub(crate) fn first(x: &[f64]) -> Vec3<f64> {
    Vector([x[0], x[1], x[2]])
}

/// s a bᵀ.
pub(crate) fn outer(s: f64, a: Vec3<f64>, b: Vec3<f64>) -> Mat3<f64> {
    Mat3(a.0.map(|x| b * (s * x)))
}

/// ã with ã b = a × b.
pub(crate) fn tilde(Vector([x, y, z]): Vec3<f64>) -> Mat3<f64> {
    Mat3([Vector([0.0, -z, y]), Vector([z, 0.0, -x]), Vector([-y, x, 0.0])])
}

/// The pose of a frame in another: x_outer = R x_inner + p.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FixedPose {
    /// R.
    pub rotation: Mat3<f64>,
    /// p.
    pub point: Vec3<f64>,
}

impl FixedPose {
    /// The pose of a frame in itself.
    pub const IDENTITY: FixedPose = FixedPose { rotation: IDENTITY, point: ZERO };

    /// A point of the inner frame in the outer one.
    pub fn point(&self, x: Vec3<f64>) -> Vec3<f64> {
        self.rotation * x + self.point
    }

    /// The pose of a frame whose pose in the inner one is `inner`.
    pub fn then(&self, inner: &FixedPose) -> Self {
        FixedPose { rotation: self.rotation * inner.rotation, point: self.point(inner.point) }
    }

    /// The pose of the outer frame in the inner one.
    pub fn inverse(&self) -> Self {
        let rotation = self.rotation.transpose();
        FixedPose { rotation, point: -(rotation * self.point) }
    }
}

/// A force with the moment about some point.
pub(crate) type Wrench = wrench::Wrench<Vec3<f64>, Vec3<f64>>;

impl Wrench {
    /// The zero wrench.
    pub const ZERO: Wrench = Wrench { force: ZERO, torque: ZERO };

    /// Wrench of a force about a point, with the arm from that point to the point of application.
    pub fn from_force(arm: Vec3<f64>, force: Vec3<f64>) -> Self {
        Wrench { force, torque: arm.cross(force) }
    }

    /// Wrench of a moment without a force.
    pub fn torque(torque: Vec3<f64>) -> Self {
        Wrench { force: ZERO, torque }
    }

    /// The wrench about another point; `offset` is the vector from that point to the present one.
    pub fn shifted(self, offset: Vec3<f64>) -> Self {
        Wrench { force: self.force, torque: self.torque + offset.cross(self.force) }
    }
}

/// Motion of a frame per unit speed: velocity of its origin and angular velocity, world axes.
pub(crate) type Column = wrench::Column<Vec3<f64>, Vec3<f64>>;

impl Column {
    /// The zero column.
    pub const ZERO: Column = Column { velocity: ZERO, rate: ZERO };

    /// Power of a wrench about the origin.
    pub fn power(self, w: Wrench) -> f64 {
        self.velocity.dot(w.force) + self.rate.dot(w.torque)
    }
}
