//! Decides which events happen at a state: compares values with their previous sides of zero, and scheduled times with the time.

use core::cmp::Ordering;

use super::rows::Row;
use super::{Events, StateRef};
use crate::{Error, Eventful, Inputs, Real, State, Trigger};

/// Shortest window in which [`Events::most`] counts occurrences, in resolutions of time. A ball that rests on the floor bounces every
/// 2 e/(1 − e) of them.
const WINDOW: f64 = 2000.0;

/// Fraction of the rate at which a value has passed zero below which a handler has stopped it.
const STOPPED: f64 = 1e-6;

/// Time \[s\] in which a value crosses the band that counts as zero, at the rate at which it has passed.
const NEAR: f64 = 1e-9;

/// Values up to this may be round-off of zero, as constrained speeds are.
const ROUND_OFF: f64 = 1e-9;

/// Fraction of that rate below which a constraint keeps the value at zero: projected speeds have this accuracy.
const CONSTRAINED: f64 = 1e-11;

/// Sign of x: −1, 0, 1, or NaN.
pub(super) fn sign<T: Real>(x: T) -> T {
    if x > T::ZERO {
        T::ONE
    } else if x < T::ZERO {
        -T::ONE
    } else {
        // 0 for 0, NaN for NaN.
        x * T::ZERO
    }
}

/// Whether x is not NaN.
pub(super) fn is_number<T: Real>(x: T) -> bool {
    x >= T::ZERO || x <= T::ZERO
}

impl<M: Eventful<T>, T: Real> Events<M, T> {
    /// Initialises sides and schedules at the start of a run at t.
    pub(super) fn begin(&mut self, mechanism: &M, t: T) {
        let nan = T::from_f64(f64::NAN);
        for event in 0..self.n {
            let value = self.rows.value(Row::Value, event);
            for row in [Row::Level, Row::Band, Row::Base, Row::Count, Row::Mark, Row::Often, Row::Resting, Row::Stopped]
            {
                self.rows.set(row, event, T::ZERO);
            }
            for row in [Row::Missed, Row::Left, Row::Period, Row::Next] {
                self.rows.set(row, event, nan);
            }
            self.rows.set(Row::Since, event, t);
            let trigger = mechanism.event(event).trigger;
            let waits = trigger.is_of_value() && trigger != Trigger::Above;
            self.rows.set(Row::Side, event, if waits { sign(value) } else { nan });
            // Round-off on the side on which the event happens counts as zero: the value has yet to leave zero.
            let excess = excess(trigger, value);
            if waits && excess >= T::ZERO && excess <= T::from_f64(ROUND_OFF) {
                self.rows.set(Row::Left, event, T::from_f64(f64::INFINITY));
            } else if waits && excess > T::ZERO && mechanism.event(event).is_condition {
                self.rows.set(Row::Left, event, t);
            }
        }
    }

    /// The next event that happens at the given state: the first in the order of declaration. Values of events that do not happen there
    /// update their sides.
    pub(super) fn pending(
        &mut self,
        mechanism: &M,
        state: &State<M, T>,
        inputs: &mut Inputs<T>,
    ) -> Result<Option<usize>, Error<T>> {
        if self.progress.is_judged {
            return Ok(None);
        }
        self.refresh(mechanism, inputs)?;
        let mut first = None;
        for event in 0..self.n {
            if !self.is_due(mechanism, event, state.t) {
                self.note_missed(mechanism, event, state.t);
                self.commit(mechanism, event, Row::Value);
            } else if first.is_none() {
                first = Some(event);
            }
        }
        let Some(event) = first else {
            self.progress.is_judged = true;
            return Ok(None);
        };
        self.count(mechanism, event, state.t)?;
        self.progress.current = first;
        Ok(first)
    }

    /// Records the time where an event is switched on while its value is on the side on which it happens already, beyond round-off.
    fn note_missed(&mut self, mechanism: &M, event: usize, t: T) {
        let was_off = !is_number(self.rows.value(Row::Side, event)) && mechanism.event(event).trigger != Trigger::Above;
        let is_first = !is_number(self.rows.value(Row::Missed, event));
        let excess = excess(mechanism.event(event).trigger, self.rows.value(Row::Value, event));
        if was_off && is_first && excess > T::from_f64(ROUND_OFF) {
            self.rows.set(Row::Missed, event, t);
        }
    }

    /// Records the time where a value that has been zero since the start leaves it to the side on which the event happens, beyond round-off.
    fn note_left(&mut self, mechanism: &M, event: usize, value: T) {
        if self.rows.value(Row::Left, event) != T::from_f64(f64::INFINITY) {
            return;
        }
        let excess = excess(mechanism.event(event).trigger, value);
        if excess > T::from_f64(ROUND_OFF) {
            self.rows.set(Row::Left, event, self.rows.value(Row::Since, event));
        } else if !is_number(excess) {
            self.rows.set(Row::Left, event, excess);
        } else if excess <= T::ZERO {
            self.rows.set(Row::Since, event, self.given.t);
        }
    }

