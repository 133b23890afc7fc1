//! Residuals of the constraints in a state.

use super::finding::Finding;
use super::names::{Miss, Motion, coordinate_name, element, item_name, row_name};
use super::scaled::{CLOSED, Closed, Scaled};
use mbs_core::{Describe, Item, State, StateView};

/// Scaled residual above which a row is not satisfied: assembly and projection leave at most 1e-10.
const MISS: f64 = 1e-8;

/// Coordinates, speeds, residuals and derivatives that are infinite or NaN.
pub(super) fn not_finite<M: Describe>(mechanism: &M, state: &State<M>) -> Vec<String> {
    let (q, v, sizes) = (state.q.as_ref(), state.v.as_ref(), mechanism.sizes());
    let bad = |values: &[f64]| (0..values.len()).filter(|i| !values[*i].is_finite()).collect::<Vec<usize>>();
    let mut values = Vec::new();
    if !state.t.is_finite() {
        values.push("time".to_owned());
    }
    let name = |item: Item, i: usize| item_name(mechanism, item).map_or(i.to_string(), |name| format!("`{name}`"));
    values.extend(bad(q).into_iter().map(|i| format!("coordinate {}", name(Item::Coordinate(i), i))));
    values.extend(bad(v).into_iter().map(|i| format!("speed {}", name(Item::Speed(i), i))));
    if !values.is_empty() {
        return values;
    }
    // Values that a mechanism does not write remain NaN, and are reported.
    let (mut phi, mut psi) = (vec![f64::NAN; sizes.n_position], vec![f64::NAN; sizes.n_velocity]);
    mechanism.position_residuals(state.view(&[]), &mut phi);
    values.extend(bad(&phi).into_iter().map(|r| format!("residual of `{}`", row_name(mechanism, r))));
    let mut unit = vec![0.0; sizes.n_v];
    let mut derivatives = Vec::new();
    for i in 0..=sizes.n_v {
        if let Some(last) = i.checked_sub(1) {
            unit.fill(0.0);
            unit[last] = 1.0;
        }
        psi.fill(f64::NAN);
        mechanism.velocity_residuals(StateView { v: &unit, ..state.view(&[]) }, &mut psi);
        derivatives.extend(bad(&psi));
    }
    derivatives.sort_unstable();
    derivatives.dedup();
    values.extend(derivatives.into_iter().map(|r| format!("derivative of `{}`", row_name(mechanism, r))));
    values
}

/// The finding of a pose that does not satisfy the rows: [`Finding::PoseOff`] if the nearby pose `closed` does, else [`Finding::NotClosed`].
pub(super) fn examine_pose<M: Describe>(scaled: &Scaled<'_, M>, q: &[f64], closed: &Closed) -> Option<Finding> {
    let mut phi = vec![0.0; scaled.mechanism.sizes().n_position];
    let examined = if closed.miss <= CLOSED { q } else { &closed.q };
    scaled.mechanism.position_residuals(scaled.view(examined), &mut phi);
    // In the closest pose, rows with small residuals are not reported as contradictory.
    let least = if closed.miss <= CLOSED { MISS } else { (0.05 * closed.miss).max(MISS) };
    let misses = misses(scaled, &phi, |_| least);
    if misses.is_empty() {
        return None;
    }
    if closed.miss > CLOSED {
        return Some(Finding::NotClosed { misses });
    }
    let first = (0..scaled.n()).find(|i| closed.motion[*i].abs() >= 0.999 * closed.motion.amax());
    Some(Finding::PoseOff { misses, correction: first.map(|i| motion(scaled, i, closed.motion[i])) })
}

/// The finding of speeds that do not satisfy the velocity rows.
pub(super) fn examine_speeds<M: Describe>(scaled: &Scaled<'_, M>, q: &[f64], v: &[f64]) -> Option<Finding> {
    let rows = scaled.mechanism.sizes().n_velocity;
    let (mut psi, mut at_rest) = (vec![0.0; rows], vec![0.0; rows]);
    scaled.mechanism.velocity_residuals(StateView { v, ..scaled.view(q) }, &mut psi);
    scaled.mechanism.velocity_residuals(StateView { v: &vec![0.0; v.len()], ..scaled.view(q) }, &mut at_rest);
    let jacobian = scaled.jacobian(q);
    // ψ is a sum of terms; a row is satisfied if the terms cancel up to a small fraction of their size.
    let terms = |r: usize| {
        let products = (0..v.len()).map(|i| (jacobian[(r, i)] * v[i] / scaled.columns[i]).abs());
        products.sum::<f64>() + (at_rest[r] / scaled.rows[r]).abs()
    };
    let misses = misses(scaled, &psi, |r| MISS * terms(r) + CLOSED);
    (!misses.is_empty()).then_some(Finding::SpeedsOff { misses })
}

/// Rows whose scaled residual exceeds a limit, the largest first.
fn misses<M: Describe>(scaled: &Scaled<'_, M>, residuals: &[f64], limit: impl Fn(usize) -> f64) -> Vec<Miss> {
    let relative = |r: usize| residuals[r] / scaled.rows[r];
    let mut rows: Vec<usize> = (0..residuals.len()).filter(|r| relative(*r).abs() > limit(*r)).collect();
    // Rows whose residuals differ only by rounding remain in the order of their declaration.
    let seven_digits = |r: usize| relative(r).abs() as f32;
    rows.sort_by(|a, b| seven_digits(*b).total_cmp(&seven_digits(*a)));
    let miss = |row: usize| Miss {
        row,
        name: row_name(scaled.mechanism, row),
        element: element(scaled.mechanism, row),
        residual: residuals[row],
        relative: relative(row),
    };
    rows.into_iter().map(miss).collect()
}

/// The motion wᵢ in the unit of the coordinate.
pub(super) fn motion<M: Describe>(scaled: &Scaled<'_, M>, speed: usize, w: f64) -> Motion {
    let name = coordinate_name(scaled.mechanism, speed);
    Motion { speed, name, by: w * scaled.columns[speed], unit: scaled.units[speed] }
}
