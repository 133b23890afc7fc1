//! Source positions of origins, and diagnostics rendered there.

use std::env;
use std::ffi::OsStr;
use std::io::IsTerminal;
use std::ops::Range;

use annotate_snippets::{AnnotationKind, Group as Report, Level, Renderer, Snippet};
use mbs_definition::{Diagnostic, Origin};
use proc_macro2::{Delimiter, Group, Ident, Literal, Punct, Spacing, Span, TokenStream, TokenTree};

/// The side table of a source: [`Origin`] → place. Origins of one `Sources` mean nothing in another.
#[derive(Clone, Debug)]
pub struct Sources {
    /// The text, when there is one.
    file: Option<File>,
    /// Texts that it imports.
    imported: Vec<File>,
    places: Vec<Place>,
}

/// Severity of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Severity {
    /// A mistake: nothing is generated.
    Error,
    /// Unlikely to be intended, but it compiles.
    Warning,
}

/// How text is shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Style {
    /// For files, logs and tests.
    #[default]
    Plain,
    /// With the colours of a terminal.
    Coloured,
}

impl Style {
    /// The style of a stream: colours on a terminal, unless it is a dumb one or the environment variable `NO_COLOR` is set and not empty.
    pub fn of(stream: &impl IsTerminal) -> Style {
        let forbids = |name: &str, is_bad: fn(&OsStr) -> bool| env::var_os(name).is_some_and(|value| is_bad(&value));
        let is_plain = forbids("NO_COLOR", |value| !value.is_empty()) || forbids("TERM", |value| value == "dumb");
        if stream.is_terminal() && !is_plain { Style::Coloured } else { Style::Plain }
    }
}

/// A text and its name in messages.
#[derive(Clone, Debug)]
struct File {
    path: String,
    text: String,
}

/// From the first token to the last.
#[derive(Clone, Copy, Debug)]
struct Place {
    first: Span,
    last: Span,
    extent: Extent,
}

/// Part of the source that a place denotes.
#[derive(Clone, Copy, Debug)]
enum Extent {
    /// The tokens.
    Tokens,
    /// The gap after the last one, where something is missing.
    After,
    /// Bytes of the text, where there are no tokens.
    Bytes(usize, usize),
    /// Bytes of an imported text; the tokens are its name.
    Imported(u32, usize, usize),
}

/// A place in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Excerpt<'s> {
    /// Name of the text in messages.
    pub path: &'s str,
    /// All of it.
    pub text: &'s str,
    /// Bytes of the place; empty where something is missing.
    pub bytes: Range<usize>,
}

impl Excerpt<'_> {
    /// Line and column of its start, both from 1; columns count characters.
    pub fn line_and_column(&self) -> (usize, usize) {
        let before = self.text.get(..self.bytes.start).unwrap_or(self.text);
        let line = before.rsplit('\n').next().unwrap_or(before);
        (before.matches('\n').count() + 1, line.chars().count() + 1)
    }
}

impl Sources {
    pub(crate) fn of_tokens() -> Self {
        Sources { file: None, imported: Vec::new(), places: Vec::new() }
    }

    pub(crate) fn of_text(path: &str, text: &str) -> Self {
        let file = File { path: path.to_owned(), text: text.to_owned() };
        Sources { file: Some(file), imported: Vec::new(), places: Vec::new() }
    }

    pub(crate) fn token(&mut self, span: Span) -> Origin {
        self.push(Place { first: span, last: span, extent: Extent::Tokens })
    }

    /// From the start of `first` to the end of `last`.
    pub(crate) fn range(&mut self, first: Origin, last: Origin) -> Origin {
        let (Some(a), Some(b)) = (self.place(first), self.place(last)) else {
            return Origin::NONE;
        };
        if let (Extent::Imported(file, start, _), Extent::Imported(_, _, end)) = (a.extent, b.extent) {
            return self.push(Place { extent: Extent::Imported(file, start, end), ..a });
        }
        self.push(Place { first: a.first, last: b.last, extent: Extent::Tokens })
    }

