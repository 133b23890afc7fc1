//! Numbers and truth values.

use std::panic::Location;

use mbs_definition::{BinaryOp, UnaryOp};

use super::contents::NodeKind;
use super::equations::Equation;
use super::term::{Term, Value, ValueForm};
use super::{State, Vector};

/// A number: an expression of parameters, time, coordinates and other quantities of the mechanism.
///
/// `+ - * /` and `+=` work with `f64` on either side, and the functions of the language are methods.
#[derive(Clone, Copy, Debug)]
pub struct Scalar<'m>(pub(super) Term<'m>);

/// Argument of methods that accept a number: `f64`, [`Scalar`] or [`State`].
#[derive(Clone, Debug)]
pub struct Number<'m>(pub(super) Value<'m>);

impl From<f64> for Number<'_> {
    fn from(number: f64) -> Self {
        Number(number.into())
    }
}

impl<'m> From<Scalar<'m>> for Number<'m> {
    fn from(x: Scalar<'m>) -> Self {
        Number(x.into())
    }
}

impl<'m> From<State<'m, Scalar<'m>>> for Number<'m> {
    fn from(state: State<'m, Scalar<'m>>) -> Self {
        Number(state.value().into())
    }
}

impl<'m> Scalar<'m> {
    #[track_caller]
    fn apply(self, function: &str) -> Self {
        Scalar(self.0.call(function, Location::caller()))
    }

    #[track_caller]
    fn apply2(self, function: &str, second: impl Into<Number<'m>>) -> Self {
        Scalar(self.0.call2(function, second.into(), Location::caller()))
    }

    /// Sine.
    #[track_caller]
    pub fn sin(self) -> Self {
        self.apply("sin")
    }

    /// Cosine.
    #[track_caller]
    pub fn cos(self) -> Self {
        self.apply("cos")
    }

    /// Tangent.
    #[track_caller]
    pub fn tan(self) -> Self {
        self.apply("tan")
    }

    /// Inverse sine.
    #[track_caller]
    pub fn asin(self) -> Self {
        self.apply("asin")
    }

    /// Inverse cosine.
    #[track_caller]
    pub fn acos(self) -> Self {
        self.apply("acos")
    }

    /// Inverse tangent.
    #[track_caller]
    pub fn atan(self) -> Self {
        self.apply("atan")
    }

    /// Angle of the vector (`x`, self) from the x axis.
    #[track_caller]
    pub fn atan2(self, x: impl Into<Number<'m>>) -> Self {
        self.apply2("atan2", x)
    }

    /// Hyperbolic sine.
    #[track_caller]
    pub fn sinh(self) -> Self {
        self.apply("sinh")
    }

    /// Hyperbolic cosine.
    #[track_caller]
    pub fn cosh(self) -> Self {
        self.apply("cosh")
    }

    /// Hyperbolic tangent.
    #[track_caller]
    pub fn tanh(self) -> Self {
        self.apply("tanh")
    }

    /// Exponential function eˣ.
    #[track_caller]
    pub fn exp(self) -> Self {
        self.apply("exp")
    }

    /// Natural logarithm.
    #[track_caller]
    pub fn ln(self) -> Self {
        self.apply("ln")
    }

    /// Square root.
    #[track_caller]
    pub fn sqrt(self) -> Self {
        self.apply("sqrt")
    }

    /// |x|; its derivative at 0 is 0.
    #[track_caller]
    pub fn abs(self) -> Self {
        self.apply("abs")
    }

    /// The sign: −1, 0 or 1.
    #[track_caller]
    pub fn signum(self) -> Self {
        self.apply("signum")
    }

    /// Largest integer that is not larger than the number.
    #[track_caller]
    pub fn floor(self) -> Self {
        self.apply("floor")
    }

    /// xⁿ, expanded to products.
    #[track_caller]
    pub fn powi(self, n: i32) -> Self {
        self.apply2("powi", f64::from(n))
    }

    /// xʸ for any y; x > 0, or x = 0 with y ≥ 0, or x < 0 with integer y.
    #[track_caller]
    pub fn powf(self, y: impl Into<Number<'m>>) -> Self {
        self.apply2("powf", y)
    }

    /// Length √(x² + y²).
    #[track_caller]
    pub fn hypot(self, y: impl Into<Number<'m>>) -> Self {
        self.apply2("hypot", y)
    }

    /// The smaller one; for equal values self, with its derivative.
    #[track_caller]
    pub fn min(self, other: impl Into<Number<'m>>) -> Self {
        self.apply2("min", other)
    }

