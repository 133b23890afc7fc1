//! Events: their triggers and their handlers; reports; the end of a run.

use std::marker::PhantomData;
use std::panic::Location;

use mbs_definition::{Origin, Passage};

use super::contents::events::{Cause, EventItem, Line, Rule, RuleItem};
use super::contents::{Argument, Item, NodeKind};
use super::sites::Here;
use super::store::Store;
use super::term::{Term, Value};
use super::{Choice, Frame, Name, Number, Numbers, Planar, Scalar, State, Truth, Vector};

/// Trigger of an event: a condition that becomes true, a value that passes through zero ([`Scalar::rises`], …), or a time
/// ([`Planar::every`], [`Planar::at`]).
#[derive(Clone, Debug)]
pub struct Trigger<'m>(Cause<Value<'m>>);

impl<'m> From<Truth<'m>> for Trigger<'m> {
    fn from(condition: Truth<'m>) -> Self {
        Trigger(Cause::When(condition.into(), Passage::BecomesTrue))
    }
}

impl<'m> Truth<'m> {
    /// The event that the condition becomes true, or is true at the start of the run or when the event is switched on.
    pub fn holds(self) -> Trigger<'m> {
        Trigger(Cause::When(self.into(), Passage::Holds))
    }
}

impl<'m> Scalar<'m> {
    /// The event that the value passes through zero from below.
    pub fn rises(self) -> Trigger<'m> {
        Trigger(Cause::When(self.into(), Passage::Rises))
    }

    /// The event that the value passes through zero from above.
    pub fn falls(self) -> Trigger<'m> {
        Trigger(Cause::When(self.into(), Passage::Falls))
    }

    /// The event that the value passes through zero.
    pub fn crosses(self) -> Trigger<'m> {
        Trigger(Cause::When(self.into(), Passage::Crosses))
    }
}

/// # Events
impl Planar {
    /// An event, such as `m.event("worn", bounces.gt(10.0))`; methods of the handle declare its actions. Without any it is only listed.
    ///
    /// ```
    /// # use mbs_builder::{Mistakes, Planar, position};
    /// # fn main() -> Result<(), Mistakes> {
    /// # let m = Planar::new("Bounce");
    /// # let ball = m.body("ball").mass(0.5).inertia(0.01).position((0.0, 1.0));
    /// # let air = m.free("air", m.ground(), ball);
    /// let bounces = m.discrete("bounces", 0.0);
    /// let floor = m.switch("floor", true);
    /// let touchdown = m.event("touchdown", position(ball).y().falls()).enabled(floor).set(bounces, bounces + 1.0);
    /// touchdown.impulse(m.ground(), ball, (0.0, 1.0)).restitution(0.8);
    /// m.event("kick", m.at([0.3, 1.7])).set(air.velocity().x(), air.velocity().x() + 0.2);
    /// m.event("worn", bounces.gt(10.0)).turn_off(floor);
    /// m.report_on([touchdown]);
    /// m.stop_when(position(ball).y().lt(-3.0));
    /// assert_eq!(m.resolve()?.events.len(), 4);
    /// # Ok(())
    /// # }
    /// ```
    #[track_caller]
    pub fn event<'m>(&'m self, name: impl Into<Name>, trigger: impl Into<Trigger<'m>>) -> Event<'m> {
        let (here, mut name) = (Location::caller(), name.into());
        let cause = trigger.into().0.map(|value| self.store.adopt(value, here));
        self.store.write(|c| {
            name.group.clone_from(&c.group);
            let node = c.push(NodeKind::Name(name.clone()), here);
            let (docs, origin) = (std::mem::take(&mut c.pending), c.nodes[node.index()].origin);
            c.items.push(Item::Event(EventItem { docs, name, origin, cause, lines: Vec::new() }));
            Event { term: Term { store: &self.store, node }, item: c.items.len() - 1 }
        })
    }

    /// Triggers at the start, and then once in every period \[s\].
    pub fn every<'m>(&'m self, period: impl Into<Number<'m>>) -> Trigger<'m> {
        Trigger(Cause::Every(period.into().0))
    }

    /// At times \[s\]: a number, or several in an array, a `Vec` or a [`Vector`].
    pub fn at<'m>(&'m self, times: impl Into<Times<'m>>) -> Trigger<'m> {
        Trigger(Cause::At(times.into().0))
    }

