//! Values of expressions at the default parameters.

use mbs_expr::ExprId;

use crate::Resolver;

impl Resolver<'_> {
    /// Value at the default parameters; `None` if the expression depends on anything else, or on a function written in Rust.
    pub(crate) fn at_defaults(&self, x: ExprId) -> Option<f64> {
        self.exprs.value_at_parameters(x, &self.functions.called, &self.quantities.defaults)
    }
}
