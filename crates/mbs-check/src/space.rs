//! Coordinates of the declared poses in space, to assemble from.

use mbs_expr::{BodyId, ExprId, JointId, Op, Scalar, Series, Writer};
use mbs_math::Vector;
use mbs_model::catalog::attitude;
use mbs_model::{Attitude, Formulation, Model, RowLevel};
use mbs_physics::{
    InterfaceCoordinate, Link, LinkOwner, Mechanics, Mobilizer, Placement, Tree, default_variables, identity_parameters,
};

use super::{fit, stand_ins};

type Numbers<'m> = Mechanics<'m, Series<2>>;

/// Rows of a rotation matrix.
type Rows = [[f64; 3]; 3];

/// Solver coordinates of the declared poses, not assembled. Bodies are positioned joint by joint, outwards in the tree of joint coordinates: an
/// `initial` joint coordinate takes precedence, else the inboard joint's coordinates are measured at the declared pose of the body; coordinates that
/// are not declared are zero.
pub fn declared_pose(model: &Model, tree: &Tree) -> Vec<f64> {
    let joint_model = mbs_physics::in_formulation(model, Formulation::Joint);
    let joint_tree = Tree::new(&joint_model);
    let mut body_model = mbs_physics::in_formulation(model, Formulation::Body);
    // Body coordinates only transfer poses here: an attitude that is singular in the world need not be singular in its joint.
    body_model.bodies.iter_mut().for_each(|body| body.attitude = Attitude::Quaternion);
    let body_tree = Tree::new(&body_model);
    let mut q = undeclared_coordinates(&joint_model, &joint_tree);
    let initial = initial_joint_coordinates(&joint_model, &mechanics_at(&joint_model, &joint_tree, &q));
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
        let mechanics = mechanics_at(&joint_model, &joint_tree, &q);
        let pose = declared_body_pose(&mechanics, body);
        // All poses in body coordinates, with this body's as declared: its joint's coordinates are measured there.
        let mut bodies = read_solver_coordinates(&body_model, &body_tree, &mechanics);
        write_body(&body_model, &body_tree, &mechanics, body, pose, &mut bodies);
        let measuring = mechanics_at(&body_model, &body_tree, &bodies);
        let positions_body = |owner: LinkOwner| match (owner, joint_tree.placements[body.index()]) {
            (LinkOwner::Body(b), _) => b == body,
            (LinkOwner::Joint(j, ..), Placement::Joint { joint, .. }) => j == joint,
            _ => false,
        };
        let is_fixed = |j: JointId, k: u8| initial.iter().any(|(joint, coordinate, _)| (*joint, *coordinate) == (j, k));
        for link in joint_tree.links.iter().filter(|l| positions_body(l.owner)) {
            if let (Mobilizer::Posed { .. }, LinkOwner::Joint(j, ..)) = (&link.mobilizer, link.owner) {
                fit::fit_to_body(&joint_model, &joint_tree, &mut q, body, &|k| is_fixed(j, k));
                continue;
            }
            let measured = measured_coordinates(&measuring, link);
            for (k, value) in measured.into_iter().enumerate() {
                let is_fixed = initial
                    .iter()
                    .any(|(j, c, _)| joint_tree.interface[link.first_q + k] == InterfaceCoordinate::Joint(*j, *c));
                if !is_fixed && (value.is_finite() || link.attitude().is_some()) {
                    q[link.first_q + k] = value;
                }
            }
        }
    }
    for joint in fit::loop_closing_joints(&joint_tree) {
        let is_fixed = |k: u8| initial.iter().any(|(j, coordinate, _)| (*j, *coordinate) == (joint, k));
        fit::fit_to_rows(&joint_model, &joint_tree, &mut q, joint, &is_fixed);
    }
    // Continuous angles of joints that close loops, measured at the poses.
    let mechanics = mechanics_at(&joint_model, &joint_tree, &q);
    let link_coordinates = joint_tree.links.iter().map(|l| l.mobilizer.coordinates()).sum();
    for (i, c) in joint_tree.interface.iter().enumerate().skip(link_coordinates) {
        if let InterfaceCoordinate::Joint(j, k) = *c
            && !initial.iter().any(|(joint, coordinate, _)| (*joint, *coordinate) == (j, k))
        {
            let angle = mechanics.value(joint_model.joint(j).coordinates[usize::from(k)].1).value();
            q[i] = if angle.is_finite() { angle } else { 0.0 };
        }
    }
    let mechanics = mechanics_at(&joint_model, &joint_tree, &q);
    let mut q = read_solver_coordinates(model, tree, &mechanics);
    for body in stand_ins::bodies_not_measured(&joint_model, &joint_tree) {
        write_body(model, tree, &mechanics, body, declared_body_pose(&mechanics, body), &mut q);
    }
    q
}

