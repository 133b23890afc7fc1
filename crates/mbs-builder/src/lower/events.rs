//! Converts events, reports and the end of a run to the form of the definition.

use mbs_definition::{EventDeclaration, Item, Name, Report, Statement, Trigger};

use super::{Lowering, ident, number};
use crate::contents::events::{Cause, EventItem, Line, Rule, RuleItem};

impl Lowering<'_> {
    pub(super) fn event(&mut self, event: &EventItem) -> EventDeclaration {
        let (name, origin) = (&event.name, event.origin);
        let trigger = match event.cause {
            Cause::When(value, passage) => Trigger::When(self.expr(value), passage),
            Cause::Every(period) => Trigger::Every(self.expr(period)),
            Cause::At(times) => Trigger::At(self.expr(times)),
        };
        EventDeclaration {
            docs: event.docs.clone(),
            name: Name { ident: ident(&name.family(), origin), index: name.index.map(|index| number(index, origin)) },
            trigger,
            statements: event.lines.iter().map(|line| self.statement(line)).collect(),
        }
    }

    fn statement(&mut self, line: &Line) -> Statement {
        match line {
            Line::Assign(target, value) => Statement::Assign { target: self.expr(*target), value: self.expr(*value) },
            Line::Impulse { origin, ends, arguments } => {
                Statement::Impulse { origin: *origin, ends: self.exprs(ends), arguments: self.arguments(arguments) }
            }
            Line::Enabled(origin, condition) => Statement::Enabled(ident("enabled", *origin), self.expr(*condition)),
            Line::Stop(origin) => Statement::Stop(ident("stop", *origin)),
            Line::Report(origin) => Statement::Report(ident("report", *origin)),
        }
    }

    pub(super) fn rule_item(&mut self, item: &RuleItem) -> Item {
        let word = ident(&item.word, item.origin);
        match &item.rule {
            Rule::ReportEvery(period) => Item::Report(Report::Every(word, self.expr(*period))),
            Rule::ReportOn(events) => Item::Report(Report::On(self.exprs(events))),
            Rule::StopWhen(condition) => Item::Stop(word, self.expr(*condition)),
        }
    }
}
