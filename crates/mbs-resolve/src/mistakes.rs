//! Mistakes: where they are made, and in which instance of a part.

use std::collections::BTreeMap;
use std::rc::Rc;

use mbs_definition::{Errors, Origin};

use crate::{Resolver, State};

/// Mistakes found so far.
#[derive(Debug, Default)]
pub(crate) struct Mistakes {
    pub errors: Errors,
    /// The front end reported something inside.
    pub broken: bool,
    /// A construct of a later version may have declared any name: unknown names are no mistake of their own.
    pub lenient: bool,
    /// The instance of a part that mistakes are made in.
    pub instance: Option<Rc<str>>,
    /// Where a parameter of a part is used, for help: index of its argument.
    pub uses_of_passed: BTreeMap<Origin, usize>,
}

impl Resolver<'_> {
    /// Records a mistake: in which instance of a part, and what a parameter at its place was given.
    pub(crate) fn record(&mut self, code: &'static str, origin: Origin, mut message: String, help: Option<String>) {
        if let Some(instance) = &self.mistakes.instance
            && !['.', '`', '['].iter().any(|next| message.contains(&format!("`{instance}{next}")))
        {
            message = format!("{message}, in `{instance}`");
        }
        let passed = self.mistakes.uses_of_passed.get(&origin).copied();
        let given = passed.map(|i| self.names.describe_passed(i));
        self.mistakes.errors.push(code, origin, message, given.or(help));
        if let Some(i) = passed.filter(|_| ["MBS015", "MBS020", "MBS021"].contains(&code)) {
            // It has the wrong kind: its other uses report no more.
            self.names.passed[i].state = State::Bad;
        }
    }
}
