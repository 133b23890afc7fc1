//! Errors of analyses.

use std::fmt;

use crate::{Failure, UnknownName};

/// Reason why an analysis has no result, with the names of the recording.
#[derive(Clone, PartialEq)]
#[non_exhaustive]
pub enum AnalysisError {
    /// A name that the recording does not have.
    Unknown(UnknownName),
    /// There are too few different times.
    TooFewRows {
        /// Required number.
        needed: usize,
        /// Actual number.
        found: usize,
    },
    /// A column contains values that are not finite, such as an output of loads in a run without loads.
    NotFinite {
        /// The column.
        column: String,
    },
    /// A cycle needs full revolutions.
    NoRevolution {
        /// The column of the angle.
        column: String,
        /// Required change of the angle \[rad\].
        needed: f64,
        /// Recorded change of the angle \[rad\].
        covered: f64,
    },
    /// A cycle needs an angle that only increases, or only decreases.
    Reverses {
        /// The column of the angle.
        column: String,
        /// Time at which it reverses \[s\].
        time: f64,
    },
    /// Strokes need two dead points within a period.
    NoStroke {
        /// The column.
        column: String,
        /// Number of dead points.
        dead_points: usize,
    },
    /// A joint is not drawn, so that its position is not recorded.
    NotDrawn {
        /// The joint.
        joint: String,
    },
    /// A joint does not join a body to ground, so that it exerts no load on the block.
    NotOnGround {
        /// The joint.
        joint: String,
    },
    /// Two joints are not on one link: their distance changes.
    NotALink {
        /// The two joints.
        joints: [String; 2],
        /// Largest minus least distance \[m\].
        change: f64,
    },
    /// No linkage has these four lengths: they are not all positive and finite, or one is longer than the others together.
    Lengths {
        /// Ground, crank, coupler, rocker \[m\].
        lengths: [f64; 4],
    },
    /// Three positions of a pivot are on a line: there is no circle through them.
    NoCircle {
        /// The positions \[m\].
        points: [[f64; 2]; 3],
    },
    /// No link rotates by these angles while its coupler goes through three positions.
    NoDyad {
        /// Angles from the first position to the second and to the third \[rad\].
        rotations: [f64; 2],
    },
    /// No four-bar of finite lengths relates these angles.
    NoFunction {
        /// Angles of crank and rocker \[rad\].
        pairs: [[f64; 2]; 3],
    },
    /// The mechanism could not be solved again.
    Run(Failure),
}

impl From<UnknownName> for AnalysisError {
    fn from(unknown: UnknownName) -> Self {
        AnalysisError::Unknown(unknown)
    }
}

impl From<Failure> for AnalysisError {
    fn from(failure: Failure) -> Self {
        AnalysisError::Run(failure)
    }
}

/// Writes the text of `Display`, so that a `main` that returns the error prints it.
impl fmt::Debug for AnalysisError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl fmt::Display for AnalysisError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            AnalysisError::Unknown(unknown) => unknown.fmt(f),
            AnalysisError::TooFewRows { needed, found } => {
                write!(f, "{found} different times are recorded, the analysis needs {needed}")
            }
            AnalysisError::NotFinite { column } => {
                write!(f, "`{column}` contains values that are not finite; outputs of loads need a run with loads")
            }
            AnalysisError::NoRevolution { column, needed, covered } => {
                let [degrees, needed] = [covered, needed].map(|angle| angle.to_degrees());
                let what =
                    if needed > 360.5 { "these revolutions cover" } else { "a cycle needs a full revolution of" };
                write!(f, "`{column}` covers {degrees:.3}°, {what} {needed:.0}°: run longer")
            }
            AnalysisError::Reverses { column, time } => {
                write!(f, "`{column}` reverses at t = {time}, a cycle needs an angle that keeps its direction")
            }
            AnalysisError::NoStroke { column, dead_points } => {
                write!(f, "`{column}` has {dead_points} dead points within the period, strokes need 2")
            }
            AnalysisError::NotDrawn { joint } => {
                write!(f, "the location of joint `{joint}` is not recorded; name a marker on it instead")
            }
            AnalysisError::NotOnGround { joint } => {
                write!(f, "`{joint}` does not join a body to ground; name the joints that the block carries")
            }
            AnalysisError::NotALink { joints: [from, to], change } => {
                write!(f, "`{from}` and `{to}` are not on one link: their distance changes by {change:.3e} m")
            }
            AnalysisError::Lengths { lengths: [ground, crank, coupler, rocker] } => write!(
                f,
                "no linkage has ground {ground}, crank {crank}, coupler {coupler} and rocker {rocker}: lengths are positive, and \
                 the longest is shorter than the others together"
            ),
            AnalysisError::NoCircle { points } => {
                write!(f, "no circle goes through {points:?}: they are on a line, choose another pin or pivot")
            }
            AnalysisError::NoDyad { rotations: [second, third] } => write!(
                f,
                "no link rotates by {:.3}° and {:.3}° while the coupler goes through these positions; choose other angles",
                second.to_degrees(),
                third.to_degrees()
            ),
            AnalysisError::NoFunction { pairs } => {
                let pairs = pairs.map(|pair| pair.map(|angle| (1e3 * angle.to_degrees()).round() / 1e3));
                write!(f, "no four-bar relates these angles of crank and rocker, in degrees: {pairs:?}")
            }
            AnalysisError::Run(failure) => failure.fmt(f),
        }
    }
}

impl std::error::Error for AnalysisError {}
