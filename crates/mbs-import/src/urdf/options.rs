//! Options of a declaration that imports a robot.

use std::ops::Range;

use mbs_definition::{Argument, Expr, Ident, Origin};

/// Largest size of a file of URDF, in bytes.
pub const MOST_BYTES: usize = 16 << 20;

/// Makes an origin of a range of bytes of the text, in the front end's table of sources.
pub type MakeOrigin<'p> = &'p mut dyn FnMut(Range<usize>) -> Origin;

/// Attachment of the root of a robot to the world.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Base {
    /// Fixed to ground, at the world's origin.
    #[default]
    Fixed,
    /// Not attached: it has six degrees of freedom.
    Free,
}

/// Settings of a robot whose file is a complete mechanism.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Standalone {
    /// Attachment of its root, and the position of that setting in the source.
    pub base: Option<(Base, Origin)>,
    /// Speed \[rad/s or m/s\] at which friction −f tanh(rate / speed) has 76 % of its value; if it is `None`, joints have no friction.
    pub friction_speed: Option<Expr>,
    /// Whether the declaration sets gravity.
    pub has_gravity: bool,
}

/// Arguments that the declaration adds to the body of a link: `trunk: { velocity: body }`.
#[derive(Clone, Debug, PartialEq)]
pub struct LinkArguments {
    /// The body's name, without a prefix; its origin is in the declaration.
    pub link: Ident,
    /// Arguments that are appended to those of the file.
    pub arguments: Vec<Argument>,
}

/// Options of the declaration for the items of a robot.
#[derive(Clone, Copy, Debug, Default)]
pub struct RobotOptions<'w> {
    /// Prefix of all names: `arm`, if they begin with `arm.`.
    pub prefix: Option<&'w str>,
    /// Arguments added to bodies.
    pub links: &'w [LinkArguments],
    /// Settings of the file of a complete mechanism.
    pub alone: Option<&'w Standalone>,
}
