//! Source positions of origins, and diagnostics as errors of rustc there.

use std::ops::Range;

use mbs_definition::{Diagnostic, Origin};
use proc_macro2::{Delimiter, Group, Ident, Literal, Punct, Spacing, Span, TokenStream, TokenTree};

/// The table of source positions of each [`Origin`]. Origins of one `Sources` have no meaning in another.
#[derive(Clone, Debug)]
pub struct Sources {
    /// The text, if the source is one.
    file: Option<File>,
    /// Imported texts.
    imported: Vec<File>,
    locations: Vec<Location>,
}

/// A text and its name in messages.
#[derive(Clone, Debug)]
struct File {
    path: String,
    text: String,
}

/// A source position: the range from the first token to the last.
#[derive(Clone, Copy, Debug)]
struct Location {
    first: Span,
    last: Span,
    extent: Extent,
}

/// Part of the source that a location denotes.
#[derive(Clone, Copy, Debug)]
enum Extent {
    /// The tokens.
    Tokens,
    /// The gap after the last one, where something is missing.
    After,
    /// Bytes of the text, where there are no tokens.
    Bytes(usize, usize),
    /// Bytes of an imported text, given by its index; the tokens are those of its file name.
    Imported(u32, usize, usize),
}

/// A location in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Excerpt<'s> {
    /// Name of the text in messages.
    pub path: &'s str,
    /// The complete text.
    pub text: &'s str,
    /// Bytes of the location; empty where something is missing.
    pub bytes: Range<usize>,
}

impl Excerpt<'_> {
    /// Line and column of the start, counted from 1; columns count characters.
    pub fn line_and_column(&self) -> (usize, usize) {
        let before = self.text.get(..self.bytes.start).unwrap_or(self.text);
        let line = before.rsplit('\n').next().unwrap_or(before);
        (before.matches('\n').count() + 1, line.chars().count() + 1)
    }
}

impl Sources {
    pub(crate) fn for_tokens() -> Self {
        Sources { file: None, imported: Vec::new(), locations: Vec::new() }
    }

    pub(crate) fn for_text(path: &str, text: &str) -> Self {
        let file = File { path: path.to_owned(), text: text.to_owned() };
        Sources { file: Some(file), imported: Vec::new(), locations: Vec::new() }
    }

    pub(crate) fn token(&mut self, span: Span) -> Origin {
        self.push(Location { first: span, last: span, extent: Extent::Tokens })
    }

    /// The origin from the start of `first` to the end of `last`.
    pub(crate) fn range(&mut self, first: Origin, last: Origin) -> Origin {
        let (Some(a), Some(b)) = (self.location(first), self.location(last)) else {
            return Origin::NONE;
        };
        if let (Extent::Imported(file, start, _), Extent::Imported(_, _, end)) = (a.extent, b.extent) {
            return self.push(Location { extent: Extent::Imported(file, start, end), ..a });
        }
        self.push(Location { first: a.first, last: b.last, extent: Extent::Tokens })
    }

    /// The origin of the gap after `origin`.
    pub(crate) fn after(&mut self, origin: Origin) -> Origin {
        let Some(location) = self.location(origin) else {
            return Origin::NONE;
        };
        if let Extent::Imported(file, _, end) = location.extent {
            return self.push(Location { extent: Extent::Imported(file, end, end), ..location });
        }
        self.push(Location { first: location.last, last: location.last, extent: Extent::After })
    }

    /// Bytes of the text.
    pub(crate) fn bytes(&mut self, bytes: Range<usize>) -> Origin {
        let span = Span::call_site();
        self.push(Location { first: span, last: span, extent: Extent::Bytes(bytes.start, bytes.end) })
    }

    /// Adds an imported text; returns its index for [`Sources::imported`].
    pub(crate) fn import(&mut self, path: String, text: String) -> u32 {
        self.imported.push(File { path, text });
        u32::try_from(self.imported.len() - 1).unwrap_or(u32::MAX)
    }

    /// The origin of bytes of an imported text, whose file name is the token at `name`.
    pub(crate) fn imported(&mut self, file: u32, name: Origin, bytes: Range<usize>) -> Origin {
        let span = self.span(name);
        self.push(Location { first: span, last: span, extent: Extent::Imported(file, bytes.start, bytes.end) })
    }

    /// The origin of the start of the source.
    pub(crate) fn start(&mut self) -> Origin {
        if self.file.is_some() { self.bytes(0..0) } else { Origin::NONE }
    }

    fn push(&mut self, location: Location) -> Origin {
        let index = u32::try_from(self.locations.len()).unwrap_or(u32::MAX);
        if index != u32::MAX {
            self.locations.push(location);
        }
        Origin(index)
    }

