//! Parameters whose defaults are made of others, and how these follow.

use std::collections::HashMap;

use super::Model;
use crate::{CalledFunction, ExprId, Exprs, MOST_ARGUMENTS, Op};

/// A parameter whose default is an expression in others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DerivedParameter {
    /// Flat index of the parameter.
    pub parameter: usize,
    /// Its default, made of parameters in front of it.
    pub formula: ExprId,
}

impl Model {
    /// Gives parameters whose defaults are expressions the values of these at the parameters around them, in declaration order, so that
    /// they follow each other; those that `is_set` names by their flat index keep theirs. `parameters` are all in declaration order.
    /// Returns the flat indices of those that have changed.
    pub fn follow(&self, parameters: &mut [f64], is_set: &dyn Fn(usize) -> bool) -> Vec<usize> {
        let mut changed = Vec::new();
        for derived in self.derived.iter().filter(|derived| !is_set(derived.parameter)) {
            let Some(value) = self.exprs.at_parameters(derived.formula, &self.functions, parameters) else { continue };
            if parameters[derived.parameter] != value {
                parameters[derived.parameter] = value;
                changed.push(derived.parameter);
            }
        }
        changed
    }

    /// Whether a parameter has the value of its formula at the parameters around it.
    pub fn follows(&self, parameters: &[f64], derived: &DerivedParameter) -> bool {
        let value = self.exprs.at_parameters(derived.formula, &self.functions, parameters);
        value.is_some_and(|value| value == parameters[derived.parameter])
    }
}

impl Exprs {
    /// The value of an expression at parameters; `None` if it depends on anything else, or on a function written in Rust.
    pub(crate) fn at_parameters(&self, x: ExprId, functions: &[CalledFunction], parameters: &[f64]) -> Option<f64> {
        let m = self.mentions(x);
        if m.order.is_some() || m.input || m.auxiliary || m.time || m.opaque {
            return None;
        }
        let mut values: HashMap<ExprId, f64> = HashMap::new();
        for id in self.below(x) {
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
                _ => 0.0, // the rate of something parametric
            };
            values.insert(id, value);
        }
        values.get(&x).copied()
    }
}
