//! Recursions over the tree, in world axes about each body's origin: Newton–Euler for the bias, composite bodies for M,
//! articulated bodies for accelerations without constraints, momenta of subtrees for ∂T/∂q.
//!
//! Featherstone (2008), *Rigid Body Dynamics Algorithms*, ch. 5, 6, 7, in the plane: a twist is (velocity of the origin, rate),
//! a wrench (force, torque about the origin), and a step from a body to its parent shifts by ρ, the vector from the parent's origin
//! to the body's.

mod articulated;
mod composite;
mod momentum_rates;
mod newton_euler;

pub(crate) use articulated::Articulated;
pub(crate) use composite::Composite;
pub(crate) use momentum_rates::MomentumRates;
pub(crate) use newton_euler::NewtonEuler;

use std::ops::AddAssign;

use mbs_math::Vec2;

use crate::planar::link::Step;
use crate::planar::motion::{BodyMotion, Motion};
use crate::planar::plane::ZERO;

/// Mass properties of a body, in body axes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Mass {
    /// Mass \[kg\].
    pub mass: f64,
    /// Centre of mass from the origin, body axes.
    pub com: Vec2<f64>,
    /// Moment of inertia about the centre of mass \[kg m²\].
    pub inertia: f64,
}

impl Mass {
    /// No mass.
    pub const ZERO: Mass = Mass { mass: 0.0, com: ZERO, inertia: 0.0 };
}

/// Inertia about an origin, world axes: mass, first moment Σ m r, second moment Σ m r² + I.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Inertia {
    pub mass: f64,
    pub moment: Vec2<f64>,
    pub inertia: f64,
}

impl Inertia {
    /// No inertia.
    pub const ZERO: Inertia = Inertia { mass: 0.0, moment: ZERO, inertia: 0.0 };

    /// Inertia of one body about its origin.
    pub fn from_mass(mass: &Mass, body: &BodyMotion) -> Self {
        let moment = mass.com.rotated(body.rotation) * mass.mass;
        Inertia { mass: mass.mass, moment, inertia: mass.inertia + mass.mass * mass.com.square() }
    }

    /// Shifts the inertia of body i to the origin of its parent; a particle transmits no rotation.
    pub fn shifted_to_parent(self, motion: &Motion, step: &Step, i: usize) -> Self {
        let rho = motion.bodies[i].offset;
        let (moment, inertia) = if step.is_rigid { (self.moment, self.inertia) } else { (ZERO, 0.0) };
        Inertia {
            mass: self.mass,
            moment: moment + rho * self.mass,
            inertia: inertia + 2.0 * rho.dot(moment) + self.mass * rho.square(),
        }
    }
}

/// Adds another inertia about the same origin.
impl AddAssign for Inertia {
    fn add_assign(&mut self, other: Inertia) {
        self.mass += other.mass;
        self.moment += other.moment;
        self.inertia += other.inertia;
    }
}
