//! Simulation: assemble, integrate, record.
//!
//! [`Simulation`] is the short way. [`Recorder`] records states that a loop of your own produces, and [`Loaded`] applies
//! loads to a mechanism for such a loop.

mod course;
mod details;
mod failure;
pub(crate) mod functions;
mod integrator;
mod limits;
mod loaded;
mod recorder;
mod recording;
mod run;
pub(crate) mod schedule;
mod solver;
mod variable;
mod watch;

pub use failure::{Cause, Failure, UnknownName};
pub use integrator::Integrator;
pub(crate) use loaded::Load;
pub use loaded::{BodyName, Loaded, Loads};
pub use recorder::Recorder;
pub use recording::{
    Body, Connection, Curve, Marker, Occurrence, Occurrences, Quantity, ReactionColumns, Recording, Table,
};
pub use run::Simulation;
pub use variable::DiscreteVariable;
