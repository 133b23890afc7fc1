//! Redundant rows of a tree.

use mbs_model::{InitialCondition, Model, Row};

/// Rows that `redundant: resolve;` leaves out of a [`Tree`](crate::Tree); empty unless that is declared.
#[derive(Clone, Debug, Default)]
pub struct Redundant {
    /// Rows that others imply in every configuration, in the order of [`Model::rows`](mbs_model::Model::rows). Their multipliers count as
    /// zero.
    pub rows: Vec<Row>,
    /// Joints and equations, as declared, that together impose the same constraints, including those of `rows`: the equations of motion do
    /// not determine how they share their load.
    pub sharing: Vec<String>,
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
