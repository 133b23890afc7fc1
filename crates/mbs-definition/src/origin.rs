//! Places where things were written, and mistakes in them. Free of syntax: an [`Origin`] is an index into a side table
//! that the front end keeps.

use std::fmt;

/// A place in the source. [`Origin::NONE`] for models built in Rust.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Origin(pub u32);

impl Origin {
    /// No place in any source.
    pub const NONE: Origin = Origin(u32::MAX);
}

/// One mistake: a message, its place, and a suggested correction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// Stable code, `MBS014`.
    pub code: &'static str,
    /// The user's token or expression.
    pub origin: Origin,
    /// Lower case, no full stop, names in backticks.
    pub message: String,
    /// Suggested correction; at most one line.
    pub help: Option<String>,
    /// Related place, such as the first of two declarations, with a description of it.
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
        self.add(Diagnostic { code, origin, message: message.into(), help, other: None });
    }

    /// As [`Errors::push`], of a mistake that another list had.
    pub fn add(&mut self, mistake: Diagnostic) {
        let Diagnostic { code, origin, .. } = mistake;
        let repeated = origin != Origin::NONE && self.list.iter().any(|d| d.origin == origin && d.code == code);
        if !repeated {
            self.list.push(mistake);
        }
    }

    /// Adds another place to the mistake with a code at a place, with a description of it.
    pub fn point_to(&mut self, code: &'static str, origin: Origin, other: Origin, what: &'static str) {
        let found = self.list.iter_mut().rev().find(|d| d.code == code && d.origin == origin);
        if let Some(d) = found.filter(|_| other != origin) {
            d.other.get_or_insert((other, what));
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
            self.add(d);
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
