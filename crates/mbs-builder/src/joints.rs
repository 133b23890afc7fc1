//! Joints: a type per kind of the catalogue, with the kind's coordinates as methods.

mod kinds;
mod methods;

pub use kinds::*;

use std::marker::PhantomData;
use std::panic::Location;

use super::term::{self, Term, Value};
use super::untyped::Untyped;
use super::{Name, Planar, Scalar, Truth, Vector};

/// A joint of kind `K`.
///
/// Coordinates measure the second end relative to the first, in every formulation; angles count revolutions.
#[derive(Clone, Copy, Debug)]
pub struct Joint<'m, K = Other> {
    pub(super) declared: term::Declared<'m>,
    pub(super) kind: PhantomData<K>,
}

/// The kind of a joint made by name.
#[derive(Clone, Copy, Debug)]
pub struct Other;

/// The kind of a joint of two curves that touch.
#[derive(Clone, Copy, Debug)]
pub struct Cam;

/// The kind of a joint whose kind [`Planar::joint_kind`] declares.
#[derive(Clone, Copy, Debug)]
pub struct Declared;

/// A member of a gear: a joint that has an angle.
#[derive(Clone, Copy, Debug)]
pub struct RotaryJoint<'m>(Term<'m>);

impl<'m> From<Joint<'m>> for RotaryJoint<'m> {
    fn from(joint: Joint<'m>) -> Self {
        RotaryJoint(joint.declared.term)
    }
}

/// # Joints by name
impl Planar {
    /// A joint of any kind by its name, its arguments given by [`Joint::argument`].
    #[track_caller]
    pub fn joint<'m>(
        &'m self,
        name: impl Into<Name>,
        kind: &str,
        ends: impl IntoIterator<Item: Into<Value<'m>>>,
    ) -> Joint<'m> {
        self.joined(name, kind, ends)
    }

    #[track_caller]
    pub(super) fn joined<'m, K>(
        &'m self,
        name: impl Into<Name>,
        kind: &str,
        ends: impl IntoIterator<Item: Into<Value<'m>>>,
    ) -> Joint<'m, K> {
        let here = Location::caller();
        let declared = self.declared("joint", name, here).kind(kind, ends.into_iter().map(Into::into), here);
        Joint { declared, kind: PhantomData }
    }
}

/// Reaction of a joint on the body of its second end, or of an equation on a body; it does no work on the degrees of freedom.
#[derive(Clone, Copy, Debug)]
pub struct Reaction<'m>(pub(super) Term<'m>);

impl<'m> Reaction<'m> {
    /// Force \[N\], world axes.
    #[track_caller]
    pub fn force(self) -> Vector<'m> {
        Vector(self.0.field("force", Location::caller()))
    }

    /// Moment \[N m\]: of a joint about its second end, of an equation about the body's origin.
    #[track_caller]
    pub fn torque(self) -> Scalar<'m> {
        Scalar(self.0.field("torque", Location::caller()))
    }
}

impl<'m, K> Joint<'m, K> {
    /// Makes the joint close its loop by rows instead of spanning the tree of joint coordinates.
    #[track_caller]
    pub fn cut(self) -> Self {
        self.argument("cut", true)
    }

    /// The switch of the joint: the joint does not exist while it is off. It closes its loop by rows.
    #[track_caller]
    pub fn enabled(self, switch: Truth<'m>) -> Self {
        self.argument("enabled", switch)
    }

    /// Any argument by its name.
    #[track_caller]
    pub fn argument(self, name: &str, value: impl Into<Value<'m>>) -> Self {
        Joint { declared: self.declared.argument(name, value, Location::caller()), ..self }
    }

    /// Reaction of the joint on its second end; for outputs.
    #[track_caller]
    pub fn reaction(self) -> Reaction<'m> {
        Reaction(self.declared.term.call("reaction", Location::caller()))
    }

    /// All coordinates.
    #[track_caller]
    pub fn q(self) -> Vector<'m> {
        Vector(self.declared.term.field("q", Location::caller()))
    }

    /// All speeds.
    #[track_caller]
    pub fn u(self) -> Vector<'m> {
        Vector(self.declared.term.field("u", Location::caller()))
    }

    /// A coordinate, speed or acceleration by its name.
    #[track_caller]
    pub fn field(self, name: &str) -> Untyped<'m> {
        Untyped(self.declared.term.field(name, Location::caller()))
    }

    #[track_caller]
    fn scalar_field(self, name: &str) -> Scalar<'m> {
        Scalar(self.declared.term.field(name, Location::caller()))
    }

    #[track_caller]
    fn vector_field(self, name: &str) -> Vector<'m> {
        Vector(self.declared.term.field(name, Location::caller()))
    }
}

impl<'m, K> From<Joint<'m, K>> for Value<'m> {
    fn from(joint: Joint<'m, K>) -> Self {
        joint.declared.term.into()
    }
}
