//! Solver coordinates of the declared poses: a guess to assemble from.

use std::collections::BTreeMap;

use mbs_definition::Space;
use mbs_expr::{BodyId, ExprId, JointId, Op, Series, StandIn};
use mbs_model::{Formulation, Joint, JointPose, Model, RowLevel, Step, plane};
use mbs_physics::{Mechanics, Placement, SolverCoordinate, Tree, default_variables};

use crate::stand_ins;

/// Places bodies along joints: a declared angle turns a pin, a declared position moves a slide, an `initial` joint coordinate
/// sets it; what is not declared stays zero. Joints of the tree in joint coordinates serve for both formulations. Functions that are not known
/// count as zero; where that has no value, something stands for them.
pub fn declared(model: &Model, tree: &Tree) -> Vec<f64> {
    let placed = placed_by(&model.with_stand_ins(StandIn::Zero), tree);
    match placed.iter().all(|q| q.is_finite()) || !model.has_stand_ins() {
        true => placed,
        false => placed_by(model, tree),
    }
}

fn placed_by(model: &Model, tree: &Tree) -> Vec<f64> {
    if model.space == Space::Spatial {
        return super::space::declared(model, tree);
    }
    let mut joint_model = mbs_physics::in_formulation(model, Formulation::Joint);
    leave_to_others(&mut joint_model);
    let joint_tree = Tree::new(&joint_model);
    let placed = place_along_joints(&joint_model, &joint_tree);
    let mut q = read_solver_coordinates(model, tree, &placed);
    for body in stand_ins::told_by_none(&joint_model, &joint_tree) {
        let declared = &model.bodies[body.index()];
        let angle = declared.angle.map_or_else(|| placed.kinematics.angle(body), |e| placed.value(e)).value();
        let placed_at = plane(placed.marker_point(declared.origin_marker).0);
        let origin = declared.position.map_or(placed_at, |p| plane(p).map(|e| placed.value(e))).map(Series::value);
        let pose = free_coordinates(&placed, body, (origin, angle));
        if pose.iter().all(|(c, _)| tree.solver_index(*c).is_some()) {
            pose.into_iter().for_each(|(c, x)| q[tree.solver_index(c).expect("it is there")] = x);
        }
    }
    q
}

/// A free joint that nothing is known of places no body that another joint can place.
fn leave_to_others(model: &mut Model) {
    let measures = |j: usize, e: ExprId| matches!(model.exprs.op(e), Op::JointCoordinate(id, _) if id.index() == j);
    let body = |joint: &Joint, end: usize| model.markers[joint.ends[end].index()].body;
    let spans = |joint: &Joint| !joint.cut && joint.is_composed() && !joint.rows.is_empty();
    let others_place =
        |b: BodyId| model.joints.iter().filter(|k| spans(k)).any(|k| (0..2).any(|end| body(k, end) == Some(b)));
    let unknown = |b: BodyId| model.bodies[b.index()].position.is_none() && others_place(b);
    let left: Vec<usize> = (0..model.joints.len())
        .filter(|j| {
            let joint = &model.joints[*j];
            model.is_free_in_plane(JointId(*j as u32))
                && !model.conditions.iter().any(|c| c.level == RowLevel::Position && measures(*j, c.target))
                && (0..2).any(|end| body(joint, end).is_some_and(unknown))
        })
        .collect();
    for j in left {
        model.joints[j].cut = true;
    }
}

type Numbers<'m> = Mechanics<'m, Series<1>>;

fn place_along_joints<'m>(model: &'m Model, tree: &'m Tree) -> Numbers<'m> {
    let mut placing = Placing::new(model, tree);
    placing.start_unknowns();
    placing.place_bodies();
    placing.close_loops();
    placing.placed()
}

/// Bodies that are placed one after the other along the joints of a tree.
struct Placing<'m> {
    model: &'m Model,
    tree: &'m Tree,
    /// Joint coordinates with `initial` values, by (joint, coordinate).
    initial: BTreeMap<(u32, u8), f64>,
    /// Solver coordinates so far.
    coordinates: Vec<Series<1>>,
}

