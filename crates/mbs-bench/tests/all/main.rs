//! Tests that the cases of the benchmarks compute what their names say.

#[cfg(feature = "corpus")]
mod cases;
#[cfg(feature = "corpus")]
mod growth;
mod robots;
