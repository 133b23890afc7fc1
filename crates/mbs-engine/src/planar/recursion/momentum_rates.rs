//! Rates of momenta without rows, ∂T/∂q + loads, in one pass from the leaves to the root.
//!
//! With the momenta P, L of all bodies outboard of a step, about its origin, and with c_k, w_k its columns,
//!
//! ```text
//! (1)  ∂T/∂q_k = ċ_k · P + ẇ_k L + w_k D        D = Σ ṙ × P_b
//! (2)  of a body alone:  D = −v × P
//! (3)  to the parent:    P,   L + ρ × P,   D + ρ̇ × P
//! ```
//!
//! where r is the vector from the origin to the centre of mass of body b, of which the part counts that rotates with the body of the step, and v
//! the velocity of the origin: the velocity of a centre of mass is parallel to P_b. (1) follows from ∂T/∂q_k = Σ (d/dt ∂v_b/∂q̇_k) · P_b + …, by
//! which Lagrange's equations differ from Newton's.

use super::composite::momentum;
use super::{Inertia, Mass};
use crate::planar::link::Step;
use crate::planar::motion::Motion;
use crate::planar::plane::{Column, Wrench};

/// Work space of the recursion: momenta of subtrees, about the origins of their roots.
#[derive(Clone, Debug)]
pub(crate) struct MomentumRates {
    momenta: Vec<Wrench>,
}

impl MomentumRates {
    pub fn new(steps: &[Step]) -> Self {
        MomentumRates { momenta: vec![Wrench::ZERO; steps.len()] }
    }

    /// Adds ∂T/∂q + Σ Jᵀ f to `rates`, with f the wrenches in `applied`, which are overwritten. Requires the rates of columns.
    pub fn add_rates(
        &mut self,
        steps: &[Step],
        masses: &[Mass],
        motion: &Motion,
        applied: &mut [Wrench],
        rates: &mut [f64],
    ) {
        for (i, body) in motion.bodies.iter().enumerate() {
            let moving = Column { velocity: body.velocity, rate: body.rate };
            self.momenta[i] = momentum(&Inertia::from_mass(&masses[i], body), moving);
            applied[i].torque -= body.velocity.cross(self.momenta[i].force);
        }
        for (i, step) in steps.iter().enumerate().rev() {
            let (momentum, load) = (self.momenta[i], applied[i]);
            for dof in step.range() {
                rates[dof] += motion.columns[dof].power(load) + motion.column_rates[dof].power(momentum);
            }
            let Some(parent) = step.parent else { continue };
            self.momenta[parent] += motion.shifted_to_parent(step, i, momentum);
            applied[parent] += motion.shifted_to_parent(step, i, load);
            applied[parent].torque += motion.offset_rate(step, i).cross(momentum.force);
        }
    }
}
