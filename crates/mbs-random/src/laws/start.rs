//! The start of a run at declared poses.

use mbs_core::rotation::matrix_of;
use mbs_core::{Describe, Mechanism, Pose};
use mbs_interp::Interpreted;

use super::run;
use crate::frame::Frame;
use crate::ledger::{Ledger, Violation};
use crate::matrix::size;
use crate::plan::Plan;
use crate::state::{OwnedState, assembled, guess};

/// Lengths and offsets are computed with some roundings of numbers up to 10.
const TOLERANCE: f64 = 1e-11;

const LAW: &str = "declared poses are assembled";

/// If poses are declared, the guess equals them and satisfies Φ = 0 and the conditions of the mechanism; assembly does not change it, and the
/// speeds then satisfy ψ = 0. Returns the assembled state.
///
/// # Errors
/// The violation, if this is not so.
pub fn declared_poses_are_assembled(
    interpreted: &Interpreted,
    plan: &Plan,
    exact: bool,
) -> Result<(OwnedState, f64), Violation> {
    let sizes = interpreted.sizes();
    let mut ledger = Ledger::new(LAW, TOLERANCE);
    let start = assembled(interpreted).map_err(|e| Violation::new(LAW, format!("it does not assemble: {e}")))?;
    let declared = guess(interpreted);
    if exact {
        for at in [&declared, &start] {
            let (poses, expected) =
                if plan.is_spatial() { frames(interpreted, plan, at) } else { angles(interpreted, plan, at) };
            ledger.record_all("poses", &poses, &expected, 1.0, at);
        }
    }
    let mut phi = vec![0.0; sizes.n_position];
    interpreted.position_residuals(start.view(), &mut phi);
    ledger.record("phi", size(&phi), 0.0, size(&start.q).max(1.0), &start);
    let mut psi = vec![0.0; sizes.n_velocity];
    interpreted.velocity_residuals(start.view(), &mut psi);
    let jacobian = run(interpreted, "constraint_jacobian", &start);
    let floor = (size(&jacobian) * size(&start.v)).max(1.0);
    ledger.record("psi", size(&psi), 0.0, floor, &start);
    for c in 0..sizes.n_conditions {
        let mut gradient = vec![0.0; sizes.n_v];
        let condition = interpreted.initial_condition(c, start.view(), &mut gradient);
        let name = interpreted.name(mbs_core::Item::Condition(c));
        let floor = (size(&gradient) * size(&start.v).max(1.0)).max(1.0);
        ledger.record(&format!("initial {name}"), condition.residual, 0.0, floor, &start);
    }
    Ok((start, ledger.settle()?))
}

/// x, y, θ of bodies in the state, and as declared.
fn angles(interpreted: &Interpreted, plan: &Plan, at: &OwnedState) -> (Vec<f64>, Vec<f64>) {
    let mut poses = run(interpreted, "poses", at);
    // A particle has no meaningful angle.
    for (b, pose) in poses.chunks_exact_mut(3).enumerate() {
        if plan.bodies[b].particle {
            pose[2] = 0.0;
        }
    }
    let declared = plan.bodies.iter().flat_map(|b| [b.position[0], b.position[1], b.angle]);
    (poses, declared.collect())
}

/// Origins and axes of bodies in space in the state, and as declared.
fn frames(interpreted: &Interpreted, plan: &Plan, at: &OwnedState) -> (Vec<f64>, Vec<f64>) {
    let mut poses = vec![Pose::planar(0.0, 0.0, 0.0); plan.bodies.len()];
    interpreted.poses(at.view(), &mut poses);
    let found = poses.iter().flat_map(|pose| {
        let rows = matrix_of(pose.attitude);
        [pose.position.to_vec(), rows.concat()].concat()
    });
    let declared = plan.bodies.iter().flat_map(|b| {
        let frame = Frame::rotated(b.position, b.about, b.angle);
        let rows = [0, 1, 2].map(|c| frame.axes.map(|axis| axis[c]));
        [frame.position.to_vec(), rows.concat()].concat()
    });
    (found.collect(), declared.collect())
}