    /// Adds rows to a recording, in addition to the regular ones, once in every period \[s\].
    #[track_caller]
    pub fn report_every<'m>(&'m self, period: impl Into<Number<'m>>) {
        let here = Location::caller();
        let period = self.store.adopt(period.into(), here);
        self.add_rule("report", Rule::ReportEvery(period), here);
    }

    /// Adds a row to a recording whenever one of these events has happened.
    #[track_caller]
    pub fn report_on<'m>(&'m self, events: impl IntoIterator<Item = Event<'m>>) {
        let here = Location::caller();
        let events = events.into_iter().map(|event| self.store.adopt(event.term, here)).collect();
        self.add_rule("report", Rule::ReportOn(events), here);
    }

    /// Ends the run when a condition becomes true.
    #[track_caller]
    pub fn stop_when<'m>(&'m self, condition: Truth<'m>) {
        let here = Location::caller();
        let condition = self.store.adopt(condition, here);
        self.add_rule("stop", Rule::StopWhen(condition), here);
    }

    fn add_rule(&self, word: &str, rule: Rule, here: Here) {
        self.store.write(|c| {
            let (word, origin) = (format!("{}{word}", c.group), c.sites.push(here));
            c.items.push(Item::Rule(RuleItem { word, origin, rule }));
        });
    }
}

/// Times for [`Planar::at`].
#[derive(Clone, Debug)]
pub struct Times<'m>(Value<'m>);

impl From<f64> for Times<'_> {
    fn from(time: f64) -> Self {
        Times(time.into())
    }
}

impl<'m> From<Scalar<'m>> for Times<'m> {
    fn from(time: Scalar<'m>) -> Self {
        Times(time.into())
    }
}

impl<'m> From<Vector<'m>> for Times<'m> {
    fn from(times: Vector<'m>) -> Self {
        Times(times.into())
    }
}

impl<'m, N: Into<Number<'m>>, const SIZE: usize> From<[N; SIZE]> for Times<'m> {
    fn from(times: [N; SIZE]) -> Self {
        Times(Numbers::from(times).0)
    }
}

impl<'m, N: Into<Number<'m>>> From<Vec<N>> for Times<'m> {
    fn from(times: Vec<N>) -> Self {
        Times(Numbers::from(times).0)
    }
}

/// Target of an assignment in a handler, of type [`Scalar`] or [`Vector`]: a state, a discrete variable, or an observable of positions or
/// velocities.
#[derive(Clone, Copy, Debug)]
pub struct Assigned<'m, V> {
    term: Term<'m>,
    shape: PhantomData<V>,
}

impl<'m> From<Scalar<'m>> for Assigned<'m, Scalar<'m>> {
    fn from(x: Scalar<'m>) -> Self {
        Assigned { term: x.0, shape: PhantomData }
    }
}

impl<'m, V: Copy + Into<Assigned<'m, V>>> From<State<'m, V>> for Assigned<'m, V> {
    fn from(state: State<'m, V>) -> Self {
        state.value().into()
    }
}

impl<'m> From<Vector<'m>> for Assigned<'m, Vector<'m>> {
    fn from(v: Vector<'m>) -> Self {
        Assigned { term: v.0, shape: PhantomData }
    }
}

/// An event. All values are computed from the state before it.
#[derive(Clone, Copy, Debug)]
pub struct Event<'m> {
    term: Term<'m>,
    item: usize,
}

/// An impact between two ends, of an [`Event`].
#[derive(Clone, Copy, Debug)]
pub struct Impulse<'m> {
    event: Event<'m>,
    line: usize,
}

