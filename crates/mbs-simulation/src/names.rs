//! Unknown names.

use std::fmt;

/// A name that a recording or a mechanism does not have, with its most similar name.
#[derive(Clone, PartialEq, Eq)]
pub struct UnknownName {
    /// Kind of the name: `output`, `body`, …
    pub kind: &'static str,
    /// The name as given.
    pub name: String,
    /// The most similar known name, if one is similar enough.
    pub nearest: Option<String>,
}

impl UnknownName {
    pub(crate) fn new<'a>(kind: &'static str, name: &str, known: impl Iterator<Item = &'a str>) -> Self {
        UnknownName { kind, name: name.into(), nearest: mbs_core::nearest(name, known).map(Into::into) }
    }
}

/// Writes the text of `Display`, so that a `main` that returns the error prints it.
impl fmt::Debug for UnknownName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl fmt::Display for UnknownName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "unknown {} `{}`", self.kind, self.name)?;
        match &self.nearest {
            Some(nearest) => write!(f, ", the nearest name is `{nearest}`"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for UnknownName {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nearest_name_is_near() {
        let known = ["stroke", "angle"];
        let find = |name| UnknownName::new("output", name, known.into_iter()).nearest;
        assert_eq!(find("strok").as_deref(), Some("stroke"));
        assert_eq!(find("Angel").as_deref(), Some("angle"));
        assert_eq!(find("pressure"), None);
    }
}
