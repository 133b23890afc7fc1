//! How many rates of one another a model takes.

use mbs_expr::{ExprId, Op};
use mbs_model::Model;

/// Rates of rates that can be told: of functions of time, that is; rows and conditions have at most two of what moves.
pub const MOST_RATES: usize = 15;

/// How many rates are taken of one another anywhere in a model, or more: a series needs one coefficient more than that.
pub fn nested_rates(model: &Model) -> usize {
    let exprs = &model.exprs;
    let mut nested: Vec<usize> = Vec::with_capacity(exprs.len());
    for id in 0..exprs.len() as u32 {
        let op = exprs.op(ExprId(id));
        let below = exprs.children(op).into_iter().flatten().map(|c| nested[c.0 as usize]).max().unwrap_or(0);
        nested.push(below + usize::from(matches!(op, Op::Rate(_))));
    }
    // Rates may be taken of points on ground, which are functions of time themselves.
    let ground = model.markers.iter().filter(|m| m.body.is_none()).flat_map(|m| [m.point[0], m.point[1], m.angle]);
    let within = ground.map(|e| nested[e.0 as usize]).max().unwrap_or(0);
    (nested.into_iter().max().unwrap_or(0) + within).min(MOST_RATES)
}
