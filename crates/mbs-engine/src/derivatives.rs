//! Check that functions written in Rust return as many derivatives as an engine uses.

use std::collections::BTreeMap;

use mbs_expr::{ExprId, Op};
use mbs_model::{Load, Model, RowLevel};
use mbs_physics::Tree;

use crate::Failure;

/// Checks all functions of a model.
///
/// Rows are differentiated until they are linear in accelerations; potentials, and coordinates in whose direction a force acts, once; and for
/// every enclosing `rate` once more.
///
/// # Errors
/// [`Failure::Derivatives`] with the first function that returns too few.
pub(crate) fn check(model: &Model, tree: &Tree) -> Result<(), Failure> {
    if model.functions.is_empty() {
        return Ok(());
    }
    let mut roots: BTreeMap<ExprId, u8> = BTreeMap::new();
    let mut add = |e: ExprId, orders: u8| {
        let known = roots.entry(e).or_insert(orders);
        *known = orders.max(*known);
    };
    for row in &tree.rows {
        add(row.residual, 2 - row.level as u8);
    }
    for marker in model.markers.iter().filter(|m| m.body.is_none()) {
        let axes = marker.rotation.iter().flatten().flatten();
        marker.point.iter().chain([&marker.angle]).chain(axes).for_each(|e| add(*e, 2));
    }
    for load in model.loads.forces.iter().flat_map(|f| &f.loads) {
        match *load {
            Load::Potential(e) | Load::Generalized { coordinate: e, .. } => add(e, 1),
            Load::Force { .. } | Load::Torque { .. } => {}
        }
    }
    let conditions = model.start.conditions.iter().chain(model.event_conditions()).chain(&model.start.guesses);
    conditions.for_each(|c| add(c.target, u8::from(c.level == RowLevel::Position)));
    let known = model.events.iter().filter(|event| event.rate_is_known);
    known.for_each(|event| add(event.value, 1));
    // All other expressions are evaluated without derivatives, except for the rates in them.
    (0..model.exprs.len() as u32).for_each(|e| add(ExprId(e), 0));
    // Children have smaller ids: the orders of the largest are complete.
    while let Some((id, orders)) = roots.pop_last() {
        let op = model.exprs.op(id);
        if let Op::Called { function, partial, .. } = op {
            let declared = &model.functions[function.index()];
            let needed = orders.saturating_add(partial.order());
            if let Some(given) = declared.derivatives().filter(|given| needed > *given) {
                return Err(Failure::Derivatives { function: declared.name.clone(), given, needed });
            }
        }
        let below = orders.saturating_add(u8::from(matches!(op, Op::Rate(_))));
        for child in model.exprs.children(op).into_iter().flatten() {
            let known = roots.entry(child).or_insert(below);
            *known = below.max(*known);
        }
    }
    Ok(())
}
