//! Inverse dynamics: generalised forces from accelerations.

use super::Mass;
use crate::planar::link::Step;
use crate::planar::motion::Motion;
use crate::planar::plane::{Wrench, perpendicular};

/// Work space of the recursion: wrenches on the bodies, about their origins.
#[derive(Clone, Debug)]
pub(crate) struct NewtonEuler {
    wrenches: Vec<Wrench>,
}

impl NewtonEuler {
    pub fn new(steps: &[Step]) -> Self {
        NewtonEuler { wrenches: vec![Wrench::ZERO; steps.len()] }
    }

    /// Generalised forces that the motion requires in addition to the applied wrenches: Σ Jᵀ(M ẍ − f), written into `forces`.
    ///
    /// ```text
    /// F = m a + α ẑ × h − ω² h        τ_O = I_O α + h × a
    /// ```
    pub fn required(
        &mut self,
        steps: &[Step],
        masses: &[Mass],
        motion: &Motion,
        applied: &[Wrench],
        forces: &mut [f64],
    ) {
        for (i, wrench) in self.wrenches.iter_mut().enumerate() {
            *wrench = inertial(&masses[i], motion, i);
            *wrench -= applied[i];
        }
        for (i, step) in steps.iter().enumerate().rev() {
            let wrench = self.wrenches[i];
            let columns = &motion.columns[step.range()];
            forces[step.range()].iter_mut().zip(columns).for_each(|(force, c)| *force = c.power(wrench));
            if let Some(parent) = step.parent {
                self.wrenches[parent] += motion.shifted_to_parent(step, i, wrench);
            }
        }
    }
}

impl NewtonEuler {
    /// Wrench that the joint of a step transmits to its body, about its origin, after [`NewtonEuler::required`].
    pub fn transmitted(&self, step: usize) -> Wrench {
        self.wrenches[step]
    }
}

/// Rate of momentum of one body, about its origin.
pub(super) fn inertial(mass: &Mass, motion: &Motion, i: usize) -> Wrench {
    let body = &motion.bodies[i];
    let r = mass.com.rotated(body.rotation);
    let h = r * mass.mass;
    let (a, alpha, square) = (body.acceleration, body.angular_acceleration, body.rate * body.rate);
    let about_origin = mass.inertia + mass.mass * r.square();
    Wrench { force: a * mass.mass + perpendicular(h) * alpha - h * square, torque: about_origin * alpha + h.cross(a) }
}
