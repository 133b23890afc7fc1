//! Vectors and matrices.

use std::ops::Range;
use std::panic::Location;

use super::contents::NodeKind;
use super::equations::Equation;
use super::scalar::{Number, Scalar};
use super::term::{Term, Value};
use super::{Frame, State};

/// A vector: a planar position or velocity, or a list of any length. It has axes as vectors of the language do.
///
/// `+ -` between vectors, `*` and `/` with numbers; the right operand of `+ -` may be a pair `(a, b)` or an array.
#[derive(Clone, Copy, Debug)]
pub struct Vector<'m>(pub(super) Term<'m>);

/// Argument of methods that accept a vector: a pair of numbers and [`Scalar`]s in any mixture, an array or `Vec` of one of them, or a [`Vector`].
#[derive(Clone, Debug)]
pub struct Numbers<'m>(pub(super) Value<'m>);

impl<'m> From<Vector<'m>> for Numbers<'m> {
    fn from(v: Vector<'m>) -> Self {
        Numbers(v.into())
    }
}

impl<'m> From<State<'m, Vector<'m>>> for Numbers<'m> {
    fn from(state: State<'m, Vector<'m>>) -> Self {
        Numbers(state.value().into())
    }
}

impl<'m, A: Into<Number<'m>>, B: Into<Number<'m>>> From<(A, B)> for Numbers<'m> {
    fn from((a, b): (A, B)) -> Self {
        Numbers(Value::list([a.into(), b.into()]))
    }
}

impl<'m, N: Into<Number<'m>>, const SIZE: usize> From<[N; SIZE]> for Numbers<'m> {
    fn from(components: [N; SIZE]) -> Self {
        Numbers(Value::list(components.map(Into::into)))
    }
}

impl<'m, N: Into<Number<'m>>> From<Vec<N>> for Numbers<'m> {
    fn from(components: Vec<N>) -> Self {
        Numbers(Value::list(components.into_iter().map(Into::into)))
    }
}

impl<'m> Vector<'m> {
    /// First component.
    #[track_caller]
    pub fn x(self) -> Scalar<'m> {
        Scalar(self.0.field("x", Location::caller()))
    }

    /// Second component.
    #[track_caller]
    pub fn y(self) -> Scalar<'m> {
        Scalar(self.0.field("y", Location::caller()))
    }

    /// Component i, counted from 0.
    #[track_caller]
    pub fn component(self, i: usize) -> Scalar<'m> {
        let here = Location::caller();
        let inner = self.0.node_at(here);
        Scalar(self.0.store.push(NodeKind::Element(inner, i), here))
    }

    /// Components `range.start..range.end`.
    #[track_caller]
    pub fn slice(self, range: Range<usize>) -> Vector<'m> {
        let here = Location::caller();
        let inner = self.0.node_at(here);
        Vector(self.0.store.push(NodeKind::Slice(inner, range), here))
    }

    /// Scalar product.
    #[track_caller]
    pub fn dot(self, other: impl Into<Numbers<'m>>) -> Scalar<'m> {
        Scalar(self.0.call2("dot", other.into(), Location::caller()))
    }

    /// aₓ b_y − a_y bₓ of two planar vectors.
    #[track_caller]
    pub fn cross(self, other: impl Into<Numbers<'m>>) -> Scalar<'m> {
        Scalar(self.0.call2("cross", other.into(), Location::caller()))
    }

    /// √(v·v).
    #[track_caller]
    pub fn norm(self) -> Scalar<'m> {
        Scalar(self.0.call("norm", Location::caller()))
    }

    /// The diagonal matrix of the components.
    #[track_caller]
    pub fn diagonal(self) -> Matrix<'m> {
        Matrix(self.0.call("diag", Location::caller()))
    }

    /// Time derivative of the components.
    #[track_caller]
    pub fn rate(self) -> Vector<'m> {
        Vector(self.0.call("rate", Location::caller()))
    }

    /// `self in frame`: re-expresses a vector that has axes; assigns axes to one that has none.
    #[track_caller]
    pub fn in_frame(self, frame: impl Into<Frame<'m>>) -> Vector<'m> {
        Vector(self.0.in_frame(frame.into(), Location::caller()))
    }

    /// The equation self = right of a drive, constraint or coupling, one row per component.
    #[track_caller]
    pub fn equals(self, right: impl Into<Numbers<'m>>) -> Equation<'m, Vector<'m>> {
        Equation::new(self.0, right.into().0, Location::caller())
    }
}

/// A matrix: `*` with vectors, matrices and numbers, `+ -` with matrices.
#[derive(Clone, Copy, Debug)]
pub struct Matrix<'m>(pub(super) Term<'m>);

impl<'m> Matrix<'m> {
    /// Row i, counted from 0.
    #[track_caller]
    pub fn row(self, i: usize) -> Vector<'m> {
        let here = Location::caller();
        let inner = self.0.node_at(here);
        Vector(self.0.store.push(NodeKind::Element(inner, i), here))
    }

    /// Element of row i and column j, counted from 0.
    #[track_caller]
    pub fn element(self, i: usize, j: usize) -> Scalar<'m> {
        self.row(i).component(j)
    }

    /// The transpose.
    #[track_caller]
    pub fn transpose(self) -> Matrix<'m> {
        Matrix(self.0.call("transpose", Location::caller()))
    }

    /// The diagonal of a square matrix.
    #[track_caller]
    pub fn diagonal(self) -> Vector<'m> {
        Vector(self.0.call("diag", Location::caller()))
    }
}

impl<'m, A: Into<Number<'m>>, B: Into<Number<'m>>> From<(A, B)> for Value<'m> {
    fn from(pair: (A, B)) -> Self {
        Numbers::from(pair).0
    }
}

impl<'m, N: Into<Number<'m>>, const SIZE: usize> From<[N; SIZE]> for Value<'m> {
    fn from(components: [N; SIZE]) -> Self {
        Numbers::from(components).0
    }
}

impl<'m> From<Numbers<'m>> for Value<'m> {
    fn from(numbers: Numbers<'m>) -> Self {
        numbers.0
    }
}

impl<'m> From<Vector<'m>> for Value<'m> {
    fn from(v: Vector<'m>) -> Self {
        v.0.into()
    }
}

impl<'m> From<Matrix<'m>> for Value<'m> {
    fn from(m: Matrix<'m>) -> Self {
        m.0.into()
    }
}
