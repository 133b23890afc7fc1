//! Generates allocation-free Rust from mechanisms that are declared as text or tokens. Contains the front ends for macros and build scripts.

pub mod emit;
mod front;
pub mod print;

#[cfg(feature = "build")]
pub use front::{Build, format_rust, generate};
pub use front::{
    Failure, compile_text, compile_text_in, expand, expand_in, expand_robots_in, rendered_warnings, tokens,
};
pub use mbs_compiler::{Compiled, Options};
pub use mbs_model::Formulation;
pub use mbs_syntax::{Style, read_text};
