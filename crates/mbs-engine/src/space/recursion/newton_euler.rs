//! Inverse dynamics: generalised forces from accelerations.

use super::Inertia;
use crate::space::frame::Frame;
use crate::space::motion::{Link, Motion};
use crate::space::vector::{Column, Wrench};

/// Work space of the recursion: wrenches on the links, about their origins.
#[derive(Clone, Debug)]
pub(crate) struct NewtonEuler {
    wrenches: Vec<Wrench>,
}

impl NewtonEuler {
    pub fn new(links: &[Link]) -> Self {
        NewtonEuler { wrenches: vec![Wrench::ZERO; links.len()] }
    }

    /// Generalised forces that the motion requires in addition to the applied wrenches: Σ Jᵀ(M ẍ − f), written into `forces`.
    pub fn required(
        &mut self,
        links: &[Link],
        inertias: &[Inertia],
        motion: &Motion,
        applied: &[Wrench],
        forces: &mut [f64],
    ) {
        for (i, wrench) in self.wrenches.iter_mut().enumerate() {
            *wrench = inertial(&inertias[i].in_world(&motion.links[i]), &motion.links[i]);
            *wrench -= applied[i];
        }
        for (i, link) in links.iter().enumerate().rev() {
            let wrench = self.wrenches[i];
            let columns = &motion.columns[link.speeds()];
            forces[link.speeds()].iter_mut().zip(columns).for_each(|(force, c)| *force = c.power(wrench));
            if let Some(parent) = link.parent {
                self.wrenches[parent] += wrench.shifted(motion.links[i].offset);
            }
        }
    }
}

/// Rate of momentum of an inertia that moves with a frame, about the origin of the frame:
///
/// ```text
/// F = m a + α × h + ω × (ω × h)        τ = J α + ω × J ω + h × a
/// ```
pub(crate) fn inertial(of: &Inertia, frame: &Frame) -> Wrench {
    let w = frame.rate;
    let mut wrench = of.momentum(Column { velocity: frame.acceleration, rate: frame.angular_acceleration });
    wrench.force += w.cross(w.cross(of.moment));
    wrench.torque += w.cross(of.tensor * w);
    wrench
}