/// Solver coordinates of a model and tree in the poses of another formulation of the same mechanism.
pub fn read_solver_coordinates(model: &Model, tree: &Tree, mechanics: &Numbers<'_>) -> Vec<f64> {
    let mut q = vec![0.0; tree.n_q()];
    for link in &tree.links {
        let coordinates = link_coordinates(mechanics, link);
        q[link.first_q..link.first_q + coordinates.len()].copy_from_slice(&coordinates);
    }
    for (i, c) in tree.interface.iter().enumerate().skip(tree.links.iter().map(|l| l.mobilizer.coordinates()).sum()) {
        q[i] = match *c {
            InterfaceCoordinate::Joint(j, k) => joint_coordinate(mechanics, j, k),
            InterfaceCoordinate::Basic(i, k) => {
                mechanics.spatial().spatial_basic(&model.coordinates.natural.basics[i as usize])[usize::from(k)].value()
            }
            _ => mechanics.tree.interface.iter().position(|o| o == c).map_or(0.0, |o| mechanics.coordinates[o].value()),
        };
    }
    q
}

/// Coordinate k of a joint: the coordinate of the tree, its prescribed value, or its measured value.
fn joint_coordinate(mechanics: &Numbers<'_>, joint: JointId, k: u8) -> f64 {
    if let Some(i) = mechanics.tree.joint_coordinate_index(joint, k) {
        return mechanics.coordinates[i].value();
    }
    let given = mechanics.tree.prescribed(joint, k);
    mechanics.value(given.unwrap_or(mechanics.model.joint(joint).coordinates[usize::from(k)].1)).value()
}

/// Coordinates of a link measured at the poses. Continuous angles in body coordinates are not read, since they do not follow a declared pose.
fn measured_coordinates(mechanics: &Numbers<'_>, link: &Link) -> Vec<f64> {
    let LinkOwner::Joint(joint, first, _) = link.owner else { return link_coordinates(mechanics, link) };
    let coordinate = |k: u8| mechanics.model.joint(joint).coordinates[usize::from(first + k)].1;
    link.free_indices(link.mobilizer.coordinates()).map(|k| mechanics.value(coordinate(k)).value()).collect()
}

/// Coordinates of a link at the poses of another formulation.
fn link_coordinates(mechanics: &Numbers<'_>, link: &Link) -> Vec<f64> {
    match (link.owner, &link.mobilizer) {
        (LinkOwner::Joint(j, first, _), freedom) => {
            link.free_indices(freedom.coordinates()).map(|k| joint_coordinate(mechanics, j, first + k)).collect()
        }
        (LinkOwner::Body(b), freedom) => {
            let marker = mechanics.model.bodies[b.index()].origin_marker;
            let mut q: Vec<f64> = mechanics.marker_point(marker).map(|x| x.value()).to_vec();
            if let Mobilizer::Free { attitude, .. } = freedom {
                q.extend(parameters(*attitude, body_rotation(mechanics, b)));
            }
            q
        }
    }
}

/// R_WB of a body by rows: its axes in the world are the columns.
fn body_rotation(mechanics: &Numbers<'_>, body: BodyId) -> Rows {
    let marker = mechanics.model.bodies[body.index()].origin_marker;
    let axes = [0, 1, 2].map(|k| mechanics.marker_axis(marker, k).map(|x| x.value()));
    [0, 1, 2].map(|i| [0, 1, 2].map(|k: usize| axes[k][i]))
}

/// Attitude parameters of a rotation matrix: the catalogue's expressions of constants, which fold to constants.
fn parameters(attitude: Attitude, rows: Rows) -> Vec<f64> {
    let w = Writer::default();
    let axes = [0, 1, 2].map(|k| Vector([0, 1, 2].map(|i: usize| w.op(Op::Number(rows[i][k])))));
    attitude::parameters(&w, attitude, axes).into_iter().map(|x| x.literal().unwrap_or(f64::NAN)).collect()
}

