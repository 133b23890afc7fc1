//! A guess of the speeds: what constraints demand, `initial` holds, and declared velocities and `~` suggest.

use super::assemble::saddle;
use super::default_variables;
use super::numeric::{MOST_RATES, nested_rates};
use crate::definition::Space;
use crate::linear::{SparseRow, dependent_rows, solve};
use crate::mechanics::{Mechanics, Tree};
use crate::{Model, Op, Row, RowLevel, Series};

/// Interface speeds at assembled solver coordinates, default parameters and t = 0: the shortest that satisfy, in order of
/// authority, all rows, held `initial` conditions, guessed ones and declared velocities. What depends on things of more
/// authority is left out; conditions that are not linear in speeds count with their slope at rest. Functions written in
/// Rust must be bound.
pub fn guessed_speeds(model: &Model, tree: &Tree, assembled: &[f64]) -> Vec<f64> {
    // ψ takes a rate more than the rows have.
    match nested_rates(model) {
        0..3 => guess::<4>(model, tree, assembled),
        _ => guess::<{ MOST_RATES + 2 }>(model, tree, assembled),
    }
}

fn guess<const N: usize>(model: &Model, tree: &Tree, assembled: &[f64]) -> Vec<f64> {
    let speeds = least_speeds(tree.n(), &wanted(&moving::<N>(model, tree, assembled, &vec![0.0; tree.n()])));
    let mechanics = moving::<N>(model, tree, assembled, &speeds);
    if model.space == Space::Spatial {
        let solver: Vec<Series<N>> = speeds.iter().map(|v| Series::constant(*v)).collect();
        return mechanics.space.interface_speeds(tree, &solver).into_iter().map(|v| v.value() + 0.0).collect();
    }
    // −0 would be printed as such.
    mechanics.interface_coordinates().into_iter().map(|q| q.derivative(1) + 0.0).collect()
}

/// A speed that other equations decide.
pub struct Level {
    /// What they make it.
    pub decided: f64,
    /// What it should be.
    pub wanted: f64,
    /// Sum of the sizes of its terms.
    pub terms: f64,
}

/// What rows and earlier conditions make of exact velocity condition k, at assembled solver coordinates; `None` if they leave it
/// free. Its target has to be affine in speeds.
pub fn speeds_before(model: &Model, tree: &Tree, assembled: &[f64], k: usize) -> Option<Level> {
    match nested_rates(model) {
        0..3 => before::<4>(model, tree, assembled, k),
        _ => before::<{ MOST_RATES + 2 }>(model, tree, assembled, k),
    }
}

fn before<const N: usize>(model: &Model, tree: &Tree, assembled: &[f64], k: usize) -> Option<Level> {
    let rest = moving::<N>(model, tree, assembled, &vec![0.0; tree.n()]);
    let equations = wanted(&rest);
    let last = tree.n_velocity + k;
    let matrix: Vec<SparseRow> = equations[..=last].iter().map(|e| e.0.clone()).collect();
    if dependent_rows(&matrix).last() != Some(&last) {
        return None;
    }
    let v = least_speeds(tree.n(), &equations[..last]);
    let (row, right) = &equations[last];
    let condition = model.conditions.iter().filter(|c| c.exact && c.level == RowLevel::Velocity).nth(k)?;
    let value = rest.value(condition.value).value();
    let sum = |size: fn(f64) -> f64| row.iter().map(|(i, g)| size(g * v[*i])).sum::<f64>();
    Some(Level { decided: value + sum(|x| x) - right, wanted: value, terms: sum(f64::abs) + right.abs() + value.abs() })
}

/// The model at solver coordinates and speeds, with states that go on at the rates they have there.
fn moving<'m, const N: usize>(
    model: &'m Model,
    tree: &'m Tree,
    solver: &[f64],
    speeds: &[f64],
) -> Mechanics<'m, Series<N>> {
    let still = super::mass::moving::<N>(model, tree, default_variables(model, tree), solver, speeds);
    let rates: Vec<f64> =
        model.auxiliary.iter().flat_map(|a| &a.rates).map(|rate| still.value(*rate).value()).collect();
    let mut variables = default_variables::<N>(model, tree);
    for (z, rate) in variables.auxiliary.iter_mut().zip(rates).filter(|(_, rate)| *rate != 0.0) {
        *z = Series::linear(z.value(), rate);
    }
    super::mass::moving(model, tree, variables, solver, speeds)
}

/// Equations row · v̂ = right of a model at rest, in order of authority.
fn wanted<const N: usize>(rest: &Mechanics<'_, Series<N>>) -> Vec<(SparseRow, f64)> {
    let (model, tree) = (rest.model, rest.tree);
    let is_off = |row: &Row| row.enabled.is_some_and(|enabled| rest.value(enabled).value() != 1.0);
    let rows = tree.rows[..tree.n_velocity].iter().map(|row| {
        if is_off(row) {
            return (SparseRow::new(), 0.0);
        }
        let psi = match row.level {
            RowLevel::Position => rest.value(row.residual).derivative(1),
            _ => rest.value(row.residual).value(),
        };
        (rest.gradient(row.residual, row.level), -psi)
    });
    let conditions = |exact: bool| {
        let list = model.conditions.iter().filter(move |c| c.exact == exact && c.level == RowLevel::Velocity);
        list.map(|c| (rest.gradient(c.target, c.level), rest.value(c.value).value() - rest.value(c.target).value()))
    };
    let declared = model.bodies.iter().filter_map(|b| Some((b, b.velocity?))).flat_map(|(body, velocity)| {
        let dimension = if model.space == Space::Planar { 2 } else { 3 };
        let known = (0..dimension).filter(move |k| !model.exprs.mentions(velocity[*k]).input);
        known.map(move |k| {
            let at_rest = rest.marker_point(body.origin_marker)[k].derivative(1);
            let row = rest.observable_gradient(Op::Position(body.origin_marker, k as u8));
            (row, rest.value(velocity[k]).value() - at_rest)
        })
    });
    rows.chain(conditions(true)).chain(conditions(false)).chain(declared).collect()
}

/// The shortest v with row · v = right for each row; rows that depend on earlier ones are left out.
fn least_speeds(n: usize, rows: &[(SparseRow, f64)]) -> Vec<f64> {
    let matrix: Vec<SparseRow> = rows.iter().map(|r| r.0.clone()).collect();
    let dependent = dependent_rows(&matrix);
    let kept: Vec<usize> = (0..rows.len()).filter(|r| dependent.binary_search(r).is_err()).collect();
    let unit: Vec<SparseRow> = (0..n).map(|i| SparseRow::from([(i, 1.0)])).collect();
    let mut right = vec![0.0; n];
    right.extend(kept.iter().map(|r| rows[*r].1));
    let kept: Vec<SparseRow> = kept.iter().map(|r| matrix[*r].clone()).collect();
    match solve(saddle(&unit, &kept), right) {
        Ok(x) if x.iter().all(|v| v.is_finite()) => x[..n].to_vec(),
        _ => vec![0.0; n],
    }
}
