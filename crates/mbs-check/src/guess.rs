//! Solver coordinates of the declared poses: a guess to assemble from.

use std::collections::BTreeMap;

use mbs_definition::Space;
use mbs_expr::{BodyId, ExprId, JointId, Op, Series, StandIn};
use mbs_model::{Formulation, Joint, JointPose, Model, RowLevel, Step, plane};
use mbs_physics::{Mechanics, Placement, SolverCoordinate, Tree, default_variables};

use crate::stand_ins;

/// Solver coordinates of the declared poses, not assembled. Bodies are positioned joint by joint, outwards in the tree of joint coordinates, whatever
/// the formulation: a pin takes the declared angle, a slide the declared position, and an `initial` joint coordinate takes precedence; coordinates
/// that are not declared are zero. Functions that are not known count as zero; where that gives no finite values, their stand-ins count.
pub fn declared_pose(model: &Model, tree: &Tree) -> Vec<f64> {
    let coordinates = declared_coordinates(&model.with_stand_ins(StandIn::Zero), tree);
    match coordinates.iter().all(|q| q.is_finite()) || !model.has_stand_ins() {
        true => coordinates,
        false => declared_coordinates(model, tree),
    }
}

/// [`declared_pose`] with the functions of `model`, known or not.
fn declared_coordinates(model: &Model, tree: &Tree) -> Vec<f64> {
    if model.space == Space::Spatial {
        return super::space::declared_pose(model, tree);
    }
    let mut joint_model = mbs_physics::in_formulation(model, Formulation::Joint);
    cut_undeclared_free_joints(&mut joint_model);
    let joint_tree = Tree::new(&joint_model);
    let mechanics = position_along_joints(&joint_model, &joint_tree);
    let mut q = read_solver_coordinates(model, tree, &mechanics);
    for body in stand_ins::bodies_not_measured(&joint_model, &joint_tree) {
        let declared = &model.bodies[body.index()];
        let angle =
            declared.angle.map_or_else(|| mechanics.planar().kinematics.angle(body), |e| mechanics.value(e)).value();
        let present = plane(mechanics.marker_point(declared.origin_marker).0);
        let origin = declared.position.map_or(present, |p| plane(p).map(|e| mechanics.value(e))).map(Series::value);
        let pose = free_coordinates(&mechanics, body, origin, angle);
        if pose.iter().all(|(c, _)| tree.solver_index(*c).is_some()) {
            pose.into_iter().for_each(|(c, x)| q[tree.solver_index(c).expect("it is there")] = x);
        }
    }
    q
}

/// Cuts free joints without declared coordinates or poses where another joint can position the body.
fn cut_undeclared_free_joints(model: &mut Model) {
    let measures = |j: usize, e: ExprId| matches!(model.exprs.op(e), Op::JointCoordinate(id, _) if id.index() == j);
    let body = |joint: &Joint, end: usize| model.markers[joint.ends[end].index()].body;
    let spans = |joint: &Joint| !joint.cut && joint.is_composed() && !joint.rows.is_empty();
    let has_other_joint =
        |b: BodyId| model.joints.iter().filter(|k| spans(k)).any(|k| (0..2).any(|end| body(k, end) == Some(b)));
    let unknown = |b: BodyId| model.bodies[b.index()].position.is_none() && has_other_joint(b);
    let undeclared: Vec<usize> = (0..model.joints.len())
        .filter(|j| {
            let joint = &model.joints[*j];
            model.is_free_in_plane(JointId(*j as u32))
                && !model.start.conditions.iter().any(|c| c.level == RowLevel::Position && measures(*j, c.target))
                && (0..2).any(|end| body(joint, end).is_some_and(unknown))
        })
        .collect();
    for j in undeclared {
        model.joints[j].cut = true;
    }
}

type Numbers<'m> = Mechanics<'m, Series<2>>;

/// The mechanics of a model in joint coordinates at its declared poses.
fn position_along_joints<'m>(model: &'m Model, tree: &'m Tree) -> Numbers<'m> {
    let mut positions = TreePositions::new(model, tree);
    positions.start_unknowns();
    positions.position_bodies();
    positions.close_loops();
    positions.mechanics()
}

/// Solver coordinates while the bodies are positioned one after the other, outwards in a tree.
struct TreePositions<'m> {
    model: &'m Model,
    tree: &'m Tree,
    /// Joint coordinates with `initial` values, by (joint, coordinate).
    initial: BTreeMap<(u32, u8), f64>,
    /// Solver coordinates so far.
    coordinates: Vec<Series<2>>,
}

