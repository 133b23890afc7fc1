//! Simulation: assembly, integration and recording; [analyses](analysis) and [reports](report) of recordings.
//!
//! [`Simulation`] makes a run with one call. [`Recorder`] records the states of a loop of your own, and [`Loaded`] applies
//! loads to a mechanism for such a loop.

pub mod analysis;
mod cause;
mod course;
mod csv;
mod details;
mod failure;
mod functions;
mod inputs;
mod integrator;
mod json;
mod limits;
mod loaded;
mod names;
mod object;
mod plan;
mod recorder;
mod recording;
pub mod report;
mod run;
mod schedule;
mod signs;
mod solids;
mod solver;
mod swing;
mod variable;
mod watch;

#[cfg(feature = "nalgebra")]
pub use mbs_diagnosis as diagnosis;

pub use cause::Cause;
pub use failure::Failure;
pub use integrator::Integrator;
use loaded::Load;
pub use loaded::{BodyName, Loaded, Loads};
pub use names::UnknownName;
pub use recorder::Recorder;
pub use recording::{
    Body, Connection, Curve, Marker, Occurrence, Occurrences, Quantity, ReactionColumns, Recording, Table,
};
pub use run::Simulation;
pub use variable::DiscreteVariable;
