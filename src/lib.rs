//! Compiled mechanisms: declare a multibody system, get specialised, allocation-free Rust, see it move.
//!
//! This crate is the façade. It re-exports the runtime of `mbs-core` (the [`Mechanism`] trait, integrators, assembly,
//! projection), and with `std` adds
//!
//! - `Simulation`: runs any mechanism and keeps a `Recording` of everything worth looking at;
//! - `Loaded`: a mechanism with loads that Rust closures apply at run time;
//! - `report`: CSV, one self-contained HTML page with the animation and the plots, SVG plots.
//!
//! | feature | default | adds |
//! |---|---|---|
//! | `std` | yes | simulation, recordings, reports; without it everything here is `no_std` and allocates nothing |
//! | `macros` | yes | `mechanism!` |
//! | `nalgebra` | yes | `vector` and `Table::matrix` |
//! | `serde` | no | `Serialize`, `Deserialize` of a `Recording` |
//! | `plot` | no | `report::Plot`: SVG through `plotters` |
#![cfg_attr(not(feature = "std"), no_std)]
#![forbid(unsafe_code)]

pub use mbs_core::*;

#[doc(hidden)]
pub use mbs_core::{math, select_fma};

#[cfg(feature = "nalgebra")]
pub use nalgebra;

#[cfg(feature = "macros")]
pub use mbs_macros::mechanism;

#[cfg(feature = "std")]
pub mod report;
#[cfg(feature = "std")]
pub mod simulation;

#[cfg(feature = "std")]
pub use simulation::{
    Failure, Integrator, Loaded, Loads, Quantity, Recorder, Recording, Simulation, Table, UnknownName,
};

/// A slice, such as coordinates or accelerations, as an nalgebra vector: borrowed, nothing is copied.
///
/// Kernels and integrators work on slices; this and `matrix` of a recorded table are where nalgebra begins.
#[cfg(feature = "nalgebra")]
pub fn vector(values: &[f64]) -> nalgebra::DVectorView<'_, f64> {
    nalgebra::DVectorView::from_slice(values, values.len())
}

/// The book's Rust snippets, compiled and run as documentation tests.
#[cfg(all(doctest, feature = "std", feature = "macros"))]
mod book {
    #[doc = include_str!("../README.md")]
    mod readme {}
    #[doc = include_str!("../docs/getting-started.md")]
    mod getting_started {}
    #[doc = include_str!("../docs/language.md")]
    mod language {}
    #[doc = include_str!("../docs/generated.md")]
    mod generated {}
    #[doc = include_str!("../docs/mathematics.md")]
    mod mathematics {}
    #[doc = include_str!("../docs/running.md")]
    mod running {}
    #[doc = include_str!("../docs/build-script.md")]
    mod build_script {}
    #[doc = include_str!("../docs/no-std.md")]
    mod no_std {}
    #[doc = include_str!("../docs/extending.md")]
    mod extending {}
    #[doc = include_str!("../docs/numerics.md")]
    mod numerics {}
}
