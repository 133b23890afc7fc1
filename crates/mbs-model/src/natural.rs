//! Natural coordinates: the basic points and vectors that place bodies, and the rows that keep bodies rigid.
//!
//! A basic point or vector is a pair of coordinates, in space three, and every point of a body is a combination of its basics whose
//! coefficients are constant. A joint that holds a point, or a direction, of one body on that of another needs no equation for it where both are
//! basic: the bodies share it, and what is on ground is a constant.
//!
//! ```text
//! particle                     1 point
//! rigid body, two pins         2 points            rows: |r₂ − r₁|² = const
//! rigid body, one pin or none  1 point + 1 vector  rows: |u|² = const
//! rigid body of space          a point, and points or vectors in three directions from it, with up to six rows
//! ```
//!
//! A body may state its basis instead (`stated.rs`); with two directions u and v, vectors or differences of points, it has the rows
//! u·u, v·v, u·v = const.
//!
//! García de Jalón & Bayo (1994), *Kinematic and Dynamic Simulation of Multibody Systems*, ch. 2 and 4.

mod choice;
mod links;
mod rows;
mod spins;
mod stated;
mod turns;

use std::collections::{BTreeMap, BTreeSet};

use mbs_definition::Space;
use mbs_expr::{BodyId, ExprId, JointId, MarkerId, Series};

use crate::check::{default_variables, in_formulation};
use crate::mechanics::{Mechanics, Tree};
use crate::{Formulation, Model, Row};

use choice::{Sharing, chosen};
use links::{Link, Place, links};
use rows::Builder;
pub use stated::StatedBasis;
pub(crate) use stated::{Dependent, counted, kinds};

/// What bodies in natural coordinates are placed by.
#[derive(Clone, Debug, Default)]
pub struct Natural {
    /// Basic points and vectors, those that bodies share once.
    pub basics: Vec<Basic>,
    /// By body; none of those that have other coordinates.
    pub bodies: Vec<Option<Basis>>,
    /// What keeps bodies rigid.
    pub rows: Vec<Row>,
    /// Rows of joints that are written in angles elsewhere, and in directions here: joint, number of the row.
    pub turned: BTreeMap<(JointId, usize), ExprId>,
    /// Joints and what their bodies share: a basic point, a basic vector.
    pub shared: Vec<(JointId, usize)>,
    /// Rows of joints that need no equation because of that: joint, number of the row.
    pub replaced: BTreeSet<(JointId, usize)>,
    /// Bodies whose angle is counted over whole turns: an unknown of its own, with a row.
    pub angles: Vec<BodyId>,
    /// Momenta and energies of turning as expressions of rotations, and the same as M has them.
    pub spins: BTreeMap<ExprId, ExprId>,
    /// Angular momenta about centres of mass as M has them, world axes; none of particles.
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

    /// Places all bodies in one kind of coordinates, whatever was declared.
    pub fn set_formulation(&mut self, formulation: Formulation) {
        self.formulation = formulation;
        self.bodies.iter_mut().for_each(|b| b.formulation = None);
        self.choose_basics();
    }

    /// Chooses the basics of the bodies that are in natural coordinates.
    pub fn choose_basics(&mut self) {
        self.natural = Natural::default();
        let is_natural = |b: &crate::Body| b.formulation.unwrap_or(self.formulation) == Formulation::Natural;
        let members: Vec<bool> = self.bodies.iter().map(is_natural).collect();
        if !members.contains(&true) {
            return;
        }
        self.natural = basics(self, &members);
    }
}

/// What bodies that are `members` are placed by.
fn basics(model: &mut Model, members: &[bool]) -> Natural {
    let axes = [0, 1, 2].map(|k| unit(model, k));
    let links = links(model, members, axes);
    let body_model = in_formulation(model, Formulation::Body);
    let tree = Tree::new(&body_model);
    let rest = vec![Series::<1>::constant(0.0); tree.n_q()];
    let constants = Mechanics::at_solver(&body_model, &tree, default_variables(&body_model, &tree), rest);
    let number = |v: [ExprId; 3]| v.map(|e| constants.value(e).value());
    let bodies = (0..members.len()).filter(|b| members[*b]).map(|b| BodyId(b as u32));
    let chosen: BTreeMap<BodyId, Vec<Place>> =
        bodies.map(|body| (body, chosen(model, body, &links, axes, &number))).collect();
    let mut sharing = Sharing { chosen: &chosen, groups: Vec::new() };
    let shared: Vec<&Link> = links.iter().filter(|link| sharing.join_all(&link.pairs)).collect();
    let groups = sharing.groups;
    let mut builder = Builder { model, groups, natural: Natural::default(), basics: BTreeMap::new() };
    builder.place(&chosen, &shared);
    builder.keep_rigid(&chosen, &number);
    builder.write_spins(&number);
    if builder.model.space == Space::Planar {
        builder.turn_joints();
        builder.count_turns();
    }
    builder.natural
}

fn unit(model: &mut Model, axis: usize) -> [ExprId; 3] {
    [0, 1, 2].map(|k| model.exprs.number(if k == axis { 1.0 } else { 0.0 }))
}
