//! The two ways in which bodies of the plane move.

/// The step or the basics that move a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Mover {
    /// The step with this index.
    Step(usize),
    /// The basics of the body in natural coordinates with this index.
    Natural(usize),
}
