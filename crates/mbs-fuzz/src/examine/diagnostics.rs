//! Checks that every message has a code, a location in a text, and printable words.

use mbs_definition::{Errors, Origin};
use mbs_syntax::{Severity, Sources, Style};

use super::Failure;

/// Characters that change the order in which text is read.
pub const BIDIRECTIONAL: [char; 9] =
    ['\u{202a}', '\u{202b}', '\u{202c}', '\u{202d}', '\u{202e}', '\u{2066}', '\u{2067}', '\u{2068}', '\u{2069}'];

/// Checks all messages of a stage; returns the code of the first one.
///
/// # Errors
/// `MBS099`, or a message without a location.
pub fn check(stage: &str, errors: &Errors, sources: &Sources) -> Result<Option<String>, Failure> {
    for diagnostic in errors.list() {
        if diagnostic.code == "MBS099" {
            return Err(Failure::new("no message is a bug of our own", diagnostic.to_string()));
        }
        let is_in_text = |origin: Origin| sources.excerpt(origin).is_some();
        if !is_in_text(diagnostic.origin) || diagnostic.other.is_some_and(|(other, _)| !is_in_text(other)) {
            let law = format!("{stage}: a message has a place in the text, {}", diagnostic.code);
            return Err(Failure::new(law, diagnostic.to_string()));
        }
        let is_hidden = |c: &char| (c.is_control() && *c != '\n') || BIDIRECTIONAL.contains(c);
        if let Some(c) = diagnostic.to_string().chars().find(is_hidden) {
            let law = format!("{stage}: a message has no hidden characters, {}", diagnostic.code);
            return Err(Failure::new(law, format!("{c:?} in {diagnostic}")));
        }
    }
    let _ = sources.render(errors.list());
    let _ = sources.render_as(errors.list(), Severity::Warning, Style::Coloured);
    Ok(errors.list().first().map(|d| d.code.to_owned()))
}
