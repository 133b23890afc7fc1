//! Events: their triggers, and the assignments and conditions of their handlers.

pub(crate) mod impacts;
pub(crate) mod reports;

use std::collections::{BTreeMap, BTreeSet};

use mbs_definition::{EventDeclaration, Expr, ExprKind, Ident, Origin, Passage, Report, Statement, Trigger};
use mbs_expr::{Comparison, ExprId, Function2, Op};
use mbs_model::{Event, EventTrigger, InitialCondition, RowLevel};

use crate::mistakes;
use crate::resolvers::Resolves;
use crate::tables::GivenEvent;
use crate::tables::Statements;
use crate::text::text;
use crate::value::Value;
use crate::{Category, Declared, Reported, Res, Resolver, Scope, names};

/// Shortest time between two events \[s\]: at t = 1 s, this is the resolution of t.
const SHORTEST_PERIOD: f64 = f64::EPSILON;

/// Resolves events, reports and stops.
#[derive(Debug)]
pub(crate) struct EventPhase<'r, 'a> {
    pub resolver: &'r mut Resolver<'a>,
    pub all: Vec<Event>,
    /// Events by name.
    pub names: BTreeMap<String, usize>,
    /// Number of unnamed events, by the word that their names are made of.
    pub unnamed: BTreeMap<String, usize>,
    /// Events whose mistakes have been reported, or whose declarations are not known.
    pub bad: BTreeSet<String>,
}

impl<'a> Resolves<'a> for EventPhase<'_, 'a> {
    fn resolver(&mut self) -> &mut Resolver<'a> {
        self.resolver
    }
}

impl<'r, 'a> EventPhase<'r, 'a> {
    /// Starts the phase; `bad` are names of events whose declarations are not known.
    pub(crate) fn new(resolver: &'r mut Resolver<'a>, bad: BTreeSet<String>) -> Self {
        EventPhase { resolver, all: Vec::new(), names: BTreeMap::new(), unnamed: BTreeMap::new(), bad }
    }

    /// After this pass every event has its trigger and its statements.
    pub(crate) fn resolve(mut self, statements: &Statements<'a>) -> Vec<Event> {
        self.contact_events();
        for (given, scope) in &statements.events {
            let event = self.in_scope(scope, |r| match given {
                GivenEvent::Event(declared) => r.event(declared, scope).map(Some),
                GivenEvent::Report(Report::Every(word, period)) => r.regular_report(word, period, scope).map(Some),
                GivenEvent::Stop(word, condition) => r.stop(word, condition, scope).map(Some),
                GivenEvent::Report(Report::On(_)) => Ok(None),
            });
            match (event, given) {
                (Ok(Some(event)), _) => {
                    self.names.insert(event.name.clone(), self.all.len());
                    self.all.push(event);
                }
                (Err(Reported), GivenEvent::Event(declared)) => {
                    self.bad.insert(format!("{}{}", scope.prefix(), declared.name.ident.text));
                }
                (Ok(None) | Err(Reported), _) => {}
            }
        }
        for (events, scope) in &statements.reports {
            for event in *events {
                let _: Res<()> = self.in_scope(scope, |r| r.report_on(event, scope));
            }
        }
        self.all
    }

    /// Adds the events of contact forces: one with the name of the force where contact begins or ends, and `name.lost`, which stops the run where the
    /// contact parameter leaves its range.
    fn contact_events(&mut self) {
        for (force, slot) in self.resolver.loads.forces.iter().zip(&self.resolver.loads.slots) {
            let Some(force) = force else {
                self.bad.insert(self.resolver.names.slots[*slot].name.clone());
                continue;
            };
            let Some(depth) = force.action.depth else { continue };
            let (name, origin) = (force.force.name.clone(), force.force.origin);
            let event = Event::new(name, origin, EventTrigger::Crosses, depth, &self.resolver.exprs);
            self.names.insert(event.name.clone(), self.all.len());
            self.all.push(Event { enabled: force.enabled, ..event });
            let Some(lost) = force.action.lost else { continue };
            let event = Event::new(
                format!("{}.lost", force.force.name),
                origin,
                EventTrigger::Above,
                lost,
                &self.resolver.exprs,
            );
            self.names.insert(event.name.clone(), self.all.len());
            self.all.push(Event { enabled: force.enabled, stops: true, reports: true, ..event });
        }
    }

