//! Forces: a type per kind of the catalogue, with the arguments that have defaults as methods.
//!
//! A new kind needs a type here, a method of [`Planar`], and a method for its load. Until then [`Planar::force`] makes it by name.

mod kinds;

use std::marker::PhantomData;
use std::panic::Location;

use super::curves::Curve;
use super::functions::Height;
use super::joints::{Joint, Prismatic, Revolute};
use super::term::{Declared, Term};
use super::untyped::Value;
use super::{Name, Number, Numbers, Place, Planar, Scalar, Truth, Vector};

/// A force of kind `K`. It acts with its value on the last end and with the opposite on the first.
#[derive(Clone, Copy, Debug)]
pub struct Force<'m, K = Other> {
    pub(super) declared: Declared<'m>,
    kind: PhantomData<K>,
}

/// The kind of a force made by name.
#[derive(Clone, Copy, Debug)]
pub struct Other;
/// Spring and damper between two points.
#[derive(Clone, Copy, Debug)]
pub struct SpringDamper;
/// A cable between two points.
#[derive(Clone, Copy, Debug)]
pub struct Cable;
/// Spring and damper for the angle between two bodies.
#[derive(Clone, Copy, Debug)]
pub struct TorsionSpring;
/// Damper for the angle between two bodies.
#[derive(Clone, Copy, Debug)]
pub struct TorsionDamper;
/// A torque.
#[derive(Clone, Copy, Debug)]
pub struct Torque;
/// A force at a point.
#[derive(Clone, Copy, Debug)]
pub struct PointForce;
/// A force at a point and a moment.
#[derive(Clone, Copy, Debug)]
pub struct Wrench;
/// Contact force between two bodies.
#[derive(Clone, Copy, Debug)]
pub struct Contact;
/// A generalised force along a coordinate.
#[derive(Clone, Copy, Debug)]
pub struct Mobility;
/// A force derived from an energy.
#[derive(Clone, Copy, Debug)]
pub struct Potential;

/// Coordinate along which a mobility acts: a joint with one coordinate, a coordinate of a joint, or a declared coordinate.
#[derive(Clone, Copy, Debug)]
pub struct Coordinate<'m>(Term<'m>);

impl<'m> From<Joint<'m, Revolute>> for Coordinate<'m> {
    fn from(joint: Joint<'m, Revolute>) -> Self {
        Coordinate(joint.declared.term)
    }
}

impl<'m> From<Joint<'m, Prismatic>> for Coordinate<'m> {
    fn from(joint: Joint<'m, Prismatic>) -> Self {
        Coordinate(joint.declared.term)
    }
}

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

