//! The mechanism compiler: a definition becomes symbolic equations, those are solved, and their functions become instruction lists
//! ([`program`]). It knows no text and prints no Rust: `mbs-codegen` prints the lists, `mbs-interp` runs them.

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
pub mod schedule;
pub mod solve;

pub use compile::{Compiled, Options, compile};
