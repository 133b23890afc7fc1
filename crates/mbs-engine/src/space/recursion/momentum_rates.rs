//! Rates of momenta without rows, ∂T/∂q + loads, in one pass from the leaves to the root.
//!
//! With the momenta P, L of all bodies outboard of a link, about its origin, and with c_k, w_k its columns,
//!
//! ```text
//! (1)  ∂T/∂q_k = ċ_k · P + ẇ_k · L + w_k · D        D = Σ ṙ × P_b
//! (2)  of a body alone:  D = −v × P
//! (3)  to the parent:    P,   L + ρ × P,   D + ρ̇ × P
//! ```
//!
//! where r is the vector from the origin to the centre of mass of body b, and v the velocity of the origin: the velocity of a centre of mass is
//! parallel to P_b. (1) follows from ∂T/∂q_k = Σ (d/dt ∂v_b/∂q̇_k) · P_b + …, by which Lagrange's equations differ from Newton's.

use super::Inertia;
use crate::space::motion::{Link, Motion};
use crate::space::vector::{Column, Wrench};

/// Work space of the recursion: momenta of subtrees, about the origins of their roots.
#[derive(Clone, Debug)]
pub(crate) struct MomentumRates {
    momenta: Vec<Wrench>,
}

impl MomentumRates {
    pub fn new(links: &[Link]) -> Self {
        MomentumRates { momenta: vec![Wrench::ZERO; links.len()] }
    }

    /// Adds ∂T/∂q + Σ Jᵀ f to `rates`, with f the wrenches in `applied`, which are overwritten. Requires the rates of columns.
    pub fn add_rates(
        &mut self,
        links: &[Link],
        inertias: &[Inertia],
        motion: &Motion,
        applied: &mut [Wrench],
        rates: &mut [f64],
    ) {
        for (i, frame) in motion.links.iter().enumerate() {
            let moving = Column { velocity: frame.velocity, rate: frame.rate };
            self.momenta[i] = inertias[i].in_world(frame).momentum(moving);
            applied[i].torque -= frame.velocity.cross(self.momenta[i].force);
        }
        for (i, link) in links.iter().enumerate().rev() {
            let (frame, momentum, load) = (&motion.links[i], self.momenta[i], applied[i]);
            for k in link.speeds() {
                rates[k] += motion.columns[k].power(load) + motion.column_rates[k].power(momentum);
            }
            let Some(parent) = link.parent else { continue };
            self.momenta[parent] += momentum.shifted(frame.offset);
            applied[parent] += load.shifted(frame.offset);
            let offset_rate = frame.velocity - motion.links[parent].velocity;
            applied[parent].torque += offset_rate.cross(momentum.force);
        }
    }
}
