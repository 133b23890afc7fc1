//! Numbers stored per event, in storage of the mechanism's scratch.

use core::marker::PhantomData;

use crate::{Real, Storage};

/// A number that is stored for each event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Row {
    /// Value at the time up to which the step has no events.
    Value,
    /// Its time derivative.
    Rate,
    /// Value at the end of the step.
    End,
    /// Time derivative at the end of the step.
    EndRate,
    /// Values at a quarter, a half and three quarters of the step.
    Samples,
    SamplesAtHalf,
    SamplesAtThreeQuarters,
    /// Value at the time of the last evaluation within the step.
    Probe,
    /// Time derivative there.
    ProbeRate,
    /// Values at the ends of the bracket.
    Low,
    High,
    /// Side of its level on which a value is: −1, 1, 0 if it has not left the level, NaN if switched off.
    Side,
    /// Level that counts as zero: nonzero only after the event has happened, while its value is within the band.
    Level,
    /// Largest |value| that has not left zero since the event happened.
    Band,
    /// `Side`, `Level` and `Band` at the beginning of the step.
    OldSide,
    OldLevel,
    OldBand,
    /// Time of the next occurrence of `Every`, NaN if switched off; time of the last occurrence of `At`.
    Next,
    /// `Next` is Base + Count × Period.
    Base,
    Count,
    Period,
    /// Time from which `Often` counts.
    Mark,
    /// Number of occurrences since `Mark`.
    Often,
    /// 1 where the value has not left the band since the last occurrence, else 0.
    Resting,
    /// The rate at which the value has passed zero where a handler has stopped it there, until it is known whether a constraint keeps it; else 0.
    Stopped,
    /// Time at which the event was first switched on with its value already on the side on which it happens; NaN if it was not.
    Missed,
    /// The start, where a condition was true there; or the time at which a value that was zero at the start left it to the side on which the
    /// event happens, until the event happens. It is +∞ while the value has not left, NaN for other events.
    Left,
    /// Last time at which such a value was not on that side.
    Since,
}

/// Rows of numbers, one per event.
pub(super) struct Rows<S, T> {
    storage: [S; 7],
    n: usize,
    number: PhantomData<T>,
}

impl<S: Storage<T>, T: Real> Rows<S, T> {
    /// Rows of n values, four to a storage.
    pub(super) fn new(storage: S, n: usize) -> Self {
        Rows { storage: core::array::from_fn(|_| storage.clone()), n, number: PhantomData }
    }

    /// Length of a storage, and the length that is needed.
    pub(super) fn sizes(&self) -> (usize, usize) {
        (self.storage[0].as_ref().len(), 4 * self.n)
    }

    pub(super) fn row(&self, row: Row) -> &[T] {
        let row = row as usize;
        &self.storage[row / 4].as_ref()[row % 4 * self.n..][..self.n]
    }

    pub(super) fn row_mut(&mut self, row: Row) -> &mut [T] {
        let row = row as usize;
        &mut self.storage[row / 4].as_mut()[row % 4 * self.n..][..self.n]
    }

    pub(super) fn value(&self, row: Row, event: usize) -> T {
        self.row(row)[event]
    }

    pub(super) fn set(&mut self, row: Row, event: usize, value: T) {
        self.row_mut(row)[event] = value;
    }

    pub(super) fn copy(&mut self, to: Row, from: Row) {
        for event in 0..self.n {
            let value = self.value(from, event);
            self.set(to, event, value);
        }
    }
}