/// # Forces
///
/// Required arguments of a kind are arguments of the call; those with a default are methods of the force.
impl Planar {
    /// A spring of `stiffness` \[N/m\] ≥ 0 between two points, with optional damping and free length.
    #[track_caller]
    pub fn spring_damper<'m>(
        &'m self,
        name: impl Into<Name>,
        first: impl Into<Place<'m>>,
        second: impl Into<Place<'m>>,
        stiffness: impl Into<Number<'m>>,
    ) -> Force<'m, SpringDamper> {
        let ends = [first.into(), second.into()];
        self.applied(name, "spring_damper", ends).argument("stiffness", stiffness.into())
    }

    /// A cable of `stiffness` \[N/m\] ≥ 0 and `free_length` \[m\] > 0 between two points: it pulls while it is longer, with optional damping.
    #[track_caller]
    pub fn cable<'m>(
        &'m self,
        name: impl Into<Name>,
        first: impl Into<Place<'m>>,
        second: impl Into<Place<'m>>,
        stiffness: impl Into<Number<'m>>,
        free_length: impl Into<Number<'m>>,
    ) -> Force<'m, Cable> {
        let cable = self.applied(name, "cable", [first.into(), second.into()]);
        cable.argument("stiffness", stiffness.into()).argument("free_length", free_length.into())
    }

    /// A disc of a `radius` \[m\] > 0 about the second end's point on the line along the first end's x axis, solid below, with the `stiffness`
    /// \[N/m^e\] ≥ 0 of Hertz's law unless another exponent is given.
    #[track_caller]
    pub fn plane_contact<'m>(
        &'m self,
        name: impl Into<Name>,
        plane: impl Into<Place<'m>>,
        ball: impl Into<Place<'m>>,
        radius: impl Into<Number<'m>>,
        stiffness: impl Into<Number<'m>>,
    ) -> Force<'m, Contact> {
        let contact = self.applied(name, "plane_contact", [plane.into(), ball.into()]);
        contact.argument("radius", radius.into()).argument("stiffness", stiffness.into())
    }

    /// A disc of a `radius` \[m\] > 0 about the second end's point on terrain, solid below a height \[m\] over the first end's x axis, with the
    /// `stiffness` \[N/m^e\] ≥ 0 of Hertz's law unless another exponent is given.
    #[track_caller]
    pub fn terrain_contact<'m>(
        &'m self,
        name: impl Into<Name>,
        terrain: impl Into<Place<'m>>,
        ball: impl Into<Place<'m>>,
        height: impl Into<Height<'m>>,
        radius: impl Into<Number<'m>>,
        stiffness: impl Into<Number<'m>>,
    ) -> Force<'m, Contact> {
        let height = height.into().name(Location::caller());
        let contact = self.applied(name, "terrain_contact", [terrain.into(), ball.into()]);
        let contact = contact.argument("height", height).argument("radius", radius.into());
        contact.argument("stiffness", stiffness.into())
    }

    /// Two curves, the second with its body on its left, with the `stiffness` \[N/m^e\] ≥ 0 of Hertz's law unless another exponent is given.
    #[track_caller]
    pub fn curve_contact<'m>(
        &'m self,
        name: impl Into<Name>,
        first: Curve<'m>,
        second: Curve<'m>,
        stiffness: impl Into<Number<'m>>,
    ) -> Force<'m, Contact> {
        let contact = self.applied(name, "curve_contact", [first.0.term, second.0.term]);
        contact.argument("stiffness", stiffness.into())
    }

    /// Two discs of `radii` \[m\] > 0 about the points of both ends, with the `stiffness` \[N/m^e\] ≥ 0 of Hertz's law unless another exponent is
    /// given.
    #[track_caller]
    pub fn ball_contact<'m, R: Into<Number<'m>>>(
        &'m self,
        name: impl Into<Name>,
        first: impl Into<Place<'m>>,
        second: impl Into<Place<'m>>,
        radii: [R; 2],
        stiffness: impl Into<Number<'m>>,
    ) -> Force<'m, Contact> {
        let [one, other] = radii.map(Into::into);
        let contact = self.applied(name, "ball_contact", [first.into(), second.into()]);
        contact.argument("first", one).argument("second", other).argument("stiffness", stiffness.into())
    }

    /// A spring of `stiffness` \[N m/rad\] ≥ 0 for the angle between two bodies.
    #[track_caller]
    pub fn torsion_spring<'m>(
        &'m self,
        name: impl Into<Name>,
        first: impl Into<Place<'m>>,
        second: impl Into<Place<'m>>,
        stiffness: impl Into<Number<'m>>,
    ) -> Force<'m, TorsionSpring> {
        let ends = [first.into(), second.into()];
        self.applied(name, "torsion_spring", ends).argument("stiffness", stiffness.into())
    }

    /// A damper of `damping` \[N m s/rad\] ≥ 0 for the angle between two bodies.
    #[track_caller]
    pub fn torsion_damper<'m>(
        &'m self,
        name: impl Into<Name>,
        first: impl Into<Place<'m>>,
        second: impl Into<Place<'m>>,
        damping: impl Into<Number<'m>>,
    ) -> Force<'m, TorsionDamper> {
        let ends = [first.into(), second.into()];
        self.applied(name, "torsion_damper", ends).argument("damping", damping.into())
    }

    /// A torque \[N m\], counterclockwise, on a body; the opposite torque acts on ground, or on the body of [`Force::against`].
    #[track_caller]
    pub fn torque<'m>(
        &'m self,
        name: impl Into<Name>,
        on: impl Into<Place<'m>>,
        torque: impl Into<Number<'m>>,
    ) -> Force<'m, Torque> {
        self.applied(name, "torque", [on.into()]).argument("torque", torque.into())
    }

    /// A force \[N\] at a point, in world axes unless the vector has others; the opposite force acts on ground, or on the body of
    /// [`Force::against`].
    #[track_caller]
    pub fn point_force<'m>(
        &'m self,
        name: impl Into<Name>,
        at: impl Into<Place<'m>>,
        force: impl Into<Numbers<'m>>,
    ) -> Force<'m, PointForce> {
        self.applied(name, "point_force", [at.into()]).argument("force", force.into())
    }

    /// A force \[N\] at a point and a moment \[N m\] on its body; their opposites act on ground, or on the body of [`Force::against`].
    #[track_caller]
    pub fn wrench<'m>(
        &'m self,
        name: impl Into<Name>,
        at: impl Into<Place<'m>>,
        force: impl Into<Numbers<'m>>,
        moment: impl Into<Number<'m>>,
    ) -> Force<'m, Wrench> {
        let force = self.applied(name, "wrench", [at.into()]).argument("force", force.into());
        force.argument("moment", moment.into())
    }

    /// A generalised force \[N\] or \[N m\] along a coordinate; positive values increase the coordinate.
    #[track_caller]
    pub fn mobility<'m>(
        &'m self,
        name: impl Into<Name>,
        along: impl Into<Coordinate<'m>>,
        value: impl Into<Number<'m>>,
    ) -> Force<'m, Mobility> {
        self.applied(name, "mobility", [along.into().0]).argument("value", value.into())
    }

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
    fn opposed(self, first: Place<'m>) -> Self {
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
