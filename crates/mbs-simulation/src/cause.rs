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
    /// Inverse dynamics needs a motion that drives and other rows prescribe entirely, and once only: degrees of freedom are left, or, if
    /// negative, there are more rows than speeds.
    Freedoms {
        /// Speeds minus rows.
        left: isize,
    },
    /// A load names a body that the mechanism does not have.
    Unknown(UnknownName),
    /// Recorded times must be finite; those of a simulation start at or after the initial time and do not decrease; times\[index\] does.
    Times {
        /// The first offending time.
        index: usize,
    },
    /// A setting is out of its domain: steps, intervals and `atol` are positive and finite, `duration` and `rtol` finite
    /// and not negative, `rtol` and `atol` together no less than the rounding of numbers near 1, a spectral radius is between 0 and 1.
    Setting {
        /// The method or field that sets it: `every`, `step`, …
        name: &'static str,
        /// Its value.
        value: f64,
    },
    /// More numbers would be recorded than 2.5e8, 2 GB.
    Memory {
        /// Rows that the settings ask for, or that events have reported.
        rows: f64,
        /// Numbers of one row.
        columns: usize,
    },
    /// Times that late do not resolve the interval between recorded rows: rounding would make neighbours equal.
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
        /// The fewest steps of the run.
        needed: f64,
        /// `max_steps`.
        most: usize,
    },
    /// A function written in Rust gives a derivative that differences do not confirm. Debug builds look at the first rows of a run.
    Derivative {
        /// Its name.
        function: String,
        /// The derivative.
        wrong: WrongDerivative,
    },
    /// Somebody has ended the run: [`Simulation::interrupt`](crate::Simulation::interrupt).
    Interrupted {
        /// Time reached \[s\].
        t: f64,
    },
}