    fn event(&mut self, declared: &EventDeclaration, scope: &Scope) -> Res<Event> {
        self.resolver.check_name(&declared.name.ident.text, declared.name.ident.origin, scope)?;
        let name = self.resolver.full_name(&declared.name, scope)?;
        let origin = declared.name.ident.origin;
        if let Some(first) = self.names.get(&name) {
            let first = self.all[*first].origin;
            return self.fail_redeclared(origin, first, mistakes::events::event_twice(&name));
        }
        let (trigger, value) = self.trigger(&declared.trigger, &name, scope)?;
        let docs = declared.docs.clone();
        let is_condition = matches!(declared.trigger, Trigger::When(_, Passage::BecomesTrue));
        let mut event = Event { docs, is_condition, ..Event::new(name, origin, trigger, value, &self.resolver.exprs) };
        let statements = declared.statements.iter().map(|s| self.statement(s, &mut event, scope)).collect::<Vec<_>>();
        statements.into_iter().collect::<Res<Vec<()>>>()?;
        Ok(event)
    }

    /// An unnamed event; its name is made of a word.
    fn unnamed_event(&mut self, word: &Ident, trigger: EventTrigger, value: ExprId, scope: &Scope) -> Event {
        let name = self.free_event_name(&word.text, scope);
        Event::new(name, word.origin, trigger, value, &self.resolver.exprs)
    }

    fn regular_report(&mut self, word: &Ident, period: &Expr, scope: &Scope) -> Res<Event> {
        let value = self.period(period, "`report every`", scope)?;
        Ok(Event { reports: true, ..self.unnamed_event(word, EventTrigger::Every, value, scope) })
    }

    fn stop(&mut self, word: &Ident, condition: &Expr, scope: &Scope) -> Res<Event> {
        let value = self.truth_value(condition, scope)?;
        let plain = self.unnamed_event(word, EventTrigger::Rises, value, scope);
        Ok(Event { stops: true, reports: true, is_condition: true, ..plain })
    }

    fn trigger(&mut self, trigger: &Trigger, name: &str, scope: &Scope) -> Res<(EventTrigger, ExprId)> {
        match trigger {
            Trigger::Broken => {
                self.resolver.mistakes.broken = true;
                Err(Reported)
            }
            Trigger::Every(period) => {
                Ok((EventTrigger::Every, self.period(period, &format!("event `{name}`"), scope)?))
            }
            Trigger::At(times) => Ok((EventTrigger::At, self.next_time(times, scope)?)),
            Trigger::When(condition, Passage::BecomesTrue) => {
                Ok((EventTrigger::Rises, self.truth_value(condition, scope)?))
            }
            Trigger::When(condition, Passage::Holds) => Ok((EventTrigger::Above, self.truth_value(condition, scope)?)),
            Trigger::When(value, passage) => {
                let found = self.resolver.eval(value, scope)?;
                let Value::Number(x) = found else {
                    let help = matches!(found, Value::Truth(_))
                        .then(|| "leave the last word out: it happens when the condition becomes true".into());
                    return self
                        .fail(value.origin, mistakes::events::crossing_is_no_number(found.describe()).help_if(help));
                };
                self.check_trigger(x, value.origin)?;
                let trigger = match passage {
                    Passage::Falls => EventTrigger::Falls,
                    Passage::Crosses => EventTrigger::Crosses,
                    Passage::Rises | Passage::BecomesTrue | Passage::Holds => EventTrigger::Rises,
                };
                Ok((trigger, x))
            }
        }
    }

    /// Evaluates a time between events \[s\], which may depend on whatever a load may depend on.
    fn period(&mut self, period: &Expr, subject: &str, scope: &Scope) -> Res<ExprId> {
        let found = self.resolver.eval(period, scope)?;
        let Value::Number(x) = found else {
            return self.fail(period.origin, mistakes::events::time_is_no_number(found.describe()));
        };
        if let Some(value) =
            self.argument_resolver().finite_at_defaults(x, period.origin, "the time from one to the next")?
        {
            if value <= 0.0 {
                return self.fail(period.origin, mistakes::events::period_not_positive(subject, value));
            }
            if value < SHORTEST_PERIOD {
                return self.fail(period.origin, mistakes::events::period_too_short(subject, value, SHORTEST_PERIOD));
            }
        }
        Ok(x)
    }

    /// The smallest of some times that are not before t.
    fn next_time(&mut self, times: &Expr, scope: &Scope) -> Res<ExprId> {
        let found = self.resolver.eval(times, scope)?;
        let list = match &found {
            Value::Number(x) => return Ok(*x),
            Value::Vector(list, _) => list.clone(),
            _ => {
                return self.fail(times.origin, mistakes::events::times_are_no_numbers(found.describe()));
            }
        };
        let (now, never) = (self.resolver.exprs.push(Op::Time), self.resolver.exprs.constant(f64::MAX));
        let mut next = never;
        for time in list {
            let coming = self.resolver.exprs.push(Op::Select(Comparison::LessEqual, [now, time, time, never]));
            next = self.resolver.exprs.binary(Function2::Min, next, coming);
        }
        Ok(next)
    }