    /// The gap after `origin`.
    pub(crate) fn after(&mut self, origin: Origin) -> Origin {
        let Some(place) = self.place(origin) else {
            return Origin::NONE;
        };
        if let Extent::Imported(file, _, end) = place.extent {
            return self.push(Place { extent: Extent::Imported(file, end, end), ..place });
        }
        self.push(Place { first: place.last, last: place.last, extent: Extent::After })
    }

    /// Bytes of the text.
    pub(crate) fn bytes(&mut self, bytes: Range<usize>) -> Origin {
        let span = Span::call_site();
        self.push(Place { first: span, last: span, extent: Extent::Bytes(bytes.start, bytes.end) })
    }

    /// Adds an imported text, for [`Sources::imported`].
    pub(crate) fn import(&mut self, path: String, text: String) -> u32 {
        self.imported.push(File { path, text });
        u32::try_from(self.imported.len() - 1).unwrap_or(u32::MAX)
    }

    /// Bytes of the imported text that the token at `name` names.
    pub(crate) fn imported(&mut self, file: u32, name: Origin, bytes: Range<usize>) -> Origin {
        let span = self.span(name);
        self.push(Place { first: span, last: span, extent: Extent::Imported(file, bytes.start, bytes.end) })
    }

    /// Where a source without tokens would begin.
    pub(crate) fn start(&mut self) -> Origin {
        if self.file.is_some() { self.bytes(0..0) } else { Origin::NONE }
    }

    fn push(&mut self, place: Place) -> Origin {
        let index = u32::try_from(self.places.len()).unwrap_or(u32::MAX);
        if index != u32::MAX {
            self.places.push(place);
        }
        Origin(index)
    }

    fn place(&self, origin: Origin) -> Option<Place> {
        self.places.get(origin.0 as usize).copied()
    }

    /// The tokens at `origin`: all of them where the compiler can join spans, else the first. The macro call for
    /// [`Origin::NONE`] and for origins of other sources.
    pub fn span(&self, origin: Origin) -> Span {
        match self.place(origin) {
            Some(place) => place.first.join(place.last).unwrap_or(place.first),
            None => Span::call_site(),
        }
    }

    /// Path shown in diagnostics, when the source is a text.
    pub fn path(&self) -> Option<&str> {
        self.file.as_ref().map(|file| file.path.as_str())
    }

    /// Paths of the files that the source imports, in the order of their first import: files to watch besides the source.
    pub fn imported_paths(&self) -> Vec<&str> {
        let mut paths: Vec<&str> = Vec::new();
        for file in &self.imported {
            if !paths.contains(&file.path.as_str()) {
                paths.push(&file.path);
            }
        }
        paths
    }

    /// Bytes of the text at `origin`, when the source is a text; empty where something is missing. For a place in an imported file,
    /// they are the bytes that name the file.
    pub fn byte_range(&self, origin: Origin) -> Option<Range<usize>> {
        let file = self.file.as_ref()?;
        let place = self.place(origin)?;
        let (start, end) = match place.extent {
            Extent::Tokens | Extent::Imported(..) => (place.first.byte_range().start, place.last.byte_range().end),
            Extent::After => (place.last.byte_range().end, place.last.byte_range().end),
            Extent::Bytes(start, end) => (start, end),
        };
        (start <= end && end <= file.text.len()).then_some(start..end)
    }

