//! Every mechanism of `mechanisms/`, compiled through the build.rs route in both formulations; those of many operations with `MBS_TESTS=all` alone.
#![forbid(unsafe_code)]

pub mod functions;

include!(concat!(env!("OUT_DIR"), "/corpus.rs"));
