//! Values that trigger events, and values that their handlers assign.

use mbs_expr::ExprId;
use mbs_model::Model;

use crate::graph::{Graph, NodeId};

/// An event in solver symbols.
pub struct Event {
    /// Value whose zero crossing triggers the event, the period of the event, or the time of the next.
    pub value: NodeId,
    /// Its rate, where that is known.
    pub rate: Option<NodeId>,
    /// 1 while the event may happen, else 0.
    pub enabled: NodeId,
    /// New values of the assigned auxiliary states.
    pub assigned: Vec<NodeId>,
    /// Target values of its conditions.
    pub targets: Vec<NodeId>,
}

/// All events; `value` returns the final node of an expression, with reactions substituted.
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
