//! Values that trigger events, and values that their handlers assign.

use mbs_expr::ExprId;
use mbs_model::Model;

use crate::graph::{Graph, NodeId};

/// An event in solver symbols.
pub struct Event {
    /// Value that triggers the event where it crosses zero; for events at times, the period or the time of the next event.
    pub value: NodeId,
    /// Its rate; `None` where it would need the rate of an input, multiplier or reaction.
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
            enabled: event.enabled.map_or(graph.constant(1.0), value),
            assigned: event.assignments.iter().map(|(_, e)| value(*e)).collect(),
            targets: event.targets.iter().map(|e| value(*e)).collect(),
        }
    };
    model.events.iter().map(event).collect()
}
