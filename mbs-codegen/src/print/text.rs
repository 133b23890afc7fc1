//! Prints statements and expressions.

use std::fmt::{self, Display, Write};

use mbs_expr::{Comparison, Function as Call1, Function2 as Call2};
use proc_macro2::Span;

use super::names::Names;
use super::output_name;
use crate::emit::value_ident;
use mbs_compiler::interp::Fma;
use mbs_compiler::program::{
    Called, Function, Input, Op, Operand, Output, PIVOT_TOLERANCE, Statement, ValueId, prepared,
};

/// Writes one function with one kind of arithmetic.
pub struct Writer<'a> {
    pub function: &'a Function,
    pub called: &'a [Called],
    pub names: &'a Names,
    pub root: &'a str,
    pub fma: Fma,
    pub text: String,
}

/// Location of earlier values: a slot, or `None` for the variable.
pub type Slots<'s> = &'s dyn Fn(ValueId) -> Option<usize>;

/// An operand that needs no parentheses as an argument or after an operator.
struct Place<'a> {
    names: &'a Names,
    operand: Operand,
    slot: Option<usize>,
}

impl Display for Place<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.operand, self.slot) {
            (_, Some(slot)) => write!(f, "w[{slot}]"),
            (Operand::Value(v), None) => f.write_str(self.names.of(v)),
            (Operand::Literal(x), _) => Number(x).fmt(f),
            (Operand::Input(input @ (Input::Time | Input::Step), _), _) => f.write_str(input.name()),
            (Operand::Input(input, i), _) => match (input, self.names.of_prepared(i)) {
                (Input::Prepared, Some(name)) => f.write_str(name),
                _ => write!(f, "{}[{i}]", input.name()),
            },
        }
    }
}

/// The shortest decimal that parses to the same bits.
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
    pub fn put(&mut self, text: &str) {
        self.text.push_str(text);
    }

    /// Names the prepared values among operands.
    pub fn name_prepared(&mut self, operands: impl IntoIterator<Item = Operand>) {
        for i in prepared_indices(operands) {
            if let Some(name) = self.names.of_prepared(i) {
                let text = format!("let {name} = {}[{i}];\n", Input::Prepared.name());
                self.put(&text);
            }
        }
    }

    /// One statement.
    pub fn statement(&mut self, statement: &Statement, slots: Slots<'_>) {
        let Writer { function, called, names, root, fma, text } = self;
        let place = |operand: Operand| {
            let slot = match operand {
                Operand::Value(v) => slots(v),
                _ => None,
            };
            Place { names, operand, slot }
        };
        let done = match *statement {
            Statement::Let { value, op } => {
                let name = names.of(value);
                let begun = match op {
                    Op::SinCos(_) => write!(text, "let ({name}, {}) = ", names.of(ValueId(value.0 + 1))),
                    Op::Called(call, _) => {
                        let f = &called[call.function.index()];
                        write!(text, "let {} = ", results(f, &|k| names.of(ValueId(value.0 + k as u32))))
                    }
                    _ => write!(text, "let {name} = "),
                };
                let written = match op {
                    Op::Called(call, _) => {
                        let name = value_ident(&called[call.function.index()].name, Span::call_site());
                        let params = call.settable.then(|| Input::Params.name().to_owned());
                        let arguments = params.into_iter().chain(op.operands().map(|a| place(a).to_string()));
                        let arguments: Vec<String> = arguments.collect();
                        begun.and_then(|()| write!(text, "super::functions::{name}({})", arguments.join(", ")))
                    }
                    _ => begun.and_then(|()| operation(text, root, *fma, op, &place)),
                };
                written.and_then(|()| text.write_str(";\n"))
            }
            Statement::Check { pivot, magnitude, row } => {
                let (pivot, magnitude, tolerance) = (place(pivot), place(magnitude), Number(PIVOT_TOLERANCE));
                let regular = format_args!("{root}::math::abs({pivot}) > {tolerance} * {magnitude}");
                match function.goes_on_when_singular() {
                    true => writeln!(text, "let regular_{row} = {regular};"),
                    false => writeln!(text, "if !({regular}) {{ return ::core::option::Option::Some({row}); }}"),
                }
            }
        };
        done.expect("strings take everything");
    }

    /// `*a = [x, y];`
    pub fn store_all(&mut self, output: &Output) {
        let name = output_name(self.function, output);
        if output.values.is_empty() {
            return self.put(&format!("let _ = {name};\n"));
        }
        self.put(&format!("*{name} = ["));
        for value in &output.values {
            let place = Place { names: self.names, operand: *value, slot: None };
            write!(self.text, "{place}, ").expect("strings take everything");
        }
        self.put("];\n");
    }

    /// `a[3] = x;`
    pub fn store(&mut self, output: &Output, index: usize, slots: Slots<'_>) {
        let operand = output.values[index];
        let slot = match operand {
            Operand::Value(v) => slots(v),
            _ => None,
        };
        let place = Place { names: self.names, operand, slot };
        let name = output_name(self.function, output);
        writeln!(self.text, "{name}[{index}] = {place};").expect("strings take everything");
    }

    /// Writes the return value of a body with checks: `None`, or the first row that is singular.
    pub fn verdict<'s>(&mut self, body: impl IntoIterator<Item = &'s Statement>) {
        let rows = body.into_iter().filter_map(|s| match s {
            Statement::Check { row, .. } => Some(*row),
            Statement::Let { .. } => None,
        });
        let rows: Vec<usize> = rows.collect();
        if rows.is_empty() {
            return;
        }
        if self.function.goes_on_when_singular() {
            let all: Vec<String> = rows.iter().map(|r| format!("regular_{r}")).collect();
            self.put(&format!("if !({}) {{\n", all.join(" & ")));
            for row in rows {
                self.put(&format!("if !regular_{row} {{ return ::core::option::Option::Some({row}); }}\n"));
            }
            self.put("}\n");
        }
        self.put("::core::option::Option::None\n");
    }
}

