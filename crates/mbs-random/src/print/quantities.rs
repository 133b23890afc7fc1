//! Numbers, inputs, states, bodies, markers.

use super::{Printer, choice_text};
use crate::number::{Number, Style, digits};
use crate::plan::{Choice, Condition, THRESHOLD};
use crate::world::{Attachment, Notation, Shape, Signal};

impl Printer<'_> {
    /// A number as an argument: a literal, or the name of a quantity declared for it.
    pub(super) fn number_text(&mut self, x: Number) -> String {
        match x.style {
            Style::Literal => digits(x.value),
            Style::Constant => {
                self.features.add("const");
                self.declared("const", x.value)
            }
            Style::Parameter => {
                self.features.add("param");
                self.declared("param", x.value)
            }
            Style::Doubled => {
                self.features.add("param in an expression");
                format!("2 * {}", self.declared("param", x.value / 2.0))
            }
        }
    }

    fn declared(&mut self, category: &str, value: f64) -> String {
        let name = self.name(if category == "const" { "c" } else { "k" });
        self.quantities.push(format!("{category} {name} = {};", digits(value)));
        name
    }

    /// A number as an operand: no operator is outside of parentheses.
    pub(super) fn operand_number_text(&mut self, x: Number) -> String {
        let text = self.number_text(x);
        if text.starts_with('-') || text.contains(' ') { format!("({text})") } else { text }
    }

    /// As many components as a vector has.
    pub(super) fn tuple(&mut self, v: [Number; 3]) -> String {
        let d = self.plan.dimensions();
        format!("[{}]", v[..d].iter().map(|x| self.number_text(*x)).collect::<Vec<_>>().join(", "))
    }

    pub(super) fn inputs(&mut self) -> Vec<String> {
        let (inputs, d) = (self.plan.inputs.iter().enumerate(), self.plan.dimensions());
        let line = |(i, input): (usize, &crate::plan::Input)| match (input.vector, input.frame) {
            (false, _) => format!("input u{i};"),
            (true, None) if d == 2 => format!("input u{i}: [2];"),
            (true, None) => format!("input u{i}: [3] in ground;"),
            (true, Some(b)) => format!("input u{i}: [{d}] in {};", self.plan.bodies[b].name),
        };
        let lines = inputs.map(line).collect();
        for input in &self.plan.inputs {
            self.features.add(match (input.vector, input.frame) {
                (false, _) => "input",
                (true, None) => "input, vector",
                (true, Some(_)) => "input, vector in a body",
            });
        }
        lines
    }

    pub(super) fn states(&mut self) -> Vec<String> {
        let plan = self.plan;
        let mut lines = Vec::new();
        for (i, state) in plan.states.iter().enumerate() {
            let rates: Vec<String> = state.rates.iter().map(|e| self.expression(e)).collect();
            let start: Vec<String> = state.start.iter().map(|x| digits(*x)).collect();
            let rate = match (&rates[..], state.gains) {
                ([one], _) => one.clone(),
                (_, None) => format!("[{}]", rates.join(", ")),
                (_, Some(g)) => {
                    let name = self.name("gains");
                    let [a, b, c, d] = g.map(digits);
                    self.quantities.push(format!("param {name}: [2, 2] = [[{a}, {b}], [{c}, {d}]];"));
                    self.features.add("param, matrix");
                    format!("{name} * [{}] - z{i}", rates.join(", "))
                }
            };
            lines.push(match &start[..] {
                [one] => format!("state z{i} = {one} {{ rate: {rate} }};"),
                _ => format!("state z{i}: [2] = [{}] {{ rate: {rate} }};", start.join(", ")),
            });
            self.features.add(if start.len() == 1 { "state" } else { "state, vector" });
        }
        lines
    }

    pub(super) fn switches(&mut self) -> Vec<String> {
        let plan = self.plan;
        if !plan.switches.is_empty() {
            self.features.add("switch");
        }
        if !plan.discretes.is_empty() {
            self.features.add("discrete");
        }
        let switches = plan.switches.iter().enumerate();
        let switches = switches.map(|(i, on)| format!("switch w{i} = {};", if *on { "on" } else { "off" }));
        let discretes = plan.discretes.iter().enumerate().map(|(i, d)| format!("discrete d{i} = {};", digits(*d)));
        switches.chain(discretes).collect()
    }

    /// `enabled: …` of a switched element.
    pub(super) fn enabled(&mut self, kind: &str, condition: Option<&Condition>) -> Option<String> {
        let condition = condition?;
        self.features.add(format!("{kind}, switched"));
        if !self.plan.starts_on(condition) {
            self.features.add(format!("{kind}, switched off at first"));
        }
        Some(match condition {
            Condition::Switch { of, negated: false } => format!("enabled: w{of}"),
            Condition::Switch { of, negated: true } => format!("enabled: !w{of}"),
            Condition::Discrete(of) => format!("enabled: d{of} > {THRESHOLD}"),
            Condition::Parameter { of, either, number } => {
                let (k, below) = (self.operand_number_text(*number), digits(number.value / 2.0));
                format!("enabled: w{of} {} {k} > {below}", if *either { "||" } else { "&&" })
            }
            Condition::State(e) => format!("enabled: ({}) > {THRESHOLD}", self.expression(e)),
        })
    }

    pub(super) fn algebraic(&mut self) -> Vec<String> {
        if !self.plan.algebraic.is_empty() {
            self.features.add("coordinate, algebraic");
        }
        self.plan.algebraic.iter().enumerate().map(|(i, s)| format!("coordinate s{i} = {};", digits(*s))).collect()
    }

    /// A body; those of the loop are declared in it.
    pub(super) fn body(&mut self, b: usize) -> Option<String> {
        if self.plan.family.as_ref().is_some_and(|f| b < f.count) {
            return None;
        }
        let body = &self.plan.bodies[b];
        let mut arguments = Vec::new();
        if let Some(m) = body.mass {
            arguments.push(format!("mass: {}", self.number_text(m)));
        }
        if let Some(i) = body.inertia {
            let text = match body.tensor {
                None => self.number_text(i),
                Some(tensor) => self.tensor(tensor),
            };
            arguments.push(format!("inertia: {text}"));
        }
        if body.com.iter().any(|x| x.value != 0.0) {
            arguments.push(format!("com: {}", self.tuple(body.com)));
            self.features.add("centre of mass off the origin");
        }
        if body.declared[0] {
            arguments.push(format!("position: {}", self.digits(body.position)));
        }
        if body.declared[1] && !body.particle {
            arguments.push(match self.plan.is_spatial() {
                false => format!("angle: {}", digits(body.angle)),
                true => format!("rotation: {}", super::rotation(body.about, &digits(body.angle))),
            });
        }
        if let Some(v) = body.velocity {
            arguments.push(format!("velocity: {}", self.digits(v)));
            self.features.add("declared velocity");
        }
        if let Some(word) = body.attitude {
            arguments.push(format!("attitude: {word}"));
            self.features.add(format!("attitude {word}"));
        }
        if let Some(in_body_axes) = body.body_velocity {
            let word = if in_body_axes { "body" } else { "world" };
            arguments.push(format!("velocity: {word}"));
            self.features.add(format!("velocity: {word}"));
        }
        if let Some(c) = body.coordinates {
            // Every other body that chooses `body` takes the third choice, `natural`, instead.
            let is_other = body.name.bytes().map(usize::from).sum::<usize>().is_multiple_of(2);
            let word = match c {
                Choice::Body if is_other => "natural",
                _ => choice_text(c),
            };
            let basis = if word == "natural" { self.basis(b) } else { String::new() };
            arguments.push(format!("coordinates: {word}{basis}"));
            self.features.add(format!("coordinates of a body: {word}"));
        }
        let category = if body.particle { "particle" } else { "body" };
        match (body.mass, body.inertia) {
            _ if body.particle && body.mass.is_some() => {}
            (None, None) => self.features.add(format!("{category} without mass")),
            (None, Some(_)) => self.features.add("body with inertia alone"),
            (Some(_), None) => self.features.add("body with mass alone"),
            _ => {}
        }
        if !body.declared[0] || (!body.declared[1] && !body.particle) {
            self.features.add("pose left out");
        }
        self.features.add(category);
        Some(format!("{category} {} {{ {} }}", body.name, arguments.join(", ")))
    }

    /// An attachment as an end: `b0`, `b0 at [x, y]`, or a marker declared for it.
    pub(super) fn attachment_text(&mut self, attachment: &Attachment) -> String {
        let owner = attachment.body.map_or("ground".to_owned(), |b| self.plan.bodies[b].name.clone());
        match attachment.notation {
            Notation::Com => {
                self.features.add("end at com");
                format!("{owner} at com")
            }
            Notation::Inline if attachment.motion.iter().all(Option::is_none) => {
                self.point_text(&owner, attachment.point)
            }
            Notation::Inline => {
                let point = self.moving_point(attachment);
                format!("{owner} at {point}")
            }
            Notation::Vector => {
                self.features.add("param, vector");
                let name = self.name("r");
                let point = self.digits(attachment.point.map(|x| x.value));
                self.quantities.push(format!("param {name}: [{}] = {point};", self.plan.dimensions()));
                format!("{owner} at {name}")
            }
            Notation::Nested if self.plan.is_spatial() => self.nested_marker_text(&owner, attachment),
            Notation::Nested => {
                self.features.add("marker on a marker");
                // The inner marker is rotated, and the outer point is given in its axes.
                let inner_angle: f64 = 0.3;
                let (inner, outer) = (self.name("m"), self.name("m"));
                let [x, y, _] = attachment.point.map(|x| x.value / 2.0);
                let (s, c) = inner_angle.sin_cos();
                let half = [c * x + s * y, c * y - s * x].map(digits);
                let angle = digits(attachment.angle.value - inner_angle);
                self.markers.push(format!(
                    "marker {inner} = {owner} at [{}, {}] {{ angle: {} }};",
                    digits(x),
                    digits(y),
                    digits(inner_angle)
                ));
                self.markers
                    .push(format!("marker {outer} = {inner} at [{}, {}] {{ angle: {angle} }};", half[0], half[1]));
                outer
            }
            _ => self.marker_text(&owner, attachment),
        }
    }

    fn point_text(&mut self, owner: &str, point: [Number; 3]) -> String {
        if point.iter().all(|x| x.value == 0.0) {
            return owner.to_owned();
        }
        format!("{owner} at {}", self.tuple(point))
    }

    fn marker_text(&mut self, owner: &str, attachment: &Attachment) -> String {
        let at = match attachment.moves() {
            true => format!("{owner} at {}", self.moving_point(attachment)),
            false => self.point_text(owner, attachment.point),
        };
        let (s, c) = attachment.angle.value.sin_cos();
        let axes = match attachment.notation {
            _ if self.plan.is_spatial() => self.axes_in_space(attachment),
            Notation::AxisX => {
                self.features.add("marker by its x axis");
                format!("x: [{}, {}]", digits(c), digits(s))
            }
            Notation::AxisY => {
                self.features.add("marker by its y axis");
                format!("y: [{}, {}]", digits(-s), digits(c))
            }
            _ => {
                let angle = self.sum(attachment.angle, attachment.motion[2]);
                self.features.add("marker by its angle");
                format!("angle: {angle}")
            }
        };
        let name = self.name("m");
        self.markers.push(format!("marker {name} = {at} {{ {axes} }};"));
        name
    }

    /// `[x + …, y + …]` of a moving attachment on ground.
    fn moving_point(&mut self, attachment: &Attachment) -> String {
        self.features.add("marker that moves on ground");
        let [x, y] = [0, 1].map(|k| self.sum(attachment.point[k], attachment.motion[k]));
        match self.plan.is_spatial() {
            false => format!("[{x}, {y}]"),
            true => format!("[{x}, {y}, {}]", self.sum(attachment.point[2], attachment.motion[3])),
        }
    }

    pub(super) fn sum(&mut self, x: Number, signal: Option<Signal>) -> String {
        let start = self.number_text(x);
        match signal {
            None => start,
            Some(signal) => format!("{start} + {}", self.signal(&signal)),
        }
    }

    /// A function of time.
    pub(super) fn signal(&mut self, signal: &Signal) -> String {
        let a = self.operand_number_text(signal.amplitude);
        let w = self.operand_number_text(signal.frequency);
        self.features.add(format!("signal {}", format!("{:?}", signal.shape).to_lowercase()));
        match signal.shape {
            Shape::Ramp => format!("{a} * t"),
            Shape::Sine => format!("{a} * sin({w} * t)"),
            Shape::Cosine => format!("{a} * (1 - cos({w} * t))"),
            Shape::Square => format!("{a} * t.powi(2)"),
            Shape::Wave => {
                self.opaque();
                format!("{a} * wave({w} * t)")
            }
        }
    }
}
