//! Tests that the cases of the benchmarks compute what they are named after, and of the tools that measure them.

#[cfg(feature = "corpus")]
mod cases;
#[cfg(feature = "corpus")]
mod growth;
mod robots;
mod tools;
