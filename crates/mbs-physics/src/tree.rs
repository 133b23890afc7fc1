//! Coordinates of a formulation: the spanning tree, the coordinates that place each body, and the rows that close loops.
//!
//! Two sets of coordinates exist. The *interface* coordinates q are those of the user: x, y, θ of a body frame, or the coordinates of joints. The
//! equations of motion are written in the *solver* coordinates: positions of centres of mass and absolute angles in world axes, and displacements
//! along axes. These need fewer operations. [`Mechanics`](super::Mechanics) converts between both.

mod coordinates;
mod names;
mod prescribed;
mod rows;

pub use coordinates::{InterfaceCoordinate, InterfaceSpeed, Placement, SolverCoordinate};
pub use prescribed::Prescribed;

use std::collections::{BTreeSet, VecDeque};

use rustc_hash::FxHashMap as HashMap;

use mbs_definition::Space;
use mbs_expr::{BodyId, ExprId, JointId, Op};
use mbs_model::{Attitude, BodyKind, Formulation, Joint, Model, Row, RowId, RowLevel, Step};

use super::Redundant;
use super::space::{Link, LinkOwner, Mobilizer, Mount, links};

/// The coordinates and rows of a model in its formulation.
#[derive(Clone, Debug, Default)]
pub struct Tree {
    /// Placement of each body.
    pub placements: Vec<Placement>,
    /// Bodies, parents first.
    pub order: Vec<BodyId>,
    /// Solver coordinates, in space the solver's speeds: n_v.
    pub solver: Vec<SolverCoordinate>,
    /// Interface coordinates, in the order of q: bodies or joints in placement order, then algebraic ones: n_q.
    pub interface: Vec<InterfaceCoordinate>,
    /// Interface speeds, in the order of v: n_v.
    pub speeds: Vec<InterfaceSpeed>,
    /// In space, the links, parents first; empty in the plane.
    pub links: Vec<Link>,
    /// In space, the link that each body is fixed to, with its pose there; empty in the plane.
    pub mounts: Vec<Mount>,
    /// Rows of the formulation: position rows, then velocity rows, then acceleration-only rows.
    pub rows: Vec<Row>,
    /// For each row of [`Model::rows`] its index in `rows`; `None` for rows that the formulation does not have.
    pub row_index: Vec<Option<usize>>,
    /// Number of position rows.
    pub n_position: usize,
    /// Number of position and velocity rows.
    pub n_velocity: usize,
    /// Rows that are omitted because others imply them: none after [`Tree::new`].
    pub redundant: Redundant,
    /// Coordinates of the tree's joints that are functions of time, and therefore no interface coordinates.
    pub prescribed: Vec<Prescribed>,
    /// Indices of the first coordinates of unit quaternions of joints whose kinds the text declares.
    pub posed_quaternions: Vec<usize>,
    /// Indices into `solver`.
    index_by_coordinate: HashMap<SolverCoordinate, usize>,
}

impl Tree {
    /// Builds the spanning tree by breadth-first search. Bodies in `body` coordinates are free. The search starts from ground and from these, visits
    /// joints with prescribed coordinates first, then in declaration order, and omits `cut` joints. A body that it does not find is free.
    pub fn new(model: &Model) -> Tree {
        let mut placements: Vec<Option<Placement>> = vec![None; model.bodies.len()];
        let mut order = Vec::new();
        let mut queue: VecDeque<Option<BodyId>> = VecDeque::from([None]);
        for (b, body) in model.bodies.iter().enumerate() {
            let id = BodyId(b as u32);
            match body.formulation.unwrap_or(model.coordinates.formulation) {
                Formulation::Body => {
                    placements[b] = Some(Placement::Free { joint: None, reversed: false });
                    order.push(id);
                    queue.push_back(Some(id));
                }
                // Joint coordinates cannot start from a body whose angle is no coordinate.
                Formulation::Natural => {
                    placements[b] = Some(Placement::Natural);
                    order.push(id);
                }
                Formulation::Joint => {}
            }
        }
        let joints = prescribed::joints_prescribed_first(model);
        loop {
            while let Some(body) = queue.pop_front() {
                for &j in &joints {
                    let Some((child, reversed)) = outboard_body(model, model.joint(j), body) else { continue };
                    if placements[child.index()].is_some() {
                        continue;
                    }
                    placements[child.index()] = Some(match model.is_free_in_plane(j) {
                        true => Placement::Free { joint: Some(j), reversed },
                        false => Placement::Joint { joint: j, parent: body, reversed },
                    });
                    order.push(child);
                    queue.push_back(Some(child));
                }
            }
            let Some(b) = placements.iter().position(Option::is_none) else { break };
            let id = BodyId(b as u32);
            placements[b] = Some(Placement::Free { joint: None, reversed: false });
            order.push(id);
            queue.push_back(Some(id));
        }
        Self::from_placements(model, placements.into_iter().flatten().collect(), order)
    }

