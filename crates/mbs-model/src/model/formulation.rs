//! Which coordinates there are.

/// Choice of coordinates.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Formulation {
    /// Absolute: x, y, θ of every body.
    Body,
    /// A tree of joint coordinates, loops closed by constraints.
    Joint,
    /// Basic points and vectors of every body, shared at pins.
    Natural,
}
