//! Fits coordinates of joints of declared kinds to poses. No expression measures such coordinates, so that they are found by least squares.

use mbs_core::math::irrational;
use mbs_definition::Space;
use mbs_expr::{BodyId, JointId, Series};
use mbs_model::{BodyKind, Joint, JointRow, Model};
use mbs_physics::linear::{SparseRow, solve};
use mbs_physics::{
    InterfaceCoordinate, LinkOwner, Mechanics, Mobilizer, Placement, SolverCoordinate, Tree, default_variables,
};

/// The mechanism with derivatives with respect to one coordinate.
type Moving<'m> = Mechanics<'m, Series<2>>;

/// Largest number of steps from one start.
const MOST_STEPS: usize = 60;
/// Number of other starts, where the first leads to a minimum at which residuals remain.
const RESTARTS: usize = 240;
/// Sum of squares below which residuals are round-off: 1e-10 m or rad.
const CLOSED: f64 = 1e-20;

/// Fits the coordinates of a body's inboard joint to the body's declared position and orientation, except the coordinates for which `is_fixed` is
/// true. The coordinates of inboard bodies must be set. Overwrites entries of `q`.
pub fn fit_to_body(model: &Model, tree: &Tree, q: &mut [f64], body: BodyId, is_fixed: &dyn Fn(u8) -> bool) {
    let Placement::Joint { joint, .. } = tree.placements[body.index()] else { return };
    let declared = &model.bodies[body.index()];
    let residuals = |mechanics: &Moving<'_>| -> Vec<Series<2>> {
        let mut all = Vec::new();
        if let Some(position) = declared.position {
            let here = mechanics.marker_point(declared.origin_marker);
            all.extend([0, 1, 2].map(|k| here[k] - mechanics.value(position[k])));
        }
        if let (Some(rotation), BodyKind::Rigid) = (declared.rotation, declared.kind) {
            for axis in 0..3 {
                let here = mechanics.marker_axis(declared.origin_marker, axis);
                all.extend([0, 1, 2].map(|k| here[k] - mechanics.value(rotation[usize::from(axis)][k])));
            }
        }
        if let (Some(angle), Space::Planar) = (declared.angle, model.space) {
            all.push(mechanics.planar().kinematics.angle(body) - mechanics.value(angle));
        }
        all
    };
    fit(model, tree, q, joint, is_fixed, &residuals);
}

/// Fits the coordinates of a joint that closes a loop to the poses of its bodies, except the coordinates for which `is_fixed` is true. Overwrites
/// entries of `q`.
pub fn fit_to_rows(model: &Model, tree: &Tree, q: &mut [f64], joint: JointId, is_fixed: &dyn Fn(u8) -> bool) {
    let Joint { rows, ends, .. } = model.joint(joint);
    let spatial_pose = model.pose_of(joint).filter(|_| model.space == Space::Spatial);
    let residuals = |mechanics: &Moving<'_>| -> Vec<Series<2>> {
        let value = |row: &JointRow| mechanics.value(row.residual);
        let Some(pose) = spatial_pose else { return rows.iter().map(value).collect() };
        // Rows of attitudes are products of axes, which vanish at half a revolution, too.
        let first_axes = [0, 1, 2].map(|k| mechanics.marker_axis(ends[0], k));
        let axes = mechanics.posed_axes(pose).into_iter().zip(0..).flat_map(|(demanded, axis)| {
            let here = mechanics.marker_axis(ends[1], axis);
            [0, 1, 2].map(|c| (0..3).fold(-here[c], |sum, k| sum + demanded[k] * first_axes[k][c]))
        });
        rows[..3].iter().map(value).chain(axes).collect()
    };
    fit(model, tree, q, joint, is_fixed, &residuals);
}

/// Indices in `q` of the joint's coordinates that are not fixed. `q` are interface coordinates in space and solver coordinates in the plane.
fn fitted_indices(model: &Model, tree: &Tree, joint: JointId, is_fixed: &dyn Fn(u8) -> bool) -> Vec<usize> {
    let is_fitted = |j: JointId, k: u8| j == joint && !is_fixed(k);
    match model.space {
        Space::Spatial => {
            let included = |c: &InterfaceCoordinate| matches!(*c, InterfaceCoordinate::Joint(j, k) if is_fitted(j, k));
            (0..tree.interface.len()).filter(|i| included(&tree.interface[*i])).collect()
        }
        Space::Planar => {
            let included = |c: &SolverCoordinate| matches!(*c, SolverCoordinate::Posed(j, k) if is_fitted(j, k));
            (0..tree.solver.len()).filter(|i| included(&tree.solver[*i])).collect()
        }
    }
}

