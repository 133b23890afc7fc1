//! Where things were written, and what is wrong with them. Free of syntax: an [`Origin`] is an index into a side table
//! that the front end keeps.

use std::fmt;

/// A place in the source. [`Origin::NONE`] for models built in Rust.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Origin(pub u32);

impl Origin {
    /// No place in any source.
    pub const NONE: Origin = Origin(u32::MAX);
}

/// One mistake: what is wrong, where, and what would be right.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// Stable code, `MBS014`.
    pub code: &'static str,
    /// The user's token or expression.
    pub origin: Origin,
    /// Lower case, no full stop, names in backticks.
    pub message: String,
    /// What would be right; at most one line.
    pub help: Option<String>,
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "[{}] {}", self.code, self.message)?;
        match &self.help {
            Some(help) => write!(f, "\n  = help: {help}"),
            None => Ok(()),
        }
    }
}

/// Collects the mistakes of a stage; each source token complains once.
#[derive(Clone, Debug, Default)]
pub struct Errors {
    list: Vec<Diagnostic>,
}

impl Errors {
    /// No mistakes yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a mistake, unless one with the same code already stands at the same place (a loop repeats its items).
    pub fn push(&mut self, code: &'static str, origin: Origin, message: impl Into<String>, help: Option<String>) {
        let repeated = origin != Origin::NONE && self.list.iter().any(|d| d.origin == origin && d.code == code);
        if !repeated {
            self.list.push(Diagnostic { code, origin, message: message.into(), help });
        }
    }

    /// No mistakes.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// The mistakes in the order they were found.
    pub fn list(&self) -> &[Diagnostic] {
        &self.list
    }

    /// Gives a help to those mistakes from index `start` on that have none.
    pub fn help_since(&mut self, start: usize, help: &str) {
        for d in self.list.iter_mut().skip(start).filter(|d| d.help.is_none()) {
            d.help = Some(help.to_owned());
        }
    }

    /// Puts the mistakes in the order of the text.
    pub fn sort(&mut self) {
        self.list.sort_by_key(|d| d.origin);
    }

    /// Appends the mistakes of another stage.
    pub fn append(&mut self, other: Errors) {
        for d in other.list {
            self.push(d.code, d.origin, d.message, d.help);
        }
    }

    /// `Ok(value)` if there were none.
    ///
    /// # Errors
    /// The mistakes.
    pub fn into_result<V>(self, value: V) -> Result<V, Errors> {
        if self.list.is_empty() { Ok(value) } else { Err(self) }
    }
}

/// Closest of `names` to `word` by edit distance, if it is close enough to be a typing mistake.
pub fn nearest<'a>(word: &str, names: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let limit = ((word.chars().count() + 1) / 3).max(1);
    names
        .into_iter()
        .map(|name| (edit_distance(word, name), name))
        .filter(|(d, _)| *d <= limit)
        .min_by(|a, b| a.0.cmp(&b.0).then_with(|| a.1.cmp(b.1)))
        .map(|(_, name)| name)
}

/// Levenshtein distance.
fn edit_distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, ca) in a.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, cb) in b.iter().enumerate() {
            let substitute = diagonal + usize::from(ca != *cb);
            diagonal = row[j + 1];
            row[j + 1] = substitute.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}
