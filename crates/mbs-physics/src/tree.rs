//! A formulation, chosen: which coordinates place which body, and which rows are left to close loops.
//!
//! Two sets of coordinates exist. The *interface* coordinates q are what the user sees: x, y, θ of a body frame, or the
//! coordinates of joints. The *solver* coordinates are what the equations are written in: positions of centres of mass and
//! absolute angles in world axes, and slides along axes; they need fewer operations ("what the user sees and what the
//! solver uses may differ"). [`Mechanics`](super::Mechanics) maps one to the other.

mod coordinates;
mod names;
mod prescribed;
mod rows;

pub use coordinates::{InterfaceCoordinate, InterfaceSpeed, Placement, SolverCoordinate};
pub use prescribed::Prescribed;

use std::collections::{BTreeSet, HashMap, VecDeque};

use mbs_definition::Space;
use mbs_expr::{BodyId, ExprId, JointId, Op};
use mbs_model::{Attitude, BodyKind, Formulation, Joint, Model, Row, RowId, RowLevel, Step};

use super::Redundant;
use super::space::{Freedom, Link, LinkOwner, Stand, links};

/// The chosen coordinates of a model.
#[derive(Clone, Debug)]
pub struct Tree {
    /// Placement of each body.
    pub placements: Vec<Placement>,
    /// Bodies, parents first.
    pub order: Vec<BodyId>,
    /// Solver coordinates, in space its speeds. As many as interface speeds.
    pub solver: Vec<SolverCoordinate>,
    /// Interface coordinates, in the order of q: bodies or joints in placement order, then algebraic ones.
    pub interface: Vec<InterfaceCoordinate>,
    /// Interface speeds, in the order of v.
    pub speeds: Vec<InterfaceSpeed>,
    /// Links of space, parents first; none in the plane.
    pub links: Vec<Link>,
    /// Where each body of space stands.
    pub stands: Vec<Stand>,
    /// Rows that remain: position rows, then velocity rows, then acceleration-only rows.
    pub rows: Vec<Row>,
    /// For each row of [`Model::rows`] its index in `rows`, if it remains.
    pub row_index: Vec<Option<usize>>,
    /// Number of position rows.
    pub n_position: usize,
    /// Number of position and velocity rows.
    pub n_velocity: usize,
    /// Rows that are left out because others imply them: none of [`Tree::new`].
    pub redundant: Redundant,
    /// Coordinates of the tree's joints that are functions of time, and therefore none of the formulation's.
    pub prescribed: Vec<Prescribed>,
    /// First coordinates of unit quaternions that joints have whose kinds the text declares.
    pub posed_quaternions: Vec<usize>,
    /// Indices into `solver`.
    solver_index: HashMap<SolverCoordinate, usize>,
}

