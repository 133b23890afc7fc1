//! Laws that every mechanism of `mechanisms/` obeys, compiled, interpreted and in the engine.
//!
//! One binary: each mechanism is compiled once for all of them.

mod chains;
mod declared_events;
mod declared_speeds;
mod derivatives;
mod differential;
mod functions;
mod harness;
mod hessians;
mod identities;
mod jets;
mod large;
mod light_bodies;
mod natural;
mod numeric;
mod operators;
mod pairs;
mod printed;
mod reactions;
#[path = "../../../../../mbs-codegen/tests/all/rust_text/mod.rs"]
mod rust_text;
mod switched;