    /// The tree of a model that differs in its equations alone, with the placements of this tree.
    pub fn with_same_placements(&self, model: &Model) -> Tree {
        Self::from_placements(model, self.placements.clone(), self.order.clone())
    }

    fn from_placements(model: &Model, placements: Vec<Placement>, order: Vec<BodyId>) -> Tree {
        match model.space {
            Space::Planar => Self::planar(model, placements, order),
            Space::Spatial => Self::spatial(model, placements, order),
        }
    }

    fn spatial(model: &Model, placements: Vec<Placement>, order: Vec<BodyId>) -> Tree {
        let prescribed = prescribed::prescribed_in_tree(model, &placements);
        let (links, mounts) = links(model, &placements, &order, &prescribed);
        let (mut solver, mut interface, mut speeds) = (Vec::new(), Vec::new(), Vec::new());
        for (i, link) in links.iter().enumerate() {
            for k in link.free_indices(link.mobilizer.coordinates()) {
                interface.push(match link.owner {
                    LinkOwner::Body(b) => InterfaceCoordinate::Body(b, k),
                    LinkOwner::Joint(j, first, _) => InterfaceCoordinate::Joint(j, first + k),
                });
            }
            for (speed, k) in (0..).zip(link.free_indices(link.mobilizer.speeds())) {
                solver.push(SolverCoordinate::Link(i as u32, speed));
                speeds.push(match link.owner {
                    LinkOwner::Body(b) => InterfaceSpeed::Body(b, k),
                    LinkOwner::Joint(j, _, first) => InterfaceSpeed::Joint(j, first + k),
                });
            }
        }
        for (i, basic) in (0..).zip(&model.coordinates.natural.basics) {
            for axis in (0..3).filter(|_| basic.body.is_some()) {
                solver.push(SolverCoordinate::Basic(i, axis));
                interface.push(InterfaceCoordinate::Basic(i, axis));
                speeds.push(InterfaceSpeed::Basic(i, axis));
            }
        }
        let (mut rows, row_index) = formulation_rows(model, &placements, &prescribed);
        let is_prescribed = |j: JointId, k: u8| prescribed.iter().any(|p| p.is_coordinate(j, k));
        let continuous = continuous_coordinates(model, &interface);
        for (joint, k) in continuous.into_iter().filter(|(j, k)| !is_prescribed(*j, *k)) {
            let declared = model.joint(joint);
            solver.push(SolverCoordinate::ContinuousCoordinate(joint, k));
            interface.push(InterfaceCoordinate::Joint(joint, k));
            speeds.push(InterfaceSpeed::Joint(joint, k));
            let index = rows.iter().position(|r| r.level > RowLevel::Position).unwrap_or(rows.len());
            rows.insert(
                index,
                Row {
                    id: RowId::ContinuousCoordinate(joint, k),
                    name: format!("{}.{}", declared.name, declared.coordinates[usize::from(k)].0),
                    basic: None,
                    origin: declared.origin,
                    residual: declared.ties[usize::from(k)].expect("only tied coordinates are continuous"),
                    enabled: None,
                    level: RowLevel::Position,
                },
            );
        }
        let ties = solver.iter().filter(|c| matches!(c, SolverCoordinate::ContinuousCoordinate(..))).count();
        let n_position = rows.iter().filter(|r| r.level == RowLevel::Position).count();
        let row_index =
            row_index.into_iter().map(|i| i.map(|i| if i < n_position - ties { i } else { i + ties })).collect();
        for i in 0..Model::flat_size(&model.quantities.algebraic) as u32 {
            solver.push(SolverCoordinate::Algebraic(i));
            interface.push(InterfaceCoordinate::Algebraic(i));
            speeds.push(InterfaceSpeed::Algebraic(i));
        }
        let quaternions_of_link = |link: &Link| match link.mobilizer {
            Mobilizer::Posed { pose, .. } => {
                let first = link.first_q;
                model.coordinates.poses[pose as usize].quaternions.iter().map(|k| first + usize::from(*k)).collect()
            }
            _ => Vec::new(),
        };
        let posed_quaternions = links.iter().flat_map(quaternions_of_link).collect();
        let tree =
            Tree { placements, order, solver, interface, speeds, links, mounts, rows, row_index, ..Tree::default() };
        Tree { posed_quaternions, prescribed, ..tree }.indexed()
    }

