//! Bodies in natural coordinates, in space.
//!
//! With the columns d̄ₖ of X, differences of basic points of a body to its first one and basic vectors, in its axes, and dₖ the same in the
//! world, every point of the body is a combination of its basics bᵢ whose coefficients are affine in where it is:
//!
//! ```text
//! (1)  p(r) = b₁ + Σₖ (X⁻¹ (r − r̄₁))ₖ dₖ = Σᵢ γᵢ(r) bᵢ        γᵢ(r) = γᵢ(0) + gᵢ·r
//! (2)  Mᵢⱼ = ∫ γᵢ γⱼ dm 1                                      from ∫ (1, r) (1, r)ᵀ dm
//! (3)  ω = ½ Σₖ x̂ₖ × dx̂ₖ/dt,  x̂ₖ = Σᵢ (gᵢ)ₖ bᵢ               a moment m is forces ½ m × Σₖ (gᵢ)ₖ x̂ₖ along bᵢ
//! (4)  bars, one direction d:  γ(r) = d̄·(r − r̄₁)/d̄²,  ω = d × ḋ/d̄²,  forces m × d/d̄²
//! ```
//!
//! M is constant, and no force is quadratic in speeds. Bars do not rotate about their line, and nothing depends on such a rotation
//! ([`check::bars`](mbs_check)); their axes are shown by the rotation of least angle from the world's (`bar.rs`). García de Jalón & Bayo
//! (1994), *Kinematic and Dynamic Simulation of Multibody Systems*, §4.2.

use std::collections::BTreeMap;

mod bar;

use super::basis::{Combination, PlacedBasic, PlacedBasis, Turns};
use super::state::{Given, SpaceState};
use super::vector::{Vector3, is_zero, unit, zero};
use crate::{InterfaceCoordinate, Mechanics, SolverCoordinate, Tree};
use mbs_expr::{BodyId, ExprId, MarkerId, Scalar};
use mbs_math::{Vec3, Vector};
use mbs_model::{Basic, Basis, Body, Model};

impl<S: Scalar> SpaceState<S> {
    /// Places all basics, and finds how bodies stand on them.
    pub(super) fn place_basics(&mut self, model: &Model, tree: &Tree, given: &Given<'_, S>) {
        let first = tree.interface.iter().position(|c| matches!(c, InterfaceCoordinate::Basic(..)));
        let mut next = first.unwrap_or(0);
        for (i, basic) in (0..).zip(&model.natural.basics) {
            let speeds = basic.body.map(|_| {
                let index = |c: u8| tree.index_of(SolverCoordinate::Basic(i, c));
                [0, 1, 2].map(|c| index(c).expect("basics that are not fixed are coordinates"))
            });
            let motion = match speeds {
                None => [Vector(basic.at.map(given.value)), zero(), zero()],
                Some(speeds) => {
                    let q = [0, 1, 2].map(|k| given.q[next + k]);
                    next += 3;
                    [q, speeds.map(|k| given.v[k]), speeds.map(|k| given.a[k])].map(Vector)
                }
            };
            self.basics.push(PlacedBasic { motion, speeds });
        }
        let on = |(body, basis): (&Body, &Option<Basis>)| {
            basis.as_ref().map(|basis| PlacedBasis::new(basis, body.kind, given.value))
        };
        self.natural = model.bodies.iter().zip(&model.natural.bodies).map(on).collect();
    }

    /// How a body stands on basics, if it does.
    pub fn basis(&self, body: usize) -> Option<&PlacedBasis<S>> {
        self.natural.get(body)?.as_ref()
    }

    /// Σ factors b, with rates.
    fn combined(&self, all: &Combination<S>) -> [Vector3<S>; 3] {
        let mut sum = [zero(); 3];
        for (i, factor) in all {
            let motion = &self.basics[*i].motion;
            (0..3).for_each(|k| sum[k] += motion[k] * *factor);
        }
        sum
    }

    /// A component of a basic with its rates.
    pub(crate) fn basic_component(&self, i: usize, c: usize) -> S {
        let [x, v, a] = &self.basics[i].motion;
        x[c].with_rate(v[c].with_rate(a[c]))
    }

    /// World position of a point, with its rates apart.
    pub(super) fn natural_point(&self, basis: &PlacedBasis<S>, r: Vector3<S>) -> [Vector3<S>; 3] {
        let [x, v, a] = self.combined(&basis.at(r));
        [x + basis.off(r), v, a]
    }

