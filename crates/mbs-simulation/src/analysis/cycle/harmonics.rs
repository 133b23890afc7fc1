//! Harmonics of a column over a cycle.

use super::{Cycle, time_of};
use crate::Recording;
use crate::analysis::curve::Curve;
use crate::analysis::{AnalysisError, Harmonics};

impl Cycle<'_> {
    /// The harmonics of a column over the angle, named as in [`Cycle::table`]: from `samples` values at equal angles over the
    /// cycle, the first at its beginning.
    ///
    /// They are accurate to round-off where the samples are rows of the recording, and all orders of the column are below
    /// half their number per revolution; between rows values are those of [`Recording::extremes`].
    ///
    /// # Errors
    /// [`AnalysisError::Unknown`], [`AnalysisError::NotFinite`]; [`AnalysisError::TooFewRows`] without samples.
    pub fn harmonics(&self, column: &str, samples: usize) -> Result<Harmonics, AnalysisError> {
        self.harmonics_of(column, &self.recording.curve(column)?, &self.sample_times(samples)?)
    }

    /// Times of samples at equal angles.
    pub(in crate::analysis) fn sample_times(&self, samples: usize) -> Result<Vec<f64>, AnalysisError> {
        let angle = self.recording.curve(&self.angle)?;
        let share = |j: usize| j as f64 / samples as f64;
        Ok((0..samples).map(|j| time_of(&angle, self.start + share(j) * self.span, self.span)).collect())
    }

    /// Harmonics of a curve at the times of samples.
    pub(in crate::analysis) fn harmonics_of(
        &self,
        name: &str,
        curve: &Curve,
        times: &[f64],
    ) -> Result<Harmonics, AnalysisError> {
        let values: Vec<f64> = times.iter().map(|t| curve.value(*t)).collect();
        let harmonics = Harmonics::named(name, &values, self.revolutions)?;
        // Samples follow y(φ) = x(φ₀ ± φ) from the beginning φ₀ on: x(θ) = y(±(θ − φ₀)).
        let harmonics = if self.span > 0.0 { harmonics } else { harmonics.reversed() };
        Ok(harmonics.advanced(-self.start))
    }

    /// The recording.
    pub(in crate::analysis) fn recording(&self) -> &Recording {
        self.recording
    }
}
