//! Events and the rules for reports and the end of a run, in the form of the language.

use mbs_definition::{Origin, Passage};

use super::{Argument, NodeId};
use crate::name::Name;

/// Cause of an event.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Cause<V> {
    When(V, Passage),
    Every(V),
    At(V),
}

impl<V> Cause<V> {
    /// The expression that triggers the event.
    pub(crate) fn value(&self) -> &V {
        let (Cause::When(value, _) | Cause::Every(value) | Cause::At(value)) = self;
        value
    }

    pub(crate) fn map<W>(self, convert: impl FnOnce(V) -> W) -> Cause<W> {
        match self {
            Cause::When(value, passage) => Cause::When(convert(value), passage),
            Cause::Every(value) => Cause::Every(convert(value)),
            Cause::At(value) => Cause::At(convert(value)),
        }
    }
}

/// An event in the form of the language.
#[derive(Clone, Debug)]
pub(crate) struct EventItem {
    pub docs: String,
    pub name: Name,
    pub origin: Origin,
    pub cause: Cause<NodeId>,
    pub lines: Vec<Line>,
}

/// A line of a handler.
#[derive(Clone, Debug)]
pub(crate) enum Line {
    Assign(NodeId, NodeId),
    Impulse { origin: Origin, ends: [NodeId; 2], arguments: Vec<Argument> },
    Enabled(Origin, NodeId),
    Stop(Origin),
    Report(Origin),
}

impl Line {
    fn nodes(&self) -> Vec<NodeId> {
        match self {
            Line::Assign(target, value) => vec![*target, *value],
            Line::Impulse { ends, arguments, .. } => {
                ends.iter().copied().chain(arguments.iter().map(|a| a.value)).collect()
            }
            Line::Enabled(_, condition) => vec![*condition],
            Line::Stop(_) | Line::Report(_) => Vec::new(),
        }
    }
}

impl EventItem {
    /// The nodes that the event uses.
    pub(crate) fn nodes(&self) -> Vec<NodeId> {
        let lines = self.lines.iter().flat_map(Line::nodes);
        [*self.cause.value()].into_iter().chain(lines).collect()
    }
}

/// `report every 0.1;`, `report on touchdown;`, `stop when x > 1;`
#[derive(Clone, Debug)]
pub(crate) struct RuleItem {
    /// The word `report` or `stop`, with the prefix of its group.
    pub word: String,
    pub origin: Origin,
    pub rule: Rule,
}

/// A rule for reports, or for the end of a run.
#[derive(Clone, Debug)]
pub(crate) enum Rule {
    ReportEvery(NodeId),
    ReportOn(Vec<NodeId>),
    StopWhen(NodeId),
}

impl Rule {
    /// The nodes that the rule uses.
    pub(crate) fn nodes(&self) -> Vec<NodeId> {
        match self {
            Rule::ReportEvery(node) | Rule::StopWhen(node) => vec![*node],
            Rule::ReportOn(events) => events.clone(),
        }
    }
}
