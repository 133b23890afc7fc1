//! Declared poses in space, as coordinates to assemble from.

use mbs_expr::{BodyId, ExprId, JointId, Op, Scalar, Series, Writer};
use mbs_math::Vector;
use mbs_model::catalog::attitude;
use mbs_model::{Attitude, Formulation, Model, RowLevel};
use mbs_physics::{
    InterfaceCoordinate, Link, LinkOwner, Mechanics, Mobilizer, Placement, Tree, default_variables, identity_parameters,
};

use super::{fit, stand_ins};

type Numbers<'m> = Mechanics<'m, Series<1>>;

/// Rows of a rotation matrix.
type Rows = [[f64; 3]; 3];

/// Places bodies along joints: an `initial` joint coordinate sets it, a declared pose of a body decides the coordinates of the joint
/// that carries it as that measures them, what is not declared stays zero.
pub fn declared(model: &Model, tree: &Tree) -> Vec<f64> {
    let joint_model = mbs_physics::in_formulation(model, Formulation::Joint);
    let joint_tree = Tree::new(&joint_model);
    let mut body_model = mbs_physics::in_formulation(model, Formulation::Body);
    // Poses are only shown in these: an attitude that is singular in the world need not be so in its joint.
    body_model.bodies.iter_mut().for_each(|body| body.attitude = Attitude::Quaternion);
    let body_tree = Tree::new(&body_model);
    let mut q = rest(&joint_model, &joint_tree);
    let initial = initial_joint_coordinates(&joint_model, &at(&joint_model, &joint_tree, &q));
    for (i, c) in joint_tree.interface.iter().enumerate() {
        if let InterfaceCoordinate::Joint(j, k) = *c
            && let Some((.., value)) = initial.iter().find(|(joint, coordinate, _)| (*joint, *coordinate) == (j, k))
        {
            q[i] = *value;
        }
    }
    for &body in &joint_tree.order {
        let declared = &model.bodies[body.index()];
        if declared.position.is_none() && declared.rotation.is_none() {
            continue;
        }
        let placed = at(&joint_model, &joint_tree, &q);
        let pose = declared_pose(&placed, body);
        // All poses in body coordinates, this body's as declared: its joint measures its coordinates there.
        let mut bodies = read((&body_model, &body_tree), &placed);
        write_body((&body_model, &body_tree, &placed), body, pose, &mut bodies);
        let measuring = at(&body_model, &body_tree, &bodies);
        let own = |owner: LinkOwner| match (owner, joint_tree.placements[body.index()]) {
            (LinkOwner::Body(b), _) => b == body,
            (LinkOwner::Joint(j, ..), Placement::Joint { joint, .. }) => j == joint,
            _ => false,
        };
        let is_held = |j: JointId, k: u8| initial.iter().any(|(joint, coordinate, _)| (*joint, *coordinate) == (j, k));
        for link in joint_tree.links.iter().filter(|l| own(l.owner)) {
            if let (Mobilizer::Posed { .. }, LinkOwner::Joint(j, ..)) = (&link.mobilizer, link.owner) {
                fit::to_body(&joint_model, &joint_tree, &mut q, body, &|k| is_held(j, k));
                continue;
            }
            let measured = measured(&measuring, link);
            for (k, value) in measured.into_iter().enumerate() {
                let held = initial
                    .iter()
                    .any(|(j, c, _)| joint_tree.interface[link.first_q + k] == InterfaceCoordinate::Joint(*j, *c));
                if !held && (value.is_finite() || link.attitude().is_some()) {
                    q[link.first_q + k] = value;
                }
            }
        }
    }
    for joint in fit::closing(&joint_tree) {
        let held = |k: u8| initial.iter().any(|(j, coordinate, _)| (*j, *coordinate) == (joint, k));
        fit::to_rows(&joint_model, &joint_tree, &mut q, joint, &held);
    }
    // Unwrapped angles of joints that carry nothing, as the poses show them.
    let placed = at(&joint_model, &joint_tree, &q);
    let carried = joint_tree.links.iter().map(|l| l.mobilizer.coordinates()).sum();
    for (i, c) in joint_tree.interface.iter().enumerate().skip(carried) {
        if let InterfaceCoordinate::Joint(j, k) = *c
            && !initial.iter().any(|(joint, coordinate, _)| (*joint, *coordinate) == (j, k))
        {
            let angle = placed.value(joint_model.joint(j).coordinates[usize::from(k)].1).value();
            q[i] = if angle.is_finite() { angle } else { 0.0 };
        }
    }
    let placed = at(&joint_model, &joint_tree, &q);
    let mut q = read((model, tree), &placed);
    for body in stand_ins::told_by_none(&joint_model, &joint_tree) {
        write_body((model, tree, &placed), body, declared_pose(&placed, body), &mut q);
    }
    q
}

