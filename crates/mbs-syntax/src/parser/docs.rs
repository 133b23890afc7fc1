//! Doc comments, which the lexer converts to `#[doc = "…"]`.

use super::Parser;
use crate::tokens::Kind;

impl Parser<'_> {
    /// Whether a doc comment comes next.
    pub(super) fn at_docs(&self) -> bool {
        self.is_next("#") && self.is_docs(self.position + 1)
    }

    /// Whether `[doc = "…"]` begins at `index`.
    fn is_docs(&self, index: usize) -> bool {
        matches!(self.token(index).kind, Kind::Open(_))
            && self.token(index).text == "["
            && self.token(index + 1).text == "doc"
            && self.token(index + 2).text == "="
            && self.token(index + 3).kind == Kind::Literal
    }

    /// Reads the doc comments at the position; other attributes are refused and skipped.
    pub(super) fn docs(&mut self) -> String {
        let mut lines: Vec<String> = Vec::new();
        while self.is_next("#") {
            if self.at_docs() {
                let text = unescape(&self.token(self.position + 4).text);
                lines.extend(text.split('\n').map(|line| line.strip_prefix(' ').unwrap_or(line).to_owned()));
            } else {
                self.refused_attribute();
            }
            self.advance();
            self.eat("!");
            if matches!(self.kind(), Kind::Open(_)) && self.is_next("[") {
                self.advance();
            }
        }
        lines.join("\n")
    }

    fn refused_attribute(&mut self) {
        let inner = self.token(self.position + 1).text == "!" && self.is_docs(self.position + 2);
        let (message, help) = match inner {
            true => ("a doc comment stands before what it describes", "write `///`"),
            false => ("attributes have no meaning here", "only doc comments may stand before an item"),
        };
        self.report("MBS001", self.next_origin(), message, Some(help));
    }
}

/// Value of a string literal as Rust writes it, with its quotes; escapes that no doc comment contains stay as they are.
pub fn unescape(literal: &str) -> String {
    if let Some(raw) = literal.strip_prefix('r') {
        return raw.trim_matches('#').trim_matches('"').to_owned();
    }
    let inside = literal.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')).unwrap_or(literal);
    let mut text = String::with_capacity(inside.len());
    let mut rest = inside.chars();
    while let Some(character) = rest.next() {
        if character != '\\' {
            text.push(character);
            continue;
        }
        match rest.next() {
            Some('n') => text.push('\n'),
            Some('t') => text.push('\t'),
            Some('r') => text.push('\r'),
            Some('0') => text.push('\0'),
            Some('u') => text.extend(unicode(&mut rest)),
            Some(same) => text.push(same),
            None => {}
        }
    }
    text
}

/// `{2264}` after `\u`.
fn unicode(rest: &mut std::str::Chars<'_>) -> Option<char> {
    let digits: String = rest.by_ref().skip(1).take_while(|c| *c != '}').collect();
    u32::from_str_radix(&digits, 16).ok().and_then(char::from_u32)
}
