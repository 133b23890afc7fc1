//! Recursions over the tree, in world axes about each body's origin: Newton–Euler for the bias, composite bodies for M,
//! articulated bodies for accelerations without constraints.
//!
//! Featherstone (2008), *Rigid Body Dynamics Algorithms*, ch. 5, 6, 7, in the plane: a twist is (velocity of the origin, rate),
//! a wrench (force, torque about the origin), and going from a body to its parent shifts by ρ, the origin as seen from the
//! parent's.

mod articulated;
mod composite;
mod newton_euler;

pub(crate) use articulated::Articulated;
pub(crate) use composite::Composite;
pub(crate) use newton_euler::NewtonEuler;

use crate::planar::motion::{BodyMotion, Motion, Step};
use crate::planar::plane::{Vector, dot, rotated, scaled};

/// What a body weighs, in its own axes.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Mass {
    /// \[kg\].
    pub mass: f64,
    /// Centre of mass from the origin, body axes.
    pub com: Vector,
    /// About the centre of mass \[kg m²\].
    pub inertia: f64,
}

/// Inertia about an origin, world axes: mass, first moment Σ m r, second moment Σ m r² + I.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Inertia {
    pub mass: f64,
    pub moment: Vector,
    pub inertia: f64,
}

impl Inertia {
    /// Of one body about its origin.
    pub fn of(mass: &Mass, body: &BodyMotion) -> Self {
        let moment = scaled(mass.mass, rotated(body.turn, mass.com));
        Inertia { mass: mass.mass, moment, inertia: mass.inertia + mass.mass * dot(mass.com, mass.com) }
    }

    /// Of body i as the parent carries it, about the parent's origin; a particle passes on no rotation.
    pub fn carried(self, motion: &Motion, step: &Step, i: usize) -> Self {
        let rho = motion.bodies[i].offset;
        let (moment, inertia) = if step.turns { (self.moment, self.inertia) } else { ([0.0; 2], 0.0) };
        Inertia {
            mass: self.mass,
            moment: [moment[0] + self.mass * rho[0], moment[1] + self.mass * rho[1]],
            inertia: inertia + 2.0 * dot(rho, moment) + self.mass * dot(rho, rho),
        }
    }

    /// Adds another about the same origin.
    pub fn add(&mut self, other: Inertia) {
        self.mass += other.mass;
        self.moment = [self.moment[0] + other.moment[0], self.moment[1] + other.moment[1]];
        self.inertia += other.inertia;
    }
}

#[cfg(test)]
mod tests;
