//! Events as written.

use super::{Argument, Expr, Ident, Name};
use crate::Origin;

/// `event name = when x falls { statements }`.
#[derive(Clone, Debug, PartialEq)]
pub struct EventDeclaration {
    /// Doc comment.
    pub docs: String,
    /// The name declared.
    pub name: Name,
    /// Trigger of the event.
    pub trigger: Trigger,
    /// Statements of the handler, in order.
    pub statements: Vec<Statement>,
}

/// Trigger of an event.
#[derive(Clone, Debug, PartialEq)]
pub enum Trigger {
    /// `when x falls`, `when x > 1`.
    When(Expr, Passage),
    /// `every 0.01`.
    Every(Expr),
    /// `at 2.0`, `at [1, 2, 4]`.
    At(Expr),
    /// The parser reported a mistake here.
    Broken,
}

/// How a value passes through zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Passage {
    /// `rises`
    Rises,
    /// `falls`
    Falls,
    /// `crosses`
    Crosses,
    /// No word: a condition becomes true.
    BecomesTrue,
    /// `holds`: a condition becomes true, or is true at the start of the run or when the event is enabled.
    Holds,
}

/// A line of a handler.
#[derive(Clone, Debug, PartialEq)]
pub enum Statement {
    /// `gear = high;`, `hinge.rate = 0;`
    Assign {
        /// Variable that changes.
        target: Expr,
        /// New value, as a function of the state before the event.
        value: Expr,
    },
    /// `impulse(floor, ball) { direction: [0, 1], restitution: 0.8 };`
    Impulse {
        /// Position of the word in the source.
        origin: Origin,
        /// The ends.
        ends: Vec<Expr>,
        /// Arguments in braces.
        arguments: Vec<Argument>,
    },
    /// `enabled: clutch;`: the event can happen only while the expression is true.
    Enabled(Ident, Expr),
    /// `stop;`: the run ends.
    Stop(Ident),
    /// `report;`: a row is recorded.
    Report(Ident),
}

/// `report every 0.1;`, `report on touchdown, lift_off;`.
#[derive(Clone, Debug, PartialEq)]
pub enum Report {
    /// Rows at regular times.
    Every(Ident, Expr),
    /// A row at every event of these names.
    On(Vec<Expr>),
}
