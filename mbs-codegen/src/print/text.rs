//! Prints statements and expressions.

use std::fmt::{self, Display, Write};
use std::ops::Range;

use mbs_expr::{Comparison, Function as Call1, Function2 as Call2};
use proc_macro2::Span;

use super::names::Names;
use super::output_name;
use crate::emit::value_ident;
use mbs_compiler::interp::Fma;
use mbs_compiler::program::{
    Called, ColumnMatrix, Function, Input, Op, Operand, Output, PIVOT_TOLERANCE, Statement, ValueId, prepared_indices,
};

/// Writes one function with one kind of arithmetic.
pub struct Writer<'a> {
    pub function: &'a Function,
    pub called: &'a [Called],
    pub names: &'a Names,
    pub root: &'a str,
    pub fma: Fma,
    /// Whether the variables of the body are declared before its statements.
    pub is_declared: bool,
    pub text: String,
}

/// Most variables of a body that are declared where they get their values. Each such declaration is a scope in that of the variable before it, and with
/// two to three thousand of them the debug information overflows the stack of rustc.
pub const MAX_SCOPES: usize = 1000;

/// The slot of a value, or `None` for values in variables.
pub type Slots<'s> = &'s dyn Fn(ValueId) -> Option<usize>;

/// Most elements of an output that are stored as one array.
const LONGEST_ARRAY: usize = 1000;

/// Most sines and cosines of one call.
const MOST_SINES: usize = 64;

/// Number of statements at the beginning of a list that are sines and cosines of known angles, so that one call computes them; at most [`MOST_SINES`].
fn sines_together(statements: &[&Statement]) -> usize {
    let first = match statements.first() {
        Some(Statement::Let { value, .. }) => *value,
        _ => return 0,
    };
    let is_known = |angle: &Operand| !matches!(angle, Operand::Value(v) if *v >= first);
    let is_sine = |s: &&&Statement| matches!(s, Statement::Let { op: Op::SinCos(angle), .. } if is_known(angle));
    statements.iter().take(MOST_SINES).take_while(is_sine).count()
}

/// Ranges of an output whose elements have the same bits, whatever the state: derivatives of large mechanisms are mostly zeros.
pub fn equal_neighbours(
    indices: impl IntoIterator<Item = usize>,
    operand: impl Fn(&usize) -> Operand,
) -> Vec<Range<usize>> {
    let is_same = |a: Operand, b: Operand| match (a, b) {
        (Operand::Literal(a), Operand::Literal(b)) => a.to_bits() == b.to_bits(),
        _ => a == b,
    };
    let indices: Vec<usize> = indices.into_iter().collect();
    let runs = indices.chunk_by(|a, b| a + 1 == *b && is_same(operand(a), operand(b)));
    runs.map(|run| run[0]..run[0] + run.len()).collect()
}

/// The text of an operand, which needs no parentheses as an argument or after an operator.
struct OperandText<'a> {
    names: &'a Names,
    operand: Operand,
    slot: Option<usize>,
}

fn operand_text<'a>(names: &'a Names, operand: Operand, slots: Slots<'_>) -> OperandText<'a> {
    let slot = match operand {
        Operand::Value(v) => slots(v),
        _ => None,
    };
    OperandText { names, operand, slot }
}

impl Display for OperandText<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.operand, self.slot) {
            (_, Some(slot)) => write!(f, "w[{slot}]"),
            (Operand::Value(v), None) => f.write_str(self.names.value_name(v)),
            (Operand::Literal(x), _) => Number(x).fmt(f),
            (Operand::Input(input @ (Input::Time | Input::Step), _), _) => f.write_str(input.name()),
            (Operand::Input(input, i), _) => match (input, self.names.prepared_name(i)) {
                (Input::Prepared, Some(name)) => f.write_str(name),
                _ => write!(f, "{}[{i}]", input.name()),
            },
        }
    }
}

/// The text of a number: the shortest decimal that parses to its bits.
struct Number(f64);

impl Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0.is_finite() {
            true => write!(f, "{:?}", self.0),
            false => write!(f, "f64::from_bits({:#x})", self.0.to_bits()),
        }
    }
}

