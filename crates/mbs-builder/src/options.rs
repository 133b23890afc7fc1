//! Options of the mechanism.

use std::panic::Location;

use mbs_model::{Formulation, Kernels};

use super::term::Value;
use super::untyped::Item;
use super::{Name, Number, Numbers, Planar, Vector};

/// # Options
impl Planar {
    /// Gravity \[m/s²\], world axes; none unless given.
    #[track_caller]
    pub fn gravity<'m>(&'m self, gravity: impl Into<Numbers<'m>>) {
        self.option("gravity").value(gravity.into());
    }

    /// Gravity as the tunable parameter `gravity`.
    #[track_caller]
    pub fn tunable_gravity<'m>(&'m self, gravity: impl Into<Numbers<'m>>) -> Vector<'m> {
        self.option("gravity").value(gravity.into()).tunable().name().vector()
    }

    /// Describes the mechanism in a frame that rotates with `omega` \[rad/s\] about its point `center`; the derivative of `omega` is known
    /// or given as the argument `alpha`. Euler, Coriolis and centrifugal forces act.
    #[track_caller]
    pub fn rotating_frame<'m>(&'m self, omega: impl Into<Number<'m>>, center: impl Into<Numbers<'m>>) -> Item<'m> {
        let frame = self.option("frame").value(Value::word("rotating"));
        frame.argument("omega", omega.into()).argument("center", center.into())
    }

    /// The choice of coordinates, joint coordinates unless given; a body may have its own.
    #[track_caller]
    pub fn coordinates(&self, choice: Formulation) {
        self.option("coordinates").value(formulation(choice));
    }

    /// Leaves the choice of coordinates to the compiler, for all bodies that have none of their own: those with the cheapest accelerations.
    #[track_caller]
    pub fn automatic_coordinates(&self) {
        self.option("coordinates").value(Value::word("auto"));
    }

    /// Expected number of independent speeds after all rows except drives; it is checked.
    #[track_caller]
    pub fn freedoms(&self, freedoms: usize) {
        self.option("freedoms").value(freedoms as f64);
    }

    /// The kernels to generate, [`Kernels::default`] unless given.
    #[track_caller]
    pub fn kernels(&self, chosen: Kernels) {
        let Kernels { forward, kinematics, energies, outputs, reactions, inverse, operators, .. } = chosen;
        let Kernels { jacobians, linearization, steps, sensitivities, momenta, hessians, .. } = chosen;
        let words = [
            (forward, "forward"),
            (kinematics, "kinematics"),
            (energies, "energies"),
            (outputs, "outputs"),
            (reactions, "reactions"),
            (inverse, "inverse"),
            (operators, "operators"),
            (jacobians, "jacobians"),
            (linearization, "linearization"),
            (steps, "steps"),
            (sensitivities, "sensitivities"),
            (momenta, "momenta"),
            (hessians, "hessians"),
        ];
        let words = words.into_iter().filter(|(is_chosen, _)| *is_chosen).map(|(_, word)| Value::word(word));
        self.option("kernels").value(Value::list(words));
    }

    /// Largest number of operations of any generated kernel.
    #[track_caller]
    pub fn budget(&self, operations: usize) {
        self.option("budget").argument("operations", operations as f64);
    }

    /// Leaves out redundant rows instead of refusing them: `redundant: resolve;`.
    #[track_caller]
    pub fn resolve_redundant(&self) {
        self.option("redundant").value(Value::word("resolve"));
    }

    /// Alternatives, joints and equations with a switch, of which at most one is on: each is checked for redundancy without the others.
    #[track_caller]
    pub fn exclusive<'m>(&'m self, alternatives: impl IntoIterator<Item: Into<Value<'m>>>) {
        self.option("exclusive").value(Value::list(alternatives));
    }

    /// Any option by its name: `m.option("coordinates").value(Value::word("body"))`.
    #[track_caller]
    pub fn option(&self, name: &str) -> Item<'_> {
        let name = Name::word(name.to_string());
        Item(self.store.declare("", name, Location::caller()))
    }
}

/// The language's word for a formulation.
pub(super) fn formulation<'m>(choice: Formulation) -> Value<'m> {
    Value::word(choice.word())
}
