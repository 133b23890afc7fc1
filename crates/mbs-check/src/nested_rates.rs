//! Counts nested time derivatives: the order of rates of rates in a model.

use mbs_expr::{ExprId, Op};
use mbs_model::Model;

/// Highest order of nested rates that series distinguish. Only functions of time have such orders; rows and conditions take at most two rates of
/// positions.
const MOST_RATES: usize = 15;
/// Coefficients of a series that is long enough for every model: two more than [`MOST_RATES`], since ψ takes one rate more than its row. Where one
/// more would do, this length serves as well, because each length is compiled for itself.
pub const MOST_COEFFICIENTS: usize = MOST_RATES + 2;

/// Upper bound of the order of nested rates anywhere in a model; a series needs one coefficient more than that.
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
