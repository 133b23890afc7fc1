//! `event name = when x falls { … }`, `report every 0.1;`, `stop when x > 1;`.

use mbs_definition::{EventDeclaration, Expr, ExprKind, Ident, Item, Name, Passage, Report, Statement, Trigger};

use super::{Parse, Parser, Reported, broken_expression};

const TRIGGERS: &str = "write `when x falls`, `when x > 1`, `every 0.1` or `at 2`";

impl Parser<'_> {
    /// Reads an event after the word `event`; its name comes next.
    pub(super) fn event(&mut self, docs: String) -> EventDeclaration {
        let token = self.token(self.position);
        let ident = Ident { text: token.text.clone(), origin: token.origin };
        let name = Name { ident, index: None };
        let mut event = EventDeclaration { docs, name, trigger: Trigger::Broken, statements: Vec::new() };
        if self.event_rest(&mut event).is_err() {
            event.trigger = Trigger::Broken;
            self.skip_item();
        }
        event
    }

    fn event_rest(&mut self, event: &mut EventDeclaration) -> Parse<()> {
        self.declared_name()?;
        if self.is_next("[") {
            event.name.index = Some(self.bracketed());
        }
        let name = event.name.ident.text.clone();
        if self.eat("=").is_none() {
            return Err(self.expected_with_help(&format!("`=` after `{name}`"), Some(TRIGGERS)));
        }
        event.trigger = self.trigger()?;
        if self.is_next("{") {
            event.statements = self.group(Self::statements);
            self.eat(";");
            return Ok(());
        }
        self.semicolon(&format!("event `{name}`"))
    }

    fn trigger(&mut self) -> Parse<Trigger> {
        if self.eat("every").is_some() {
            return Ok(Trigger::Every(self.value()?));
        }
        if self.eat("at").is_some() {
            return Ok(Trigger::At(self.value()?));
        }
        if self.eat("when").is_none() {
            return Err(self.expected_with_help("`when`, `every` or `at`", Some(TRIGGERS)));
        }
        let value = self.value()?;
        let passages = [
            ("rises", Passage::Rises),
            ("falls", Passage::Falls),
            ("crosses", Passage::Crosses),
            ("holds", Passage::Holds),
        ];
        let found = passages.into_iter().find(|(word, _)| self.eat(word).is_some());
        Ok(Trigger::When(value, found.map_or(Passage::BecomesTrue, |(_, passage)| passage)))
    }

    /// Reads the statements of a handler, in a group that has been entered.
    fn statements(&mut self) -> Vec<Statement> {
        let mut statements = Vec::new();
        self.repeat_until_end(|p| match p.statement() {
            Ok(statement) => statements.push(statement),
            Err(Reported) => p.skip_statement(),
        });
        statements
    }

    /// Skips past the next `;`.
    fn skip_statement(&mut self) {
        while !self.is_at_end() && self.eat(";").is_none() {
            self.advance();
        }
    }

    fn statement(&mut self) -> Parse<Statement> {
        let next = self.symbol(self.position + 1).0.to_owned();
        let word = self.token(self.position).text.clone();
        let statement = match (word.as_str(), next.as_str()) {
            ("impulse", "(") => self.impulse()?,
            ("enabled", ":") => {
                let word = self.word("`enabled`")?;
                self.eat(":");
                Statement::Enabled(word, self.value()?)
            }
            ("stop", ";") | ("stop", "}") => Statement::Stop(self.word("`stop`")?),
            ("report", ";") | ("report", "}") => Statement::Report(self.word("`report`")?),
            _ => {
                let target = self.target()?;
                if target.kind == ExprKind::Broken {
                    return Err(Reported);
                }
                if self.eat("=").is_none() {
                    let help = "write `name = value;`, `impulse(a, b) { … }`, `stop;` or `report;`";
                    return Err(self.expected_with_help("`=`", Some(help)));
                }
                Statement::Assign { target, value: self.value()? }
            }
        };
        let braces = matches!(statement, Statement::Impulse { .. });
        if self.eat(";").is_none() && !braces && !self.is_at_end() {
            return Err(self.expected("`;` after the statement"));
        }
        Ok(statement)
    }

    /// Reads `impulse(a, b) { direction: …, restitution: … }`.
    fn impulse(&mut self) -> Parse<Statement> {
        let word = self.word("`impulse`")?;
        let ends = self.group(|p| p.list("`)`")).0;
        let arguments = if self.is_next("{") { self.arguments() } else { Vec::new() };
        Ok(Statement::Impulse { origin: word.origin, ends, arguments })
    }

    /// Reads the rest of an item after the word `report`.
    pub(super) fn report_item(&mut self, word: Ident) -> Option<Report> {
        let report = self.report_rest(word);
        if report.is_err() {
            self.skip_item();
        }
        report.ok()
    }

    fn report_rest(&mut self, word: Ident) -> Parse<Report> {
        let report = if self.eat("every").is_some() {
            Report::Every(word, self.value()?)
        } else {
            self.eat("on");
            let mut events = vec![self.target()?];
            while self.eat(",").is_some() {
                events.push(self.target()?);
            }
            Report::On(events)
        };
        self.semicolon("`report`")?;
        Ok(report)
    }

    /// Reads the rest of an item after the word `stop`.
    pub(super) fn stop(&mut self, word: Ident) -> Option<Item> {
        self.eat("when");
        let condition: Expr = match self.value() {
            Ok(value) => value,
            Err(Reported) => {
                self.skip_item();
                return Some(Item::Stop(word.clone(), broken_expression(word.origin)));
            }
        };
        if self.semicolon("`stop`").is_err() {
            self.skip_item();
        }
        Some(Item::Stop(word, condition))
    }
}