impl Writer<'_> {
    /// Appends text.
    pub fn write(&mut self, text: &str) {
        self.text.push_str(text);
    }

    /// Begins a body: declares all its variables if they are many, and writes those for the prepared values among its operands that have names.
    pub fn declare<'s>(
        &mut self,
        operands: impl IntoIterator<Item = Operand>,
        body: impl IntoIterator<Item = &'s Statement>,
    ) {
        let names = self.names;
        let prepared = prepared_indices(operands).into_iter().filter_map(|i| Some((i, names.prepared_name(i)?)));
        let prepared: Vec<(u32, &str)> = prepared.collect();
        let mut variables: Vec<String> = prepared.iter().map(|(_, name)| (*name).to_owned()).collect();
        for statement in body {
            match statement {
                Statement::Let { value, op } => {
                    let results =
                        (value.index()..value.index() + op.results()).map(|v| names.value_name(ValueId(v as u32)));
                    variables.extend(results.filter(|name| *name != "_").map(str::to_owned));
                }
                Statement::Check { row, .. } if self.function.continues_when_singular() => {
                    variables.push(regular(*row));
                }
                Statement::Check { .. } => {}
            }
        }
        self.is_declared = variables.len() > MAX_SCOPES;
        for names in variables.chunks(MAX_SCOPES).take_while(|_| self.is_declared) {
            self.text.push_str(&format!("let ({},);\n", names.join(", ")));
        }
        for (i, name) in prepared {
            let text = format!("{}{name} = {}[{i}];\n", self.declaration(), Input::Prepared.name());
            self.write(&text);
        }
    }

    /// The word before a variable that gets its value.
    fn declaration(&self) -> &'static str {
        if self.is_declared { "" } else { "let " }
    }

    /// Writes statements; `slots` gives the slots of values of earlier pieces.
    pub fn statements(&mut self, statements: &[&Statement], slots: Slots<'_>) {
        let mut rest = statements;
        while let Some((first, others)) = rest.split_first() {
            let together = sines_together(rest);
            if together > 1 {
                self.sines(&rest[..together], slots);
                rest = &rest[together..];
            } else {
                self.statement(first, slots);
                rest = others;
            }
        }
    }

    /// Writes `let ([sin_a, sin_b], [cos_a, cos_b]) = sin_cos_each([a, b]);`.
    fn sines(&mut self, statements: &[&Statement], slots: Slots<'_>) {
        let (mut sines, mut cosines, mut angles) = (Vec::new(), Vec::new(), Vec::new());
        for statement in statements {
            let Statement::Let { value, op: Op::SinCos(angle) } = statement else { unreachable!("they are sines") };
            sines.push(self.names.value_name(*value));
            cosines.push(self.names.value_name(ValueId(value.0 + 1)));
            angles.push(operand_text(self.names, *angle, slots).to_string());
        }
        let pattern = format!("([{}], [{}])", sines.join(", "), cosines.join(", "));
        let (declaration, root) = (self.declaration(), self.root);
        self.write(&format!("{declaration}{pattern} = {root}::math::sin_cos_each([{}]);\n", angles.join(", ")));
    }

    /// Writes one statement.
    fn statement(&mut self, statement: &Statement, slots: Slots<'_>) {
        let declaration = self.declaration();
        let Writer { function, called, names, root, fma, text, .. } = self;
        let show = |operand: Operand| operand_text(names, operand, slots);
        let result = match *statement {
            Statement::Let { value, op } => {
                let name = names.value_name(value);
                let pattern = match op {
                    Op::SinCos(_) => {
                        write!(text, "{declaration}({name}, {}) = ", names.value_name(ValueId(value.0 + 1)))
                    }
                    Op::Called(call, _) => {
                        let f = &called[call.function.index()];
                        write!(
                            text,
                            "{declaration}{} = ",
                            results(f, &|k| names.value_name(ValueId(value.0 + k as u32)))
                        )
                    }
                    _ => write!(text, "{declaration}{name} = "),
                };
                let expression = match op {
                    Op::Called(call, _) => {
                        let name = value_ident(&called[call.function.index()].name, Span::call_site());
                        let params = call.settable.then(|| Input::Params.name().to_owned());
                        let arguments = params.into_iter().chain(op.operands().map(|a| show(a).to_string()));
                        let arguments: Vec<String> = arguments.collect();
                        pattern.and_then(|()| write!(text, "super::functions::{name}({})", arguments.join(", ")))
                    }
                    _ => pattern.and_then(|()| operation(text, root, *fma, op, &show)),
                };
                expression.and_then(|()| text.write_str(";\n"))
            }
            Statement::Check { pivot, magnitude, row } => {
                let (pivot, magnitude, tolerance) = (show(pivot), show(magnitude), Number(PIVOT_TOLERANCE));
                let regular = format_args!("{root}::math::abs({pivot}) > {tolerance} * {magnitude}");
                match function.continues_when_singular() {
                    true => writeln!(text, "{declaration}{} = {regular};", self::regular(row)),
                    false => writeln!(text, "if !({regular}) {{ return ::core::option::Option::Some({row}); }}"),
                }
            }
        };
        result.expect("writing to a string does not fail");
    }

    /// Writes `*a = [x, y];` for an output, or the elements of a long one.
    pub fn store_array(&mut self, output: &Output) {
        if output.values.len() > LONGEST_ARRAY {
            let runs = equal_neighbours(0..output.values.len(), |i| output.values[*i]);
            return runs.into_iter().for_each(|run| self.store(output, &run, &|_| None));
        }
        let name = output_name(self.function, output);
        if output.values.is_empty() {
            return self.write(&format!("let _ = {name};\n"));
        }
        self.write(&format!("*{name} = ["));
        for value in &output.values {
            let text = operand_text(self.names, *value, &|_| None);
            write!(self.text, "{text}, ").expect("writing to a string does not fail");
        }
        self.write("];\n");
    }

    /// Writes `a[3] = x;` for an element of an output, `a[3..7].fill(x);` for several that are equal.
    pub fn store(&mut self, output: &Output, range: &Range<usize>, slots: Slots<'_>) {
        let text = operand_text(self.names, output.values[range.start], slots);
        let name = output_name(self.function, output);
        let result = match range.len() {
            1 => writeln!(self.text, "{name}[{}] = {text};", range.start),
            _ => writeln!(self.text, "{name}[{}..{}].fill({text});", range.start, range.end),
        };
        result.expect("writing to a string does not fail");
    }

    /// Writes the solution of the linear system after a body: `solve_columns_plain::<38>(&[…], factor, a_q, lambda_q);` for each matrix.
    pub fn solve_columns(&mut self) {
        let Some(solve) = &self.function.solve else { return };
        let name = |output: usize| output_name(self.function, &self.function.outputs[output]);
        let kind = if self.fma == Fma::Fused { "fused" } else { "plain" };
        let steps: Vec<String> = solve.steps.iter().map(u32::to_string).collect();
        let mut text = format!("let steps: &[u32] = &[{}];\n", steps.join(", "));
        for ColumnMatrix { speeds, rows, columns } in solve.matrices.iter().copied().filter(|m| m.columns > 0) {
            let [factor, speeds, rows] = [solve.factor, speeds, rows].map(name);
            let root = self.root;
            text += &format!("{root}::solve_columns_{kind}::<{columns}>(steps, {factor}, {speeds}, {rows});\n");
        }
        self.write(&text);
    }

    /// Writes the return value of a body with checks: `None`, or the first row that is singular.
    pub fn return_singular_row<'s>(&mut self, body: impl IntoIterator<Item = &'s Statement>) {
        let rows = body.into_iter().filter_map(|s| match s {
            Statement::Check { row, .. } => Some(*row),
            Statement::Let { .. } => None,
        });
        let rows: Vec<usize> = rows.collect();
        if rows.is_empty() {
            return;
        }
        if self.function.continues_when_singular() {
            let all: Vec<String> = rows.iter().map(|row| regular(*row)).collect();
            self.write(&format!("if !({}) {{\n", all.join(" & ")));
            for row in rows {
                self.write(&format!("if !{} {{ return ::core::option::Option::Some({row}); }}\n", regular(row)));
            }
            self.write("}\n");
        }
        self.write("::core::option::Option::None\n");
    }
}

