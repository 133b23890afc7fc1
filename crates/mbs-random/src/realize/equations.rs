//! Drives, constraints and couplings: constants from the true pose.

use super::Builder;
use super::expressions::{ROWS, VELOCITIES};
use crate::description::RawForm;
use crate::expr::Expr;
use crate::plan::{Equation, Form};
use crate::world::{Attachment, World, difference, dot};

/// Rows with a smaller gradient are always left out, because they have no effect.
const NEGLIGIBLE: f64 = 1e-9;

impl Builder {
    /// Adds an equation, unless the mechanism lacks an element it needs, or it would be redundant in a careful description.
    pub(super) fn equation(&mut self, raw: &RawForm) {
        let algebraic = self.plan.algebraic.len();
        let Some((category, form)) = self.form(raw) else {
            self.plan.algebraic.truncate(algebraic);
            return;
        };
        let name = format!("e{}", self.plan.equations.len());
        self.plan.equations.push(Equation { name, category, form, enabled: None });
        let added = self.plan.equations.last().expect("just added");
        let nothing = |row: &Vec<f64>| dot_self(row) < NEGLIGIBLE * NEGLIGIBLE;
        if self.plan.equation_rows(added).iter().any(nothing) || !self.acceptable() {
            self.plan.equations.pop();
            self.plan.algebraic.truncate(algebraic);
        }
    }

    fn form(&mut self, raw: &RawForm) -> Option<(&'static str, Form)> {
        let world = self.plan.world();
        let attachments = |ends: &[Attachment; 2], needs_axes: bool| ends.map(|p| self.body_attachment(&p, needs_axes));
        let form = match raw {
            RawForm::Drive { of, signal, computed } => {
                let of = self.plan.chosen_coordinate(*of)?;
                let start = computed.with_value(self.plan.coordinate(of, &world).value());
                return Some(("drive", Form::Drive { of, start, signal: *signal }));
            }
            RawForm::Coupling { of, ratio, wave, computed } => {
                let all = self.plan.coordinates();
                if all.len() < 2 {
                    return None;
                }
                let i = of[0] % all.len();
                let of = [all[i], all[(i + 1 + of[1] % (all.len() - 1)) % all.len()]];
                let [a, b] = of.map(|c| self.plan.coordinate(c, &world).value());
                let offset = computed.with_value(a - ratio.value * b - wave.value * b.sin());
                return Some(("coupling", Form::Coupling { of, ratio: *ratio, wave: *wave, offset }));
            }
            RawForm::Square { ends, computed } => {
                let ends = attachments(ends, false);
                let r = difference(ends[1].position(&world), ends[0].position(&world));
                Form::Square { ends, half_square: computed.with_value(0.5 * dot(r, r).value()) }
            }
            RawForm::Offset { ends, frame, computed } => {
                let (ends, frame) = (attachments(ends, false), self.plan.frame(*frame));
                let r = difference(ends[0].position(&world), ends[1].position(&world));
                let axes = Attachment::origin(frame);
                let offset = [0, 1, 2].map(|c| computed.with_value(dot(r, axes.axis(&world, c)).value()));
                Form::Offset { ends, frame, offset }
            }
            RawForm::Curve { at, curvature, computed } => {
                let at = self.body_attachment(at, false);
                let [x, y, _] = at.position(&world).map(|x| x.value());
                Form::Curve { at, curvature: *curvature, height: computed.with_value(y - curvature.value * x * x) }
            }
            RawForm::Direction { of, computed } => {
                let of = attachments(of, true);
                let particle = |p: &Attachment| p.body.is_some_and(|b| self.plan.bodies[b].particle);
                if of.iter().all(particle) {
                    return None;
                }
                let value = dot(of[0].axis(&world, 0), of[1].axis(&world, 1)).value();
                Form::Direction { of, value: computed.with_value(value) }
            }
            RawForm::General { left, signal, computed } => {
                let left = self.moving(self.resolve(left, ROWS));
                let right = computed.with_value(self.value_at_start(&left, &world)?);
                Form::General { left, right, signal: *signal }
            }
            RawForm::Wire { at, start, wave, computed } => {
                let at = self.body_attachment(at, false);
                let [x, y, z] = at.position(&world).map(|x| x.value());
                let offset =
                    [x - start, y - wave.value * (2.0 * start).sin(), z - 0.5 * start].map(|x| computed.with_value(x));
                self.plan.algebraic.push(*start);
                Form::Wire { at, algebraic: self.plan.algebraic.len() - 1, wave: *wave, offset }
            }
            RawForm::Lift { of, start, computed } => {
                let of = self.moving(self.resolve(of, ROWS));
                let offset = computed.with_value(start - self.value_at_start(&of, &world)?);
                self.plan.algebraic.push(*start);
                Form::Lift { algebraic: self.plan.algebraic.len() - 1, of, offset }
            }
            _ => self.form_of_rates(raw)?,
        };
        Some(("constraint", form))
    }

    /// A form between speeds or accelerations.
    fn form_of_rates(&self, raw: &RawForm) -> Option<Form> {
        Some(match raw {
            RawForm::Knife { at } => Form::Knife { at: self.body_attachment(at, true) },
            RawForm::Speeds { terms, nonlinearity, right } => {
                Form::Speeds { terms: self.terms(terms), nonlinearity: *nonlinearity, right: *right }
            }
            RawForm::Accelerations { terms, nonlinearity, right } => Form::Accelerations {
                terms: self.terms(terms),
                nonlinearity: *nonlinearity,
                right: self.resolve(right, VELOCITIES),
            },
            RawForm::Together { ends } => {
                let ends = ends.map(|end| self.body_attachment(&end, false));
                if ends[0].body == ends[1].body {
                    return None;
                }
                Form::Together { ends }
            }
            RawForm::Spin { of, frame, rate } => {
                let of = self.plan.rigid(*of).filter(|_| self.plan.is_spatial())?;
                Form::Spin { of, frame: self.plan.frame(*frame), rate: *rate }
            }
            _ => unreachable!("it is between positions"),
        })
    }

    fn terms(&self, terms: &[(Expr, Expr)]) -> Vec<(Expr, Expr)> {
        let resolve = |e: &Expr| self.resolve(e, ROWS);
        terms.iter().map(|(c, x)| (resolve(c), self.moving(resolve(x)))).collect()
    }

    /// Value at the true pose, if it is finite.
    fn value_at_start(&self, e: &Expr, world: &World) -> Option<f64> {
        Some(self.plan.value(e, world).value()).filter(|x| x.is_finite())
    }
}

fn dot_self(row: &[f64]) -> f64 {
    row.iter().map(|x| x * x).sum()
}
