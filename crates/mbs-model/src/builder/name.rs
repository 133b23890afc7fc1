//! Names of declared things.

use std::fmt;

/// A name, with an index if it has one: `"crank"`, `"link[2]"` or `("link", 2)`.
///
/// Names with an index are read as those of the language's loops: a family `link`, of which `link[0]` is the field `link_0` of
/// generated code. Letters, digits and `_`, as in Rust; `resolve` refuses others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Name {
    pub(super) ident: String,
    pub(super) index: Option<usize>,
}

impl Name {
    /// Letters, digits and `_`, not beginning with a digit, not of `_` alone.
    pub(super) fn is_plain(&self) -> bool {
        let mut characters = self.ident.chars();
        characters.next().is_some_and(|c| c.is_alphabetic() || c == '_')
            && characters.all(|c| c.is_alphanumeric() || c == '_')
            && self.ident.chars().any(|c| c != '_')
    }
}

impl From<&str> for Name {
    fn from(text: &str) -> Self {
        let indexed = text.strip_suffix(']').and_then(|text| text.rsplit_once('['));
        match indexed.map(|(ident, index)| (ident, index.parse())) {
            Some((ident, Ok(index))) => Name { ident: ident.to_string(), index: Some(index) },
            _ => Name { ident: text.to_string(), index: None },
        }
    }
}

impl From<String> for Name {
    fn from(text: String) -> Self {
        text.as_str().into()
    }
}

impl From<&String> for Name {
    fn from(text: &String) -> Self {
        text.as_str().into()
    }
}

impl From<(&str, usize)> for Name {
    fn from((ident, index): (&str, usize)) -> Self {
        Name { ident: ident.to_string(), index: Some(index) }
    }
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.index {
            None => f.write_str(&self.ident),
            Some(index) => write!(f, "{}[{index}]", self.ident),
        }
    }
}
