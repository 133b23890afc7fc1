//! Events of a run: their times, their order, and their handlers.
//!
//! A step is made first and then searched for events, from its beginning to its end:
//!
//! 1. A value that is on one side of zero at the beginning and on the other at the end has passed zero. Any other value may have passed
//!    and returned, if the cubic through both ends with the rates there has an extremum towards zero (`scan.rs`).
//! 2. The first passage is bracketed down to the tolerance, all values at once (`locate.rs`). The state becomes that at the far
//!    end of the bracket, where the value has passed.
//! 3. The events whose values have passed there happen in the order of declaration. After each, the values are evaluated again at the state
//!    after its handler (`judge.rs`). If a handler makes another value pass zero, that event happens as well.
//! 4. After an event, its value is within the tolerance of zero. Until the value has left this band, the zero of this event is its value
//!    after the handler: a bounce does not pass zero while it returns, and one too low to return above zero still counts as a
//!    bounce.
//! 5. If the state is not changed between calls, the run continues within the step that is made already.
//!
//! Sources: Shampine & Thompson (2000), Event location for ordinary differential equations, Comput. Math. Appl. 39 (1 to 3, dense output);
//! Hiebert & Shampine (1980), Implicitly defined output points for solutions of ODEs, SAND80-0180 (all values in one bracket).

mod cubic;
mod handle;
mod judge;
mod locate;
mod motion;
mod rows;
mod scan;

use crate::change_points::{ChangePoint, ChangePoints};
use crate::{Error, Eventful, Inputs, Mechanism, Real, State, Stepper};
use handle::Handling;
use motion::Motion;
use rows::{Row, Rows};

/// Roundings of time below which two times are equal.
const ROUNDINGS: f64 = 32.0;

/// Moves a state by a stepper from event to event, and handles them. Work space has the storage types of the mechanism, and is made once.
///
/// ```
/// # use mbs_core::{DormandPrince, Error, Eventful, Events, State, zero_inputs};
/// # fn simulate<M: Eventful>(mechanism: &M, state: &mut State<M>) -> Result<(), Error> {
/// let mut stepper = DormandPrince::new(mechanism);
/// let mut events = Events::new(mechanism);
/// while state.t < 10.0 {
///     if let Some(event) = events.step_towards(mechanism, &mut stepper, state, 10.0, &mut zero_inputs)? {
///         events.handle(mechanism, state, event, &mut zero_inputs)?;
///         println!("event {event} at {}: impulses {:?}", state.t, events.impulses());
///         if mechanism.event(event).stops {
///             break;
///         }
///     }
/// }
/// # Ok(())
/// # }
/// ```
///
/// - Values are located to [`Events::tolerance`]; scheduled events happen exactly at their times, where steps end.
/// - Events within the tolerance of each other happen in the order of declaration, each evaluated again after those before it.
/// - [`Trigger::Above`](crate::Trigger::Above) happens at the start where its value is above zero there; other events of values do not.
/// - An event whose value is exactly zero at the start, or after a handler, happens after the value has left zero and
///   passes it again. A value that is NaN switches the event off.
/// - If a handler stops a value where it has passed zero, such as a bounce without restitution, nothing keeps it there: if it then
///   continues as if the event had not happened, that is [`Error::Zeno`]. Let the handler switch on a constraint that keeps it.
/// - A value that passes zero and returns within a step is found where [`Eventful::event_rates`] returns the rates, else where it is visible at
///   a quarter, a half or three quarters of the step, or in the parabolas through these values.
/// - Singular poses, where position rows depend on each other and branches of positions meet, are observed: one that the run crosses along its
///   branch is stored for [`Events::take_change_point`], a branch that may have been left is [`Error::Branch`]. With position rows, that takes a
///   solution of the equations of motion at every 17th step at least, and at every step near a singular pose.
/// - A step takes an evaluation of the values, and of the rates if there are triggered events; an event takes about ten more. Nothing is
///   allocated.
///
/// # Source
/// Header of `events.rs`.
pub struct Events<M: Mechanism<T>, T: Real = f64> {
    /// Tolerance \[s\] to which passages through zero are located, and within which events are simultaneous; 0 unless changed, and never less
    /// than 32 roundings of the time reached and the step.
    pub tolerance: T,
    /// Largest number of occurrences of an event while time hardly advances; 100 unless changed. Time hardly advances within √ε of the time
    /// reached and the step, within 2000 tolerances, and while the value does not leave the tolerance of zero; for a scheduled event, at the same
    /// time.
    pub most: usize,
    /// Time \[s\] to which steps may go past the requested time, where the stepper has dense output; `None`, the default, is the requested time.
    /// Requested states are then interpolated, so that steps do not depend on the requested times.
    pub horizon: Option<T>,
    rows: Rows<M::Scratch, T>,
    n: usize,
    has_triggers: bool,
    inputs: M::Inputs,
    /// Beginning and end of the last step, and a state within it.
    start: State<M, T>,
    head: State<M, T>,
    probe: State<M, T>,
    /// The state at the end of the last call, by which changes are detected.
    given: State<M, T>,
    rates: [M::Coordinates; 2],
    progress: Progress<T>,
    handling: Handling<M, T>,
    change_points: ChangePoints<M, T>,
}

