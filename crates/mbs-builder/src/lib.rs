//! Builds mechanisms in Rust programs: the [`Definition`], the checks and the model are those of mechanisms from text.
//!
//! For programs that create mechanisms at run time, from tables or for studies of their structure, and for build scripts. For a mechanism
//! that is known when the program is written, the language is shorter.
//!
//! ```
//! use mbs_builder::{Mistakes, Planar, position};
//!
//! fn main() -> Result<(), Mistakes> {
//!     let m = Planar::new("SliderCrank");
//!     m.gravity((0.0, -9.81));
//!
//!     let length = m.docs("Length of the crank [m]").param("crank_length", 0.05);
//!     let rod_length = 0.15; // a Rust number is folded into the code
//!     let motor_torque = m.input("motor_torque");
//!     let charge = m.state("charge", 0.0);
//!     charge.rate((motor_torque - charge) / 0.02);
//!
//!     let ground = m.ground();
//!     let crank = m.body("crank").mass(0.8).inertia(4e-4).com((length / 2.0, 0.0)).angle(0.5);
//!     let rod = m.body("rod").mass(0.5).inertia(9e-4).com((rod_length / 2.0, 0.0));
//!     let piston = m.body("piston").mass(0.4).inertia(1e-4);
//!
//!     let bearing = m.revolute("main_bearing", ground, crank);
//!     m.revolute("crank_pin", crank.at((length, 0.0)), rod);
//!     m.revolute("wrist_pin", rod.at((rod_length, 0.0)), piston);
//!     m.prismatic("cylinder", ground, piston, (1.0, 0.0));
//!
//!     m.torque("motor", crank, charge);
//!     m.spring_damper("spring", ground.at((0.3, 0.0)), piston, 500.0).damping(5.0).free_length(0.1);
//!
//!     m.initial(bearing.angle(), 0.5);
//!     m.guess(bearing.rate(), 10.0);
//!     m.freedoms(1);
//!     m.output("stroke", position(piston).x());
//!
//!     let model = m.resolve()?;
//!     assert_eq!(model.rows().len(), 8);
//!     Ok(())
//! }
//! ```
//!
//! # Handles
//!
//! A method returns the item that it declares as a handle: [`Scalar`], [`Vector`], [`Body`], [`Joint`] of a kind, [`Force`] of a kind, …
//! Handles are `Copy` and borrow the builder, so that they may be used any number of times, stored in a `Vec`, or passed to functions:
//! `fn leg<'m>(m: &'m Planar, trunk: Body<'m>) -> Joint<'m, joints::Revolute>`. Required arguments of a kind are arguments of the call;
//! those with a default are methods of the handle, and may be called later.
//!
//! The types refuse impossible combinations: a gear with a prismatic joint, an end that is a number, an output that is a body.
//!
//! ```compile_fail
//! # use mbs_builder::Planar;
//! # let m = Planar::new("Gear");
//! # let cart = m.body("cart");
//! let rail = m.prismatic("rail", m.ground(), cart, (1.0, 0.0));
//! let pin = m.revolute("pin", m.ground(), cart);
//! m.gear("mesh", pin, rail, 2.0); // a prismatic joint has no angle
//! ```
//!
//! Numbers and expressions mix in operators and arguments. A vector is a pair `(a, b)` of them, an array, or a [`Vector`].
//!
//! # Mistakes
//!
//! Checks and messages are those of the language, reported at the Rust call that wrote the item:
//!
//! ```
//! # use mbs_builder::Planar;
//! let m = Planar::new("Pendulum");
//! let rod = m.body("rod").mass(-1.0);
//! m.revolute("pin", m.ground(), rod);
//! let mistakes = m.resolve().expect_err("a mass is not negative");
//! assert!(mistakes.to_string().starts_with("error: [MBS031] `mass` of body `rod` is -1, it must not be negative\n --> "));
//! ```
//!
//! A handle of another builder is a mistake that names both mechanisms (`MBS010`), not a panic. Help lines are written in the language;
//! they refer to the method of the same name.
//!
//! # Items without a method
//!
//! Kinds, functions, options and categories can be reached by name: [`Planar::joint`], [`Planar::force`], [`Planar::call`],
//! [`Planar::option`], [`Planar::declare`], and `argument` of every handle.

mod contents;
mod curves;
mod equations;
mod events;
pub mod forces;
mod frames;
mod functions;
pub mod joints;
mod kinds;
mod lower;
mod mistakes;
mod name;
mod observe;
mod operators;
mod options;
mod quantities;
mod scalar;
mod sites;
mod store;
mod term;
mod untyped;
mod vector;

use std::panic::Location;

pub use curves::Curve;
pub use equations::{Equation, Row};
pub use events::{Assigned, Event, Impulse, Times, Trigger};
#[doc(inline)]
pub use forces::{Force, Load};
pub use frames::{Body, Frame, Marker, Particle, Set};
pub use functions::{Bicubic, Height, Made, Opaque, Spline};
#[doc(inline)]
pub use joints::{Joint, Reaction};
pub use kinds::JointKind;
pub use mbs_math::{Beyond, Ends};
pub use mistakes::Mistakes;
pub use name::Name;
pub use observe::{
    Observed, acceleration, angle, angular_acceleration, angular_momentum, angular_velocity, distance, momentum,
    position, velocity,
};
pub use quantities::{Choice, State};
pub use scalar::{Number, Scalar, Truth};
pub use sites::Sites;
pub use term::Value;
pub use untyped::{Item, Untyped};
pub use vector::{Matrix, Numbers, Vector};

