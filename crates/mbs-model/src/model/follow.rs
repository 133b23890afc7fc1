//! Parameters whose defaults are expressions in other parameters.

use mbs_expr::ExprId;

use super::Model;

/// A parameter whose default is an expression in other parameters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DerivedParameter {
    /// Flat index of the parameter.
    pub parameter: usize,
    /// Its default, made of parameters that are declared before it.
    pub formula: ExprId,
}

impl Model {
    /// Updates the parameters whose defaults are expressions: each gets the value of its formula at the current parameters, in declaration
    /// order, so that a formula sees the updated values before it. Parameters for whose flat index `is_set` returns true keep their values.
    /// `parameters` are all parameters, flat. Returns the flat indices of those that have changed.
    pub fn update_derived(&self, parameters: &mut [f64], is_set: &dyn Fn(usize) -> bool) -> Vec<usize> {
        let mut changed = Vec::new();
        for derived in self.quantities.derived.iter().filter(|derived| !is_set(derived.parameter)) {
            let Some(value) = self.exprs.value_at_parameters(derived.formula, &self.functions, parameters) else {
                continue;
            };
            if parameters[derived.parameter] != value {
                parameters[derived.parameter] = value;
                changed.push(derived.parameter);
            }
        }
        changed
    }

    /// Whether a parameter has the value of its formula at the other parameters.
    pub fn matches_formula(&self, parameters: &[f64], derived: &DerivedParameter) -> bool {
        let value = self.exprs.value_at_parameters(derived.formula, &self.functions, parameters);
        value.is_some_and(|value| value == parameters[derived.parameter])
    }
}
