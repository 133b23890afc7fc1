//! Parts of the plan of a mechanism that the plane and space share: tapes, rows of G, loads, conditions.

use mbs_definition::Space;
use mbs_expr::{ExprId, MarkerId};
use mbs_model::{Load, Model, RowLevel, plane};
use mbs_physics::Tree;

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

/// All loads of forces.
#[derive(Clone, Debug)]
pub(crate) struct Loads {
    /// Tape of their values.
    pub values: Tape,
    /// Loads, with the roots of their values.
    pub applied: Vec<Applied>,
}

/// One load, ready to be added. `mover` is the step in the plane, and the body in space, on which it acts.
#[derive(Clone, Debug)]
pub(crate) enum Applied {
    /// Force with components in the roots from `at`: two in the plane, three in space.
    Force { mover: usize, marker: MarkerId, at: usize },
    /// Torque with components in the roots from `at`: one in the plane, three in space.
    Torque { mover: usize, at: usize },
    /// Value in root `at`, acting in the direction of the coordinate in root `at + 1`.
    Along { at: usize, sweep: Sweep },
    /// −∂V.
    Potential { sweep: Sweep },
}

impl Loads {
    /// `movers` is what moves each marker; `None` is ground, where loads move nothing.
    pub fn new(names: &Names<'_>, movers: &[Option<usize>]) -> Loads {
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
