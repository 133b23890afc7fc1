//! Coordinates that bring a pose closest to another: of joints whose kinds a text declares, which nothing measures.

use mbs_core::math::irrational;
use mbs_definition::Space;
use mbs_expr::{BodyId, JointId, Series};
use mbs_model::{BodyKind, Joint, JointRow, Model};
use mbs_physics::linear::{SparseRow, solve};
use mbs_physics::{
    InterfaceCoordinate, LinkOwner, Mechanics, Mobilizer, Placement, SolverCoordinate, Tree, default_variables,
};

/// The mechanism with the derivatives along one coordinate.
type Moving<'m> = Mechanics<'m, Series<2>>;

const MOST_STEPS: usize = 60;
/// Other starts, where the first leads to a minimum at which residuals remain.
const RESTARTS: usize = 240;
/// Sum of squares below which residuals are round-off: 1e-10 m or rad.
const CLOSED: f64 = 1e-20;

/// Fits the coordinates of the joint that carries a body to the body's declared position and rotation, except those that are held; the bodies
/// before it are placed.
pub fn to_body(model: &Model, tree: &Tree, q: &mut [f64], body: BodyId, held: &dyn Fn(u8) -> bool) {
    let Placement::Joint { joint, .. } = tree.placements[body.index()] else { return };
    let declared = &model.bodies[body.index()];
    let residuals = |placed: &Moving<'_>| -> Vec<Series<2>> {
        let mut all = Vec::new();
        if let Some(position) = declared.position {
            let here = placed.marker_point(declared.origin_marker);
            all.extend([0, 1, 2].map(|k| here[k] - placed.value(position[k])));
        }
        if let (Some(rotation), BodyKind::Rigid) = (declared.rotation, declared.kind) {
            for axis in 0..3 {
                let here = placed.marker_axis(declared.origin_marker, axis);
                all.extend([0, 1, 2].map(|k| here[k] - placed.value(rotation[usize::from(axis)][k])));
            }
        }
        if let (Some(angle), Space::Planar) = (declared.angle, model.space) {
            all.push(placed.kinematics.angle(body) - placed.value(angle));
        }
        all
    };
    fit(model, tree, q, joint, held, &residuals);
}

/// Fits the coordinates of a joint that closes a loop to the poses of its bodies.
pub fn to_rows(model: &Model, tree: &Tree, q: &mut [f64], joint: JointId, held: &dyn Fn(u8) -> bool) {
    let Joint { rows, ends, .. } = model.joint(joint);
    let turning = model.pose_of(joint).filter(|_| model.space == Space::Spatial);
    let residuals = |placed: &Moving<'_>| -> Vec<Series<2>> {
        let value = |row: &JointRow| placed.value(row.residual);
        let Some(pose) = turning else { return rows.iter().map(value).collect() };
        // Rows of attitudes are products of axes, which vanish at half a turn, too.
        let own = [0, 1, 2].map(|k| placed.marker_axis(ends[0], k));
        let axes = placed.posed_axes(pose).into_iter().zip(0..).flat_map(|(demanded, axis)| {
            let here = placed.marker_axis(ends[1], axis);
            [0, 1, 2].map(|c| (0..3).fold(-here[c], |sum, k| sum + demanded[k] * own[k][c]))
        });
        rows[..3].iter().map(value).chain(axes).collect()
    };
    fit(model, tree, q, joint, held, &residuals);
}

/// Indices of a joint's coordinates among those that place bodies: the interface's in space, the solver's in the plane.
fn own(model: &Model, tree: &Tree, joint: JointId, held: &dyn Fn(u8) -> bool) -> Vec<usize> {
    let is_own = |j: JointId, k: u8| j == joint && !held(k);
    match model.space {
        Space::Spatial => {
            let of = |c: &InterfaceCoordinate| matches!(*c, InterfaceCoordinate::Joint(j, k) if is_own(j, k));
            (0..tree.interface.len()).filter(|i| of(&tree.interface[*i])).collect()
        }
        Space::Planar => {
            let of = |c: &SolverCoordinate| matches!(*c, SolverCoordinate::Posed(j, k) if is_own(j, k));
            (0..tree.solver.len()).filter(|i| of(&tree.solver[*i])).collect()
        }
    }
}

