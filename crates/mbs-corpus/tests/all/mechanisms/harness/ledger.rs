//! Comparisons over many states, relative to the largest value of a quantity.

use std::collections::BTreeMap;
use std::fmt::Debug;

#[derive(Default)]
struct Account {
    error: f64,
    scale: f64,
    detail: String,
}

/// Errors by quantity. The scale of a quantity is its largest expected value over all states, or a floor that
/// the caller derives from its terms: cancellation at one state is no error of the formula.
#[derive(Default)]
pub struct Ledger {
    accounts: BTreeMap<String, Account>,
    states: usize,
    singular: usize,
}

/// A comparison fails if more than one in this number of its states is singular, because it would then check too few states.
const STATES_PER_SINGULAR_STATE: usize = 10;

impl Ledger {
    /// Records one value. `floor` is the magnitude of the terms that form it.
    pub fn record(&mut self, quantity: &str, got: f64, expected: f64, floor: f64, state: &dyn Debug) {
        let account = self.accounts.entry(quantity.to_owned()).or_default();
        let error = (got - expected).abs();
        account.scale = account.scale.max(expected.abs()).max(floor);
        // A NaN is an infinite error; if both are NaN, the state is outside the domain of a function.
        let error = if got.is_nan() && expected.is_nan() {
            0.0
        } else if error.is_nan() {
            f64::INFINITY
        } else {
            error
        };
        if error > account.error {
            account.error = error;
            account.detail = format!("{got:e} instead of {expected:e} at {state:?}");
        }
    }

    /// Counts a state: `solution` is that of its linear system, `None` where it is singular and the state cannot be compared.
    pub fn count<V>(&mut self, solution: Option<V>) -> Option<V> {
        self.states += 1;
        self.singular += usize::from(solution.is_none());
        solution
    }

    /// Records lists of values of one quantity.
    pub fn record_all(&mut self, quantity: &str, got: &[f64], expected: &[f64], floor: f64, state: &dyn Debug) {
        assert_eq!(got.len(), expected.len(), "{quantity}");
        for (got, expected) in got.iter().zip(expected) {
            self.record(quantity, *got, *expected, floor, state);
        }
    }

    /// Asserts that every error is within `tolerance` times the scale of its quantity.
    pub fn settle(&self, label: &str, tolerance: f64) {
        let (states, singular) = (self.states, self.singular);
        assert!(STATES_PER_SINGULAR_STATE * singular <= states, "{label}: {singular} of {states} states are singular");
        let mut failures = String::new();
        for (quantity, account) in &self.accounts {
            if account.error > tolerance * account.scale {
                let relative = account.error / account.scale;
                failures
                    .push_str(&format!("\n{quantity}: {relative:.1e} of {:.1e}: {}", account.scale, account.detail));
            }
        }
        assert!(failures.is_empty(), "{label}, tolerance {tolerance:e}:{failures}");
    }

    /// The largest relative error, for tuning of tolerances.
    pub fn worst(&self) -> f64 {
        self.accounts.values().map(|a| if a.error == 0.0 { 0.0 } else { a.error / a.scale }).fold(0.0, f64::max)
    }
}
