//! A mutation fuzzer: nearly valid texts, URDFs, tables and command lines.
//!
//! An [`Input`] depends on a [`Kind`], a seed and a number alone. Texts, URDFs and tables go through parser, resolver,
//! checks, engine and compiler ([`examine`]) in a child process ([`worker`]) whose time and memory are bounded; command lines run as
//! separate processes in a scratch directory ([`commands`]). Failing inputs are shrunk ([`shrink`]) and printed, and the run
//! continues.
//!
//! # Failures
//! - a panic, a death of the process (stack, memory), more than [`worker::time_bound`] or [`MEMORY`];
//! - `MBS099`, a bug of the compiler;
//! - a message without a location, or with one outside the text;
//! - engine and compiler that differ on whether a text is valid, or in their first message;
//! - generated Rust that does not parse, or contains characters that rustc refuses;
//! - for command lines also exit codes that the book does not list, and incomplete results.
#![forbid(unsafe_code)]

pub mod chance;
pub mod commands;
pub mod examine;
pub mod input;
pub mod make;
pub mod mutate;
pub mod run;
pub mod seeds;
pub mod shrink;
pub mod tokens;
pub mod words;
pub mod worker;

pub use chance::Chance;
pub use input::{File, Input, Kind};

/// Largest address space of a process \[bytes\]: 2 GiB, as much as a recording may contain.
pub const MEMORY: u64 = 2 << 30;