/// Variable for whether the pivot of a row does not vanish.
fn regular(row: usize) -> String {
    format!("regular_{row}")
}

/// The pattern of a call's results: `[a, b]` for a number with its derivatives, `[[a, b], [c, d]]` for a vector.
fn results<'n>(f: &Called, name: &dyn Fn(usize) -> &'n str) -> String {
    let value = |v: usize| {
        (v * f.numbers_per_component..(v + 1) * f.numbers_per_component).map(name).collect::<Vec<_>>().join(", ")
    };
    match f.shape {
        None => format!("[{}]", value(0)),
        Some(n) => format!("[{}]", (0..n).map(|v| format!("[{}]", value(v))).collect::<Vec<_>>().join(", ")),
    }
}

/// Writes the expression of an operation with one result, or of a sine and cosine.
fn operation<'n>(
    text: &mut String,
    root: &str,
    fma: Fma,
    op: Op,
    show: &dyn Fn(Operand) -> OperandText<'n>,
) -> fmt::Result {
    match op {
        Op::Add(a, b) => write!(text, "{} + {}", show(a), show(b)),
        Op::Sub(a, b) => write!(text, "{} - {}", show(a), show(b)),
        Op::Mul(a, b) => write!(text, "{} * {}", show(a), show(b)),
        Op::Div(a, b) => write!(text, "{} / {}", show(a), show(b)),
        Op::Neg(Operand::Literal(x)) => write!(text, "{}_f64", Number(-x)),
        Op::Neg(a) => write!(text, "-{}", show(a)),
        Op::MulAdd(..) | Op::MulSub(..) | Op::NegMulAdd(..) if fma == Fma::Fused => write_fused(text, op, show),
        Op::MulAdd(a, b, c) => write!(text, "{} * {} + {}", show(a), show(b), show(c)),
        Op::MulSub(a, b, c) => write!(text, "{} * {} - {}", show(a), show(b), show(c)),
        Op::NegMulAdd(a, b, c) => write!(text, "{} - {} * {}", show(c), show(a), show(b)),
        Op::Sqrt(a) => write!(text, "{root}::math::sqrt({})", show(a)),
        Op::SinCos(a) => write!(text, "{root}::math::sin_cos({})", show(a)),
        Op::Called(..) => unreachable!("calls are written with their names"),
        Op::Call(f, a) => write!(text, "{root}::math::{}({})", unary_name(f), show(a)),
        Op::Call2(f, a, b) => write!(text, "{root}::math::{}({}, {})", binary_name(f), show(a), show(b)),
        Op::Select(test, list) => {
            let [left, right, then, otherwise] = list.map(show);
            // Two literals alone would not state their type, which a method of the result needs.
            let suffix = if matches!(list[2..], [Operand::Literal(_), Operand::Literal(_)]) { "_f64" } else { "" };
            let test = match test {
                Comparison::Less => "<",
                Comparison::LessEqual => "<=",
                Comparison::Equal => "==",
            };
            write!(text, "if {left} {test} {right} {{ {then}{suffix} }} else {{ {otherwise}{suffix} }}")
        }
    }
}

