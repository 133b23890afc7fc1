//! Numbers of parametric expressions at the default parameters.

use std::collections::HashMap;

use super::Resolver;
use crate::{ExprId, MOST_ARGUMENTS, Op};

impl Resolver<'_> {
    /// Value at the default parameters; `None` if the expression depends on anything else, or on a function written in Rust.
    pub(super) fn at_defaults(&self, x: ExprId) -> Option<f64> {
        let m = self.exprs.mentions(x);
        if m.order.is_some() || m.input || m.auxiliary || m.time || m.opaque {
            return None;
        }
        let mut values: HashMap<ExprId, f64> = HashMap::new();
        for id in self.exprs.below(x) {
            let value = match self.exprs.op(id) {
                Op::Number(value) => value,
                Op::Parameter(flat) => self.defaults[flat as usize],
                Op::Unary(f, a) => f.apply(values[&a]),
                Op::Binary(f, a, b) => f.apply(values[&a], values[&b]),
                Op::Called { function, partial, arguments, .. } => {
                    let x: [f64; MOST_ARGUMENTS] = arguments.map(|e| values.get(&e).copied().unwrap_or(0.0));
                    self.functions[function.index()].partial(partial, &x[..usize::from(partial.arguments)])
                }
                Op::Select(test, [left, right, then, otherwise]) => {
                    if test.apply(values[&left], values[&right]) {
                        values[&then]
                    } else {
                        values[&otherwise]
                    }
                }
                _ => 0.0, // the rate of something parametric
            };
            values.insert(id, value);
        }
        values.get(&x).copied()
    }
}
