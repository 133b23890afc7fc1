//! Tests of the product through its public interface are in `all/`. This library has the pages of the book whose snippets name crates of the
//! compiler, compiled and run as documentation tests.

#[cfg(doctest)]
#[doc = include_str!("../../docs/build-script.md")]
mod build_script {}
#[cfg(doctest)]
#[doc = include_str!("../../docs/extending.md")]
mod extending {}
