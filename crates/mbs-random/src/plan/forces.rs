//! Forces, and the vectors that they and outputs take.

use mbs_model::catalog::Kind;

use super::{Condition, Coordinate};
use crate::expr::Expr;
use crate::number::Number;
use crate::world::Attachment;

/// A force.
#[derive(Clone, Debug)]
pub struct Force {
    /// Name.
    pub name: String,
    /// Kind with its arguments.
    pub kind: ForceKind,
    /// Condition under which it is on; always if `None`.
    pub enabled: Option<Condition>,
}

/// Kinds of forces.
#[derive(Clone, Debug)]
pub enum ForceKind {
    /// One of the catalogue.
    Catalogued(Applied),
    /// One that an energy declares.
    Potential(Expr),
}

/// A force of a kind of the catalogue.
#[derive(Clone, Debug)]
pub struct Applied {
    /// Its kind.
    pub kind: &'static Kind,
    /// Its ends.
    pub on: Acting,
    /// Arguments that are given, by their names.
    pub arguments: Vec<(&'static str, Argued)>,
}

/// Ends of a force.
#[derive(Clone, Debug)]
pub enum Acting {
    /// One attachment or two.
    Attachments(Vec<Attachment>),
    /// Circles about two attachments, with their radii.
    Circles([Attachment; 2], [Number; 2]),
    /// A coordinate.
    Coordinate(Coordinate),
}

impl Acting {
    /// The attachments on which it acts.
    pub fn attachments(&self) -> &[Attachment] {
        match self {
            Acting::Attachments(attachments) => attachments,
            Acting::Circles(attachments, _) => attachments,
            Acting::Coordinate(_) => &[],
        }
    }
}

/// Value of an argument.
#[derive(Clone, Debug)]
pub enum Argued {
    /// A number.
    Number(Number),
    /// A direction, or the diagonal of a matrix.
    Numbers([Number; 3]),
    /// A load that is a number.
    Load(Expr),
    /// A load that is a vector.
    Vector(Vector),
    /// A function: a hill whose height falls by this number times the square of the distance from its top.
    Hill(Number),
}

/// A vector of an argument or an output.
#[derive(Clone, Debug)]
pub enum Vector {
    /// `[x, y]`, or `[x, y] in body`; `[x, y, z]` in space.
    Components([Expr; 3], Option<usize>),
    /// A vector input.
    Input(usize),
    /// `position(attachment)` or its rates, in world axes or a body's.
    Position(Attachment, usize, Option<usize>),
}
