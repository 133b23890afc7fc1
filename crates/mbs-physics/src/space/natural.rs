//! Bodies in natural coordinates, in space.
//!
//! Let d̄ₖ, the columns of X, be the differences of the basic points of a body from its first one, and its basic vectors, in body axes; dₖ are
//! their world components. Every point of the body is a combination of its basics bᵢ whose coefficients are affine in the point's location r:
//!
//! ```text
//! (1)  p(r) = b₁ + Σₖ (X⁻¹ (r − r̄₁))ₖ dₖ = Σᵢ γᵢ(r) bᵢ        γᵢ(r) = γᵢ(0) + gᵢ·r
//! (2)  Mᵢⱼ = ∫ γᵢ γⱼ dm 1                                      from ∫ (1, r) (1, r)ᵀ dm
//! (3)  ω = ½ Σₖ x̂ₖ × dx̂ₖ/dt,  x̂ₖ = Σᵢ (gᵢ)ₖ bᵢ               a moment m equals forces ½ m × Σₖ (gᵢ)ₖ x̂ₖ on bᵢ
//! (4)  bars, one direction d:  γ(r) = d̄·(r − r̄₁)/d̄²,  ω = d × ḋ/d̄²,  forces m × d/d̄²
//! ```
//!
//! M is constant, and no force is quadratic in speeds. The coordinates of a bar do not describe a rotation about its line, and nothing depends on
//! one (`check::bars`); its axes are those of the rotation of least angle from the world's (`bar.rs`). García de Jalón & Bayo
//! (1994), *Kinematic and Dynamic Simulation of Multibody Systems*, §4.2.

use std::collections::BTreeMap;

mod bar;

pub use bar::off_axis_vector;

use super::basis::{BasisRotation, Combination, PlacedBasic, PlacedBasis};
use super::state::{LinkInputs, SpaceState};
use super::vector::{Vector3, is_zero, unit, zero};
use crate::{InterfaceCoordinate, Mechanics, SolverCoordinate, SpatialMechanics, Tree};
use mbs_expr::{BodyId, ExprId, MarkerId, Scalar};
use mbs_math::{Each, Vec3, Vector};
use mbs_model::{Basic, Basis, Body, Model};

impl<S: Scalar> SpaceState<S> {
    /// Sets the basics, and the bodies as combinations of them.
    pub(super) fn set_basics(&mut self, model: &Model, tree: &Tree, inputs: &LinkInputs<'_, S>) {
        let first = tree.interface.iter().position(|c| matches!(c, InterfaceCoordinate::Basic(..)));
        let mut next = first.unwrap_or(0);
        for (i, basic) in (0..).zip(&model.coordinates.natural.basics) {
            let speeds = basic.body.map(|_| {
                let index = |c: u8| tree.solver_index(SolverCoordinate::Basic(i, c));
                [0, 1, 2].each(|c| index(c).expect("basics that are not fixed are coordinates"))
            });
            let motion = match speeds {
                None => [Vector(basic.components).map(inputs.value), zero(), zero()],
                Some(speeds) => {
                    let q = [0, 1, 2].each(|k| inputs.q[next + k]);
                    next += 3;
                    [q, speeds.each(|k| inputs.v[k]), speeds.each(|k| inputs.a[k])].each(Vector)
                }
            };
            self.basics.push(PlacedBasic { motion, speeds });
        }
        let placed_basis = |(body, basis): (&Body, &Option<Basis>)| {
            basis.as_ref().map(|basis| PlacedBasis::new(basis, body.kind, inputs.value))
        };
        self.natural = model.bodies.iter().zip(&model.coordinates.natural.bodies).map(placed_basis).collect();
    }

    /// A body in natural coordinates as a combination of basics; `None` for other bodies.
    pub fn basis(&self, body: usize) -> Option<&PlacedBasis<S>> {
        self.natural.get(body)?.as_ref()
    }

    /// Σ γᵢ bᵢ of a combination: value, first and second rate.
    fn combined(&self, all: &Combination<S>) -> [Vector3<S>; 3] {
        let mut sum = [zero(); 3];
        for (i, factor) in all {
            let motion = &self.basics[*i].motion;
            (0..3).for_each(|k| sum[k] += motion[k] * *factor);
        }
        sum
    }

    /// World component c of basic i, with its rates.
    pub(crate) fn basic_component(&self, i: usize, c: usize) -> S {
        let [x, v, a] = &self.basics[i].motion;
        x[c].with_rate(v[c].with_rate(a[c]))
    }

    /// World position of the point `r` of a body, in body axes: value, first and second rate.
    pub(super) fn natural_point(&self, basis: &PlacedBasis<S>, r: Vector3<S>) -> [Vector3<S>; 3] {
        let [x, v, a] = self.combined(&basis.point_coefficients(r));
        [x + basis.particle_offset(r), v, a]
    }

    /// World components of the vector `u` of a body, in body axes: value, first and second rate.
    pub(super) fn natural_vector(&self, basis: &PlacedBasis<S>, u: Vector3<S>) -> [Vector3<S>; 3] {
        match basis.rotation {
            BasisRotation::None => [u, zero(), zero()],
            BasisRotation::NormalTo(line) if !is_zero(line.cross(u)) => {
                off_axis_vector(line, self.combined(&basis.vector_coefficients(line)), u)
            }
            _ => self.combined(&basis.vector_coefficients(u)),
        }
    }

