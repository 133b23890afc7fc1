//! `{ name: value, … }` and `initial x = 1, y ~ 2;`: lists of named values.

use mbs_definition::{Argument, Condition, Expr, ExprKind, Ident};

use super::{Parse, Parser, Reported, broken_expression};
use crate::tokens::Kind;

impl Parser<'_> {
    /// Reads the arguments in the braces at the position. An argument with a mistake is broken, the others are not.
    pub(super) fn arguments(&mut self) -> Vec<Argument> {
        self.group(|p| {
            let mut arguments = Vec::new();
            p.repeat_until_end(|p| {
                match p.word("the name of an argument") {
                    Ok(name) => {
                        let (value, within) = p.argument_value(&name);
                        arguments.push(Argument { name, value, arguments: within });
                    }
                    Err(Reported) => p.skip_argument(),
                }
                p.eat(",");
            });
            arguments
        })
    }

    /// Reads an argument after its name, up to the comma: a value, and further arguments if braces follow a word.
    fn argument_value(&mut self, name: &Ident) -> (Expr, Option<Vec<Argument>>) {
        if self.is_next(",") || self.is_at_end() {
            return (Expr { kind: ExprKind::Name(name.text.clone()), origin: name.origin }, None);
        }
        let Ok(value) = self.after_colon(name) else {
            self.skip_argument();
            return (broken_expression(name.origin), None);
        };
        let braces = self.is_next("{") && matches!(value.kind, ExprKind::Name(_));
        let within = braces.then(|| self.nested(|p| Ok(p.arguments())));
        let within = match within.transpose() {
            Ok(within) => within,
            Err(Reported) => {
                self.skip_argument();
                return (broken_expression(name.origin), None);
            }
        };
        if !self.is_next(",") && !self.is_at_end() {
            self.expected("`,` or `}`");
            self.skip_argument();
        }
        (value, within)
    }

    /// Reads `: value`. If `=` is written for the colon, that is reported and the value is read.
    fn after_colon(&mut self, name: &Ident) -> Parse<Expr> {
        if self.eat(":").is_none() {
            let message = format!("`:` after `{}`", name.text);
            if !self.is_next("=") {
                return Err(self.expected(&message));
            }
            self.expected(&message);
            self.eat("=");
        }
        self.expression()
    }

    /// Skips to the next `,`, to `name:` at the start of the next argument, or past a `;` in place of a comma.
    fn skip_argument(&mut self) {
        while !self.is_at_end() && !self.is_next(",") {
            if self.kind() == Kind::Word && self.symbol(self.position + 1).0 == ":" {
                return;
            }
            if self.eat(";").is_some() {
                return;
            }
            self.advance();
        }
    }

    /// Reads the conditions after `initial`, up to the `;`.
    pub(super) fn conditions(&mut self) -> Vec<Condition> {
        let mut conditions = Vec::new();
        loop {
            match self.initial_condition() {
                Ok(condition) => conditions.push(condition),
                Err(Reported) => {
                    while !(self.is_at_end() || self.is_next(",") || self.is_next(";") || self.starts_item()) {
                        self.advance();
                    }
                    if !self.is_next(",") {
                        self.eat(";");
                        return conditions;
                    }
                }
            }
            if self.eat(",").is_some() {
                if self.eat(";").is_some() {
                    return conditions;
                }
            } else if self.kind() == Kind::Word && !self.starts_item() {
                self.expected("`,` or `;`");
                // A single word, such as a unit, is no condition.
                if [",", ";"].contains(&self.symbol(self.position + 1).0) {
                    self.advance();
                    if self.eat(",").is_none() {
                        self.eat(";");
                        return conditions;
                    }
                }
            } else {
                if self.semicolon("`initial`").is_err() {
                    self.skip_item();
                }
                return conditions;
            }
        }
    }

    fn initial_condition(&mut self) -> Parse<Condition> {
        let target = self.target()?;
        let exact = !self.is_next("~");
        if self.eat("=").or_else(|| self.eat("~")).is_none() {
            let help = "`=` requires the value exactly, `~` guesses it";
            let reported = self.expected_with_help("`=` or `~`", Some(help));
            self.eat("==").ok_or(reported)?;
        }
        Ok(Condition { target, exact, value: self.expression()? })
    }
}
