//! Functions of time as one long Taylor series: their rates may be nested deeper than those of a motion.

use std::collections::BTreeMap;

use crate::{CalledFunction, ExprId, Exprs, Op, Series, operands, operation};

/// A series with coefficients for the deepest nested rates that a mechanism may have, and for those that rows take of them.
pub type LongSeries = Series<16>;

/// Evaluates an expression that contains time and parameters alone ([`Mentions::is_of_time`](crate::Mentions::is_of_time)) at the time whose value
/// and rate are `t`: rate 1 where time passes, 0 where it stands still. `None` if `parameters` does not know a value.
///
/// # Panics
/// If the expression contains a quantity of the state.
pub fn function_of_time(
    exprs: &Exprs,
    functions: &[CalledFunction],
    parameters: &dyn Fn(u32) -> Option<f64>,
    t: [f64; 2],
    e: ExprId,
) -> Option<LongSeries> {
    let t = LongSeries::linear(t[0], t[1]);
    let mut known: BTreeMap<ExprId, LongSeries> = BTreeMap::new();
    let mut stack = vec![e];
    while let Some(&next) = stack.last() {
        let op = exprs.op(next);
        let before = stack.len();
        stack.extend(operands(op).filter(|operand| !known.contains_key(operand)));
        if stack.len() == before {
            let value = match op {
                Op::Time => t,
                Op::Parameter(i) => Series::constant(parameters(i)?),
                op => operation(functions, op, &|operand| known[&operand], t),
            };
            known.insert(next, value);
            stack.pop();
        }
    }
    Some(known[&e])
}