/// `[a, b]` for a number with its derivatives, `[[a, b], [c, d]]` for a vector.
fn results<'n>(f: &Called, name: &dyn Fn(usize) -> &'n str) -> String {
    let value = |v: usize| (v * f.each..(v + 1) * f.each).map(name).collect::<Vec<_>>().join(", ");
    match f.shape {
        None => format!("[{}]", value(0)),
        Some(n) => format!("[{}]", (0..n).map(|v| format!("[{}]", value(v))).collect::<Vec<_>>().join(", ")),
    }
}

fn operation<'n>(text: &mut String, root: &str, fma: Fma, op: Op, place: &dyn Fn(Operand) -> Place<'n>) -> fmt::Result {
    match op {
        Op::Add(a, b) => write!(text, "{} + {}", place(a), place(b)),
        Op::Sub(a, b) => write!(text, "{} - {}", place(a), place(b)),
        Op::Mul(a, b) => write!(text, "{} * {}", place(a), place(b)),
        Op::Div(a, b) => write!(text, "{} / {}", place(a), place(b)),
        Op::Neg(Operand::Literal(x)) => write!(text, "{}", Number(-x)),
        Op::Neg(a) => write!(text, "-{}", place(a)),
        Op::MulAdd(..) | Op::MulSub(..) | Op::NegMulAdd(..) if fma == Fma::Fused => fused(text, op, place),
        Op::MulAdd(a, b, c) => write!(text, "{} * {} + {}", place(a), place(b), place(c)),
        Op::MulSub(a, b, c) => write!(text, "{} * {} - {}", place(a), place(b), place(c)),
        Op::NegMulAdd(a, b, c) => write!(text, "{} - {} * {}", place(c), place(a), place(b)),
        Op::Sqrt(a) => write!(text, "{root}::math::sqrt({})", place(a)),
        Op::SinCos(a) => write!(text, "{root}::math::sin_cos({})", place(a)),
        Op::Called(..) => unreachable!("calls are written with their names"),
        Op::Call(f, a) => write!(text, "{root}::math::{}({})", call_name(f), place(a)),
        Op::Call2(f, a, b) => write!(text, "{root}::math::{}({}, {})", call2_name(f), place(a), place(b)),
        Op::Select(test, list) => {
            let [left, right, then, otherwise] = list.map(place);
            let test = match test {
                Comparison::Less => "<",
                Comparison::LessEqual => "<=",
                Comparison::Equal => "==",
            };
            write!(text, "if {left} {test} {right} {{ {then} }} else {{ {otherwise} }}")
        }
    }
}

/// a.mul_add(b, c), with the method called on an operand that is not a literal: the type of a literal is not known yet.
fn fused<'n>(text: &mut String, op: Op, place: &dyn Fn(Operand) -> Place<'n>) -> fmt::Result {
    let (Op::MulAdd(a, b, c) | Op::MulSub(a, b, c) | Op::NegMulAdd(a, b, c)) = op else {
        unreachable!("{op:?} is not fused")
    };
    let (a, b) = if matches!(a, Operand::Literal(_)) { (b, a) } else { (a, b) };
    match (op, b, c) {
        (Op::MulSub(..), _, Operand::Literal(x)) => {
            write!(text, "{}.mul_add({}, {})", place(a), place(b), Number(-x))
        }
        (Op::MulSub(..), ..) => write!(text, "{}.mul_add({}, -{})", place(a), place(b), place(c)),
        (Op::NegMulAdd(..), Operand::Literal(x), _) => {
            write!(text, "{}.mul_add({}, {})", place(a), Number(-x), place(c))
        }
        (Op::NegMulAdd(..), ..) => write!(text, "(-{}).mul_add({}, {})", place(a), place(b), place(c)),
        _ => write!(text, "{}.mul_add({}, {})", place(a), place(b), place(c)),
    }
}

fn call_name(f: Call1) -> &'static str {
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

fn call2_name(f: Call2) -> &'static str {
    match f {
        Call2::Atan2 => "atan2",
        Call2::Min => "min",
        Call2::Max => "max",
        Call2::Powf => "powf",
        Call2::Add | Call2::Sub | Call2::Mul | Call2::Div => unreachable!("{f:?} has an instruction of its own"),
    }
}
