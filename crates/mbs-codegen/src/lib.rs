//! The mechanism compiler: model to symbolic equations to allocation-free Rust.

pub mod graph;
pub mod derive;
pub mod evaluate;
pub mod solve;
pub mod interp;
pub mod optimize;
pub mod print;
pub mod program;
pub mod schedule;
pub mod compile;
pub mod emit;
pub mod kernels;
mod front;

pub use front::{Build, Failure, compile_text, expand, generate, tokens};
mod interpreted;

pub use interpreted::Interpreted;