    /// World components of a vector of a body, with its rates apart.
    pub(super) fn natural_vector(&self, basis: &PlacedBasis<S>, u: Vector3<S>) -> [Vector3<S>; 3] {
        match basis.turns {
            Turns::No => [u, zero(), zero()],
            Turns::Across(along) if !is_zero(along.cross(u)) => {
                bar::carried(along, self.combined(&basis.along(along)), u)
            }
            _ => self.combined(&basis.along(u)),
        }
    }

    /// World components of the axes of a body, as columns.
    pub(super) fn natural_axes(&self, basis: &PlacedBasis<S>) -> [Vector3<S>; 3] {
        [0, 1, 2].map(|k| self.natural_vector(basis, unit(k))[0])
    }

    /// World components of a vector of a body.
    pub(super) fn to_world(&self, basis: &PlacedBasis<S>, u: Vector3<S>) -> Vector3<S> {
        self.natural_vector(basis, u)[0]
    }

    /// (3) and (4): ω and its rate.
    pub(super) fn natural_spin(&self, basis: &PlacedBasis<S>) -> [Vector3<S>; 2] {
        match basis.turns {
            Turns::No => [zero(); 2],
            Turns::Across(along) => {
                let [d, v, a] = self.natural_vector(basis, along);
                let over = S::number(1.0) / along.dot(along);
                [v, a].map(|rate| d.cross(rate) * over)
            }
            Turns::Freely => {
                let turned = [0, 1, 2].map(|k| self.natural_vector(basis, unit(k)));
                [1, 2].map(|rate| {
                    let sum = turned.iter().fold(zero(), |sum, axis| sum + axis[0].cross(axis[rate]));
                    sum * S::number(0.5)
                })
            }
        }
    }

    /// Speeds that move a point of a body: velocities of the point, and angular velocities.
    pub(super) fn natural_columns(&self, basis: &PlacedBasis<S>, r: Vector3<S>) -> Vec<(usize, [Vector3<S>; 2])> {
        let at: BTreeMap<usize, S> = basis.at(r).into_iter().collect();
        let turning: BTreeMap<usize, Vector3<S>> = self.turning(basis).into_iter().collect();
        let mut columns = Vec::new();
        for term in &basis.terms {
            let Some(speeds) = self.basics[term.basic].speeds else { continue };
            let factor = at.get(&term.basic).copied().unwrap_or(S::number(0.0));
            let turned = turning.get(&term.basic).copied().unwrap_or_else(zero);
            for (c, speed) in speeds.into_iter().enumerate() {
                // The moment m has the power (m × y)·ḃ = m·(y × ḃ).
                columns.push((speed, [unit(c) * factor, turned.cross(unit(c))]));
            }
        }
        columns
    }

    /// y of (3) and (4) by basic: ω = Σ y × ḃ.
    fn turning(&self, basis: &PlacedBasis<S>) -> Vec<(usize, Vector3<S>)> {
        let along = |k: usize| match basis.turns {
            Turns::No => zero(),
            Turns::Across(along) => {
                // g is ± d̄/d̄².
                self.natural_vector(basis, along)[0] * (basis.terms[k].derivatives.dot(along) / along.dot(along))
            }
            Turns::Freely => self.natural_vector(basis, basis.terms[k].derivatives)[0] * S::number(0.5),
        };
        let all = (0..basis.terms.len()).map(|k| (basis.terms[k].basic, along(k)));
        all.filter(|(_, y)| !is_zero(*y)).collect()
    }

    /// Forces along the basics of a body, by basic, that are equivalent to a world force at a point and a moment on the body.
    pub(crate) fn along_basics(
        &self,
        basis: &PlacedBasis<S>,
        point: Vector3<S>,
        [force, moment]: [Vector3<S>; 2],
    ) -> Vec<(usize, Vector3<S>)> {
        let mut all = Vec::new();
        if !is_zero(force) {
            all.extend(basis.at(point).into_iter().map(|(i, factor)| (i, force * factor)));
        }
        if !is_zero(moment) {
            all.extend(self.turning(basis).into_iter().map(|(i, y)| (i, moment.cross(y))));
        }
        all
    }

    /// Forces along the basics of a body, by basic, that are equivalent to a load along a vector of the body.
    pub(crate) fn along_vector(
        &self,
        basis: &PlacedBasis<S>,
        u: Vector3<S>,
        load: Vector3<S>,
    ) -> Vec<(usize, Vector3<S>)> {
        match basis.turns {
            Turns::No => Vec::new(),
            _ => basis.along(u).into_iter().map(|(i, factor)| (i, load * factor)).collect(),
        }
    }

