//! Recursions over the links, in world axes about each link's origin: Newton–Euler for the bias, composite bodies for M,
//! articulated bodies for accelerations without constraints, momenta of subtrees for ∂T/∂q.
//!
//! Featherstone (2008), *Rigid Body Dynamics Algorithms*, ch. 5, 6, 7: a step from a link to its parent shifts by ρ, the vector from the
//! parent's origin to the link's.

mod articulated;
mod composite;
mod momentum_rates;
mod newton_euler;

pub(crate) use articulated::Articulated;
pub(crate) use composite::Composite;
pub(crate) use momentum_rates::MomentumRates;
pub(crate) use newton_euler::{NewtonEuler, inertial};

use std::ops::AddAssign;

use mbs_math::{Mat3, Vec3};

use super::frame::Frame;
use super::vector::{Column, FixedPose, Wrench, ZERO, outer};

/// Mass properties of a body, in body axes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Mass {
    /// Mass \[kg\].
    pub mass: f64,
    /// Centre of mass from the origin.
    pub com: Vec3<f64>,
    /// Inertia tensor about the centre of mass \[kg m²\].
    pub tensor: Mat3<f64>,
}

/// Inertia about an origin: mass, first moment Σ m r, tensor Σ m (r² 1 − r rᵀ) + I.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Inertia {
    pub mass: f64,
    pub moment: Vec3<f64>,
    pub tensor: Mat3<f64>,
}

/// m (r² 1 − r rᵀ).
fn point_inertia(mass: f64, r: Vec3<f64>) -> Mat3<f64> {
    plus_diagonal(outer(-mass, r, r), mass * r.square())
}

/// A + s 1.
fn plus_diagonal(mut a: Mat3<f64>, s: f64) -> Mat3<f64> {
    (0..3).for_each(|k| a[k][k] += s);
    a
}

/// R I Rᵀ.
fn rotated_tensor(r: Mat3<f64>, tensor: Mat3<f64>) -> Mat3<f64> {
    r * tensor * r.transpose()
}

impl Inertia {
    /// No inertia.
    pub const ZERO: Inertia = Inertia { mass: 0.0, moment: ZERO, tensor: Mat3([ZERO; 3]) };

    /// Inertia of a body fixed in a frame at a constant pose.
    pub fn from_mass(mass: &Mass, pose: &FixedPose) -> Self {
        let at = pose.point(mass.com);
        let tensor = rotated_tensor(pose.rotation, mass.tensor) + point_inertia(mass.mass, at);
        Inertia { mass: mass.mass, moment: at * mass.mass, tensor }
    }

    /// This inertia, given in the axes of a frame, in world axes.
    pub fn in_world(&self, frame: &Frame) -> Self {
        let r = frame.rotation;
        Inertia { mass: self.mass, moment: r * self.moment, tensor: rotated_tensor(r, self.tensor) }
    }

    /// This inertia about another point; `offset` is the vector from that point to the origin.
    pub fn shifted(&self, offset: Vec3<f64>) -> Self {
        // Σ m ((r + ρ)² 1 − (r + ρ)(r + ρ)ᵀ)
        let mixed = outer(-1.0, self.moment, offset) + outer(-1.0, offset, self.moment);
        let tensor = self.tensor + mixed + point_inertia(self.mass, offset);
        let tensor = plus_diagonal(tensor, 2.0 * self.moment.dot(offset));
        Inertia { mass: self.mass, moment: self.moment + offset * self.mass, tensor }
    }

    /// Momentum at the velocities of a column, about the origin.
    pub fn momentum(&self, c: Column) -> Wrench {
        Wrench {
            force: c.velocity * self.mass - self.moment.cross(c.rate),
            torque: self.tensor * c.rate + self.moment.cross(c.velocity),
        }
    }
}

/// Adds another inertia about the same origin in the same axes.
impl AddAssign for Inertia {
    fn add_assign(&mut self, other: Inertia) {
        self.mass += other.mass;
        self.moment += other.moment;
        self.tensor = self.tensor + other.tensor;
    }
}