    /// A condition as a number that is positive where it is true: a − b for a > b, the minimum for `&&`, the maximum for `||`.
    fn truth_value(&mut self, condition: &Expr, scope: &Scope) -> Res<ExprId> {
        use mbs_definition::{BinaryOp, UnaryOp};
        match &condition.kind {
            ExprKind::Binary(op @ (BinaryOp::And | BinaryOp::Or), left, right) => {
                let (left, right) = (self.truth_value(left, scope)?, self.truth_value(right, scope)?);
                let function = if *op == BinaryOp::And { Function2::Min } else { Function2::Max };
                Ok(self.resolver.exprs.binary(function, left, right))
            }
            ExprKind::Unary(UnaryOp::Not, inner) => {
                let value = self.truth_value(inner, scope)?;
                Ok(self.resolver.exprs.write(|w| w.id(-w.expr(value))))
            }
            ExprKind::Binary(
                op @ (BinaryOp::Less | BinaryOp::LessEqual | BinaryOp::Greater | BinaryOp::GreaterEqual),
                left,
                right,
            ) => {
                let values = (self.resolver.eval(left, scope), self.resolver.eval(right, scope));
                let (Value::Number(a), Value::Number(b)) = (values.0?, values.1?) else {
                    return self.fail(condition.origin, mistakes::events::comparison_of_no_numbers());
                };
                let [greater, less] = match op {
                    BinaryOp::Less | BinaryOp::LessEqual => [b, a],
                    _ => [a, b],
                };
                let value = self.resolver.exprs.write(|w| w.id(w.expr(greater) - w.expr(less)));
                self.check_trigger(value, condition.origin)?;
                Ok(value)
            }
            _ => {
                let found = self.resolver.eval(condition, scope)?;
                if !matches!(found, Value::Truth(_)) {
                    return self.fail(condition.origin, mistakes::events::not_a_condition(found.describe()));
                }
                let truth = self.resolver.as_truth(found, condition.origin)?;
                self.check_lasting(truth, condition)?;
                self.check_trigger(truth, condition.origin)?;
                let [no, yes, zero] = [-1.0, 1.0, 0.0].map(|x| self.resolver.exprs.constant(x));
                Ok(self.resolver.exprs.push(Op::Select(Comparison::Equal, [truth, zero, no, yes])))
            }
        }
    }

    /// Refuses `x == 1` for an x that changes continuously between events.
    fn check_lasting(&mut self, truth: ExprId, condition: &Expr) -> Res<()> {
        use mbs_definition::BinaryOp;
        let ExprKind::Binary(BinaryOp::Equal | BinaryOp::NotEqual, left, right) = &condition.kind else {
            return Ok(());
        };
        let Op::Select(Comparison::Equal, [a, b, ..]) = self.resolver.exprs.op(truth) else { return Ok(()) };
        let goes_on = |m: mbs_expr::Mentions| m.order.is_some() || m.time;
        if !goes_on(self.resolver.exprs.mentions(a)) && !goes_on(self.resolver.exprs.mentions(b)) {
            return Ok(());
        }
        self.fail(condition.origin, mistakes::events::equal_for_no_time(text(left), text(right)))
    }

    /// Checks that the trigger expression of an event can change and does not contain rates of accelerations.
    fn check_trigger(&mut self, x: ExprId, origin: Origin) -> Res<()> {
        let m = self.resolver.exprs.mentions(x);
        if m.order.is_some_and(|order| order > 2) || (m.multiplier && m.rates > 0) {
            return self.fail(origin, mistakes::events::trigger_has_rates_of_accelerations());
        }
        if m.order.is_none() && !m.time && !m.auxiliary && !m.input {
            return self.fail(origin, mistakes::events::trigger_never_changes());
        }
        Ok(())
    }

    fn statement(&mut self, statement: &Statement, event: &mut Event, scope: &Scope) -> Res<()> {
        match statement {
            Statement::Stop(_) => event.stops = true,
            Statement::Report(_) => event.reports = true,
            Statement::Enabled(word, value) => {
                if event.enabled.is_some() {
                    return self.fail(word.origin, mistakes::events::enabled_given_twice());
                }
                event.enabled = Some(self.resolver.evaluate_truth(value, scope)?);
            }
            Statement::Impulse { origin, ends, arguments } => {
                return self.impulse(*origin, ends, arguments, event, scope);
            }
            Statement::Assign { target, value } => return self.assign(target, value, event, scope),
        }
        Ok(())
    }

