//! Literals and functions in formulas: their values at special arguments.

use mbs_expr::{Comparison, Function, Function2};

use super::algebra::{Algebra, Atom, Sum, Term};
use super::number::{Literal, Number, Sign, Unit};

impl Algebra {
    /// A literal in the form in which it was probably written: see [`Literal`].
    pub fn literal(&mut self, x: f64) -> Sum {
        match Literal::from_f64(x) {
            Literal::Plain(number) => Sum::from_number(number),
            Literal::PiMultiple(number) => self.intern_sum(Atom::Pi).scale(number),
            Literal::RootMultiple(number, n) => {
                self.intern_sum(Atom::Call(Function::Sqrt, Sum::from_number(Number::integer(n)))).scale(number)
            }
            Literal::Sine(sign, angle, unit) => self.sine_or_cosine(Function::Sin, sign, angle, unit),
            Literal::Cosine(sign, angle, unit) => self.sine_or_cosine(Function::Cos, sign, angle, unit),
        }
    }

    fn sine_or_cosine(&mut self, f: Function, sign: Sign, angle: Number, unit: Unit) -> Sum {
        let angle = match unit {
            Unit::Radian => Sum::from_number(angle),
            Unit::Pi => self.intern_sum(Atom::Pi).scale(angle),
        };
        let value = self.intern_sum(Atom::Call(f, angle));
        if sign == Sign::Minus { value.neg() } else { value }
    }

    /// f(a).
    pub fn unary_call(&mut self, f: Function, a: &Sum) -> Sum {
        use Function::*;
        let zero = a.is_zero();
        let one = || Sum::from_number(Number::ONE);
        match f {
            Neg => a.neg(),
            Cos | Cosh | Exp if zero => one(),
            Sin | Tan | Asin | Atan | Sinh | Tanh | Sqrt | Abs | Signum | Floor if zero => Sum::default(),
            Sin | Tan | Asin | Atan | Sinh | Tanh | Signum if a.ends_negative() => {
                self.intern_sum(Atom::Call(f, a.neg())).neg()
            }
            Cos | Cosh | Abs if a.ends_negative() => self.intern_sum(Atom::Call(f, a.neg())),
            Sqrt => self.root(a),
            _ => self.intern_sum(Atom::Call(f, a.clone())),
        }
    }

    /// f(a, b); arithmetic becomes sums and products.
    pub fn binary_call(&mut self, f: Function2, a: &Sum, b: &Sum) -> Sum {
        match f {
            Function2::Add => a.add(b),
            Function2::Sub => a.add(&b.neg()),
            Function2::Mul => self.product(a, b),
            Function2::Div => {
                let inverse = self.inverse(b);
                self.product(a, &inverse)
            }
            _ => self.intern_sum(Atom::Call2(f, a.clone(), b.clone())),
        }
    }

    /// if left ⋚ right { then } else { otherwise }.
    pub fn select(&mut self, test: Comparison, list: [Sum; 4]) -> Sum {
        if list[2] == list[3] {
            return list[2].clone();
        }
        self.intern_sum(Atom::Select(test, Box::new(list)))
    }

    /// √a of a number, of a square, or of another formula.
    fn root(&mut self, a: &Sum) -> Sum {
        if let Some(x) = a.constant().filter(|x| !x.is_negative()) {
            return self.literal(x.to_f64().sqrt());
        }
        match &a.terms[..] {
            [Term { factors, coefficient }] if !coefficient.is_negative() && factors.iter().all(|f| f.1 % 2 == 0) => {
                let half = factors.iter().map(|(atom, exponent)| (*atom, exponent / 2)).collect();
                let base = self.without_group(Sum::term(half, Number::ONE));
                let (size, number) = (self.unary_call(Function::Abs, &base), self.literal(coefficient.to_f64().sqrt()));
                self.product(&number, &size)
            }
            _ => self.intern_sum(Atom::Call(Function::Sqrt, a.clone())),
        }
    }
}
