//! The structure of a planar mechanism, before parameters have values: steps of the tree, markers, rows by kind, tapes.
//!
//! After this point, bodies are steps in the order of the tree, and markers and bodies are looked up by index alone.

mod reactions;

use std::ops::Range;

use mbs_expr::{BodyId, ExprId, JointId, MarkerId, Op};
use mbs_model::{BodyKind, JointPose, Model, Row, plane};
use mbs_physics::{InterfaceCoordinate, Placement, Tree};

use crate::constants::Constants;
use crate::plan::{Loads, Rows, Tapes};
use crate::planar::link::{Step, StepKind};
use crate::planar::mover::Mover;
use crate::planar::natural::{NaturalPlan, basic_coordinates, mass_pattern};
use crate::planar::recursion::{Composite, Mass};
use crate::planar::rows::{Basic, RowPlan};
use crate::poses::PosePlan;
use crate::tape::{Leaf, Names, Tape};

use reactions::ReactionPlan;

/// The structure of a model in a formulation.
#[derive(Clone, Debug)]
pub(crate) struct Plan {
    pub steps: Vec<Step>,
    /// Body of each step.
    pub bodies: Vec<BodyId>,
    /// Bodies in natural coordinates.
    pub natural: Vec<NaturalPlan>,
    /// The step or the basics that move each body.
    pub movers: Vec<Mover>,
    /// The step or the basics that move each marker; `None` is ground.
    pub marker_movers: Vec<Option<Mover>>,
    /// Basic points and vectors: indices of their coordinates; their components, if they are fixed on ground.
    pub basics: Vec<(Option<[usize; 2]>, [ExprId; 2])>,
    /// Markers on ground that depend on time, with their first root (x, y, angle) in `ground`.
    pub moving: Vec<(MarkerId, usize)>,
    /// Tape of these roots.
    pub ground: Tape,
    /// Residuals of the rows that are not basic equations.
    pub general: Tape,
    pub tapes: Tapes,
    pub rows: Rows<RowPlan>,
    pub loads: Loads<Mover>,
    /// Entries of M that steps fill.
    pub mass: Vec<(usize, usize)>,
    /// Entries of M that bodies in natural coordinates fill.
    pub natural_mass: Vec<(usize, usize)>,
    /// Coordinates of steps. Those of basics and continuous angles precede them, algebraic ones follow.
    pub moved: Range<usize>,
    /// Number of coordinates.
    pub n: usize,
    /// Plan of the reactions.
    pub reactions: ReactionPlan,
    /// Poses of the model.
    pub poses: Vec<PosePlan>,
}

impl Plan {
    /// Plan of a resolved model.
    pub fn new(model: &Model, tree: &Tree, constants: &Constants) -> Plan {
        let names = Names { model, tree, constants, measured: false };
        let natural = NaturalPlan::all(model, tree);
        let is_natural = |b: BodyId| tree.placements[b.index()] == Placement::Natural;
        let bodies: Vec<BodyId> = tree.order.iter().copied().filter(|b| !is_natural(*b)).collect();
        let mut movers = vec![Mover::Step(0); model.bodies.len()];
        bodies.iter().enumerate().for_each(|(s, b)| movers[b.index()] = Mover::Step(s));
        natural.iter().enumerate().for_each(|(k, plan)| movers[plan.body.index()] = Mover::Natural(k));
        let steps = steps(model, tree, &bodies);
        let marker_movers: Vec<Option<Mover>> =
            model.markers.iter().map(|m| m.body.map(|b| movers[b.index()])).collect();
        let moving = moving_markers(model);
        let ground_roots: Vec<ExprId> = moving.iter().flat_map(|m| [m.point[0], m.point[1], m.angle]).collect();
        let general: Vec<ExprId> =
            tree.rows.iter().filter(|r| Basic::from_row(model, r).is_none()).map(|r| r.residual).collect();
        let general = Tape::new(&names, &general);
        let moved = first_of_steps(tree)..first_of_steps(tree) + steps.iter().map(|s: &Step| s.dofs).sum::<usize>();
        let mut plan = Plan {
            tapes: Tapes::new(&names),
            rows: Rows::new(model, tree),
            loads: Loads::new(&names, &marker_movers),
            bodies,
            moving: moving.iter().enumerate().map(|(k, m)| (m.id, 3 * k)).collect(),
            ground: Tape::new(&names, &ground_roots),
            mass: Composite::pattern(&steps),
            natural_mass: mass_pattern(&natural),
            basics: basics(model, tree),
            natural,
            n: tree.n(),
            steps,
            movers,
            marker_movers,
            general,
            moved,
            reactions: ReactionPlan::default(),
            poses: model.coordinates.poses.iter().map(|pose| PosePlan::new(&names, pose)).collect(),
        };
        plan.add_rows(model, &tree.rows);
        plan.reactions = ReactionPlan::new(&names, &plan);
        plan
    }

