//! Reactions of joints on bodies.

use mbs_core::{Mechanism, Pose, Reaction};
use mbs_interp::Interpreted;
use mbs_physics::InterfaceSpeed;

use super::{run, values_of_active_rows};
use crate::frame::{inner, outer, plus};
use crate::ledger::{Ledger, Violation};
use crate::matrix::size;
use crate::state::{OwnedState, Random};

/// Relative to the largest entry of the rows times the largest multiplier, or to forces times arms: some roundings.
const TOLERANCE: f64 = 1e-12;

/// Reactions of all joints.
pub(super) fn reactions<M: Mechanism>(mechanism: &M, at: &OwnedState, a: &[f64], lambda: &[f64]) -> Vec<Reaction> {
    let mut reactions = vec![Reaction::default(); mechanism.sizes().n_joints];
    mechanism.reactions(at.view(), a, lambda, &mut reactions);
    reactions
}

/// Whether the kernel is compiled; `kernels:` may leave it out.
pub(super) fn has_reactions(interpreted: &Interpreted) -> bool {
    interpreted.compiled().function("reactions").is_some()
}

/// Point, force and moment in one list.
pub(super) fn flat(reaction: &Reaction) -> [f64; 9] {
    let mut flat = [0.0; 9];
    flat.iter_mut().zip([reaction.point, reaction.force, reaction.torque].as_flattened()).for_each(|(x, y)| *x = *y);
    flat
}

/// In body coordinates, at assembled poses and for any multipliers, the reaction of a joint on its second end, and its opposite on the
/// first, have the power of its rows on any motion: f·v_P + τ·ω of the second body minus that of the first = −Σ λᵣ Gᵣ v, for each speed.
///
/// Gears, whose moments act on two other joints, screws, whose threads act through continuous angles, and moments of joints with a particle are
/// not checked.
///
/// # Errors
/// The violation, if it has not.
pub fn reactions_do_the_power_of_rows(body: &Interpreted, states: &[OwnedState]) -> Result<f64, Violation> {
    let mut ledger = Ledger::new("reactions do the power of rows", TOLERANCE);
    if !has_reactions(body) {
        return Ok(0.0);
    }
    let (model, tree, sizes) = (&body.compiled().model, &body.compiled().tree, body.sizes());
    for (k, at) in states.iter().enumerate() {
        let mut random = Random::new(k as u128);
        let (a, lambda) = (random.vector(sizes.n_v, 5.0), random.vector(sizes.n_c, 5.0));
        let jacobian = run(body, "constraint_jacobian", at);
        let lambda = values_of_active_rows(&jacobian, sizes.n_v, &lambda);
        let mut poses = vec![Pose::planar(0.0, 0.0, 0.0); sizes.n_bodies];
        body.poses(at.view(), &mut poses);
        let mut twists = vec![0.0; 6 * sizes.n_bodies * sizes.n_v];
        body.body_jacobians(at.view(), &mut twists);
        // Rounding errors of large angles count as lengths.
        let longest_arm = poses.iter().map(|p| size(&p.position)).fold(size(&at.q).max(1.0), f64::max);
        for (j, (joint, reaction)) in model.joints.iter().zip(reactions(body, at, &a, &lambda)).enumerate() {
            if joint.geared.is_some() {
                continue;
            }
            let rows = || (0..sizes.n_c).filter(|r| tree.rows[*r].joint().is_some_and(|id| id.index() == j));
            let entry = |r: usize, i: usize| jacobian[r * sizes.n_v + i];
            // The thread of a screw acts on the continuous angle, which another row relates to the bodies. Coordinates of a declared kind
            // belong to the joint: its rows constrain both ends to the pose that they define.
            let is_declared = joint.pose().is_some();
            let is_continuous_angle = |i: usize| !is_declared && matches!(tree.speeds[i], InterfaceSpeed::Joint(..));
            if rows().any(|r| (0..sizes.n_v).any(|i| is_continuous_angle(i) && entry(r, i) != 0.0)) {
                continue;
            }
            let worth = rows().map(|r| size(&jacobian[r * sizes.n_v..(r + 1) * sizes.n_v])).fold(1.0, f64::max);
            // Arms are differences of positions.
            let floor = (worth * size(&lambda)).max(size(&flat(&reaction)[3..]) * longest_arm);
            for (i, speed) in tree.speeds.iter().enumerate() {
                // A continuous angle in a row is related to the bodies by another row, which belongs to no joint.
                let InterfaceSpeed::Body(..) = *speed else { continue };
                let expected = -rows().map(|r| lambda[r] * entry(r, i)).sum::<f64>();
                let twist = |b: usize| [0, 1, 2, 3, 4, 5].map(|k| twists[(6 * b + k) * sizes.n_v + i]);
                let ends = joint.ends.map(|m| model.markers[m.index()].body.map(|b| b.index()));
                let [on_first, on_second] =
                    ends.map(|b| b.map_or(0.0, |b| power(&reaction, poses[b].position, twist(b))));
                ledger.record(&joint.name, on_second - on_first, expected, floor, at);
            }
        }
    }
    ledger.settle()
}

/// Power of a reaction on a body with its origin at `origin` and a twist: f·(v + ω × r) + τ·ω.
fn power(reaction: &Reaction, origin: [f64; 3], twist: [f64; 6]) -> f64 {
    let (v, omega) = ([twist[0], twist[1], twist[2]], [twist[3], twist[4], twist[5]]);
    let arm = [0, 1, 2].map(|k| reaction.point[k] - origin[k]);
    let at_point = plus(v, 1.0, outer(omega, arm));
    inner(reaction.force, at_point) + inner(reaction.torque, omega)
}
