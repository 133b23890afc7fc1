//! What the benches time: accelerations with multipliers of every mechanism of `mechanisms/`, and of N four-bars, by generated
//! code, by the interpreter and by the engine; of two of them by hand too. And a turn of a driven four-bar, positions to
//! accelerations.
//!
//! `cargo bench -p mbs-bench --bench report` writes `docs/BENCHMARKS.md`; `--bench accelerations` is criterion's view of the same.
#![forbid(unsafe_code)]

include!(concat!(env!("OUT_DIR"), "/family.rs"));

mod baseline;
mod candidate;
mod case;
pub mod cycle;
mod family;
mod hand;
pub mod machine;
pub mod measure;
mod text_bytes;

pub use candidate::{Candidate, Way};
pub use case::{Case, for_each_case};
pub use family::four_bars;
pub use measure::{Timing, measure};
pub use text_bytes::Executable;