    /// The text at `origin`: of the source when it is a text, or of an imported file.
    pub fn excerpt(&self, origin: Origin) -> Option<Excerpt<'_>> {
        let (file, bytes) = match self.place(origin)?.extent {
            Extent::Imported(file, start, end) => (self.imported.get(file as usize)?, start..end),
            _ => (self.file.as_ref()?, self.byte_range(origin)?),
        };
        file.text.get(bytes.clone()).map(|_| Excerpt { path: &file.path, text: &file.text, bytes })
    }

    /// Place of `origin` in an imported file.
    fn excerpt_of_import(&self, origin: Origin) -> Option<Excerpt<'_>> {
        let place = self.place(origin)?;
        self.excerpt(origin).filter(|_| matches!(place.extent, Extent::Imported(..)))
    }

    /// Diagnostics as rustc shows its own, one after the other with a blank line between, without colours.
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
        let mut group = Report::with_title(level.primary_title(title));
        let excerpt = self.excerpt(diagnostic.origin);
        let other = diagnostic.other.and_then(|(origin, what)| Some((self.excerpt(origin)?, what)));
        if let Some(Excerpt { path, text, bytes }) = excerpt.clone() {
            let mut snippet = Snippet::source(text).path(path).annotation(AnnotationKind::Primary.span(bytes));
            if let Some((there, what)) = other.clone().filter(|(there, _)| there.path == path) {
                snippet = snippet.annotation(AnnotationKind::Context.span(there.bytes).label(what));
            }
            group = group.element(snippet);
        }
        // Another file has lines of its own.
        let elsewhere = other.filter(|(there, _)| excerpt.is_none_or(|here| here.path != there.path));
        if let Some((Excerpt { path, text, bytes }, what)) = elsewhere {
            let annotation = AnnotationKind::Context.span(bytes).label(what);
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

    /// `line 12, column 5`, with its file where that is imported.
    fn place_in_words(&self, origin: Origin) -> String {
        if let Some(excerpt) = self.excerpt_of_import(origin) {
            let (line, column) = excerpt.line_and_column();
            return format!("{}:{line}:{column}", excerpt.path);
        }
        let start = self.span(origin).start();
        format!("line {}, column {}", start.line, start.column + 1)
    }

    /// The diagnostics whose places are not in imported files.
    pub fn own(&self, diagnostics: &[Diagnostic]) -> Vec<Diagnostic> {
        diagnostics.iter().filter(|d| self.excerpt_of_import(d.origin).is_none()).cloned().collect()
    }
}

/// The diagnostics as `compile_error!` calls at the user's tokens, for the macro route. The help is the second line of
/// the message, because rustc gives macros no labels; so is the place of what stands in an imported file.
pub fn to_compile_error(diagnostics: &[Diagnostic], sources: &Sources) -> TokenStream {
    diagnostics.iter().flat_map(|d| compile_error(&message(d, sources), d.origin, sources)).collect()
}

fn message(diagnostic: &Diagnostic, sources: &Sources) -> String {
    let text = diagnostic.to_string();
    let text = match diagnostic.other {
        Some((origin, what)) => format!("{text}\n  = note: {what}: {}", sources.place_in_words(origin)),
        None => text,
    };
    let Some(excerpt) = sources.excerpt_of_import(diagnostic.origin) else {
        return text;
    };
    let (line, column) = excerpt.line_and_column();
    let place = format!("\n --> {}:{line}:{column}", excerpt.path);
    match text.split_once("\n  = help") {
        Some((title, help)) => format!("{title}{place}\n  = help{help}"),
        None => text + &place,
    }
}

/// `::core::compile_error! { "message" }`. rustc underlines from the path's first token to the closing brace: the first
/// tokens carry the start of the place and the group its end.
fn compile_error(message: &str, origin: Origin, sources: &Sources) -> [TokenTree; 8] {
    let (first, last) = match sources.place(origin) {
        Some(place) => (place.first, place.last),
        None => (Span::call_site(), Span::call_site()),
    };
    let punct = |character, spacing| {
        let mut punct = Punct::new(character, spacing);
        punct.set_span(first);
        TokenTree::Punct(punct)
    };
    let mut text = Literal::string(message);
    text.set_span(last);
    let mut group = Group::new(Delimiter::Brace, TokenTree::Literal(text).into());
    group.set_span(last);
    [
        punct(':', Spacing::Joint),
        punct(':', Spacing::Alone),
        TokenTree::Ident(Ident::new("core", first)),
        punct(':', Spacing::Joint),
        punct(':', Spacing::Alone),
        TokenTree::Ident(Ident::new("compile_error", first)),
        punct('!', Spacing::Alone),
        TokenTree::Group(group),
    ]
}
