//! Expressions.

use super::Printer;
use crate::expr::{Binary, Expr, JUMP};
use crate::plan::Vector;

impl Printer<'_> {
    /// An expression that needs no parentheses where it is used.
    pub(super) fn expression(&mut self, e: &Expr) -> String {
        let text = self.operand(e);
        // Parentheses around the whole expression are redundant.
        match text.strip_prefix('(').and_then(|t| t.strip_suffix(')')) {
            Some(inner) if balanced(inner) => inner.to_owned(),
            _ => text,
        }
    }

    /// An expression that may be followed by `.` or any operator.
    fn operand(&mut self, e: &Expr) -> String {
        match e {
            Expr::Number(x) => self.operand_number_text(*x),
            Expr::Time => {
                self.features.add("time in an expression");
                "t".to_owned()
            }
            Expr::Input(i) => self.component(
                "u",
                *i,
                self.plan.dimensions(),
                &self.plan.inputs.iter().map(|i| i.vector).collect::<Vec<_>>(),
            ),
            Expr::State(i) => {
                self.component("z", *i, 2, &self.plan.states.iter().map(|s| s.start.len() > 1).collect::<Vec<_>>())
            }
            Expr::Rate(_) | Expr::Coordinate(_) | Expr::Position(..) | Expr::Angle(_) | Expr::Spin(..) => {
                self.observable(e)
            }
            Expr::Axis(attachment, axis, c) => {
                let attachment = self.attachment_text(attachment);
                let attachment = if attachment.contains(' ') { format!("({attachment})") } else { attachment };
                format!("{attachment}.{}.{}", COMPONENTS[*axis], COMPONENTS[*c])
            }
            Expr::Distance(a, b) => {
                let (a, b) = (self.attachment_text(a), self.attachment_text(b));
                format!("distance({a}, {b})")
            }
            Expr::Within(attachment, b, c) => {
                self.features.add("vector in a body's axes");
                let (attachment, body) = (self.attachment_text(attachment), &self.plan.bodies[*b].name);
                if *c == 0 {
                    return format!("((position({attachment}) - position({body})) in {body}).x");
                }
                self.features.add("function of markers");
                self.function("within(m, b) = (position(m) - position(b)) in b");
                format!("within({attachment}, {body}).{}", COMPONENTS[*c])
            }
            Expr::Call(call, x) => {
                self.features.add(format!("function {}", call.name()));
                let text = call.text(&self.operand(x));
                if text.starts_with('-') { format!("({text})") } else { text }
            }
            Expr::Inlined(call, x) => {
                let name = format!("call_{}", call.variant());
                self.features.add("function, inlined");
                self.function(&format!("{name}(x) = {}", call.text("x")));
                format!("{name}({})", self.expression(x))
            }
            Expr::Made(made, x) => {
                self.features.add(made.name());
                let (declaration, call) = made.text(&self.expression(x));
                self.function(&declaration);
                call
            }
            Expr::Opaque(x) => {
                self.opaque();
                format!("wave({})", self.expression(x))
            }
            Expr::Binary(op, a, b) => {
                let (a, b) = (self.operand(a), self.operand(b));
                self.binary(*op, &a, &b)
            }
            Expr::Choice(parts) => {
                self.features.add("if");
                let [a, b, c, d] = [0, 1, 2, 3].map(|i| self.operand(&parts[i]));
                format!("(if {a} < {b} + {JUMP} {{ {c} }} else {{ {d} }})")
            }
            Expr::Let(inner) => {
                self.features.add("let");
                let text = self.expression(inner);
                let name = self.name("l");
                self.lets.push(format!("let {name} = {text};"));
                name
            }
        }
    }

    fn binary(&mut self, op: Binary, a: &str, b: &str) -> String {
        match op {
            Binary::Add => format!("({a} + {b})"),
            Binary::Sub => format!("({a} - {b})"),
            Binary::Mul => format!("({a} * {b})"),
            Binary::Div => format!("({a} / (1 + {b} * {b}))"),
            Binary::Min | Binary::Max | Binary::Hypot | Binary::Atan2 => {
                let name = format!("{op:?}").to_lowercase();
                self.features.add(format!("function {name}"));
                match op {
                    Binary::Min | Binary::Max => format!("{name}({a}, {b} + {JUMP})"),
                    _ => format!("{name}({a}, 1 + {b} * {b})"),
                }
            }
        }
    }

    /// Declares a function, once.
    fn function(&mut self, definition: &str) {
        let line = format!("function {definition};");
        if !self.quantities.contains(&line) {
            self.quantities.push(line);
        }
    }

    /// Declares the function that is written in Rust, once.
    pub(super) fn opaque(&mut self) {
        self.features.add("function, written in Rust");
        self.function("wave: opaque(4)");
    }

    fn component(&mut self, prefix: &str, flat: usize, size: usize, vectors: &[bool]) -> String {
        self.features.add(if prefix == "u" { "input in an expression" } else { "state in an expression" });
        let mut left = flat;
        for (i, vector) in vectors.iter().enumerate() {
            match (vector, left) {
                (false, 0) => return format!("{prefix}{i}"),
                (true, _) if left < size => return format!("{prefix}{i}[{left}]"),
                _ => left -= if *vector { size } else { 1 },
            }
        }
        unreachable!("flat components have a quantity")
    }

    /// An observable or its rates, by their names.
    fn observable(&mut self, e: &Expr) -> String {
        let (mut inner, mut rates) = (e, 0);
        while let Expr::Rate(next) = inner {
            (inner, rates) = (next, rates + 1);
        }
        if rates > 0 {
            self.features.add(if rates > 1 { "acceleration in an output" } else { "rate" });
        }
        match inner {
            Expr::Coordinate(c) => self.coordinate(*c, rates),
            Expr::Position(attachment, c) => {
                let attachment = self.attachment_text(attachment);
                format!("{}({attachment}).{}", ["position", "velocity", "acceleration"][rates], COMPONENTS[*c])
            }
            Expr::Spin(b, c) => {
                self.features.add("angular velocity");
                let name = &self.plan.bodies[*b].name;
                let text = format!(
                    "{}({name}).{}",
                    ["angular_velocity", "angular_acceleration"][rates.min(1)],
                    COMPONENTS[*c]
                );
                super::rate_text(&text, rates.saturating_sub(1))
            }
            Expr::Angle(b) => {
                format!("{}({})", ["angle", "rate", "angular_acceleration"][rates], self.plan.bodies[*b].name)
            }
            other => {
                self.features.add("rate of an expression");
                let text = self.expression(other);
                super::rate_text(&text, rates)
            }
        }
    }

    /// A vector.
    pub(super) fn vector(&mut self, v: &Vector) -> String {
        let of = |printer: &Self, frame: Option<usize>| frame.map(|b| printer.plan.bodies[b].name.clone());
        match v {
            Vector::Components(components, frame) => {
                let spatial = self.plan.is_spatial();
                let parts = &components[..self.plan.dimensions()];
                let parts = parts.iter().map(|e| self.expression(e)).collect::<Vec<_>>().join(", ");
                match of(self, *frame) {
                    Some(body) => {
                        self.features.add("vector in a body's axes");
                        format!("[{parts}] in {body}")
                    }
                    // In space a vector states the body whose axes it is in.
                    None if spatial => format!("[{parts}] in ground"),
                    None => format!("[{parts}]"),
                }
            }
            Vector::Input(i) => format!("u{i}"),
            Vector::Position(attachment, rates, frame) => {
                let attachment = self.attachment_text(attachment);
                let text = format!("{}({attachment})", ["position", "velocity", "acceleration"][*rates]);
                of(self, *frame).map_or(text.clone(), |body| format!("{text} in {body}"))
            }
        }
    }
}

/// Names of components and axes.
const COMPONENTS: [&str; 3] = ["x", "y", "z"];

/// Whether parentheses close in order.
fn balanced(text: &str) -> bool {
    let mut depth = 0i32;
    for c in text.chars() {
        depth += match c {
            '(' => 1,
            ')' => -1,
            _ => 0,
        };
        if depth < 0 {
            return false;
        }
    }
    depth == 0
}
