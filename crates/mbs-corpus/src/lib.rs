//! Every mechanism of `mechanisms/`, compiled through the build.rs route in both formulations.

include!(concat!(env!("OUT_DIR"), "/corpus.rs"));
