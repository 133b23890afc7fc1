//! Prints events.

use super::Printer;
use crate::number::digits;
use crate::plan::{Event, Line, Trigger};

impl Printer<'_> {
    pub(super) fn event(&mut self, i: usize, event: &Event) -> String {
        let (feature, trigger) = match &event.trigger {
            Trigger::Passes(e, word) => (*word, format!("when ({}) {word}", self.expression(e))),
            Trigger::Exceeds(a, b) => {
                ("condition", format!("when ({}) > ({})", self.expression(a), self.expression(b)))
            }
            Trigger::Every(period) => ("every", format!("every {}", self.number_text(*period))),
            Trigger::At(e) => ("at", format!("at {}", self.expression(e))),
        };
        self.features.add(format!("event {feature}"));
        let enabled = self.enabled("event", event.enabled.as_ref()).map(|text| format!("{text}; "));
        let lines: Vec<String> = event.lines.iter().map(|line| format!("{} ", self.line(line))).collect();
        format!("event v{i} = {trigger} {{ {}{}}}", enabled.unwrap_or_default(), lines.concat())
    }

    fn line(&mut self, line: &Line) -> String {
        let (feature, text) = match line {
            Line::Discrete(i, e) => ("discrete", format!("d{i} = {};", self.expression(e))),
            Line::Switch(i, on) => ("switch", format!("w{i} = {};", if *on { "on" } else { "off" })),
            Line::State(i, e) => ("state", format!("z{i} = {};", self.expression(e))),
            Line::Motion(c, order, e) => {
                let name = self.coordinate(*c, *order);
                (["position", "speed"][*order], format!("{name} = {};", self.expression(e)))
            }
            Line::Impulse([a, b], axis, restitution) => {
                let (a, b) = (self.attachment_text(a), self.attachment_text(b));
                let direction = [0, 1, 2].map(|k| if k == *axis { 1.0 } else { 0.0 });
                let (direction, e) = (self.digits(direction), digits(restitution.value));
                let space = if self.plan.is_spatial() { " in ground" } else { "" };
                let arguments = format!("direction: {direction}{space}, restitution: {e}");
                ("impulse", format!("impulse({a}, {b}) {{ {arguments} }}"))
            }
        };
        self.features.add(format!("handler, {feature}"));
        text
    }
}
