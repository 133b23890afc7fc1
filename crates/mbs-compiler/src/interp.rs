//! The interpreter: runs the instruction list that the back ends print, and rounds as generated code does.

use mbs_core::math;
use mbs_expr::{CalledFunction, Function as Call1, Function2 as Call2};

use crate::graph::Stage;
use crate::program::{Function, Input, Op, Operand, PIVOT_TOLERANCE, Statement};

/// Rounding of multiply-adds and sines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fma {
    /// Rounded once, as in generated code where `mbs_core::math::FUSED` is true.
    Fused,
    /// Rounded twice.
    Plain,
}

/// Values of the input arrays, in SI units, and the called functions; arrays that a function does not read may be empty.
#[derive(Clone, Copy, Debug, Default)]
#[allow(missing_docs)] // the names are those of the generated arguments
pub struct Inputs<'a> {
    pub p: &'a [f64],
    pub prepared: &'a [f64],
    pub position: &'a [f64],
    pub velocity: &'a [f64],
    pub t: f64,
    pub q: &'a [f64],
    pub v: &'a [f64],
    pub z: &'a [f64],
    pub u: &'a [f64],
    pub a: &'a [f64],
    pub lambda: &'a [f64],
    pub f: &'a [f64],
    pub g: &'a [f64],
    pub h: f64,
    pub coefficients: &'a [f64],
    pub residual: &'a [f64],
    pub functions: &'a [CalledFunction],
}

impl Inputs<'_> {
    /// An element of an input array.
    ///
    /// # Panics
    /// If the array is shorter.
    pub fn element(&self, input: Input, index: u32) -> f64 {
        let array = match input {
            Input::Time => return self.t,
            Input::Params => unreachable!("functions are no numbers"),
            Input::Parameters => self.p,
            Input::Prepared => self.prepared,
            Input::Slots(Stage::Position) => self.position,
            Input::Slots(_) => self.velocity,
            Input::Coordinates => self.q,
            Input::Speeds => self.v,
            Input::Auxiliary => self.z,
            Input::Inputs => self.u,
            Input::Accelerations => self.a,
            Input::Multipliers => self.lambda,
            Input::Forces => self.f,
            Input::Targets => self.g,
            Input::Step => return self.h,
            Input::StageCoefficients => self.coefficients,
            Input::Residual => self.residual,
        };
        array[index as usize]
    }
}

impl Function {
    /// Runs the function; `outputs` has one array per output, which is overwritten and resized to fit. Called functions that are missing or
    /// not bound return NaN.
    ///
    /// # Errors
    /// The first row whose pivot vanishes. Outputs are then unchanged, unless [`Function::continues_when_singular`].
    pub fn run(&self, inputs: &Inputs<'_>, outputs: &mut [Vec<f64>], fma: Fma) -> Result<(), usize> {
        let mut values = vec![0.0; self.values()];
        let mut singular = Ok(());
        let read = |o: Operand, values: &[f64]| match o {
            Operand::Value(v) => values[v.index()],
            Operand::Literal(x) => x,
            Operand::Input(input, i) => inputs.element(input, i),
        };
        for statement in &self.body {
            match *statement {
                Statement::Let { value, op: Op::SinCos(a) } => {
                    let (sin, cos) = sin_cos(read(a, &values), fma);
                    values[value.index()] = sin;
                    values[value.index() + 1] = cos;
                }
                Statement::Let { value, op: Op::Called(call, list) } => {
                    let x = list.map(|a| read(a, &values));
                    let results = &mut values[value.index()..][..usize::from(call.results)];
                    match inputs.functions.get(call.function.index()) {
                        Some(f) => f.evaluate(&x[..usize::from(call.arguments)], results),
                        None => results.fill(f64::NAN),
                    }
                }
                Statement::Let { value, op } => values[value.index()] = apply(op, |o| read(o, &values), fma),
                Statement::Check { pivot, magnitude, row } => {
                    let (pivot, magnitude) = (read(pivot, &values), read(magnitude, &values));
                    let regular = pivot.abs() > PIVOT_TOLERANCE * magnitude; // false for NaN
                    if !regular && !self.continues_when_singular() {
                        return Err(row);
                    }
                    if !regular && singular.is_ok() {
                        singular = Err(row);
                    }
                }
            }
        }
        for (output, array) in self.outputs.iter().zip(outputs) {
            array.clear();
            array.extend(output.values.iter().map(|o| read(*o, &values)));
        }
        singular
    }
}

/// Result of an operation with one result; `read` returns the value of an operand.
#[inline(always)] // into the loop over all instructions
fn apply<T: Copy>(op: Op<T>, read: impl Fn(T) -> f64, fma: Fma) -> f64 {
    match op {
        Op::Add(a, b) => read(a) + read(b),
        Op::Sub(a, b) => read(a) - read(b),
        Op::Mul(a, b) => read(a) * read(b),
        Op::Div(a, b) => read(a) / read(b),
        Op::Neg(a) => -read(a),
        Op::MulAdd(a, b, c) => match fma {
            Fma::Fused => read(a).mul_add(read(b), read(c)),
            Fma::Plain => read(a) * read(b) + read(c),
        },
        Op::MulSub(a, b, c) => match fma {
            Fma::Fused => read(a).mul_add(read(b), -read(c)),
            Fma::Plain => read(a) * read(b) - read(c),
        },
        Op::NegMulAdd(a, b, c) => match fma {
            Fma::Fused => (-read(a)).mul_add(read(b), read(c)),
            Fma::Plain => read(c) - read(a) * read(b),
        },
        Op::Sqrt(a) => math::sqrt(read(a)),
        Op::SinCos(_) | Op::Called(..) => unreachable!("it has several results"),
        Op::Call(f, a) => apply_unary(f, read(a)),
        Op::Call2(f, a, b) => apply_binary(f, read(a), read(b)),
        Op::Select(test, [left, right, then, otherwise]) => {
            if test.apply(read(left), read(right)) {
                read(then)
            } else {
                read(otherwise)
            }
        }
    }
}

fn sin_cos(x: f64, fma: Fma) -> (f64, f64) {
    match fma {
        Fma::Fused => math::sin_cos_fused(x),
        Fma::Plain => math::sin_cos_plain(x),
    }
}

/// f(a) as generated code computes it; sines are not fused, so that folded literals do not depend on the compiling machine.
pub(crate) fn apply_unary(f: Call1, a: f64) -> f64 {
    match f {
        Call1::Neg => -a,
        Call1::Sqrt => math::sqrt(a),
        Call1::Sin => math::sin_cos_plain(a).0,
        Call1::Cos => math::sin_cos_plain(a).1,
        Call1::Tan => math::tan(a),
        Call1::Asin => math::asin(a),
        Call1::Acos => math::acos(a),
        Call1::Atan => math::atan(a),
        Call1::Sinh => math::sinh(a),
        Call1::Cosh => math::cosh(a),
        Call1::Tanh => math::tanh(a),
        Call1::Exp => math::exp(a),
        Call1::Ln => math::ln(a),
        Call1::Abs => math::abs(a),
        Call1::Signum => math::signum(a),
        Call1::Floor => math::floor(a),
    }
}

/// f(a, b) as generated code computes it.
pub(crate) fn apply_binary(f: Call2, a: f64, b: f64) -> f64 {
    match f {
        Call2::Add => a + b,
        Call2::Sub => a - b,
        Call2::Mul => a * b,
        Call2::Div => a / b,
        Call2::Atan2 => math::atan2(a, b),
        Call2::Min => math::min(a, b),
        Call2::Max => math::max(a, b),
        Call2::Powf => math::powf(a, b),
    }
}
