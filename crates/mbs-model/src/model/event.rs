//! Events of a mechanism.

pub use mbs_core::Trigger as EventTrigger;

use mbs_definition::Origin;
use mbs_expr::{ExprId, Exprs};

use super::{InitialCondition, Model};

/// An event, by a condition or by time, and its effects.
#[derive(Clone, Debug)]
pub struct Event {
    /// Name as declared. An event of `report every …` or `stop when …` has this word as its name, with a number from the second one on.
    pub name: String,
    /// Where it is declared.
    pub origin: Origin,
    /// Doc comment.
    pub docs: String,
    /// Kind of trigger.
    pub trigger: EventTrigger,
    /// Value of the trigger: the expression that passes through zero, the time \[s\] from one event to the next, or the time \[s\] of the
    /// next.
    pub value: ExprId,
    /// Whether `value` is the truth of a condition.
    pub is_condition: bool,
    /// Whether the rate of `value` is known: it passes through zero, depends on neither inputs nor accelerations nor loads of rows, and has
    /// no second rate of a state, whose rate may depend on these.
    pub rate_is_known: bool,
    /// Whether it is enabled, 1 or 0; `None` if it always is.
    pub enabled: Option<ExprId>,
    /// Flat indices of z with their new values, as functions of the state at which it happens.
    pub assignments: Vec<(usize, ExprId)>,
    /// Conditions that are imposed while the state is made consistent again; their values are zero.
    pub conditions: Vec<InitialCondition>,
    /// Values that the conditions impose, as functions of the state at which it happens.
    pub targets: Vec<ExprId>,
    /// Whether it records a row.
    pub reports: bool,
    /// Whether it ends the run.
    pub stops: bool,
}

impl Event {
    /// An event without effects.
    pub fn new(name: String, origin: Origin, trigger: EventTrigger, value: ExprId, exprs: &Exprs) -> Event {
        let m = exprs.mentions(value);
        let reads_only_motion = !m.input && !m.multiplier && m.order.is_none_or(|order| order < 2);
        Event {
            name,
            origin,
            docs: String::new(),
            trigger,
            value,
            is_condition: false,
            rate_is_known: trigger.is_of_value()
                && reads_only_motion
                && exprs.differentiated_states(value, 2).is_empty(),
            enabled: None,
            assignments: Vec::new(),
            conditions: Vec::new(),
            targets: Vec::new(),
            reports: false,
            stops: false,
        }
    }

    /// All expressions that are evaluated to find the event, and when it happens.
    pub fn roots(&self) -> impl Iterator<Item = ExprId> {
        let assigned = self.assignments.iter().map(|(_, value)| *value);
        std::iter::once(self.value).chain(self.enabled).chain(assigned).chain(self.targets.iter().copied())
    }
}

impl Model {
    /// Whether the roots of events, differentiated `order` times with respect to time, depend on accelerations.
    pub fn events_take_accelerations(&self, order: usize) -> bool {
        // The declared rate of a state may contain rates of positions.
        let state_rates =
            self.quantities.auxiliary.iter().flat_map(|a| &a.rates).filter_map(|e| self.exprs.mentions(*e).order).max();
        self.events.iter().flat_map(Event::roots).any(|e| {
            let m = self.exprs.mentions(e);
            let from_motion = m.order.map(|n| usize::from(n) + order);
            let rates = usize::from(m.auxiliary_rates) + order;
            let from_states = state_rates.filter(|_| m.auxiliary && rates > 0).map(|n| usize::from(n) + rates - 1);
            m.multiplier || from_motion.max(from_states).is_some_and(|n| n >= 2)
        })
    }

    /// Event i as [`Eventful::event`](mbs_core::Eventful::event) reports it, for every implementation.
    pub fn event(&self, event: usize) -> mbs_core::Event {
        let Some(found) = self.events.get(event) else { return mbs_core::Event::default() };
        mbs_core::Event {
            trigger: found.trigger,
            is_condition: found.is_condition,
            first_condition: self.events.iter().take(event).map(|event| event.conditions.len()).sum(),
            conditions: found.conditions.len(),
            reports: found.reports,
            stops: found.stops,
        }
    }
}
