//! Tests that the cases of the benchmarks compute what they are named after.

#[cfg(feature = "corpus")]
mod cases;
#[cfg(feature = "corpus")]
mod growth;
mod robots;