impl<'m> Placing<'m> {
    fn new(model: &'m Model, tree: &'m Tree) -> Self {
        let coordinates = vec![Series::constant(0.0); tree.n()];
        let initial = initial_joint_coordinates(model, &at(model, tree, &coordinates));
        Placing { model, tree, initial, coordinates }
    }

    /// The model at the coordinates so far.
    fn placed(&self) -> Numbers<'m> {
        at(self.model, self.tree, &self.coordinates)
    }

    fn set(&mut self, coordinate: SolverCoordinate, x: f64) {
        if let Some(i) = self.tree.solver_index(coordinate) {
            self.coordinates[i] = Series::constant(x);
        }
    }

    fn values(&self) -> Vec<f64> {
        self.coordinates.iter().map(|x| x.value()).collect()
    }

    /// Sets declared coordinates and those of declared poses to the values that they start from.
    fn start_unknowns(&mut self) {
        let model = self.model;
        for (i, c) in self.tree.solver.iter().enumerate() {
            match *c {
                SolverCoordinate::Algebraic(a) => {
                    let values: Vec<f64> = model.algebraic.iter().flat_map(|q| q.default.clone()).collect();
                    self.coordinates[i] = Series::constant(values[a as usize]);
                }
                SolverCoordinate::Posed(j, k) => {
                    let start = |pose: &&JointPose| pose.joint == j;
                    let start = model.poses.iter().find(start).map(|pose| pose.starts[usize::from(k)]);
                    let start = start.map_or(0.0, |e| self.placed().value(e).value());
                    self.coordinates[i] = Series::constant(self.initial.get(&(j.0, k)).copied().unwrap_or(start));
                }
                _ => {}
            }
        }
    }

    fn place_bodies(&mut self) {
        // Poses so far; placed again when a body is reached whose parent has been set since: once per level of the tree.
        let mut placed = self.placed();
        let mut waiting: Vec<BodyId> = Vec::new();
        for &body in &self.tree.order {
            if other_end(self.model, self.tree, body).is_some_and(|parent| waiting.contains(&parent)) {
                placed = self.placed();
                waiting.clear();
            }
            waiting.push(body);
            match self.tree.placements[body.index()] {
                Placement::Natural => unreachable!("bodies are placed along joints"),
                Placement::Free { joint, reversed } => self.place_freely(&placed, body, joint, reversed),
                Placement::Joint { joint, reversed, .. } => {
                    self.place_on_steps(&placed, body, joint, reversed);
                    self.fit_to_body(body, joint);
                }
            }
        }
    }

    /// Places a body that floats where its pose, or the coordinates of its free joint, are declared.
    fn place_freely(&mut self, placed: &Numbers<'m>, body: BodyId, joint: Option<JointId>, reversed: bool) {
        let declared = &self.model.bodies[body.index()];
        let number = |e: ExprId| placed.value(e).value();
        let angle = declared.angle.map_or(0.0, number);
        let origin = declared.position.map_or([0.0; 2], |p| plane(p).map(number));
        let given = |j: JointId| [0, 1, 2].map(|k| self.initial.get(&(j.0, k)).copied());
        let pose = match joint.map(|j| (j, given(j))) {
            Some((j, given)) if given.iter().any(Option::is_some) => {
                freely(placed, body, (j, reversed), given, (origin, angle))
            }
            _ => (origin, angle),
        };
        free_coordinates(placed, body, pose).into_iter().for_each(|(c, x)| self.set(c, x));
    }

    /// Places a body by the turns and slides of its joint.
    fn place_on_steps(&mut self, placed: &Numbers<'m>, body: BodyId, id: JointId, reversed: bool) {
        let (model, tree) = (self.model, self.tree);
        let declared = &model.bodies[body.index()];
        let number = |e: ExprId| placed.value(e).value();
        let joint = model.joint(id);
        let steps = (0..).zip(joint.steps()).filter(|(k, _)| tree.prescribed(id, *k).is_none());
        for (k, step) in steps.filter(|_| joint.is_composed()) {
            let given = self.initial.get(&(id.0, k)).copied();
            if let Step::Revolute { .. } = step {
                let ends = if reversed { [joint.ends[1], joint.ends[0]] } else { joint.ends };
                let facing = placed.marker_angle(ends[0]).value();
                let own = number(model.markers[ends[1].index()].angle);
                let sign = if reversed { -1.0 } else { 1.0 };
                let angle = match given {
                    Some(q) => facing + sign * q - own,
                    None => declared.angle.map_or(facing - own, number),
                };
                self.set(SolverCoordinate::Angle(body), angle);
            } else {
                let displacement = declared.position.map(|p| slide_of(placed, body, plane(p).map(number), (id, k)));
                self.set(SolverCoordinate::Displacement(id, k), given.or(displacement).unwrap_or(0.0));
            }
        }
    }

    /// Fits the coordinates of a joint whose pose is declared to what is declared of the body that it places.
    fn fit_to_body(&mut self, body: BodyId, id: JointId) {
        let declared = &self.model.bodies[body.index()];
        let is_declared = declared.position.is_some() || declared.angle.is_some();
        if self.model.joint(id).pose().is_none() || !is_declared {
            return;
        }
        let mut q = self.values();
        let held = |k: u8| self.initial.contains_key(&(id.0, k));
        super::fit::to_body(self.model, self.tree, &mut q, body, &held);
        self.coordinates = q.into_iter().map(Series::constant).collect();
    }

    /// Fits coordinates of joints that close loops, then contact parameters.
    fn close_loops(&mut self) {
        let (model, tree) = (self.model, self.tree);
        let mut q = self.values();
        for pose in model.poses.iter().filter(|pose| !tree.contains_joint(pose.joint)) {
            let held = |k: u8| self.initial.contains_key(&(pose.joint.0, k));
            super::fit::to_rows(model, tree, &mut q, pose.joint, &held);
        }
        self.coordinates = q.into_iter().map(Series::constant).collect();
        super::contacts::begin(model, tree, &mut self.coordinates, &|coordinates| at(model, tree, coordinates));
    }
}

