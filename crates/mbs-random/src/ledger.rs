//! Comparisons of one law collected over states, relative to the largest value of a quantity.

use std::collections::BTreeMap;
use std::fmt;

use crate::state::OwnedState;

#[derive(Clone, Debug, Default)]
struct Account {
    /// Largest error relative to its scale at that state.
    error: f64,
    scale: f64,
    detail: String,
}

/// Errors by quantity. The scale of a quantity is its largest expected value over all states, or a lower bound that the law derives from
/// the terms of its sum, so that cancellation at one state does not count as an error of a formula.
#[derive(Clone, Debug)]
pub struct Ledger {
    law: &'static str,
    tolerance: f64,
    accounts: BTreeMap<String, Account>,
}

/// A violation of a law.
#[derive(Clone, Debug)]
pub struct Violation {
    /// The law.
    pub law: &'static str,
    /// Quantities, errors, numbers and states.
    pub detail: String,
}

impl Violation {
    /// Creates the violation of a law, with its detail.
    pub fn new(law: &'static str, detail: impl Into<String>) -> Self {
        Violation { law, detail: detail.into() }
    }

    /// Adds the formulation to the detail.
    pub fn within(self, label: &str) -> Self {
        Violation { detail: format!("{label}: {}", self.detail), ..self }
    }
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.law, self.detail)
    }
}

impl Ledger {
    /// Creates an empty ledger for one law with its tolerance.
    pub fn new(law: &'static str, tolerance: f64) -> Self {
        Ledger { law, tolerance, accounts: BTreeMap::new() }
    }

    /// Records one value. `floor` is the magnitude of the terms that form it.
    pub fn record(&mut self, quantity: &str, got: f64, expected: f64, floor: f64, at: &OwnedState) {
        let account = self.accounts.entry(quantity.to_owned()).or_default();
        let error = (got - expected).abs();
        if expected.is_finite() {
            account.scale = account.scale.max(expected.abs());
        }
        if floor.is_finite() {
            account.scale = account.scale.max(floor);
        }
        // A NaN is an infinite error; if both are NaN, the state is outside the domain of a function.
        let same = got == expected || (!got.is_finite() && !expected.is_finite());
        let error = match (same, error.is_nan()) {
            (true, _) => 0.0,
            (false, true) => f64::INFINITY,
            (false, false) => error,
        };
        if error > account.error {
            account.error = error;
            account.detail = format!("{got:e} instead of {expected:e} at {at:?}");
        }
    }

    /// Records lists of one quantity.
    pub fn record_all(&mut self, quantity: &str, got: &[f64], expected: &[f64], floor: f64, at: &OwnedState) {
        if got.len() != expected.len() {
            let [got, expected] = [got, expected].map(|list| list.len() as f64);
            return self.record(&format!("number of {quantity}"), got, expected, 0.0, at);
        }
        for (got, expected) in got.iter().zip(expected) {
            self.record(quantity, *got, *expected, floor, at);
        }
    }

    /// The largest error relative to its scale.
    ///
    /// # Errors
    /// The violation, if the error of a quantity exceeds the tolerance times its scale.
    pub fn settle(&self) -> Result<f64, Violation> {
        let relative = |a: &Account| if a.error == 0.0 { 0.0 } else { a.error / a.scale };
        let wrong: Vec<String> = self
            .accounts
            .iter()
            .filter(|(_, a)| !(relative(a) <= self.tolerance))
            .map(|(name, a)| format!("{name}: {:.1e} of {:.1e}: {}", relative(a), a.scale, a.detail))
            .collect();
        if wrong.is_empty() {
            return Ok(self.accounts.values().map(relative).fold(0.0, f64::max));
        }
        Err(Violation::new(self.law, format!("tolerance {:e}:\n{}", self.tolerance, wrong.join("\n"))))
    }
}
