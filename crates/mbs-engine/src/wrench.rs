//! Wrenches and columns of Jacobians, for planar and spatial mechanisms.

use std::ops::{AddAssign, Mul, Neg, SubAssign};

use crate::poses::MOST_SPEEDS;

/// A force with the moment about a point, or the derivative of a scalar with respect to a velocity and an angular velocity; world axes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Wrench<F, T> {
    /// Force \[N\].
    pub force: F,
    /// Torque or moment \[N m\].
    pub torque: T,
}

/// Velocity of a point and angular velocity of a body per unit speed; world axes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Column<V, W> {
    /// Velocity of the point.
    pub velocity: V,
    /// Angular velocity.
    pub rate: W,
}

impl<F: AddAssign, T: AddAssign> AddAssign for Wrench<F, T> {
    fn add_assign(&mut self, other: Self) {
        self.force += other.force;
        self.torque += other.torque;
    }
}

impl<F: SubAssign, T: SubAssign> SubAssign for Wrench<F, T> {
    fn sub_assign(&mut self, other: Self) {
        self.force -= other.force;
        self.torque -= other.torque;
    }
}

impl<F: Neg<Output = F>, T: Neg<Output = T>> Neg for Wrench<F, T> {
    type Output = Self;
    fn neg(self) -> Self {
        Wrench { force: -self.force, torque: -self.torque }
    }
}

impl<F: Mul<f64, Output = F>, T: Mul<f64, Output = T>> Mul<f64> for Wrench<F, T> {
    type Output = Self;
    fn mul(self, s: f64) -> Self {
        Wrench { force: self.force * s, torque: self.torque * s }
    }
}

impl<V: AddAssign, W: AddAssign> AddAssign for Column<V, W> {
    fn add_assign(&mut self, other: Self) {
        self.velocity += other.velocity;
        self.rate += other.rate;
    }
}

impl<V: Mul<f64, Output = V>, W: Mul<f64, Output = W>> Mul<f64> for Column<V, W> {
    type Output = Self;
    fn mul(self, s: f64) -> Self {
        Column { velocity: self.velocity * s, rate: self.rate * s }
    }
}

/// Half the derivative of a function that is quadratic in the speeds v of a joint with respect to speed k. A central difference is exact.
pub(crate) fn half_derivative<V, W>(
    mut quadratic: impl FnMut(&[f64]) -> Column<V, W>,
    v: &[f64],
    k: usize,
) -> Column<V, W>
where
    Column<V, W>: AddAssign + Mul<f64, Output = Column<V, W>>,
{
    let size = mbs_math::max_norm(v);
    let s = if size > 0.0 { size } else { 1.0 };
    let mut moved = [0.0; MOST_SPEEDS];
    let moved = &mut moved[..v.len()];
    moved.copy_from_slice(v);
    moved[k] = v[k] + s;
    let mut difference = quadratic(moved);
    moved[k] = v[k] - s;
    difference += quadratic(moved) * -1.0;
    difference * (0.25 / s)
}