    /// Mass properties by step of the unit metric: M of these is the sum of squares of the solver's speeds, which are velocities of
    /// centres of mass and absolute angular velocities; translations along axes are left out.
    pub fn unit_masses(&self, masses: &[Mass]) -> Vec<Mass> {
        let unit = |(step, mass): (&Step, &Mass)| match step.kind {
            StepKind::World | StepKind::Joint { translations: 2, rotates: true } => {
                Mass { mass: 1.0, com: mass.com, inertia: 1.0 }
            }
            StepKind::Joint { rotates: true, .. } => Mass { mass: 0.0, com: mass.com, inertia: 1.0 },
            StepKind::Joint { rotates: false, .. } | StepKind::Posed(_) => Mass::ZERO,
        };
        self.steps.iter().zip(masses).map(unit).collect()
    }

    fn add_rows(&mut self, model: &Model, rows: &[Row]) {
        let mut general = 0;
        for (r, row) in rows.iter().enumerate() {
            let level = row.level as usize;
            let mut plan = RowPlan {
                basic: Basic::from_row(model, row),
                general: 0,
                level,
                sweep: None,
                chains: Vec::new(),
                natural: Vec::new(),
                direct: Vec::new(),
            };
            let mut touched: Vec<Mover> = Vec::new();
            let mut direct: Vec<usize> = Vec::new();
            match &plan.basic {
                Some(basic) => touched.extend(basic.ends.iter().filter_map(|m| self.marker_movers[m.index()])),
                None => {
                    let sweep = self.general.sweep(general, level);
                    for leaf in self.general.swept_leaves(&sweep) {
                        match self.direct_coordinate(leaf) {
                            Some(i) => direct.push(i),
                            None => touched.extend(leaf.marker().and_then(|m| self.marker_movers[m.index()])),
                        }
                    }
                    plan.general = general;
                    plan.sweep = Some(sweep);
                    general += 1;
                }
            }
            touched.sort_unstable();
            touched.dedup();
            let mut columns = direct.clone();
            touched.iter().for_each(|mover| columns.extend(self.columns(*mover)));
            columns.sort_unstable();
            columns.dedup();
            let first = self.rows.jacobian.len();
            self.rows.jacobian.extend(columns.iter().map(|c| (r, *c)));
            let slot = |column: usize| first + columns.binary_search(&column).expect("it was just collected");
            for mover in touched {
                let slots = self.columns(mover).into_iter().map(slot).collect();
                match mover {
                    Mover::Step(s) => plan.chains.push((s, slots)),
                    Mover::Natural(k) => plan.natural.push((k, slots)),
                }
            }
            direct.sort_unstable();
            direct.dedup();
            plan.direct = direct.iter().map(|c| (*c, slot(*c))).collect();
            self.rows.plans.push(plan);
        }
    }

    /// Index of the coordinate that a leaf is, if it is one.
    pub fn coordinate(&self, leaf: Leaf) -> Option<usize> {
        match leaf {
            Leaf::Coordinate(i) => Some(i),
            Leaf::Basic(i, c) => self.basics[i as usize].0.map(|coordinates| coordinates[usize::from(c)]),
            _ => None,
        }
    }

    /// Index of the coordinate that a leaf is, or differs from by a constant, as angles of bodies with continuous angles do.
    pub fn direct_coordinate(&self, leaf: Leaf) -> Option<usize> {
        let Leaf::Angle(marker) = leaf else { return self.coordinate(leaf) };
        match self.marker_movers[marker.index()]? {
            Mover::Natural(k) => self.natural[k].counted,
            Mover::Step(_) => None,
        }
    }

