//! Names of declared items.

use std::fmt;

/// A name, with an index if it has one: `"crank"`, `"link[2]"` or `("link", 2)`.
///
/// Names with an index correspond to those of the language's loops: a family `link`, of which `link[0]` is the field `link_0` of generated
/// code. They consist of letters, digits and `_`, as in Rust; `resolve` refuses others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Name {
    /// Prefix of names declared in a group, such as `front_left.`.
    pub(super) group: String,
    pub(super) ident: String,
    pub(super) index: Option<usize>,
}

impl Name {
    /// The name without its index.
    pub(super) fn family(&self) -> String {
        format!("{}{}", self.group, self.ident)
    }

    /// A word of any content.
    pub(super) fn word(ident: String) -> Name {
        Name { group: String::new(), ident, index: None }
    }

    /// Whether the name consists of letters, digits and `_`, does not begin with a digit and is not `_` alone.
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
            Some((ident, Ok(index))) => Name { index: Some(index), ..Name::word(ident.to_string()) },
            _ => Name::word(text.to_string()),
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
        Name { index: Some(index), ..Name::word(ident.to_string()) }
    }
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.index {
            None => write!(f, "{}{}", self.group, self.ident),
            Some(index) => write!(f, "{}{}[{index}]", self.group, self.ident),
        }
    }
}
