//! Programs: flat instruction lists that the interpreter runs and the back ends print.
//!
//! A program is data. Every value is assigned once; operands are earlier values, literals or elements of input arrays.

mod columns;
mod counts;

use std::collections::{BTreeMap, BTreeSet};

use mbs_expr::{
    CalledFunction, Comparison, Function as Call1, Function2 as Call2, FunctionId, FunctionSource, MOST_ARGUMENTS,
};

use crate::graph::{Stage, Symbol};

pub use columns::{ColumnMatrix, ColumnSolve, solve_each_column};
pub use counts::{Counts, latency};

/// A pivot d is regular if |d| > `PIVOT_TOLERANCE` · (sum of the absolute terms of which d is the sum): a few rounding errors of these terms
/// are at most 1e-3 of the smallest regular pivot.
pub const PIVOT_TOLERANCE: f64 = 1e-12;

/// All functions of one mechanism.
#[derive(Clone, Debug, PartialEq)]
pub struct Program {
    /// p → prepared values: everything that depends on parameters alone.
    pub prepare: Function,
    /// The entries of all groups, in order.
    pub functions: Vec<Function>,
    /// Functions that the program may call, by [`FunctionId`].
    pub called: Vec<Called>,
}

/// A function that a program may call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Called {
    /// Its name.
    pub name: String,
    /// Source of its values: data, parameters or Rust.
    pub source: FunctionSource,
    /// Number of arguments.
    pub arguments: usize,
    /// Number of components, if its value is a vector.
    pub shape: Option<usize>,
    /// Count of numbers for each component: its value and its derivatives.
    pub numbers_per_component: usize,
}

impl Called {
    /// Describes a function of the model.
    pub fn new(f: &CalledFunction) -> Called {
        let (arguments, shape, numbers_per_component) = (f.arguments, f.shape, f.results_of_value());
        Called { name: f.name.clone(), source: f.source(), arguments, shape, numbers_per_component }
    }
}

/// A call of a function of the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Call {
    /// The function.
    pub function: FunctionId,
    /// Number of arguments.
    pub arguments: u8,
    /// Number of results.
    pub results: u16,
    /// Whether the function is set at run time and stored with the parameters.
    pub settable: bool,
}

/// Lengths of the input arrays.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct InputSizes {
    /// Flat parameters p.
    pub parameters: usize,
    /// Coordinates q.
    pub coordinates: usize,
    /// Speeds v, and with them accelerations a and right sides f.
    pub speeds: usize,
    /// Auxiliary states z.
    pub auxiliary: usize,
    /// Inputs u.
    pub inputs: usize,
    /// Rows: multipliers λ and right sides g.
    pub rows: usize,
}

/// Inputs of a function, in the order of its signature.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Input {
    /// Functions that are set at run time and stored with the parameters.
    Params,
    /// p, in `prepare` only.
    Parameters,
    /// Values computed by `prepare`.
    Prepared,
    /// Values stored by the function that fills this stage.
    Slots(Stage),
    /// t.
    Time,
    /// q.
    Coordinates,
    /// v.
    Speeds,
    /// z.
    Auxiliary,
    /// u.
    Inputs,
    /// a.
    Accelerations,
    /// λ.
    Multipliers,
    /// Right side f.
    Forces,
    /// Right side g.
    Targets,
    /// h.
    Step,
    /// Coefficients s, p, e and k of a stage of an implicit step.
    StageCoefficients,
    /// Residual of a stage of an implicit step: displacements, speeds, auxiliary states.
    Residual,
}

/// Number of coefficients of a stage of an implicit step, [`Input::StageCoefficients`]: s, p, e and k.
pub const STAGE_COEFFICIENTS: usize = 4;

impl Input {
    /// Name of the argument.
    pub fn name(self) -> &'static str {
        match self {
            Input::Params => "params",
            Input::Parameters => "p",
            Input::Prepared => "prepared",
            Input::Slots(stage) => stage_name(stage),
            Input::Time => "t",
            Input::Coordinates => "q",
            Input::Speeds => "v",
            Input::Auxiliary => "z",
            Input::Inputs => "u",
            Input::Accelerations => "a",
            Input::Multipliers => "lambda",
            Input::Forces => "f",
            Input::Targets => "g",
            Input::Step => "h",
            Input::StageCoefficients => "coefficients",
            Input::Residual => "residual",
        }
    }

    /// The array that contains a symbol's value, and the index in it.
    ///
    /// # Panics
    /// On solver symbols: they are substituted before.
    pub fn from_symbol(symbol: Symbol) -> (Input, u32) {
        match symbol {
            Symbol::Parameter(i) => (Input::Parameters, i),
            Symbol::Time => (Input::Time, 0),
            Symbol::Coordinate(i) => (Input::Coordinates, i),
            Symbol::Speed(i) => (Input::Speeds, i),
            Symbol::Acceleration(i) => (Input::Accelerations, i),
            Symbol::Auxiliary(i) => (Input::Auxiliary, i),
            Symbol::Input(i) => (Input::Inputs, i),
            Symbol::Multiplier(i) => (Input::Multipliers, i),
            Symbol::Force(i) => (Input::Forces, i),
            Symbol::Target(i) => (Input::Targets, i),
            Symbol::Step => (Input::Step, 0),
            Symbol::StageCoefficient(i) => (Input::StageCoefficients, i),
            Symbol::Residual(i) => (Input::Residual, i),
            Symbol::SolverCoordinate(_)
            | Symbol::SolverSpeed(_)
            | Symbol::SolverAcceleration(_)
            | Symbol::Reaction(_)
            | Symbol::PrescribedLoad(_)
            | Symbol::Defined(_)
            | Symbol::Operand(_) => {
                panic!("solver symbols are substituted before lowering: {symbol:?}")
            }
        }
    }
}

