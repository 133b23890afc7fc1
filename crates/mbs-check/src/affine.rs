//! Refuses rows that are not affine in accelerations.

use mbs_definition::Errors;
use mbs_model::{Factors, Model, RowLevel, factors};
use mbs_physics::Tree;

/// Refuses rows of accelerations that are not affine in accelerations, or multiply them by inputs: such a row has no G.
///
/// # Errors
/// MBS065, one per row.
pub fn refuse_nonlinear(model: &Model, tree: &Tree) -> Result<(), Errors> {
    let mut errors = Errors::new();
    for row in tree.rows.iter().filter(|row| row.level == RowLevel::Acceleration) {
        let reason = match factors(model, row.residual) {
            Factors::Nonlinear => "is not linear in accelerations",
            Factors::Inputs => "multiplies accelerations by an input",
            Factors::Positions | Factors::Speeds => continue,
        };
        errors.push("MBS065", row.origin, format!("`{}` {reason}", row.name), Some(ACCELERATIONS.to_owned()));
    }
    errors.into_result(())
}

const ACCELERATIONS: &str = "an equation between accelerations a has the form g(q, v, t) · a == b(q, v, t, u)";