    fn assign(&mut self, target: &Expr, value: &Expr, event: &mut Event, scope: &Scope) -> Res<()> {
        let name = self.resolver.names.text_in(target, scope);
        let path = self.resolver.full_path(target, scope)?;
        if let Some(slot) = path.and_then(|full| self.resolver.names.full.get(&full).copied()) {
            let plain = match self.resolver.names.slots[slot].declared {
                Declared::Item(d) => d.name.ident.text.as_str(),
                _ => name.as_str(),
            };
            let category = self.resolver.names.slots[slot].category;
            let help = match category {
                Category::Param => {
                    Some(format!("declare it `discrete {plain} = …;`: parameters stay as they are during a run"))
                }
                Category::Const | Category::Let | Category::Input | Category::Output => Some(format!(
                    "handlers assign `discrete` variables, `switch`es, states and motions, none of its category, `{}`",
                    names::category_word(category)
                )),
                _ => None,
            };
            if let Some(help) = help {
                return self.fail(target.origin, mistakes::events::not_assignable(&name).help_if(Some(help)));
            }
        }
        let assigned = self.resolver.eval(target, scope)?;
        let from = match &assigned {
            Value::Truth(_) => Value::Number(self.resolver.on_or_off(value, scope)?),
            Value::Choice(_, slot) => {
                let words = self.resolver.names.words_of(*slot);
                match self.chosen_word(&words, value, scope)? {
                    Some(index) => Value::Number(index),
                    None => return Err(Reported),
                }
            }
            _ => self.resolver.eval(value, scope)?,
        };
        let assigned = match assigned {
            Value::Truth(x) | Value::Choice(x, _) => Value::Number(x),
            other => other,
        };
        let (Some(targets), Some(values)) = (assigned.components(), from.components()) else {
            let other = if assigned.components().is_none() { &assigned } else { &from };
            return self.fail(target.origin, mistakes::events::not_a_value_to_assign(other.describe()));
        };
        if assigned.shape() != from.shape() {
            return self.fail(
                value.origin,
                mistakes::quantities::value_of_another_shape(&name, assigned.describe(), from.describe()),
            );
        }
        if let (Value::Vector(_, a), Value::Vector(_, b)) = (&assigned, &from) {
            self.vectors().common_axes(*a, *b, value.origin)?;
        }
        for (k, (component, from)) in targets.iter().zip(values).enumerate() {
            let name = if targets.len() > 1 { format!("{name}[{k}]") } else { name.clone() };
            self.assign_one(*component, *from, name, target.origin, event)?;
        }
        Ok(())
    }

    /// The index of the word that is assigned to a choice: a word, or `if c { low } else { high }`.
    fn chosen_word(&mut self, words: &[String], value: &Expr, scope: &Scope) -> Res<Option<ExprId>> {
        let ExprKind::If(test, then, otherwise) = &value.kind else {
            return self.resolver.word_of(words, value, scope).map(Some);
        };
        let test = self.resolver.evaluate_truth(test, scope)?;
        let (then, otherwise) = (self.chosen_word(words, then, scope)?, self.chosen_word(words, otherwise, scope)?);
        Ok(then.zip(otherwise).map(|(then, otherwise)| self.resolver.exprs.choose(test, then, otherwise)))
    }

    fn assign_one(&mut self, target: ExprId, from: ExprId, name: String, origin: Origin, event: &mut Event) -> Res<()> {
        let m = self.resolver.exprs.mentions(from);
        if m.order.is_some_and(|order| order > 2) {
            return self.fail(origin, mistakes::events::assigned_rates_of_accelerations(&name));
        }
        if let Op::Auxiliary(flat) = self.resolver.exprs.op(target) {
            let flat = flat as usize;
            if event.assignments.iter().any(|(other, _)| *other == flat) {
                return self.fail(origin, mistakes::events::assigned_twice(&name));
            }
            event.assignments.push((flat, from));
            return Ok(());
        }
        let m = self.resolver.exprs.mentions(target);
        let level = match m.order {
            Some(0) if !m.input => RowLevel::Position,
            Some(1) if !m.input && !m.auxiliary => RowLevel::Velocity,
            _ => {
                return self.fail(origin, mistakes::events::quantity_not_assignable(&name));
            }
        };
        if m.auxiliary {
            return self.fail(origin, mistakes::events::assigned_depends_on_state(&name));
        }
        self.impose_condition(name, origin, target, from, level, event);
        Ok(())
    }

    pub(crate) fn impose_condition(
        &mut self,
        name: String,
        origin: Origin,
        target: ExprId,
        value: ExprId,
        level: RowLevel,
        event: &mut Event,
    ) {
        let prefix = event.name.rfind('.').map_or("", |dot| &event.name[..=dot]);
        let name = format!("{}.{}", event.name, name.strip_prefix(prefix).unwrap_or(&name));
        let zero = self.resolver.exprs.constant(0.0);
        event.conditions.push(InitialCondition { name, origin, target, value: zero, exact: true, level });
        event.targets.push(value);
    }
}
