//! Expressions with operators, so that formulas have their usual notation.

use std::cell::RefCell;
use std::fmt;
use std::ops::{Add, Div, Mul, Neg, Sub};

use mbs_math::Vector;

use super::{Comparison, ExprId, Exprs, Function, Function2, Op};
use crate::{FunctionCall, Scalar};

/// Expressions to which formulas are added: see [`Exprs::write`].
#[derive(Debug, Default)]
pub struct Writer(RefCell<Exprs>);

impl Exprs {
    /// Adds formulas: the results of operations on [`Expr`]s of the writer become expressions.
    pub fn write<R>(&mut self, formulas: impl FnOnce(&Writer) -> R) -> R {
        let writer = Writer(RefCell::new(std::mem::take(self)));
        let result = formulas(&writer);
        *self = writer.0.into_inner();
        result
    }
}

impl Writer {
    /// An existing expression.
    pub fn expr(&self, id: ExprId) -> Expr<'_> {
        Expr(Value::Node(self, id))
    }

    /// Existing expressions as a vector.
    pub fn vector<const N: usize>(&self, ids: [ExprId; N]) -> Vector<Expr<'_>, N> {
        Vector(ids.map(|id| self.expr(id)))
    }

    /// Σ aᵢ bᵢ of lists of equal length.
    pub fn dot(&self, a: &[ExprId], b: &[ExprId]) -> Expr<'_> {
        a.iter().zip(b).fold(Expr::from(0.0), |sum, (a, b)| sum + self.expr(*a) * self.expr(*b))
    }

    /// The expression of an operation.
    pub fn op(&self, op: Op) -> Expr<'_> {
        self.expr(self.edit(|exprs| exprs.push(op)))
    }

    /// The id of a formula.
    pub fn id(&self, expr: Expr<'_>) -> ExprId {
        match expr.0 {
            Value::Number(x) => self.edit(|exprs| exprs.constant(x)),
            Value::Node(_, id) => id,
        }
    }

    /// The ids of the components of a vector.
    pub fn ids<const N: usize>(&self, vector: Vector<Expr<'_>, N>) -> [ExprId; N] {
        vector.0.map(|x| self.id(x))
    }

    /// Reads the expressions.
    pub fn read<R>(&self, look: impl FnOnce(&Exprs) -> R) -> R {
        look(&self.0.borrow())
    }

    /// Changes the expressions directly, for operations without an operator.
    pub fn edit<R>(&self, change: impl FnOnce(&mut Exprs) -> R) -> R {
        change(&mut self.0.borrow_mut())
    }
}

/// A scalar with operators. Results are added to the expressions of its writer, folded as by `Exprs::add` and similar functions. A number has no
/// writer.
#[derive(Clone, Copy)]
pub struct Expr<'e>(Value<'e>);

#[derive(Clone, Copy)]
enum Value<'e> {
    Number(f64),
    Node(&'e Writer, ExprId),
}

impl fmt::Debug for Expr<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Value::Number(x) => write!(f, "Expr({x})"),
            Value::Node(_, id) => write!(f, "Expr({id:?})"),
        }
    }
}

impl<'e> Expr<'e> {
    /// Combines two scalars: numerically if both are numbers, otherwise by adding an expression.
    fn zip(
        self,
        other: Self,
        on_numbers: impl FnOnce(f64, f64) -> f64,
        write: impl FnOnce(&mut Exprs, ExprId, ExprId) -> ExprId,
    ) -> Self {
        match (self.0, other.0) {
            (Value::Number(x), Value::Number(y)) => Expr(Value::Number(on_numbers(x, y))),
            (Value::Node(writer, _), _) | (_, Value::Node(writer, _)) => {
                let [a, b] = [writer.id(self), writer.id(other)];
                writer.expr(writer.edit(|exprs| write(exprs, a, b)))
            }
        }
    }

    /// Applies a function to a scalar: numerically if it is a number, otherwise by adding an expression.
    fn change(self, on_number: impl FnOnce(f64) -> f64, write: impl FnOnce(&mut Exprs, ExprId) -> ExprId) -> Self {
        match self.0 {
            Value::Number(x) => Expr(Value::Number(on_number(x))),
            Value::Node(writer, id) => writer.expr(writer.edit(|exprs| write(exprs, id))),
        }
    }

    /// `if self < other { then } else { otherwise }`.
    pub fn if_less(self, other: impl Into<Self>, then: impl Into<Self>, otherwise: impl Into<Self>) -> Self {
        Scalar::select(Comparison::Less, self, other.into(), then.into(), otherwise.into())
    }

    /// `if self == other { then } else { otherwise }`.
    pub fn if_equal(self, other: impl Into<Self>, then: impl Into<Self>, otherwise: impl Into<Self>) -> Self {
        Scalar::select(Comparison::Equal, self, other.into(), then.into(), otherwise.into())
    }

    /// The smaller of two scalars; the first one if they are equal.
    pub fn min(self, other: impl Into<Self>) -> Self {
        self.binary(Function2::Min, other.into())
    }

    /// The greater of two scalars; the first one if they are equal.
    pub fn max(self, other: impl Into<Self>) -> Self {
        self.binary(Function2::Max, other.into())
    }

    /// The angle atan2(self, cosine) in (−π, π\], where `self` is the sine; both may have a common positive factor.
    pub fn atan2(self, cosine: Self) -> Self {
        self.binary(Function2::Atan2, cosine)
    }

