//! Redundant rows of a tree.

use mbs_model::{InitialCondition, Model, Row, RowLevel};

use super::Tree;

/// Rows that `redundant: resolve;` leaves out of a [`Tree`]; empty unless that is declared.
#[derive(Clone, Debug, Default)]
pub struct Redundant {
    /// Rows that others imply in every configuration, in the order of [`Model::rows`](mbs_model::Model::rows). Their multipliers count as
    /// zero.
    pub rows: Vec<Row>,
    /// Joints and equations, as declared, that together impose the same constraints, including those of `rows`: the equations of motion do
    /// not determine how they share their load.
    pub sharing: Vec<String>,
}

impl Tree {
    /// Rows that can be switched off.
    pub fn switched_rows(&self) -> Vec<usize> {
        (0..self.rows.len()).filter(|r| self.rows[*r].enabled.is_some()).collect()
    }

    /// Number of rows that bodies in natural coordinates need themselves: those that keep them rigid and count their revolutions. All other
    /// rows belong to joints and equations.
    pub fn n_intrinsic(&self) -> usize {
        self.rows.iter().filter(|row| row.body().is_some()).count()
    }

    /// The tree without some of its rows.
    #[must_use]
    pub fn without(mut self, redundant: Redundant) -> Tree {
        let gone = |row: &Row| redundant.rows.iter().any(|r| r.id == row.id);
        let mut next = 0;
        let kept: Vec<Option<usize>> = self
            .rows
            .iter()
            .map(|row| {
                let kept = (!gone(row)).then_some(next);
                next += usize::from(kept.is_some());
                kept
            })
            .collect();
        self.row_index.iter_mut().for_each(|at| *at = at.and_then(|i| kept[i]));
        self.rows.retain(|row| !gone(row));
        let up_to = |level: RowLevel| self.rows.iter().filter(|r| r.level <= level).count();
        (self.n_position, self.n_velocity) = (up_to(RowLevel::Position), up_to(RowLevel::Velocity));
        self.redundant = redundant;
        self
    }
}

impl Redundant {
    /// Holds rows that a tree does without exactly while assembling, before all other conditions: they follow from the other rows near the
    /// poses where all are met, not on every branch and not for all parameters.
    pub fn hold_in(&self, model: &mut Model) {
        let zero = model.exprs.number(0.0);
        let condition = |row: &Row| InitialCondition {
            name: row.name.clone(),
            origin: row.origin,
            target: row.residual,
            value: zero,
            exact: true,
            level: row.level,
        };
        model.conditions.splice(0..0, self.rows.iter().map(condition));
    }
}