/// Status of the values, rates and events at the given state.
struct Progress<T> {
    is_started: bool,
    /// Whether parameters or inputs have jumped.
    is_stale: bool,
    /// Whether the row `Value` is that of the state.
    has_value: bool,
    /// Whether the row `Rate` is that of the state.
    has_rate: bool,
    /// Whether all events at this state have happened.
    is_judged: bool,
    /// The event that has happened last and is not evaluated again yet.
    current: Option<usize>,
    rest: Rest<T>,
    has_samples: bool,
}

/// Remaining part of the last step.
#[derive(Clone, Copy, PartialEq)]
enum Rest<T> {
    /// No part remains.
    Nothing,
    /// The part after the state, not searched for events yet.
    Unknown,
    /// The part up to a time at which an event happens.
    Until(T),
    /// All of it, without events.
    Quiet,
}

impl<M: Eventful<T>, T: Real> Events<M, T> {
    /// Work space for one mechanism.
    pub fn new(mechanism: &M) -> Self {
        let (rates, .., inputs, scratch) = mechanism.storage();
        let (n, state) = (mechanism.sizes().n_events, State::new(mechanism));
        Events {
            tolerance: T::ZERO,
            most: 100,
            horizon: None,
            rows: Rows::new(scratch, n),
            n,
            has_triggers: (0..n).any(|event| mechanism.event(event).trigger.is_of_value()),
            inputs,
            handling: Handling::new(mechanism, &state),
            change_points: ChangePoints::new(mechanism),
            start: state.clone(),
            head: state.clone(),
            probe: state.clone(),
            given: state,
            rates: [rates.clone(), rates],
            progress: Progress {
                is_started: false,
                is_stale: false,
                has_value: false,
                has_rate: false,
                is_judged: false,
                current: None,
                rest: Rest::Nothing,
                has_samples: false,
            },
        }
    }

    /// Begins a run at a state: values are evaluated here for the first time, and [`Trigger::Every`](crate::Trigger::Every) happens here first.
    /// The first [`Events::step_towards`] calls it; call it before another run with the same work space.
    ///
    /// # Errors
    /// Those of [`Eventful::event_values`]; [`Error::Size`] if [`Mechanism::Scratch`] has not 4 n_events values.
    pub fn start(&mut self, mechanism: &M, state: &State<M, T>, inputs: &mut Inputs<T>) -> Result<(), Error<T>> {
        let (found, expected) = self.rows.sizes();
        if found < expected {
            return Err(Error::Size { expected, found });
        }
        state.check_like(&self.given)?;
        self.evaluate(mechanism, StateRef::Given(state), Row::Value, inputs)?;
        self.begin(mechanism, state.t);
        self.change_points.restart();
        self.given.copy_from(state);
        let is_started = true;
        self.progress = Progress {
            is_started,
            is_stale: true,
            has_value: true,
            has_rate: false,
            is_judged: false,
            current: None,
            rest: Rest::Nothing,
            has_samples: false,
        };
        Ok(())
    }

    /// Makes one step towards `t_end`, never past it, or a part of it up to the first event, which it returns. The state is then the one at which
    /// the event happens, for [`Events::handle`], [`Events::settle`] or other changes.
    ///
    /// Events at one time are returned by one call after the other. Nothing happens unless `t_end` is later than the state or an event
    /// remains to happen there.
    ///
    /// # Errors
    /// Those of [`Stepper::step_towards`] and of the evaluation of values; [`Error::Zeno`], [`Error::Period`], [`Error::Branch`]. The state is then
    /// the last one reached.
    pub fn step_towards<S: Stepper<M, T>>(
        &mut self,
        mechanism: &M,
        stepper: &mut S,
        state: &mut State<M, T>,
        t_end: T,
        inputs: &mut Inputs<T>,
    ) -> Result<Option<usize>, Error<T>> {
        self.next(mechanism, stepper, state, t_end, inputs)
    }

