//! Inverse dynamics: forces from motion.

use super::Mass;
use crate::planar::motion::{Motion, Step};
use crate::planar::plane::{Wrench, cross, minus, rotated, scaled, turned};

/// Work space of the recursion: wrenches on the bodies, about their origins.
#[derive(Clone, Debug)]
pub(crate) struct NewtonEuler {
    wrenches: Vec<Wrench>,
}

impl NewtonEuler {
    pub fn new(steps: &[Step]) -> Self {
        NewtonEuler { wrenches: vec![Wrench::default(); steps.len()] }
    }

    /// Generalised forces that the motion takes beyond the applied wrenches: Σ Jᵀ(M ẍ − f), written into `forces`.
    ///
    /// ```text
    /// F = m a + α ẑ × h − ω² h        τ_O = I_O α + h × a
    /// ```
    pub fn required(
        &mut self,
        (steps, masses): (&[Step], &[Mass]),
        motion: &Motion,
        applied: &[Wrench],
        forces: &mut [f64],
    ) {
        for (i, wrench) in self.wrenches.iter_mut().enumerate() {
            *wrench = inertial(&masses[i], motion, i);
            wrench.force = minus(wrench.force, applied[i].force);
            wrench.torque -= applied[i].torque;
        }
        for (i, step) in steps.iter().enumerate().rev() {
            let wrench = self.wrenches[i];
            let columns = &motion.columns[step.range()];
            forces[step.range()].iter_mut().zip(columns).for_each(|(force, c)| *force = c.power(wrench));
            if let Some(parent) = step.parent {
                self.wrenches[parent].add(motion.carried(step, i, wrench));
            }
        }
    }
}

impl NewtonEuler {
    /// What the joint of a step passes on to its body, about its origin, after [`NewtonEuler::required`].
    pub fn passed(&self, step: usize) -> Wrench {
        self.wrenches[step]
    }
}

/// Rate of momentum of one body, about its origin.
pub(super) fn inertial(mass: &Mass, motion: &Motion, i: usize) -> Wrench {
    let body = &motion.bodies[i];
    let r = rotated(body.turn, mass.com);
    let h = scaled(mass.mass, r);
    let (alpha, square) = (body.angular_acceleration, body.rate * body.rate);
    let turning = turned(h);
    let force = [0, 1].map(|k| mass.mass * body.acceleration[k] + alpha * turning[k] - square * h[k]);
    let about_origin = mass.inertia + mass.mass * (r[0] * r[0] + r[1] * r[1]);
    Wrench { force, torque: about_origin * alpha + cross(h, body.acceleration) }
}