#[doc(no_inline)]
pub use mbs_definition::Definition;
pub use mbs_definition::{Diagnostic, Errors, Origin};
#[doc(no_inline)]
pub use mbs_model::{Formulation, Kernels, Model};

use contents::NodeKind;
use sites::Here;
use store::Store;
use term::{Declared, Term};

/// A planar mechanism being built.
///
/// Its methods declare items and return handles, which are `Copy` and borrow the builder.
#[derive(Debug)]
pub struct Planar {
    store: Store,
}

impl Planar {
    /// An empty mechanism, public. The name becomes that of the generated type.
    #[track_caller]
    pub fn new(name: impl Into<String>) -> Planar {
        Planar { store: Store::new(name.into(), Location::caller()) }
    }

    /// Documentation of the mechanism.
    pub fn describe(&self, docs: impl Into<String>) {
        let docs = docs.into();
        self.store.write(|c| c.docs = docs);
    }

    /// Visibility of generated code: `pub(crate)`, or empty.
    pub fn visibility(&self, visibility: impl Into<String>) {
        let visibility = visibility.into();
        self.store.write(|c| c.visibility = visibility);
    }

    /// Documentation of the next declaration: `m.docs("Length of the crank [m]").param("length", 0.3)`.
    pub fn docs(&self, docs: impl Into<String>) -> &Planar {
        let docs = docs.into();
        self.store.write(|c| c.pending = docs);
        self
    }

    /// Any function of the language by its name.
    #[track_caller]
    pub fn call<'m>(&'m self, function: &str, arguments: impl IntoIterator<Item: Into<Value<'m>>>) -> Untyped<'m> {
        untyped::call(&self.store, function, arguments.into_iter().map(Into::into), Location::caller())
    }

    /// Any item by its category: `m.declare("constraint", "contact").value(height.equals(0.0))`.
    #[track_caller]
    pub fn declare(&self, category: &str, name: impl Into<Name>) -> Item<'_> {
        Item(self.declared(category, name, Location::caller()))
    }

    /// The declarations of a closure, under names that begin with `name.`: an instance of a part, `part name = …` in the language.
    /// Generated code has `front_left_knee` for `front_left.knee`. Groups may be nested; [`Planar::family`] of a group's name is the set of
    /// its bodies.
    ///
    /// ```
    /// # use mbs_builder::{Joint, Mistakes, Frame, Planar, joints};
    /// fn leg<'m>(m: &'m Planar, hip: impl Into<Frame<'m>>) -> Joint<'m, joints::Revolute> {
    ///     let thigh = m.body("thigh").mass(1.0).inertia(0.01);
    ///     m.revolute("knee", hip, thigh)
    /// }
    /// # fn main() -> Result<(), Mistakes> {
    /// # let m = Planar::new("Walker");
    /// let left = m.group("left", |m| leg(m, m.ground()));
    /// let right = m.group("right", |m| leg(m, m.ground().at((0.2, 0.0))));
    /// m.output("bend", left.angle() - right.angle());
    /// assert_eq!(m.resolve()?.joints[1].name, "right.knee");
    /// # Ok(())
    /// # }
    /// ```
    #[track_caller]
    pub fn group<'m, V>(&'m self, name: impl Into<Name>, make: impl FnOnce(&'m Planar) -> V) -> V {
        let outer = self.store.enter_group(name.into(), Location::caller());
        let value = make(self);
        self.store.write(|c| c.group = outer);
        value
    }

    /// The definition in the form of the language, for [`resolve`](mbs_resolve::resolve()).
    ///
    /// # Errors
    /// Mistakes that only the builder detects: handles of other builders, numbers that are not finite, invalid names.
    pub fn definition(&self) -> Result<Definition, Mistakes> {
        let (definition, errors) = self.store.read(lower::lower);
        self.with_mistakes(errors, definition)
    }

    /// The resolved mechanism.
    ///
    /// # Errors
    /// Every mistake of the mechanism.
    pub fn resolve(&self) -> Result<Model, Mistakes> {
        let (definition, mut errors) = self.store.read(lower::lower);
        match mbs_resolve::resolve(&definition) {
            Ok(model) => self.with_mistakes(errors, model),
            Err(more) => {
                errors.append(more);
                errors.sort();
                Err(Mistakes::new(errors, self.sites()))
            }
        }
    }

    fn with_mistakes<V>(&self, mut errors: Errors, value: V) -> Result<V, Mistakes> {
        errors.sort();
        errors.into_result(value).map_err(|errors| Mistakes::new(errors, self.sites()))
    }

    /// The Rust calls of the origins in definition and model, to show mistakes of later stages.
    pub fn sites(&self) -> Sites {
        self.store.read(|c| c.sites.clone())
    }

    fn declared(&self, category: &str, name: impl Into<Name>, here: Here) -> Declared<'_> {
        self.store.declare(category, name.into(), here)
    }

    /// Declares an item that consists of its value.
    fn valued<'m>(
        &'m self,
        category: &str,
        name: impl Into<Name>,
        value: impl Into<Value<'m>>,
        here: Here,
    ) -> Term<'m> {
        self.declared(category, name, here).value(value, here).term
    }

    fn term<'m>(&'m self, value: impl Into<Value<'m>>, here: Here) -> Term<'m> {
        Term { store: &self.store, node: self.store.adopt(value, here) }
    }

    fn word(&self, word: &str, here: Here) -> Term<'_> {
        self.store.push(NodeKind::Name(Name::word(word.to_string())), here)
    }
}
