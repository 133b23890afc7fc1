//! What joints exert on bodies.

use mbs_codegen::Interpreted;
use mbs_core::{Mechanism, Reaction};
use mbs_model::mechanics::InterfaceCoordinate;
use mbs_model::{BodyId, Joint, JointKind};

use super::run;
use crate::ledger::{Ledger, Violation};
use crate::matrix::size;
use crate::state::{At, Random};

/// Of the largest entry of the rows times the largest multiplier, or of forces times arms: some roundings.
const TOLERANCE: f64 = 1e-12;

/// Reactions of all joints.
pub(super) fn reactions<M: Mechanism>(mechanism: &M, at: &At, a: &[f64], lambda: &[f64]) -> Vec<Reaction> {
    let mut reactions = vec![Reaction::default(); mechanism.sizes().n_joints];
    mechanism.reactions(at.view(), a, lambda, &mut reactions);
    reactions
}

/// Whether the kernel is there; `kernels:` may leave it out.
pub(super) fn has_reactions(interpreted: &Interpreted) -> bool {
    interpreted.compiled().function("reactions").is_some()
}

/// x and y of point and force, and the moment.
pub(super) fn flat(reaction: &Reaction) -> [f64; 5] {
    let Reaction { point, force, torque } = reaction;
    [point[0], point[1], force[0], force[1], torque[2]]
}

/// In body coordinates, at assembled poses and for any multipliers, what a joint exerts on its second end, and its opposite on the
/// first, does the power of its rows on any motion: f·ẋ_P + τ ω − (the same on the first body) = −Σ λᵣ Gᵣ v, speed by speed.
///
/// Gears, whose moments act on two other joints, and moments of joints with a particle are left out.
///
/// # Errors
/// Where it does not.
pub fn reactions_do_the_power_of_rows(body: &Interpreted, states: &[At]) -> Result<f64, Violation> {
    let mut ledger = Ledger::new("reactions do the power of rows", TOLERANCE);
    if !has_reactions(body) {
        return Ok(0.0);
    }
    let (model, tree, sizes) = (&body.compiled().model, &body.compiled().tree, body.sizes());
    for (k, at) in states.iter().enumerate() {
        let mut random = Random::new(k as u128);
        let (a, lambda) = (random.vector(sizes.n_v, 5.0), random.vector(sizes.n_c, 5.0));
        let (poses, jacobian) = (run(body, "poses", at), run(body, "constraint_jacobian", at));
        for (j, (joint, reaction)) in model.joints.iter().zip(reactions(body, at, &a, &lambda)).enumerate() {
            if matches!(joint.kind, JointKind::Gear { .. }) {
                continue;
            }
            let rows = || (0..sizes.n_c).filter(|r| tree.rows[*r].joint.is_some_and(|id| id.index() == j));
            let entry = |r: usize, i: usize| jacobian[r * sizes.n_v + i];
            let worth = rows().map(|r| size(&jacobian[r * sizes.n_v..(r + 1) * sizes.n_v])).fold(1.0, f64::max);
            // Arms are differences of positions.
            let floor = (worth * size(&lambda)).max(size(&flat(&reaction)[2..]) * size(&poses).max(1.0));
            for (i, coordinate) in tree.interface.iter().enumerate() {
                let InterfaceCoordinate::Body(b, component) = *coordinate else { continue };
                let expected = -rows().map(|r| lambda[r] * entry(r, i)).sum::<f64>();
                let got = power(joint, model, &reaction, b, component, &poses);
                ledger.record(&joint.name, got, expected, floor, at);
            }
        }
    }
    ledger.settle()
}

/// Power of a joint's reaction on both ends, at unit speed of component x, y, θ of a body's origin.
fn power(
    joint: &Joint,
    model: &mbs_model::Model,
    reaction: &Reaction,
    body: BodyId,
    component: u8,
    poses: &[f64],
) -> f64 {
    let [x, y, f_x, f_y, torque] = flat(reaction);
    let origin = &poses[3 * body.index()..];
    let on_second = match component {
        0 => f_x,
        1 => f_y,
        _ => torque + (x - origin[0]) * f_y - (y - origin[1]) * f_x,
    };
    let [first, second] = joint.ends.map(|m| model.markers[m.index()].body == Some(body));
    f64::from(u8::from(second)) * on_second - f64::from(u8::from(first)) * on_second
}
