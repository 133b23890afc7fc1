//! Diagnostics rendered with the lines of their text.

use std::borrow::Cow;
use std::env;
use std::ffi::OsStr;
use std::io::IsTerminal;
use std::ops::Range;

use annotate_snippets::{Annotation, AnnotationKind, Group, Level, Renderer, Snippet};
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
        let (near, elsewhere) = match (&excerpt, other) {
            (Some(here), Some((there, label))) if are_shown_together(here, &there) => (Some((there, label)), None),
            (_, other) => (None, other),
        };
        // Places in cut lines, and in the text.
        let mut columns = Vec::new();
        if let Some(here) = &excerpt {
            let (snippet, column) = snippet(here, AnnotationKind::Primary, None, near.as_ref());
            group = group.element(snippet);
            columns.extend(column);
        }
        if let Some((there, label)) = &elsewhere {
            let (snippet, column) = snippet(there, AnnotationKind::Context, Some(label), None);
            group = group.element(snippet);
            columns.extend(column);
        }
        if let Some(help) = &diagnostic.help {
            group = group.element(Level::HELP.message(help));
        }
        let renderer = match style {
            Style::Plain => Renderer::plain(),
            Style::Coloured => Renderer::styled(),
        };
        let mut shown = renderer.render(&[group]);
        // In their order: a place may begin like one before it.
        let mut done = 0;
        for [cut, place] in &columns {
            if let Some(at) = shown[done..].find(cut) {
                shown.replace_range(done + at..done + at + cut.len(), place);
                done += at + place.len();
            }
        }
        shown
    }
}

/// Longest part of a line that is shown between two locations, and beside one in a line that is longer than [`LONG`] \[bytes\].
const LONGEST_BETWEEN: usize = 120;

/// Lines that are longer are cut for the renderer, whose time grows with what it is given \[bytes\].
const LONG: usize = 2000;

/// Whether two locations are in one file, and not so far apart in one line that all of it between them would be shown. Otherwise they are
/// separate snippets.
fn are_shown_together(here: &Excerpt<'_>, there: &Excerpt<'_>) -> bool {
    if here.path != there.path {
        return false;
    }
    let [first, last] = if here.bytes.start <= there.bytes.start { [here, there] } else { [there, here] };
    let between = here.text.as_bytes().get(first.bytes.end..last.bytes.start).unwrap_or_default();
    between.len() <= LONGEST_BETWEEN || between.contains(&b'\n')
}

/// The lines of a location, and of another one near it. If the line is cut: its place as the renderer writes it, and as it is in the text.
fn snippet<'a>(
    here: &Excerpt<'a>,
    kind: AnnotationKind,
    label: Option<&'a str>,
    near: Option<&(Excerpt<'a>, &'a str)>,
) -> (Snippet<'a, Annotation<'a>>, Option<[String; 2]>) {
    let Excerpt { path, text, bytes } = here;
    let all =
        near.map_or(bytes.clone(), |(there, _)| bytes.start.min(there.bytes.start)..bytes.end.max(there.bytes.end));
    // The lines that are shown, of the text.
    let start = text[..all.start].rfind('\n').map_or(0, |at| at + 1);
    let end = text[all.end..].find('\n').map_or(text.len(), |at| all.end + at);
    let line = 1 + text[..start].matches('\n').count();
    let is_long = end - start > LONG && !text[all.clone()].contains('\n');
    let (mut from, mut to) = (start, end);
    if is_long {
        (from, to) = (all.start.saturating_sub(LONGEST_BETWEEN).max(start), (all.end + LONGEST_BETWEEN).min(end));
        // These are character boundaries at the latest where the location begins and ends.
        from = (from..=all.start).find(|at| text.is_char_boundary(*at)).unwrap_or(all.start);
        to = (all.end..=to).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(all.end);
    }
    let (before, after) = (if from > start { "..." } else { "" }, if to < end { "..." } else { "" });
    let inside = |span: &Range<usize>| span.start - from + before.len()..span.end - from + before.len();
    let shown = match is_long {
        true => Cow::Owned(format!("{before}{}{after}", &text[from..to])),
        false => Cow::Borrowed(&text[from..to]),
    };
    let mut snippet = Snippet::source(shown).line_start(line).path(*path);
    snippet = snippet.annotation(kind.span(inside(bytes)).label(label));
    if let Some((there, label)) = near {
        snippet = snippet.annotation(AnnotationKind::Context.span(inside(&there.bytes)).label(*label));
    }
    let columns = is_long.then(|| {
        let cut = 1 + before.len() + text[from..bytes.start].chars().count();
        [cut, here.line_and_column().1].map(|column| format!("{path}:{line}:{column}"))
    });
    (snippet, columns)
}
