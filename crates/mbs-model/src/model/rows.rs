//! Constraint rows of a mechanism, and their owners.

use mbs_core::RowKind;
use mbs_definition::Origin;
use mbs_expr::{BodyId, ExprId, Exprs, JointId};

use super::{BasicEquation, EquationCategory, Model, RowLevel};

/// The row of a mechanism that a row is, in every formulation, from the catalogue to the report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum RowId {
    /// Row k of a joint: index into [`Joint::rows`](crate::Joint::rows).
    Joint(JointId, u32),
    /// Row k of a drive, constraint or coupling: index into [`Model::equations`].
    Equation(u32, u32),
    /// Natural coordinates: row k that keeps a body rigid.
    Rigid(BodyId, u32),
    /// Natural coordinates: the row that counts the revolutions of a body.
    Revolutions(BodyId),
    /// Space: the row that holds the unwrapped coordinate k of a joint.
    Unwrapped(JointId, u8),
}

/// One constraint row of the whole mechanism.
#[derive(Clone, Debug)]
pub struct Row {
    /// Which row of the mechanism it is.
    pub id: RowId,
    /// `crank_pin.x`, `spin`, `rod[1]`.
    pub name: String,
    /// The equation between the ends of a joint that it is, if it is a basic one and not written otherwise.
    pub basic: Option<BasicEquation>,
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
    /// Joint it belongs to, if any.
    pub fn joint(&self) -> Option<JointId> {
        if let RowId::Joint(joint, _) = self.id { Some(joint) } else { None }
    }

    /// Equation it belongs to, if any: index into [`Model::equations`].
    pub fn equation(&self) -> Option<usize> {
        if let RowId::Equation(e, _) = self.id { Some(e as usize) } else { None }
    }

    /// Body that it keeps rigid, or whose revolutions it counts: in natural coordinates.
    pub fn body(&self) -> Option<BodyId> {
        if let RowId::Rigid(body, _) | RowId::Revolutions(body) = self.id { Some(body) } else { None }
    }

    /// The joint or equation that can be switched off, with the row; `None` for rows that a formulation adds.
    pub fn element(&self) -> Option<Alternative> {
        match self.id {
            RowId::Joint(joint, _) => Some(Alternative::Joint(joint)),
            RowId::Equation(e, _) => Some(Alternative::Equation(e as usize)),
            RowId::Rigid(..) | RowId::Revolutions(_) | RowId::Unwrapped(..) => None,
        }
    }

    /// Makes the residual of a row that may be off zero while it is.
    pub fn switch(&mut self, exprs: &mut Exprs) {
        if let Some(enabled) = self.enabled {
            let zero = exprs.number(0.0);
            (self.residual, self.basic) = (exprs.choose(enabled, self.residual, zero), None);
        }
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
        match row.id {
            RowId::Rigid(body, _) | RowId::Revolutions(body) => RowOwner::Body(body),
            RowId::Equation(e, _) => RowOwner::Equation(self.equations[e as usize].category),
            RowId::Joint(j, _) if self.joint(j).geared.is_some() => RowOwner::Equation(EquationCategory::Coupling),
            RowId::Joint(j, _) => RowOwner::Joint(j),
            RowId::Unwrapped(..) => RowOwner::Equation(EquationCategory::Constraint),
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
        for (j, joint) in (0..).map(JointId).zip(&self.joints) {
            for (k, row) in joint.rows.iter().enumerate() {
                let turned = self.natural.turned.get(&(j, k)).copied();
                let residual = turned.unwrap_or(row.residual);
                let name =
                    if row.name.is_empty() { joint.name.clone() } else { format!("{}.{}", joint.name, row.name) };
                rows.push(Row {
                    id: RowId::Joint(j, k as u32),
                    name,
                    basic: row.basic.filter(|_| turned.is_none()),
                    origin: joint.origin,
                    residual,
                    enabled: joint.enabled,
                    level: match self.exprs.order(residual) {
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
                    id: RowId::Equation(e as u32, k as u32),
                    name,
                    basic: None,
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