    /// The tree with its numbers of rows and its indices of coordinates.
    fn indexed(mut self) -> Tree {
        let up_to = |level: RowLevel| self.rows.iter().filter(|r| r.level <= level).count();
        (self.n_position, self.n_velocity) = (up_to(RowLevel::Position), up_to(RowLevel::Velocity));
        self.index_by_coordinate = self.solver.iter().enumerate().map(|(i, c)| (*c, i)).collect();
        self
    }

    fn planar(model: &Model, placements: Vec<Placement>, order: Vec<BodyId>) -> Tree {
        let (mut solver, mut interface) = (Vec::new(), Vec::new());
        let prescribed = prescribed::prescribed_in_tree(model, &placements);
        let is_prescribed = |j: JointId, k: u8| prescribed.iter().any(|p| p.is_coordinate(j, k));
        for (i, basic) in (0..).zip(&model.coordinates.natural.basics) {
            for axis in (0..2).filter(|_| basic.body.is_some()) {
                solver.push(SolverCoordinate::Basic(i, axis));
                interface.push(InterfaceCoordinate::Basic(i, axis));
            }
        }
        for &body in &model.coordinates.natural.angles {
            solver.push(SolverCoordinate::ContinuousAngle(body));
            interface.push(InterfaceCoordinate::ContinuousAngle(body));
        }
        for &body in &order {
            let is_rigid = model.bodies[body.index()].kind == BodyKind::Rigid;
            match placements[body.index()] {
                Placement::Natural => {}
                Placement::Free { joint, .. } => {
                    for axis in 0..2 + u8::from(is_rigid) {
                        solver.push(match axis {
                            2 => SolverCoordinate::Angle(body),
                            _ => SolverCoordinate::World(body, axis),
                        });
                        interface.push(match joint {
                            Some(j) => InterfaceCoordinate::Joint(j, axis),
                            None => InterfaceCoordinate::Body(body, axis),
                        });
                    }
                }
                Placement::Joint { joint, .. } => {
                    // A planar joint has one coordinate for each step, or those of its pose.
                    let steps = model.joint(joint).steps().iter();
                    let coordinates = steps.flat_map(|step| std::iter::repeat_n(step, step.coordinates()));
                    for (k, step) in (0..).zip(coordinates).filter(|(k, _)| !is_prescribed(joint, *k)) {
                        solver.push(match step {
                            // A particle has no angle.
                            Step::Revolute { .. } if !is_rigid => continue,
                            Step::Revolute { .. } => SolverCoordinate::Angle(body),
                            Step::Prismatic { .. } => SolverCoordinate::Displacement(joint, k),
                            _ => SolverCoordinate::Posed(joint, k),
                        });
                        interface.push(InterfaceCoordinate::Joint(joint, k));
                    }
                }
            }
        }
        // Declared coordinates of joints that close loops.
        for pose in &model.coordinates.poses {
            let is_on_joint = |p: &Placement| matches!(*p, Placement::Joint { joint, .. } if joint == pose.joint);
            if !placements.iter().any(is_on_joint) {
                for k in 0..pose.n_q() as u8 {
                    solver.push(SolverCoordinate::Posed(pose.joint, k));
                    interface.push(InterfaceCoordinate::Joint(pose.joint, k));
                }
            }
        }
        for i in 0..Model::flat_size(&model.quantities.algebraic) as u32 {
            solver.push(SolverCoordinate::Algebraic(i));
            interface.push(InterfaceCoordinate::Algebraic(i));
        }
        let speed = |c: &InterfaceCoordinate| match *c {
            InterfaceCoordinate::Body(b, k) => InterfaceSpeed::Body(b, k),
            InterfaceCoordinate::Joint(j, k) => InterfaceSpeed::Joint(j, k),
            InterfaceCoordinate::Basic(i, k) => InterfaceSpeed::Basic(i, k),
            InterfaceCoordinate::ContinuousAngle(b) => InterfaceSpeed::ContinuousAngle(b),
            InterfaceCoordinate::Algebraic(i) => InterfaceSpeed::Algebraic(i),
        };
        let speeds = interface.iter().map(speed).collect();
        let (rows, row_index) = formulation_rows(model, &placements, &prescribed);
        let tree = Tree { placements, order, solver, interface, speeds, rows, row_index, ..Tree::default() };
        Tree { prescribed, ..tree }.indexed()
    }

