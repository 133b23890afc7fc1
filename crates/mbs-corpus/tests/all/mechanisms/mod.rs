//! Laws that every mechanism of `mechanisms/` satisfies, compiled, interpreted and in the engine.
//!
//! All tests are in one binary: each mechanism is compiled once.

mod chains;
mod declared_events;
mod declared_speeds;
mod derivatives;
mod differential;
mod functions;
pub(crate) mod harness;
mod hessians;
mod identities;
mod jets;
mod large;
mod massless_bodies;
mod natural;
mod numeric;
mod operators;
mod pairs;
mod printed;
mod projections;
mod reactions;
mod switched;
