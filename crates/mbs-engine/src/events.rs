//! Events of a model, and memories, which are evaluated with them.

use mbs_core::{Error, Event, Eventful, Mechanism, StateView};

use crate::Engine;
use crate::inputs::Inputs;

impl Engine {
    /// Updates the memories, which are the last values of z, at the configuration q: each becomes the value nearest to it.
    pub(crate) fn update_memories(&self, t: f64, q: &[f64], z: &mut [f64]) {
        let model = &self.shared.model;
        let Some(stored) =
            z.len().checked_sub(model.quantities.memories.len()).filter(|_| !model.quantities.memories.is_empty())
        else {
            return;
        };
        let memories = &mut *self.memories.borrow_mut();
        let [still, values] = memories;
        let before: usize = model.events.iter().map(|event| event.roots().count()).sum();
        let at = Inputs { t, q, v: still, z, ..Inputs::default() };
        self.dynamics().observe_memories(&at, before, &mut |i, value| {
            if let Some(to) = values.get_mut(i) {
                *to = value;
            }
        });
        z[stored..].copy_from_slice(values);
    }

    /// Calls `observe` with index and value of each root of events, or with its rate, in the order of the model; memories follow.
    fn observe(&self, at: StateView, order: usize, observe: &mut dyn FnMut(usize, f64)) -> Result<(), Error> {
        if !self.shared.events_use_accelerations[order] {
            self.dynamics().observe_events(&Inputs::from(at), order, observe);
            return Ok(());
        }
        let motion = &mut *self.event_motion.borrow_mut();
        let [a, lambda] = motion;
        self.accelerations(at, a, lambda)?;
        self.dynamics().observe_events(&Inputs { a, lambda, ..Inputs::from(at) }, order, observe);
        Ok(())
    }
}

impl Eventful for Engine {
    fn event(&self, event: usize) -> Event {
        self.shared.model.event(event)
    }

    fn event_values(&self, at: StateView, values: &mut [f64]) -> Result<(), Error> {
        let events = &self.shared.model.events;
        let (mut event, mut root) = (0, 0);
        self.observe(at, 0, &mut |_, value| {
            let Some(declared) = events.get(event) else { return };
            match (root, declared.enabled) {
                (0, _) => values[event] = value,
                (1, Some(_)) if value <= 0.5 => values[event] = f64::NAN,
                _ => {}
            }
            root += 1;
            if root == declared.roots().count() {
                (event, root) = (event + 1, 0);
            }
        })
    }

    fn event_rates(&self, at: StateView, rates: &mut [f64]) -> Result<(), Error> {
        let events = &self.shared.model.events;
        rates.fill(f64::NAN);
        if !events.iter().any(|event| event.rate_is_known) {
            return Ok(());
        }
        let (mut event, mut root) = (0, 0);
        self.observe(at, 1, &mut |_, rate| {
            let Some(declared) = events.get(event) else { return };
            if root == 0 && declared.rate_is_known {
                rates[event] = rate;
            }
            root += 1;
            if root == declared.roots().count() {
                (event, root) = (event + 1, 0);
            }
        })
    }

    fn event_assignments(&self, event: usize, at: StateView, z: &mut [f64], targets: &mut [f64]) -> Result<(), Error> {
        let events = &self.shared.model.events;
        let Some(declared) = events.get(event) else { return Ok(()) };
        let before: usize = events.iter().take(event).map(|event| event.roots().count()).sum();
        let first = before + 1 + usize::from(declared.enabled.is_some());
        let first_target = first + declared.assignments.len();
        self.observe(at, 0, &mut |k, value| {
            if let Some((flat, _)) = k.checked_sub(first).and_then(|k| declared.assignments.get(k)) {
                z[*flat] = value;
            } else if let Some(target) = k.checked_sub(first_target).and_then(|k| targets.get_mut(k)) {
                *target = value;
            }
        })
    }
}
