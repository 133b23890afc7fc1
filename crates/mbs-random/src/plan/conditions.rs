//! What switches elements off and on.

use super::Plan;
use crate::expr::Expr;
use crate::number::{Number, Style};

/// Where conditions change, off the grid of all numbers, and off [`JUMP`](crate::expr::JUMP), which an expression may hold.
pub const THRESHOLD: f64 = 0.0291;

/// `enabled: …`.
#[derive(Clone, Debug, PartialEq)]
pub enum Condition {
    /// A switch, or its opposite.
    Switch {
        /// Which.
        of: usize,
        /// `!w0`.
        negated: bool,
    },
    /// `d0 > 0.0291` with a `discrete` number.
    Discrete(usize),
    /// `w0 || k > 0.3`, or `w0 && k > 0.3`, with a number well above.
    Parameter {
        /// The switch.
        of: usize,
        /// `||`.
        either: bool,
        /// k.
        number: Number,
    },
    /// `(…) > 0.0291`: of forces alone.
    State(Expr),
}

impl Condition {
    /// Whether it is true by its text, without any value of a parameter: `w0 || 0.6 > 0.3`.
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