/// Name of the value of a stage.
pub fn stage_name(stage: Stage) -> &'static str {
    match stage {
        Stage::Constant => "constant",
        Stage::Parameters => "prepared",
        Stage::Position => "position",
        Stage::Velocity => "velocity",
        Stage::Acceleration => "acceleration",
    }
}

/// An argument: an input and its length. Times are passed by value, everything else as `&[f64; size]`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Argument {
    /// The input.
    pub input: Input,
    /// Length of the array, 1 for times.
    pub size: usize,
}

/// Purpose of an output array.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// A result that the entry requests.
    Result,
    /// Values of this stage that later functions of the group read as [`Input::Slots`].
    Slots(Stage),
    /// An array of the function itself: the factor of a [`ColumnSolve`].
    Local,
}

/// An output array `&mut [f64; values.len()]`, overwritten completely.
#[derive(Clone, Debug, PartialEq)]
pub struct Output {
    /// Name of the argument.
    pub name: String,
    /// Its purpose.
    pub role: Role,
    /// Its elements, in order.
    pub values: Vec<Operand>,
}

/// One function.
#[derive(Clone, Debug, PartialEq)]
pub struct Function {
    /// Name in snake_case.
    pub name: String,
    /// Text of its documentation, without costs.
    pub docs: String,
    /// Stage at which it runs.
    pub stage: Stage,
    /// Its inputs: those that its body reads, in the order of [`Input`].
    pub inputs: Vec<Argument>,
    /// Its outputs; the slots of its stage come last.
    pub outputs: Vec<Output>,
    /// Its instructions.
    pub body: Vec<Statement>,
    /// Suggested name of each value.
    pub names: Vec<Option<String>>,
    /// Suggested names of the prepared values that it reads.
    pub prepared: BTreeMap<u32, String>,
    /// A linear system that is solved after the instructions, with outputs as right sides.
    pub solve: Option<ColumnSolve>,
    /// Its costs.
    pub counts: Counts,
}

impl Function {
    /// Number of values.
    pub fn values(&self) -> usize {
        self.names.len()
    }

    /// Its outputs without arrays of its own.
    pub fn results(&self) -> impl Iterator<Item = &Output> {
        self.outputs.iter().filter(|o| o.role != Role::Local)
    }

    /// Operands of its instructions and outputs, in order.
    pub fn operands(&self) -> impl Iterator<Item = Operand> + '_ {
        let body = self.body.iter().flat_map(Statement::operands);
        body.chain(self.outputs.iter().flat_map(|o| o.values.iter().copied()))
    }

    /// Rows of its pivot checks, in order.
    pub fn checked_rows(&self) -> impl Iterator<Item = usize> + '_ {
        self.body.iter().filter_map(|s| match s {
            Statement::Check { row, .. } => Some(*row),
            Statement::Let { .. } => None,
        })
    }

    /// Whether it has a check that can report a singular row.
    pub fn is_checked(&self) -> bool {
        self.checked_rows().next().is_some()
    }

    /// Whether it continues when a row is singular: a stage's values are also read by kinematics, which needs no pivot. Other functions
    /// stop there and leave their outputs unchanged.
    pub fn continues_when_singular(&self) -> bool {
        self.outputs.iter().any(|o| matches!(o.role, Role::Slots(_)))
    }

    /// Whether fused and plain arithmetic differ.
    pub fn has_fused(&self) -> bool {
        self.solve.is_some() || self.body.iter().any(|s| matches!(s, Statement::Let { op, .. } if op.is_fused()))
    }
}

/// Index of a value, which is assigned once. A [`Op::SinCos`] assigns two, the sine and then the cosine; a [`Op::Called`] assigns values and
/// their derivatives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ValueId(pub u32);

impl ValueId {
    /// As an index.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// Source of a number.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Operand {
    /// The result of an earlier instruction.
    Value(ValueId),
    /// A literal of the program.
    Literal(f64),
    /// An element of an input array.
    Input(Input, u32),
}

/// Indices of the prepared values among operands.
pub fn prepared_indices(operands: impl IntoIterator<Item = Operand>) -> BTreeSet<u32> {
    let index = |operand| match operand {
        Operand::Input(Input::Prepared, i) => Some(i),
        _ => None,
    };
    operands.into_iter().filter_map(index).collect()
}

