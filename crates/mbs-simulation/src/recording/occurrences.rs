//! The events of a run.

use super::{condition, name_or};
use crate::UnknownName;
use mbs_core::{Describe, Eventful, Item, Mechanism, State, StateView};

/// The events that happened in a run, in order.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Occurrences {
    /// Names of all events, whether they have happened or not; `conditions` are the names of the conditions that each event imposes.
    names: Vec<String>,
    conditions: Vec<Vec<String>>,
    /// n_q, n_v, values of z with memories, n_c.
    sizes: [usize; 4],
    events: Vec<usize>,
    times: Vec<f64>,
    /// For each occurrence, the index of its first number in `values`: q, v, z before and after, p, μ.
    starts: Vec<usize>,
    values: Vec<f64>,
    pub(crate) has_stopped: bool,
    /// Events that were switched on where they were true already, with the first time \[s\].
    #[cfg_attr(feature = "serde", serde(default))]
    pub(crate) missed: Vec<(usize, f64)>,
    /// Index of the event that change points are listed as.
    #[cfg_attr(feature = "serde", serde(default))]
    change_point: Option<usize>,
}

/// One event that happened.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Occurrence<'r> {
    /// Index of the event: those of the mechanism, then those of closures.
    pub event: usize,
    /// Its name as declared; `event[i]` without one.
    pub name: &'r str,
    /// Time \[s\].
    pub t: f64,
    /// The state at which it happened, without inputs.
    pub before: StateView<'r>,
    /// The state after its handler.
    pub after: StateView<'r>,
    /// Impulses along the gradients of the conditions that it imposes, with the names [`Occurrences::conditions`]: \[N s\], \[N m s\].
    pub impulses: &'r [f64],
    /// Impulses μ of the constraint rows with the sign of λ, with the names [`Recording::rows`](crate::Recording::rows).
    pub row_impulses: &'r [f64],
}

impl Occurrences {
    pub(super) fn new<M: Describe + Eventful>(mechanism: &M) -> Self {
        let sizes = mechanism.sizes();
        let conditions = |event: usize| {
            let event = mechanism.event(event);
            let first = sizes.n_conditions + event.first_condition;
            (first..first + event.conditions).map(|i| condition(mechanism, i)).collect()
        };
        Occurrences {
            names: (0..sizes.n_events).map(|i| name_or(mechanism.name(Item::Event(i)), "event", i)).collect(),
            conditions: (0..sizes.n_events).map(conditions).collect(),
            sizes: [sizes.n_q, sizes.n_v, mechanism.storage().3.as_ref().len(), sizes.n_c],
            ..Occurrences::default()
        }
    }

    pub(crate) fn push<M: Mechanism>(&mut self, event: usize, states: [&State<M>; 2], impulses: [&[f64]; 2]) {
        self.push_at(states[1].t, event, states, impulses);
    }

    fn push_at<M: Mechanism>(&mut self, t: f64, event: usize, states: [&State<M>; 2], impulses: [&[f64]; 2]) {
        self.events.push(event);
        self.times.push(t);
        self.starts.push(self.values.len());
        for state in states {
            for part in [state.q.as_ref(), state.v.as_ref(), state.z.as_ref()] {
                self.values.extend_from_slice(part);
            }
        }
        impulses.iter().for_each(|impulses| self.values.extend_from_slice(impulses));
    }

    /// Lists change points as events of the last index.
    pub(crate) fn list_change_points(&mut self) {
        self.change_point = Some(self.names.len());
        self.names.push("change point".to_owned());
        self.conditions.push(Vec::new());
    }

    /// Adds a change point, if these are listed, with the first state after it.
    pub(crate) fn add_change_point<M: Mechanism>(&mut self, t: f64, after: &State<M>) {
        if let Some(event) = self.change_point {
            self.push_at(t, event, [after; 2], [&[], &vec![0.0; self.sizes[3]][..]]);
        }
    }

    /// Names of all events, whether they have happened or not.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// Names of the conditions that an event imposes, by its index.
    ///
    /// # Panics
    /// If there is no such event.
    pub fn conditions(&self, event: usize) -> &[String] {
        &self.conditions[event]
    }

    /// Number of events that happened.
    pub fn len(&self) -> usize {
        self.events.len()
    }

    /// Whether nothing happened.
    pub fn is_empty(&self) -> bool {
        self.events.is_empty()
    }

    /// The occurrence with an index, counted from 0 in order of time; `None` beyond the last.
    pub fn at(&self, index: usize) -> Option<Occurrence<'_>> {
        let (event, t, start) = (*self.events.get(index)?, self.times[index], self.starts[index]);
        let [n_q, n_v, n_z, n_c] = self.sizes;
        let state = |start: usize| {
            let (q, rest) = self.values[start..].split_at(n_q);
            let (v, rest) = rest.split_at(n_v);
            StateView { t, q, v, z: &rest[..n_z], u: &[] }
        };
        let n = n_q + n_v + n_z;
        let (impulses, rest) = self.values[start + 2 * n..].split_at(self.conditions[event].len());
        let (before, after) = (state(start), state(start + n));
        Some(Occurrence { event, name: &self.names[event], t, before, after, impulses, row_impulses: &rest[..n_c] })
    }

    /// All occurrences, in order.
    pub fn iter(&self) -> impl Iterator<Item = Occurrence<'_>> {
        (0..self.len()).map_while(|index| self.at(index))
    }

    /// The occurrences of one event, by name.
    ///
    /// # Errors
    /// [`UnknownName`] with the nearest name.
    pub fn of(&self, name: &str) -> Result<impl Iterator<Item = Occurrence<'_>>, UnknownName> {
        let found = self.names.iter().position(|known| known == name);
        let event = found.ok_or_else(|| UnknownName::new("event", name, self.names.iter().map(String::as_str)))?;
        Ok(self.iter().filter(move |occurrence| occurrence.event == event))
    }

    /// Events that have not happened where one might expect it, with the first time \[s\]:
    ///
    /// - events that were switched on in the run while their condition was true already, or their value on the side of zero on which they happen;
    ///   `when … holds` of the language and [`Trigger::Above`](mbs_core::Trigger::Above) happen there;
    /// - events that have never happened, though their value was zero at the start and left it to that side. A value within 1e-9 of zero on that
    ///   side counts as zero;
    /// - events that have never happened, though their condition (`when a > b`, `stop when`) was true at the start.
    pub fn missed(&self) -> impl Iterator<Item = (&str, f64)> {
        self.missed.iter().map(|(event, t)| (self.names[*event].as_str(), *t))
    }

    /// Name of the event that ended the run early, if one did.
    pub fn stop(&self) -> Option<&str> {
        let last = self.has_stopped.then(|| self.events.last()).flatten()?;
        Some(&self.names[*last])
    }
}
