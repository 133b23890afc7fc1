//! Reports of a recording: CSV, the HTML page, SVG plots.
//!
//! [`Recording::write_csv`](crate::Recording::write_csv) keeps every digit; [`Recording::page`](crate::Recording::page)
//! is for looking, in any browser, offline.

mod page;
#[cfg(feature = "plot")]
mod plot;

pub use page::{Page, Shape, Solid};
#[cfg(feature = "plot")]
pub use plot::Plot;