    /// World components of the axes of a body, as columns.
    pub(super) fn natural_axes(&self, basis: &PlacedBasis<S>) -> [Vector3<S>; 3] {
        [0, 1, 2].each(|k| self.natural_vector(basis, unit(k))[0])
    }

    /// World components of the vector `u` of a body, in body axes.
    pub(super) fn to_world(&self, basis: &PlacedBasis<S>, u: Vector3<S>) -> Vector3<S> {
        self.natural_vector(basis, u)[0]
    }

    /// Angular velocity ω of a body and its rate, world axes, by (3) or (4).
    pub(super) fn natural_angular_velocity(&self, basis: &PlacedBasis<S>) -> [Vector3<S>; 2] {
        match basis.rotation {
            BasisRotation::None => [zero(); 2],
            BasisRotation::NormalTo(line) => {
                let [d, v, a] = self.natural_vector(basis, line);
                let over = S::number(1.0) / line.dot(line);
                [v, a].each(|rate| d.cross(rate) * over)
            }
            BasisRotation::Free => {
                let axes = [0, 1, 2].each(|k| self.natural_vector(basis, unit(k)));
                [1, 2].each(|rate| {
                    let sum = axes.iter().fold(zero(), |sum, axis| sum + axis[0].cross(axis[rate]));
                    sum * S::number(0.5)
                })
            }
        }
    }

    /// (speed, \[velocity of the point `r`, angular velocity\]) of a body for each unit speed of its basics, world axes.
    pub(super) fn natural_columns(&self, basis: &PlacedBasis<S>, r: Vector3<S>) -> Vec<(usize, [Vector3<S>; 2])> {
        let coefficients: BTreeMap<usize, S> = basis.point_coefficients(r).into_iter().collect();
        let rotations: BTreeMap<usize, Vector3<S>> = self.angular_velocity_terms(basis).into_iter().collect();
        let mut columns = Vec::new();
        for term in &basis.terms {
            let Some(speeds) = self.basics[term.basic].speeds else { continue };
            let coefficient = coefficients.get(&term.basic).copied().unwrap_or(S::number(0.0));
            let y = rotations.get(&term.basic).copied().unwrap_or_else(zero);
            for (c, speed) in speeds.into_iter().enumerate() {
                // The moment m has the power (m × y)·ḃ = m·(y × ḃ).
                columns.push((speed, [unit(c) * coefficient, y.cross(unit(c))]));
            }
        }
        columns
    }

    /// Vectors y of (3) and (4), by basic: ω = Σ y × ḃ.
    fn angular_velocity_terms(&self, basis: &PlacedBasis<S>) -> Vec<(usize, Vector3<S>)> {
        let y = |k: usize| match basis.rotation {
            BasisRotation::None => zero(),
            BasisRotation::NormalTo(line) => {
                // g is ± d̄/d̄².
                self.natural_vector(basis, line)[0] * (basis.terms[k].gradient.dot(line) / line.dot(line))
            }
            BasisRotation::Free => self.natural_vector(basis, basis.terms[k].gradient)[0] * S::number(0.5),
        };
        let all = (0..basis.terms.len()).map(|k| (basis.terms[k].basic, y(k)));
        all.filter(|(_, y)| !is_zero(*y)).collect()
    }

    /// Forces on the basics of a body, by basic, that are equivalent to a force at a point (body axes) and a moment on the body; all world axes.
    pub(crate) fn forces_on_basics(
        &self,
        basis: &PlacedBasis<S>,
        point: Vector3<S>,
        [force, moment]: [Vector3<S>; 2],
    ) -> Vec<(usize, Vector3<S>)> {
        let mut all = Vec::new();
        if !is_zero(force) {
            all.extend(basis.point_coefficients(point).into_iter().map(|(i, coefficient)| (i, force * coefficient)));
        }
        if !is_zero(moment) {
            all.extend(self.angular_velocity_terms(basis).into_iter().map(|(i, y)| (i, moment.cross(y))));
        }
        all
    }

    /// Forces on the basics of a body, by basic, that are equivalent to a load with the power load·u̇, where u is a vector of the body.
    pub(crate) fn forces_on_vector(
        &self,
        basis: &PlacedBasis<S>,
        u: Vector3<S>,
        load: Vector3<S>,
    ) -> Vec<(usize, Vector3<S>)> {
        match basis.rotation {
            BasisRotation::None => Vec::new(),
            _ => basis.vector_coefficients(u).into_iter().map(|(i, coefficient)| (i, load * coefficient)).collect(),
        }
    }

    /// Indices of the speeds of a basic; `None` if it is fixed on ground.
    pub(crate) fn basic_speeds(&self, basic: usize) -> Option<[usize; 3]> {
        self.basics[basic].speeds
    }