impl<'m> TreePositions<'m> {
    fn new(model: &'m Model, tree: &'m Tree) -> Self {
        let coordinates = vec![Series::constant(0.0); tree.n()];
        let initial = initial_joint_coordinates(model, &mechanics_at(model, tree, &coordinates));
        TreePositions { model, tree, initial, coordinates }
    }

    /// The mechanics of the model at the coordinates so far.
    fn mechanics(&self) -> Numbers<'m> {
        mechanics_at(self.model, self.tree, &self.coordinates)
    }

    fn set_coordinate(&mut self, coordinate: SolverCoordinate, x: f64) {
        if let Some(i) = self.tree.solver_index(coordinate) {
            self.coordinates[i] = Series::constant(x);
        }
    }

    fn values(&self) -> Vec<f64> {
        self.coordinates.iter().map(|x| x.value()).collect()
    }

    /// Sets algebraic coordinates and those of joints of declared kinds to their start values.
    fn start_unknowns(&mut self) {
        let model = self.model;
        for (i, c) in self.tree.solver.iter().enumerate() {
            match *c {
                SolverCoordinate::Algebraic(a) => {
                    let values: Vec<f64> = model.quantities.algebraic.iter().flat_map(|q| q.default.clone()).collect();
                    self.coordinates[i] = Series::constant(values[a as usize]);
                }
                SolverCoordinate::Posed(j, k) => {
                    let start = |pose: &&JointPose| pose.joint == j;
                    let start = model.coordinates.poses.iter().find(start).map(|pose| pose.starts[usize::from(k)]);
                    let start = start.map_or(0.0, |e| self.mechanics().value(e).value());
                    self.coordinates[i] = Series::constant(self.initial.get(&(j.0, k)).copied().unwrap_or(start));
                }
                _ => {}
            }
        }
    }

    fn position_bodies(&mut self) {
        // Poses so far; evaluated again for a body whose parent has been set since: once per level of the tree.
        let mut mechanics = self.mechanics();
        let mut waiting: Vec<BodyId> = Vec::new();
        for &body in &self.tree.order {
            if inboard_body(self.model, self.tree, body).is_some_and(|parent| waiting.contains(&parent)) {
                mechanics = self.mechanics();
                waiting.clear();
            }
            waiting.push(body);
            match self.tree.placements[body.index()] {
                Placement::Natural => unreachable!("bodies are positioned along joints"),
                Placement::Free { joint, reversed } => self.position_floating_body(&mechanics, body, joint, reversed),
                Placement::Joint { joint, reversed, .. } => {
                    self.position_by_steps(&mechanics, body, joint, reversed);
                    self.fit_to_body(body, joint);
                }
            }
        }
    }

    /// Positions a floating body by its declared pose, or by the declared coordinates of its free joint.
    fn position_floating_body(
        &mut self,
        mechanics: &Numbers<'m>,
        body: BodyId,
        joint: Option<JointId>,
        reversed: bool,
    ) {
        let declared = &self.model.bodies[body.index()];
        let constant = |e: ExprId| mechanics.value(e).value();
        let angle = declared.angle.map_or(0.0, constant);
        let origin = declared.position.map_or([0.0; 2], |p| plane(p).map(constant));
        let given = |j: JointId| [0, 1, 2].map(|k| self.initial.get(&(j.0, k)).copied());
        let (origin, angle) = match joint.map(|j| (j, given(j))) {
            Some((j, given)) if given.iter().any(Option::is_some) => {
                free_joint_pose(mechanics, body, j, reversed, given, (origin, angle))
            }
            _ => (origin, angle),
        };
        free_coordinates(mechanics, body, origin, angle).into_iter().for_each(|(c, x)| self.set_coordinate(c, x));
    }

    /// Positions a body by the rotations and translations of its joint.
    fn position_by_steps(&mut self, mechanics: &Numbers<'m>, body: BodyId, id: JointId, reversed: bool) {
        let (model, tree) = (self.model, self.tree);
        let declared = &model.bodies[body.index()];
        let constant = |e: ExprId| mechanics.value(e).value();
        let joint = model.joint(id);
        let steps = (0..).zip(joint.steps()).filter(|(k, _)| tree.prescribed(id, *k).is_none());
        for (k, step) in steps.filter(|_| joint.is_composed()) {
            let given = self.initial.get(&(id.0, k)).copied();
            if let Step::Revolute { .. } = step {
                let ends = if reversed { [joint.ends[1], joint.ends[0]] } else { joint.ends };
                let facing = mechanics.marker_angle(ends[0]).value();
                let offset = constant(model.markers[ends[1].index()].angle);
                let sign = if reversed { -1.0 } else { 1.0 };
                let angle = match given {
                    Some(q) => facing + sign * q - offset,
                    None => declared.angle.map_or(facing - offset, constant),
                };
                self.set_coordinate(SolverCoordinate::Angle(body), angle);
            } else {
                let displacement =
                    declared.position.map(|p| slide_displacement(mechanics, body, plane(p).map(constant), (id, k)));
                self.set_coordinate(SolverCoordinate::Displacement(id, k), given.or(displacement).unwrap_or(0.0));
            }
        }
    }

    /// Fits the coordinates of a joint of a declared kind to the declared pose of its outboard body.
    fn fit_to_body(&mut self, body: BodyId, id: JointId) {
        let declared = &self.model.bodies[body.index()];
        let is_declared = declared.position.is_some() || declared.angle.is_some();
        if self.model.joint(id).pose().is_none() || !is_declared {
            return;
        }
        let mut q = self.values();
        let is_fixed = |k: u8| self.initial.contains_key(&(id.0, k));
        super::fit::fit_to_body(self.model, self.tree, &mut q, body, &is_fixed);
        self.coordinates = q.into_iter().map(Series::constant).collect();
    }

    /// Fits coordinates of joints that close loops, then contact parameters.
    fn close_loops(&mut self) {
        let (model, tree) = (self.model, self.tree);
        let mut q = self.values();
        for pose in model.coordinates.poses.iter().filter(|pose| !tree.contains_joint(pose.joint)) {
            let is_fixed = |k: u8| self.initial.contains_key(&(pose.joint.0, k));
            super::fit::fit_to_rows(model, tree, &mut q, pose.joint, &is_fixed);
        }
        self.coordinates = q.into_iter().map(Series::constant).collect();
        let mechanics = |coordinates: &[Series<2>]| mechanics_at(model, tree, coordinates);
        super::contacts::start_contact_parameters(model, tree, &mut self.coordinates, &mechanics);
    }
}

