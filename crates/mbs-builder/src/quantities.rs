//! Parameters, constants, inputs, states, coordinates, named expressions; numbers and vectors as expressions.

use std::panic::Location;

use mbs_definition::BinaryOp;

use super::term::{Declared, Term, Value};
use super::{Matrix, Name, Number, Numbers, Planar, Scalar, Truth, Vector};

/// # Quantities
impl Planar {
    /// A tunable parameter with its default: numbers, constants and earlier parameters, folded to a number.
    #[track_caller]
    pub fn param<'m>(&'m self, name: impl Into<Name>, default: impl Into<Number<'m>>) -> Scalar<'m> {
        Scalar(self.valued("param", name, default.into(), Location::caller()))
    }

    /// A tunable vector of any length.
    #[track_caller]
    pub fn param_vector<'m>(&'m self, name: impl Into<Name>, default: impl Into<Numbers<'m>>) -> Vector<'m> {
        Vector(self.valued("param", name, default.into(), Location::caller()))
    }

    /// A tunable matrix, row by row.
    #[track_caller]
    pub fn param_matrix<'m>(
        &'m self,
        name: impl Into<Name>,
        rows: impl IntoIterator<Item: Into<Numbers<'m>>>,
    ) -> Matrix<'m> {
        Matrix(self.valued("param", name, rows_of(rows), Location::caller()))
    }

    /// A constant, folded into the code under its name.
    #[track_caller]
    pub fn constant<'m>(&'m self, name: impl Into<Name>, value: impl Into<Number<'m>>) -> Scalar<'m> {
        Scalar(self.valued("const", name, value.into(), Location::caller()))
    }

    /// A constant vector.
    #[track_caller]
    pub fn constant_vector<'m>(&'m self, name: impl Into<Name>, value: impl Into<Numbers<'m>>) -> Vector<'m> {
        Vector(self.valued("const", name, value.into(), Location::caller()))
    }

    /// A constant matrix, row by row.
    #[track_caller]
    pub fn constant_matrix<'m>(
        &'m self,
        name: impl Into<Name>,
        rows: impl IntoIterator<Item: Into<Numbers<'m>>>,
    ) -> Matrix<'m> {
        Matrix(self.valued("const", name, rows_of(rows), Location::caller()))
    }

    /// An input u, supplied at every evaluation.
    #[track_caller]
    pub fn input(&self, name: impl Into<Name>) -> Scalar<'_> {
        Scalar(self.declared("input", name, Location::caller()).term)
    }

    /// An input of several components. [`Vector::in_frame`] sets their axes.
    #[track_caller]
    pub fn input_vector(&self, name: impl Into<Name>, components: usize) -> Vector<'_> {
        Vector(self.declared("input", name, Location::caller()).shaped(&[components]).term)
    }

    /// An input matrix.
    #[track_caller]
    pub fn input_matrix(&self, name: impl Into<Name>, rows: usize, columns: usize) -> Matrix<'_> {
        Matrix(self.declared("input", name, Location::caller()).shaped(&[rows, columns]).term)
    }

    /// An auxiliary state z that starts at `initial`. Its [`rate`](State::rate) has to be set.
    #[track_caller]
    pub fn state<'m>(&'m self, name: impl Into<Name>, initial: impl Into<Number<'m>>) -> State<'m, Scalar<'m>> {
        let here = Location::caller();
        let declared = self.declared("state", name, here).value(initial.into(), here);
        State { declared, value: Scalar(declared.term) }
    }

    /// An auxiliary state of several components. Its [`rate`](State::rate) has to be set.
    #[track_caller]
    pub fn state_vector<'m>(&'m self, name: impl Into<Name>, initial: impl Into<Numbers<'m>>) -> State<'m, Vector<'m>> {
        let here = Location::caller();
        let declared = self.declared("state", name, here).value(initial.into(), here);
        State { declared, value: Vector(declared.term) }
    }

    /// A number that changes at instants only: a state whose rate is zero, among the last of z. [Events](Planar::event) change it, and so
    /// do owners of the state, such as a closure of `Simulation::event`.
    #[track_caller]
    pub fn discrete<'m>(&'m self, name: impl Into<Name>, initial: impl Into<Number<'m>>) -> Scalar<'m> {
        Scalar(self.valued("discrete", name, initial.into(), Location::caller()))
    }

    /// A vector that changes at instants only.
    #[track_caller]
    pub fn discrete_vector<'m>(&'m self, name: impl Into<Name>, initial: impl Into<Numbers<'m>>) -> Vector<'m> {
        Vector(self.valued("discrete", name, initial.into(), Location::caller()))
    }

    /// One of several words, at first `initial`, that changes at instants only: `discrete gear: enum { low, high } = low;`.
    #[track_caller]
    pub fn choice(&self, name: impl Into<Name>, words: &[&str], initial: &str) -> Choice<'_> {
        let here = Location::caller();
        Choice(self.declared("discrete", name, here).variants(words).value(Value::word(initial), here).term)
    }

    /// On or off, for `enabled` of joints, equations and forces: 1 or 0 among the last of z.
    #[track_caller]
    pub fn switch(&self, name: impl Into<Name>, is_on: bool) -> Truth<'_> {
        Truth(self.valued("switch", name, is_on, Location::caller()))
    }

    /// A massless algebraic unknown, determined by constraints, with a guess of its value.
    #[track_caller]
    pub fn coordinate<'m>(&'m self, name: impl Into<Name>, guess: impl Into<Number<'m>>) -> Scalar<'m> {
        Scalar(self.valued("coordinate", name, guess.into(), Location::caller()))
    }

    /// Several algebraic unknowns under one name.
    #[track_caller]
    pub fn coordinate_vector<'m>(&'m self, name: impl Into<Name>, guess: impl Into<Numbers<'m>>) -> Vector<'m> {
        Vector(self.valued("coordinate", name, guess.into(), Location::caller()))
    }

    /// A name for a subexpression, the language's `let`. A Rust variable is equivalent; a name makes long expressions shorter in messages,
    /// and splits those of more than some thousand terms.
    #[track_caller]
    pub fn define<'m>(&'m self, name: impl Into<Name>, value: impl Into<Number<'m>>) -> Scalar<'m> {
        Scalar(self.valued("let", name, value.into(), Location::caller()))
    }

    /// A name for a vector.
    #[track_caller]
    pub fn define_vector<'m>(&'m self, name: impl Into<Name>, value: impl Into<Numbers<'m>>) -> Vector<'m> {
        Vector(self.valued("let", name, value.into(), Location::caller()))
    }

    /// Time t \[s\].
    #[track_caller]
    pub fn t(&self) -> Scalar<'_> {
        Scalar(self.word("t", Location::caller()))
    }

    /// A number as an expression, for arguments that must be a [`Scalar`].
    #[track_caller]
    pub fn number<'m>(&'m self, value: impl Into<Number<'m>>) -> Scalar<'m> {
        Scalar(self.term(value.into(), Location::caller()))
    }

    /// A vector as an expression.
    #[track_caller]
    pub fn vector<'m>(&'m self, components: impl Into<Numbers<'m>>) -> Vector<'m> {
        Vector(self.term(components.into(), Location::caller()))
    }

    /// A matrix as an expression, row by row.
    #[track_caller]
    pub fn matrix<'m>(&'m self, rows: impl IntoIterator<Item: Into<Numbers<'m>>>) -> Matrix<'m> {
        Matrix(self.term(rows_of(rows), Location::caller()))
    }

    /// A truth value as an expression.
    #[track_caller]
    pub fn truth(&self, value: bool) -> Truth<'_> {
        Truth(self.term(value, Location::caller()))
    }

    /// The sum of any number of terms, 0 without any.
    #[track_caller]
    pub fn sum<'m>(&'m self, terms: impl IntoIterator<Item: Into<Number<'m>>>) -> Scalar<'m> {
        let here = Location::caller();
        let mut terms = terms.into_iter().map(|term| self.term(term.into(), here));
        let first = terms.next().unwrap_or_else(|| self.term(0.0, here));
        Scalar(terms.fold(first, |sum, term| sum.binary(BinaryOp::Add, term, here)))
    }
}