    fn location(&self, origin: Origin) -> Option<Location> {
        self.locations.get(origin.0 as usize).copied()
    }

    /// The span of the tokens at `origin`: of all of them where the compiler can join spans, else of the first. The span of the macro call
    /// for [`Origin::NONE`] and for origins of other sources.
    pub fn span(&self, origin: Origin) -> Span {
        match self.location(origin) {
            Some(location) => location.first.join(location.last).unwrap_or(location.first),
            None => Span::call_site(),
        }
    }

    /// Path shown in diagnostics, if the source is a text.
    pub fn path(&self) -> Option<&str> {
        self.file.as_ref().map(|file| file.path.as_str())
    }

    /// Paths of the imported files, in the order of their first import: files to watch besides the source.
    pub fn imported_paths(&self) -> Vec<&str> {
        let mut paths: Vec<&str> = Vec::new();
        for file in &self.imported {
            if !paths.contains(&file.path.as_str()) {
                paths.push(&file.path);
            }
        }
        paths
    }

    /// Bytes of the text at `origin`, if the source is a text; empty where something is missing. For an origin in an imported file,
    /// they are the bytes of the file name in the source.
    pub fn byte_range(&self, origin: Origin) -> Option<Range<usize>> {
        let file = self.file.as_ref()?;
        let location = self.location(origin)?;
        let (start, end) = match location.extent {
            Extent::Tokens | Extent::Imported(..) => {
                (location.first.byte_range().start, location.last.byte_range().end)
            }
            Extent::After => (location.last.byte_range().end, location.last.byte_range().end),
            Extent::Bytes(start, end) => (start, end),
        };
        (start <= end && end <= file.text.len()).then_some(start..end)
    }

    /// The text at `origin`: of the source if it is a text, or of an imported file.
    pub fn excerpt(&self, origin: Origin) -> Option<Excerpt<'_>> {
        let (file, bytes) = match self.location(origin)?.extent {
            Extent::Imported(file, start, end) => (self.imported.get(file as usize)?, start..end),
            _ => (self.file.as_ref()?, self.byte_range(origin)?),
        };
        file.text.get(bytes.clone()).map(|_| Excerpt { path: &file.path, text: &file.text, bytes })
    }

    /// The text at `origin` if that is in an imported file.
    fn excerpt_of_import(&self, origin: Origin) -> Option<Excerpt<'_>> {
        let location = self.location(origin)?;
        self.excerpt(origin).filter(|_| matches!(location.extent, Extent::Imported(..)))
    }

    /// A position as text: `line 12, column 5`, with the file if it is imported.
    fn position_text(&self, origin: Origin) -> String {
        if let Some(excerpt) = self.excerpt_of_import(origin) {
            let (line, column) = excerpt.line_and_column();
            return format!("{}:{line}:{column}", excerpt.path);
        }
        let start = self.span(origin).start();
        format!("line {}, column {}", start.line, start.column + 1)
    }

    /// The diagnostics whose origins are not in imported files.
    pub fn outside_imports(&self, diagnostics: &[Diagnostic]) -> Vec<Diagnostic> {
        diagnostics.iter().filter(|d| self.excerpt_of_import(d.origin).is_none()).cloned().collect()
    }
}

/// The diagnostics as `compile_error!` calls at the user's tokens, for macros. The help and a position in an imported file are further lines of the
/// message, because rustc gives macros no labels.
pub fn to_compile_error(diagnostics: &[Diagnostic], sources: &Sources) -> TokenStream {
    diagnostics.iter().flat_map(|d| compile_error(&message(d, sources), d.origin, sources)).collect()
}

fn message(diagnostic: &Diagnostic, sources: &Sources) -> String {
    let text = diagnostic.to_string();
    let text = match diagnostic.other {
        Some((origin, label)) => format!("{text}\n  = note: {label}: {}", sources.position_text(origin)),
        None => text,
    };
    let Some(excerpt) = sources.excerpt_of_import(diagnostic.origin) else {
        return text;
    };
    let (line, column) = excerpt.line_and_column();
    let location = format!("\n --> {}:{line}:{column}", excerpt.path);
    match text.split_once("\n  = help") {
        Some((title, help)) => format!("{title}{location}\n  = help{help}"),
        None => text + &location,
    }
}

/// The tokens `::core::compile_error! { "message" }`. rustc underlines from the path's first token to the closing brace: the first tokens have the
/// span of the location's start and the group that of its end.
fn compile_error(message: &str, origin: Origin, sources: &Sources) -> [TokenTree; 8] {
    let (first, last) = match sources.location(origin) {
        Some(location) => (location.first, location.last),
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