/// a.mul_add(b, c), with the method called on an operand that is not a literal: the type of a literal is not known yet.
fn write_fused<'n>(text: &mut String, op: Op, show: &dyn Fn(Operand) -> OperandText<'n>) -> fmt::Result {
    let (Op::MulAdd(a, b, c) | Op::MulSub(a, b, c) | Op::NegMulAdd(a, b, c)) = op else {
        unreachable!("{op:?} is not fused")
    };
    let (a, b) = if matches!(a, Operand::Literal(_)) { (b, a) } else { (a, b) };
    match (op, b, c) {
        (Op::MulSub(..), _, Operand::Literal(x)) => {
            write!(text, "{}.mul_add({}, {})", show(a), show(b), Number(-x))
        }
        (Op::MulSub(..), ..) => write!(text, "{}.mul_add({}, -{})", show(a), show(b), show(c)),
        (Op::NegMulAdd(..), Operand::Literal(x), _) => {
            write!(text, "{}.mul_add({}, {})", show(a), Number(-x), show(c))
        }
        (Op::NegMulAdd(..), ..) => write!(text, "(-{}).mul_add({}, {})", show(a), show(b), show(c)),
        _ => write!(text, "{}.mul_add({}, {})", show(a), show(b), show(c)),
    }
}

fn unary_name(f: Call1) -> &'static str {
    match f {
        Call1::Tan => "tan",
        Call1::Asin => "asin",
        Call1::Acos => "acos",
        Call1::Atan => "atan",
        Call1::Sinh => "sinh",
        Call1::Cosh => "cosh",
        Call1::Tanh => "tanh",
        Call1::Exp => "exp",
        Call1::Ln => "ln",
        Call1::Abs => "abs",
        Call1::Signum => "signum",
        Call1::Floor => "floor",
        Call1::Neg | Call1::Sqrt | Call1::Sin | Call1::Cos => unreachable!("{f:?} has an instruction of its own"),
    }
}

fn binary_name(f: Call2) -> &'static str {
    match f {
        Call2::Atan2 => "atan2",
        Call2::Min => "min",
        Call2::Max => "max",
        Call2::Powf => "powf",
        Call2::Add | Call2::Sub | Call2::Mul | Call2::Div => unreachable!("{f:?} has an instruction of its own"),
    }
}
