//! What benchmarks measure is what they say it is.

#[cfg(feature = "corpus")]
mod cases;
#[cfg(feature = "corpus")]
mod growth;
mod robots;
