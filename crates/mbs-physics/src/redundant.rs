//! Redundant rows of a tree.

use mbs_model::{InitialCondition, Model, Row};

/// Rows that `redundant: resolve;` omits from a [`Tree`](crate::Tree); empty unless that is declared.
#[derive(Clone, Debug, Default)]
pub struct Redundant {
    /// Rows that others imply in every configuration, in the order of [`Model::rows`](mbs_model::Model::rows). Their multipliers count as
    /// zero.
    pub rows: Vec<Row>,
    /// Names of joints and equations that impose dependent constraints, including the owners of `rows`: the equations of motion do not determine how
    /// they share their load.
    pub sharing: Vec<String>,
}

impl Redundant {
    /// Adds the omitted rows to the model's exact initial conditions, before all others: they are implied by the other rows near configurations where
    /// all are satisfied, but not on every branch and not for all parameters.
    pub fn add_conditions(&self, model: &mut Model) {
        let zero = model.exprs.constant(0.0);
        let condition = |row: &Row| InitialCondition {
            name: row.name.clone(),
            origin: row.origin,
            target: row.residual,
            value: zero,
            exact: true,
            level: row.level,
        };
        model.start.conditions.splice(0..0, self.rows.iter().map(condition));
    }
}