impl Tree {
    /// Chooses the tree: bodies in `body` coordinates are free; from ground and from them breadth first along joints, those with
    /// prescribed coordinates first, then in declaration order, `cut` joints left out; a body nothing reaches is free.
    pub fn new(model: &Model) -> Tree {
        let mut placements: Vec<Option<Placement>> = vec![None; model.bodies.len()];
        let mut order = Vec::new();
        let mut queue: VecDeque<Option<BodyId>> = VecDeque::from([None]);
        for (b, body) in model.bodies.iter().enumerate() {
            let id = BodyId(b as u32);
            match body.formulation.unwrap_or(model.formulation) {
                Formulation::Body => {
                    placements[b] = Some(Placement::Free { joint: None, reversed: false });
                    order.push(id);
                    queue.push_back(Some(id));
                }
                // Its angle is no coordinate that joints could count from.
                Formulation::Natural => {
                    placements[b] = Some(Placement::Natural);
                    order.push(id);
                }
                Formulation::Joint => {}
            }
        }
        let joints = prescribed::joints(model);
        loop {
            while let Some(body) = queue.pop_front() {
                for &j in &joints {
                    let Some((child, reversed)) = spans(model, model.joint(j), body) else { continue };
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
        Self::placed(model, placements.into_iter().flatten().collect(), order)
    }

    /// Tree with these placements for a model that differs in its equations alone.
    pub fn placed_alike(&self, model: &Model) -> Tree {
        Self::placed(model, self.placements.clone(), self.order.clone())
    }

    fn placed(model: &Model, placements: Vec<Placement>, order: Vec<BodyId>) -> Tree {
        match model.space {
            Space::Planar => Self::with_placements(model, placements, order),
            Space::Spatial => Self::in_space(model, placements, order),
        }
    }

    fn in_space(model: &Model, placements: Vec<Placement>, order: Vec<BodyId>) -> Tree {
        let prescribed = prescribed::of_tree(model, &placements);
        let (links, stands) = links(model, &placements, &order, &prescribed);
        let (mut solver, mut interface, mut speeds) = (Vec::new(), Vec::new(), Vec::new());
        for (i, link) in links.iter().enumerate() {
            for k in link.numbers(link.freedom.coordinates()) {
                interface.push(match link.owner {
                    LinkOwner::Body(b) => InterfaceCoordinate::Body(b, k),
                    LinkOwner::Joint(j, first, _) => InterfaceCoordinate::Joint(j, first + k),
                });
            }
            for (own, k) in (0..).zip(link.numbers(link.freedom.speeds())) {
                solver.push(SolverCoordinate::Link(i as u32, own));
                speeds.push(match link.owner {
                    LinkOwner::Body(b) => InterfaceSpeed::Body(b, k),
                    LinkOwner::Joint(j, _, first) => InterfaceSpeed::Joint(j, first + k),
                });
            }
        }
        for (i, basic) in (0..).zip(&model.natural.basics) {
            for axis in (0..3).filter(|_| basic.body.is_some()) {
                solver.push(SolverCoordinate::Basic(i, axis));
                interface.push(InterfaceCoordinate::Basic(i, axis));
                speeds.push(InterfaceSpeed::Basic(i, axis));
            }
        }
        let (mut rows, row_index) = remaining_rows(model, &placements, &prescribed);
        let given = |j: JointId, k: u8| prescribed.iter().any(|p| p.is(j, k));
        for (joint, k) in unwrapped(model, &interface).into_iter().filter(|(j, k)| !given(*j, *k)) {
            let declared = model.joint(joint);
            solver.push(SolverCoordinate::Unwrapped(joint, k));
            interface.push(InterfaceCoordinate::Joint(joint, k));
            speeds.push(InterfaceSpeed::Joint(joint, k));
            let at = rows.iter().position(|r| r.level > RowLevel::Position).unwrap_or(rows.len());
            rows.insert(
                at,
                Row {
                    id: RowId::Unwrapped(joint, k),
                    name: format!("{}.{}", declared.name, declared.coordinates[usize::from(k)].0),
                    basic: None,
                    origin: declared.origin,
                    residual: declared.ties[usize::from(k)].expect("only tied coordinates are unwrapped"),
                    enabled: None,
                    level: RowLevel::Position,
                },
            );
        }
        let ties = solver.iter().filter(|c| matches!(c, SolverCoordinate::Unwrapped(..))).count();
        let n_position = rows.iter().filter(|r| r.level == RowLevel::Position).count();
        let row_index =
            row_index.into_iter().map(|i| i.map(|i| if i < n_position - ties { i } else { i + ties })).collect();
        for i in 0..Model::flat_size(&model.algebraic) as u32 {
            solver.push(SolverCoordinate::Algebraic(i));
            interface.push(InterfaceCoordinate::Algebraic(i));
            speeds.push(InterfaceSpeed::Algebraic(i));
        }
        let of_link = |link: &Link| match link.freedom {
            Freedom::Posed { pose, .. } => {
                let first = link.first_q;
                model.poses[pose as usize].quaternions.iter().map(|k| first + usize::from(*k)).collect()
            }
            _ => Vec::new(),
        };
        let posed_quaternions = links.iter().flat_map(of_link).collect();
        let tree =
            Self::of_coordinates((placements, order), (solver, interface, speeds), (links, stands), (rows, row_index));
        Tree { posed_quaternions, prescribed, ..tree }
    }

    fn of_coordinates(
        (placements, order): (Vec<Placement>, Vec<BodyId>),
        (solver, interface, speeds): (Vec<SolverCoordinate>, Vec<InterfaceCoordinate>, Vec<InterfaceSpeed>),
        (links, stands): (Vec<Link>, Vec<Stand>),
        (rows, row_index): (Vec<Row>, Vec<Option<usize>>),
    ) -> Tree {
        let up_to = |level: RowLevel| rows.iter().filter(|r| r.level <= level).count();
        let (n_position, n_velocity) = (up_to(RowLevel::Position), up_to(RowLevel::Velocity));
        let solver_index = solver.iter().enumerate().map(|(i, c)| (*c, i)).collect();
        Tree {
            placements,
            order,
            solver,
            interface,
            speeds,
            links,
            stands,
            rows,
            row_index,
            n_position,
            n_velocity,
            redundant: Redundant::default(),
            prescribed: Vec::new(),
            posed_quaternions: Vec::new(),
            solver_index,
        }
    }

    fn with_placements(model: &Model, placements: Vec<Placement>, order: Vec<BodyId>) -> Tree {
        let (mut solver, mut interface) = (Vec::new(), Vec::new());
        let prescribed = prescribed::of_tree(model, &placements);
        let given = |j: JointId, k: u8| prescribed.iter().any(|p| p.is(j, k));
        for (i, basic) in (0..).zip(&model.natural.basics) {
            for axis in (0..2).filter(|_| basic.body.is_some()) {
                solver.push(SolverCoordinate::Basic(i, axis));
                interface.push(InterfaceCoordinate::Basic(i, axis));
            }
        }
        for &body in &model.natural.angles {
            solver.push(SolverCoordinate::Unwound(body));
            interface.push(InterfaceCoordinate::Unwound(body));
        }
        for &body in &order {
            let turns = model.bodies[body.index()].kind == BodyKind::Rigid;
            match placements[body.index()] {
                Placement::Natural => {}
                Placement::Free { joint, .. } => {
                    for axis in 0..2 + u8::from(turns) {
                        solver.push(match axis {
                            2 => SolverCoordinate::Turn(body),
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
                    for (k, step) in (0..).zip(coordinates).filter(|(k, _)| !given(joint, *k)) {
                        solver.push(match step {
                            // A body that turns freely about a particle has no angle.
                            Step::Turn { .. } if !turns => continue,
                            Step::Turn { .. } => SolverCoordinate::Turn(body),
                            Step::Slide { .. } => SolverCoordinate::Slide(joint, k),
                            _ => SolverCoordinate::Posed(joint, k),
                        });
                        interface.push(InterfaceCoordinate::Joint(joint, k));
                    }
                }
            }
        }
        // Those of joints that close loops.
        for pose in &model.poses {
            let placed = |p: &Placement| matches!(*p, Placement::Joint { joint, .. } if joint == pose.joint);
            if !placements.iter().any(placed) {
                for k in 0..pose.n_q() as u8 {
                    solver.push(SolverCoordinate::Posed(pose.joint, k));
                    interface.push(InterfaceCoordinate::Joint(pose.joint, k));
                }
            }
        }
        for i in 0..Model::flat_size(&model.algebraic) as u32 {
            solver.push(SolverCoordinate::Algebraic(i));
            interface.push(InterfaceCoordinate::Algebraic(i));
        }
        let speed = |c: &InterfaceCoordinate| match *c {
            InterfaceCoordinate::Body(b, k) => InterfaceSpeed::Body(b, k),
            InterfaceCoordinate::Joint(j, k) => InterfaceSpeed::Joint(j, k),
            InterfaceCoordinate::Basic(i, k) => InterfaceSpeed::Basic(i, k),
            InterfaceCoordinate::Unwound(b) => InterfaceSpeed::Unwound(b),
            InterfaceCoordinate::Algebraic(i) => InterfaceSpeed::Algebraic(i),
        };
        let speeds = interface.iter().map(speed).collect();
        let rows = remaining_rows(model, &placements, &prescribed);
        let tree =
            Self::of_coordinates((placements, order), (solver, interface, speeds), (Vec::new(), Vec::new()), rows);
        Tree { prescribed, ..tree }
    }

    /// Number of speeds; in the plane of coordinates, too.
    pub fn n(&self) -> usize {
        self.solver.len()
    }

    /// Number of coordinates.
    pub fn n_q(&self) -> usize {
        self.interface.len()
    }

    /// First coordinates of the unit quaternions among the coordinates.
    pub fn quaternions(&self) -> Vec<usize> {
        let attitudes = self.links.iter().filter_map(Link::attitude);
        let of_bodies = attitudes.filter(|(attitude, _)| *attitude == Attitude::Quaternion).map(|(_, first)| first);
        let mut all: Vec<usize> = of_bodies.chain(self.posed_quaternions.iter().copied()).collect();
        all.sort_unstable();
        all
    }

    /// Index of a joint's coordinate, if it is one of the formulation's.
    pub fn joint_coordinate(&self, joint: JointId, k: u8) -> Option<usize> {
        self.interface_index(InterfaceCoordinate::Joint(joint, k))
    }

    /// Index of an interface coordinate, if it is one of the formulation's.
    pub fn interface_index(&self, wanted: InterfaceCoordinate) -> Option<usize> {
        self.interface.iter().position(|c| *c == wanted)
    }

    /// Index of the speed that is the rate of a joint's coordinate, if that is one of the formulation's and has one.
    pub fn joint_rate(&self, joint: JointId, k: u8) -> Option<usize> {
        let i = self.joint_coordinate(joint, k)?;
        let own = |l: &&Link| (l.first_q..l.first_q + l.freedom.coordinates()).contains(&i);
        match self.links.iter().find(own) {
            Some(link) if link.freedom.attitude().is_some() => None,
            Some(link) => Some(link.first_v + i - link.first_q),
            None => (self.n_q() == self.n()).then_some(i),
        }
    }

    /// Index of a solver coordinate, if the formulation has it.
    pub fn index_of(&self, coordinate: SolverCoordinate) -> Option<usize> {
        self.solver_index.get(&coordinate).copied()
    }

    /// The joint of the tree that places body i, as [`Describe::placement`](mbs_core::Describe::placement) reports it, for every implementation.
    pub fn placement(&self, body: usize) -> Option<mbs_core::Placement> {
        let Placement::Joint { joint, parent, reversed } = *self.placements.get(body)? else { return None };
        let mine = |c: &InterfaceSpeed| matches!(c, InterfaceSpeed::Joint(j, _) if *j == joint);
        let first_speed = self.speeds.iter().position(mine).unwrap_or(0);
        let speeds = self.speeds.iter().filter(|c| mine(c)).count();
        let parent = parent.map(BodyId::index);
        Some(mbs_core::Placement { joint: joint.index(), parent, reversed, first_speed, speeds })
    }

    /// Whether a joint is part of the tree.
    pub fn spans(&self, joint: JointId) -> bool {
        self.placements.iter().any(|p| match p {
            Placement::Free { joint: j, .. } => *j == Some(joint),
            Placement::Joint { joint: j, .. } => *j == joint,
            Placement::Natural => false,
        })
    }
}

/// Coordinates of joints that expressions use, that no coordinate of the tree is, and that are measured up to whole turns. Beside bodies in
/// natural coordinates those are left out that are only reported.
fn unwrapped(model: &Model, interface: &[InterfaceCoordinate]) -> BTreeSet<(JointId, u8)> {
    let tied = |j: JointId, k: u8| model.joint(j).ties.get(usize::from(k)).copied().flatten();
    // Rates need no angle.
    let through = |op: Op| !matches!(op, Op::Rate(of) if matches!(model.exprs.op(of), Op::JointCoordinate(..)));
    let used = |roots: Vec<ExprId>, through: &dyn Fn(Op) -> bool| -> BTreeSet<(JointId, u8)> {
        let below = roots.into_iter().flat_map(|e| model.exprs.below_while(e, through)).map(|e| model.exprs.op(e));
        below.filter_map(|op| if let Op::JointCoordinate(j, k) = op { Some((j, k)) } else { None }).collect()
    };
    let (all, lasting) = (used(model.roots(), &|_| true), used(model.lasting_roots().collect(), &through));
    let is_natural = |j: JointId| model.joint(j).ends.into_iter().any(|m| model.is_on_basics(m));
    let is_own = |(j, k): &(JointId, u8)| interface.contains(&InterfaceCoordinate::Joint(*j, *k));
    all.into_iter()
        .filter(|(j, k)| tied(*j, *k).is_some() && !is_own(&(*j, *k)))
        .filter(|coordinate| !is_natural(coordinate.0) || lasting.contains(coordinate))
        .collect()
}

/// The body a joint would place from `body`, and whether that body is the joint's first end.
fn spans(model: &Model, joint: &Joint, body: Option<BodyId>) -> Option<(BodyId, bool)> {
    if joint.cut {
        return None;
    }
    let [first, second] = joint.ends.map(|m| &model.markers[m.index()]);
    // A marker on ground that moves with time would make the tree rheonomic: such a joint closes a loop.
    let moves = |m: &mbs_model::Marker| {
        m.point
            .into_iter()
            .chain([m.angle])
            .chain(m.rotation.into_iter().flatten().flatten())
            .any(|e| model.exprs.mentions(e).time)
    };
    if moves(first) || moves(second) {
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
        // Axes of particles are the world's, whatever a joint would make of them, and no joint measures what turns freely about one
        // that is its second end.
        let is_rigid = |b: BodyId| model.bodies[b.index()].kind == BodyKind::Rigid;
        let rigid = is_rigid(child) && (!reversed || body.is_none_or(is_rigid));
        return (rigid && joint.motion.is_some()).then_some((child, reversed));
    }
    // Where the other end is a particle, no coordinate of the joint measures the angle of a rigid body.
    let turns = model.bodies[child.index()].kind == BodyKind::Rigid;
    let measured = joint.coordinates.iter().any(|(name, _)| *name == "angle");
    let lacks_angle = turns && !measured && joint.turns();
    (joint.motion.is_some() && !lacks_angle).then_some((child, reversed))
}

fn remaining_rows(
    model: &Model,
    placements: &[Placement],
    prescribed: &[Prescribed],
) -> (Vec<Row>, Vec<Option<usize>>) {
    let absorbed = |row: &Row| {
        let spans = |j: JointId| placements.iter().any(|p| matches!(p, Placement::Joint { joint, .. } if *joint == j));
        row.joint().is_some_and(spans) || prescribed.iter().any(|p| row.equation() == Some(p.equation))
    };
    // Rows of joints come first.
    let of_joint = |(j, joint): (usize, &Joint)| (0..joint.rows.len()).map(move |k| (JointId(j as u32), k));
    let of_joints: Vec<(JointId, usize)> = model.joints.iter().enumerate().flat_map(of_joint).collect();
    let replaced = |i: usize| of_joints.get(i).is_some_and(|of| model.natural.replaced.contains(of));
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
