//! Mistakes shown with the locations of the calls that made them.

use std::fmt;

use mbs_definition::{Diagnostic, Errors};

use super::sites::Sites;

/// Mistakes of a mechanism, with the calls where it was written. `Display` and `Debug` show [`Sites::render`], so that `main` may return it.
#[derive(Clone)]
pub struct Mistakes {
    errors: Errors,
    sites: Sites,
}

impl Mistakes {
    /// Mistakes of a later stage, such as the numeric checks, with the locations of [`Planar::sites`](super::Planar::sites).
    pub fn new(errors: Errors, sites: Sites) -> Self {
        Mistakes { errors, sites }
    }

    /// The mistakes in the order of the calls.
    pub fn list(&self) -> &[Diagnostic] {
        self.errors.list()
    }

    /// The locations of their origins.
    pub fn sites(&self) -> &Sites {
        &self.sites
    }
}

impl fmt::Display for Mistakes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.sites.render(self.list()))
    }
}

impl fmt::Debug for Mistakes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl std::error::Error for Mistakes {}
