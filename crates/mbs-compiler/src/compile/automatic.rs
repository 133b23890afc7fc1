//! Coordinates that the compiler chooses: `coordinates: auto`.

use mbs_definition::Errors;
use mbs_model::{Formulation, Kernels, Model};

use super::compile_model;
use crate::program::Counts;

/// A choice of coordinates that was compared with others.
#[derive(Clone, Debug)]
pub struct Alternative {
    /// The choice.
    pub formulation: Formulation,
    /// Number of speeds and rows.
    pub size: [usize; 2],
    /// Cost of the accelerations with multipliers, or the code of the error why the mechanism has none in these coordinates.
    pub cost: Result<Counts, &'static str>,
}

/// Compiles the accelerations of a mechanism in each formulation. Those that are possible come first, by their estimated time.
///
/// # Errors
/// The mistakes in joint coordinates if no formulation is possible.
pub(super) fn compare(model: &Model, column_products: usize) -> Result<Vec<Alternative>, Errors> {
    let mut mistakes = None;
    let mut alternatives: Vec<Alternative> = Vec::new();
    // The first of equal costs is chosen.
    for formulation in [Formulation::Joint, Formulation::Natural, Formulation::Body] {
        let mut candidate = model.clone();
        mbs_physics::set_formulation(&mut candidate, formulation);
        candidate.settings.kernels = Kernels { forward: true, ..Kernels::NONE }.completed();
        candidate.settings.budget = None;
        let (size, cost) = match compile_model(candidate, column_products) {
            Ok(compiled) => {
                let counts = compiled.function("accelerations").map(|f| f.counts).unwrap_or_default();
                ([compiled.tree.n(), compiled.tree.rows.len()], Ok(counts))
            }
            Err(errors) => {
                let code = errors.list().first().map_or("MBS099", |error| error.code);
                mistakes.get_or_insert(errors);
                ([0; 2], Err(code))
            }
        };
        alternatives.push(Alternative { formulation, size, cost });
    }
    match mistakes {
        Some(mistakes) if alternatives.iter().all(|a| a.cost.is_err()) => Err(mistakes),
        _ => {
            let time = |a: &Alternative| a.cost.map_or(f64::INFINITY, |counts| counts.nanoseconds());
            alternatives.sort_by(|a, b| time(a).total_cmp(&time(b)));
            Ok(alternatives)
        }
    }
}
