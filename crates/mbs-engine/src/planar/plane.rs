//! Wrenches and columns of the plane, and operations on vectors in addition to the shared operators.

use mbs_math::{Vec2, Vector};

use crate::wrench;

/// The zero vector.
pub(crate) const ZERO: Vec2<f64> = Vector([0.0; 2]);

/// A unit vector.
pub(crate) fn unit(k: usize) -> Vec2<f64> {
    Vector([0, 1].map(|i| f64::from(i == k)))
}

/// ẑ × a: across a, to its left.
pub(crate) fn across(a: Vec2<f64>) -> Vec2<f64> {
    Vector([-a[1], a[0]])
}

/// A force with the torque about some point, counterclockwise.
pub(crate) type Wrench = wrench::Wrench<Vec2<f64>, f64>;

impl Wrench {
    /// None.
    pub const ZERO: Wrench = Wrench { force: ZERO, torque: 0.0 };

    /// A force at the end of an arm, about the arm's beginning.
    pub fn at(arm: Vec2<f64>, force: Vec2<f64>) -> Self {
        Wrench { force, torque: arm.cross(force) }
    }

    /// A torque.
    pub fn torque(torque: f64) -> Self {
        Wrench { force: ZERO, torque }
    }

    /// Wrench about another point, from which the present one is at `offset`.
    pub fn shifted(self, offset: Vec2<f64>) -> Self {
        Wrench { force: self.force, torque: self.torque + offset.cross(self.force) }
    }
}

/// Effect of a unit speed of a coordinate on a body: velocity of its origin and rate of its angle, world axes.
pub(crate) type Column = wrench::Column<Vec2<f64>, f64>;

impl Column {
    /// Nothing moves.
    pub const ZERO: Column = Column { velocity: ZERO, rate: 0.0 };

    /// Power of a wrench about the origin.
    pub fn power(self, w: Wrench) -> f64 {
        self.velocity.dot(w.force) + self.rate * w.torque
    }
}
