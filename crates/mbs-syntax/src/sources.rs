//! Where origins stand, and diagnostics shown there.

use std::ops::Range;

use annotate_snippets::{AnnotationKind, Group as Report, Level, Renderer, Snippet};
use mbs_model::{Diagnostic, Origin};
use proc_macro2::{Delimiter, Group, Ident, Literal, Punct, Spacing, Span, TokenStream, TokenTree};

/// The side table of a source: [`Origin`] → place. Origins of one `Sources` mean nothing in another.
#[derive(Clone, Debug)]
pub struct Sources {
    /// Path and text, when there is a text.
    file: Option<(String, String)>,
    places: Vec<Place>,
}

/// From the first token to the last.
#[derive(Clone, Copy, Debug)]
struct Place {
    first: Span,
    last: Span,
    extent: Extent,
}

/// What of a place is meant.
#[derive(Clone, Copy, Debug)]
enum Extent {
    /// The tokens.
    Tokens,
    /// The gap after the last one, where something is missing.
    After,
    /// Bytes of the text, where there are no tokens.
    Bytes(usize, usize),
}

impl Sources {
    pub(crate) fn of_tokens() -> Self {
        Sources { file: None, places: Vec::new() }
    }

    pub(crate) fn of_text(path: &str, text: &str) -> Self {
        Sources { file: Some((path.to_owned(), text.to_owned())), places: Vec::new() }
    }

    pub(crate) fn token(&mut self, span: Span) -> Origin {
        self.push(Place { first: span, last: span, extent: Extent::Tokens })
    }

    /// From the start of `first` to the end of `last`.
    pub(crate) fn range(&mut self, first: Origin, last: Origin) -> Origin {
        let (Some(a), Some(b)) = (self.place(first), self.place(last)) else {
            return Origin::NONE;
        };
        self.push(Place { first: a.first, last: b.last, extent: Extent::Tokens })
    }

    /// The gap after `origin`.
    pub(crate) fn after(&mut self, origin: Origin) -> Origin {
        let Some(place) = self.place(origin) else {
            return Origin::NONE;
        };
        self.push(Place { first: place.last, last: place.last, extent: Extent::After })
    }

    /// Bytes of the text.
    pub(crate) fn bytes(&mut self, bytes: Range<usize>) -> Origin {
        let span = Span::call_site();
        self.push(Place { first: span, last: span, extent: Extent::Bytes(bytes.start, bytes.end) })
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
        self.file.as_ref().map(|(path, _)| path.as_str())
    }

    /// Bytes of the text at `origin`, when the source is a text; empty where something is missing.
    pub fn byte_range(&self, origin: Origin) -> Option<Range<usize>> {
        let (_, text) = self.file.as_ref()?;
        let place = self.place(origin)?;
        let (start, end) = match place.extent {
            Extent::Tokens => (place.first.byte_range().start, place.last.byte_range().end),
            Extent::After => (place.last.byte_range().end, place.last.byte_range().end),
            Extent::Bytes(start, end) => (start, end),
        };
        (start <= end && end <= text.len()).then_some(start..end)
    }

    /// Diagnostics as rustc shows its own, one after the other with a blank line between, without colours.
    ///
    /// ```
    /// let parsed = mbs_syntax::parse_text("arm.mbs", "pub planar Arm { freedoms: 2 ^ 1; }");
    /// let shown = parsed.sources.render(parsed.errors.list());
    /// assert!(shown.starts_with("error: [MBS003] `^` is not an operator\n --> arm.mbs:1:30\n"));
    /// ```
    pub fn render(&self, diagnostics: &[Diagnostic]) -> String {
        let rendered: Vec<String> = diagnostics.iter().map(|d| self.render_one(d)).collect();
        rendered.join("\n\n")
    }

    fn render_one(&self, diagnostic: &Diagnostic) -> String {
        let title = format!("[{}] {}", diagnostic.code, diagnostic.message);
        let mut group = Report::with_title(Level::ERROR.primary_title(title));
        if let (Some((path, text)), Some(bytes)) = (&self.file, self.byte_range(diagnostic.origin)) {
            let underline = AnnotationKind::Primary.span(bytes);
            group = group.element(Snippet::source(text).path(path).annotation(underline));
        }
        if let Some(help) = &diagnostic.help {
            group = group.element(Level::HELP.message(help));
        }
        Renderer::plain().render(&[group])
    }
}

/// The diagnostics as `compile_error!` calls at the user's tokens, for the macro route. The help is the second line of
/// the message, because rustc gives macros no labels.
pub fn to_compile_error(diagnostics: &[Diagnostic], sources: &Sources) -> TokenStream {
    diagnostics.iter().flat_map(|d| compile_error(&d.to_string(), d.origin, sources)).collect()
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
