//! What happens during a run.

use super::{Condition, Coordinate};
use crate::expr::Expr;
use crate::number::Number;
use crate::world::Place;

/// An event.
#[derive(Clone, Debug)]
pub struct Event {
    /// What sets it off.
    pub trigger: Trigger,
    /// When it may happen.
    pub enabled: Option<Condition>,
    /// What its handler does.
    pub lines: Vec<Line>,
}

/// What sets an event off.
#[derive(Clone, Debug)]
pub enum Trigger {
    /// `when x falls`, or another word.
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
    Impulse([Place; 2], usize, Number),
}
