//! Constraint rows of a mechanism, and their owners.

use mbs_core::RowKind;
use mbs_definition::Origin;
use mbs_expr::{BodyId, ExprId, Exprs, JointId};

use super::{BasicEquation, EquationCategory, Model, RowLevel};

/// Identity of a row of a mechanism, the same in every formulation.
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
    /// Space: the row that determines the continuous coordinate k of a joint.
    ContinuousCoordinate(JointId, u8),
}

/// One constraint row of the whole mechanism.
#[derive(Clone, Debug)]
pub struct Row {
    /// Which row of the mechanism it is.
    pub id: RowId,
    /// `crank_pin.x`, `spin`, `rod[1]`.
    pub name: String,
    /// The basic equation between the ends of a joint that the row is; `None` if it is none, or if it is written differently.
    pub basic: Option<BasicEquation>,
    /// Where the element is declared.
    pub origin: Origin,
    /// Residual while the row is enabled.
    pub residual: ExprId,
    /// 1 or 0: whether the row is enabled; `None` if it always is.
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

    /// In natural coordinates, the body that the row keeps rigid, or whose revolutions it counts.
    pub fn body(&self) -> Option<BodyId> {
        if let RowId::Rigid(body, _) | RowId::Revolutions(body) = self.id { Some(body) } else { None }
    }

    /// The joint or equation that can be switched off, with the row; `None` for rows that a formulation adds.
    pub fn element(&self) -> Option<Alternative> {
        match self.id {
            RowId::Joint(joint, _) => Some(Alternative::Joint(joint)),
            RowId::Equation(e, _) => Some(Alternative::Equation(e as usize)),
            RowId::Rigid(..) | RowId::Revolutions(_) | RowId::ContinuousCoordinate(..) => None,
        }
    }

    /// Makes the residual of a row that can be disabled zero while it is disabled.
    pub fn switch(&mut self, exprs: &mut Exprs) {
        if let Some(enabled) = self.enabled {
            let zero = exprs.constant(0.0);
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

/// Greatest number of combinations of alternatives that the compiler checks.
pub const MOST_COMBINATIONS: usize = 64;

/// A joint's coordinate that is prescribed as a function of time. If it is a coordinate of the formulation, it is not an unknown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Prescription {
    /// The joint.
    pub joint: JointId,
    /// Index of its coordinate.
    pub coordinate: u8,
    /// Value, as a function of time and parameters.
    pub value: ExprId,
}

/// Owner of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RowOwner {
    /// A joint.
    Joint(JointId),
    /// A drive, constraint or coupling; gears are couplings.
    Equation(EquationCategory),
    /// A body in natural coordinates: the row keeps it rigid, or counts its revolutions.
    Body(BodyId),
}

impl Model {
    /// Prescribed coordinates, with the indices of their equations.
    pub fn prescriptions(&self) -> impl Iterator<Item = (usize, Prescription)> {
        self.equations.iter().enumerate().filter_map(|(e, equation)| Some((e, equation.prescribes?)))
    }

    /// The alternatives that are disabled, for each of the declared combinations. One alternative of every list is enabled; alternatives in no
    /// list are enabled. In the first combination the first of each list is enabled.
    pub fn combinations(&self) -> Vec<Vec<Alternative>> {
        self.settings.exclusive.iter().fold(vec![Vec::new()], |combinations, list| {
            let others = |on: usize| (0..list.len()).filter(move |k| *k != on).map(|k| list[k]);
            let extended = |off: &Vec<Alternative>| {
                (0..list.len()).map(|on| off.iter().copied().chain(others(on)).collect()).collect::<Vec<_>>()
            };
            combinations.iter().flat_map(extended).collect()
        })
    }

    /// Owner of a row. The row of a gear belongs to a coupling, because a gear couples joints, and the bearing forces are those of the joints.
    pub fn row_owner(&self, row: &Row) -> RowOwner {
        match row.id {
            RowId::Rigid(body, _) | RowId::Revolutions(body) => RowOwner::Body(body),
            RowId::Equation(e, _) => RowOwner::Equation(self.equations[e as usize].category),
            RowId::Joint(j, _) if self.joint(j).geared.is_some() => RowOwner::Equation(EquationCategory::Coupling),
            RowId::Joint(j, _) => RowOwner::Joint(j),
            RowId::ContinuousCoordinate(..) => RowOwner::Equation(EquationCategory::Constraint),
        }
    }

    /// Owner of a row, as the runtime reports it.
    pub fn row_kind(&self, row: &Row) -> RowKind {
        match self.row_owner(row) {
            RowOwner::Joint(j) => RowKind::Joint(j.index()),
            RowOwner::Body(b) => RowKind::Body(b.index()),
            RowOwner::Equation(EquationCategory::Drive) => RowKind::Drive,
            RowOwner::Equation(EquationCategory::Coupling) => RowKind::Coupling,
            RowOwner::Equation(EquationCategory::Constraint) => RowKind::Constraint,
        }
    }

    /// All rows of joints and equations, before a formulation removes those of the joints in its tree: first joints, then equations, each in
    /// declaration order, then [`Natural::rows`](crate::Natural::rows). [`mbs_expr::Op::Multiplier`] counts these.
    pub fn rows(&self) -> Vec<Row> {
        let mut rows = Vec::new();
        for (j, joint) in (0..).map(JointId).zip(&self.joints) {
            for (k, row) in joint.rows.iter().enumerate() {
                let direction_row = self.coordinates.natural.direction_rows.get(&(j, k)).copied();
                let residual = direction_row.unwrap_or(row.residual);
                let name =
                    if row.name.is_empty() { joint.name.clone() } else { format!("{}.{}", joint.name, row.name) };
                rows.push(Row {
                    id: RowId::Joint(j, k as u32),
                    name,
                    basic: row.basic.filter(|_| direction_row.is_none()),
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
        rows.extend(self.coordinates.natural.rows.iter().cloned());
        rows
    }
}
