//! Parameters whose defaults are made of others, and how these follow.

use mbs_expr::ExprId;

use super::Model;

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
