//! Lift laws of cams: from (x₀, y₀) to (x₁, y₁) by s = (x − x₀) / (x₁ − x₀) between 0 and 1, constant outside.
//!
//! ```text
//! harmonic                  ½ (1 − cos π s)                     s″ jumps at both ends
//! cycloidal                 s − sin(2π s) / 2π                  s‴ jumps
//! polynomial_345, step      10 s³ − 15 s⁴ + 6 s⁵                s‴ jumps
//! polynomial_4567           35 s⁴ − 84 s⁵ + 70 s⁶ − 20 s⁷       s⁗ jumps
//! ```
//!
//! Source: Norton, Cam Design and Manufacturing Handbook, double-dwell cams; also his Design of Machinery, ch. 8.

use std::f64::consts::{PI, TAU};

use mbs_expr::{Expr, ExprId, Scalar};

use crate::resolvers::FunctionResolver;

/// Normalised lift law, from 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Law {
    Harmonic,
    Cycloidal,
    Polynomial345,
    Polynomial4567,
}

impl Law {
    /// The law that a kind of function names.
    pub(crate) fn from_kind(kind: &str) -> Option<Law> {
        match kind {
            "harmonic" => Some(Law::Harmonic),
            "cycloidal" => Some(Law::Cycloidal),
            "polynomial_345" | "step" => Some(Law::Polynomial345),
            "polynomial_4567" => Some(Law::Polynomial4567),
            _ => None,
        }
    }
}

impl<'a> FunctionResolver<'_, 'a> {
    /// The value of a lift law at `parameter`: y₀ + (y₁ − y₀) h(s) with h the normalised lift.
    pub(crate) fn lift(&mut self, law: Law, x: [ExprId; 2], y: [ExprId; 2], parameter: ExprId) -> ExprId {
        self.resolver.exprs.write(|w| {
            let ([x0, x1], [y0, y1]) = (x.map(|x| w.expr(x)), y.map(|y| w.expr(y)));
            let s = ((w.expr(parameter) - x0) / (x1 - x0)).max(0.0).min(1.0);
            w.id(y0 + (y1 - y0) * law.normalised_lift(s))
        })
    }
}

impl Law {
    fn normalised_lift(self, s: Expr<'_>) -> Expr<'_> {
        match self {
            Law::Harmonic => 0.5 * (1.0 - (PI * s).cos()),
            Law::Cycloidal => s - 1.0 / TAU * (TAU * s).sin(),
            Law::Polynomial345 => s * s * s * horner([10.0, -15.0, 6.0].map(Expr::from), s),
            Law::Polynomial4567 => {
                let square = s * s;
                square * square * horner([35.0, -84.0, 70.0, -20.0].map(Expr::from), s)
            }
        }
    }
}

/// The polynomial c₀ + x (c₁ + x (c₂ + …)) by Horner's rule.
pub(crate) fn horner<'e>(
    coefficients: impl IntoIterator<Item = Expr<'e>, IntoIter: DoubleEndedIterator>,
    x: Expr<'e>,
) -> Expr<'e> {
    coefficients.into_iter().rev().fold(Expr::from(0.0), |sum, c| sum * x + c)
}
