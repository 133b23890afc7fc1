//! Events: their values and rates, and the assignments of their handlers.

use mbs_core::{Eventful, Mechanism};
use mbs_interp::Interpreted;

use super::accelerations;
use crate::ledger::{Ledger, Violation};
use crate::matrix::size;
use crate::oracle::Oracle;

/// Relative to the largest value of a quantity, or to the terms of its sum, as for outputs.
const TOLERANCE: f64 = 1e-10;

/// Values of events, their rates where they are known, and the assignments of handlers are those of the series of the motion.
///
/// # Errors
/// The violation, if they are not.
pub fn events_are_those_of_series(interpreted: &Interpreted, oracles: &[Oracle<'_>]) -> Result<f64, Violation> {
    let sizes = interpreted.sizes();
    let mut ledger = Ledger::new("events are those of series", TOLERANCE);
    for oracle in oracles.iter().filter(|_| sizes.n_events > 0) {
        let at = oracle.state();
        let Some((a, lambda)) = accelerations(interpreted, at) else { continue };
        let floor = size(&at.v).max(1.0).powi(2).max(size(&a)).max(size(&lambda));
        let [mut values, mut rates] = [0.5, 0.5].map(|x| vec![x; sizes.n_events]);
        let known = interpreted.event_values(at.view(), &mut values).is_ok()
            && interpreted.event_rates(at.view(), &mut rates).is_ok();
        if !known {
            continue;
        }
        let (expected, handlers) = oracle.events(&a, &lambda);
        for (event, [value, rate]) in expected.iter().enumerate() {
            let off = |x: f64| f64::from(u8::from(x.is_nan()));
            ledger.record("events switched off", off(values[event]), off(*value), 0.0, at);
            ledger.record(&format!("value of event {event}"), values[event], *value, floor, at);
            if !rates[event].is_nan() {
                ledger.record(&format!("rate of event {event}"), rates[event], *rate, floor, at);
            }
        }
        for (event, (assigned, targets)) in handlers.iter().enumerate() {
            let mut got = (at.z.clone(), vec![0.0; targets.len()]);
            if interpreted.event_assignments(event, at.view(), &mut got.0, &mut got.1).is_ok() {
                ledger.record_all(&format!("z after event {event}"), &got.0, assigned, floor, at);
                ledger.record_all(&format!("targets of event {event}"), &got.1, targets, floor, at);
            }
        }
    }
    ledger.settle()
}
