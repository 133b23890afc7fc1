//! Conditions that switch elements off and on.

use super::Plan;
use crate::expr::Expr;
use crate::number::{Number, Style};

/// Threshold of conditions, off the grid of all numbers and off [`JUMP`](crate::expr::JUMP), which an expression may contain.
pub const THRESHOLD: f64 = 0.0291;

/// `enabled: …`.
#[derive(Clone, Debug, PartialEq)]
pub enum Condition {
    /// A switch, or its opposite.
    Switch {
        /// Index of the switch.
        of: usize,
        /// `!w0`.
        negated: bool,
    },
    /// `d0 > 0.0291` with a `discrete` number.
    Discrete(usize),
    /// `w0 || k > 0.3`, or `w0 && k > 0.3`, with a number well above.
    Parameter {
        /// Index of the switch.
        of: usize,
        /// `||`.
        either: bool,
        /// k.
        number: Number,
    },
    /// `(…) > 0.0291`, for forces only.
    State(Expr),
}

impl Condition {
    /// Whether it is true by its text, without the value of any parameter: `w0 || 0.6 > 0.3`.
    pub fn always_holds(&self) -> bool {
        match self {
            Condition::Parameter { either: true, number, .. } => {
                matches!(number.style, Style::Literal | Style::Constant)
            }
            _ => false,
        }
    }
}

impl Plan {
    /// Whether rows with a condition are on at first.
    pub fn starts_on(&self, condition: &Condition) -> bool {
        match condition {
            Condition::Switch { of, negated } => self.switches[*of] != *negated,
            Condition::Discrete(of) => self.discretes[*of] > THRESHOLD,
            Condition::Parameter { either: true, .. } | Condition::State(_) => true,
            Condition::Parameter { of, .. } => self.switches[*of],
        }
    }
}