impl<'m> Event<'m> {
    fn store(self) -> &'m Store {
        self.term.store
    }

    fn edit<V>(self, edit: impl FnOnce(&mut Vec<Line>) -> V) -> V {
        self.store().write(|c| match &mut c.items[self.item] {
            Item::Event(event) => edit(&mut event.lines),
            _ => unreachable!("handles of this type are of events"),
        })
    }

    fn line(self, line: Line) -> Self {
        self.edit(|lines| lines.push(line));
        self
    }

    fn origin(self, here: Here) -> Origin {
        self.store().write(|c| c.sites.push(here))
    }

    /// Adds any assignment, `target = value;`.
    #[track_caller]
    pub fn assign(self, target: impl Into<Value<'m>>, value: impl Into<Value<'m>>) -> Self {
        let here = Location::caller();
        let [target, value] = [target.into(), value.into()].map(|value| self.store().adopt(value, here));
        self.line(Line::Assign(target, value))
    }

    /// Sets a discrete variable or a state to a new value. An observable of velocities changes by an impulse in its direction, one of positions by
    /// the least displacement.
    #[track_caller]
    pub fn set(self, target: impl Into<Assigned<'m, Scalar<'m>>>, value: impl Into<Number<'m>>) -> Self {
        self.assign(target.into().term, value.into())
    }

    /// [`Event::set`] for every component.
    #[track_caller]
    pub fn set_vector(self, target: impl Into<Assigned<'m, Vector<'m>>>, value: impl Into<Numbers<'m>>) -> Self {
        self.assign(target.into().term, value.into())
    }

    /// Sets a switch to the value of a condition.
    #[track_caller]
    pub fn turn(self, switch: Truth<'m>, is_on: Truth<'m>) -> Self {
        self.assign(switch, is_on)
    }

    /// Switches a switch on.
    #[track_caller]
    pub fn turn_on(self, switch: Truth<'m>) -> Self {
        self.assign(switch, Value::word("on"))
    }

    /// Switches a switch off.
    #[track_caller]
    pub fn turn_off(self, switch: Truth<'m>) -> Self {
        self.assign(switch, Value::word("off"))
    }

    /// Sets a choice to one of its words.
    #[track_caller]
    pub fn choose(self, choice: Choice<'m>, word: &str) -> Self {
        self.assign(choice, Value::word(word))
    }

    /// Newton's law of impacts: the velocity of the second end relative to the first in the direction `direction` becomes minus the
    /// [restitution](Impulse::restitution) times its value before, through all joints.
    #[track_caller]
    pub fn impulse(
        self,
        first: impl Into<Frame<'m>>,
        second: impl Into<Frame<'m>>,
        direction: impl Into<Numbers<'m>>,
    ) -> Impulse<'m> {
        self.impact(first, second).argument("direction", direction.into())
    }

    /// As [`Event::impulse`], in the direction of the [normal](super::Marker::normal_along) that one of the ends declares, with the
    /// [restitution](super::Marker::restitution) that one of them declares, unless another one is given.
    #[track_caller]
    pub fn impact(self, first: impl Into<Frame<'m>>, second: impl Into<Frame<'m>>) -> Impulse<'m> {
        let here = Location::caller();
        let origin = self.origin(here);
        let ends = [first.into(), second.into()].map(|end| self.store().adopt(end, here));
        let line = self.edit(|lines| {
            lines.push(Line::Impulse { origin, ends, arguments: Vec::new() });
            lines.len() - 1
        });
        Impulse { event: self, line }
    }

    /// Condition under which the event may happen.
    #[track_caller]
    pub fn enabled(self, condition: Truth<'m>) -> Self {
        let here = Location::caller();
        let condition = self.store().adopt(condition, here);
        self.line(Line::Enabled(self.origin(here), condition))
    }

    /// Ends the run.
    #[track_caller]
    pub fn stop(self) -> Self {
        self.line(Line::Stop(self.origin(Location::caller())))
    }

    /// Records a row.
    #[track_caller]
    pub fn report(self) -> Self {
        self.line(Line::Report(self.origin(Location::caller())))
    }
}

impl<'m> Impulse<'m> {
    /// Coefficient of restitution, 0 unless given.
    #[track_caller]
    pub fn restitution(self, restitution: impl Into<Number<'m>>) -> Self {
        self.argument("restitution", restitution.into())
    }

    /// Any argument by its name.
    #[track_caller]
    pub fn argument(self, name: &str, value: impl Into<Value<'m>>) -> Self {
        let (event, here) = (self.event, Location::caller());
        let (value, origin) = (event.store().adopt(value, here), event.origin(here));
        event.edit(|lines| {
            if let Line::Impulse { arguments, .. } = &mut lines[self.line] {
                arguments.push(Argument::new(name, origin, value));
            }
        });
        self
    }
}
