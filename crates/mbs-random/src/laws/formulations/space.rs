//! Spatial states in body coordinates, and the motions of bodies in both sets.

use mbs_core::{Describe, Item, Mechanism, Pose, rotation};
use mbs_expr::{JointId, MarkerId};
use mbs_interp::Interpreted;
use mbs_model::VelocityAxes;
use mbs_physics::{InterfaceCoordinate, InterfaceSpeed};

use crate::frame::attitude_parameters;
use crate::ledger::Ledger;
use crate::matrix::{dot, size};
use crate::oracle::Oracle;
use crate::state::OwnedState;

/// Converts a spatial state in any coordinates to body coordinates, by the poses and twists of bodies. `None` if a continuous angle is a
/// coordinate of only one of the two, except that of a joint on a body in natural coordinates.
pub(super) fn to_body(other: &Interpreted, body: &Interpreted, at: &OwnedState) -> Option<OwnedState> {
    let (sizes, model) = (other.sizes(), &body.compiled().model);
    let poses = poses(other, at);
    let mut jacobians = vec![0.0; 6 * sizes.n_bodies * sizes.n_v];
    other.body_jacobians(at.view(), &mut jacobians);
    let still = Oracle::new(other, at).twists_at_rest();
    let velocity = |row: usize| dot(&jacobians[row * sizes.n_v..][..sizes.n_v], &at.v);
    let twist = |b: usize, k: usize| velocity(6 * b + k) + still[6 * b + k];
    let (theirs, tree) = (&other.compiled().tree, &body.compiled().tree);
    let oracle = Oracle::new(other, at);
    // Prescribed coordinates are known; on bodies in natural coordinates, angles that are only reported are measured, up to whole
    // revolutions.
    let is_natural = |m: MarkerId| other.compiled().model.is_marker_natural(m);
    let is_known =
        |j: JointId, k: u8| theirs.prescribed(j, k).is_some() || model.joint(j).ends.into_iter().any(is_natural);
    let coordinate = |c: &InterfaceCoordinate| match *c {
        InterfaceCoordinate::Body(b, k) => {
            let pose = &poses[b.index()];
            let k = usize::from(k);
            Some(if k < 3 {
                pose.position[k]
            } else {
                attitude_parameters(model.bodies[b.index()].attitude, pose.attitude)[k - 3]
            })
        }
        same => match (theirs.interface.iter().position(|c| *c == same), same) {
            (Some(i), _) => Some(at.q[i]),
            (None, InterfaceCoordinate::Joint(j, k)) if is_known(j, k) => Some(oracle.measured(j, k)[0]),
            _ => None,
        },
    };
    let speed = |c: &InterfaceSpeed| match *c {
        InterfaceSpeed::Body(b, k) => {
            let (b, k) = (b.index(), usize::from(k));
            let in_body_axes = k >= 3 || model.bodies[b].velocity_axes == VelocityAxes::Body;
            let first = k / 3 * 3;
            let world = [0, 1, 2].map(|c| twist(b, first + c));
            let v = if in_body_axes { rotation::rotate_back(poses[b].attitude, world) } else { world };
            Some(v[k - first])
        }
        same => match (theirs.speeds.iter().position(|c| *c == same), same) {
            (Some(i), _) => Some(at.v[i]),
            (None, InterfaceSpeed::Joint(j, k)) if is_known(j, k) => Some(oracle.measured(j, k)[1]),
            _ => None,
        },
    };
    let q = tree.interface.iter().map(coordinate).collect::<Option<Vec<f64>>>()?;
    let v = tree.speeds.iter().map(speed).collect::<Option<Vec<f64>>>()?;
    Some(OwnedState { q, v, ..at.clone() })
}

/// Whether the axes of some body are left-handed.
pub(super) fn is_mirrored(mechanism: &Interpreted, at: &OwnedState) -> bool {
    let determinant = |pose: &[f64]| {
        let [a, b, c] = [3, 6, 9].map(|row| [pose[row], pose[row + 1], pose[row + 2]]);
        let cross = [b[1] * c[2] - b[2] * c[1], b[2] * c[0] - b[0] * c[2], b[0] * c[1] - b[1] * c[0]];
        dot(&a, &cross)
    };
    Oracle::new(mechanism, at).poses().chunks_exact(12).any(|pose| determinant(pose) < 0.0)
}

fn poses(mechanism: &Interpreted, at: &OwnedState) -> Vec<Pose> {
    let mut poses = vec![Pose::planar(0.0, 0.0, 0.0); mechanism.sizes().n_bodies];
    mechanism.poses(at.view(), &mut poses);
    poses
}

/// Poses, rows and accelerations of bodies agree; `terms` are the errors of the solution in body coordinates by rounding.
pub(super) fn motions(
    body: &Interpreted,
    other: &Interpreted,
    [state, at]: [&OwnedState; 2],
    [ours, theirs]: [(&[f64], &[f64]); 2],
    terms: &[f64],
    ledger: &mut Ledger,
) {
    let sizes = body.sizes();
    for (a, b) in poses(body, state).iter().zip(&poses(other, at)) {
        ledger.record_all("positions", &a.position, &b.position, 1.0, at);
        let [a, b] = [a, b].map(|pose| rotation::matrix_of(pose.attitude));
        ledger.record_all("attitudes", a.as_flattened(), b.as_flattened(), 1.0, at);
    }
    let mut psi = vec![0.0; sizes.n_velocity];
    body.velocity_residuals(state.view(), &mut psi);
    // Speeds of bodies are sums of speeds multiplied by arms.
    let arm = size(&at.q).max(size(&state.q)).max(1.0);
    let floor = size(&body.constraint_jacobian(state.view())) * size(&state.v).max(size(&at.v));
    ledger.record("psi", size(&psi), 0.0, floor.max(1.0) * arm, at);
    let [mut a, mut b] = [0.0, 0.0].map(|x| vec![x; sizes.n_outputs]);
    body.outputs(state.view(), ours.0, ours.1, &mut a);
    other.outputs(at.view(), theirs.0, theirs.1, &mut b);
    // Accelerations in other axes, and of other points, are those of all speeds of a body.
    let floor = size(&terms[..sizes.n_v]).max(size(&state.v).powi(2));
    for i in 0..sizes.n_outputs {
        let name = body.name(Item::Output(i));
        if name.starts_with("motion") || name.starts_with("turn") {
            ledger.record(name, a[i], b[i], floor, at);
        }
    }
}
