//! The mechanism compiler: model to symbolic equations to allocation-free Rust.

pub mod compile;
pub mod derive;
pub mod emit;
pub mod evaluate;
mod front;
pub mod graph;
pub mod interp;
pub mod kernels;
mod opaque;
pub mod optimize;
pub mod print;
pub mod program;
pub mod reactions;
pub mod schedule;
pub mod solve;

pub use front::{
    Build, Failure, compile_text, expand, expand_in, expand_robots_in, generate, rendered_warnings, tokens,
};
pub use mbs_model::Formulation;
pub use mbs_syntax::{Style, read_text};
