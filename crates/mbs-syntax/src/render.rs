//! Diagnostics rendered with the lines of their text.

use std::env;
use std::ffi::OsStr;
use std::io::IsTerminal;

use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};
use mbs_definition::Diagnostic;

use crate::{Excerpt, Sources};

/// Severity of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Severity {
    /// A mistake: nothing is generated.
    Error,
    /// Unlikely to be intended, but it compiles.
    Warning,
}

/// Style of rendered diagnostics.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Style {
    /// For files, logs and tests.
    #[default]
    Plain,
    /// With the colours of a terminal.
    Coloured,
}

impl Style {
    /// The style for a stream: coloured on a terminal, unless that is a dumb one or the environment variable `NO_COLOR` is set and not empty.
    pub fn for_stream(stream: &impl IsTerminal) -> Style {
        let forbids = |name: &str, is_bad: fn(&OsStr) -> bool| env::var_os(name).is_some_and(|value| is_bad(&value));
        let is_plain = forbids("NO_COLOR", |value| !value.is_empty()) || forbids("TERM", |value| value == "dumb");
        if stream.is_terminal() && !is_plain { Style::Coloured } else { Style::Plain }
    }
}

impl Sources {
    /// Renders diagnostics in rustc's form, with a blank line between two, without colours.
    ///
    /// ```
    /// let parsed = mbs_syntax::parse_text("arm.mbs", "pub planar Arm { freedoms: 2 ^ 1; }");
    /// let shown = parsed.sources.render(parsed.errors.list());
    /// assert!(shown.starts_with("error: [MBS003] `^` is not an operator\n --> arm.mbs:1:30\n"));
    /// ```
    pub fn render(&self, diagnostics: &[Diagnostic]) -> String {
        self.render_as(diagnostics, Severity::Error, Style::Plain)
    }

    /// As [`Sources::render`], as errors or warnings, with colours for a terminal or without.
    pub fn render_as(&self, diagnostics: &[Diagnostic], severity: Severity, style: Style) -> String {
        let rendered: Vec<String> = diagnostics.iter().map(|d| self.render_one(d, severity, style)).collect();
        rendered.join("\n\n")
    }

    fn render_one(&self, diagnostic: &Diagnostic, severity: Severity, style: Style) -> String {
        let title = format!("[{}] {}", diagnostic.code, diagnostic.message);
        let level = match severity {
            Severity::Error => Level::ERROR,
            Severity::Warning => Level::WARNING,
        };
        let mut group = Group::with_title(level.primary_title(title));
        let excerpt = self.excerpt(diagnostic.origin);
        let other = diagnostic.other.and_then(|(origin, label)| Some((self.excerpt(origin)?, label)));
        if let Some(Excerpt { path, text, bytes }) = excerpt.clone() {
            let mut snippet = Snippet::source(text).path(path).annotation(AnnotationKind::Primary.span(bytes));
            if let Some((there, label)) = other.clone().filter(|(there, _)| there.path == path) {
                snippet = snippet.annotation(AnnotationKind::Context.span(there.bytes).label(label));
            }
            group = group.element(snippet);
        }
        // A location in another file is a separate snippet.
        let elsewhere = other.filter(|(there, _)| excerpt.is_none_or(|here| here.path != there.path));
        if let Some((Excerpt { path, text, bytes }, label)) = elsewhere {
            let annotation = AnnotationKind::Context.span(bytes).label(label);
            group = group.element(Snippet::source(text).path(path).annotation(annotation));
        }
        if let Some(help) = &diagnostic.help {
            group = group.element(Level::HELP.message(help));
        }
        let renderer = match style {
            Style::Plain => Renderer::plain(),
            Style::Coloured => Renderer::styled(),
        };
        renderer.render(&[group])
    }
}
