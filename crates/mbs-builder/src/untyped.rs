//! Untyped handles: access to features without a typed method.

use std::panic::Location;

use super::contents::NodeKind;
use super::store::Store;
use super::term::{Declared, Term, Value};
use super::{Frame, Matrix, Scalar, Truth, Vector};

/// An expression whose type the builder does not know: the caller states the type, and `resolve` checks it.
#[derive(Clone, Copy, Debug)]
pub struct Untyped<'m>(pub(super) Term<'m>);

impl<'m> Untyped<'m> {
    /// The expression as a number.
    pub fn scalar(self) -> Scalar<'m> {
        Scalar(self.0)
    }

    /// The expression as a vector.
    pub fn vector(self) -> Vector<'m> {
        Vector(self.0)
    }

    /// The expression as a matrix.
    pub fn matrix(self) -> Matrix<'m> {
        Matrix(self.0)
    }

    /// The expression as a truth value.
    pub fn truth(self) -> Truth<'m> {
        Truth(self.0)
    }

    /// The expression as a body or marker.
    pub fn frame(self) -> Frame<'m> {
        Frame(self.0)
    }

    /// `self.name`
    #[track_caller]
    pub fn field(self, name: &str) -> Untyped<'m> {
        Untyped(self.0.field(name, Location::caller()))
    }
}

impl<'m> From<Untyped<'m>> for Value<'m> {
    fn from(untyped: Untyped<'m>) -> Self {
        untyped.0.into()
    }
}

/// An item of any category, made by [`Planar::declare`](super::Planar::declare) or [`Planar::option`](super::Planar::option).
#[derive(Clone, Copy, Debug)]
pub struct Item<'m>(pub(super) Declared<'m>);

impl<'m> Item<'m> {
    /// The value after `=`, or after the colon of an option; it may be an [`Equation`](super::Equation).
    #[track_caller]
    pub fn value(self, value: impl Into<Value<'m>>) -> Self {
        Item(self.0.value(value, Location::caller()))
    }

    /// `kind(end, end)` after `=`.
    #[track_caller]
    pub fn kind(self, kind: &str, ends: impl IntoIterator<Item: Into<Value<'m>>>) -> Self {
        Item(self.0.kind(kind, ends.into_iter().map(Into::into), Location::caller()))
    }

    /// The size after the colon: `[3]`, `[2, 3]`.
    pub fn shape(self, shape: &[usize]) -> Self {
        Item(self.0.shaped(shape))
    }

    /// `param` before the value of an option: it remains tunable.
    pub fn tunable(self) -> Self {
        Item(self.0.tunable())
    }

    /// `name: value` in braces.
    #[track_caller]
    pub fn argument(self, name: &str, value: impl Into<Value<'m>>) -> Self {
        Item(self.0.argument(name, value, Location::caller()))
    }

    /// The declared name, as an expression.
    pub fn name(self) -> Untyped<'m> {
        Untyped(self.0.term)
    }
}

impl<'m> From<Item<'m>> for Value<'m> {
    fn from(item: Item<'m>) -> Self {
        item.0.term.into()
    }
}

/// `function(argument, …)`
pub(super) fn call<'m>(
    store: &'m Store,
    function: &str,
    arguments: impl IntoIterator<Item = Value<'m>>,
    here: &'static Location<'static>,
) -> Untyped<'m> {
    let arguments = arguments.into_iter().map(|argument| store.adopt(argument, here)).collect();
    Untyped(store.push(NodeKind::Call(function.to_string(), arguments), here))
}
