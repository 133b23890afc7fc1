//! Numbers kept per event, in storage of the mechanism's scratch.

use core::marker::PhantomData;

use crate::{Real, Storage};

/// Number that is kept of each event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Row {
    /// Value where the step is known to be quiet up to, with its rate.
    Value,
    Rate,
    /// At the end of the step.
    End,
    EndRate,
    /// At a quarter, a half and three quarters of the step.
    Samples,
    SamplesAtHalf,
    SamplesAtThreeQuarters,
    /// Where the step is evaluated, with its rate.
    Probe,
    ProbeRate,
    /// At the ends of the bracket.
    Low,
    High,
    /// Side of its level that a value is on: −1, 1, 0 if it has not left the level, NaN if switched off.
    Side,
    /// Level that counts as zero: nonzero only after the event has happened, while its value is within the band.
    Level,
    Band,
    /// The last three where the step began.
    OldSide,
    OldLevel,
    OldBand,
    /// Time of the next of `Every`, NaN if switched off; time at which `At` has happened last.
    Next,
    /// Next is Base + Count × Period.
    Base,
    Count,
    Period,
    /// How often an event has happened since this time, and 1 where its value has not left the band since it did so last.
    Mark,
    Often,
    Resting,
    /// The rate at which the value has passed zero where a handler has stopped it there, until it is known whether something holds it.
    Stopped,
    /// When the event was switched on first with its value on the side that it waits for, so that it waits for the next time; NaN if it was not.
    Missed,
    /// The start, where a condition was true there; or when a value that was zero at the start passed to the side that the event waits for, until
    /// the event happens; +∞ while it has not, NaN where that is not asked.
    Left,
    /// When such a value was last not on that side.
    Since,
}

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

    /// Values that a storage has, and how many it needs.
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

    pub(super) fn of(&self, row: Row, event: usize) -> T {
        self.row(row)[event]
    }

    pub(super) fn set(&mut self, row: Row, event: usize, value: T) {
        self.row_mut(row)[event] = value;
    }

    pub(super) fn copy(&mut self, to: Row, from: Row) {
        for event in 0..self.n {
            let value = self.of(from, event);
            self.set(to, event, value);
        }
    }
}