    /// The larger one; for equal values self, with its derivative.
    #[track_caller]
    pub fn max(self, other: impl Into<Number<'m>>) -> Self {
        self.apply2("max", other)
    }

    /// Time derivative of the expression.
    #[track_caller]
    pub fn rate(self) -> Self {
        self.apply("rate")
    }

    #[track_caller]
    fn compare(self, op: BinaryOp, other: impl Into<Number<'m>>) -> Truth<'m> {
        Truth(self.0.binary(op, other.into(), Location::caller()))
    }

    /// self < other
    #[track_caller]
    pub fn lt(self, other: impl Into<Number<'m>>) -> Truth<'m> {
        self.compare(BinaryOp::Less, other)
    }

    /// self ≤ other
    #[track_caller]
    pub fn le(self, other: impl Into<Number<'m>>) -> Truth<'m> {
        self.compare(BinaryOp::LessEqual, other)
    }

    /// self > other
    #[track_caller]
    pub fn gt(self, other: impl Into<Number<'m>>) -> Truth<'m> {
        self.compare(BinaryOp::Greater, other)
    }

    /// self ≥ other
    #[track_caller]
    pub fn ge(self, other: impl Into<Number<'m>>) -> Truth<'m> {
        self.compare(BinaryOp::GreaterEqual, other)
    }

    /// Whether the numbers are equal; [`Scalar::equals`] makes an equation to be satisfied.
    #[track_caller]
    pub fn eq(self, other: impl Into<Number<'m>>) -> Truth<'m> {
        self.compare(BinaryOp::Equal, other)
    }

    /// Whether the numbers differ.
    #[track_caller]
    pub fn ne(self, other: impl Into<Number<'m>>) -> Truth<'m> {
        self.compare(BinaryOp::NotEqual, other)
    }

    /// The equation self = right of a drive, constraint or coupling. Its row is self − right.
    #[track_caller]
    pub fn equals(self, right: impl Into<Number<'m>>) -> Equation<'m, Scalar<'m>> {
        Equation::new(self.0, right.into().0, Location::caller())
    }
}

/// True or false, determined at every evaluation. `&`, `|` and `!` are the operators `&&`, `||` and `!` of the language.
#[derive(Clone, Copy, Debug)]
pub struct Truth<'m>(pub(super) Term<'m>);

impl<'m> Truth<'m> {
    /// `then` where true, else `otherwise`: the language's `if`, with the derivative of the branch taken.
    #[track_caller]
    pub fn select(self, then: impl Into<Number<'m>>, otherwise: impl Into<Number<'m>>) -> Scalar<'m> {
        Scalar(self.choose(then.into().0, otherwise.into().0))
    }

    /// [`Truth::select`] between vectors.
    #[track_caller]
    pub fn select_vector(
        self,
        then: impl Into<super::Numbers<'m>>,
        otherwise: impl Into<super::Numbers<'m>>,
    ) -> Vector<'m> {
        Vector(self.choose(then.into().0, otherwise.into().0))
    }

    #[track_caller]
    fn choose(self, then: Value<'m>, otherwise: Value<'m>) -> Term<'m> {
        let (store, here) = (self.0.store, Location::caller());
        let parts = [self.0.node_at(here), store.adopt(then, here), store.adopt(otherwise, here)];
        store.push(NodeKind::If(parts), here)
    }
}

impl<'m> std::ops::Not for Truth<'m> {
    type Output = Truth<'m>;

    #[track_caller]
    fn not(self) -> Truth<'m> {
        Truth(self.0.unary(UnaryOp::Not, Location::caller()))
    }
}

impl<'m> std::ops::BitAnd for Truth<'m> {
    type Output = Truth<'m>;

    #[track_caller]
    fn bitand(self, other: Truth<'m>) -> Truth<'m> {
        Truth(self.0.binary(BinaryOp::And, Value(ValueForm::Term(other.0)), Location::caller()))
    }
}

impl<'m> std::ops::BitOr for Truth<'m> {
    type Output = Truth<'m>;

    #[track_caller]
    fn bitor(self, other: Truth<'m>) -> Truth<'m> {
        Truth(self.0.binary(BinaryOp::Or, Value(ValueForm::Term(other.0)), Location::caller()))
    }
}

impl<'m> From<Number<'m>> for Value<'m> {
    fn from(number: Number<'m>) -> Self {
        number.0
    }
}

impl<'m> From<Scalar<'m>> for Value<'m> {
    fn from(x: Scalar<'m>) -> Self {
        x.0.into()
    }
}

impl<'m> From<Truth<'m>> for Value<'m> {
    fn from(truth: Truth<'m>) -> Self {
        truth.0.into()
    }
}