/// Residuals that a fit brings down, at coordinates.
type Residuals<'r> = &'r dyn Fn(&Moving<'_>) -> Vec<Series<2>>;

/// Nothing, where the pose of the joint is not known; else least squares, from the coordinates as they stand. Where residuals remain, from others about
/// them, until a start leads to none; if none does, the first stands.
fn fit(model: &Model, tree: &Tree, q: &mut [f64], joint: JointId, held: &dyn Fn(u8) -> bool, residuals: Residuals<'_>) {
    if model.pose_of(joint).is_some_and(|pose| pose.unbound_functions(model) != [None; 2]) {
        return;
    }
    let own = own(model, tree, joint, held);
    let start = q.to_vec();
    let reached = descend((model, tree), q, &own, residuals);
    if own.is_empty() || !(CLOSED..f64::INFINITY).contains(&reached) {
        return;
    }
    for k in 1..=RESTARTS {
        let mut other = start.clone();
        let size = 0.5 * (1 + k % 6) as f64;
        let pattern = |i: usize| size * irrational(1.0 + 2.4 * k as f64, i);
        own.iter().enumerate().for_each(|(i, place)| other[*place] += pattern(i));
        normalize(tree, &mut other);
        if descend((model, tree), &mut other, &own, residuals) < CLOSED {
            q.copy_from_slice(&other);
            return;
        }
    }
}

/// Levenberg's and Marquardt's steps, J δ = −r, damped until the sum of squares falls; that sum at the end.
fn descend((model, tree): (&Model, &Tree), q: &mut [f64], own: &[usize], residuals: Residuals<'_>) -> f64 {
    let along = |q: &[f64], k: Option<usize>| {
        let mut variables = default_variables::<2>(model, tree);
        variables.t = Series::constant(0.0);
        let seeded = |(i, x): (usize, &f64)| Series::linear(*x, f64::from(u8::from(Some(i) == k)));
        let coordinates = q.iter().enumerate().map(seeded).collect();
        residuals(&Mechanics::at_solver_coordinates(model, tree, variables, coordinates))
    };
    let squares = |r: &[Series<2>]| r.iter().map(|x| x.value() * x.value()).sum::<f64>();
    let mut here = along(q, None);
    let mut damping = 1e-9;
    for _ in 0..MOST_STEPS {
        if own.is_empty() || here.is_empty() || !squares(&here).is_finite() || squares(&here) < 1e-28 {
            break;
        }
        let columns: Vec<Vec<f64>> =
            own.iter().map(|i| along(q, Some(*i)).iter().map(|x| x.derivative(1)).collect()).collect();
        let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
        let r: Vec<f64> = here.iter().map(|x| x.value()).collect();
        let row = |i: usize| -> SparseRow {
            let entry = |k: usize| dot(&columns[i], &columns[k]) + if i == k { damping } else { 0.0 };
            (0..own.len()).map(|k| (k, entry(k))).collect()
        };
        let right = columns.iter().map(|column| -dot(column, &r)).collect();
        let step = solve((0..own.len()).map(row).collect(), right).ok();
        let mut moved = q.to_vec();
        if let Some(step) = &step {
            own.iter().zip(step).for_each(|(i, x)| moved[*i] += x);
            normalize(tree, &mut moved);
        }
        let there = along(&moved, None);
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

/// Quaternions of unit length.
fn normalize(tree: &Tree, q: &mut [f64]) {
    for &first in &tree.posed_quaternions {
        let own = &mut q[first..first + 4];
        let norm = own.iter().map(|x| x * x).sum::<f64>().sqrt();
        if norm > 0.0 {
            own.iter_mut().for_each(|x| *x /= norm);
        }
    }
}

/// Joints with coordinates of their own that close loops, in space.
pub fn closing(tree: &Tree) -> Vec<JointId> {
    let of = |link: &mbs_physics::Link| match (&link.mobilizer, link.owner) {
        (Mobilizer::Posed { moves: false, .. }, LinkOwner::Joint(j, ..)) => Some(j),
        _ => None,
    };
    tree.links.iter().filter_map(of).collect()
}
