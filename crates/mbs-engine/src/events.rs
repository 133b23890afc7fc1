//! Events of a model.

use mbs_core::{Error, Mechanism, StateView};

use crate::Engine;
use crate::dynamics::Inputs;

impl Engine {
    /// Roots of events, or their rates, in the order of the model.
    fn observe(&self, at: StateView, order: usize, observe: &mut dyn FnMut(usize, f64)) -> Result<(), Error> {
        if !self.shared.events_move[order] {
            self.dynamics().observe_events(&Inputs::from(at), order, observe);
            return Ok(());
        }
        let motion = &mut *self.event_motion.borrow_mut();
        let [a, lambda] = motion;
        self.accelerations(at, a, lambda)?;
        self.dynamics().observe_events(&Inputs { a, lambda, ..Inputs::from(at) }, order, observe);
        Ok(())
    }

    pub(crate) fn values_of_events(&self, at: StateView, values: &mut [f64]) -> Result<(), Error> {
        let events = &self.shared.model.events;
        let (mut event, mut place) = (0, 0);
        self.observe(at, 0, &mut |_, value| {
            match (place, events[event].enabled) {
                (0, _) => values[event] = value,
                (1, Some(_)) if value <= 0.5 => values[event] = f64::NAN,
                _ => {}
            }
            place += 1;
            if place == events[event].roots().count() {
                (event, place) = (event + 1, 0);
            }
        })
    }

    pub(crate) fn rates_of_events(&self, at: StateView, rates: &mut [f64]) -> Result<(), Error> {
        let events = &self.shared.model.events;
        rates.fill(f64::NAN);
        if !events.iter().any(|event| event.rate_is_known) {
            return Ok(());
        }
        let (mut event, mut place) = (0, 0);
        self.observe(at, 1, &mut |_, rate| {
            if place == 0 && events[event].rate_is_known {
                rates[event] = rate;
            }
            place += 1;
            if place == events[event].roots().count() {
                (event, place) = (event + 1, 0);
            }
        })
    }

    pub(crate) fn assignments_of(
        &self,
        event: usize,
        at: StateView,
        z: &mut [f64],
        targets: &mut [f64],
    ) -> Result<(), Error> {
        let events = &self.shared.model.events;
        let Some(declared) = events.get(event) else { return Ok(()) };
        let before: usize = events.iter().take(event).map(|event| event.roots().count()).sum();
        let first = before + 1 + usize::from(declared.enabled.is_some());
        let held = first + declared.assignments.len();
        self.observe(at, 0, &mut |k, value| {
            if let Some((flat, _)) = k.checked_sub(first).and_then(|k| declared.assignments.get(k)) {
                z[*flat] = value;
            } else if let Some(target) = k.checked_sub(held).and_then(|k| targets.get_mut(k)) {
                *target = value;
            }
        })
    }
}