    /// Steps until `state.t` equals `t_end` and no event remains to happen there, handles every event, and calls `then` with the event
    /// and the state after it. Returns the event that has [stopped](crate::Event::stops) the run, if one has.
    ///
    /// # Errors
    /// Those of [`Events::step_towards`] and [`Events::handle`].
    pub fn advance_to<S: Stepper<M, T>>(
        &mut self,
        mechanism: &M,
        stepper: &mut S,
        state: &mut State<M, T>,
        t_end: T,
        inputs: &mut Inputs<T>,
        then: &mut dyn FnMut(usize, &State<M, T>),
    ) -> Result<Option<usize>, Error<T>> {
        loop {
            match self.next(mechanism, stepper, state, t_end, inputs)? {
                Some(event) => {
                    self.handle(mechanism, state, event, inputs)?;
                    then(event, state);
                    if mechanism.event(event).stops {
                        return Ok(Some(event));
                    }
                }
                None if state.t < t_end => {}
                None => return Ok(None),
            }
        }
    }

    /// The first singular pose that the last steps have crossed along their branch and that has not been taken: call it after every step. A state
    /// interpolated within the step may come before it.
    pub fn take_change_point(&mut self) -> Option<ChangePoint<T>> {
        self.change_points.take()
    }

    /// Whether a step has crossed a singular pose that [`Events::take_change_point`] has not taken.
    pub fn has_change_point(&self) -> bool {
        self.change_points.has_found()
    }

    /// The time \[s\] at which an event was first switched on while its value was beyond zero already, above it for
    /// [`Trigger::Rises`](crate::Trigger::Rises) and below it for [`Trigger::Falls`](crate::Trigger::Falls), so that it has not happened there;
    /// [`Trigger::Above`](crate::Trigger::Above) would have. For an event that has not happened at all, also the start, if its value was zero
    /// there and passed to the side on which the event happens, as the height of a ball on the floor does. A value within 1e-9 of zero on
    /// that side counts as zero, since it may be round-off. An event that is on at the start with its value further on that side is listed if
    /// that is the truth of a condition ([`Event::is_condition`](crate::Event::is_condition)) and the event has not happened at all.
    pub fn missed(&self, event: usize) -> Option<T> {
        [Row::Missed, Row::Left].map(|row| self.rows.value(row, event)).into_iter().find(|t| t.is_finite())
    }

    /// Discards the results of the last step. Call it when parameters or inputs have jumped, also at an event. A changed state is detected
    /// without it.
    pub fn restart(&mut self) {
        self.progress.is_stale = true;
    }

    /// Time \[s\] within which events of a step from t of length h are simultaneous.
    fn resolution(&self, t: T, h: T) -> T {
        self.tolerance.max(T::from_f64(ROUNDINGS) * T::EPSILON * (t.abs() + h.abs()))
    }

    fn next(
        &mut self,
        mechanism: &M,
        motion: &mut dyn Motion<M, T>,
        state: &mut State<M, T>,
        t_end: T,
        inputs: &mut Inputs<T>,
    ) -> Result<Option<usize>, Error<T>> {
        state.check_like(&self.given)?;
        self.detect_changes(mechanism, motion, state, inputs)?;
        if let Some(event) = self.pending(mechanism, state, inputs)? {
            return Ok(Some(event));
        }
        if state.t >= t_end {
            return Ok(None);
        }
        if self.progress.rest == Rest::Nothing {
            self.advance(mechanism, motion, state, t_end, inputs)?;
        }
        if self.progress.rest == Rest::Unknown {
            let found = self.scan(mechanism, motion, inputs, state.t)?;
            if found.is_none() {
                self.check_stopped()?;
            }
            self.progress.rest = found.map_or(Rest::Quiet, Rest::Until);
        }
        let until = if let Rest::Until(t) = self.progress.rest { t } else { self.head.t };
        if t_end < until {
            motion.state_at(mechanism, &self.start, t_end, inputs, state)?;
            self.given.copy_from(state);
            return Ok(None);
        }
        if until == self.head.t {
            state.copy_from(&self.head);
            self.progress.has_rate = self.progress.rest == Rest::Quiet && self.has_triggers;
            self.progress.rest = Rest::Nothing;
        } else {
            motion.state_at(mechanism, &self.start, until, inputs, state)?;
            self.progress.has_rate = false;
            self.progress.rest = Rest::Unknown;
        }
        self.given.copy_from(state);
        (self.progress.has_value, self.progress.is_judged) = (true, false);
        self.pending(mechanism, state, inputs)
    }