/// A model at solver coordinates.
fn at<'m>(model: &'m Model, tree: &'m Tree, coordinates: &[Series<1>]) -> Numbers<'m> {
    Mechanics::at_solver_coordinates(model, tree, default_variables(model, tree), coordinates.to_vec())
}

/// The body on the other end of the joint that places a body.
fn other_end(model: &Model, tree: &Tree, body: BodyId) -> Option<BodyId> {
    match tree.placements[body.index()] {
        Placement::Joint { parent, .. } => parent,
        Placement::Natural => None,
        Placement::Free { joint, reversed } => {
            let ends = model.joints[joint?.index()].ends;
            model.markers[ends[usize::from(reversed)].index()].body
        }
    }
}

/// Solver coordinates of a body of its own, at an origin and an angle.
fn free_coordinates(
    mechanics: &Numbers<'_>,
    body: BodyId,
    ([x, y], angle): ([f64; 2], f64),
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
fn freely(
    mechanics: &Numbers<'_>,
    body: BodyId,
    (joint, reversed): (JointId, bool),
    given: [Option<f64>; 3],
    (origin, angle): ([f64; 2], f64),
) -> ([f64; 2], f64) {
    let model = mechanics.model;
    let turn = |a: f64, [x, y]: [f64; 2]| [a.cos() * x - a.sin() * y, a.sin() * x + a.cos() * y];
    let [first, second] = model.joint(joint).ends;
    let (placed, own) = if reversed { (second, first) } else { (first, second) };
    let (p, facing) =
        (plane(mechanics.marker_point(placed).0).map(Series::value), mechanics.marker_angle(placed).value());
    let own = &model.markers[own.index()];
    let (at, own_angle) = (plane(own.point).map(|e| mechanics.value(e).value()), mechanics.value(own.angle).value());
    let particle = model.bodies[body.index()].kind == mbs_model::BodyKind::Particle;
    let sign = if reversed { -1.0 } else { 1.0 };
    let angle = match given[2] {
        Some(q) if !particle => facing + sign * q - own_angle,
        _ if particle => 0.0,
        _ => angle,
    };
    // (p_second − p_first) in the first marker's axes.
    let arm = turn(angle, at);
    let first_facing = if reversed { angle + own_angle } else { facing };
    let declared = turn(-first_facing, [0, 1].map(|k| sign * (origin[k] + arm[k] - p[k])));
    let r = turn(first_facing, [0, 1].map(|k| given[k].unwrap_or(declared[k])));
    ([0, 1].map(|k| p[k] + sign * r[k] - arm[k]), angle)
}

/// Displacement along a slide that brings a body's origin closest to a declared position.
fn slide_of(mechanics: &Numbers<'_>, body: BodyId, p: [f64; 2], (joint, k): (JointId, u8)) -> f64 {
    let i = mechanics.tree.solver_index(SolverCoordinate::Displacement(joint, k)).expect("a tree slide");
    let mbs_physics::Motion::Translation { frame, axis } = mechanics.kinematics.motions[i] else { return 0.0 };
    let axis = mechanics.kinematics.world(frame, axis).map(Series::value);
    let origin = &mechanics.kinematics.body(body).origin;
    let at_zero = mechanics.kinematics.world_sum(origin).map(Series::value);
    (p[0] - at_zero[0]) * axis[0] + (p[1] - at_zero[1]) * axis[1]
}

/// `initial hinge.angle = 0.5` and `~`, by (joint, coordinate).
fn initial_joint_coordinates(model: &Model, mechanics: &Numbers<'_>) -> BTreeMap<(u32, u8), f64> {
    let conditions = model.conditions.iter().filter(|c| c.level == RowLevel::Position);
    conditions
        .filter_map(|c| match model.exprs.op(c.target) {
            Op::JointCoordinate(j, k) => Some(((j.0, k), mechanics.value(c.value).value())),
            _ => None,
        })
        .collect()
}

/// Reads the solver coordinates of the chosen formulation from placed bodies.
pub fn read_solver_coordinates(model: &Model, tree: &Tree, placed: &Numbers<'_>) -> Vec<f64> {
    if placed.model.space == Space::Spatial {
        return super::space::read((model, tree), placed);
    }
    let pose = |b: BodyId| {
        let com = placed.kinematics.world_sum(&placed.kinematics.body(b).com).map(Series::value);
        [com[0], com[1], placed.kinematics.angle(b).value()]
    };
    tree.solver
        .iter()
        .map(|c| match *c {
            SolverCoordinate::World(b, axis) => pose(b)[axis as usize],
            SolverCoordinate::Angle(b) => pose(b)[2],
            SolverCoordinate::Displacement(joint, k) => match placed.tree.solver_index(*c) {
                Some(i) => placed.coordinates[i].value(),
                // It closes a loop of the placed tree: measured on the poses.
                None => placed.value(placed.model.joint(joint).coordinates[usize::from(k)].1).value(),
            },
            SolverCoordinate::Link(..) | SolverCoordinate::ContinuousCoordinate(..) => 0.0,
            SolverCoordinate::Basic(i, axis) => {
                placed.basic(&model.natural.basics[i as usize])[usize::from(axis)].value()
            }
            SolverCoordinate::ContinuousAngle(b) => pose(b)[2],
            // Where the placed tree has none, it is prescribed.
            SolverCoordinate::Posed(joint, k) => {
                placed.value(placed.model.joint(joint).coordinates[usize::from(k)].1).value()
            }
            SolverCoordinate::Algebraic(_) => {
                placed.tree.solver_index(*c).map_or(0.0, |i| placed.coordinates[i].value())
            }
        })
        .collect()
}
