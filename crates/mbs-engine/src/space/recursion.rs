//! Recursions over the links, in world axes about each link's origin: Newton–Euler for the bias, composite bodies for M,
//! articulated bodies for accelerations without constraints.
//!
//! Featherstone (2008), *Rigid Body Dynamics Algorithms*, ch. 5, 6, 7: going from a link to its parent shifts by ρ, the origin as seen
//! from the parent's.

mod articulated;
mod composite;
mod newton_euler;

pub(crate) use articulated::Articulated;
pub(crate) use composite::Composite;
pub(crate) use newton_euler::{NewtonEuler, inertial};

use super::motion::Frame;
use super::vector::{
    Column, Fixed, Matrix, Vector, Wrench, cross, dot, minus, outer, plus, product, scaled, sum, times, transposed,
};

/// What a body weighs, in its own axes.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Mass {
    /// \[kg\].
    pub mass: f64,
    /// Centre of mass from the origin.
    pub com: Vector,
    /// About the centre of mass \[kg m²\].
    pub tensor: Matrix,
}

/// Inertia about an origin: mass, first moment Σ m r, tensor Σ m (r² 1 − r rᵀ) + I.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Inertia {
    pub mass: f64,
    pub moment: Vector,
    pub tensor: Matrix,
}

/// m (r² 1 − r rᵀ).
fn of_point(mass: f64, r: Vector) -> Matrix {
    let square = mass * dot(r, r);
    let mut tensor = outer(-mass, r, r);
    (0..3).for_each(|k| tensor[k][k] += square);
    tensor
}

/// R I Rᵀ.
pub(crate) fn turned(r: &Matrix, tensor: &Matrix) -> Matrix {
    product(&product(r, tensor), &transposed(r))
}

impl Inertia {
    /// Of a body that stands in a frame at a constant pose.
    pub fn of(mass: &Mass, pose: &Fixed) -> Self {
        let at = pose.point(mass.com);
        let tensor = sum(&turned(&pose.rotation, &mass.tensor), &of_point(mass.mass, at));
        Inertia { mass: mass.mass, moment: scaled(mass.mass, at), tensor }
    }

    /// From the axes of a frame to those of the world.
    pub fn in_world(&self, frame: &Frame) -> Self {
        Inertia {
            mass: self.mass,
            moment: times(&frame.rotation, self.moment),
            tensor: turned(&frame.rotation, &self.tensor),
        }
    }

    /// About a point from which the origin is seen at `offset`.
    pub fn shifted(&self, offset: Vector) -> Self {
        // Σ m ((r + ρ)² 1 − (r + ρ)(r + ρ)ᵀ)
        let mixed = sum(&outer(-1.0, self.moment, offset), &outer(-1.0, offset, self.moment));
        let mut tensor = sum(&sum(&self.tensor, &mixed), &of_point(self.mass, offset));
        let twice = 2.0 * dot(self.moment, offset);
        (0..3).for_each(|k| tensor[k][k] += twice);
        Inertia { mass: self.mass, moment: plus(self.moment, scaled(self.mass, offset)), tensor }
    }

    /// Adds another about the same origin in the same axes.
    pub fn add(&mut self, other: Inertia) {
        self.mass += other.mass;
        self.moment = plus(self.moment, other.moment);
        self.tensor = sum(&self.tensor, &other.tensor);
    }

    /// Momentum of what moves with a column, about the origin.
    pub fn momentum(&self, c: Column) -> Wrench {
        Wrench {
            force: minus(scaled(self.mass, c.velocity), cross(self.moment, c.rate)),
            torque: plus(times(&self.tensor, c.rate), cross(self.moment, c.velocity)),
        }
    }
}

#[cfg(test)]
mod tests;
