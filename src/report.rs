//! Reports of a recording: CSV, the HTML page, SVG plots.
//!
//! [`Recording::write_csv`](crate::Recording::write_csv) keeps every digit; [`Recording::page`](crate::Recording::page)
//! is for looking, in any browser, offline.

mod csv;
mod json;
mod page;
#[cfg(feature = "plot")]
mod plot;

use std::fs::{self, File};
use std::io;
use std::path::Path;

pub(crate) use csv::{push, quote};
#[cfg(feature = "nalgebra")]
pub(crate) use page::Swing;
pub use page::{Page, Shape, Solid};
#[cfg(feature = "plot")]
pub use plot::Plot;

/// A new file, in folders that are made where they are missing.
pub(crate) fn create(path: &Path) -> io::Result<File> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    File::create(path)
}