/// A choice of words, made by [`Planar::choice`]; [`Event::choose`](super::Event::choose) changes it.
#[derive(Clone, Copy, Debug)]
pub struct Choice<'m>(pub(super) Term<'m>);

impl<'m> Choice<'m> {
    /// Whether it is this word.
    #[track_caller]
    pub fn is(self, word: &str) -> Truth<'m> {
        Truth(self.0.binary(BinaryOp::Equal, Value::word(word), Location::caller()))
    }

    /// Whether it is another word.
    #[track_caller]
    pub fn is_not(self, word: &str) -> Truth<'m> {
        Truth(self.0.binary(BinaryOp::NotEqual, Value::word(word), Location::caller()))
    }
}

fn rows_of<'m>(rows: impl IntoIterator<Item: Into<Numbers<'m>>>) -> Value<'m> {
    Value::list(rows.into_iter().map(Into::into))
}

/// An auxiliary state z with ż = rate, of type [`Scalar`] or [`Vector`].
///
/// It may be used wherever methods accept a number; [`State::value`] is for the left side of an operator.
#[derive(Clone, Copy, Debug)]
pub struct State<'m, V> {
    declared: Declared<'m>,
    value: V,
}

impl<V: Copy> State<'_, V> {
    /// z as an expression.
    pub fn value(self) -> V {
        self.value
    }
}

impl<'m> State<'m, Scalar<'m>> {
    /// Sets ż: any expression without accelerations and loads of rows.
    #[track_caller]
    pub fn rate(self, rate: impl Into<Number<'m>>) -> Self {
        State { declared: self.declared.argument("rate", rate.into(), Location::caller()), ..self }
    }
}

impl<'m> State<'m, Vector<'m>> {
    /// Sets ż, component by component: any expression without accelerations and loads of rows.
    #[track_caller]
    pub fn rate(self, rate: impl Into<Numbers<'m>>) -> Self {
        State { declared: self.declared.argument("rate", rate.into(), Location::caller()), ..self }
    }
}

impl<'m> From<Choice<'m>> for Value<'m> {
    fn from(choice: Choice<'m>) -> Self {
        choice.0.into()
    }
}
