//! Locations of calls.

use std::panic::Location;

use mbs_definition::{Diagnostic, Origin};

/// A call in the user's program.
pub(super) type Here = &'static Location<'static>;

/// The side table of a builder: [`Origin`] → the Rust call that wrote it. Origins of one builder are invalid in another.
#[derive(Clone, Debug, Default)]
pub struct Sites(Vec<Here>);

impl Sites {
    /// Every call gets its own origin, even if a loop repeats it.
    pub(super) fn push(&mut self, here: Here) -> Origin {
        let index = u32::try_from(self.0.len()).unwrap_or(u32::MAX);
        if index != u32::MAX {
            self.0.push(here);
        }
        Origin(index)
    }

    /// File, line and column of the call; `None` for [`Origin::NONE`] and for origins of other sources.
    pub fn location(&self, origin: Origin) -> Option<&'static Location<'static>> {
        self.0.get(origin.0 as usize).copied()
    }

    /// Renders diagnostics of any stage in the form of rustc, separated by blank lines, without colours.
    ///
    /// ```text
    /// error: [MBS031] `mass` of body `crank` is -1, it must not be negative
    ///  --> src/main.rs:12:33
    ///   = help: …
    /// ```
    pub fn render(&self, diagnostics: &[Diagnostic]) -> String {
        let rendered: Vec<String> = diagnostics.iter().map(|d| self.render_one(d)).collect();
        rendered.join("\n\n")
    }

    fn render_one(&self, diagnostic: &Diagnostic) -> String {
        let mut text = format!("error: [{}] {}", diagnostic.code, diagnostic.message);
        if let Some(location) = self.location(diagnostic.origin) {
            text.push_str(&format!("\n --> {}:{}:{}", location.file(), location.line(), location.column()));
        }
        if let Some(help) = &diagnostic.help {
            text.push_str(&format!("\n  = help: {help}"));
        }
        text
    }
}
