//! A mutation fuzzer: texts, URDFs, tables and command lines that are nearly right.
//!
//! An [`Input`] is made from a [`Kind`], a seed and a number, and from nothing else. Texts, URDFs and tables go through parser, resolver,
//! checks, engine and compiler ([`examine`]) in a child process ([`worker`]) whose time and memory are bounded; command lines run as
//! processes of their own in a scratch directory ([`commands`]). Inputs that fail are made smaller ([`shrink`]) and printed, and the run
//! continues.
//!
//! # Failures
//! - a panic, a death of the process (stack, memory), more than [`worker::time_bound`] or [`MEMORY`];
//! - `MBS099`, a bug of our own;
//! - a message without a place, or with one outside the text;
//! - engine and compiler that differ on whether a text is sound, or in their first message;
//! - generated Rust that does not parse, or contains characters that rustc refuses;
//! - of command lines also other exit codes than the book's, and results that are not complete.
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

/// Most bytes of address space of a process: 2 GiB, as much as a recording may hold.
pub const MEMORY: u64 = 2 << 30;
