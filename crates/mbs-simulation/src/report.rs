//! Reports of a recording: CSV, the HTML page, SVG plots.
//!
//! [`Recording::write_csv`](crate::Recording::write_csv) writes all digits; [`Recording::page`](crate::Recording::page)
//! makes a page with animation and plots for any browser, which needs no network.

mod page;
#[cfg(feature = "plot")]
mod plot;

pub use page::{Page, Shape, Solid};
#[cfg(feature = "plot")]
pub use plot::Plot;
