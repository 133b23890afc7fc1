//! Values of expressions of parameters alone.

use mbs_core::CubicSpline;
use mbs_expr::{CalledFunction, ExprId, FunctionError, FunctionId, FunctionSource, Op, Scalar, Series, set_function};
use mbs_math::{Vec2, Vector};
use mbs_model::Model;

/// Values of all expressions that no state enters, by expression.
#[derive(Clone, Debug)]
pub(crate) struct Constants {
    values: Vec<f64>,
    constant: Vec<bool>,
    functions: Vec<CalledFunction>,
    zero: ExprId,
}

impl Constants {
    /// Finds the constant expressions of a model; values are not set yet.
    pub fn new(model: &mut Model) -> Self {
        let zero = model.exprs.constant(0.0);
        let exprs = &model.exprs;
        let constant: Vec<bool> = (0..exprs.len() as u32)
            .map(|i| {
                let m = exprs.mentions(ExprId(i));
                m.order.is_none() && !m.input && !m.auxiliary && !m.time && !m.multiplier
            })
            .collect();
        Constants { values: vec![0.0; constant.len()], constant, functions: model.functions.clone(), zero }
    }

    /// Whether an expression is constant.
    pub fn contains(&self, id: ExprId) -> bool {
        self.constant[id.0 as usize]
    }

    /// The called function of an id.
    pub fn function(&self, id: FunctionId) -> &CalledFunction {
        &self.functions[id.index()]
    }

    /// Whether constants, such as numbers of bodies and joints, depend on a function that is set at run time.
    pub fn depend_on_functions(&self, model: &Model) -> bool {
        let settable = |op: Op| matches!(op, Op::Called { source: FunctionSource::Settable, .. });
        (0..self.constant.len()).any(|i| self.constant[i] && settable(model.exprs.op(ExprId(i as u32))))
    }

    /// All called functions.
    pub fn functions(&self) -> &[CalledFunction] {
        &self.functions
    }

    /// All called functions, for replacement.
    pub fn functions_mut(&mut self) -> &mut Vec<CalledFunction> {
        &mut self.functions
    }

    /// Sets a spline; values computed from it have to be evaluated again.
    pub fn set_function<const N: usize, const M: usize>(
        &mut self,
        name: &str,
        spline: &CubicSpline<N, M>,
    ) -> Result<(), FunctionError> {
        set_function(&mut self.functions, name, spline)
    }

    /// The expression zero.
    pub fn zero(&self) -> ExprId {
        self.zero
    }

    /// Value of a constant expression.
    pub fn value(&self, id: ExprId) -> f64 {
        self.values[id.0 as usize]
    }

    /// Values of two constant expressions.
    pub fn pair(&self, ids: [ExprId; 2]) -> Vec2<f64> {
        Vector(ids.map(|e| self.value(e)))
    }

    /// Evaluates all constant expressions at flat parameters.
    pub fn evaluate(&mut self, model: &Model, parameters: &[f64]) {
        for i in 0..self.values.len() {
            if !self.constant[i] {
                continue;
            }
            let at = |e: ExprId| Series::<1>::constant(self.values[e.0 as usize]);
            let value = match model.exprs.op(ExprId(i as u32)) {
                Op::Number(x) => x,
                Op::Parameter(p) => parameters[p as usize],
                Op::Called { function, partial, arguments, .. } => {
                    let x = arguments.map(|a| at(a).value());
                    self.functions[function.index()].partial(partial, &x[..usize::from(partial.arguments)])
                }
                Op::Unary(f, a) => at(a).unary(f).value(),
                Op::Binary(f, a, b) => f.apply(at(a).value(), at(b).value()),
                Op::Select(test, [l, r, t, e]) => Series::select(test, at(l), at(r), at(t), at(e)).value(),
                // All other operations on constants are rates, which vanish.
                _ => 0.0,
            };
            self.values[i] = value;
        }
    }
}
