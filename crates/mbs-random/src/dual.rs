//! Functions of a program on dual numbers: every operation is differentiated, including the factorisation.

use mbs_compiler::interp::Inputs;
use mbs_compiler::program::{Function, Op, Operand, Statement};
use mbs_expr::{CalledFunction, Function as Function1, FunctionCall, MOST_DERIVATIVES, Partial, Scalar, Series};

/// A value and its derivative.
pub type Dual = Series<2>;

/// Values of the outputs and their derivatives; `along` contains the derivatives of the inputs. Multiply-adds are rounded twice.
pub fn run(function: &Function, at: &Inputs<'_>, along: &Inputs<'_>) -> Vec<Vec<Dual>> {
    let mut values = vec![Dual::number(0.0); function.values()];
    let read = |operand: Operand, values: &[Dual]| match operand {
        Operand::Value(value) => values[value.index()],
        Operand::Literal(x) => Dual::number(x),
        Operand::Input(input, i) => Dual::linear(at.element(input, i), along.element(input, i)),
    };
    for statement in &function.body {
        let Statement::Let { value, op } = *statement else { continue };
        let i = value.index();
        match op {
            Op::SinCos(a) => (values[i], values[i + 1]) = read(a, &values).sin_cos(),
            Op::Called(call, list) => {
                let x = list.map(|a| read(a, &values));
                let x = &x[..usize::from(call.arguments)];
                let function = &at.functions[call.function.index()];
                for partial in partials(call.arguments, function) {
                    let Some(place) = function.result_index(partial) else { continue };
                    let call = FunctionCall { id: call.function, function, partial };
                    values[i + place] = Dual::called(call, x, Dual::number(at.t));
                }
            }
            op => values[i] = apply(op.map(|o| read(o, &values))),
        }
    }
    let mut outputs: Vec<Vec<Dual>> =
        function.outputs.iter().map(|o| o.values.iter().map(|v| read(*v, &values)).collect()).collect();
    if let Some(solve) = &function.solve {
        solve.solve(&mut outputs, |steps, factor, speeds, rows| {
            mbs_core::substitute::<Dual, 1>(steps, factor, [speeds, rows], |a, b| a * b, |a, b, c| a - b * c);
        });
        outputs.remove(solve.factor);
    }
    outputs
}

/// Every derivative that a function may give, up to the highest order.
fn partials(arguments: u8, function: &CalledFunction) -> Vec<Partial> {
    let mut all = Vec::new();
    for value in 0..function.values() as u8 {
        let mut orders = vec![Partial::value(arguments, value)];
        for _ in 0..=MOST_DERIVATIVES {
            all.append(&mut orders.clone());
            let more = |p: &Partial| (0..usize::from(arguments)).map(|i| p.differentiated(i)).collect::<Vec<_>>();
            orders = orders.iter().flat_map(more).collect();
            orders.sort_unstable();
            orders.dedup();
        }
    }
    all
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
        Op::SinCos(_) | Op::Called(..) => unreachable!("they have two results or more"),
    }
}

/// Prepared parameters, and their derivatives for `derivatives` of the parameters.
pub fn prepared(prepare: &Function, at: &Inputs<'_>, derivatives: &[f64]) -> (Vec<f64>, Vec<f64>) {
    let none = Inputs { p: derivatives, ..Inputs::default() };
    let outputs = run(prepare, at, &none);
    outputs.first().into_iter().flatten().map(|x| (x.0[0], x.0[1])).unzip()
}
