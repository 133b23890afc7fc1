//! Parts of the plan of a mechanism that the plane and space share: tapes, rows of G, loads, conditions.

use mbs_definition::Space;
use mbs_expr::{BodyId, ExprId, JointId, MarkerId, Series};
use mbs_model::{Load, Model, RowLevel, plane};
use mbs_physics::{Tree, condition_difference, is_uncounted_condition, side_of_joint};

use crate::tape::{Names, Sweep, Tape};

/// Tapes of the expressions of a model.
#[derive(Clone, Debug)]
pub(crate) struct Tapes {
    /// Residuals of all rows.
    pub residuals: Tape,
    /// ż.
    pub rates: Tape,
    pub outputs: Tape,
    /// First root of the events, which follow the outputs.
    pub first_event: usize,
    /// Kinetic and potential energy.
    pub energy: Tape,
    /// Targets of the exact initial conditions.
    pub conditions: Tape,
    pub condition_plans: Vec<ConditionPlan>,
}

/// `initial target = value`.
#[derive(Clone, Debug)]
pub(crate) struct ConditionPlan {
    pub value: ExprId,
    pub level: RowLevel,
    pub sweep: Sweep,
    /// Whether the target is an angle whose revolutions no coordinate counts.
    pub is_uncounted: bool,
}

impl ConditionPlan {
    /// The difference of target and value, whose residual it is.
    pub fn residual(&self, difference: f64) -> f64 {
        condition_difference(Series::<1>::constant(difference), self.is_uncounted).value()
    }
}

impl Tapes {
    pub fn new(names: &Names<'_>) -> Tapes {
        let model = names.model;
        let tape = |roots: Vec<ExprId>| Tape::new(names, &roots);
        let imposed: Vec<_> = model.imposed_conditions().collect();
        let conditions = tape(imposed.iter().map(|c| c.target).collect());
        let plan = |(k, c): (usize, &&mbs_model::InitialCondition)| ConditionPlan {
            value: c.value,
            level: c.level,
            sweep: conditions.sweep(k, usize::from(c.level != RowLevel::Position)),
            is_uncounted: is_uncounted_condition(model, names.tree, c),
        };
        let condition_plans = imposed.iter().enumerate().map(plan).collect();
        Tapes {
            residuals: tape(names.tree.rows.iter().map(|r| r.residual).collect()),
            rates: tape(model.quantities.auxiliary.iter().flat_map(|a| a.rates.iter().copied()).collect()),
            outputs: tape(model.reported_roots()),
            first_event: model.outputs.iter().map(|o| o.values.len()).sum(),
            energy: tape(vec![model.energy.kinetic, model.energy.potential]),
            conditions,
            condition_plans,
        }
    }
}

/// Rows of G and γ, each with a plan of type `R`.
#[derive(Clone, Debug)]
pub(crate) struct Rows<R> {
    pub plans: Vec<R>,
    /// (row, speed) of each stored entry of G, by row.
    pub jacobian: Vec<(usize, usize)>,
    /// Whether G depends on speeds.
    pub reads_speeds: bool,
    /// Whether rows depend on auxiliary states.
    pub reads_states: bool,
    /// Rows that can be switched off.
    pub switched: Vec<usize>,
}

impl<R> Rows<R> {
    /// No rows yet.
    pub fn new(model: &Model, tree: &Tree) -> Self {
        Rows {
            plans: Vec::new(),
            jacobian: Vec::new(),
            reads_speeds: model.jacobian_reads_speeds(),
            reads_states: model.positions_read_states(),
            switched: tree.switched_rows(),
        }
    }
}

/// A basic point or vector of natural coordinates that the bodies of a joint share.
#[derive(Clone, Debug)]
pub(crate) struct SharedBasic {
    pub joint: usize,
    /// Index of the basic.
    pub basic: usize,
    pub is_point: bool,
    /// Bodies on the side of the joint's second end that share the basic, each with its index of it: (body in natural coordinates, basic).
    pub members: Vec<(usize, usize)>,
    /// 1; −1 if the members are on the other side, because ground is on that of the second end.
    pub sign: f64,
}

impl SharedBasic {
    /// All of them. `member` returns the indices of a basic of a body.
    pub fn all(model: &Model, member: impl Fn(BodyId, usize) -> Option<(usize, usize)>) -> Vec<SharedBasic> {
        let natural = &model.coordinates.natural;
        let shared = |(joint, basic): &(JointId, usize)| {
            let (bodies, sign) = side_of_joint(model, *joint, *basic);
            let members = bodies.into_iter().filter_map(|body| member(body, *basic)).collect();
            SharedBasic {
                joint: joint.index(),
                basic: *basic,
                is_point: natural.basics[*basic].is_point,
                members,
                sign,
            }
        };
        natural.shared.iter().map(shared).collect()
    }
}

/// All loads of forces. `M` names what moves a marker: a step or a body in natural coordinates in the plane, a body in space.
#[derive(Clone, Debug)]
pub(crate) struct Loads<M> {
    /// Tape of their values.
    pub values: Tape,
    /// Loads, with the roots of their values.
    pub applied: Vec<Applied<M>>,
}

/// One load, ready to be added to its `mover`.
#[derive(Clone, Debug)]
pub(crate) enum Applied<M> {
    /// Force with components in the roots from `at`: two in the plane, three in space.
    Force { mover: M, marker: MarkerId, at: usize },
    /// Torque with components in the roots from `at`: one in the plane, three in space.
    Torque { mover: M, at: usize },
    /// Value in root `at`, acting in the direction of the coordinate in root `at + 1`.
    Along { at: usize, sweep: Sweep },
    /// −∂V.
    Potential { sweep: Sweep },
}

impl<M: Copy> Loads<M> {
    /// `movers` is what moves each marker; `None` is ground, where loads move nothing.
    pub fn new(names: &Names<'_>, movers: &[Option<M>]) -> Loads<M> {
        let all = || names.model.loads.forces.iter().flat_map(|f| &f.loads);
        let planar = names.model.space == Space::Planar;
        let mover = |m: MarkerId| movers[m.index()];
        let mut roots: Vec<ExprId> = Vec::new();
        for load in all() {
            match *load {
                Load::Force { at, force } if mover(at).is_some() && planar => roots.extend(plane(force)),
                Load::Force { at, force } if mover(at).is_some() => roots.extend(force),
                Load::Torque { on, torque } if mover(on).is_some() && planar => roots.push(torque[2]),
                Load::Torque { on, torque } if mover(on).is_some() => roots.extend(torque),
                Load::Generalized { coordinate, value } => roots.extend([value, coordinate]),
                Load::Potential(v) => roots.push(v),
                Load::Force { .. } | Load::Torque { .. } => {}
            }
        }
        let values = Tape::new(names, &roots);
        let [force_size, torque_size] = if planar { [2, 1] } else { [3, 3] };
        let mut at = 0;
        let mut applied = Vec::new();
        for load in all() {
            let (next, used) = match *load {
                Load::Force { at: marker, .. } => match mover(marker) {
                    Some(mover) => (Applied::Force { mover, marker, at }, force_size),
                    None => continue,
                },
                Load::Torque { on, .. } => match mover(on) {
                    Some(mover) => (Applied::Torque { mover, at }, torque_size),
                    None => continue,
                },
                Load::Generalized { .. } => (Applied::Along { at, sweep: values.sweep(at + 1, 0) }, 2),
                Load::Potential(_) => (Applied::Potential { sweep: values.sweep(at, 0) }, 1),
            };
            applied.push(next);
            at += used;
        }
        Loads { values, applied }
    }
}
