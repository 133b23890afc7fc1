//! Loads that joints and equations exert on bodies.

use mbs_math::Vec2;

use super::plane::{Wrench, ZERO};

/// Load of a joint on the body of its second end: the force at a point, and the moment about it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Exerted {
    pub point: Vec2<f64>,
    pub wrench: Wrench,
}

impl Exerted {
    /// No load.
    pub const ZERO: Exerted = Exerted { point: ZERO, wrench: Wrench::ZERO };
}

/// Component c of reaction i: joints first, then equations on bodies.
pub(crate) fn observed(exerted: &[Exerted], on_bodies: &[Wrench], i: usize, c: usize) -> f64 {
    let wrench = match exerted.get(i) {
        Some(exerted) => exerted.wrench,
        None => on_bodies.get(i - exerted.len()).copied().unwrap_or(Wrench::ZERO),
    };
    [wrench.force[0], wrench.force[1], wrench.torque][c]
}
