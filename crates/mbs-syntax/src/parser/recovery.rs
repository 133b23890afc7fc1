//! Finds the beginnings and ends of items, to continue after a mistake. No function here reports mistakes.

use super::Parser;
use crate::tokens::{Kind, Token};

/// Words that begin an item, for recovery only: elsewhere any word may be a category.
const CATEGORIES: [&str; 28] = [
    "param",
    "const",
    "input",
    "state",
    "coordinate",
    "let",
    "output",
    "body",
    "particle",
    "marker",
    "joint",
    "force",
    "drive",
    "constraint",
    "coupling",
    "potential",
    "initial",
    "event",
    "part",
    "import",
    "report",
    "stop",
    "curve",
    "function",
    "switch",
    "discrete",
    "prescribe",
    "exclusive",
];

/// Words that may be between operands, so that two words in a row need not be an item.
const BETWEEN: [&str; 12] = ["in", "at", "else", "for", "if", "on", "as", "when", "every", "falls", "rises", "crosses"];

impl Parser<'_> {
    /// Whether an item probably begins at the position.
    pub(super) fn starts_item(&self) -> bool {
        let (word, next) = (self.token(self.position), self.token(self.position + 1));
        if self.is_next("#") || self.starts_known_item() {
            return true;
        }
        if word.kind != Kind::Word {
            return false;
        }
        match word.text.as_str() {
            "for" => next.kind == Kind::Word || next.text == "(",
            between if BETWEEN.contains(&between) => false,
            // An option begins with `name:`; but `j: [3] = …` and `g: enum { … }` are parts of a quantity.
            _ if self.symbol(self.position + 1).0 == ":" => {
                let (text, value) = (&self.token(self.position + 2).text, self.token(self.position + 2).kind);
                text != "enum" && !matches!(value, Kind::Open(close) if self.token(close + 1).text == "=")
            }
            // The word may be a misspelt category.
            _ => {
                let third = self.token(self.position + 2).text.as_str();
                is_name(next) && ["=", "{", "[", ":", "in"].contains(&third)
            }
        }
    }

    /// Whether an item of a known category begins at the position: `param name`.
    pub(super) fn starts_known_item(&self) -> bool {
        let (word, next) = (self.token(self.position), self.token(self.position + 1));
        let file = word.text == "import" && next.kind == Kind::Literal;
        is_category(&word.text) && (is_name(next) && !is_category(&next.text) || file)
    }

    /// Skips past the `;` or the `{…}` that ends the item, or to the beginning of the next one, which may be the present position.
    pub(super) fn skip_item(&mut self) {
        while !(self.is_at_end() || self.starts_item()) {
            let semicolon = self.is_next(";");
            let braces = self.is_next("{");
            self.advance();
            if semicolon || braces && self.item_ends_after_braces() {
                return;
            }
        }
    }

    /// Whether an item ends after `{…}`; then a `;` is skipped. It does not end in `enum { low, high } = low;` and `if c { a } else …`.
    pub(super) fn item_ends_after_braces(&mut self) -> bool {
        self.eat(";").is_some()
            || match self.kind() {
                Kind::Punct { .. } => self.is_next("#"),
                _ => !(self.is_next("else") || self.is_next("in")),
            }
    }

    /// Skips to the next `,` or the end of the group.
    pub(super) fn skip_to_comma(&mut self) {
        while !self.is_at_end() && !self.is_next(",") {
            self.advance();
        }
    }
}

/// Whether a word begins items.
pub(super) fn is_category(word: &str) -> bool {
    CATEGORIES.contains(&word)
}

/// Whether a token is a word that is not written between operands.
fn is_name(token: &Token) -> bool {
    token.kind == Kind::Word && !BETWEEN.contains(&token.text.as_str())
}