    /// Speeds along a basic; none of one on ground.
    pub(crate) fn speeds_of(&self, basic: usize) -> Option<[usize; 3]> {
        self.basics[basic].speeds
    }

    /// (2) of each body in natural coordinates: nonzero entries, i ≥ j.
    pub(crate) fn natural_masses(
        &self,
        model: &Model,
        value: &dyn Fn(ExprId) -> S,
    ) -> impl Iterator<Item = (BodyId, Vec<(usize, usize, S)>)> {
        (0..).map(BodyId).zip(model.bodies.iter().zip(&self.natural)).filter_map(move |(id, (body, basis))| {
            let basis = basis.as_ref()?;
            let mut block = Vec::new();
            for (a, row) in basis.terms.iter().zip(basis.mass(body, value)) {
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

    /// M_body q̈ of a body along its basics.
    pub(crate) fn inertia_along_basics(
        &self,
        (body, basis): (&Body, &PlacedBasis<S>),
        value: &dyn Fn(ExprId) -> S,
    ) -> Vec<(usize, Vector3<S>)> {
        let along = |row: Vec<S>| {
            let parts = basis.terms.iter().zip(row);
            parts.fold(zero(), |sum, (term, m)| sum + self.basics[term.basic].motion[2] * m)
        };
        basis.terms.iter().zip(basis.mass(body, value)).map(|(term, row)| (term.basic, along(row))).collect()
    }
}

impl<S: Scalar> Mechanics<'_, S> {
    /// How the body of a marker stands on basics, if it does.
    pub(crate) fn basis_of(&self, marker: MarkerId) -> Option<&PlacedBasis<S>> {
        self.space.basis(self.model.markers[marker.index()].body?.index())
    }

    /// An axis of a marker in the axes of its body.
    pub(crate) fn axis_in_body(&self, marker: MarkerId, axis: u8) -> Vector3<S> {
        match self.model.markers[marker.index()].rotation {
            Some(axes) => self.vector(axes[usize::from(axis)]),
            None => unit(usize::from(axis)),
        }
    }

    /// World components of a basic point or vector, on poses in any coordinates of space.
    pub fn basic_in_space(&self, basic: &Basic) -> Vec3<S> {
        let at = self.vector(basic.at);
        match (basic.body, basic.is_point) {
            (None, _) => at,
            (Some(body), true) => self.space.point(body.index(), at),
            (Some(body), false) => self.space.direction(body.index(), at),
        }
    }

    /// Generalised inertial forces along the solver's speeds, in space: M a, less those of weight if `gravity` is set.
    pub fn inertial_in_space(&self, gravity: bool) -> Vec<S> {
        let inertial = self.space.inertial(&self.space.regrouped(self.tree), gravity);
        let mut forces = self.space.project(self.tree, inertial);
        for (i, force) in self.natural_inertial(gravity) {
            forces[i] = forces[i] + force;
        }
        forces
    }

    /// Part of [`Self::inertial_in_space`] due to bodies in natural coordinates, by speed.
    pub(super) fn natural_inertial(&self, gravity: bool) -> Vec<(usize, S)> {
        let mut all = Vec::new();
        for (b, body) in self.model.bodies.iter().enumerate() {
            let Some(basis) = self.space.basis(b) else { continue };
            all.extend(self.space.inertia_along_basics((body, basis), &|e| self.value(e)));
            if gravity {
                all.extend(self.weight_along_basics(BodyId(b as u32)).into_iter().map(|(i, w)| (i, zero() - w)));
            }
        }
        self.by_speed(all)
    }

    /// Weight of a body along its basics.
    pub(crate) fn weight_along_basics(&self, body: BodyId) -> Vec<(usize, Vector3<S>)> {
        let (Some(gravity), Some(basis)) = (self.model.gravity, self.space.basis(body.index())) else {
            return Vec::new();
        };
        let declared = &self.model.bodies[body.index()];
        let mass = self.value(declared.mass);
        let weight = self.vector(gravity) * mass;
        let com = self.vector(declared.com);
        self.space.along_basics(basis, com, [weight, zero()])
    }

    /// Forces along basics by the solver's speeds.
    pub(super) fn by_speed(&self, forces: Vec<(usize, Vector3<S>)>) -> Vec<(usize, S)> {
        let of = |(i, force): (usize, Vector3<S>)| {
            self.space.speeds_of(i).into_iter().flat_map(move |speeds| speeds.into_iter().zip(force.0))
        };
        forces.into_iter().flat_map(of).filter(|(_, x)| !x.is_zero()).collect()
    }
}
