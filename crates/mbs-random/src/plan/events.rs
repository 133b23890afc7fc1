//! Events during a run.

use super::{Condition, Coordinate};
use crate::expr::Expr;
use crate::number::Number;
use crate::world::Attachment;

/// An event.
#[derive(Clone, Debug)]
pub struct Event {
    /// Trigger of the event.
    pub trigger: Trigger,
    /// Condition under which it may occur; always if `None`.
    pub enabled: Option<Condition>,
    /// Lines of its handler.
    pub lines: Vec<Line>,
}

/// Triggers of events.
#[derive(Clone, Debug)]
pub enum Trigger {
    /// `when x falls`, or `rises` or `crosses`.
    Passes(Expr, &'static str),
    /// `when a > b`.
    Exceeds(Expr, Expr),
    /// `every period`.
    Every(Number),
    /// `at time`.
    At(Expr),
}

/// A line of a handler.
#[derive(Clone, Debug)]
pub enum Line {
    /// `d0 = …`.
    Discrete(usize, Expr),
    /// `w0 = on`.
    Switch(usize, bool),
    /// `z0 = …`, of a scalar state.
    State(usize, Expr),
    /// `j0.angle = …`, or its rate.
    Motion(Coordinate, usize, Expr),
    /// `impulse(a, b) { direction, restitution }`.
    Impulse([Attachment; 2], usize, Number),
}
