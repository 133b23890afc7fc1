//! Features of mechanisms, for coverage.

use std::collections::{BTreeMap, BTreeSet};

/// Features of one mechanism.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Features(BTreeSet<String>);

impl Features {
    /// Marks a feature.
    pub fn add(&mut self, feature: impl Into<String>) {
        self.0.insert(feature.into());
    }

    /// The marked features, sorted.
    pub fn list(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(String::as_str)
    }
}

/// Number of mechanisms that show each feature.
#[derive(Clone, Debug, Default)]
pub struct Coverage(BTreeMap<String, usize>);

impl Coverage {
    /// Counts one mechanism.
    pub fn count(&mut self, features: &Features) {
        for feature in features.list() {
            *self.0.entry(feature.to_owned()).or_default() += 1;
        }
    }

    /// Adds another count.
    pub fn merge(&mut self, other: &Coverage) {
        for (feature, n) in &other.0 {
            *self.0.entry(feature.clone()).or_default() += n;
        }
    }

    /// Feature and count, sorted by feature.
    pub fn list(&self) -> impl Iterator<Item = (&str, usize)> {
        self.0.iter().map(|(feature, n)| (feature.as_str(), *n))
    }
}
