//! Constraint rows of a mechanism, and their owners.

use mbs_core::RowKind;
use mbs_definition::Origin;
use mbs_expr::{BodyId, ExprId, Exprs, JointId};

use super::{EquationCategory, JointKind, Model, RowLevel};

/// One constraint row of the whole mechanism.
#[derive(Clone, Debug)]
pub struct Row {
    /// `crank_pin.x`, `spin`, `rod[1]`.
    pub name: String,
    /// Joint it belongs to, if any.
    pub joint: Option<JointId>,
    /// Equation it belongs to, if any (index into [`Model::equations`]).
    pub equation: Option<usize>,
    /// Body that it keeps rigid, or whose angle it counts: in natural coordinates.
    pub body: Option<BodyId>,
    /// Where the element is declared.
    pub origin: Origin,
    /// Residual, of a row that is on.
    pub residual: ExprId,
    /// 1 or 0: whether the row is on, if that may change.
    pub enabled: Option<ExprId>,
    /// Level.
    pub level: RowLevel,
}

impl Row {
    /// Residual of a row that may be off: zero while it is.
    pub fn switched(&self, exprs: &mut Exprs) -> ExprId {
        let zero = exprs.number(0.0);
        self.enabled.map_or(self.residual, |enabled| exprs.choose(enabled, self.residual, zero))
    }
}

/// Owner of rows that can be switched off.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Alternative {
    /// A joint.
    Joint(JointId),
    /// A drive, constraint or coupling: index into [`Model::equations`].
    Equation(usize),
}

/// Greatest number of combinations of alternatives that are checked.
pub const MOST_COMBINATIONS: usize = 64;

impl Row {
    /// Whether it is a row of a joint or equation.
    pub fn is_of(&self, alternative: &Alternative) -> bool {
        match *alternative {
            Alternative::Joint(j) => self.joint == Some(j),
            Alternative::Equation(e) => self.equation == Some(e),
        }
    }

    /// Whether two rows of one model's trees are the same row.
    pub fn is_same(&self, other: &Row) -> bool {
        (self.joint, self.equation, &self.name) == (other.joint, other.equation, &other.name)
    }
}

/// A joint's coordinate as a function of time: where it is one of the formulation, it is no unknown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Prescription {
    /// The joint.
    pub joint: JointId,
    /// Number of its coordinate.
    pub coordinate: u8,
    /// Value, as a function of time and parameters.
    pub value: ExprId,
}

/// Owner of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RowOwner {
    /// A joint's.
    Joint(JointId),
    /// A drive's, constraint's or coupling's; gears are couplings.
    Equation(EquationCategory),
    /// Natural coordinates of a body: the row keeps it rigid, or counts its revolutions.
    Body(BodyId),
}

impl Model {
    /// Prescribed coordinates, with the numbers of their equations.
    pub fn prescriptions(&self) -> impl Iterator<Item = (usize, Prescription)> {
        self.equations.iter().enumerate().filter_map(|(e, equation)| Some((e, equation.prescribes?)))
    }

    /// Alternatives that are off in each of the declared combinations. From every list of alternatives one is on; alternatives in no list are
    /// on. In the first combination the first of each list is on.
    pub fn combinations(&self) -> Vec<Vec<Alternative>> {
        self.exclusive.iter().fold(vec![Vec::new()], |known, list| {
            let others = |on: usize| (0..list.len()).filter(move |k| *k != on).map(|k| list[k]);
            let with = |off: &Vec<Alternative>| {
                (0..list.len()).map(|on| off.iter().copied().chain(others(on)).collect()).collect::<Vec<_>>()
            };
            known.iter().flat_map(with).collect()
        })
    }

    /// Owner of a row. The row of a gear belongs to a coupling, since a gear joins joints: bearing forces are theirs.
    pub fn row_owner(&self, row: &Row) -> RowOwner {
        if let Some(body) = row.body {
            return RowOwner::Body(body);
        }
        match (row.joint, row.equation) {
            (_, Some(e)) => RowOwner::Equation(self.equations[e].category),
            (Some(j), None) => match self.joint(j).kind {
                JointKind::Gear { .. } => RowOwner::Equation(EquationCategory::Coupling),
                _ => RowOwner::Joint(j),
            },
            (None, None) => RowOwner::Equation(EquationCategory::Constraint),
        }
    }

    /// Owner of a row, in terms of the runtime.
    pub fn row_kind(&self, row: &Row) -> RowKind {
        match self.row_owner(row) {
            RowOwner::Joint(j) => RowKind::Joint(j.index()),
            RowOwner::Body(b) => RowKind::Body(b.index()),
            RowOwner::Equation(EquationCategory::Drive) => RowKind::Drive,
            RowOwner::Equation(EquationCategory::Coupling) => RowKind::Coupling,
            RowOwner::Equation(EquationCategory::Constraint) => RowKind::Constraint,
        }
    }

    /// All rows that joints and equations could impose, before a formulation absorbs the joints of its tree: joints first, then
    /// equations, in declaration order. [`mbs_expr::Op::Multiplier`] counts these.
    pub fn rows(&self) -> Vec<Row> {
        let mut rows = Vec::new();
        for (j, joint) in self.joints.iter().enumerate() {
            for (k, (component, residual)) in joint.rows.iter().enumerate() {
                let residual = self.natural.turned.get(&(JointId(j as u32), k)).unwrap_or(residual);
                let name =
                    if component.is_empty() { joint.name.clone() } else { format!("{}.{component}", joint.name) };
                rows.push(Row {
                    name,
                    joint: Some(JointId(j as u32)),
                    equation: None,
                    body: None,
                    origin: joint.origin,
                    residual: *residual,
                    enabled: joint.enabled,
                    level: match self.exprs.order(*residual) {
                        Some(1) => RowLevel::Velocity,
                        _ => RowLevel::Position,
                    },
                });
            }
        }
        for (e, equation) in self.equations.iter().enumerate() {
            for (k, residual) in equation.rows.iter().enumerate() {
                let name =
                    if equation.rows.len() == 1 { equation.name.clone() } else { format!("{}[{k}]", equation.name) };
                rows.push(Row {
                    name,
                    joint: None,
                    equation: Some(e),
                    body: None,
                    origin: equation.origin,
                    residual: *residual,
                    enabled: equation.enabled,
                    level: equation.level,
                });
            }
        }
        rows.extend(self.natural.rows.iter().cloned());
        rows
    }
}
