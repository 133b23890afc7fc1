//! Wrenches and columns of the plane, and operations on vectors in addition to the shared operators.

use std::ops::{AddAssign, Mul, Neg, SubAssign};

use mbs_math::{Vec2, Vector};

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

/// A force with the torque about some point, or what multiplies a velocity and a rate.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Wrench {
    /// \[N\], world axes.
    pub force: Vec2<f64>,
    /// \[N m\], counterclockwise.
    pub torque: f64,
}

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

/// Adds another wrench about the same point.
impl AddAssign for Wrench {
    fn add_assign(&mut self, other: Wrench) {
        self.force += other.force;
        self.torque += other.torque;
    }
}

/// Without another about the same point.
impl SubAssign for Wrench {
    fn sub_assign(&mut self, other: Wrench) {
        self.force -= other.force;
        self.torque -= other.torque;
    }
}

/// The opposite.
impl Neg for Wrench {
    type Output = Wrench;
    fn neg(self) -> Wrench {
        Wrench { force: -self.force, torque: -self.torque }
    }
}

/// Some multiple.
impl Mul<f64> for Wrench {
    type Output = Wrench;
    fn mul(self, s: f64) -> Wrench {
        Wrench { force: self.force * s, torque: self.torque * s }
    }
}

/// Effect of a unit speed of a coordinate on a body: velocity of its origin and rate of its angle, world axes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Column {
    /// Velocity of the origin.
    pub velocity: Vec2<f64>,
    /// Rate of the angle.
    pub rate: f64,
}

impl Column {
    /// Nothing moves.
    pub const ZERO: Column = Column { velocity: ZERO, rate: 0.0 };

    /// Power of a wrench about the origin.
    pub fn power(self, w: Wrench) -> f64 {
        self.velocity.dot(w.force) + self.rate * w.torque
    }
}

/// With another of the same body.
impl AddAssign for Column {
    fn add_assign(&mut self, other: Column) {
        self.velocity += other.velocity;
        self.rate += other.rate;
    }
}

/// At some speed.
impl Mul<f64> for Column {
    type Output = Column;
    fn mul(self, s: f64) -> Column {
        Column { velocity: self.velocity * s, rate: self.rate * s }
    }
}
