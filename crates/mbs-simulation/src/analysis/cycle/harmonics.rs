//! Harmonics over a turn of the crank.

use super::{Cycle, time_of};
use crate::Recording;
use crate::analysis::curve::Curve;
use crate::analysis::{AnalysisError, Harmonics};

impl Cycle<'_> {
    /// The harmonics over the angle of a column, named as in [`Cycle::table`]: from `samples` values at equal angles over the
    /// cycle, the first at its beginning.
    ///
    /// They are good to round-off where rows of the recording are the samples, and no order of the column reaches
    /// half their number per turn; between rows values are those of [`Recording::extremes`].
    ///
    /// # Errors
    /// [`AnalysisError::Unknown`], [`AnalysisError::NotFinite`]; [`AnalysisError::TooFewRows`] without samples.
    pub fn harmonics(&self, column: &str, samples: usize) -> Result<Harmonics, AnalysisError> {
        self.harmonics_of(column, &self.recording.curve(column)?, &self.sampled(samples)?)
    }

    /// Times of samples at equal angles.
    pub(in crate::analysis) fn sampled(&self, samples: usize) -> Result<Vec<f64>, AnalysisError> {
        let angle = self.recording.curve(&self.angle)?;
        let share = |j: usize| j as f64 / samples as f64;
        Ok((0..samples).map(|j| time_of(&angle, self.start + share(j) * self.turn, self.turn)).collect())
    }

    /// Harmonics of a curve at the times of samples.
    pub(in crate::analysis) fn harmonics_of(
        &self,
        name: &str,
        curve: &Curve,
        times: &[f64],
    ) -> Result<Harmonics, AnalysisError> {
        let values: Vec<f64> = times.iter().map(|t| curve.value(*t)).collect();
        let harmonics = Harmonics::named(name, &values, self.turns)?;
        // Samples follow y(φ) = x(φ₀ ± φ) from the beginning φ₀ on: x(θ) = y(±(θ − φ₀)).
        let harmonics = if self.turn > 0.0 { harmonics } else { harmonics.reversed() };
        Ok(harmonics.advanced(-self.start))
    }

    /// The recording.
    pub(in crate::analysis) fn recording(&self) -> &Recording {
        self.recording
    }
}