    /// Number n_v of speeds, equal to the number of solver coordinates.
    pub fn n(&self) -> usize {
        self.solver.len()
    }

    /// Number n_q of interface coordinates.
    pub fn n_q(&self) -> usize {
        self.interface.len()
    }

    /// Indices of the first coordinates of the unit quaternions among the interface coordinates, ascending.
    pub fn quaternions(&self) -> Vec<usize> {
        let attitudes = self.links.iter().filter_map(Link::attitude);
        let of_links = attitudes.filter(|(attitude, _)| *attitude == Attitude::Quaternion).map(|(_, first)| first);
        let mut all: Vec<usize> = of_links.chain(self.posed_quaternions.iter().copied()).collect();
        all.sort_unstable();
        all
    }

    /// Index of coordinate k of a joint among the interface coordinates; `None` if the formulation does not have it.
    pub fn joint_coordinate_index(&self, joint: JointId, k: u8) -> Option<usize> {
        self.interface_index(InterfaceCoordinate::Joint(joint, k))
    }

    /// Index of the solver coordinate that equals coordinate k of a joint; `None` if there is none. In the plane the solver uses angles of bodies
    /// in place of those of revolute joints.
    pub fn joint_solver_index(&self, space: Space, joint: JointId, k: u8) -> Option<usize> {
        if space == Space::Spatial {
            return self.joint_coordinate_index(joint, k);
        }
        let candidates = [SolverCoordinate::Displacement(joint, k), SolverCoordinate::Posed(joint, k)];
        candidates.into_iter().find_map(|c| self.solver_index(c))
    }

    /// Index of an interface coordinate; `None` if the formulation does not have it.
    pub fn interface_index(&self, wanted: InterfaceCoordinate) -> Option<usize> {
        self.interface.iter().position(|c| *c == wanted)
    }

    /// Index of the speed that is the rate of coordinate k of a joint; `None` if the formulation does not have the coordinate, or if no speed is its
    /// rate.
    pub fn joint_rate_index(&self, joint: JointId, k: u8) -> Option<usize> {
        let i = self.joint_coordinate_index(joint, k)?;
        let has_coordinate = |l: &&Link| (l.first_q..l.first_q + l.mobilizer.coordinates()).contains(&i);
        match self.links.iter().find(has_coordinate) {
            Some(link) if link.mobilizer.attitude().is_some() => None,
            Some(link) => Some(link.first_v + i - link.first_q),
            None => (self.n_q() == self.n()).then_some(i),
        }
    }

    /// Index of a solver coordinate; `None` if the formulation does not have it.
    pub fn solver_index(&self, coordinate: SolverCoordinate) -> Option<usize> {
        self.index_by_coordinate.get(&coordinate).copied()
    }

    /// The joint of the tree that places body i, as [`Describe::placement`](mbs_core::Describe::placement) reports it, for every implementation.
    pub fn placement(&self, body: usize) -> Option<mbs_core::Placement> {
        let Placement::Joint { joint, parent, reversed } = *self.placements.get(body)? else { return None };
        let is_of_joint = |c: &InterfaceSpeed| matches!(c, InterfaceSpeed::Joint(j, _) if *j == joint);
        let first_speed = self.speeds.iter().position(is_of_joint).unwrap_or(0);
        let speeds = self.speeds.iter().filter(|c| is_of_joint(c)).count();
        let parent = parent.map(BodyId::index);
        Some(mbs_core::Placement { joint: joint.index(), parent, reversed, first_speed, speeds })
    }

    /// Whether a joint is part of the spanning tree.
    pub fn contains_joint(&self, joint: JointId) -> bool {
        self.placements.iter().any(|p| match p {
            Placement::Free { joint: j, .. } => *j == Some(joint),
            Placement::Joint { joint: j, .. } => *j == joint,
            Placement::Natural => false,
        })
    }
}