    /// Detects changes of state, parameters or inputs since the last call, and completes the event that has happened last.
    fn detect_changes(
        &mut self,
        mechanism: &M,
        motion: &mut dyn Motion<M, T>,
        state: &State<M, T>,
        inputs: &mut Inputs<T>,
    ) -> Result<(), Error<T>> {
        if !self.progress.is_started {
            self.start(mechanism, state, inputs)?;
        }
        let mut approach = None;
        if self.progress.is_stale || self.given != *state {
            if matches!(self.progress.rest, Rest::Until(_) | Rest::Quiet) {
                self.step_back(mechanism, inputs)?;
            }
            motion.restart();
            self.change_points.restart();
            approach = self.approach(mechanism, inputs)?;
            self.given.copy_from(state);
            let progress = &mut self.progress;
            progress.rest = Rest::Nothing;
            (progress.is_stale, progress.has_value, progress.has_rate, progress.is_judged) =
                (false, false, false, false);
        }
        let Some(event) = self.progress.current.take() else { return Ok(()) };
        self.refresh(mechanism, inputs)?;
        self.progress.is_judged = false;
        self.conclude(mechanism, event)?;
        approach.map_or(Ok(()), |approach| self.note_stop(mechanism, event, approach, inputs))
    }

    /// The rate at which the value of the event that has happened last passes zero, before its handler has changed the state; `None` for an event
    /// that no value triggers.
    fn approach(&mut self, mechanism: &M, inputs: &mut Inputs<T>) -> Result<Option<T>, Error<T>> {
        let Some(event) = self.progress.current.filter(|event| judge::is_trigger(mechanism, *event)) else {
            return Ok(None);
        };
        self.evaluate(mechanism, StateRef::Last, Row::ProbeRate, inputs)?;
        Ok(Some(self.rows.value(Row::ProbeRate, event)))
    }

    /// Makes a step from a state, and evaluates values and rates at its end.
    fn advance(
        &mut self,
        mechanism: &M,
        motion: &mut dyn Motion<M, T>,
        state: &State<M, T>,
        t_end: T,
        inputs: &mut Inputs<T>,
    ) -> Result<(), Error<T>> {
        let horizon = if motion.is_dense() { self.horizon.unwrap_or(t_end).max(t_end) } else { t_end };
        let target = self.scheduled(mechanism, state.t).map_or(horizon, |t| t.min(horizon));
        if self.has_triggers && !self.progress.has_rate {
            self.evaluate(mechanism, StateRef::Given(state), Row::Rate, inputs)?;
            self.progress.has_rate = true;
        }
        self.start.copy_from(state);
        self.head.copy_from(state);
        motion.step_towards(mechanism, &mut self.head, target, inputs)?;
        self.change_points.observe(mechanism, &self.start, &self.head)?;
        self.evaluate(mechanism, StateRef::Head, Row::End, inputs)?;
        if self.has_triggers {
            self.evaluate(mechanism, StateRef::Head, Row::EndRate, inputs)?;
        }
        self.progress.has_samples = false;
        self.progress.rest = Rest::Unknown;
        Ok(())
    }

    /// Evaluates the values at the state of the last call, unless they are known.
    fn refresh(&mut self, mechanism: &M, inputs: &mut Inputs<T>) -> Result<(), Error<T>> {
        if !self.progress.has_value {
            self.evaluate(mechanism, StateRef::Last, Row::Value, inputs)?;
            self.progress.has_value = true;
        }
        Ok(())
    }

    /// Writes the values of all events to a row, or their rates to a row of rates.
    fn evaluate(
        &mut self,
        mechanism: &M,
        place: StateRef<M, T>,
        row: Row,
        inputs: &mut Inputs<T>,
    ) -> Result<(), Error<T>> {
        if self.n == 0 {
            return Ok(());
        }
        let state = match place {
            StateRef::Given(state) => state,
            StateRef::Last => &self.given,
            StateRef::Head => &self.head,
            StateRef::Probe => &self.probe,
        };
        let u = self.inputs.as_mut();
        if !u.is_empty() {
            inputs(state.view(&[]), u);
        }
        let at = state.view(self.inputs.as_ref());
        match row {
            Row::Rate | Row::EndRate | Row::ProbeRate => mechanism.event_rates(at, self.rows.row_mut(row)),
            _ => mechanism.event_values(at, self.rows.row_mut(row)),
        }
    }
}

/// The state at which values are evaluated.
enum StateRef<'a, M: Mechanism<T>, T: Real> {
    Given(&'a State<M, T>),
    /// The state at the end of the last call.
    Last,
    Head,
    Probe,
}
