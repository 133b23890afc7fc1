//! Values of expressions that depend on parameters only.

use super::{ExprId, Exprs, Op};
use crate::{CalledFunction, MOST_ARGUMENTS};
use rustc_hash::FxHashMap as HashMap;

impl Exprs {
    /// The value of an expression at `parameters`, flat; `None` if it depends on other quantities, or on a Rust function.
    pub fn value_at_parameters(&self, x: ExprId, functions: &[CalledFunction], parameters: &[f64]) -> Option<f64> {
        let m = self.mentions(x);
        if m.order.is_some() || m.input || m.auxiliary || m.time || m.opaque {
            return None;
        }
        let mut values: HashMap<ExprId, f64> = HashMap::default();
        for id in self.subexpressions(x) {
            let value = match self.op(id) {
                Op::Number(value) => value,
                Op::Parameter(flat) => parameters[flat as usize],
                Op::Unary(f, a) => f.apply(values[&a]),
                Op::Binary(f, a, b) => f.apply(values[&a], values[&b]),
                Op::Called { function, partial, arguments, .. } => {
                    let x: [f64; MOST_ARGUMENTS] = arguments.map(|e| values.get(&e).copied().unwrap_or(0.0));
                    functions[function.index()].partial(partial, &x[..usize::from(partial.arguments)])
                }
                Op::Select(test, [left, right, then, otherwise]) => {
                    if test.apply(values[&left], values[&right]) {
                        values[&then]
                    } else {
                        values[&otherwise]
                    }
                }
                _ => 0.0, // the rate of a constant
            };
            values.insert(id, value);
        }
        values.get(&x).copied()
    }
}
