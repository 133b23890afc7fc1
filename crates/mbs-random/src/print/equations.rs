//! Equations: drives, couplings, constraints.

use super::Printer;
use crate::expr::Expr;
use crate::plan::{Coordinate, Form};
use crate::world::Attachment;

impl Printer<'_> {
    pub(super) fn equation(&mut self, e: usize) -> String {
        let equation = &self.plan.equations[e];
        let text = self.form(&equation.form);
        let enabled = self.enabled("equation", equation.enabled.as_ref());
        let switched = enabled.map_or(String::new(), |enabled| format!(" {{ {enabled} }}"));
        let word = match &equation.form {
            // The keyword is `prescribe` for every second drive of a joint's coordinate, unless it is switched, or the coordinate has another drive.
            Form::Drive { of, .. }
                if matches!(of, Coordinate::Joint(..))
                    && e.is_multiple_of(2)
                    && switched.is_empty()
                    && !self.is_driven_by_another(e, of) =>
            {
                self.features.add("equation prescribed");
                "prescribe"
            }
            _ => equation.category,
        };
        format!("{word} {} = {text}{switched};", equation.name)
    }

    fn is_driven_by_another(&self, e: usize, coordinate: &Coordinate) -> bool {
        let mut equations = self.plan.equations.iter().enumerate();
        equations.any(|(i, other)| i != e && matches!(&other.form, Form::Drive { of, .. } if of == coordinate))
    }

    /// The text of an equation.
    fn form(&mut self, form: &Form) -> String {
        let (feature, text) = match form {
            Form::Square { ends: [a, b], half_square } => {
                let (a, b) = (self.attachment_text(a), self.attachment_text(b));
                let name = self.name("r");
                self.lets.push(format!("let {name} = position({b}) - position({a});"));
                ("square", format!("dot({name}, {name}) / 2 == {}", self.number_text(*half_square)))
            }
            Form::Offset { ends: [a, b], frame, offset } => {
                let (a, b) = (self.attachment_text(a), self.attachment_text(b));
                let (offset, frame) = (self.tuple(*offset), frame.map(|b| self.plan.bodies[b].name.clone()));
                match frame {
                    None => ("offset", format!("position({a}) - position({b}) == {offset}")),
                    Some(f) => ("offset in a body", format!("position({a}) - position({b}) == {offset} in {f}")),
                }
            }
            Form::Curve { at, curvature, height } => {
                let at = self.attachment_text(at);
                let (curvature, height) = (self.operand_number_text(*curvature), self.number_text(*height));
                ("curve", format!("position({at}).y == {curvature} * position({at}).x.powi(2) + {height}"))
            }
            Form::Direction { of: [a, b], value } => {
                let [a, b] = [a, b].map(|attachment| self.axes_owner(attachment));
                ("direction", format!("dot({a}.x, {b}.y) == {}", self.number_text(*value)))
            }
            Form::General { left, right, signal } => {
                let (left, right) = (self.expression(left), self.number_text(*right));
                match signal {
                    None => ("general", format!("{left} == {right}")),
                    Some(s) => ("rheonomic", format!("{left} == {right} + {}", self.signal(s))),
                }
            }
            Form::Coupling { of, ratio, wave, offset } => {
                let [a, b] = of.map(|c| self.coordinate(c, 0));
                let (r, w, o) =
                    (self.operand_number_text(*ratio), self.operand_number_text(*wave), self.number_text(*offset));
                ("coupling", format!("{a} == {r} * {b} + {w} * sin({b}) + {o}"))
            }
            Form::Drive { of, start, signal } => {
                let (of, start) = (self.coordinate(*of, 0), self.number_text(*start));
                ("drive", format!("{of} == {start} + {}", self.signal(signal)))
            }
            Form::Wire { at, algebraic, wave, offset } => {
                let at = self.attachment_text(at);
                let w = self.operand_number_text(*wave);
                let [x, y] = [0, 1].map(|k| self.number_text(offset[k]));
                let z = if self.plan.is_spatial() { self.number_text(offset[2]) } else { String::new() };
                let s = format!("s{algebraic}");
                let up = if self.plan.is_spatial() { format!(", 0.5 * {s} + {z}") } else { String::new() };
                ("wire", format!("position({at}) == [{s} + {x}, {w} * sin(2 * {s}) + {y}{up}]"))
            }
            Form::Lift { algebraic, of, offset } => {
                let (of, offset) = (self.expression(of), self.number_text(*offset));
                ("lift", format!("s{algebraic} == {of} + {offset}"))
            }
            _ => self.form_of_rates(form),
        };
        self.features.add(format!("equation {feature}"));
        text
    }

    /// A form between speeds or accelerations, with its feature.
    fn form_of_rates(&mut self, form: &Form) -> (&'static str, String) {
        match form {
            Form::Knife { at } => {
                let owner = self.axes_owner(at);
                let at = self.attachment_text(at);
                ("knife edge", format!("dot(velocity({at}), {owner}.y) == 0"))
            }
            Form::Speeds { terms, nonlinearity, right } => {
                let sum = self.rates(terms, 1);
                let right = self.operand_number_text(*right);
                match nonlinearity {
                    None => ("speeds", format!("{sum} == {right} * cos(2 * t)")),
                    Some(nonlinearity) => {
                        let nonlinearity = self.operand_number_text(*nonlinearity);
                        ("bent speeds", format!("{sum} + {nonlinearity} * sin({sum}) == {right} * cos(2 * t)"))
                    }
                }
            }
            Form::Accelerations { terms, nonlinearity, right } => {
                let (sum, right) = (self.rates(terms, 2), self.expression(right));
                match nonlinearity {
                    None => ("accelerations", format!("{sum} == {right}")),
                    Some(nonlinearity) => {
                        let (nonlinearity, speeds) = (self.operand_number_text(*nonlinearity), self.rates(terms, 1));
                        ("bent accelerations", format!("(1 + {nonlinearity} * sin({speeds})) * ({sum}) == {right}"))
                    }
                }
            }
            Form::Together { ends: [a, b] } => {
                let (a, b) = (self.attachment_text(a), self.attachment_text(b));
                ("together", format!("velocity({a}) == velocity({b})"))
            }
            Form::Spin { of, frame, rate } => {
                let frame = frame.map_or("ground".to_owned(), |b| self.plan.bodies[b].name.clone());
                let name = &self.plan.bodies[*of].name;
                ("spin", format!("angular_velocity({name}) == {} in {frame}", self.tuple(*rate)))
            }
            _ => unreachable!("it is between positions"),
        }
    }

    /// Σ coefficient * rate(of), of rates of some order.
    fn rates(&mut self, terms: &[(Expr, Expr)], order: usize) -> String {
        let term = |(c, x): &(Expr, Expr)| {
            let rate = (0..order).fold(x.clone(), |x, _| Expr::Rate(Box::new(x)));
            let rate = self.expression(&rate);
            format!("({}) * {rate}", self.expression(c))
        };
        terms.iter().map(term).collect::<Vec<_>>().join(" + ")
    }

    /// An attachment whose axes are used.
    fn axes_owner(&mut self, attachment: &Attachment) -> String {
        let text = self.attachment_text(attachment);
        if text.contains(' ') { format!("({text})") } else { text }
    }
}
