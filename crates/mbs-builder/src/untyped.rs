//! Untyped values: the common form of all typed handles, and access to features without a typed method.

use std::panic::Location;

use super::joints::Joint;
use super::store::{NodeKind, Store};
use super::term::{Declared, Term};
use super::{
    Body, Choice, Equation, Force, Marker, Matrix, Number, Numbers, Particle, Place, Row, Scalar, Set, Truth, Vector,
};

/// Any part of an expression: handles, numbers, `true`, words, lists.
///
/// It is the argument of the generic methods, [`Planar::joint`](super::Planar::joint), [`Planar::call`](super::Planar::call) and the
/// `argument` of handles; `resolve` checks its type.
#[derive(Clone, Debug)]
pub struct Value<'m>(pub(super) Written<'m>);

/// The forms of a value.
#[derive(Clone, Debug)]
pub(super) enum Written<'m> {
    Number(f64),
    Word(String),
    List(Vec<Value<'m>>),
    Term(Term<'m>),
}

impl<'m> Value<'m> {
    /// A word of the language, such as `joint` in `coordinates: joint`, or a declared name.
    pub fn word(word: impl Into<String>) -> Self {
        Value(Written::Word(word.into()))
    }

    /// `[a, b, …]`
    pub fn list(items: impl IntoIterator<Item: Into<Value<'m>>>) -> Self {
        Value(Written::List(items.into_iter().map(Into::into).collect()))
    }
}

impl From<f64> for Value<'_> {
    fn from(number: f64) -> Self {
        Value(Written::Number(number))
    }
}

impl From<bool> for Value<'_> {
    fn from(truth: bool) -> Self {
        Value::word(if truth { "true" } else { "false" })
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

impl<'m> From<Number<'m>> for Value<'m> {
    fn from(number: Number<'m>) -> Self {
        number.0
    }
}

impl<'m> From<Numbers<'m>> for Value<'m> {
    fn from(numbers: Numbers<'m>) -> Self {
        numbers.0
    }
}

impl<'m> From<Term<'m>> for Value<'m> {
    fn from(term: Term<'m>) -> Self {
        Value(Written::Term(term))
    }
}

impl<'m> From<Scalar<'m>> for Value<'m> {
    fn from(x: Scalar<'m>) -> Self {
        x.0.into()
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

impl<'m> From<Truth<'m>> for Value<'m> {
    fn from(truth: Truth<'m>) -> Self {
        truth.0.into()
    }
}

impl<'m> From<Choice<'m>> for Value<'m> {
    fn from(choice: Choice<'m>) -> Self {
        choice.0.into()
    }
}

impl<'m> From<Place<'m>> for Value<'m> {
    fn from(place: Place<'m>) -> Self {
        place.0.into()
    }
}

impl<'m> From<Set<'m>> for Value<'m> {
    fn from(set: Set<'m>) -> Self {
        set.0.into()
    }
}

impl<'m> From<Body<'m>> for Value<'m> {
    fn from(body: Body<'m>) -> Self {
        body.0.term.into()
    }
}

impl<'m> From<Particle<'m>> for Value<'m> {
    fn from(particle: Particle<'m>) -> Self {
        particle.0.term.into()
    }
}

impl<'m> From<Marker<'m>> for Value<'m> {
    fn from(marker: Marker<'m>) -> Self {
        marker.0.term.into()
    }
}

impl<'m, K> From<Joint<'m, K>> for Value<'m> {
    fn from(joint: Joint<'m, K>) -> Self {
        joint.declared.term.into()
    }
}

impl<'m, K> From<Force<'m, K>> for Value<'m> {
    fn from(force: Force<'m, K>) -> Self {
        force.declared.term.into()
    }
}

impl<'m, V> From<Row<'m, V>> for Value<'m> {
    fn from(row: Row<'m, V>) -> Self {
        row.declared.term.into()
    }
}

impl<'m, V> From<Equation<'m, V>> for Value<'m> {
    fn from(equation: Equation<'m, V>) -> Self {
        equation.term.into()
    }
}

impl<'m> From<Untyped<'m>> for Value<'m> {
    fn from(untyped: Untyped<'m>) -> Self {
        untyped.0.into()
    }
}

impl<'m> From<Item<'m>> for Value<'m> {
    fn from(item: Item<'m>) -> Self {
        item.0.term.into()
    }
}

/// An expression whose type the builder does not know: the caller states the type, and `resolve` checks it.
#[derive(Clone, Copy, Debug)]
pub struct Untyped<'m>(pub(super) Term<'m>);

impl<'m> Untyped<'m> {
    /// As a number.
    pub fn scalar(self) -> Scalar<'m> {
        Scalar(self.0)
    }

    /// As a vector.
    pub fn vector(self) -> Vector<'m> {
        Vector(self.0)
    }

    /// As a matrix.
    pub fn matrix(self) -> Matrix<'m> {
        Matrix(self.0)
    }

    /// As a truth value.
    pub fn truth(self) -> Truth<'m> {
        Truth(self.0)
    }

    /// As a body or marker.
    pub fn place(self) -> Place<'m> {
        Place(self.0)
    }

    /// `self.name`
    #[track_caller]
    pub fn field(self, name: &str) -> Untyped<'m> {
        Untyped(self.0.field(name, Location::caller()))
    }
}

/// An item of any category, made by [`Planar::declare`](super::Planar::declare) or [`Planar::option`](super::Planar::option).
#[derive(Clone, Copy, Debug)]
pub struct Item<'m>(pub(super) Declared<'m>);

impl<'m> Item<'m> {
    /// The value after `=`, or after the colon of an option; it may be an [`Equation`].
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
