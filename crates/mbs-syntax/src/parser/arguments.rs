//! `{ name: value, … }` and `initial x = 1, y ~ 2;`: lists of named values.

use mbs_definition::{Argument, Condition, Expr, ExprKind, Ident};

use super::{Parse, Parser, Reported, broken};
use crate::tokens::Kind;

impl Parser<'_> {
    /// The braces at the position. A mistake breaks the argument it is in.
    pub(super) fn arguments(&mut self) -> Vec<Argument> {
        self.group(|p| {
            let mut arguments = Vec::new();
            p.until_end(|p| {
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
        if self.at(",") || self.at_end() {
            return (Expr { kind: ExprKind::Name(name.text.clone()), origin: name.origin }, None);
        }
        let Ok(value) = self.after_colon(name) else {
            self.skip_argument();
            return (broken(name.origin), None);
        };
        let braces = self.at("{") && matches!(value.kind, ExprKind::Name(_));
        let within = braces.then(|| self.nested(|p| Ok(p.arguments())));
        let within = match within.transpose() {
            Ok(within) => within,
            Err(Reported) => {
                self.skip_argument();
                return (broken(name.origin), None);
            }
        };
        if !self.at(",") && !self.at_end() {
            self.expected("`,` or `}`");
            self.skip_argument();
        }
        (value, within)
    }

    /// `: value`; with `=` for the colon the value is read all the same.
    fn after_colon(&mut self, name: &Ident) -> Parse<Expr> {
        if self.eat(":").is_none() {
            let message = format!("`:` after `{}`", name.text);
            if !self.at("=") {
                return Err(self.expected(&message));
            }
            self.expected(&message);
            self.eat("=");
        }
        self.expression()
    }

    /// Skips to the next `,`, to where `name:` begins the next argument, or past a `;` that was meant as a comma.
    fn skip_argument(&mut self) {
        while !self.at_end() && !self.at(",") {
            if self.kind() == Kind::Word && self.symbol(self.position + 1).0 == ":" {
                return;
            }
            if self.eat(";").is_some() {
                return;
            }
            self.advance();
        }
    }

    /// The conditions after `initial`, up to the `;`.
    pub(super) fn conditions(&mut self) -> Vec<Condition> {
        let mut conditions = Vec::new();
        loop {
            match self.initial_condition() {
                Ok(condition) => conditions.push(condition),
                Err(Reported) => {
                    while !(self.at_end() || self.at(",") || self.at(";") || self.starts_item()) {
                        self.advance();
                    }
                    if !self.at(",") {
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
                // A word by itself, such as a unit, is no condition.
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
        let exact = !self.at("~");
        if self.eat("=").or_else(|| self.eat("~")).is_none() {
            let help = "`=` holds the value exactly, `~` guesses it";
            let reported = self.expected_with_help("`=` or `~`", Some(help));
            self.eat("==").ok_or(reported)?;
        }
        Ok(Condition { target, exact, value: self.expression()? })
    }
}