/// Solver coordinates of a formulation in the poses of another.
pub fn read((model, tree): (&Model, &Tree), placed: &Numbers<'_>) -> Vec<f64> {
    let mut q = vec![0.0; tree.n_q()];
    for link in &tree.links {
        let own = coordinates_of(placed, link);
        q[link.first_q..link.first_q + own.len()].copy_from_slice(&own);
    }
    for (i, c) in tree.interface.iter().enumerate().skip(tree.links.iter().map(|l| l.mobilizer.coordinates()).sum()) {
        q[i] = match *c {
            InterfaceCoordinate::Joint(j, k) => joint_coordinate(placed, j, k),
            InterfaceCoordinate::Basic(i, k) => {
                placed.spatial_basic(&model.natural.basics[i as usize])[usize::from(k)].value()
            }
            _ => placed.tree.interface.iter().position(|o| o == c).map_or(0.0, |o| placed.coordinates[o].value()),
        };
    }
    q
}

fn joint_coordinate(placed: &Numbers<'_>, joint: JointId, k: u8) -> f64 {
    if let Some(i) = placed.tree.joint_coordinate_index(joint, k) {
        return placed.coordinates[i].value();
    }
    let given = placed.tree.prescribed(joint, k);
    placed.value(given.unwrap_or(placed.model.joint(joint).coordinates[usize::from(k)].1)).value()
}

/// Coordinates as poses show them: an unwrapped angle, which body coordinates may hold, has not heard of a pose that is declared.
fn measured(placed: &Numbers<'_>, link: &Link) -> Vec<f64> {
    let LinkOwner::Joint(joint, first, _) = link.owner else { return coordinates_of(placed, link) };
    let coordinate = |k: u8| placed.model.joint(joint).coordinates[usize::from(first + k)].1;
    link.free_indices(link.mobilizer.coordinates()).map(|k| placed.value(coordinate(k)).value()).collect()
}

fn coordinates_of(placed: &Numbers<'_>, link: &Link) -> Vec<f64> {
    match (link.owner, &link.mobilizer) {
        (LinkOwner::Joint(j, first, _), freedom) => {
            link.free_indices(freedom.coordinates()).map(|k| joint_coordinate(placed, j, first + k)).collect()
        }
        (LinkOwner::Body(b), freedom) => {
            let marker = placed.model.bodies[b.index()].origin_marker;
            let mut q: Vec<f64> = placed.marker_point(marker).map(|x| x.value()).to_vec();
            if let Mobilizer::Free { attitude, .. } = freedom {
                q.extend(parameters(*attitude, rotation_of(placed, b)));
            }
            q
        }
    }
}

/// World axes of a body, as columns.
fn rotation_of(placed: &Numbers<'_>, body: BodyId) -> Rows {
    let marker = placed.model.bodies[body.index()].origin_marker;
    let axes = [0, 1, 2].map(|k| placed.marker_axis(marker, k).map(|x| x.value()));
    [0, 1, 2].map(|i| [0, 1, 2].map(|k: usize| axes[k][i]))
}

/// Parameters of a rotation: the catalogue's expressions of numbers, which fold.
fn parameters(attitude: Attitude, rows: Rows) -> Vec<f64> {
    let w = Writer::default();
    let axes = [0, 1, 2].map(|k| Vector([0, 1, 2].map(|i: usize| w.op(Op::Number(rows[i][k])))));
    attitude::parameters(&w, attitude, axes).into_iter().map(|x| x.literal().unwrap_or(f64::NAN)).collect()
}