/// Residuals whose sum of squares a fit minimises, as a function of the mechanism at some coordinates.
type Residuals<'r> = &'r dyn Fn(&Moving<'_>) -> Vec<Series<2>>;

/// Fits coordinates of a joint by least squares, starting from their values in `q`. Where residuals remain, other starts near these are tried until
/// one leads to zero residuals; if none does, the result of the first start is kept. `q` does not change where the pose of the joint is not known.
fn fit(
    model: &Model,
    tree: &Tree,
    q: &mut [f64],
    joint: JointId,
    is_fixed: &dyn Fn(u8) -> bool,
    residuals: Residuals<'_>,
) {
    if model.pose_of(joint).is_some_and(|pose| pose.unbound_functions(model) != [None; 2]) {
        return;
    }
    let fitted = fitted_indices(model, tree, joint, is_fixed);
    let start = q.to_vec();
    let remaining = descend(model, tree, q, &fitted, residuals);
    if fitted.is_empty() || !(CLOSED..f64::INFINITY).contains(&remaining) {
        return;
    }
    for k in 1..=RESTARTS {
        let mut other = start.clone();
        let size = 0.5 * (1 + k % 6) as f64;
        let pattern = |i: usize| size * irrational(1.0 + 2.4 * k as f64, i);
        fitted.iter().enumerate().for_each(|(i, index)| other[*index] += pattern(i));
        normalize(tree, &mut other);
        if descend(model, tree, &mut other, &fitted, residuals) < CLOSED {
            q.copy_from_slice(&other);
            return;
        }
    }
}

/// Minimises the sum of squares of residuals r by the method of Levenberg and Marquardt: steps J δ = −r, damped until the sum falls. Overwrites the
/// `fitted` entries of `q`; returns the sum at the end.
fn descend(model: &Model, tree: &Tree, q: &mut [f64], fitted: &[usize], residuals: Residuals<'_>) -> f64 {
    let residuals_seeded = |q: &[f64], k: Option<usize>| {
        let mut variables = default_variables::<2>(model, tree);
        variables.t = Series::constant(0.0);
        let seeded = |(i, x): (usize, &f64)| Series::linear(*x, f64::from(u8::from(Some(i) == k)));
        let coordinates = q.iter().enumerate().map(seeded).collect();
        residuals(&Mechanics::at_solver_coordinates(model, tree, variables, coordinates))
    };
    let squares = |r: &[Series<2>]| r.iter().map(|x| x.value() * x.value()).sum::<f64>();
    let mut here = residuals_seeded(q, None);
    let mut damping = 1e-9;
    for _ in 0..MOST_STEPS {
        if fitted.is_empty() || here.is_empty() || !squares(&here).is_finite() || squares(&here) < 1e-28 {
            break;
        }
        let columns: Vec<Vec<f64>> =
            fitted.iter().map(|i| residuals_seeded(q, Some(*i)).iter().map(|x| x.derivative(1)).collect()).collect();
        let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
        let r: Vec<f64> = here.iter().map(|x| x.value()).collect();
        let row = |i: usize| -> SparseRow {
            let entry = |k: usize| dot(&columns[i], &columns[k]) + if i == k { damping } else { 0.0 };
            (0..fitted.len()).map(|k| (k, entry(k))).collect()
        };
        let right = columns.iter().map(|column| -dot(column, &r)).collect();
        let step = solve((0..fitted.len()).map(row).collect(), right).ok();
        let mut moved = q.to_vec();
        if let Some(step) = &step {
            fitted.iter().zip(step).for_each(|(i, x)| moved[*i] += x);
            normalize(tree, &mut moved);
        }
        let there = residuals_seeded(&moved, None);
        if step.is_some() && squares(&there) < squares(&here) {
            let gained = 1.0 - squares(&there) / squares(&here);
            q.copy_from_slice(&moved);
            here = there;
            damping = (0.1 * damping).max(1e-15);
            if gained < 1e-9 {
                break;
            }
        } else if damping < 1e6 {
            damping = (10.0 * damping).max(1e-9);
        } else {
            break;
        }
    }
    squares(&here)
}

/// Scales the quaternions of joints of declared kinds to unit length.
fn normalize(tree: &Tree, q: &mut [f64]) {
    for &first in &tree.posed_quaternions {
        let quaternion = &mut q[first..first + 4];
        let norm = quaternion.iter().map(|x| x * x).sum::<f64>().sqrt();
        if norm > 0.0 {
            quaternion.iter_mut().for_each(|x| *x /= norm);
        }
    }
}

/// Joints of declared kinds that close loops, in space.
pub fn loop_closing_joints(tree: &Tree) -> Vec<JointId> {
    let joint = |link: &mbs_physics::Link| match (&link.mobilizer, link.owner) {
        (Mobilizer::Posed { moves: false, .. }, LinkOwner::Joint(j, ..)) => Some(j),
        _ => None,
    };
    tree.links.iter().filter_map(joint).collect()
}
