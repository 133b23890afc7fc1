//! The interpreter: runs the instruction list that the back ends print, and rounds as generated code does.

use mbs_core::math;
use mbs_expr::{CalledFunction, Function as Call1, Function2 as Call2};
use rustc_hash::FxHashMap;

use crate::graph::Stage;
use crate::program::{ColumnSolve, Function, Input, Op, Operand, PIVOT_TOLERANCE, Statement};

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
    /// [`Code::run`] of the function, for a single run.
    ///
    /// # Errors
    /// As [`Code::run`].
    pub fn run(&self, inputs: &Inputs<'_>, outputs: &mut [Vec<f64>], fma: Fma) -> Result<(), usize> {
        Code::new(self).run(inputs, outputs, fma)
    }
}

/// A function as the interpreter runs it: its literals, the elements of inputs that it reads, and its values are in one list of numbers, which
/// operands index.
#[derive(Clone, Debug)]
pub struct Code {
    literals: Vec<f64>,
    inputs: Vec<(Input, u32)>,
    steps: Vec<Step>,
    outputs: Vec<Vec<u32>>,
    solve: Option<ColumnSolve>,
    /// Length of the list of numbers.
    numbers: usize,
    continues_when_singular: bool,
}

/// [`Statement`] on indices of numbers.
#[derive(Clone, Copy, Debug)]
enum Step {
    Let { to: u32, op: Op<u32> },
    Check { pivot: u32, magnitude: u32, row: u32 },
}

/// Literals and elements of inputs with their indices.
#[derive(Default)]
struct Sources {
    literals: Vec<f64>,
    inputs: Vec<(Input, u32)>,
    literal_indices: FxHashMap<u64, u32>,
    input_indices: FxHashMap<(Input, u32), u32>,
}

impl Sources {
    fn add(&mut self, operand: Operand) {
        match operand {
            Operand::Value(_) => {}
            Operand::Literal(x) => {
                self.literal_indices.entry(x.to_bits()).or_insert_with(|| {
                    self.literals.push(x);
                    self.literals.len() as u32 - 1
                });
            }
            Operand::Input(input, i) => {
                self.input_indices.entry((input, i)).or_insert_with(|| {
                    self.inputs.push((input, i));
                    self.inputs.len() as u32 - 1
                });
            }
        }
    }

    /// Index of an operand in the list of numbers: literals, then inputs, then values.
    fn index(&self, operand: Operand) -> u32 {
        let (literals, inputs) = (self.literals.len() as u32, self.inputs.len() as u32);
        match operand {
            Operand::Literal(x) => self.literal_indices[&x.to_bits()],
            Operand::Input(input, i) => literals + self.input_indices[&(input, i)],
            Operand::Value(value) => literals + inputs + value.0,
        }
    }
}

impl Code {
    /// Code of a function.
    pub fn new(function: &Function) -> Code {
        let mut sources = Sources::default();
        function.operands().for_each(|operand| sources.add(operand));
        let index = |operand| sources.index(operand);
        let step = |statement: &Statement| match *statement {
            Statement::Let { value, op } => Step::Let { to: index(Operand::Value(value)), op: op.map(index) },
            Statement::Check { pivot, magnitude, row } => {
                Step::Check { pivot: index(pivot), magnitude: index(magnitude), row: row as u32 }
            }
        };
        let steps = function.body.iter().map(step).collect();
        let outputs = function.outputs.iter().map(|o| o.values.iter().map(|x| index(*x)).collect()).collect();
        let numbers = sources.literals.len() + sources.inputs.len() + function.values();
        let continues_when_singular = function.continues_when_singular();
        let Sources { literals, inputs, .. } = sources;
        let solve = function.solve.clone();
        Code { literals, inputs, steps, outputs, solve, numbers, continues_when_singular }
    }

    /// Runs the function; `outputs` has one array for each of [`Function::results`], which is overwritten and resized to fit. Called functions that are missing or
    /// not bound return NaN.
    ///
    /// # Errors
    /// The first row whose pivot vanishes. Outputs are then unchanged, unless [`Function::continues_when_singular`].
    ///
    /// # Panics
    /// If an input is shorter than the elements that the function reads.
    pub fn run(&self, inputs: &Inputs<'_>, outputs: &mut [Vec<f64>], fma: Fma) -> Result<(), usize> {
        let mut numbers = Vec::with_capacity(self.numbers);
        numbers.extend_from_slice(&self.literals);
        numbers.extend(self.inputs.iter().map(|(input, i)| inputs.element(*input, *i)));
        numbers.resize(self.numbers, 0.0);
        let singular = match fma {
            Fma::Fused => self.execute::<true>(&mut numbers, inputs.functions),
            Fma::Plain => self.execute::<false>(&mut numbers, inputs.functions),
        };
        if let Some(row) = singular.filter(|_| !self.continues_when_singular) {
            return Err(row);
        }
        if let Some(solve) = &self.solve {
            self.solve_columns(solve, &numbers, outputs, fma);
        } else {
            for (output, array) in self.outputs.iter().zip(outputs) {
                array.clear();
                array.extend(output.iter().map(|i| numbers[*i as usize]));
            }
        }
        singular.map_or(Ok(()), Err)
    }

    /// Overwrites outputs with solutions.
    fn solve_columns(&self, solve: &ColumnSolve, numbers: &[f64], outputs: &mut [Vec<f64>], fma: Fma) {
        let values = |output: &Vec<u32>| output.iter().map(|i| numbers[*i as usize]).collect();
        let mut all: Vec<Vec<f64>> = self.outputs.iter().map(values).collect();
        match fma {
            Fma::Fused => solve.solve(&mut all, mbs_core::solve_columns_fused::<1>),
            Fma::Plain => solve.solve(&mut all, mbs_core::solve_columns_plain::<1>),
        }
        all.remove(solve.factor);
        outputs.iter_mut().zip(all).for_each(|(output, values)| *output = values);
    }

    /// Computes the values, and returns the first singular row. After that row, values are computed only if the function continues.
    fn execute<const FUSED: bool>(&self, numbers: &mut [f64], functions: &[CalledFunction]) -> Option<usize> {
        let fma = if FUSED { Fma::Fused } else { Fma::Plain };
        let mut singular = None;
        for step in &self.steps {
            match *step {
                Step::Let { to, op: Op::SinCos(a) } => {
                    let (sin, cos) = sin_cos(numbers[a as usize], fma);
                    numbers[to as usize] = sin;
                    numbers[to as usize + 1] = cos;
                }
                Step::Let { to, op: Op::Called(call, list) } => {
                    let x = list.map(|a| numbers[a as usize]);
                    let results = &mut numbers[to as usize..][..usize::from(call.results)];
                    match functions.get(call.function.index()) {
                        Some(f) => f.evaluate(&x[..usize::from(call.arguments)], results),
                        None => results.fill(f64::NAN),
                    }
                }
                Step::Let { to, op } => numbers[to as usize] = apply(op, |i| numbers[i as usize], fma),
                Step::Check { pivot, magnitude, row } => {
                    let (pivot, magnitude) = (numbers[pivot as usize], numbers[magnitude as usize]);
                    let regular = pivot.abs() > PIVOT_TOLERANCE * magnitude; // false for NaN
                    if !regular {
                        singular = singular.or(Some(row as usize));
                        if !self.continues_when_singular {
                            break;
                        }
                    }
                }
            }
        }
        singular
    }
}

/// Result of an operation with one result; `read` returns the number with an index.
#[inline(always)] // into the loop over all steps
fn apply(op: Op<u32>, read: impl Fn(u32) -> f64, fma: Fma) -> f64 {
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