/// The mechanics of a model at solver coordinates, at rest.
fn mechanics_at<'m>(model: &'m Model, tree: &'m Tree, coordinates: &[Series<2>]) -> Numbers<'m> {
    Mechanics::at_solver_coordinates(model, tree, default_variables(model, tree), coordinates.to_vec())
}

/// The body at the other end of a body's inboard joint; `None` is ground.
fn inboard_body(model: &Model, tree: &Tree, body: BodyId) -> Option<BodyId> {
    match tree.placements[body.index()] {
        Placement::Joint { parent, .. } => parent,
        Placement::Natural => None,
        Placement::Free { joint, reversed } => {
            let ends = model.joints[joint?.index()].ends;
            model.markers[ends[usize::from(reversed)].index()].body
        }
    }
}

/// Solver coordinates of a floating body at an origin and an angle: world position of the centre of mass, and the angle.
fn free_coordinates(
    mechanics: &Numbers<'_>,
    body: BodyId,
    [x, y]: [f64; 2],
    angle: f64,
) -> [(SolverCoordinate, f64); 3] {
    let com = plane(mechanics.model.bodies[body.index()].com).map(|e| mechanics.value(e).value());
    let (s, c) = angle.sin_cos();
    [
        (SolverCoordinate::World(body, 0), x + c * com[0] - s * com[1]),
        (SolverCoordinate::World(body, 1), y + s * com[0] + c * com[1]),
        (SolverCoordinate::Angle(body), angle),
    ]
}

