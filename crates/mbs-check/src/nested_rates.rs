//! Counts nested time derivatives: the order of rates of rates in a model.

use mbs_expr::{ExprId, Op, Series};
use mbs_model::Model;

/// A series that is long enough for every model: a motion has two nested rates at most, and ψ takes one rate more than its row. Rates of functions
/// of time may be nested deeper, but have all coefficients ([`mbs_expr::function_of_time`]).
pub type Motion = Series<4>;

/// Upper bound of the order of nested rates anywhere in a model, except in functions of time; a series needs one coefficient more than that.
pub fn nested_rates(model: &Model) -> usize {
    let exprs = &model.exprs;
    let mut nested: Vec<usize> = Vec::with_capacity(exprs.len());
    for id in (0..exprs.len() as u32).map(ExprId) {
        let op = exprs.op(id);
        let below = exprs.children(op).into_iter().flatten().map(|c| nested[c.0 as usize]).max().unwrap_or(0);
        let counts = matches!(op, Op::Rate(_)) && !exprs.mentions(id).is_of_time();
        nested.push(below + usize::from(counts));
    }
    nested.into_iter().max().unwrap_or(0)
}