/// Origin and axes of a body as declared; what is not declared as it stands.
fn declared_pose(placed: &Numbers<'_>, body: BodyId) -> ([f64; 3], Rows) {
    let declared = &placed.model.bodies[body.index()];
    let number = |e: ExprId| placed.value(e).value();
    let here = || placed.marker_point(declared.origin_marker).map(|x| x.value()).0;
    let position = declared.position.map_or_else(here, |p| p.map(number));
    let turned = |axes: mbs_model::Rotation| {
        let axes = axes.map(|axis| axis.map(number));
        [0, 1, 2].map(|i| [0, 1, 2].map(|k: usize| axes[k][i]))
    };
    (position, declared.rotation.map_or_else(|| rotation_of(placed, body), turned))
}

/// Puts a pose into body coordinates, or onto the basics that the body has for itself.
fn write_body(
    (model, tree, placed): (&Model, &Tree, &Numbers<'_>),
    body: BodyId,
    (position, rotation): ([f64; 3], Rows),
    q: &mut [f64],
) {
    for (at, c) in tree.interface.iter().enumerate() {
        let InterfaceCoordinate::Basic(i, k) = *c else { continue };
        let basic = &model.natural.basics[i as usize];
        if basic.body == Some(body) && !model.natural.shared.iter().any(|(_, shared)| *shared == i as usize) {
            let own = basic.components.map(|e| placed.value(e).value());
            let turned: f64 = rotation[usize::from(k)].iter().zip(own).map(|(r, x)| r * x).sum();
            q[at] = if basic.is_point { position[usize::from(k)] + turned } else { turned };
        }
    }
    let Some(link) = tree.links.iter().find(|l| l.owner == LinkOwner::Body(body)) else { return };
    q[link.first_q..link.first_q + 3].copy_from_slice(&position);
    if let Mobilizer::Free { attitude, .. } = link.mobilizer {
        let own = parameters(attitude, rotation);
        q[link.first_q + 3..link.first_q + 3 + own.len()].copy_from_slice(&own);
    }
}

/// Zeros, no rotation, declared values of algebraic coordinates.
fn rest(model: &Model, tree: &Tree) -> Vec<f64> {
    let mut q = vec![0.0; tree.n_q()];
    for link in &tree.links {
        let Some((attitude, first)) = link.attitude() else { continue };
        let own = identity_parameters(attitude);
        q[first..first + own.len()].copy_from_slice(&own);
    }
    for link in &tree.links {
        if let Mobilizer::Posed { pose, .. } = link.mobilizer {
            let placed = at(model, tree, &q);
            let starts = &model.poses[pose as usize].starts;
            for (i, k) in link.free_indices(link.mobilizer.coordinates()).enumerate() {
                q[link.first_q + i] = placed.value(starts[usize::from(k)]).value();
            }
        }
    }
    let values: Vec<f64> = model.algebraic.iter().flat_map(|a| a.default.clone()).collect();
    for (i, c) in tree.interface.iter().enumerate() {
        if let InterfaceCoordinate::Algebraic(a) = c {
            q[i] = values[*a as usize];
        }
    }
    q
}

fn at<'m>(model: &'m Model, tree: &'m Tree, q: &[f64]) -> Numbers<'m> {
    let coordinates = q.iter().map(|x| Series::constant(*x)).collect();
    Mechanics::at_solver_coordinates(model, tree, default_variables(model, tree), coordinates)
}

/// Joint coordinates that `initial` sets or guesses.
fn initial_joint_coordinates(model: &Model, mechanics: &Numbers<'_>) -> Vec<(JointId, u8, f64)> {
    let given = model.conditions.iter().filter(|c| c.level == RowLevel::Position);
    given
        .filter_map(|c| match model.exprs.op(c.target) {
            Op::JointCoordinate(j, k) => Some((j, k, mechanics.value(c.value).value())),
            _ => None,
        })
        .collect()
}