/// Origin and angle of a body whose free joint has some of its coordinates given; the others are those of the declared pose.
fn free_joint_pose(
    mechanics: &Numbers<'_>,
    body: BodyId,
    joint: JointId,
    reversed: bool,
    given: [Option<f64>; 3],
    (origin, angle): ([f64; 2], f64),
) -> ([f64; 2], f64) {
    let model = mechanics.model;
    let rotate = |a: f64, [x, y]: [f64; 2]| [a.cos() * x - a.sin() * y, a.sin() * x + a.cos() * y];
    let [first, second] = model.joint(joint).ends;
    let (inboard, outboard) = if reversed { (second, first) } else { (first, second) };
    let (p, facing) =
        (plane(mechanics.marker_point(inboard).0).map(Series::value), mechanics.marker_angle(inboard).value());
    let outboard = &model.markers[outboard.index()];
    let (point, offset) =
        (plane(outboard.point).map(|e| mechanics.value(e).value()), mechanics.value(outboard.angle).value());
    let particle = model.bodies[body.index()].kind == mbs_model::BodyKind::Particle;
    let sign = if reversed { -1.0 } else { 1.0 };
    let angle = match given[2] {
        Some(q) if !particle => facing + sign * q - offset,
        _ if particle => 0.0,
        _ => angle,
    };
    // (p_second − p_first) in the first marker's axes.
    let arm = rotate(angle, point);
    let first_facing = if reversed { angle + offset } else { facing };
    let declared = rotate(-first_facing, [0, 1].map(|k| sign * (origin[k] + arm[k] - p[k])));
    let r = rotate(first_facing, [0, 1].map(|k| given[k].unwrap_or(declared[k])));
    ([0, 1].map(|k| p[k] + sign * r[k] - arm[k]), angle)
}

/// Displacement \[m\] of a slide that brings a body's origin closest to a declared position.
fn slide_displacement(mechanics: &Numbers<'_>, body: BodyId, p: [f64; 2], (joint, k): (JointId, u8)) -> f64 {
    let i = mechanics.tree.solver_index(SolverCoordinate::Displacement(joint, k)).expect("a tree slide");
    let mbs_physics::Motion::Translation { frame, axis } = mechanics.planar().kinematics.motions[i] else { return 0.0 };
    let axis = mechanics.planar().kinematics.world(frame, axis).map(Series::value);
    let origin = &mechanics.planar().kinematics.body(body).origin;
    let at_zero = mechanics.planar().kinematics.world_sum(origin).map(Series::value);
    (p[0] - at_zero[0]) * axis[0] + (p[1] - at_zero[1]) * axis[1]
}

/// Values of `initial` conditions on joint coordinates, exact ones and guesses, by (joint, coordinate).
fn initial_joint_coordinates(model: &Model, mechanics: &Numbers<'_>) -> BTreeMap<(u32, u8), f64> {
    let conditions = model.start.conditions.iter().filter(|c| c.level == RowLevel::Position);
    conditions
        .filter_map(|c| match model.exprs.op(c.target) {
            Op::JointCoordinate(j, k) => Some(((j.0, k), mechanics.value(c.value).value())),
            _ => None,
        })
        .collect()
}

/// Solver coordinates of a model and tree in the poses of another formulation of the same mechanism.
pub fn read_solver_coordinates(model: &Model, tree: &Tree, mechanics: &Numbers<'_>) -> Vec<f64> {
    if mechanics.model.space == Space::Spatial {
        return super::space::read_solver_coordinates(model, tree, mechanics);
    }
    let pose = |b: BodyId| {
        let com =
            mechanics.planar().kinematics.world_sum(&mechanics.planar().kinematics.body(b).com).map(Series::value);
        [com[0], com[1], mechanics.planar().kinematics.angle(b).value()]
    };
    tree.solver
        .iter()
        .map(|c| match *c {
            SolverCoordinate::World(b, axis) => pose(b)[axis as usize],
            SolverCoordinate::Angle(b) => pose(b)[2],
            SolverCoordinate::Displacement(joint, k) => match mechanics.tree.solver_index(*c) {
                Some(i) => mechanics.coordinates[i].value(),
                // The joint closes a loop in the other tree, so that its coordinate is measured.
                None => mechanics.value(mechanics.model.joint(joint).coordinates[usize::from(k)].1).value(),
            },
            SolverCoordinate::Link(..) | SolverCoordinate::ContinuousCoordinate(..) => 0.0,
            SolverCoordinate::Basic(i, axis) => {
                mechanics.planar().basic(&model.coordinates.natural.basics[i as usize])[usize::from(axis)].value()
            }
            SolverCoordinate::ContinuousAngle(b) => pose(b)[2],
            // Where the other tree has no such coordinate, it is prescribed.
            SolverCoordinate::Posed(joint, k) => {
                mechanics.value(mechanics.model.joint(joint).coordinates[usize::from(k)].1).value()
            }
            SolverCoordinate::Algebraic(_) => {
                mechanics.tree.solver_index(*c).map_or(0.0, |i| mechanics.coordinates[i].value())
            }
        })
        .collect()
}
