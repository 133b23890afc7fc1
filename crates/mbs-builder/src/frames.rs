//! Items with a position: bodies, particles, markers, sets.

use std::panic::Location;

use mbs_model::Formulation;

use super::contents::NodeKind;
use super::sites::Here;
use super::term::{Declared, Term, Value};
use super::{Name, Number, Numbers, Planar, Vector, options};

/// Setting that has basic points and vectors as arguments.
const NATURAL: (&str, &str) = ("coordinates", "natural");

/// A frame that may be an end: a body (its frame at its origin), a marker, `body.at(…)`, or ground.
#[derive(Clone, Copy, Debug)]
pub struct Frame<'m>(pub(super) Term<'m>);

/// A rigid body. Its arguments are methods, to be called in any order, each once.
#[derive(Clone, Copy, Debug)]
pub struct Body<'m>(pub(super) Declared<'m>);

/// A particle: a mass at a point, without rotation.
#[derive(Clone, Copy, Debug)]
pub struct Particle<'m>(pub(super) Declared<'m>);

/// A declared marker, which has a name.
#[derive(Clone, Copy, Debug)]
pub struct Marker<'m>(pub(super) Declared<'m>);

/// A set of bodies: all of them ([`Planar::bodies`]), those of one indexed name ([`Planar::family`]), or one body.
#[derive(Clone, Copy, Debug)]
pub struct Set<'m>(pub(super) Term<'m>);

/// # Bodies and frames
impl Planar {
    /// A rigid body. Absent mass and inertia are zero.
    #[track_caller]
    pub fn body(&self, name: impl Into<Name>) -> Body<'_> {
        Body(self.declared("body", name, Location::caller()))
    }

    /// A particle.
    #[track_caller]
    pub fn particle(&self, name: impl Into<Name>) -> Particle<'_> {
        Particle(self.declared("particle", name, Location::caller()))
    }

    /// A named frame, which messages and the drawing show. Its axes may be rotated.
    #[track_caller]
    pub fn marker<'m>(&'m self, name: impl Into<Name>, frame: impl Into<Frame<'m>>) -> Marker<'m> {
        let here = Location::caller();
        Marker(self.declared("marker", name, here).value(frame.into(), here))
    }

    /// Ground: the world's axes at its origin. A point on it may depend on time.
    #[track_caller]
    pub fn ground(&self) -> Frame<'_> {
        Frame(self.word("ground", Location::caller()))
    }

    /// All bodies and particles.
    #[track_caller]
    pub fn bodies(&self) -> Set<'_> {
        Set(self.word("bodies", Location::caller()))
    }

    /// All bodies `link[0]`, `link[1]`, … under the name `link`, or all bodies of the group of that name.
    #[track_caller]
    pub fn family(&self, name: impl Into<Name>) -> Set<'_> {
        let mut name = name.into();
        name.group = self.store.read(|c| c.group.clone());
        Set(self.store.push(NodeKind::Name(name), Location::caller()))
    }
}

impl<'m> Frame<'m> {
    /// The frame at the point (x, y) \[m\] of this frame, with parallel axes.
    #[track_caller]
    pub fn at(self, point: impl Into<Numbers<'m>>) -> Frame<'m> {
        Frame(self.0.at(point.into(), Location::caller()))
    }

    /// Its x axis, a unit vector.
    #[track_caller]
    pub fn x(self) -> Vector<'m> {
        Vector(self.0.field("x", Location::caller()))
    }

    /// Its y axis, a unit vector.
    #[track_caller]
    pub fn y(self) -> Vector<'m> {
        Vector(self.0.field("y", Location::caller()))
    }
}

/// The expression `owner at com`.
fn center<'m>(owner: Term<'m>, here: Here) -> Term<'m> {
    let (owner_node, com) = (owner.node_at(here), owner.store.adopt(Value::word("com"), here));
    owner.store.push(NodeKind::At(owner_node, com), here)
}

impl<'m> Body<'m> {
    /// Mass \[kg\] ≥ 0.
    #[track_caller]
    pub fn mass(self, mass: impl Into<Number<'m>>) -> Self {
        self.argument("mass", mass.into())
    }

    /// Moment of inertia about the centre of mass \[kg m²\] ≥ 0.
    #[track_caller]
    pub fn inertia(self, inertia: impl Into<Number<'m>>) -> Self {
        self.argument("inertia", inertia.into())
    }

