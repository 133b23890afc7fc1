//! Events: triggers, values and assignments.

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
    /// Its value is above zero: it passes through zero from below, or is positive where a run starts or the event is switched on.
    Above,
    /// Time, periodically: first at the start of the run, or where the event is switched on. Its value is the period \[s\], evaluated after each
    /// occurrence. While the period stays the same, occurrence k is k periods after the first; where it has changed, they are counted from
    /// that occurrence.
    Every,
    /// Time: its value is the time \[s\] of the next occurrence. A time that has passed already, or passes while no step ends there, triggers
    /// nothing. The time may depend on the state, and the event happens once at one time.
    At,
}

impl Trigger {
    /// Whether its value triggers it, not time.
    pub const fn is_of_value(self) -> bool {
        !matches!(self, Trigger::Every | Trigger::At)
    }
}

/// An event of a mechanism: its trigger and its consequences.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Event {
    /// Condition that triggers it.
    pub trigger: Trigger,
    /// Whether its value is the truth of a condition, so that a run reports an event whose condition is true at the start and that never happens.
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

/// Events of a mechanism, numbered from 0 to n_events − 1: their triggers, their values, and the assignments of their handlers.
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

    /// Values of the events, n_events: the quantity that passes through zero, the period \[s\] of [`Trigger::Every`], the time
    /// \[s\] of the next occurrence of [`Trigger::At`]. NaN where an event is switched off.
    ///
    /// # Errors
    /// Those of [`Mechanism::accelerations`], where a value depends on them.
    fn event_values(&self, at: StateView<T>, values: &mut [T]) -> Result<(), Error<T>> {
        let _ = (at, values);
        Ok(())
    }

    /// Time derivatives of these values along the motion, n_events; NaN (the default) where they are unknown. They show that a value
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
