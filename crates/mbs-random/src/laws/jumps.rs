//! Quantities that jump at a state: rounding of the coordinates decides which of two values they take.

use mbs_core::{Mechanism, Pose};

use crate::state::{OwnedState, Random};

/// Whether loads jump within rounding of the coordinates, such as those of a bushing rotated by half a revolution, where the sign of its
/// angle is arbitrary.
pub(super) fn loads_jump<M: Mechanism>(side: &M, at: &OwnedState, floor: f64) -> bool {
    let loads = |at: &OwnedState| {
        let mut loads = vec![0.0; at.v.len()];
        side.generalized_forces(at.view(), &mut loads);
        loads
    };
    jumps(&loads, at).iter().any(|jump| *jump > 1e-6 * floor.max(1.0))
}

/// Whether components of the quaternions of bodies jump within rounding of the coordinates, such as those of a planar body in natural coordinates
/// rotated by half a revolution from its declared angle, where the sign of its angle is arbitrary. Four for each body.
pub(super) fn attitudes_jump<M: Mechanism>(side: &M, at: &OwnedState) -> Vec<bool> {
    let attitudes = |at: &OwnedState| poses(side, at).iter().flat_map(|pose| pose.attitude).collect();
    jumps(&attitudes, at).iter().map(|jump| *jump > 1e-6).collect()
}

/// Largest changes of values within rounding of the coordinates.
fn jumps(values: &dyn Fn(&OwnedState) -> Vec<f64>, at: &OwnedState) -> Vec<f64> {
    let here = values(at);
    let mut jumps = vec![0.0_f64; here.len()];
    for k in 0..8 {
        let shift = Random::new(k).vector(at.q.len(), 1e-14);
        let q = at.q.iter().zip(shift).map(|(q, shift)| q + shift * q.abs().max(1.0)).collect();
        let there = values(&OwnedState { q, ..at.clone() });
        for ((jump, here), there) in jumps.iter_mut().zip(&here).zip(there) {
            *jump = jump.max((there - here).abs());
        }
    }
    jumps
}

/// Poses of all bodies.
pub(super) fn poses<M: Mechanism>(side: &M, at: &OwnedState) -> Vec<Pose> {
    let mut poses = vec![Pose::planar(f64::NAN, f64::NAN, f64::NAN); side.sizes().n_bodies];
    side.poses(at.view(), &mut poses);
    poses
}
