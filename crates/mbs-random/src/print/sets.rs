//! Prints items declared over bodies, and over pairs of them.

use super::Printer;
use crate::plan::{Each, Over, Set};

impl Printer<'_> {
    /// Loops over bodies, one item in each; their names must differ.
    pub(super) fn sets(&mut self) -> Vec<String> {
        let plan = self.plan;
        plan.sets.iter().enumerate().flat_map(|(i, set)| self.set(i, set)).collect()
    }

    fn set(&mut self, i: usize, set: &Set) -> [String; 3] {
        let head = match &set.over {
            Over::Bodies => "b in bodies".to_owned(),
            Over::Pairs => "(a, b) in pairs(bodies)".to_owned(),
            Over::Listed(list) => {
                let names: Vec<&str> = list.iter().map(|b| self.plan.bodies[*b].name.as_str()).collect();
                format!("(a, b) in pairs([ground, {}])", names.join(", "))
            }
        };
        let (kind, item) = self.set_item(i, set);
        self.features.add(format!("set, {kind}"));
        [format!("for {head} {{"), format!("    {item}"), "}".to_owned()]
    }

    fn set_item(&mut self, i: usize, set: &Set) -> (&'static str, String) {
        let g = self.operand_number_text(set.strength);
        match &set.each {
            Each::Soft => {
                let r = "position(a) - position(b)";
                ("soft potential", format!("potential pull{i} = -{g} / sqrt(0.3 + dot({r}, {r}));"))
            }
            Each::Sharp => ("inverse distance", format!("potential pull{i} = {g} / distance(a, b);")),
            Each::Spring => {
                let arguments = format!("stiffness: 2, damping: 0.1, free_length: {g}");
                ("spring", format!("force pull{i} = spring_damper(a, b) {{ {arguments} }};"))
            }
            Each::Drag(e) => {
                let (e, v) = (self.expression(e), "velocity(b at com)");
                ("drag", format!("force pull{i} = point_force(b at com) {{ force: -{g} * ({e}) * {v} }};"))
            }
            Each::Apart => ("output", format!("output apart{i} = {g} * distance(a, b);")),
        }
    }
}