    /// The power self^exponent.
    pub fn powf(self, exponent: impl Into<Self>) -> Self {
        self.binary(Function2::Powf, exponent.into())
    }

    /// The value clamped to [−most, most].
    pub fn clamped(self, most: Self) -> Self {
        self.max(-most).min(most)
    }
}

impl From<f64> for Expr<'_> {
    fn from(x: f64) -> Self {
        Expr(Value::Number(x))
    }
}

impl Add for Expr<'_> {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        self.zip(other, |x, y| x + y, Exprs::add)
    }
}

impl Sub for Expr<'_> {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        self.zip(other, |x, y| x - y, Exprs::sub)
    }
}

impl Mul for Expr<'_> {
    type Output = Self;
    fn mul(self, other: Self) -> Self {
        self.zip(other, |x, y| x * y, Exprs::mul)
    }
}

impl Div for Expr<'_> {
    type Output = Self;
    fn div(self, other: Self) -> Self {
        self.zip(other, |x, y| x / y, Exprs::div)
    }
}

impl Neg for Expr<'_> {
    type Output = Self;
    fn neg(self) -> Self {
        self.change(|x| -x, Exprs::neg)
    }
}

/// Operators between an expression and a number.
macro_rules! with_numbers {
    ($($operator:ident $name:ident),*) => {
        $(impl $operator<f64> for Expr<'_> {
            type Output = Self;
            fn $name(self, number: f64) -> Self {
                self.$name(Expr::from(number))
            }
        }

        impl<'e> $operator<Expr<'e>> for f64 {
            type Output = Expr<'e>;
            fn $name(self, expr: Expr<'e>) -> Expr<'e> {
                Expr::from(self).$name(expr)
            }
        })*
    };
}

with_numbers!(Add add, Sub sub, Mul mul, Div div);

impl<'e, const N: usize> Mul<Vector<Expr<'e>, N>> for Expr<'e> {
    type Output = Vector<Expr<'e>, N>;
    fn mul(self, vector: Vector<Expr<'e>, N>) -> Vector<Expr<'e>, N> {
        vector * self
    }
}

impl Scalar for Expr<'_> {
    fn number(x: f64) -> Self {
        x.into()
    }

    fn unary(self, f: Function) -> Self {
        self.change(|x| f.apply(x), |exprs, id| exprs.unary(f, id))
    }

    fn binary(self, f: Function2, other: Self) -> Self {
        self.zip(other, |x, y| f.apply(x, y), |exprs, a, b| exprs.binary(f, a, b))
    }

    fn select(test: Comparison, left: Self, right: Self, then: Self, otherwise: Self) -> Self {
        if let (Value::Number(x), Value::Number(y)) = (left.0, right.0) {
            return if test.apply(x, y) { then } else { otherwise };
        }
        let ((Value::Node(writer, _), _) | (_, Value::Node(writer, _))) = (left.0, right.0) else { return then };
        let [left, right, then, otherwise] = [left, right, then, otherwise].map(|x| writer.id(x));
        writer.expr(writer.edit(|exprs| exprs.select(test, left, right, then, otherwise)))
    }

    fn called(call: FunctionCall<'_>, arguments: &[Self], t: Self) -> Self {
        let Value::Node(writer, _) = t.0 else { unreachable!("time is a leaf") };
        let arguments: Vec<ExprId> = arguments.iter().map(|a| writer.id(*a)).collect();
        writer.expr(writer.edit(|exprs| exprs.called_partial(call.id, call.function, call.partial, &arguments)))
    }

    fn rate(self) -> Self {
        self.change(|_| 0.0, Exprs::rate)
    }

    fn literal(self) -> Option<f64> {
        match self.0 {
            Value::Number(x) => Some(x),
            Value::Node(writer, id) => writer.read(|exprs| exprs.value(id)),
        }
    }

    fn is_zero(self) -> bool {
        self.literal() == Some(0.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operators_fold_as_method_calls_do() {
        let mut exprs = Exprs::default();
        let [x, y] = [Op::Parameter(0), Op::Parameter(1)].map(|op| exprs.push(op));
        let product = exprs.mul(x, y);
        let half = exprs.constant(0.5);
        let scaled = exprs.mul(half, product);
        let root = exprs.unary(Function::Sqrt, scaled);
        exprs.write(|w| {
            let [x, y] = [w.expr(x), w.expr(y)];
            assert_eq!(w.id((0.5 * (x * y)).sqrt()), root);
            assert_eq!(w.id(x * 1.0 + 0.0 * y), w.id(x));
            assert_eq!((x - x).literal(), Some(0.0));
            assert_eq!((w.expr(half) * 4.0 - 1.0).literal(), Some(1.0));
        });
    }

    #[test]
    fn products_of_vectors_drop_zeros() {
        let mut exprs = Exprs::default();
        let [x, y] = [Op::Parameter(0), Op::Parameter(1)].map(|op| exprs.push(op));
        exprs.write(|w| {
            let zero = Expr::from(0.0);
            let (a, b) = (Vector([w.expr(x), zero, zero]), Vector([zero, w.expr(y), zero]));
            assert!(a.dot(b).is_zero());
            let [first, second, last] = a.cross(b).0;
            assert!(first.is_zero() && second.is_zero());
            assert_eq!(w.id(last), w.edit(|exprs| exprs.mul(x, y)));
        });
    }
}
