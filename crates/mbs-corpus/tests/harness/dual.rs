//! Functions of a program on dual numbers: every operation is differentiated, the factorisation with it.

use mbs_codegen::interp::Inputs;
use mbs_codegen::program::{Function, Op, Operand, Statement};
use mbs_model::{Function as Function1, Scalar, Series};

/// A value and its slope.
pub type Dual = Series<2>;

/// Values of the outputs and their slopes, where inputs have the slopes of `along`. Multiply-adds are rounded twice.
pub fn run(function: &Function, at: &Inputs<'_>, along: &Inputs<'_>) -> Vec<Vec<Dual>> {
    let mut values = vec![Dual::number(0.0); function.values()];
    let read = |operand: Operand, values: &[Dual]| match operand {
        Operand::Value(value) => values[value.index()],
        Operand::Literal(x) => Dual::number(x),
        Operand::Input(input, i) => Dual::linear(at.at(input, i), along.at(input, i)),
    };
    for statement in &function.body {
        let Statement::Let { value, op } = *statement else { continue };
        let i = value.index();
        match op {
            Op::SinCos(a) => (values[i], values[i + 1]) = read(a, &values).sin_cos(),
            Op::Opaque(f, derivatives, a) => {
                let x = read(a, &values);
                let all = at.opaque[f.index()].evaluate(x.value());
                (0..=usize::from(derivatives)).for_each(|k| values[i + k] = x.compose(&all[k..]));
            }
            op => values[i] = apply(op.map(|o| read(o, &values))),
        }
    }
    function.outputs.iter().map(|o| o.values.iter().map(|v| read(*v, &values)).collect()).collect()
}

fn apply(op: Op<Dual>) -> Dual {
    match op {
        Op::Add(a, b) => a + b,
        Op::Sub(a, b) => a - b,
        Op::Mul(a, b) => a * b,
        Op::Div(a, b) => a / b,
        Op::Neg(a) => -a,
        Op::MulAdd(a, b, c) => a * b + c,
        Op::MulSub(a, b, c) => a * b - c,
        Op::NegMulAdd(a, b, c) => c - a * b,
        Op::Sqrt(a) => a.unary(Function1::Sqrt),
        Op::Call(f, a) => a.unary(f),
        Op::Call2(f, a, b) => a.binary(f, b),
        Op::Select(test, [left, right, then, otherwise]) => Dual::select(test, left, right, then, otherwise),
        Op::SinCos(_) | Op::Opaque(..) => unreachable!("they have two results or more"),
    }
}

/// Parameters prepared, with their slopes along `slopes` of the parameters.
pub fn prepared(prepare: &Function, at: &Inputs<'_>, slopes: &[f64]) -> (Vec<f64>, Vec<f64>) {
    let none = Inputs { p: slopes, ..Inputs::default() };
    let outputs = run(prepare, at, &none);
    outputs.first().into_iter().flatten().map(|x| (x.0[0], x.0[1])).unzip()
}
