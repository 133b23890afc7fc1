//! Bodies whose points are p(r) = o + Σₖ rₖ xₖ, where the origin o and the axes xₖ are linear in the basics of natural coordinates: their positions,
//! velocities, accelerations, and the forces on them. Off the constraints the axes are neither unit vectors nor orthogonal.

use std::ops::{AddAssign, Mul, SubAssign};

use mbs_math::Vector;

/// Origin and axes of a body, their rates, or the forces F with the power F_o·ȯ + Σₖ Fₖ·ẋₖ; world axes, in D dimensions.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Affine<const D: usize> {
    pub origin: Vector<f64, D>,
    pub axes: [Vector<f64, D>; D],
}

impl<const D: usize> Affine<D> {
    /// Zero.
    pub const ZERO: Affine<D> = Affine { origin: Vector([0.0; D]), axes: [Vector([0.0; D]); D] };

    /// The point r of the body, or its rate.
    pub fn point(&self, r: Vector<f64, D>) -> Vector<f64, D> {
        self.origin + self.direction(r)
    }

    /// The vector u of the body, or its rate.
    pub fn direction(&self, u: Vector<f64, D>) -> Vector<f64, D> {
        let mut sum = Vector([0.0; D]);
        self.axes.iter().zip(u.0).for_each(|(axis, u)| sum += *axis * u);
        sum
    }

    /// A force at the point r.
    pub fn from_force(r: Vector<f64, D>, force: Vector<f64, D>) -> Self {
        Affine { origin: force, ..Affine::on_direction(r, force) }
    }

    /// A load with the power load·u̇ on the vector u.
    pub fn on_direction(u: Vector<f64, D>, load: Vector<f64, D>) -> Self {
        Affine { origin: Vector([0.0; D]), axes: u.0.map(|u| load * u) }
    }
}

impl<const D: usize> AddAssign for Affine<D> {
    fn add_assign(&mut self, other: Self) {
        self.origin += other.origin;
        self.axes.iter_mut().zip(other.axes).for_each(|(x, y)| *x += y);
    }
}

impl<const D: usize> SubAssign for Affine<D> {
    fn sub_assign(&mut self, other: Self) {
        *self += other * -1.0;
    }
}

impl<const D: usize> Mul<f64> for Affine<D> {
    type Output = Self;
    fn mul(self, s: f64) -> Self {
        Affine { origin: self.origin * s, axes: self.axes.map(|x| x * s) }
    }
}

/// ∫ dm, ∫ r dm and ∫ r rᵀ dm of a body, about its origin and in its axes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MassMoments<const D: usize> {
    pub mass: f64,
    pub first: Vector<f64, D>,
    pub second: [Vector<f64, D>; D],
}

impl<const D: usize> MassMoments<D> {
    /// Gravity as forces on origin and axes.
    pub fn weight(&self, gravity: Vector<f64, D>) -> Affine<D> {
        Affine { origin: gravity * self.mass, axes: self.first.0.map(|x| gravity * x) }
    }

    /// ∫ p̈·δp dm as forces on origin and axes.
    pub fn inertial_forces(&self, acceleration: &Affine<D>) -> Affine<D> {
        let Affine { origin, .. } = *acceleration;
        let axis = |k: usize| origin * self.first[k] + acceleration.direction(self.second[k]);
        Affine { origin: origin * self.mass + acceleration.direction(self.first), axes: std::array::from_fn(axis) }
    }
}