    /// Whether a body is rigid, not a particle.
    pub fn is_rigid(&self, mover: Mover) -> bool {
        match mover {
            Mover::Step(s) => self.steps[s].is_rigid,
            Mover::Natural(k) => self.natural[k].is_rigid,
        }
    }

    /// Coordinates that move a body, in the order of projections onto them.
    fn columns(&self, mover: Mover) -> Vec<usize> {
        match mover {
            Mover::Step(s) => self.chain(s).collect(),
            Mover::Natural(k) => self.natural[k].columns().collect(),
        }
    }

    /// Coordinates that move the body of a step: those of that step first, those of the root last.
    fn chain(&self, step: usize) -> impl Iterator<Item = usize> + '_ {
        let mut next = Some(step);
        std::iter::from_fn(move || {
            let step = &self.steps[next?];
            next = step.parent;
            Some(step.range())
        })
        .flatten()
    }
}

/// Index of the first coordinate that is neither one of a basic point or vector nor a continuous angle.
fn first_of_steps(tree: &Tree) -> usize {
    let is_natural =
        |c: &InterfaceCoordinate| matches!(c, InterfaceCoordinate::Basic(..) | InterfaceCoordinate::ContinuousAngle(_));
    tree.interface.iter().take_while(|c| is_natural(c)).count()
}

fn basics(model: &Model, tree: &Tree) -> Vec<(Option<[usize; 2]>, [ExprId; 2])> {
    let all = model.coordinates.natural.basics.iter().enumerate();
    all.map(|(i, basic)| (basic_coordinates(tree, i), plane(basic.components))).collect()
}

fn steps(model: &Model, tree: &Tree, bodies: &[BodyId]) -> Vec<Step> {
    let mut first = first_of_steps(tree);
    let mut steps = Vec::new();
    for &body in bodies {
        let is_rigid = model.bodies[body.index()].kind == BodyKind::Rigid;
        let kind = |joint: JointId| {
            let joint = model.joint(joint);
            let translations =
                joint.steps().iter().filter(|step| matches!(step, mbs_model::Step::Prismatic { .. })).count();
            joint.pose().map_or(StepKind::Joint { translations, rotates: joint.has_revolute_step() }, |pose| {
                StepKind::Posed(pose as usize)
            })
        };
        let (kind, parent, reversed) = match tree.placements[body.index()] {
            Placement::Natural => unreachable!("bodies in natural coordinates have no step"),
            Placement::Free { joint: None, .. } => (StepKind::World, None, false),
            Placement::Free { joint: Some(j), reversed } => {
                let ends = model.joint(j).ends;
                let inboard = &model.markers[ends[usize::from(reversed)].index()];
                (kind(j), inboard.body, reversed)
            }
            Placement::Joint { joint, parent, reversed } => (kind(joint), parent, reversed),
        };
        let dofs = match kind {
            StepKind::World => 2 + usize::from(is_rigid),
            StepKind::Joint { translations, rotates: joint_rotates } => {
                translations + usize::from(is_rigid && joint_rotates)
            }
            StepKind::Posed(pose) => model.coordinates.poses[pose].n_q(),
        };
        let parent = parent.and_then(|parent| bodies.iter().position(|b| *b == parent));
        steps.push(Step { kind, parent, first, dofs, reversed, is_rigid });
        first += dofs;
    }
    let closing = model
        .coordinates
        .poses
        .iter()
        .filter(|pose| !tree.contains_joint(pose.joint))
        .map(JointPose::n_q)
        .sum::<usize>();
    let of_joints_or_bodies = |c: &&InterfaceCoordinate| !matches!(c, InterfaceCoordinate::Algebraic(_));
    debug_assert_eq!(first + closing, tree.interface.iter().filter(of_joints_or_bodies).count());
    steps
}

struct MovingMarker {
    id: MarkerId,
    point: [ExprId; 2],
    angle: ExprId,
}

fn moving_markers(model: &Model) -> Vec<MovingMarker> {
    let timed = |e: &ExprId| model.exprs.any(*e, &|op| op == Op::Time);
    let markers = model.markers.iter().enumerate().filter(|(_, m)| m.body.is_none());
    markers
        .filter(|(_, m)| m.point.iter().any(timed) || timed(&m.angle))
        .map(|(i, m)| MovingMarker { id: MarkerId(i as u32), point: plane(m.point), angle: m.angle })
        .collect()
}