/// Coordinates of joints that must be continuous unknowns: expressions use them, the tree does not have them, and they are measured up to
/// revolutions. Those of joints on bodies in natural coordinates are omitted if they are only reported.
fn continuous_coordinates(model: &Model, interface: &[InterfaceCoordinate]) -> BTreeSet<(JointId, u8)> {
    let tied = |j: JointId, k: u8| model.joint(j).ties.get(usize::from(k)).copied().flatten();
    // Rates need no angle.
    let through = |op: Op| !matches!(op, Op::Rate(e) if matches!(model.exprs.op(e), Op::JointCoordinate(..)));
    let used = |roots: Vec<ExprId>, through: &dyn Fn(Op) -> bool| -> BTreeSet<(JointId, u8)> {
        let operations =
            roots.into_iter().flat_map(|e| model.exprs.subexpressions_through(e, through)).map(|e| model.exprs.op(e));
        operations.filter_map(|op| if let Op::JointCoordinate(j, k) = op { Some((j, k)) } else { None }).collect()
    };
    let (all, in_motion) = (used(model.roots(), &|_| true), used(model.motion_roots().collect(), &through));
    let is_natural = |j: JointId| model.joint(j).ends.into_iter().any(|m| model.is_marker_natural(m));
    let is_interface = |(j, k): &(JointId, u8)| interface.contains(&InterfaceCoordinate::Joint(*j, *k));
    all.into_iter()
        .filter(|(j, k)| tied(*j, *k).is_some() && !is_interface(&(*j, *k)))
        .filter(|coordinate| !is_natural(coordinate.0) || in_motion.contains(coordinate))
        .collect()
}

/// The outboard body of a joint whose inboard body is `body` (`None` for ground), and whether it is the joint's first end; `None` if the joint
/// cannot be part of a tree there.
fn outboard_body(model: &Model, joint: &Joint, body: Option<BodyId>) -> Option<(BodyId, bool)> {
    if joint.cut {
        return None;
    }
    let [first, second] = joint.ends.map(|m| &model.markers[m.index()]);
    // A marker on ground that moves with time would make the tree rheonomic: such a joint closes a loop.
    let is_moving = |m: &mbs_model::Marker| {
        m.point
            .into_iter()
            .chain([m.angle])
            .chain(m.rotation.into_iter().flatten().flatten())
            .any(|e| model.exprs.mentions(e).time)
    };
    if is_moving(first) || is_moving(second) {
        return None;
    }
    let (child, reversed) = if first.body == body && second.body != body {
        (second.body?, false)
    } else if second.body == body && first.body != body {
        (first.body?, true)
    } else {
        return None;
    };
    if model.space == Space::Spatial {
        // The axes of a particle are the world's, whatever its joint. If a particle is the second end, no joint coordinate measures the rotation of
        // the body on the first.
        let is_rigid = |b: BodyId| model.bodies[b.index()].kind == BodyKind::Rigid;
        let is_measured = is_rigid(child) && (!reversed || body.is_none_or(is_rigid));
        return (is_measured && joint.motion.is_some()).then_some((child, reversed));
    }
    // Where the other end is a particle, no coordinate of the joint measures the angle of a rigid body.
    let is_rigid = model.bodies[child.index()].kind == BodyKind::Rigid;
    let measured = joint.coordinates.iter().any(|(name, _)| *name == "angle");
    let lacks_angle = is_rigid && !measured && joint.has_revolute_step();
    (joint.motion.is_some() && !lacks_angle).then_some((child, reversed))
}

/// Rows of the formulation, ordered by level, and the index of each row of [`Model::rows`] among them.
fn formulation_rows(
    model: &Model,
    placements: &[Placement],
    prescribed: &[Prescribed],
) -> (Vec<Row>, Vec<Option<usize>>) {
    let absorbed = |row: &Row| {
        let spans = |j: JointId| placements.iter().any(|p| matches!(p, Placement::Joint { joint, .. } if *joint == j));
        row.joint().is_some_and(spans) || prescribed.iter().any(|p| row.equation() == Some(p.equation))
    };
    // Rows of joints come first.
    let rows_of = |(j, joint): (usize, &Joint)| (0..joint.rows.len()).map(move |k| (JointId(j as u32), k));
    let joint_rows: Vec<(JointId, usize)> = model.joints.iter().enumerate().flat_map(rows_of).collect();
    let replaced = |i: usize| joint_rows.get(i).is_some_and(|row| model.coordinates.natural.replaced.contains(row));
    let all = model.rows();
    let all_rows = all.iter().cloned().enumerate();
    let mut kept: Vec<(usize, Row)> = all_rows.filter(|(i, r)| !absorbed(r) && !replaced(*i)).collect();
    kept.sort_by_key(|(i, r)| (r.level, *i));
    let mut index = vec![None; all.len()];
    for (new, (old, _)) in kept.iter().enumerate() {
        index[*old] = Some(new);
    }
    (kept.into_iter().map(|(_, r)| r).collect(), index)
}