    /// Whether an event happens at a time t with the present values.
    fn is_due(&self, mechanism: &M, event: usize, t: T) -> bool {
        let (value, next) = (self.rows.value(Row::Value, event), self.rows.value(Row::Next, event));
        match mechanism.event(event).trigger {
            // Switched on, or its time has come.
            Trigger::Every => is_number(value) && next.partial_cmp(&t) != Some(Ordering::Greater),
            Trigger::At => value == t && next != t,
            _ => self.passes(mechanism, event, Row::Value),
        }
    }

    /// Whether a value in a row has changed its side in the direction that triggers the event.
    pub(super) fn passes(&self, mechanism: &M, event: usize, row: Row) -> bool {
        let side = self.rows.value(Row::Side, event);
        let x = self.rows.value(row, event) - self.rows.value(Row::Level, event);
        match mechanism.event(event).trigger {
            Trigger::Rises => side < T::ZERO && x > T::ZERO,
            Trigger::Above => (side < T::ZERO || !is_number(side)) && x > T::ZERO,
            Trigger::Falls => side > T::ZERO && x < T::ZERO,
            Trigger::Crosses => side < T::ZERO && x > T::ZERO || side > T::ZERO && x < T::ZERO,
            Trigger::Every | Trigger::At => false,
        }
    }

    pub(super) fn passes_any(&self, mechanism: &M, row: Row) -> bool {
        (0..self.n).any(|event| self.passes(mechanism, event, row))
    }

    /// Updates the side of a value from a row, and its level and band if the value has left the band.
    pub(super) fn commit(&mut self, mechanism: &M, event: usize, row: Row) {
        let (value, level) = (self.rows.value(row, event), self.rows.value(Row::Level, event));
        if !is_trigger(mechanism, event) {
            if mechanism.event(event).trigger == Trigger::Every && !is_number(value) {
                self.rows.set(Row::Next, event, value);
            }
            return;
        }
        let side = sign(value - level);
        self.note_left(mechanism, event, value);
        // Exactly at its level a value keeps its side, unless the event was switched off.
        if side != T::ZERO || !is_number(self.rows.value(Row::Side, event)) {
            self.rows.set(Row::Side, event, side);
        }
        let is_within = value.abs() <= self.rows.value(Row::Band, event);
        if !is_within {
            self.rows.set(Row::Level, event, T::ZERO);
            self.rows.set(Row::Band, event, T::ZERO);
            if side != T::ZERO {
                self.rows.set(Row::Side, event, sign(value));
            }
        }
    }

    /// Updates side, level and schedule of an event that has happened, from the values after its handler.
    pub(super) fn conclude(&mut self, mechanism: &M, event: usize) -> Result<(), Error<T>> {
        let (value, t) = (self.rows.value(Row::Value, event), self.given.t);
        match mechanism.event(event).trigger {
            Trigger::Every => return self.schedule(event, value, t),
            Trigger::At => self.rows.set(Row::Next, event, t),
            _ => {
                let is_near = value.abs() <= self.rows.value(Row::Band, event);
                self.rows.set(Row::Level, event, if is_near { value } else { T::ZERO });
                self.rows.set(Row::Side, event, if is_near { T::ZERO } else { sign(value) });
                if !is_near {
                    self.rows.set(Row::Band, event, T::ZERO);
                }
            }
        }
        Ok(())
    }

    /// Records, after an event whose handler has changed the state, whether the handler has stopped at zero a value that passed it at the rate
    /// `approach`.
    pub(super) fn note_stop(
        &mut self,
        mechanism: &M,
        event: usize,
        approach: T,
        inputs: &mut Inputs<T>,
    ) -> Result<(), Error<T>> {
        self.evaluate(mechanism, StateRef::Last, Row::ProbeRate, inputs)?;
        let direction = match mechanism.event(event).trigger {
            Trigger::Falls => -T::ONE,
            Trigger::Crosses => sign(approach),
            _ => T::ONE,
        };
        let (value, rate) = (self.rows.value(Row::Value, event), self.rows.value(Row::ProbeRate, event));
        // Within the band where it was located, or within the distance that it covers in a nanosecond.
        let near = self.rows.value(Row::Band, event).max(T::from_f64(NEAR) * approach.abs());
        let is_near = value.abs() <= near && value * direction >= T::ZERO;
        let is_stopped = approach * direction > T::ZERO && rate.abs() <= T::from_f64(STOPPED) * approach.abs();
        let is_stopped = is_near && is_stopped;
        self.rows.set(Row::Stopped, event, if is_stopped { approach } else { T::ZERO });
        Ok(())
    }

