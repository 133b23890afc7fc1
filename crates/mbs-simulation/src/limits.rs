//! Limits of a run: steps, the resolution of time, and interrupts.

use super::Cause;
use mbs_core::{Error, Item, Statistics};

/// Largest number of steps of a run unless changed.
pub(super) const MOST_STEPS: usize = 10_000_000;

/// Roundings of time in the shortest interval that time resolves, the same as for events.
const ROUNDINGS: f64 = 32.0;

/// Returns whether to end the run.
pub(super) type Interrupt<'m> = dyn FnMut() -> bool + 'm;

/// Conditions that end a run between two steps.
pub(super) struct Limits<'m> {
    pub(super) max_steps: usize,
    pub(super) interrupt: Box<Interrupt<'m>>,
}

impl Default for Limits<'_> {
    fn default() -> Self {
        Limits { max_steps: MOST_STEPS, interrupt: Box::new(|| false) }
    }
}

impl Limits<'_> {
    /// Checks, before a step from time t, that the run is not interrupted.
    pub(super) fn check_interrupt(&mut self, t: f64) -> Result<(), Cause> {
        if (self.interrupt)() { Err(Cause::Interrupted { t }) } else { Ok(()) }
    }

    /// Checks, after a step to time t, that the number of steps, repeated ones included, is within the budget. `limited_by` gives the variable whose
    /// error keeps steps short.
    pub(super) fn check_budget(
        &self,
        statistics: Statistics,
        t: f64,
        limited_by: &dyn Fn() -> Option<Item>,
    ) -> Result<(), Cause> {
        let is_within = statistics.accepted.saturating_add(statistics.rejected) <= self.max_steps;
        if is_within { Ok(()) } else { Err(Cause::Run(Error::TooManySteps { t, limited_by: limited_by() })) }
    }

    /// Refuses a step that times between `start` and `end` do not resolve, or that takes more steps than allowed.
    pub(super) fn check_step(&self, step: f64, [start, end]: [f64; 2]) -> Result<(), Cause> {
        let needed = ((end - start) / step).ceil();
        if needed > 1.0 && !is_resolved(step, start.abs().max(end.abs())) {
            return Err(Cause::Run(Error::StepTooSmall { t: start, step, limited_by: None }));
        }
        if needed > self.max_steps as f64 { Err(Cause::Steps { step, needed, most: self.max_steps }) } else { Ok(()) }
    }
}

/// Whether an interval exceeds the rounding of times near `t`.
pub(super) fn is_resolved(interval: f64, t: f64) -> bool {
    interval > ROUNDINGS * f64::EPSILON * t.abs()
}