    /// Centre of mass in body axes \[m\], `(0, 0)` unless given.
    #[track_caller]
    pub fn com(self, point: impl Into<Numbers<'m>>) -> Self {
        self.argument("com", point.into())
    }

    /// Guess of the origin's position, world axes \[m\]. Its value at run time is [`position(body)`](super::position).
    #[track_caller]
    pub fn position(self, guess: impl Into<Numbers<'m>>) -> Self {
        self.argument("position", guess.into())
    }

    /// Guess of the angle \[rad\].
    #[track_caller]
    pub fn angle(self, guess: impl Into<Number<'m>>) -> Self {
        self.argument("angle", guess.into())
    }

    /// Guess of the origin's velocity, world axes \[m/s\].
    #[track_caller]
    pub fn velocity(self, guess: impl Into<Numbers<'m>>) -> Self {
        self.argument("velocity", guess.into())
    }

    /// Guess of the angular velocity \[rad/s\]. Its value at run time is [`angular_velocity(body)`](super::angular_velocity).
    #[track_caller]
    pub fn rate(self, guess: impl Into<Number<'m>>) -> Self {
        self.argument("rate", guess.into())
    }

    /// Coordinates of this body, if not those of the mechanism.
    #[track_caller]
    pub fn coordinates(self, choice: Formulation) -> Self {
        self.argument("coordinates", options::formulation(choice))
    }

    /// Natural coordinates by these basic points, markers of the body or points in its axes \[m\], in addition to its
    /// [`basic_vectors`](Self::basic_vectors).
    #[track_caller]
    pub fn basic_points(self, points: impl IntoIterator<Item: Into<Value<'m>>>) -> Self {
        Body(self.0.argument_within(NATURAL, "points", Value::list(points), Location::caller()))
    }

    /// Natural coordinates by these basic vectors, components in body axes, of any nonzero length.
    #[track_caller]
    pub fn basic_vectors(self, vectors: impl IntoIterator<Item: Into<Numbers<'m>>>) -> Self {
        let vectors = Value::list(vectors.into_iter().map(Into::into));
        Body(self.0.argument_within(NATURAL, "vectors", vectors, Location::caller()))
    }

    /// Any argument by its name.
    #[track_caller]
    pub fn argument(self, name: &str, value: impl Into<Value<'m>>) -> Self {
        Body(self.0.argument(name, value, Location::caller()))
    }

    /// The frame at the point (x, y) \[m\] of the body, in body axes.
    #[track_caller]
    pub fn at(self, point: impl Into<Numbers<'m>>) -> Frame<'m> {
        Frame(self.0.term.at(point.into(), Location::caller()))
    }

    /// The frame at its centre of mass, in body axes.
    #[track_caller]
    pub fn at_com(self) -> Frame<'m> {
        Frame(center(self.0.term, Location::caller()))
    }

    /// Its x axis, a unit vector.
    #[track_caller]
    pub fn x(self) -> Vector<'m> {
        Vector(self.0.term.field("x", Location::caller()))
    }

    /// Its y axis, a unit vector.
    #[track_caller]
    pub fn y(self) -> Vector<'m> {
        Vector(self.0.term.field("y", Location::caller()))
    }
}

impl<'m> Particle<'m> {
    /// Mass \[kg\] ≥ 0.
    #[track_caller]
    pub fn mass(self, mass: impl Into<Number<'m>>) -> Self {
        self.argument("mass", mass.into())
    }

    /// Guess of the position, world axes \[m\].
    #[track_caller]
    pub fn position(self, guess: impl Into<Numbers<'m>>) -> Self {
        self.argument("position", guess.into())
    }

    /// Guess of the velocity, world axes \[m/s\].
    #[track_caller]
    pub fn velocity(self, guess: impl Into<Numbers<'m>>) -> Self {
        self.argument("velocity", guess.into())
    }

    /// Coordinates of this particle, if not those of the mechanism.
    #[track_caller]
    pub fn coordinates(self, choice: Formulation) -> Self {
        self.argument("coordinates", options::formulation(choice))
    }

    /// Natural coordinates by this basic point, a marker on it or a point from it \[m\].
    #[track_caller]
    pub fn basic_point(self, point: impl Into<Value<'m>>) -> Self {
        Particle(self.0.argument_within(NATURAL, "points", Value::list([point]), Location::caller()))
    }

