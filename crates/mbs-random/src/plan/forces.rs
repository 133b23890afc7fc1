//! Forces, and the vectors that they and outputs take.

use super::{Condition, Coordinate};
use crate::description::Under;
use crate::expr::Expr;
use crate::number::Number;
use crate::world::Place;

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
#[allow(missing_docs)] // the words of the language
pub enum ForceKind {
    SpringDamper {
        ends: [Place; 2],
        stiffness: Number,
        damping: Option<Number>,
        free_length: Option<Number>,
    },
    Cable {
        ends: [Place; 2],
        stiffness: Number,
        damping: Option<Number>,
        free_length: Number,
    },
    TorsionSpring {
        ends: [Place; 2],
        axis: [Number; 3],
        stiffness: Number,
        damping: Option<Number>,
        free_angle: Option<Number>,
    },
    TorsionDamper {
        ends: [Place; 2],
        axis: [Number; 3],
        damping: Number,
    },
    Torque {
        ends: Vec<Place>,
        torque: Moment,
    },
    PointForce {
        ends: Vec<Place>,
        force: Vector,
    },
    Wrench {
        ends: Vec<Place>,
        force: Vector,
        moment: Moment,
    },
    Bushing {
        ends: [Place; 2],
        stiffness: [[Number; 3]; 2],
        damping: [Option<[Number; 3]>; 2],
    },
    /// Contact of two balls or circles, or of the second end's ball or circle with the plane or hill of the first.
    Contact {
        ends: [Place; 2],
        under: Under,
        radii: [Option<Number>; 2],
        stiffness: Number,
        losses: [Option<Number>; 2],
        friction: Option<Number>,
    },
    Mobility {
        of: Coordinate,
        value: Expr,
    },
    Potential(Expr),
}

/// A moment: a number in the plane, a vector in space.
#[derive(Clone, Debug)]
pub enum Moment {
    /// Positive counterclockwise.
    Number(Expr),
    /// In stated axes.
    Vector(Vector),
}

/// A vector of an argument or an output.
#[derive(Clone, Debug)]
pub enum Vector {
    /// `[x, y]`, or `[x, y] in body`; `[x, y, z]` in space.
    Components([Expr; 3], Option<usize>),
    /// A vector input.
    Input(usize),
    /// `position(place)` or its rates, in world axes or a body's.
    Place(Place, usize, Option<usize>),
}
