//! Limits of a run: steps, the resolution of time, and whoever interrupts it.

use super::Cause;
use mbs_core::{Error, Item, Statistics};

/// Most steps of a run unless changed.
pub(super) const MOST_STEPS: usize = 10_000_000;

/// Roundings of time in the shortest interval that time resolves, as events count them.
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
    /// Before a step from time t: whether somebody ends the run.
    pub(super) fn check_interrupt(&mut self, t: f64) -> Result<(), Cause> {
        if (self.interrupt)() { Err(Cause::Interrupted { t }) } else { Ok(()) }
    }

    /// After a step to time t: whether all steps are within the budget. Those tried and repeated count; the error of what `limited_by` gives
    /// keeps them short.
    pub(super) fn check_budget(
        &self,
        statistics: Statistics,
        t: f64,
        limited_by: &dyn Fn() -> Option<Item>,
    ) -> Result<(), Cause> {
        let is_within = statistics.accepted.saturating_add(statistics.rejected) <= self.max_steps;
        if is_within { Ok(()) } else { Err(Cause::Run(Error::TooManySteps { t, limited_by: limited_by() })) }
    }

    /// Refuses a longest step that times between `start` and `end` do not resolve, or that makes more steps than allowed.
    pub(super) fn check_step(&self, step: f64, [start, end]: [f64; 2]) -> Result<(), Cause> {
        let needed = ((end - start) / step).ceil();
        if needed > 1.0 && !is_resolved(step, start.abs().max(end.abs())) {
            return Err(Cause::Run(Error::StepTooSmall { t: start, step, limited_by: None }));
        }
        if needed > self.max_steps as f64 { Err(Cause::Steps { step, needed, most: self.max_steps }) } else { Ok(()) }
    }
}

/// Whether an interval exceeds the rounding of times as late as `t`.
pub(super) fn is_resolved(interval: f64, t: f64) -> bool {
    interval > ROUNDINGS * f64::EPSILON * t.abs()
}
