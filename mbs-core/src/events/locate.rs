//! The first passage in a bracket: regula falsi on all values at once.
//!
//! Among all values that pass between the ends of the bracket, the one whose secant passes zero first determines the next time to evaluate. If any
//! value has passed there, that time is the new far end, else the new near end. The value at an end that stays twice is halved (Illinois). Every
//! third evaluation bisects unless the bracket has halved twice since, so that values that jump, such as truth values, take little longer than
//! by bisection.
//!
//! Sources: Hiebert & Shampine (1980), SAND80-0180; Dowell & Jarratt (1971), A modified regula falsi method for computing the root of an
//! equation, BIT 11 (Illinois).

use super::rows::Row;
use super::scan::Step;
use super::{Events, StateRef};
use crate::{Error, Eventful, Real};

/// A value within the bracket is small if it is below this fraction of those around it; the value of a condition, which jumps, is not.
const SMALL: f64 = 1e-3;

impl<M: Eventful<T>, T: Real> Events<M, T> {
    /// The far end of a bracket around the first passage between `low` and `high`, no longer than the resolution of time. On entry `Value` is at
    /// `low` and `Probe` at `high`; on return `Value` is at the far end, and sides are those before it.
    pub(super) fn locate(&mut self, step: &mut Step<M, T>, low: T, high: T) -> Result<T, Error<T>> {
        let (mut low, mut high, end) = (low, high, high);
        let resolution = self.resolution(high, self.head.t - self.start.t);
        let half = T::from_f64(0.5);
        self.rows.copy(Row::Low, Row::Value);
        self.rows.copy(Row::High, Row::Probe);
        let (mut weights, mut last_moved, mut width) = ([T::ONE; 2], None, high - low);
        for count in 1.. {
            if high - low <= resolution {
                break;
            }
            let mut t = low + (high - low) * self.secant(step.mechanism, weights);
            if count % 3 == 0 {
                if (high - low) * T::from_f64(4.0) > width {
                    t = low + half * (high - low);
                }
                width = high - low;
            }
            t = t.max(low + half * resolution).min(high - half * resolution);
            if !(t > low && t < high) {
                break;
            }
            self.evaluate_at(step, t)?;
            let end = usize::from(self.passes_any(step.mechanism, Row::Probe));
            if end == 1 {
                high = t;
                self.rows.copy(Row::High, Row::Probe);
            } else {
                low = t;
                self.rows.copy(Row::Low, Row::Probe);
                for event in 0..self.n {
                    self.commit(step.mechanism, event, Row::Low);
                }
            }
            weights[1 - end] = if last_moved == Some(end) { weights[1 - end] * half } else { T::ONE };
            weights[end] = T::ONE;
            last_moved = Some(end);
        }
        high = self.widen_bracket(step, high, end, resolution)?;
        self.set_bands(step.mechanism);
        self.rows.copy(Row::Value, Row::High);
        Ok(high)
    }

    /// Fraction of the bracket at which the first secant passes zero.
    fn secant(&self, mechanism: &M, [low_weight, high_weight]: [T; 2]) -> T {
        let mut first = T::ONE;
        for event in (0..self.n).filter(|event| self.passes(mechanism, *event, Row::High)) {
            let level = self.rows.value(Row::Level, event);
            let low = low_weight * (self.rows.value(Row::Low, event) - level);
            let high = high_weight * (self.rows.value(Row::High, event) - level);
            let part = low / (low - high);
            // Brackets of infinite values or NaN are bisected.
            first = first.min(if part >= T::ZERO { part } else { T::from_f64(0.5) });
        }
        first
    }

    /// The far end, or a time one resolution later if more values have passed there and none has returned; at most the end of the step.
    fn widen_bracket(&mut self, step: &mut Step<M, T>, high: T, end: T, resolution: T) -> Result<T, Error<T>> {
        if high >= end {
            return Ok(high);
        }
        let later = if end - high <= resolution { end } else { high + resolution };
        self.evaluate_at(step, later)?;
        let (mut stays, mut gains) = (true, false);
        for event in 0..self.n {
            let [passes, will] = [Row::High, Row::Probe].map(|row| self.passes(step.mechanism, event, row));
            stays &= will || !passes;
            gains |= will && !passes;
        }
        if stays && (gains || later == end) {
            self.rows.copy(Row::High, Row::Probe);
            return Ok(later);
        }
        Ok(high)
    }

    /// Whether only round-off passes zero at a time: values that have not left the band since their event happened last, and whose rates
    /// have the opposite sign. Their present values become their levels.
    pub(super) fn is_noise(&mut self, step: &mut Step<M, T>, t: T) -> Result<bool, Error<T>> {
        let passes = |event: usize| self.passes(step.mechanism, event, Row::Value);
        if (0..self.n).any(|event| passes(event) && self.rows.value(Row::Resting, event) <= T::ZERO) {
            return Ok(false);
        }
        self.evaluate_at(step, t)?;
        self.evaluate(step.mechanism, StateRef::Probe, Row::ProbeRate, step.inputs)?;
        for event in 0..self.n {
            let change = self.rows.value(Row::Value, event) - self.rows.value(Row::Level, event);
            if self.passes(step.mechanism, event, Row::Value)
                && change * self.rows.value(Row::ProbeRate, event) < T::ZERO
            {
                self.rows.set(Row::Level, event, self.rows.value(Row::Value, event));
                self.rows.set(Row::Side, event, T::ZERO);
            }
        }
        self.rows.copy(Row::Rate, Row::ProbeRate);
        Ok(!self.passes_any(step.mechanism, Row::Value))
    }

    /// Sets the band of each event whose value has passed: a bound of its distance from zero in the bracket.
    fn set_bands(&mut self, mechanism: &M) {
        for event in 0..self.n {
            if !self.passes(mechanism, event, Row::High) {
                continue;
            }
            let size = |row| self.rows.value(row, event).abs();
            let near = size(Row::Low).max(size(Row::High));
            let around = size(Row::Value).max(size(Row::End));
            let roundings = T::from_f64(16.0) * T::EPSILON * around;
            let is_small = near <= T::from_f64(SMALL) * around;
            let is_resting = self.rows.value(Row::Band, event) > T::ZERO;
            self.rows.set(Row::Resting, event, if is_resting { T::ONE } else { T::ZERO });
            self.rows.set(Row::Band, event, if is_small { T::from_f64(4.0) * near + roundings } else { T::ZERO });
        }
    }
}
