//! Where items begin and end, for going on after a mistake. Nothing here reports.

use super::Parser;
use crate::tokens::{Kind, Token};

/// Words that begin an item. Only recovery asks: any word may be a category.
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
    /// An item begins at the position, most likely.
    pub(super) fn starts_item(&self) -> bool {
        let (word, next) = (self.token(self.position), self.token(self.position + 1));
        if self.at("#") || self.starts_known_item() {
            return true;
        }
        if word.kind != Kind::Word {
            return false;
        }
        match word.text.as_str() {
            "for" => next.kind == Kind::Word || next.text == "(",
            between if BETWEEN.contains(&between) => false,
            // An option; but `j: [3] = …` and `g: enum { … }` are the rest of a quantity.
            _ if self.symbol(self.position + 1).0 == ":" => {
                let (text, value) = (&self.token(self.position + 2).text, self.token(self.position + 2).kind);
                text != "enum" && !matches!(value, Kind::Open(close) if self.token(close + 1).text == "=")
            }
            // A category we do not know, perhaps misspelt.
            _ => {
                let third = self.token(self.position + 2).text.as_str();
                is_name(next) && ["=", "{", "[", ":", "in"].contains(&third)
            }
        }
    }

    /// An item of a category we know begins at the position: `param name`.
    pub(super) fn starts_known_item(&self) -> bool {
        let (word, next) = (self.token(self.position), self.token(self.position + 1));
        let file = word.text == "import" && next.kind == Kind::Literal;
        is_category(&word.text) && (is_name(next) && !is_category(&next.text) || file)
    }

    /// Skips to after the `;` or the `{…}` that ends the item, or to where the next one begins, which may be here.
    pub(super) fn skip_item(&mut self) {
        while !(self.at_end() || self.starts_item()) {
            let semicolon = self.at(";");
            let braces = self.at("{");
            self.advance();
            if semicolon || braces && self.item_ends_after_braces() {
                return;
            }
        }
    }

    /// After `{…}`: true, past a `;`, unless the item goes on, as in `enum { low, high } = low;` and `if c { a } else …`.
    pub(super) fn item_ends_after_braces(&mut self) -> bool {
        self.eat(";").is_some()
            || match self.kind() {
                Kind::Punct { .. } => self.at("#"),
                _ => !(self.at("else") || self.at("in")),
            }
    }

    /// Skips to the next `,` or the end of the group.
    pub(super) fn skip_to_comma(&mut self) {
        while !self.at_end() && !self.at(",") {
            self.advance();
        }
    }
}

/// A word that begins items.
pub(super) fn is_category(word: &str) -> bool {
    CATEGORIES.contains(&word)
}

/// A word that is not one between operands.
fn is_name(token: &Token) -> bool {
    token.kind == Kind::Word && !BETWEEN.contains(&token.text.as_str())
}
