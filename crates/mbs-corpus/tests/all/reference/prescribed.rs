//! Prescribed motions, and their comparison with reference values.

use std::f64::consts::TAU;

use mbs::{FullMechanism, InverseDynamics, Recording, StateView, zero_inputs};

use crate::reference::figures::{Accuracy, Figures, Line};

/// A mechanism in one formulation against one case: positions to reactions at the times of the case, lines of figures.
pub struct Prescribed {
    recording: Recording,
    figures: Figures,
}

impl Prescribed {
    /// Follows the motion from the declared pose through the times, which ascend from 0.
    pub fn new<M: FullMechanism>(case: &str, coordinates: &str, mechanism: &M, times: &[f64]) -> Self {
        Prescribed::with_inputs(case, coordinates, mechanism, times, zero_inputs)
    }

    /// Follows the motion with inputs.
    pub fn with_inputs<M: FullMechanism>(
        case: &str,
        coordinates: &str,
        mechanism: &M,
        times: &[f64],
        inputs: impl FnMut(StateView, &mut [f64]),
    ) -> Self {
        let figures = Figures::new(case, coordinates);
        let run = InverseDynamics::new(mechanism).inputs(inputs).at(times).run();
        let recording = run.unwrap_or_else(|failure| panic!("{case}, {coordinates}: {failure}"));
        assert_eq!(recording.times(), times, "{case}, {coordinates}");
        Prescribed { recording, figures }
    }

    /// The recording that is compared.
    pub fn recording(&self) -> &Recording {
        &self.recording
    }

    /// A recorded column, by the names that [`Recording::column`] takes.
    pub fn column(&self, name: &str) -> Vec<f64> {
        self.recording.column(name).unwrap_or_else(|error| panic!("{error}"))
    }

    /// Compares a recorded column.
    pub fn compare(&mut self, column: &str, accuracy: Accuracy, reference: &[f64]) {
        let values = self.column(column);
        self.compare_values(column, accuracy, reference, &values);
    }

    /// Compares a recorded angle, whose reference values do not count revolutions.
    pub fn compare_angle(&mut self, column: &str, accuracy: Accuracy, reference: &[f64]) {
        let values = self.column(column);
        let unwrapped = |(angle, known): (&f64, &f64)| angle - TAU * ((angle - known) / TAU).round();
        let values: Vec<f64> = values.iter().zip(reference).map(unwrapped).collect();
        self.compare_values(column, accuracy, reference, &values);
    }

    /// Compares values computed from recorded ones.
    pub fn compare_values(&mut self, quantity: &str, accuracy: Accuracy, reference: &[f64], values: &[f64]) {
        self.figures.compare(quantity, accuracy, reference, values);
    }

    /// Adds a figure with a separate bound.
    pub fn bound(&mut self, quantity: &str, error: f64, bound: f64) {
        self.figures.push(Line { quantity: quantity.to_owned(), error, tolerance: bound, change: 0.0 });
    }

    /// Prints the figures and fails if one of them is above its tolerance.
    pub fn finish(self) {
        let statistics = self.recording.statistics();
        self.figures.finish(&format!("{} steps, {} repeated", statistics.accepted, statistics.rejected));
    }
}
