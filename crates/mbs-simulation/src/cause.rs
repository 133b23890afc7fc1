//! Reasons why a run stops.

use mbs_core::{Error, Obstacle, WrongDerivative};

use super::UnknownName;

/// Reason why a simulation stopped.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Cause {
    /// Assembly, integration or a kernel failed.
    Run(Error),
    /// A prescribed motion cannot be followed further: the mechanism locks or is at a dead point, or a drive jumps.
    Stuck(Obstacle),
    /// Inverse dynamics needs a motion that drives and other rows prescribe completely and once. Degrees of freedom remain, or, if `left` is
    /// negative, there are more rows than speeds.
    Freedoms {
        /// Speeds minus rows.
        left: isize,
    },
    /// A load names a body that the mechanism does not have.
    Unknown(UnknownName),
    /// A recorded time is not finite; or, in a simulation, before the initial time or before the time in front of it.
    Times {
        /// Index of the first such time.
        index: usize,
    },
    /// A setting is outside its domain: steps, intervals and `atol` have to be positive and finite, `duration` and `rtol` finite
    /// and not negative, `rtol` + `atol` no less than the rounding of numbers near 1, a spectral radius between 0 and 1.
    Setting {
        /// The method or field that sets it: `every`, `step`, …
        name: &'static str,
        /// Its value.
        value: f64,
    },
    /// More than 2.5e8 numbers, 2 GB, would be recorded.
    Memory {
        /// Rows that the settings require, or that events have reported.
        rows: f64,
        /// Numbers of one row.
        columns: usize,
    },
    /// Times near `t` do not resolve the interval between recorded rows: rounding would make adjacent times equal.
    Resolution {
        /// The latest time \[s\].
        t: f64,
        /// The interval \[s\].
        interval: f64,
    },
    /// The run would make more steps than `max_steps`.
    Steps {
        /// The longest step \[s\].
        step: f64,
        /// The least number of steps of the run.
        needed: f64,
        /// `max_steps`.
        most: usize,
    },
    /// A function written in Rust gives a derivative that differences do not confirm. Debug builds check it in the first rows of a run.
    Derivative {
        /// Its name.
        function: String,
        /// The derivative.
        wrong: WrongDerivative,
    },
    /// The run was interrupted by [`Simulation::interrupt`](crate::Simulation::interrupt).
    Interrupted {
        /// Time reached \[s\].
        t: f64,
    },
}
