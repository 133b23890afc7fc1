//! Events of an interpreted program.

use mbs_compiler::interp::Inputs;
use mbs_compiler::program::Input;
use mbs_core::{Error, Event, Eventful, Mechanism, StateView};

use super::{Interpreted, state_inputs};

impl Interpreted {
    /// Outputs of a function at a state; accelerations and multipliers are computed if it reads them.
    fn run_at_state(&self, name: &str, at: StateView) -> Result<Vec<Vec<f64>>, Error> {
        let reads = |input: Input| {
            let function = self.compiled.function(name);
            function.is_some_and(|f| f.inputs.iter().any(|a| a.input == input))
        };
        let (_, mut a, mut lambda, ..) = self.storage();
        if reads(Input::Accelerations) || reads(Input::Multipliers) {
            self.accelerations(at, &mut a, &mut lambda)?;
        }
        let inputs = Inputs { a: &a, lambda: &lambda, ..state_inputs(&at) };
        self.run(name, inputs).map_err(|row| Error::Singular { row, t: at.t })
    }
}

impl Eventful for Interpreted {
    fn event(&self, event: usize) -> Event {
        self.compiled.model.event(event)
    }

    fn event_values(&self, at: StateView, values: &mut [f64]) -> Result<(), Error> {
        let outputs = self.run_at_state("event_values", at)?;
        if let [known, enabled] = &outputs[..] {
            for ((output, value), enabled) in values.iter_mut().zip(known).zip(enabled) {
                *output = if *enabled > 0.5 { *value } else { f64::NAN };
            }
        }
        Ok(())
    }

    fn event_rates(&self, at: StateView, rates: &mut [f64]) -> Result<(), Error> {
        let model = &self.compiled.model;
        rates.fill(f64::NAN);
        let known = rates.iter_mut().zip(&model.events).filter(|(_, event)| event.rate_is_known);
        let outputs = self.run_at_state("event_rates", at)?;
        known.zip(outputs.iter().flatten()).for_each(|((output, _), rate)| *output = *rate);
        Ok(())
    }

    fn event_assignments(&self, event: usize, at: StateView, z: &mut [f64], targets: &mut [f64]) -> Result<(), Error> {
        let Some(declared) = self.compiled.model.events.get(event) else { return Ok(()) };
        let outputs = self.run_at_state(&format!("event_{event}"), at)?;
        if let [assigned, conditions] = &outputs[..] {
            for ((flat, _), value) in declared.assignments.iter().zip(assigned) {
                z[*flat] = *value;
            }
            targets.iter_mut().zip(conditions).for_each(|(target, value)| *target = *value);
        }
        Ok(())
    }
}