    /// Any argument by its name.
    #[track_caller]
    pub fn argument(self, name: &str, value: impl Into<Value<'m>>) -> Self {
        Particle(self.0.argument(name, value, Location::caller()))
    }

    /// The frame at (x, y) \[m\] from it, in world axes.
    #[track_caller]
    pub fn at(self, point: impl Into<Numbers<'m>>) -> Frame<'m> {
        Frame(self.0.term.at(point.into(), Location::caller()))
    }
}

impl<'m> Marker<'m> {
    /// Rotates its axes by an angle \[rad\] relative to those of the frame that it is fixed on.
    #[track_caller]
    pub fn angle(self, angle: impl Into<Number<'m>>) -> Self {
        self.argument("angle", angle.into())
    }

    /// Rotates its axes so that x points in a direction.
    #[track_caller]
    pub fn x_along(self, direction: impl Into<Numbers<'m>>) -> Self {
        self.argument("x", direction.into())
    }

    /// Rotates its axes so that y points in a direction.
    #[track_caller]
    pub fn y_along(self, direction: impl Into<Numbers<'m>>) -> Self {
        self.argument("y", direction.into())
    }

    /// Rotates its axes so that y points in a direction, the outward normal of the surface there.
    #[track_caller]
    pub fn normal_along(self, direction: impl Into<Numbers<'m>>) -> Self {
        self.argument("normal", direction.into())
    }

    /// Coefficient of friction ≥ 0 of the surface there.
    #[track_caller]
    pub fn friction(self, coefficient: impl Into<Number<'m>>) -> Self {
        self.argument("friction", coefficient.into())
    }

    /// Coefficient of restitution ≥ 0 of the surface there.
    #[track_caller]
    pub fn restitution(self, coefficient: impl Into<Number<'m>>) -> Self {
        self.argument("restitution", coefficient.into())
    }

    /// The [declared](Self::normal_along) normal of the surface there, a unit vector.
    #[track_caller]
    pub fn normal(self) -> Vector<'m> {
        Vector(self.0.term.field("normal", Location::caller()))
    }

    /// Any argument by its name.
    #[track_caller]
    pub fn argument(self, name: &str, value: impl Into<Value<'m>>) -> Self {
        Marker(self.0.argument(name, value, Location::caller()))
    }

    /// The frame at (x, y) \[m\] from it, in its axes.
    #[track_caller]
    pub fn at(self, point: impl Into<Numbers<'m>>) -> Frame<'m> {
        Frame(self.0.term.at(point.into(), Location::caller()))
    }

    /// Its x axis, a unit vector.
    #[track_caller]
    pub fn x(self) -> Vector<'m> {
        Vector(self.0.term.field("x", Location::caller()))
    }

    /// Its y axis, a unit vector.
    #[track_caller]
    pub fn y(self) -> Vector<'m> {
        Vector(self.0.term.field("y", Location::caller()))
    }
}

impl<'m> Set<'m> {
    /// The centres of mass of its bodies, so that [`position(set.at_com())`](super::position) is that of the set.
    #[track_caller]
    pub fn at_com(self) -> Set<'m> {
        Set(center(self.0, Location::caller()))
    }

    /// The point (x, y) \[m\] of every body, in the axes of each.
    #[track_caller]
    pub fn at(self, point: impl Into<Numbers<'m>>) -> Set<'m> {
        Set(self.0.at(point.into(), Location::caller()))
    }
}

impl<'m> From<Body<'m>> for Frame<'m> {
    fn from(body: Body<'m>) -> Self {
        Frame(body.0.term)
    }
}

impl<'m> From<Particle<'m>> for Frame<'m> {
    fn from(particle: Particle<'m>) -> Self {
        Frame(particle.0.term)
    }
}

impl<'m> From<Marker<'m>> for Frame<'m> {
    fn from(marker: Marker<'m>) -> Self {
        Frame(marker.0.term)
    }
}

impl<'m> From<Body<'m>> for Set<'m> {
    fn from(body: Body<'m>) -> Self {
        Set(body.0.term)
    }
}

impl<'m> From<Particle<'m>> for Set<'m> {
    fn from(particle: Particle<'m>) -> Self {
        Set(particle.0.term)
    }
}

impl<'m> From<Frame<'m>> for Value<'m> {
    fn from(frame: Frame<'m>) -> Self {
        frame.0.into()
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
