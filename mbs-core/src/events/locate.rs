//! The first passage in a bracket: regula falsi on all values at once.
//!
//! Among all values that pass between the ends of the bracket, the one whose secant passes first determines the next time to evaluate. If any
//! value has passed there, that time is the new far end, else the new near end. An end that stays twice has its value halved (Illinois). Every
//! third evaluation bisects unless the bracket has halved twice since, so that values that jump, such as truth values, take little longer than
//! by bisection.
//!
//! Sources: Hiebert & Shampine (1980), SAND80-0180; Dowell & Jarratt (1971), A modified regula falsi method for computing the root of an
//! equation, BIT 11 (Illinois).

use super::rows::Row;
use super::scan::Step;
use super::{Events, Place};
use crate::{Error, Eventful, Real};

/// A value within the bracket is small if it is below this part of those around it; a truth, which jumps, is not.
const SMALL: f64 = 1e-3;

impl<M: Eventful<T>, T: Real> Events<M, T> {
    /// The far end of the bracket around the first passage between two times, at which `Value` and `Probe` are; the bracket is no longer than
    /// the resolution of time. `Value` is then that at the far end, sides those before it.
    pub(super) fn locate(&mut self, step: &mut Step<M, T>, low: T, high: T) -> Result<T, Error<T>> {
        let (mut low, mut high, end) = (low, high, high);
        let resolution = self.resolution(high, self.head.t - self.start.t);
        let half = T::from_f64(0.5);
        self.rows.copy(Row::Low, Row::Value);
        self.rows.copy(Row::High, Row::Probe);
        let (mut weights, mut last_moved, mut width) = ([T::ONE; 2], None, high - low);
        for look in 1.. {
            if high - low <= resolution {
                break;
            }
            let mut t = low + (high - low) * self.secant(step.mechanism, weights);
            if look % 3 == 0 {
                if (high - low) * T::from_f64(4.0) > width {
                    t = low + half * (high - low);
                }
                width = high - low;
            }
            t = t.max(low + half * resolution).min(high - half * resolution);
            if !(t > low && t < high) {
                break;
            }
            self.look(step, t)?;
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
        high = self.widened(step, high, end, resolution)?;
        self.set_bands(step.mechanism);
        self.rows.copy(Row::Value, Row::High);
        Ok(high)
    }

    /// Part of the bracket at which the first secant passes zero.
    fn secant(&self, mechanism: &M, [low_weight, high_weight]: [T; 2]) -> T {
        let mut first = T::ONE;
        for event in (0..self.n).filter(|event| self.passes(mechanism, *event, Row::High)) {
            let level = self.rows.of(Row::Level, event);
            let low = low_weight * (self.rows.of(Row::Low, event) - level);
            let high = high_weight * (self.rows.of(Row::High, event) - level);
            let part = low / (low - high);
            // Infinite values and steps of NaN are bisected.
            first = first.min(if part >= T::ZERO { part } else { T::from_f64(0.5) });
        }
        first
    }

    /// The far end, a resolution later if more has passed there and nothing come back; the end of the step where that is as near.
    fn widened(&mut self, step: &mut Step<M, T>, high: T, end: T, resolution: T) -> Result<T, Error<T>> {
        if high >= end {
            return Ok(high);
        }
        let later = if end - high <= resolution { end } else { high + resolution };
        self.look(step, later)?;
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

    /// Whether only round-off passes at a time: values that have not left the band since their event happened last, and whose rates
    /// lead the other way. They continue from where they are.
    pub(super) fn is_noise(&mut self, step: &mut Step<M, T>, t: T) -> Result<bool, Error<T>> {
        let passes = |event: usize| self.passes(step.mechanism, event, Row::Value);
        if (0..self.n).any(|event| passes(event) && self.rows.of(Row::Resting, event) <= T::ZERO) {
            return Ok(false);
        }
        self.look(step, t)?;
        self.evaluate(step.mechanism, Place::Probe, Row::ProbeRate, step.inputs)?;
        for event in 0..self.n {
            let way = self.rows.of(Row::Value, event) - self.rows.of(Row::Level, event);
            if self.passes(step.mechanism, event, Row::Value) && way * self.rows.of(Row::ProbeRate, event) < T::ZERO {
                self.rows.set(Row::Level, event, self.rows.of(Row::Value, event));
                self.rows.set(Row::Side, event, T::ZERO);
            }
        }
        self.rows.copy(Row::Rate, Row::ProbeRate);
        Ok(!self.passes_any(step.mechanism, Row::Value))
    }

    /// Sets the band of each event that has passed: how near to zero its value is, as far as the bracket shows.
    fn set_bands(&mut self, mechanism: &M) {
        for event in 0..self.n {
            if !self.passes(mechanism, event, Row::High) {
                continue;
            }
            let size = |row| self.rows.of(row, event).abs();
            let near = size(Row::Low).max(size(Row::High));
            let around = size(Row::Value).max(size(Row::End));
            let roundings = T::from_f64(16.0) * T::EPSILON * around;
            let is_small = near <= T::from_f64(SMALL) * around;
            let is_resting = self.rows.of(Row::Band, event) > T::ZERO;
            self.rows.set(Row::Resting, event, if is_resting { T::ONE } else { T::ZERO });
            self.rows.set(Row::Band, event, if is_small { T::from_f64(4.0) * near + roundings } else { T::ZERO });
        }
    }
}
