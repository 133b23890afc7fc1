//! Samples of a model on numbers alone, without symbols.

use mbs_expr::{ExprId, Series};
use mbs_model::{Model, RowLevel};
use mbs_physics::linear::SparseRow;
use mbs_physics::{Mechanics, Tree, Variables, default_variables};

use super::mass::mechanics_in_motion;
use super::nested_rates::{Motion, nested_rates};
use super::speeds::jacobian_speeds;
use super::{Sample, mechanics_at_time};

/// A function that evaluates samples at solver coordinates; its second argument is whether the guesses among `initial` conditions count.
pub type Sampler<'m> = Box<dyn Fn(&[f64], bool) -> Sample + 'm>;

/// Returns the function that [`check`](super::check) takes: it evaluates [`Sample`]s from the physics on numbers. Φ, Ĝ, M̂ and position-level
/// `initial` conditions are those at solver coordinates, at default parameters, at rest and at t = 0. Where Ĝ depends on speeds, it is that at the
/// guessed speeds.
///
/// A sample computes all poses once and visits each expression of the rows twice; nothing is dense. Functions written in
/// Rust must be bound ([`Model::check_bound`]); results that need an unbound one are NaN.
///
/// It is boxed: the body of a function that is returned by its type would be compiled once more, with the physics for each length of series,
/// in each crate that calls it.
pub fn numeric_sample<'m>(model: &'m Model, tree: &'m Tree) -> Sampler<'m> {
    numeric_sample_at(model, tree, 0.0)
}

/// [`numeric_sample`] at time t \[s\].
pub fn numeric_sample_at<'m>(model: &'m Model, tree: &'m Tree, t: f64) -> Sampler<'m> {
    let rates = nested_rates(model);
    let moves = model.jacobian_reads_speeds();
    Box::new(move |q, guesses| {
        let speeds = if moves { jacobian_speeds(model, tree, q, t) } else { Vec::new() };
        if rates < 2 {
            return sample(&mechanics_at_time::<2>(model, tree, q, t), &speeds, guesses);
        }
        let mechanics: Mechanics<'_, Motion> = mechanics_at_time(model, tree, q, t);
        sample(&mechanics, &speeds, guesses)
    })
}

/// A sample at rest, with the Jacobian at `speeds` if the list is not empty.
fn sample<const N: usize>(mechanics: &Mechanics<'_, Series<N>>, speeds: &[f64], guesses: bool) -> Sample {
    let (model, tree) = (mechanics.model, mechanics.tree);
    let value = |e: ExprId| mechanics.value(e).value();
    let mut mass = vec![SparseRow::new(); tree.n()];
    for (i, j, m) in mechanics.mass_matrix() {
        mass[i].insert(j, m.value());
        mass[j].insert(i, m.value());
    }
    let conditions = |exact: bool| {
        let list = model.start.conditions.iter().filter(move |c| c.exact == exact && c.level == RowLevel::Position);
        list.map(|c| (mechanics.condition_residual(c).value(), mechanics.gradient(c.target, c.level)))
    };
    let moving = (!speeds.is_empty()).then(|| {
        let q: Vec<f64> = mechanics.coordinates.iter().map(|q| q.value()).collect();
        let variables = Variables { t: mechanics.variables.t, ..default_variables(model, tree) };
        mechanics_in_motion(model, tree, variables, &q, speeds)
    });
    let rows = moving.as_ref().unwrap_or(mechanics);
    Sample {
        phi: tree.rows[..tree.n_position].iter().map(|r| value(r.residual)).collect(),
        jacobian: tree.rows.iter().map(|r| rows.gradient(r.residual, r.level)).collect(),
        mass,
        conditions: conditions(true).chain(conditions(false).filter(|_| guesses)).collect(),
    }
}
