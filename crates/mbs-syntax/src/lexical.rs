//! Explains text that does not split into tokens: a bracket that is not closed, a string without end, a character of another alphabet.

use mbs_definition::Errors;
use proc_macro2::{Span, TokenStream};

use crate::sources::Sources;

/// Explains why the lexer stopped at `span`.
pub(crate) fn report(text: &str, span: Span, sources: &mut Sources, errors: &mut Errors) {
    let start = innermost_open(text, char_boundary(text, span.byte_range().start));
    let Some(character) = text[start..].chars().next() else {
        let origin = sources.bytes(start..start);
        errors.push("MBS000", origin, "the text ends too early", None);
        return;
    };
    let origin = sources.bytes(start..start + character.len_utf8());
    let (message, help) = explain(character, &text[start..]);
    errors.push("MBS000", origin, message, help);
}

/// Position of the innermost open bracket, if a closing bracket at `stop` does not close it; otherwise `stop`. The lexer stops there
/// when the text ends before the closing bracket.
fn innermost_open(text: &str, stop: usize) -> usize {
    let before = &text[..stop];
    match before.parse::<TokenStream>() {
        Err(error) if text[stop..].starts_with([')', ']', '}']) => char_boundary(text, error.span().byte_range().start),
        _ => stop,
    }
}

/// Error message and help for a text that cannot be split at a character; `rest` is the text from there.
pub(crate) fn explain(character: char, rest: &str) -> (String, Option<String>) {
    match character {
        '(' | '[' | '{' => (format!("`{character}` is never closed"), None),
        ')' | ']' | '}' => (format!("`{character}` closes nothing that is open"), None),
        '"' => ("the string has no end".to_owned(), None),
        '/' if rest.starts_with("/*") => ("the comment has no end".to_owned(), None),
        '0'..='9' => ("this is not a number".to_owned(), None),
        _ => (
            format!("the character `{}` is not part of the language", printable(character)),
            ascii_replacement(character),
        ),
    }
}

/// A character as it is, or its escape code if it is not printable.
fn printable(character: char) -> String {
    if character.is_ascii_graphic() { character.to_string() } else { character.escape_debug().to_string() }
}

/// Text to write instead of a typographic character of word processors and papers.
fn ascii_replacement(character: char) -> Option<String> {
    let meant = match character {
        '−' | '–' | '—' => "-",
        '×' | '·' | '⋅' => "*",
        '÷' => "/",
        '≤' => "<=",
        '≥' => ">=",
        '≠' => "!=",
        '“' | '”' => "\"",
        '²' => "x.powi(2)",
        '³' => "x.powi(3)",
        '°' => "30 * PI / 180",
        _ => return None,
    };
    Some(format!("write `{meant}`"))
}

fn char_boundary(text: &str, index: usize) -> usize {
    (0..=index.min(text.len())).rev().find(|i| text.is_char_boundary(*i)).unwrap_or(0)
}
