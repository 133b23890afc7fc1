//! Natural coordinates: the basic points and vectors whose components are the coordinates of bodies.

use std::collections::{BTreeMap, BTreeSet};

use mbs_expr::{BodyId, ExprId, JointId, MarkerId};

use super::{Model, Row};

/// The basic points and vectors of a mechanism, with the rows that they need.
#[derive(Clone, Debug, Default)]
pub struct Natural {
    /// Basic points and vectors. One that several bodies share is listed once.
    pub basics: Vec<Basic>,
    /// Basis of each body, by its id; `None` for bodies with other coordinates.
    pub bodies: Vec<Option<Basis>>,
    /// Rows that keep bodies rigid, and rows that count the revolutions of bodies.
    pub rows: Vec<Row>,
    /// Rows of joints that other formulations write in angles, and this one in directions: (joint, index of the row) and the residual.
    pub direction_rows: BTreeMap<(JointId, usize), ExprId>,
    /// (joint, index into `basics`): the joint is satisfied because its bodies share this basic point or vector.
    pub shared: Vec<(JointId, usize)>,
    /// Rows of joints that need no equation because bodies share basics: (joint, index of the row).
    pub replaced: BTreeSet<(JointId, usize)>,
    /// Bodies with a continuous angle, which is a separate unknown with a row.
    pub angles: Vec<BodyId>,
    /// Angular momenta and energies of rotation that are written with rotations, with the expressions in basics that agree with M.
    pub substitutes: BTreeMap<ExprId, ExprId>,
    /// Angular momenta about centres of mass that agree with M \[kg m²/s\], world axes; particles have none.
    pub angular_momenta: BTreeMap<BodyId, [ExprId; 3]>,
}

/// A basic point or vector.
#[derive(Clone, Debug)]
pub struct Basic {
    /// `crank_pin`, `rod.point`, `rod.axis`.
    pub name: String,
    /// Whether it is a point, not a vector.
    pub is_point: bool,
    /// A body on which it is fixed; `None` is ground, where it is a constant.
    pub body: Option<BodyId>,
    /// Components in the axes of that body: of a point \[m\] from the body's origin, of a vector without unit.
    pub components: [ExprId; 3],
}

/// The basic points and vectors of one body.
#[derive(Clone, Debug)]
pub struct Basis {
    /// Index of a basic point, and its position in body axes \[m\].
    pub points: Vec<(usize, [ExprId; 3])>,
    /// Index of a basic vector, and its components in body axes.
    pub vectors: Vec<(usize, [ExprId; 3])>,
}

impl Basis {
    /// Whether the basis contains a basic point or vector, by its index.
    pub fn contains(&self, basic: usize) -> bool {
        self.points.iter().chain(&self.vectors).any(|(i, _)| *i == basic)
    }

    /// Whether the basis has one direction. In space its body is a bar then, without rotation about that direction.
    pub fn has_one_direction(&self) -> bool {
        self.points.len() + self.vectors.len() == 2
    }

    /// The direction of a basis that has only one, body axes \[m\]; `None` of other bases. `number` evaluates expressions.
    pub fn bar_direction(&self, number: &dyn Fn(ExprId) -> f64) -> Option<[f64; 3]> {
        match (&self.points[..], &self.vectors[..]) {
            ([_], [(_, vector)]) => Some(vector.map(number)),
            ([(_, start), (_, end)], []) => Some([0, 1, 2].map(|k| number(end[k]) - number(start[k]))),
            _ => None,
        }
    }
}

impl Natural {
    /// The basis of a body in natural coordinates; `None` of bodies with other coordinates.
    pub fn basis(&self, body: BodyId) -> Option<&Basis> {
        self.bodies.get(body.index())?.as_ref()
    }

    /// The expression to evaluate for an expression: its substitute for momenta and energies of rotation, otherwise itself.
    pub fn substitute(&self, e: ExprId) -> ExprId {
        self.substitutes.get(&e).copied().unwrap_or(e)
    }

    /// Whether a body has natural coordinates; ground has none.
    pub fn is_natural(&self, body: Option<BodyId>) -> bool {
        body.is_some_and(|b| self.basis(b).is_some())
    }
}

impl Model {
    /// Whether a marker is on a body in natural coordinates.
    pub fn is_marker_natural(&self, marker: MarkerId) -> bool {
        self.coordinates.natural.is_natural(self.markers[marker.index()].body)
    }
}
