//! Wrenches, columns and moving points of the plane, and operations on vectors in addition to the shared operators.

use mbs_math::{Vec2, Vector};

use crate::wrench;

/// The zero vector.
pub(crate) const ZERO: Vec2<f64> = Vector([0.0; 2]);

/// A unit vector.
pub(crate) fn unit(k: usize) -> Vec2<f64> {
    Vector([0, 1].map(|i| f64::from(i == k)))
}

/// ẑ × a: a rotated by +90°.
pub(crate) fn perpendicular(a: Vec2<f64>) -> Vec2<f64> {
    Vector([-a[1], a[0]])
}

/// (cos, sin) of an angle.
pub(crate) fn cos_sin(angle: f64) -> [f64; 2] {
    let (sin, cos) = mbs_core::math::sin_cos(angle);
    [cos, sin]
}

/// A point and its first two derivatives.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PointMotion {
    /// Vector from the origin of its body, world axes.
    pub arm: Vec2<f64>,
    /// World position.
    pub point: Vec2<f64>,
    /// Velocity.
    pub velocity: Vec2<f64>,
    /// Acceleration.
    pub acceleration: Vec2<f64>,
}

impl PointMotion {
    /// At rest in the origin.
    pub const REST: PointMotion = PointMotion { arm: ZERO, point: ZERO, velocity: ZERO, acceleration: ZERO };
}

/// A force with the torque about some point, counterclockwise.
pub(crate) type Wrench = wrench::Wrench<Vec2<f64>, f64>;

impl Wrench {
    /// The zero wrench.
    pub const ZERO: Wrench = Wrench { force: ZERO, torque: 0.0 };

    /// Wrench of a force about a point, with the arm from that point to the point of application.
    pub fn from_force(arm: Vec2<f64>, force: Vec2<f64>) -> Self {
        Wrench { force, torque: arm.cross(force) }
    }

    /// Wrench of a torque without a force.
    pub fn torque(torque: f64) -> Self {
        Wrench { force: ZERO, torque }
    }

    /// The wrench about another point; `offset` is the vector from that point to the present one.
    pub fn shifted(self, offset: Vec2<f64>) -> Self {
        Wrench { force: self.force, torque: self.torque + offset.cross(self.force) }
    }
}

/// Motion of a body per unit speed of a coordinate: velocity of its origin and angular velocity, world axes.
pub(crate) type Column = wrench::Column<Vec2<f64>, f64>;

impl Column {
    /// The zero column.
    pub const ZERO: Column = Column { velocity: ZERO, rate: 0.0 };

    /// Power of a wrench about the origin.
    pub fn power(self, w: Wrench) -> f64 {
        self.velocity.dot(w.force) + self.rate * w.torque
    }
}
