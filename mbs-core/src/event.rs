//! Events: when they happen, and what they do.

use crate::{Error, Mechanism, Real, StateView};

/// Condition that triggers an event.
///
/// Values of events ([`Eventful::event_values`]) are functions of the state. A value that is exactly zero at the
/// start of a run, or after a handler, triggers nothing until it has left zero. A value that the handler of another event moves through zero
/// has passed zero.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Trigger {
    /// Its value passes through zero from below; also the truth of a condition, −1 for false and 1 for true or anything continuous
    /// with these signs.
    #[default]
    Rises,
    /// Its value passes through zero from above.
    Falls,
    /// Its value passes through zero.
    Crosses,
    /// Its value is above zero: it passes through zero from below, or is there where a run starts or it is switched on.
    Above,
    /// Time: first at the start of the run, or where it is switched on, then again and again. Its value is the time \[s\] from one to the next,
    /// evaluated anew after each: k times as long after the first while it stays, counted from here where it has changed.
    Every,
    /// Time: its value is the time \[s\] of the next one. A time that has passed already, or passes while no step ends there, sets
    /// nothing off; a state may move it, and it happens once at a time.
    At,
}

impl Trigger {
    /// Whether its value sets it off, not time.
    pub const fn is_of_value(self) -> bool {
        !matches!(self, Trigger::Every | Trigger::At)
    }
}

/// An event of a mechanism: its trigger and its consequences.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Event {
    /// Condition that triggers it.
    pub trigger: Trigger,
    /// Whether its value is the truth of a condition, so that a run says where that is true at the start and the event never happens.
    pub is_condition: bool,
    /// First of the conditions that it imposes while the state is made consistent again, counted after the `initial` ones:
    /// [`Mechanism::initial_condition`].
    pub first_condition: usize,
    /// Number of conditions that it imposes.
    pub conditions: usize,
    /// Whether a row is recorded when it has happened.
    pub reports: bool,
    /// Whether the run ends when it has happened.
    pub stops: bool,
}

/// Events of a mechanism, numbered from 0 to n_events: their triggers, their values, and what their handlers assign.
///
/// [`Events`](crate::Events) advances a mechanism from event to event. Without events, `impl Eventful for Pendulum {}` is enough.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not say which events it has",
    label = "its events are needed here",
    note = "for a type of your own without events, `impl mbs::Eventful for {Self} {{}}` says so"
)]
pub trait Eventful<T: Real = f64>: Mechanism<T> {
    /// Event i of n_events: its trigger and its consequences.
    fn event(&self, event: usize) -> Event {
        let _ = event;
        Event::default()
    }

    /// Values of the events, n_events: what passes through zero, the time \[s\] between two of [`Trigger::Every`], the time
    /// \[s\] of the next of [`Trigger::At`]. NaN where an event is switched off.
    ///
    /// # Errors
    /// Those of [`Mechanism::accelerations`], where a value depends on them.
    fn event_values(&self, at: StateView<T>, values: &mut [T]) -> Result<(), Error<T>> {
        let _ = (at, values);
        Ok(())
    }

    /// Rates of these values along the motion, n_events; NaN (the default) where they are unknown. They show that a value
    /// passes through zero and back within a step.
    ///
    /// # Errors
    /// Those of [`Mechanism::accelerations`].
    fn event_rates(&self, at: StateView<T>, rates: &mut [T]) -> Result<(), Error<T>> {
        let _ = at;
        rates.fill(T::from_f64(f64::NAN));
        Ok(())
    }

    /// Writes the assignments of the handler of event i, all computed from the state at which the event happens: new auxiliary states and
    /// discrete variables `z` (n_z, followed by memories), which contain the present ones on entry, and the targets of its conditions, `targets`.
    ///
    /// # Errors
    /// Those of [`Mechanism::accelerations`], where an assignment depends on them.
    fn event_assignments(
        &self,
        event: usize,
        at: StateView<T>,
        z: &mut [T],
        targets: &mut [T],
    ) -> Result<(), Error<T>> {
        let _ = (event, at, z, targets);
        Ok(())
    }
}