    /// Mass matrix (2) of each body in natural coordinates: nonzero entries, i ≥ j.
    pub(crate) fn natural_masses(
        &self,
        model: &Model,
        value: &dyn Fn(ExprId) -> S,
    ) -> impl Iterator<Item = (BodyId, Vec<(usize, usize, S)>)> {
        (0..).map(BodyId).zip(model.bodies.iter().zip(&self.natural)).filter_map(move |(id, (body, basis))| {
            let basis = basis.as_ref()?;
            let mut block = Vec::new();
            for (a, row) in basis.terms.iter().zip(basis.mass_matrix(body, value)) {
                for (b, m) in basis.terms.iter().zip(row).filter(|(_, m)| !m.is_zero()) {
                    let (Some(a), Some(b)) = (self.basics[a.basic].speeds, self.basics[b.basic].speeds) else {
                        continue;
                    };
                    block.extend(a.into_iter().zip(b).filter(|(i, j)| i >= j).map(|(i, j)| (i, j, m)));
                }
            }
            Some((id, block))
        })
    }

    /// Inertial forces M_body q̈ on the basics of a body, by basic, world axes.
    pub(crate) fn inertial_forces_on_basics(
        &self,
        body: &Body,
        basis: &PlacedBasis<S>,
        value: &dyn Fn(ExprId) -> S,
    ) -> Vec<(usize, Vector3<S>)> {
        let force = |row: Vec<S>| {
            let parts = basis.terms.iter().zip(row);
            parts.fold(zero(), |sum, (term, m)| sum + self.basics[term.basic].motion[2] * m)
        };
        basis.terms.iter().zip(basis.mass_matrix(body, value)).map(|(term, row)| (term.basic, force(row))).collect()
    }
}

impl<'a, S: Scalar> SpatialMechanics<'a, '_, S> {
    /// The body of a marker as a combination of basics; `None` unless it is in natural coordinates.
    pub(crate) fn basis_of(&self, marker: MarkerId) -> Option<&PlacedBasis<S>> {
        self.state.basis(self.model.markers[marker.index()].body?.index())
    }
}

impl<S: Scalar> Mechanics<'_, S> {
    /// Components in body axes of a marker's x axis (0), y axis (1) or z axis (2).
    pub(crate) fn axis_in_body(&self, marker: MarkerId, axis: u8) -> Vector3<S> {
        match self.model.markers[marker.index()].rotation {
            Some(axes) => self.vector(axes[usize::from(axis)]),
            None => unit(usize::from(axis)),
        }
    }
}

impl<S: Scalar> SpatialMechanics<'_, '_, S> {
    /// In space, world components of a basic point or vector, from the pose of its body in any coordinates.
    pub fn spatial_basic(&self, basic: &Basic) -> Vec3<S> {
        let x = self.vector(basic.components);
        match (basic.body, basic.is_point) {
            (None, _) => x,
            (Some(body), true) => self.state.point(body.index(), x),
            (Some(body), false) => self.state.direction(body.index(), x),
        }
    }

    /// In space, generalised inertial forces along the solver's speeds: M a and terms quadratic in speeds, minus those of the weights if `gravity` is
    /// set. Shape: n_v.
    pub fn spatial_inertial_forces(&self, gravity: bool) -> Vec<S> {
        let inertial = self.state.inertial(&self.state.regrouped(self.tree), gravity);
        let mut forces = self.state.project(self.tree, inertial);
        for (i, force) in self.natural_inertial_forces(gravity) {
            forces[i] = forces[i] + force;
        }
        forces
    }

    /// Part of [`Self::spatial_inertial_forces`] due to bodies in natural coordinates, by speed.
    pub(super) fn natural_inertial_forces(&self, gravity: bool) -> Vec<(usize, S)> {
        let mut all = Vec::new();
        for (b, body) in self.model.bodies.iter().enumerate() {
            let Some(basis) = self.state.basis(b) else { continue };
            all.extend(self.state.inertial_forces_on_basics(body, basis, &|e| self.value(e)));
            if gravity {
                all.extend(self.weight_on_basics(BodyId(b as u32)).into_iter().map(|(i, w)| (i, zero() - w)));
            }
        }
        self.forces_by_speed(all)
    }

    /// Forces on the basics of a body, by basic, that are equivalent to its weight.
    pub(crate) fn weight_on_basics(&self, body: BodyId) -> Vec<(usize, Vector3<S>)> {
        let (Some(gravity), Some(basis)) = (self.model.loads.gravity, self.state.basis(body.index())) else {
            return Vec::new();
        };
        let declared = &self.model.bodies[body.index()];
        let mass = self.value(declared.mass);
        let weight = self.vector(gravity) * mass;
        let com = self.vector(declared.com);
        self.state.forces_on_basics(basis, com, [weight, zero()])
    }

    /// Generalised forces along the solver's speeds, without zeros, of forces on basics.
    pub(super) fn forces_by_speed(&self, forces: Vec<(usize, Vector3<S>)>) -> Vec<(usize, S)> {
        let mut all = Vec::new();
        for (i, force) in forces {
            let Some(speeds) = self.state.basic_speeds(i) else { continue };
            all.extend(speeds.into_iter().zip(force.0).filter(|(_, x)| !x.is_zero()));
        }
        all
    }
}