/// Origin and R_WB of a body as declared; undeclared parts are those of the present pose.
fn declared_body_pose(mechanics: &Numbers<'_>, body: BodyId) -> ([f64; 3], Rows) {
    let declared = &mechanics.model.bodies[body.index()];
    let constant = |e: ExprId| mechanics.value(e).value();
    let here = || mechanics.marker_point(declared.origin_marker).map(|x| x.value()).0;
    let position = declared.position.map_or_else(here, |p| p.map(constant));
    let rows = |axes: mbs_model::Rotation| {
        let axes = axes.map(|axis| axis.map(constant));
        [0, 1, 2].map(|i| [0, 1, 2].map(|k: usize| axes[k][i]))
    };
    (position, declared.rotation.map_or_else(|| body_rotation(mechanics, body), rows))
}

/// Writes a pose into the entries of `q` that belong to a floating body, or to the basics that the body does not share.
fn write_body(
    model: &Model,
    tree: &Tree,
    mechanics: &Numbers<'_>,
    body: BodyId,
    (position, rotation): ([f64; 3], Rows),
    q: &mut [f64],
) {
    for (index, c) in tree.interface.iter().enumerate() {
        let InterfaceCoordinate::Basic(i, k) = *c else { continue };
        let basic = &model.coordinates.natural.basics[i as usize];
        if basic.body == Some(body) && !model.coordinates.natural.shared.iter().any(|(_, shared)| *shared == i as usize)
        {
            let local = basic.components.map(|e| mechanics.value(e).value());
            let rotated: f64 = rotation[usize::from(k)].iter().zip(local).map(|(r, x)| r * x).sum();
            q[index] = if basic.is_point { position[usize::from(k)] + rotated } else { rotated };
        }
    }
    let Some(link) = tree.links.iter().find(|l| l.owner == LinkOwner::Body(body)) else { return };
    q[link.first_q..link.first_q + 3].copy_from_slice(&position);
    if let Mobilizer::Free { attitude, .. } = link.mobilizer {
        let parameters = parameters(attitude, rotation);
        q[link.first_q + 3..link.first_q + 3 + parameters.len()].copy_from_slice(&parameters);
    }
}

/// Solver coordinates without declared poses: zero translations, no rotations, start values of declared kinds and algebraic coordinates.
fn undeclared_coordinates(model: &Model, tree: &Tree) -> Vec<f64> {
    let mut q = vec![0.0; tree.n_q()];
    for link in &tree.links {
        let Some((attitude, first)) = link.attitude() else { continue };
        let identity = identity_parameters(attitude);
        q[first..first + identity.len()].copy_from_slice(&identity);
    }
    for link in &tree.links {
        if let Mobilizer::Posed { pose, .. } = link.mobilizer {
            let mechanics = mechanics_at(model, tree, &q);
            let starts = &model.coordinates.poses[pose as usize].starts;
            for (i, k) in link.free_indices(link.mobilizer.coordinates()).enumerate() {
                q[link.first_q + i] = mechanics.value(starts[usize::from(k)]).value();
            }
        }
    }
    let values: Vec<f64> = model.quantities.algebraic.iter().flat_map(|a| a.default.clone()).collect();
    for (i, c) in tree.interface.iter().enumerate() {
        if let InterfaceCoordinate::Algebraic(a) = c {
            q[i] = values[*a as usize];
        }
    }
    q
}

/// The mechanics of a model at solver coordinates, at rest.
fn mechanics_at<'m>(model: &'m Model, tree: &'m Tree, q: &[f64]) -> Numbers<'m> {
    let coordinates = q.iter().map(|x| Series::constant(*x)).collect();
    Mechanics::at_solver_coordinates(model, tree, default_variables(model, tree), coordinates)
}

/// Joint coordinates with `initial` values, exact ones and guesses: (joint, coordinate, value).
fn initial_joint_coordinates(model: &Model, mechanics: &Numbers<'_>) -> Vec<(JointId, u8, f64)> {
    let given = model.start.conditions.iter().filter(|c| c.level == RowLevel::Position);
    given
        .filter_map(|c| match model.exprs.op(c.target) {
            Op::JointCoordinate(j, k) => Some((j, k, mechanics.value(c.value).value())),
            _ => None,
        })
        .collect()
}
