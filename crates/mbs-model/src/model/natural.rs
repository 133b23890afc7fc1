//! Natural coordinates: basic points and vectors that place bodies.

use std::collections::{BTreeMap, BTreeSet};

use mbs_expr::{BodyId, ExprId, JointId, MarkerId};

use super::{Model, Row};

/// Basic points and vectors that place bodies, with their rows.
#[derive(Clone, Debug, Default)]
pub struct Natural {
    /// Basic points and vectors, those that bodies share once.
    pub basics: Vec<Basic>,
    /// Basis of each body; `None` for bodies with other coordinates.
    pub bodies: Vec<Option<Basis>>,
    /// Rows that keep bodies rigid, and rows that count their revolutions.
    pub rows: Vec<Row>,
    /// Rows of joints that are written in angles elsewhere, and in directions here: joint, number of the row.
    pub turned: BTreeMap<(JointId, usize), ExprId>,
    /// Joints with the basic point or vector that their bodies share.
    pub shared: Vec<(JointId, usize)>,
    /// Rows of joints that need no equation because of that: joint, number of the row.
    pub replaced: BTreeSet<(JointId, usize)>,
    /// Bodies with a continuous angle: an unknown of its own, with a row.
    pub angles: Vec<BodyId>,
    /// Momenta and energies of rotation as expressions of rotations, with the expressions that agree with M.
    pub spins: BTreeMap<ExprId, ExprId>,
    /// Angular momenta about centres of mass that agree with M, world axes; none of particles.
    pub own_momenta: BTreeMap<BodyId, [ExprId; 3]>,
}

/// A basic point or vector.
#[derive(Clone, Debug)]
pub struct Basic {
    /// `crank_pin`, `rod.point`, `rod.axis`.
    pub name: String,
    /// Whether it is a point, not a vector.
    pub is_point: bool,
    /// A body that it is fixed on; `None` is ground, where it is a constant.
    pub body: Option<BodyId>,
    /// In the axes of that body \[m\]; a vector without unit.
    pub at: [ExprId; 3],
}

/// The basics of one body.
#[derive(Clone, Debug)]
pub struct Basis {
    /// Index of a basic point, and where it is in body axes \[m\].
    pub points: Vec<(usize, [ExprId; 3])>,
    /// Index of a basic vector, and its components in body axes.
    pub vectors: Vec<(usize, [ExprId; 3])>,
}

impl Basis {
    /// Whether a basic is among them.
    pub fn has(&self, basic: usize) -> bool {
        self.points.iter().chain(&self.vectors).any(|(i, _)| *i == basic)
    }

    /// Whether it has one direction: in space what is placed by it is a bar.
    pub fn has_one_direction(&self) -> bool {
        self.points.len() + self.vectors.len() == 2
    }

    /// The only direction of a basis, in body axes.
    pub fn line(&self, number: &dyn Fn(ExprId) -> f64) -> Option<[f64; 3]> {
        match (&self.points[..], &self.vectors[..]) {
            ([_], [(_, along)]) => Some(along.map(number)),
            ([(_, start), (_, end)], []) => Some([0, 1, 2].map(|k| number(end[k]) - number(start[k]))),
            _ => None,
        }
    }
}

impl Natural {
    /// The basis of a body in natural coordinates.
    pub fn basis(&self, body: BodyId) -> Option<&Basis> {
        self.bodies.get(body.index())?.as_ref()
    }

    /// The expression that an expression is evaluated by: itself, or what M says of momenta and energies of turning.
    pub fn written(&self, e: ExprId) -> ExprId {
        self.spins.get(&e).copied().unwrap_or(e)
    }

    /// Whether a body has natural coordinates; ground has none.
    pub fn places(&self, body: Option<BodyId>) -> bool {
        body.is_some_and(|b| self.basis(b).is_some())
    }
}

impl Model {
    /// Whether a marker is on a body in natural coordinates.
    pub fn is_on_basics(&self, marker: MarkerId) -> bool {
        self.natural.places(self.markers[marker.index()].body)
    }
}
