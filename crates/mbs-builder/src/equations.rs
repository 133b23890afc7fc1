//! Drives, constraints, couplings, initial values and outputs.

use std::marker::PhantomData;
use std::panic::Location;

use super::contents::{Condition, Item, NodeKind};
use super::sites::Here;
use super::term::{Declared, Term, Value};
use super::{Frame, Name, Number, Numbers, Observed, Planar, Reaction, Scalar, Truth, Vector};

/// An equation left = right between numbers (`V` = [`Scalar`]) or vectors (`V` = [`Vector`]), made by [`Scalar::equals`] and
/// [`Vector::equals`]. Its rows are left − right.
#[derive(Clone, Copy, Debug)]
pub struct Equation<'m, V> {
    pub(super) term: Term<'m>,
    sides: PhantomData<V>,
}

impl<'m, V> Equation<'m, V> {
    pub(super) fn new(left: Term<'m>, right: Value<'m>, here: Here) -> Self {
        let sides = [left.node_at(here), left.store.adopt(right, here)];
        let term = left.store.push(NodeKind::Equation(sides[0], sides[1], None), here);
        Equation { term, sides: PhantomData }
    }
}

impl<'m> Equation<'m, Vector<'m>> {
    /// `left == right in frame`: expresses both sides, and therefore the rows, in those axes.
    #[track_caller]
    pub fn in_frame(self, frame: impl Into<Frame<'m>>) -> Self {
        let here = Location::caller();
        let store = self.term.store;
        let frame = store.adopt(frame.into(), here);
        let sides = store.read(|c| match &c.nodes[self.term.node.index()].kind {
            NodeKind::Equation(left, right, _) => [*left, *right],
            _ => unreachable!("equations are made as such"),
        });
        Equation { term: store.push(NodeKind::Equation(sides[0], sides[1], Some(frame)), here), ..self }
    }
}

/// A drive, constraint or coupling.
#[derive(Clone, Copy, Debug)]
pub struct Row<'m, V> {
    pub(super) declared: Declared<'m>,
    sides: PhantomData<V>,
}

impl<'m, V> Row<'m, V> {
    /// The switch of the rows: they do not exist while it is off.
    #[track_caller]
    pub fn enabled(self, switch: Truth<'m>) -> Self {
        self.argument("enabled", switch)
    }

    /// Any argument by its name.
    #[track_caller]
    pub fn argument(self, name: &str, value: impl Into<Value<'m>>) -> Self {
        Row { declared: self.declared.argument(name, value, Location::caller()), ..self }
    }

    /// Reaction of the equation on a body, the moment about its origin; for outputs.
    #[track_caller]
    pub fn reaction(self, body: impl Into<Observed<'m>>) -> Reaction<'m> {
        Reaction(self.declared.term.call2("reaction", body.into(), Location::caller()))
    }
}

impl<'m> Row<'m, Scalar<'m>> {
    /// −λ, the generalised force on (left − right); for outputs.
    #[track_caller]
    pub fn load(self) -> Scalar<'m> {
        Scalar(self.declared.term.call("load", Location::caller()))
    }
}

impl<'m> Row<'m, Vector<'m>> {
    /// −λ, the generalised force on (left − right), component by component; for outputs.
    #[track_caller]
    pub fn load(self) -> Vector<'m> {
        Vector(self.declared.term.call("load", Location::caller()))
    }
}

/// # Equations, initial values, outputs
impl Planar {
    /// Prescribed motion: `m.drive("spin", pin.angle().equals(omega * m.t()))`.
    #[track_caller]
    pub fn drive<'m, V>(&'m self, name: impl Into<Name>, equation: Equation<'m, V>) -> Row<'m, V> {
        self.row("drive", name, equation)
    }

    /// Prescribes a coordinate of a joint as a function of time, which eliminates it: `m.prescribe("spin", pin.angle().equals(omega * m.t()))`.
    #[track_caller]
    pub fn prescribe<'m>(&'m self, name: impl Into<Name>, equation: Equation<'m, Scalar<'m>>) -> Row<'m, Scalar<'m>> {
        self.row("prescribe", name, equation)
    }

    /// An equation between positions, one between velocities, or one between accelerations that is affine in them.
    #[track_caller]
    pub fn constraint<'m, V>(&'m self, name: impl Into<Name>, equation: Equation<'m, V>) -> Row<'m, V> {
        self.row("constraint", name, equation)
    }

    /// As [`Planar::constraint`], for an equation between joint coordinates.
    #[track_caller]
    pub fn coupling<'m, V>(&'m self, name: impl Into<Name>, equation: Equation<'m, V>) -> Row<'m, V> {
        self.row("coupling", name, equation)
    }

    #[track_caller]
    fn row<'m, V>(&'m self, category: &str, name: impl Into<Name>, equation: Equation<'m, V>) -> Row<'m, V> {
        let here = Location::caller();
        Row { declared: self.declared(category, name, here).value(equation, here), sides: PhantomData }
    }

    /// Assembly satisfies this value of an observable of positions or velocities exactly; the value consists of constants and parameters.
    #[track_caller]
    pub fn initial<'m>(&'m self, target: Scalar<'m>, value: impl Into<Number<'m>>) {
        self.condition(target.0, true, value.into().0, Location::caller());
    }

    /// [`Planar::initial`] of every component.
    #[track_caller]
    pub fn initial_vector<'m>(&'m self, target: Vector<'m>, value: impl Into<Numbers<'m>>) {
        self.condition(target.0, true, value.into().0, Location::caller());
    }

    /// Guesses an observable: a position selects the branch, a rate is met as far as constraints and exact values allow.
    #[track_caller]
    pub fn guess<'m>(&'m self, target: Scalar<'m>, value: impl Into<Number<'m>>) {
        self.condition(target.0, false, value.into().0, Location::caller());
    }

    /// [`Planar::guess`] of every component.
    #[track_caller]
    pub fn guess_vector<'m>(&'m self, target: Vector<'m>, value: impl Into<Numbers<'m>>) {
        self.condition(target.0, false, value.into().0, Location::caller());
    }

    fn condition<'m>(&'m self, target: Term<'m>, exact: bool, value: Value<'m>, here: Here) {
        let (target, value) = (self.store.adopt(target, here), self.store.adopt(value, here));
        self.store.write(|c| c.items.push(Item::Condition(Condition { target, exact, value })));
    }

    /// An output. It may depend on every quantity, including accelerations and loads.
    #[track_caller]
    pub fn output<'m>(&'m self, name: impl Into<Name>, value: impl Into<Number<'m>>) {
        self.valued("output", name, value.into(), Location::caller());
    }

    /// An output of several components; [`Vector::in_frame`] chooses the axes.
    #[track_caller]
    pub fn output_vector<'m>(&'m self, name: impl Into<Name>, value: impl Into<Numbers<'m>>) {
        self.valued("output", name, value.into(), Location::caller());
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
