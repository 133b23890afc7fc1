//! Cases of the benches: accelerations with multipliers of every mechanism of `mechanisms/`, and of N four-bars, by generated code, by the
//! interpreter and by the engine, for two of them also by hand; a revolution of a driven four-bar, from positions to accelerations;
//! dynamics of robots and their derivatives; the Jacobian of a satellite.
//!
//! `cargo bench -p mbs-bench --bench report` writes `docs/BASELINES.md`; `--bench accelerations` measures the same candidates with criterion.
//! `--bench robots` is the source of its section on robots, `--bench momenta` compares momentum steps with accelerations.
#![forbid(unsafe_code)]

#[cfg(feature = "corpus")]
include!(concat!(env!("OUT_DIR"), "/family.rs"));

#[cfg(feature = "corpus")]
mod baseline;
mod candidate;
#[cfg(feature = "corpus")]
mod case;
#[cfg(feature = "corpus")]
pub mod cycle;
#[cfg(feature = "corpus")]
mod family;
pub mod generated;
#[cfg(feature = "corpus")]
mod hand;
pub mod jet;
pub mod machine;
pub mod measure;
pub mod momenta;
pub mod robots;
pub mod satellite;
mod text_bytes;

pub use candidate::{Candidate, Method};
#[cfg(feature = "corpus")]
pub use case::{Case, for_each_case};
#[cfg(feature = "corpus")]
pub use family::four_bars;
pub use measure::{Timing, measure};
pub use text_bytes::Executable;