/// One instruction.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Statement {
    /// value = op.
    Let {
        /// The (first) value assigned.
        value: ValueId,
        /// The operation.
        op: Op,
    },
    /// |pivot| > [`PIVOT_TOLERANCE`] · magnitude, else `row` is singular.
    Check {
        /// The pivot d.
        pivot: Operand,
        /// Sum of the absolute terms of which d is the sum.
        magnitude: Operand,
        /// The speed or row to which it belongs.
        row: usize,
    },
}

/// One operation on operands of type `T`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Op<T = Operand> {
    /// a + b.
    Add(T, T),
    /// a − b.
    Sub(T, T),
    /// a b.
    Mul(T, T),
    /// a / b.
    Div(T, T),
    /// −a.
    Neg(T),
    /// a b + c.
    MulAdd(T, T, T),
    /// a b − c.
    MulSub(T, T, T),
    /// c − a b.
    NegMulAdd(T, T, T),
    /// √a.
    Sqrt(T),
    /// sin a and cos a.
    SinCos(T),
    /// f(a); neither sine, cosine nor square root.
    Call(Call1, T),
    /// f(a, b); not arithmetic.
    Call2(Call2, T, T),
    /// if left ⋚ right { then } else { otherwise }.
    Select(Comparison, [T; 4]),
    /// All values of a called function, each with its derivatives; it reads as many of the operands as it has arguments.
    Called(Call, [T; MOST_ARGUMENTS]),
}

impl<T: Copy> Op<T> {
    /// Its operands.
    pub fn operands(&self) -> impl Iterator<Item = T> + use<T> {
        let (list, n) = match *self {
            Op::Add(a, b) | Op::Sub(a, b) | Op::Mul(a, b) | Op::Div(a, b) | Op::Call2(_, a, b) => ([a, b, a, a], 2),
            Op::Neg(a) | Op::Sqrt(a) | Op::SinCos(a) | Op::Call(_, a) => ([a; 4], 1),
            Op::Called(call, list) => (list, usize::from(call.arguments)),
            Op::MulAdd(a, b, c) | Op::MulSub(a, b, c) | Op::NegMulAdd(a, b, c) => ([a, b, c, a], 3),
            Op::Select(_, list) => (list, 4),
        };
        list.into_iter().take(n)
    }

    /// Applies a map to the operands of the operation.
    pub fn map<U: Copy>(self, mut f: impl FnMut(T) -> U) -> Op<U> {
        match self {
            Op::Add(a, b) => Op::Add(f(a), f(b)),
            Op::Sub(a, b) => Op::Sub(f(a), f(b)),
            Op::Mul(a, b) => Op::Mul(f(a), f(b)),
            Op::Div(a, b) => Op::Div(f(a), f(b)),
            Op::Neg(a) => Op::Neg(f(a)),
            Op::MulAdd(a, b, c) => Op::MulAdd(f(a), f(b), f(c)),
            Op::MulSub(a, b, c) => Op::MulSub(f(a), f(b), f(c)),
            Op::NegMulAdd(a, b, c) => Op::NegMulAdd(f(a), f(b), f(c)),
            Op::Sqrt(a) => Op::Sqrt(f(a)),
            Op::SinCos(a) => Op::SinCos(f(a)),
            Op::Call(function, a) => Op::Call(function, f(a)),
            Op::Call2(function, a, b) => Op::Call2(function, f(a), f(b)),
            Op::Select(test, list) => Op::Select(test, list.map(f)),
            Op::Called(call, list) => {
                // Unused operands repeat the first.
                let n = usize::from(call.arguments);
                let mapped: Vec<U> = list[..n].iter().map(|a| f(*a)).collect();
                Op::Called(call, std::array::from_fn(|i| mapped[if i < n { i } else { 0 }]))
            }
        }
    }

    /// Whether it is one of the multiply-adds.
    pub fn is_fused(&self) -> bool {
        matches!(self, Op::MulAdd(..) | Op::MulSub(..) | Op::NegMulAdd(..))
    }

    /// Whether it reads the functions that are set at run time.
    pub fn reads_params(&self) -> bool {
        matches!(self, Op::Called(Call { settable: true, .. }, _))
    }

    /// Number of values it assigns.
    pub fn results(&self) -> usize {
        match self {
            Op::SinCos(_) => 2,
            Op::Called(call, _) => usize::from(call.results),
            _ => 1,
        }
    }
}

impl Statement {
    /// The input that it reads besides those of its operands, if any: the functions that are set at run time.
    pub fn implicit_input(&self) -> Option<Input> {
        matches!(self, Statement::Let { op, .. } if op.reads_params()).then_some(Input::Params)
    }

    /// Its operands.
    pub fn operands(&self) -> impl Iterator<Item = Operand> + use<> {
        let (list, check) = match *self {
            Statement::Let { op, .. } => (Some(op.operands()), None),
            Statement::Check { pivot, magnitude, .. } => (None, Some([pivot, magnitude])),
        };
        list.into_iter().flatten().chain(check.into_iter().flatten())
    }
}
