//! Generates allocation-free Rust from mechanisms that are declared as text or tokens. Contains the front ends for macros and build scripts.

pub mod emit;
mod front;
pub mod print;

#[cfg(feature = "build")]
pub use front::{Build, Failure, compile_text, compile_text_in, format_rust, generate, rendered_warnings, tokens};
pub use front::{expand, expand_in, expand_robots_in};
pub use mbs_compiler::{Compiled, Options};
pub use mbs_model::Formulation;
#[cfg(feature = "build")]
pub use mbs_syntax::Style;
pub use mbs_syntax::read_text;
