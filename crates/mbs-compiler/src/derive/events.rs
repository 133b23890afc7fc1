//! What sets events off, and what their handlers assign.

use mbs_expr::ExprId;
use mbs_model::Model;

use crate::graph::{Graph, NodeId};

/// An event in solver symbols.
pub struct Event {
    /// What passes through zero, the time from one to the next, or the time of the next.
    pub value: NodeId,
    /// Its rate, where that is known.
    pub rate: Option<NodeId>,
    /// 1 while it may happen, else 0.
    pub enabled: NodeId,
    /// What the assigned auxiliary states become.
    pub assigned: Vec<NodeId>,
    /// What its conditions are held at.
    pub targets: Vec<NodeId>,
}

/// All events; `value` gives final nodes of expressions, reactions put in.
pub fn events(graph: &Graph, model: &Model, value: &dyn Fn(ExprId) -> NodeId) -> Vec<Event> {
    let event = |event: &mbs_model::Event| {
        let node = value(event.value);
        Event {
            value: node,
            rate: event.rate_is_known.then(|| graph.expand(&graph.rate(&[node]))[0]),
            enabled: event.enabled.map_or(graph.number(1.0), value),
            assigned: event.assignments.iter().map(|(_, e)| value(*e)).collect(),
            targets: event.targets.iter().map(|e| value(*e)).collect(),
        }
    };
    model.events.iter().map(event).collect()
}
