//! Events of an interpreted program.

use mbs_compiler::interp::Inputs;
use mbs_compiler::program::Input;
use mbs_core::{Error, Event, Eventful, Mechanism, StateView};

use super::{Interpreted, view};

impl Interpreted {
    /// Values of a function of a state and, where it reads them, of the accelerations there.
    fn observed(&self, name: &str, at: StateView) -> Result<Vec<Vec<f64>>, Error> {
        let reads = |input: Input| {
            let function = self.compiled.function(name);
            function.is_some_and(|f| f.inputs.iter().any(|a| a.input == input))
        };
        let (_, mut a, mut lambda, ..) = self.storage();
        if reads(Input::Accelerations) || reads(Input::Multipliers) {
            self.accelerations(at, &mut a, &mut lambda)?;
        }
        let inputs = Inputs { a: &a, lambda: &lambda, ..view(&at) };
        self.run(name, inputs).map_err(|row| Error::Singular { row, t: at.t })
    }
}

impl Eventful for Interpreted {
    fn event(&self, event: usize) -> Event {
        self.compiled.model.event(event)
    }

    fn event_values(&self, at: StateView, values: &mut [f64]) -> Result<(), Error> {
        let outputs = self.observed("event_values", at)?;
        if let [known, enabled] = &outputs[..] {
            for ((to, value), enabled) in values.iter_mut().zip(known).zip(enabled) {
                *to = if *enabled > 0.5 { *value } else { f64::NAN };
            }
        }
        Ok(())
    }

    fn event_rates(&self, at: StateView, rates: &mut [f64]) -> Result<(), Error> {
        let model = &self.compiled.model;
        rates.fill(f64::NAN);
        let known = rates.iter_mut().zip(&model.events).filter(|(_, event)| event.rate_is_known);
        let outputs = self.observed("event_rates", at)?;
        known.zip(outputs.iter().flatten()).for_each(|((to, _), rate)| *to = *rate);
        Ok(())
    }

    fn event_assignments(&self, event: usize, at: StateView, z: &mut [f64], targets: &mut [f64]) -> Result<(), Error> {
        let Some(declared) = self.compiled.model.events.get(event) else { return Ok(()) };
        let outputs = self.observed(&format!("event_{event}"), at)?;
        if let [assigned, held] = &outputs[..] {
            for ((flat, _), value) in declared.assignments.iter().zip(assigned) {
                z[*flat] = *value;
            }
            targets.iter_mut().zip(held).for_each(|(to, value)| *to = *value);
        }
        Ok(())
    }
}
