//! Natural coordinates: the basic points and vectors that place bodies, and the rows that keep bodies rigid.
//!
//! A basic point or vector is a pair of coordinates, in space three, and every point of a body is a combination of its basics whose
//! coefficients are constant. A joint that makes a point, or a direction, of one body coincide with that of another needs no equation for it where
//! both are basic: the bodies share it. A basic point or vector that is fixed on ground is a constant.
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

mod coincidences;
mod momenta;
mod revolutions;
mod rows;
mod selection;

use std::collections::BTreeMap;

use mbs_definition::Space;
use mbs_expr::{BodyId, ExprId, Series};
use mbs_model::{Formulation, Model, Natural};

use crate::{Mechanics, Tree, default_variables};

use coincidences::{Candidate, Coincidence, coincidences};
use rows::Builder;
use selection::{Sharing, select_basis};

/// Gives all bodies one kind of coordinates, whatever was declared, and chooses their basics.
pub fn set_formulation(model: &mut Model, formulation: Formulation) {
    model.coordinates.formulation = formulation;
    model.bodies.iter_mut().for_each(|b| b.formulation = None);
    choose_basics(model);
}

/// Chooses basic points and vectors, with their rows, of the bodies that are in natural coordinates: overwrites `Coordinates::natural`.
pub fn choose_basics(model: &mut Model) {
    model.coordinates.natural = Natural::default();
    let is_natural =
        |b: &mbs_model::Body| b.formulation.unwrap_or(model.coordinates.formulation) == Formulation::Natural;
    let members: Vec<bool> = model.bodies.iter().map(is_natural).collect();
    if !members.contains(&true) {
        return;
    }
    model.coordinates.natural = build_natural(model, &members);
}

/// Builds natural coordinates of the bodies that `members` marks: basic points and vectors, shared where joints permit it, with their rows.
fn build_natural(model: &mut Model, members: &[bool]) -> Natural {
    let axes = [0, 1, 2].map(|k| unit_vector(model, k));
    let coincidences = coincidences(model, members, axes);
    let body_model = in_formulation(model, Formulation::Body);
    let tree = Tree::new(&body_model);
    let rest = vec![Series::<2>::constant(0.0); tree.n_q()];
    let constants = Mechanics::at_solver_coordinates(&body_model, &tree, default_variables(&body_model, &tree), rest);
    let evaluate = |v: [ExprId; 3]| v.map(|e| constants.value(e).value());
    let bodies = (0..members.len()).filter(|b| members[*b]).map(|b| BodyId(b as u32));
    let bases: BTreeMap<BodyId, Vec<Candidate>> =
        bodies.map(|body| (body, select_basis(model, body, &coincidences, axes, &evaluate))).collect();
    let mut sharing = Sharing { bases: &bases, groups: Vec::new() };
    let shared: Vec<&Coincidence> = coincidences.iter().filter(|c| sharing.join_all(&c.pairs)).collect();
    let groups = sharing.groups;
    let mut builder = Builder { model, groups, natural: Natural::default(), basics: BTreeMap::new() };
    builder.add_basics(&bases, &shared);
    builder.add_rigid_rows(&bases, &evaluate);
    builder.substitute_momenta(&evaluate);
    if builder.model.space == Space::Planar {
        builder.replace_angle_rows();
        builder.add_continuous_angles();
    }
    builder.natural
}

/// A copy of the model with all bodies in one formulation, whatever was declared.
pub fn in_formulation(model: &Model, formulation: Formulation) -> Model {
    let mut model = model.clone();
    set_formulation(&mut model, formulation);
    model
}

/// Unit vector along axis k, of literals.
fn unit_vector(model: &mut Model, axis: usize) -> [ExprId; 3] {
    [0, 1, 2].map(|k| model.exprs.constant(if k == axis { 1.0 } else { 0.0 }))
}
