//! Expressions and statements as tokens.

use mbs_model::{Comparison, Function as Call1, Function2 as Call2};
use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::quote;

use super::names::Names;
use super::{ident, output_name};
use crate::interp::Fma;
use crate::program::{Function, Op, Operand, Output, PIVOT_TOLERANCE, Statement, ValueId};

/// Writes one function with one kind of arithmetic.
pub struct Writer<'a> {
    pub function: &'a Function,
    pub names: &'a Names,
    pub root: &'a TokenStream,
    pub fma: Fma,
}

impl Writer<'_> {
    /// `let`s, values by name.
    pub fn statements<'s>(&'s self, body: &'s [Statement]) -> impl Iterator<Item = TokenStream> + 's {
        body.iter().map(|s| self.statement(s, &|v| self.named(v)))
    }

    /// A value by its name.
    pub fn named(&self, value: ValueId) -> TokenStream {
        let name = self.names.of(value);
        quote!(#name)
    }

    /// One statement; `value` says where an earlier value is.
    pub fn statement(&self, statement: &Statement, value: &dyn Fn(ValueId) -> TokenStream) -> TokenStream {
        let place = |o: Operand| self.operand(o, value);
        match *statement {
            Statement::Let { value, op } => {
                let right = self.operation(op, &place);
                let name = self.names.of(value);
                if let Op::SinCos(_) = op {
                    let cosine = self.names.of(ValueId(value.0 + 1));
                    return quote!(let (#name, #cosine) = #right;);
                }
                quote!(let #name = #right;)
            }
            Statement::Check { pivot, magnitude, row } => {
                let (pivot, magnitude) = (place(pivot), place(magnitude));
                let (regular, tolerance, root) = (regular(row), literal(PIVOT_TOLERANCE), self.root);
                quote!(let #regular = #root::math::abs(#pivot) > #tolerance * #magnitude;)
            }
        }
    }

    /// An operand that needs no parentheses as argument or behind an operator.
    pub fn operand(&self, operand: Operand, value: &dyn Fn(ValueId) -> TokenStream) -> TokenStream {
        match operand {
            Operand::Value(v) => value(v),
            Operand::Literal(x) => literal(x),
            Operand::Input(crate::program::Input::Time, _) => quote!(t),
            Operand::Input(input, i) => {
                let (array, i) = (ident(input.name()), Literal::usize_unsuffixed(i as usize));
                quote!(#array[#i])
            }
        }
    }

    fn operation(&self, op: Op, place: &dyn Fn(Operand) -> TokenStream) -> TokenStream {
        let root = self.root;
        match op {
            Op::Add(a, b) => binary(place(a), quote!(+), place(b)),
            Op::Sub(a, b) => binary(place(a), quote!(-), place(b)),
            Op::Mul(a, b) => binary(place(a), quote!(*), place(b)),
            Op::Div(a, b) => binary(place(a), quote!(/), place(b)),
            Op::Neg(a) => self.negated(a, place),
            Op::MulAdd(a, b, c) | Op::MulSub(a, b, c) | Op::NegMulAdd(a, b, c) => match self.fma {
                Fma::Fused => self.fused(op, [a, b, c], place),
                Fma::Plain => plain(op, [a, b, c].map(place)),
            },
            Op::Sqrt(a) => call(root, "sqrt", &[place(a)]),
            Op::SinCos(a) => call(root, "sin_cos", &[place(a)]),
            Op::Call(f, a) => call(root, call_name(f), &[place(a)]),
            Op::Call2(f, a, b) => call(root, call2_name(f), &[place(a), place(b)]),
            Op::Select(test, list) => {
                let [left, right, then, otherwise] = list.map(place);
                let test = match test {
                    Comparison::Less => quote!(<),
                    Comparison::LessEqual => quote!(<=),
                    Comparison::Equal => quote!(==),
                };
                quote!(if #left #test #right { #then } else { #otherwise })
            }
        }
    }

    /// a.mul_add(b, c), the method called on what is no literal: a literal's type is not known yet.
    fn fused(&self, op: Op, [a, b, c]: [Operand; 3], place: &dyn Fn(Operand) -> TokenStream) -> TokenStream {
        let (a, b) = if matches!(a, Operand::Literal(_)) { (b, a) } else { (a, b) };
        let (receiver, factor) = (place(a), place(b));
        match op {
            Op::MulSub(..) => {
                let minus = self.negated(c, place);
                quote!(#receiver.mul_add(#factor, #minus))
            }
            Op::NegMulAdd(..) => {
                let c = place(c);
                match b {
                    Operand::Literal(x) => {
                        let factor = literal(-x);
                        quote!(#receiver.mul_add(#factor, #c))
                    }
                    _ => quote!((-#receiver).mul_add(#factor, #c)),
                }
            }
            _ => {
                let c = place(c);
                quote!(#receiver.mul_add(#factor, #c))
            }
        }
    }

    fn negated(&self, a: Operand, place: &dyn Fn(Operand) -> TokenStream) -> TokenStream {
        match a {
            Operand::Literal(x) => literal(-x),
            _ => {
                let a = place(a);
                quote!(-#a)
            }
        }
    }

    /// `*a = [x, y];`
    pub fn store_all(&self, output: &Output) -> TokenStream {
        let name = ident(&output_name(self.function, output));
        let values = output.values.iter().map(|o| self.operand(*o, &|v| self.named(v)));
        if output.values.is_empty() {
            return quote!(let _ = #name;);
        }
        quote!(*#name = [#(#values),*];)
    }

    /// The value returned: `None`, or the first row that is not regular.
    pub fn verdict<'s>(&self, body: impl IntoIterator<Item = &'s Statement>) -> Option<TokenStream> {
        let rows = body.into_iter().filter_map(|s| match s {
            Statement::Check { row, .. } => Some(*row),
            Statement::Let { .. } => None,
        });
        let rows: Vec<usize> = rows.collect();
        let (last, earlier) = rows.split_last()?;
        let all = rows.iter().map(|r| regular(*r));
        let (firsts, numbers) = (earlier.iter().map(|r| regular(*r)), earlier);
        Some(quote! {
            if #(#all)&* {
                ::core::option::Option::None
            } #(else if !#firsts { ::core::option::Option::Some(#numbers) })* else {
                ::core::option::Option::Some(#last)
            }
        })
    }
}

fn regular(row: usize) -> Ident {
    Ident::new(&format!("regular_{row}"), Span::call_site())
}

fn plain(op: Op, [a, b, c]: [TokenStream; 3]) -> TokenStream {
    match op {
        Op::MulSub(..) => quote!(#a * #b - #c),
        Op::NegMulAdd(..) => quote!(#c - #a * #b),
        _ => quote!(#a * #b + #c),
    }
}

fn binary(a: TokenStream, operator: TokenStream, b: TokenStream) -> TokenStream {
    quote!(#a #operator #b)
}

fn call(root: &TokenStream, name: &str, arguments: &[TokenStream]) -> TokenStream {
    let name = ident(name);
    quote!(#root::math::#name(#(#arguments),*))
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
        Call1::Sqrt => "sqrt",
        Call1::Neg | Call1::Sin | Call1::Cos => unreachable!("{f:?} has an instruction of its own"),
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

/// The shortest decimal that reads back as `x`.
pub fn literal(x: f64) -> TokenStream {
    if !x.is_finite() {
        let bits = x.to_bits();
        return quote!(f64::from_bits(#bits));
    }
    let text = format!("{:?}", x.abs());
    let digits: Literal = text.parse().expect("Rust prints f64 as Rust literals");
    if x.is_sign_negative() { quote!(-#digits) } else { quote!(#digits) }
}
