//! The mechanism compiler: derives symbolic equations from a definition, solves them, and translates their functions to instruction lists
//! ([`program`]). It parses no text and prints no Rust: `mbs-codegen` prints the lists, `mbs-interp` runs them.

pub mod compile;
pub mod derive;
pub mod evaluate;
pub mod graph;
pub mod interp;
pub mod kernels;
mod opaque;
pub mod optimize;
pub mod program;
pub mod reactions;
pub mod sampler;
pub mod schedule;
pub mod solve;
mod states;

pub use compile::{Compiled, Options, compile};
