//! Positions in the source, and diagnostics. They do not depend on syntax: an [`Origin`] is an index into a table of the front end.

use std::fmt;

/// A position in the source. It is [`Origin::NONE`] for models built in Rust.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Origin(pub u32);

impl Origin {
    /// No position in any source.
    pub const NONE: Origin = Origin(u32::MAX);
}

/// A mistake or a warning: a message, its position, and a suggested correction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// Stable code, `MBS014`.
    pub code: &'static str,
    /// Position of the user's token or expression.
    pub origin: Origin,
    /// Lower case, no full stop, names in backticks.
    pub message: String,
    /// Suggested correction; at most one line.
    pub help: Option<String>,
    /// Related position, such as that of the first of two declarations, with a description.
    pub other: Option<(Origin, &'static str)>,
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

/// Collects the mistakes of a stage, at most one of each code for each position.
#[derive(Clone, Debug, Default)]
pub struct Errors {
    list: Vec<Diagnostic>,
}

impl Errors {
    /// An empty list.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a mistake, unless the list has one with the same code at the same position, because a loop repeats its items.
    pub fn push(&mut self, code: &'static str, origin: Origin, message: impl Into<String>, help: Option<String>) {
        self.add(Diagnostic { code, origin, message: message.into(), help, other: None });
    }

    /// As [`Errors::push`], for an existing diagnostic.
    pub fn add(&mut self, mistake: Diagnostic) {
        let Diagnostic { code, origin, .. } = mistake;
        let repeated = origin != Origin::NONE && self.list.iter().any(|d| d.origin == origin && d.code == code);
        if !repeated {
            self.list.push(mistake);
        }
    }

    /// Adds a related position with its description to the last mistake with a code at a position.
    pub fn point_to(&mut self, code: &'static str, origin: Origin, other: Origin, description: &'static str) {
        let found = self.list.iter_mut().rev().find(|d| d.code == code && d.origin == origin);
        if let Some(d) = found.filter(|_| other != origin) {
            d.other.get_or_insert((other, description));
        }
    }

    /// Whether there are no mistakes.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// The mistakes in the order in which they were found, or in that of the source after [`Errors::sort`].
    pub fn list(&self) -> &[Diagnostic] {
        &self.list
    }

    /// Sets the help of the mistakes from index `start` on that have none.
    pub fn help_since(&mut self, start: usize, help: &str) {
        for d in self.list.iter_mut().skip(start).filter(|d| d.help.is_none()) {
            d.help = Some(help.to_owned());
        }
    }

    /// Sorts the mistakes by their position in the source.
    pub fn sort(&mut self) {
        self.list.sort_by_key(|d| d.origin);
    }

    /// Appends the mistakes of another stage.
    pub fn append(&mut self, other: Errors) {
        for d in other.list {
            self.add(d);
        }
    }

    /// Returns `value` if there are no mistakes.
    ///
    /// # Errors
    /// The mistakes, if there are any.
    pub fn into_result<V>(self, value: V) -> Result<V, Errors> {
        if self.list.is_empty() { Ok(value) } else { Err(self) }
    }
}
