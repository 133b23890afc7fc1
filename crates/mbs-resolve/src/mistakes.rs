//! Mistakes of the declaration, with their origins and the instances of parts.

pub(crate) mod bodies;
pub(crate) mod curves;
pub(crate) mod equations;
pub(crate) mod events;
pub(crate) mod forces;
pub(crate) mod functions;
pub(crate) mod joints;
pub(crate) mod names;
pub(crate) mod outputs;
pub(crate) mod quantities;
pub(crate) mod settings;
pub(crate) mod values;

use std::collections::BTreeMap;
use std::rc::Rc;

use mbs_definition::{Errors, Origin};

use crate::{Resolver, State};

/// A mistake as text: its code, one sentence, and optionally a line of help.
#[derive(Debug)]
pub(crate) struct Mistake {
    pub code: &'static str,
    pub message: String,
    pub help: Option<String>,
}

impl Mistake {
    pub(crate) fn new(code: &'static str, message: impl Into<String>) -> Self {
        Mistake { code, message: message.into(), help: None }
    }

    /// Adds a line of help.
    pub(crate) fn help(self, help: impl Into<String>) -> Self {
        Mistake { help: Some(help.into()), ..self }
    }

    /// Adds a line of help, if there is one.
    pub(crate) fn help_if(self, help: Option<String>) -> Self {
        Mistake { help, ..self }
    }
}

/// The code of a value that does not fit because of its shape (true) or its kind (false).
pub(crate) fn code_of_shape(has_kind: bool) -> &'static str {
    if has_kind { "MBS021" } else { "MBS020" }
}

/// Mistakes found so far.
#[derive(Debug, Default)]
pub(crate) struct Mistakes {
    pub errors: Errors,
    /// Whether the front end has reported a mistake in an expression.
    pub broken: bool,
    /// Whether a construct of a later version may have declared any name, so that unknown names are not reported.
    pub lenient: bool,
    /// The instance of a part whose text is resolved at present.
    pub instance: Option<Rc<str>>,
    /// Index of the argument of each use of a parameter of a part, for help.
    pub uses_of_passed: BTreeMap<Origin, usize>,
}

impl Resolver<'_> {
    /// Records a mistake, with the instance of a part and the argument of a parameter at its origin.
    pub(crate) fn record(&mut self, origin: Origin, mistake: Mistake) {
        let Mistake { code, mut message, help } = mistake;
        if let Some(instance) = &self.mistakes.instance
            && !['.', '`', '['].iter().any(|next| message.contains(&format!("`{instance}{next}")))
        {
            message = format!("{message}, in `{instance}`");
        }
        let passed = self.mistakes.uses_of_passed.get(&origin).copied();
        let given = passed.map(|i| self.names.describe_passed(i));
        self.mistakes.errors.push(code, origin, message, given.or(help));
        if let Some(i) = passed.filter(|_| ["MBS015", "MBS020", "MBS021"].contains(&code)) {
            // The argument has the wrong kind, so that its other uses do not report it again.
            self.names.passed[i].state = State::Bad;
        }
    }
}
