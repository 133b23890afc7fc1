//! Adds events that occur during a run.

use super::Builder;
use super::expressions::{OUTPUTS, VELOCITIES};
use crate::description::{RawEvent, RawLine, RawTrigger};
use crate::expr::{Binary, Expr};
use crate::plan::{Coordinate, Event, KernelSet, Line, Trigger};

/// `a > b`. If both sides vary they may always be equal, which is refused; time on one side prevents this.
fn exceeds(a: Expr, b: Expr) -> Trigger {
    let a = if b.moves() { Expr::Binary(Binary::Add, Box::new(a), Box::new(Expr::Time)) } else { a };
    Trigger::Exceeds(a, b)
}

impl Builder {
    /// Adds an event; each target is assigned once.
    pub(super) fn event(&mut self, raw: &RawEvent) {
        if self.plan.kernels == KernelSet::Kinematics {
            return;
        }
        // An event whose value never changes is refused (MBS036).
        let moving = |e| self.moving(self.resolve(e, OUTPUTS));
        let trigger = match &raw.trigger {
            RawTrigger::Passes(e, word) => Trigger::Passes(moving(e), word),
            RawTrigger::Exceeds(a, b) => exceeds(moving(a), self.resolve(b, OUTPUTS)),
            RawTrigger::Every(period) => Trigger::Every(*period),
            RawTrigger::At(e) => Trigger::At(self.resolve(e, VELOCITIES)),
        };
        let mut lines: Vec<Line> = Vec::new();
        for line in raw.lines.iter().filter_map(|line| self.line(line)) {
            if !lines.iter().any(|other| target(other) == target(&line)) {
                lines.push(line);
            }
        }
        let enabled = self.condition_of_force(raw.enabled.as_ref(), VELOCITIES);
        self.plan.events.push(Event { trigger, enabled, lines });
    }

    fn line(&self, raw: &RawLine) -> Option<Line> {
        let some = |i: usize, n: usize| (n > 0).then(|| i % n);
        Some(match raw {
            RawLine::Discrete(of, e) => Line::Discrete(some(*of, self.plan.discretes.len())?, self.resolve(e, OUTPUTS)),
            RawLine::Switch(of, on) => Line::Switch(some(*of, self.plan.switches.len())?, *on),
            RawLine::State(of, e) => {
                let of = some(*of, self.plan.states.len()).filter(|i| self.plan.states[*i].start.len() == 1)?;
                Line::State(of, self.resolve(e, OUTPUTS))
            }
            RawLine::Motion(of, order, e) => {
                let of = self.plan.chosen_coordinate(*of).filter(|c| self.is_named_alone(*c))?;
                Line::Motion(of, *order, self.resolve(e, VELOCITIES))
            }
            RawLine::Impulse(ends, axis, restitution) => {
                Line::Impulse(self.two_attachments(ends, false)?, axis % self.plan.dimensions(), *restitution)
            }
        })
    }

    /// Whether a coordinate and its rates have names that are not components.
    fn is_named_alone(&self, coordinate: Coordinate) -> bool {
        let Coordinate::Joint(j, k) = coordinate else { return false };
        let measures = self.plan.measures(&self.plan.joints[j]);
        measures.get(k).is_some_and(|measure| !measure.names()[0].contains('['))
    }
}

/// Target that a line assigns; all impulses have the same one.
fn target(line: &Line) -> (u8, String) {
    match line {
        Line::Discrete(i, _) => (0, i.to_string()),
        Line::Switch(i, _) => (1, i.to_string()),
        Line::State(i, _) => (2, i.to_string()),
        Line::Motion(c, ..) => (3, format!("{c:?}")),
        Line::Impulse(..) => (4, String::new()),
    }
}
