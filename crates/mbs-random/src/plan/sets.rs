//! Items declared over bodies, and over pairs of them.

use crate::expr::Expr;
use crate::number::Number;

/// Items in `for b in bodies { … }` or `for (a, b) in pairs(…) { … }`.
#[derive(Clone, Debug)]
pub struct Set {
    /// Bodies or pairs that the loop runs over.
    pub over: Over,
    /// Kind of the item in the braces.
    pub each: Each,
    /// Constant g of the item.
    pub strength: Number,
}

/// Bodies or pairs that a loop runs over.
#[derive(Clone, Debug, PartialEq)]
pub enum Over {
    /// `b in bodies`.
    Bodies,
    /// `(a, b) in pairs(bodies)`.
    Pairs,
    /// `(a, b) in pairs([ground, …])`.
    Listed(Vec<usize>),
}

/// Kinds of items.
#[derive(Clone, Debug)]
pub enum Each {
    /// `potential pull = -g / sqrt(0.3 + r²)`, r between centres of mass.
    Soft,
    /// `potential pull = g / r`, for points that are apart.
    Sharp,
    /// `force pull = spring_damper(a, b) { … }`.
    Spring,
    /// `force pull = point_force(b) { … }` against the velocity, times an expression.
    Drag(Expr),
    /// `output apart = distance(a, b)`, or the height of one.
    Apart,
}
