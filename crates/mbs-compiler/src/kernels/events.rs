//! Kernels of events: values that trigger them, and values that their handlers assign.

use super::Context;
use crate::graph::{NodeId, Stage};
use crate::schedule::Group;

impl Context<'_> {
    /// Values and rates of all events, and the handlers of those that assign values or impose conditions.
    pub(super) fn event_kernels(&self) -> Vec<Group> {
        let events = &self.equations.events;
        if events.is_empty() {
            return Vec::new();
        }
        let interface = |nodes: Vec<NodeId>| self.to_interface(&nodes);
        let values = interface(events.iter().map(|e| e.value).collect());
        let enabled = interface(events.iter().map(|e| e.enabled).collect());
        let docs = "Values of events, and 1 for each event that is enabled.";
        let outputs = vec![self.output_array("values", &values), self.output_array("enabled", &enabled)];
        let mut groups = vec![Group { entries: vec![self.entry("event_values", docs, Stage::Acceleration, outputs)] }];
        let rates: Vec<NodeId> = events.iter().filter_map(|e| e.rate).collect();
        if !rates.is_empty() {
            let docs = "Rates of the values of events that have one.";
            let outputs = vec![self.output_array("rates", &interface(rates))];
            groups.push(Group { entries: vec![self.entry("event_rates", docs, Stage::Acceleration, outputs)] });
        }
        for (k, (event, declared)) in events.iter().zip(&self.model.events).enumerate() {
            if event.assigned.is_empty() && event.targets.is_empty() {
                continue;
            }
            let docs = format!("Values that `{}` assigns, and target values of its conditions.", declared.name);
            let (assigned, targets) = (interface(event.assigned.clone()), interface(event.targets.clone()));
            let outputs = vec![self.output_array("assigned", &assigned), self.output_array("targets", &targets)];
            let entry = self.entry(&format!("event_{k}"), &docs, Stage::Acceleration, outputs);
            groups.push(Group { entries: vec![entry] });
        }
        groups
    }
}
