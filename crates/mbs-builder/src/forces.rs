//! Forces: a type per kind of the catalogue, with the arguments that have defaults as methods.

mod kinds;
mod methods;

pub use kinds::*;

use std::marker::PhantomData;
use std::panic::Location;

use super::joints::Joint;
use super::term::{Declared, Term, Value};
use super::{Frame, Name, Number, Planar, Scalar, Truth, Vector};

/// A force of kind `K`. It acts with its value on the last end and with the opposite on the first.
#[derive(Clone, Copy, Debug)]
pub struct Force<'m, K = Other> {
    pub(super) declared: Declared<'m>,
    kind: PhantomData<K>,
}

/// The kind of a force made by name.
#[derive(Clone, Copy, Debug)]
pub struct Other;
/// A force derived from an energy.
#[derive(Clone, Copy, Debug)]
pub struct Potential;

/// Coordinate on which a mobility acts: that of a joint with one coordinate, a coordinate of a joint, or a declared coordinate.
#[derive(Clone, Copy, Debug)]
pub struct Coordinate<'m>(Term<'m>);

impl<'m> From<Joint<'m>> for Coordinate<'m> {
    fn from(joint: Joint<'m>) -> Self {
        Coordinate(joint.declared.term)
    }
}

impl<'m> From<Scalar<'m>> for Coordinate<'m> {
    fn from(x: Scalar<'m>) -> Self {
        Coordinate(x.0)
    }
}

/// # Potentials, and forces by name
impl Planar {
    /// The force Q = −∂V/∂q of an energy V \[J\] that depends on positions, time and parameters.
    #[track_caller]
    pub fn potential<'m>(&'m self, name: impl Into<Name>, energy: impl Into<Number<'m>>) -> Force<'m, Potential> {
        let here = Location::caller();
        Force { declared: self.declared("potential", name, here).value(energy.into(), here), kind: PhantomData }
    }

    /// A force of any kind by its name, its arguments given by [`Force::argument`].
    #[track_caller]
    pub fn force<'m>(
        &'m self,
        name: impl Into<Name>,
        kind: &str,
        ends: impl IntoIterator<Item: Into<Value<'m>>>,
    ) -> Force<'m> {
        self.applied(name, kind, ends)
    }

    #[track_caller]
    fn applied<'m, K>(
        &'m self,
        name: impl Into<Name>,
        kind: &str,
        ends: impl IntoIterator<Item: Into<Value<'m>>>,
    ) -> Force<'m, K> {
        let here = Location::caller();
        let declared = self.declared("force", name, here).kind(kind, ends.into_iter().map(Into::into), here);
        Force { declared, kind: PhantomData }
    }
}

impl<'m, K> Force<'m, K> {
    /// While the switch is off, the force has no load, and a potential has no energy.
    #[track_caller]
    pub fn enabled(self, switch: Truth<'m>) -> Self {
        self.argument("enabled", switch)
    }

    /// Any argument by its name.
    #[track_caller]
    pub fn argument(self, name: &str, value: impl Into<Value<'m>>) -> Self {
        Force { declared: self.declared.argument(name, value, Location::caller()), ..self }
    }

    #[track_caller]
    fn opposed(self, first: Frame<'m>) -> Self {
        Force { declared: self.declared.first_end(first, Location::caller()), ..self }
    }

    #[track_caller]
    fn exerted(self) -> Term<'m> {
        self.declared.term.call("load", Location::caller())
    }
}

/// Load of a force with a point on its last end.
#[derive(Clone, Copy, Debug)]
pub struct Load<'m>(Term<'m>);

impl<'m> Load<'m> {
    /// Force \[N\], world axes.
    #[track_caller]
    pub fn force(self) -> Vector<'m> {
        Vector(self.0.field("force", Location::caller()))
    }

    /// Torque \[N m\].
    #[track_caller]
    pub fn torque(self) -> Scalar<'m> {
        Scalar(self.0.field("torque", Location::caller()))
    }
}

impl<'m, K> From<Force<'m, K>> for Value<'m> {
    fn from(force: Force<'m, K>) -> Self {
        force.declared.term.into()
    }
}
