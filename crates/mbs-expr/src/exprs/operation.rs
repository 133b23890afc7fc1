//! Evaluation of operations from their operands, over any scalar.

use super::{ExprId, Function2, Op};
use crate::{CalledFunction, FunctionCall, Scalar};

/// Evaluates an operation whose operands `at` returns, at time `t`.
///
/// # Panics
/// If `op` is a leaf whose value a state supplies.
pub fn operation<S: Scalar>(functions: &[CalledFunction], op: Op, at: &dyn Fn(ExprId) -> S, t: S) -> S {
    match op {
        Op::Number(x) => S::number(x),
        Op::Rate(e) => at(e).rate(),
        Op::Called { function: id, partial, arguments, .. } => {
            let call = FunctionCall { id, function: &functions[id.index()], partial };
            S::called(call, &arguments.map(at)[..usize::from(partial.arguments)], t)
        }
        Op::Unary(f, a) => at(a).unary(f),
        Op::Binary(f, a, b) => match f {
            Function2::Add => at(a) + at(b),
            Function2::Sub => at(a) - at(b),
            Function2::Mul => at(a) * at(b),
            Function2::Div => at(a) / at(b),
            _ => at(a).binary(f, at(b)),
        },
        Op::Select(test, [l, r, t, e]) => S::select(test, at(l), at(r), at(t), at(e)),
        _ => unreachable!("a state supplies the value of a leaf"),
    }
}

/// Operands of an operation, in order.
pub fn operands(op: Op) -> impl Iterator<Item = ExprId> {
    let (list, n) = match op {
        Op::Rate(a) | Op::Unary(_, a) => ([a; 4], 1),
        Op::Called { partial, arguments, .. } => (arguments, usize::from(partial.arguments)),
        Op::Binary(_, a, b) => ([a, b, a, b], 2),
        Op::Select(_, list) => (list, 4),
        _ => ([ExprId(0); 4], 0),
    };
    list.into_iter().take(n)
}
