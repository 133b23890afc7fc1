//! Strokes between dead points, and quick returns.

use super::{AnalysisError, Extreme};
use crate::Recording;

/// The motion from one dead point to the next.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stroke {
    /// Dead point at its beginning.
    pub from: Extreme,
    /// Dead point at its end.
    pub to: Extreme,
}

impl Stroke {
    /// Signed length, in the unit of the column: positive for an increase.
    pub fn travel(&self) -> f64 {
        self.to.value - self.from.value
    }

    /// Duration \[s\].
    pub fn duration(&self) -> f64 {
        self.to.time - self.from.time
    }
}

/// A periodic reciprocating motion with strokes of different durations.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct QuickReturn {
    /// Length of the stroke, in the unit of the column, ≥ 0.
    pub travel: f64,
    /// Duration of the slow stroke \[s\].
    pub slow: f64,
    /// Duration of the quick stroke \[s\].
    pub quick: f64,
    /// The slow stroke of the first period.
    pub working: Stroke,
}

impl QuickReturn {
    /// Ratio of the durations of slow and quick stroke, at least 1.
    pub fn time_ratio(&self) -> f64 {
        self.slow / self.quick
    }
}

impl Recording {
    /// The strokes of a column between its [dead points](Recording::dead_points).
    ///
    /// # Errors
    /// Those of [`Recording::extremes`].
    pub fn strokes(&self, column: &str) -> Result<Vec<Stroke>, AnalysisError> {
        let dead_points = self.dead_points(column)?;
        Ok(dead_points.windows(2).map(|pair| Stroke { from: pair[0], to: pair[1] }).collect())
    }

    /// Stroke and time ratio of a reciprocating motion with one stroke in each direction per period \[s\], such as a revolution of the crank. Its two
    /// dead points are the first two recorded ones; the second stroke ends a period after the first began.
    ///
    /// # Errors
    /// Those of [`Recording::extremes`]; [`AnalysisError::NoStroke`] without two dead points within a period.
    pub fn quick_return(&self, column: &str, period: f64) -> Result<QuickReturn, AnalysisError> {
        let dead_points = self.dead_points(column)?;
        let start = dead_points.first().map_or(0.0, |first| first.time);
        // The third dead point is the first one again, up to its rounding.
        let within = dead_points.iter().filter(|point| point.time < start + period * (1.0 - 1e-9)).count();
        let [first, second, ..] = dead_points[..] else {
            return Err(AnalysisError::NoStroke { column: column.into(), dead_points: within });
        };
        if within != 2 {
            return Err(AnalysisError::NoStroke { column: column.into(), dead_points: within });
        }
        let forth = Stroke { from: first, to: second };
        let back = Stroke { from: second, to: Extreme { time: first.time + period, ..first } };
        let (working, quick) = if forth.duration() >= back.duration() { (forth, back) } else { (back, forth) };
        Ok(QuickReturn { travel: working.travel().abs(), slow: working.duration(), quick: quick.duration(), working })
    }
}
