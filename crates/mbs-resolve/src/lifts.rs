//! Lift laws of cams: from (x₀, y₀) to (x₁, y₁) by s = (x − x₀) / (x₁ − x₀) between 0 and 1, constant outside.
//!
//! ```text
//! harmonic                  ½ (1 − cos π s)                     s″ jumps at both ends
//! cycloidal                 s − sin(2π s) / 2π                  s‴ jumps
//! polynomial_345, step      10 s³ − 15 s⁴ + 6 s⁵                s‴ jumps
//! polynomial_4567           35 s⁴ − 84 s⁵ + 70 s⁶ − 20 s⁷       s⁗ jumps
//! ```
//!
//! Source: Norton, Cam Design and Manufacturing Handbook, double-dwell cams; the same in his Design of Machinery, ch. 8.

use std::f64::consts::{PI, TAU};

use mbs_expr::{ExprId, Function, Function2};

use super::Resolver;

/// What leads from 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Law {
    Harmonic,
    Cycloidal,
    Polynomial345,
    Polynomial4567,
}

impl Law {
    /// By the name of its kind.
    pub(super) fn of(kind: &str) -> Option<Law> {
        match kind {
            "harmonic" => Some(Law::Harmonic),
            "cycloidal" => Some(Law::Cycloidal),
            "polynomial_345" | "step" => Some(Law::Polynomial345),
            "polynomial_4567" => Some(Law::Polynomial4567),
            _ => None,
        }
    }
}

impl Resolver<'_> {
    /// y₀ + (y₁ − y₀) times the share of the law.
    pub(super) fn lift(&mut self, law: Law, [x0, x1]: [ExprId; 2], [y0, y1]: [ExprId; 2], x: ExprId) -> ExprId {
        let [zero, one] = [0.0, 1.0].map(|c| self.exprs.number(c));
        let (way, width) = (self.exprs.sub(x, x0), self.exprs.sub(x1, x0));
        let s = self.exprs.div(way, width);
        let s = self.exprs.binary(Function2::Max, s, zero);
        let s = self.exprs.binary(Function2::Min, s, one);
        let share = self.share(law, s);
        let rise = self.exprs.sub(y1, y0);
        let share = self.exprs.mul(rise, share);
        self.exprs.add(y0, share)
    }

    fn share(&mut self, law: Law, s: ExprId) -> ExprId {
        match law {
            Law::Harmonic => {
                let [pi, one, half] = [PI, 1.0, 0.5].map(|c| self.exprs.number(c));
                let angle = self.exprs.mul(pi, s);
                let cosine = self.exprs.unary(Function::Cos, angle);
                let twice = self.exprs.sub(one, cosine);
                self.exprs.mul(half, twice)
            }
            Law::Cycloidal => {
                let [turn, inverse] = [TAU, 1.0 / TAU].map(|c| self.exprs.number(c));
                let angle = self.exprs.mul(turn, s);
                let sine = self.exprs.unary(Function::Sin, angle);
                let wave = self.exprs.mul(inverse, sine);
                self.exprs.sub(s, wave)
            }
            Law::Polynomial345 => {
                let [square, inner] = [self.exprs.mul(s, s), self.inner(&[10.0, -15.0, 6.0], s)];
                let cube = self.exprs.mul(square, s);
                self.exprs.mul(cube, inner)
            }
            Law::Polynomial4567 => {
                let [square, inner] = [self.exprs.mul(s, s), self.inner(&[35.0, -84.0, 70.0, -20.0], s)];
                let fourth = self.exprs.mul(square, square);
                self.exprs.mul(fourth, inner)
            }
        }
    }

    fn inner(&mut self, coefficients: &[f64], s: ExprId) -> ExprId {
        let coefficients: Vec<ExprId> = coefficients.iter().map(|c| self.exprs.number(*c)).collect();
        self.horner(&coefficients, s)
    }
}