    /// Checks, at the end of a step without events, the values that handlers have stopped at zero. Such a value stays there where a constraint keeps
    /// it, returns, or continues as if the event had not happened, as a ball without restitution that falls through the floor.
    ///
    /// # Errors
    /// [`Error::Zeno`] if it continues.
    pub(super) fn check_stopped(&mut self) -> Result<(), Error<T>> {
        for event in 0..self.n {
            let approach = self.rows.value(Row::Stopped, event);
            if approach == T::ZERO {
                continue;
            }
            let part = self.rows.value(Row::EndRate, event) / approach;
            let continues = self.rows.value(Row::End, event) * approach > T::ZERO && part >= T::from_f64(STOPPED);
            if continues {
                return Err(Error::Zeno { event, t: self.start.t });
            }
            if !is_number(part) || part <= T::from_f64(CONSTRAINED) {
                self.rows.set(Row::Stopped, event, T::ZERO);
            }
        }
        Ok(())
    }

    /// Sets the next time of [`Trigger::Every`]: base + count × period. A period that has changed starts a new base.
    fn schedule(&mut self, event: usize, period: T, t: T) -> Result<(), Error<T>> {
        if !is_number(period) {
            self.rows.set(Row::Next, event, period);
            return Ok(());
        }
        // The rounding of time at t, or at a second from its origin.
        let shortest = T::EPSILON * t.abs().max(T::ONE);
        if !(period >= shortest && period.is_finite()) {
            return Err(Error::Period { event, period, t });
        }
        let is_unchanged =
            period == self.rows.value(Row::Period, event) && is_number(self.rows.value(Row::Next, event));
        let (base, count) = if is_unchanged {
            (self.rows.value(Row::Base, event), self.rows.value(Row::Count, event) + T::ONE)
        } else {
            (t, T::ONE)
        };
        for (row, value) in
            [(Row::Base, base), (Row::Count, count), (Row::Period, period), (Row::Next, base + count * period)]
        {
            self.rows.set(row, event, value);
        }
        Ok(())
    }

    /// The next scheduled time after t.
    pub(super) fn scheduled(&self, mechanism: &M, t: T) -> Option<T> {
        let time = |event: usize| match mechanism.event(event).trigger {
            Trigger::Every => Some(self.rows.value(Row::Next, event)),
            Trigger::At => Some(self.rows.value(Row::Value, event)),
            _ => None,
        };
        let later = (0..self.n).filter_map(time).filter(|time| *time > t);
        later.reduce(|first, time| first.min(time)).filter(|time| time.is_finite())
    }

    /// Counts the occurrences of an event while time hardly advances or its value hardly moves; for a scheduled event, while time does not
    /// advance at all.
    ///
    /// # Errors
    /// [`Error::Zeno`] above [`Events::most`].
    fn count(&mut self, mechanism: &M, event: usize, t: T) -> Result<(), Error<T>> {
        let h = self.head.t - self.start.t;
        let window = if is_trigger(mechanism, event) {
            (T::from_f64(WINDOW) * self.resolution(t, h)).max(T::EPSILON.sqrt() * (t.abs() + h.abs()))
        } else {
            T::ZERO
        };
        let is_resting = self.rows.value(Row::Resting, event) > T::ZERO;
        self.rows.set(Row::Resting, event, T::ZERO);
        self.rows.set(Row::Left, event, T::from_f64(f64::NAN));
        let is_late = t - self.rows.value(Row::Mark, event) > window && !is_resting;
        if is_late || self.rows.value(Row::Often, event) <= T::ZERO {
            self.rows.set(Row::Mark, event, t);
            self.rows.set(Row::Often, event, T::ZERO);
        }
        let often = self.rows.value(Row::Often, event) + T::ONE;
        self.rows.set(Row::Often, event, often);
        if often > T::from_f64(self.most as f64) { Err(Error::Zeno { event, t }) } else { Ok(()) }
    }

    /// Sets the sides to those at the last given state, within a step whose remainder is discarded.
    pub(super) fn step_back(&mut self, mechanism: &M, inputs: &mut Inputs<T>) -> Result<(), Error<T>> {
        for (row, old) in [(Row::Side, Row::OldSide), (Row::Level, Row::OldLevel), (Row::Band, Row::OldBand)] {
            self.rows.copy(row, old);
        }
        self.evaluate(mechanism, StateRef::Last, Row::Value, inputs)?;
        for event in 0..self.n {
            self.commit(mechanism, event, Row::Value);
        }
        Ok(())
    }
}

/// Distance of a value from zero on the side on which an event happens, negative on the other; NaN for triggers without one such side.
fn excess<T: Real>(trigger: Trigger, value: T) -> T {
    match trigger {
        Trigger::Rises | Trigger::Above => value,
        Trigger::Falls => -value,
        Trigger::Crosses | Trigger::Every | Trigger::At => T::from_f64(f64::NAN),
    }
}

/// Whether an event is triggered by its value passing zero.
pub(super) fn is_trigger<M: Eventful<T>, T: Real>(mechanism: &M, event: usize) -> bool {
    mechanism.event(event).trigger.is_of_value()
}
