//! Prints a plan as text.

mod basis;
mod elements;
mod equations;
mod events;
mod expressions;
mod forces;
mod outputs;
mod quantities;
mod sets;
mod space;

use space::rotation;

use crate::features::Features;
use crate::number::digits;
use crate::plan::{Choice, Coordinate, JointKind, KernelSet, Plan};

/// A mechanism's text, with its features.
#[derive(Clone, Debug)]
pub struct Printed {
    /// The declaration.
    pub text: String,
    /// The declaration inside a part with one instance, [`INSTANCE`].
    pub in_part: String,
    /// Features of the mechanism.
    pub features: Features,
}

/// The instance of the part that contains a whole mechanism.
pub const INSTANCE: &str = "w";

/// Prints a plan.
pub fn print(plan: &Plan) -> Printed {
    let mut p = Printer {
        plan,
        features: Features::default(),
        quantities: Vec::new(),
        markers: Vec::new(),
        lets: Vec::new(),
        count: 0,
    };
    p.setting_features();
    // Bodies of the loop come first, as in the plan.
    let mut bodies = p.family_bodies();
    bodies.extend((0..plan.bodies.len()).filter_map(|b| p.body(b)));
    let mut sections = vec![p.inputs(), p.states(), p.switches(), p.algebraic(), bodies];
    let mut elements = p.family_joints();
    let mut order: Vec<usize> = (0..plan.joints.len()).filter(|j| !p.in_family(*j)).collect();
    order.sort_by_key(|j| plan.joints[*j].rank);
    elements.extend(order.into_iter().map(|j| p.joint(j)));
    elements.extend((0..plan.equations.len()).map(|e| p.equation(e)));
    elements.extend((0..plan.forces.len()).map(|f| p.force(f)));
    elements.extend(p.sets());
    elements.extend(plan.events.iter().enumerate().map(|(i, event)| p.event(i, event)));
    elements.extend(plan.initial.iter().map(|c| p.initial(c)));
    elements.extend(plan.freedoms.map(|n| format!("freedoms: {n};")));
    elements.extend((0..plan.outputs.len()).map(|o| p.output(o)));
    sections.extend([std::mem::take(&mut p.markers), std::mem::take(&mut p.lets), elements]);
    let mut lines = p.settings();
    lines.extend(p.joint_kinds());
    lines.extend(std::mem::take(&mut p.quantities));
    lines.extend(sections.concat());
    let settings = p.settings();
    // A function written in Rust is declared outside of the part, because it is bound by its full name.
    let is_outside =
        |line: &String| settings.contains(line) || line.starts_with("freedoms:") || line.starts_with("function wave:");
    let (outside, inside): (Vec<&String>, Vec<&String>) = lines.iter().partition(|line| is_outside(line));
    let mechanism =
        |items: &str| format!("pub {} Random {{\n{items}}}\n", if plan.is_spatial() { "spatial" } else { "planar" });
    let listed = |lines: &[&String]| lines.iter().map(|line| format!("    {line}\n")).collect::<String>();
    let all = listed(&lines.iter().collect::<Vec<_>>());
    let part = format!("{}part Whole() {{\n{}}}\npart {INSTANCE} = Whole();\n", listed(&outside), listed(&inside));
    Printed { text: mechanism(&all), in_part: mechanism(&part), features: p.features }
}

/// The text written so far.
struct Printer<'p> {
    plan: &'p Plan,
    features: Features,
    quantities: Vec<String>,
    markers: Vec<String>,
    lets: Vec<String>,
    count: usize,
}

impl Printer<'_> {
    /// A new name: `k3`, `m4`.
    fn name(&mut self, prefix: &str) -> String {
        self.count += 1;
        format!("{prefix}{}", self.count)
    }

    fn settings(&self) -> Vec<String> {
        let mut lines = Vec::new();
        if self.plan.kernels == KernelSet::Kinematics {
            lines.push("kernels: [kinematics, energies, outputs];".to_owned());
        }
        if self.plan.kernels == KernelSet::Operators {
            lines.push("kernels: [forward, kinematics, energies, outputs, reactions, operators, hessians];".to_owned());
        }
        if let Some((g, tunable)) = self.plan.gravity {
            let word = if tunable { "param " } else { "" };
            lines.push(format!("gravity: {word}{};", self.digits(g)));
        }
        lines.extend(self.plan.coordinates.map(|c| format!("coordinates: {};", choice_text(c))));
        lines
    }

    fn setting_features(&mut self) {
        match self.plan.gravity {
            None => self.features.add("no gravity"),
            Some((_, true)) => self.features.add("gravity, tunable"),
            Some((_, false)) => self.features.add("gravity"),
        }
        if let Some(c) = self.plan.coordinates {
            self.features.add(format!("coordinates: {}", choice_text(c)));
        }
        if self.plan.kernels == KernelSet::Kinematics {
            self.features.add("kinematics alone");
        }
        if self.plan.kernels == KernelSet::Operators {
            self.features.add("operators");
        }
        if self.plan.freedoms.is_some() {
            self.features.add("freedoms");
        }
        self.features.add(format!("{} bodies", self.plan.bodies.len()));
    }

    /// `j0.angle`, `j1.position.x`, `s0`, with its rates.
    fn coordinate(&self, coordinate: Coordinate, rates: usize) -> String {
        let (j, k) = match coordinate {
            Coordinate::Algebraic(i) => return rate_text(&format!("s{i}"), rates),
            Coordinate::Joint(j, k) => (&self.plan.joints[j], k),
        };
        if let JointKind::Declared(declared) = j.kind {
            return rate_text(&format!("{}.{}", j.name, declared.coordinates()[k].0), rates);
        }
        let measures = self.plan.measures(j);
        let name = &measures[k].names()[rates];
        // Components are named in the plane, and numbered in space.
        match name.split_once('[').filter(|_| !self.plan.is_spatial()) {
            Some((vector, component)) => format!("{}.{vector}.{}", j.name, if component == "0]" { "x" } else { "y" }),
            None => format!("{}.{name}", j.name),
        }
    }

    /// A list with as many numbers as a vector has components.
    fn digits(&self, v: [f64; 3]) -> String {
        format!("[{}]", v[..self.plan.dimensions()].iter().map(|x| digits(*x)).collect::<Vec<_>>().join(", "))
    }

    fn in_family(&self, joint: usize) -> bool {
        self.plan.family.as_ref().is_some_and(|f| joint < f.count)
    }
}

/// `rate(rate(x))`.
fn rate_text(x: &str, rates: usize) -> String {
    (0..rates).fold(x.to_owned(), |x, _| format!("rate({x})"))
}

fn choice_text(choice: Choice) -> &'static str {
    match choice {
        Choice::Joint => "joint",
        Choice::Body => "body",
    }
}
