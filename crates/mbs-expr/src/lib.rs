//! Scalar expressions of a mechanism: the arena that contains them, the functions that they call, and the scalars over which they are evaluated.

mod exprs;
mod functions;
mod ids;
mod scalar;
mod spline;

pub use exprs::{
    Branch, Comparison, Expr, ExprId, Exprs, Function, Function2, Mentions, Op, Writer, operands, operation,
};
pub use functions::{
    CalledFunction, CalledKind, FunctionCall, FunctionError, FunctionSource, MOST_ARGUMENTS, MOST_DERIVATIVES,
    MOST_RESULTS, Partial, Results, RustFunction, RustFunctionOfMany, StandIn, set_function,
};
pub use ids::{BodyId, FunctionId, JointId, MarkerId};
pub use scalar::{Dual, LongSeries, Scalar, Series, function_of_time};
pub use spline::{Fit, GridSpline, SPLINE_RESULTS, Spline};
