//! Forces.

use super::Printer;
use crate::plan::{Acting, Applied, Argued, ForceKind};
use crate::world::Attachment;

impl Printer<'_> {
    pub(super) fn force(&mut self, f: usize) -> String {
        let force = &self.plan.forces[f];
        let applied = match &force.kind {
            ForceKind::Catalogued(applied) => applied,
            ForceKind::Potential(e) => {
                self.features.add("force potential");
                let (potential, enabled) = (self.expression(e), self.enabled("potential", force.enabled.as_ref()));
                let switched = enabled.map_or(String::new(), |enabled| format!(" {{ {enabled} }}"));
                return format!("potential {} = {potential}{switched};", force.name);
            }
        };
        self.force_features(applied);
        let (mut before, ends) = self.ends_text(&force.name, &applied.on);
        let mut arguments = Vec::new();
        for (name, value) in &applied.arguments {
            let value = self.argument_text(&force.name, value, &mut before);
            arguments.push(format!("{name}: {value}"));
        }
        arguments.extend(self.enabled("force", force.enabled.as_ref()));
        let (kind, arguments) = (applied.kind.name, arguments.join(", "));
        format!("{before}force {} = {kind}({}) {{ {arguments} }};", force.name, ends.join(", "))
    }

    fn force_features(&mut self, force: &Applied) {
        self.features.add(format!("force {}", force.kind.name));
        let free_length = force.arguments.iter().find_map(|(name, value)| match value {
            Argued::Number(x) if *name == "free_length" => Some(x.value),
            _ => None,
        });
        match (force.kind.name, force.on.attachments(), free_length) {
            ("spring_damper", _, None) => self.features.add("spring of free length zero"),
            ("cable", [first, last], Some(free_length)) => {
                let is_taut = first.distance(last, &self.plan.world()) > free_length;
                self.features.add(if is_taut { "cable, taut" } else { "cable, slack" });
            }
            _ => {}
        }
    }

    /// The curves of circles, and the ends.
    fn ends_text(&mut self, name: &str, on: &Acting) -> (String, Vec<String>) {
        let mut attachments = |attachments: &[Attachment]| {
            attachments.iter().map(|attachment| self.attachment_text(attachment)).collect::<Vec<_>>()
        };
        match on {
            Acting::Attachments(ends) => (String::new(), attachments(ends)),
            Acting::Circles(ends, radii) => {
                let ends = attachments(ends);
                let [r, s] = radii.map(|radius| self.number_text(radius));
                let written = format!("[({s}) * cos(s), ({s}) * sin(s)]");
                let curves = format!(
                    "curve {name}a on {} = circle({r}); curve {name}b(s) on {} = {written} {{ closed: TAU }}; ",
                    ends[0], ends[1]
                );
                (curves, vec![format!("{name}a"), format!("{name}b")])
            }
            Acting::Coordinate(coordinate) => (String::new(), vec![self.coordinate(*coordinate, 0)]),
        }
    }

    /// The text of an argument of a force; a function is declared before it.
    fn argument_text(&mut self, force: &str, value: &Argued, before: &mut String) -> String {
        match value {
            Argued::Number(x) => self.number_text(*x),
            Argued::Numbers(v) => self.tuple(*v),
            Argued::Load(e) => self.expression(e),
            Argued::Vector(v) => self.vector(v),
            Argued::Hill(hill) => {
                let (hill, of) = (self.operand_number_text(*hill), format!("hill_{force}"));
                before.push_str(&match self.plan.is_spatial() {
                    false => format!("function {of}(x) = 0.02 * sin(x) - {hill} * x * x; "),
                    true => format!("function {of}(x, y) = 0.02 * sin(x - 2 * y) - {hill} * (x * x + 0.5 * y * y); "),
                });
                of
            }
        }
    }
}
