//! Bodies in natural coordinates, in the plane.
//!
//! A pair (x, y) of numbers defines the scaled rotation R = x 1 + y ẑ×, so that a basic point or vector b is a frame whose "cosine and sine" are
//! its coordinates. Every point of a body is a sum of such frames with constant components (αᵢ, βᵢ), which are affine in the point's location r:
//!
//! ```text
//! (1)  p(r) = Σᵢ (αᵢ(r) 1 + βᵢ(r) ẑ×) bᵢ
//! (2)  point and vector:  κ = (r − r̄)/ū,        p = b₁ + κ u           as complex numbers
//!      two points:        κ = (r − r̄₁)/(r̄₂ − r̄₁),  p = (1 − κ) b₁ + κ b₂
//!      two directions:    α = [ū v̄]⁻¹ (r − r̄₁),     p = b₁ + α₁ u + α₂ v,  u and v vectors or differences bᵢ − b₁
//! (3)  Mᵢⱼ = ∫ (αᵢαⱼ + βᵢβⱼ) 1 + (αᵢβⱼ − βᵢαⱼ) ẑ× dm       from ∫ (1, r) (1, r)ᵀ dm
//! (4)  δθ = x̂ × δx̂,    x̂ = Σᵢ (αᵢ,ₓ 1 + βᵢ,ₓ ẑ×) bᵢ
//! ```
//!
//! M is constant, and no term is quadratic in speeds. García de Jalón & Bayo (1994), *Kinematic and Dynamic Simulation of Multibody Systems*,
//! §4.2. The distribution of a body's moment of inertia over its two axes does not matter in (3): with one direction, motions of (1) keep
//! angles; with two, the rows do, and the remaining rotation of a rigid body has the energy ½ I ω² for every distribution.

pub mod basis;

use std::collections::BTreeMap;

use mbs_expr::{BodyId, ExprId, MarkerId, Scalar};
use mbs_math::Each;
use mbs_model::{Basic, Body, BodyKind, plane};

use crate::frame::rotate;
use crate::{Frame, FrameSum, Mechanics, PlanarMechanics, Poses};

use basis::mass_block;

/// Nonzero entries (i, j, Mᵢⱼ), i ≥ j, of a mass matrix.
type Entries<S> = Vec<(usize, usize, S)>;

/// Sum of the matrices of several bodies, entries in ascending order of (i, j).
pub(super) fn sum_of_blocks<S: Scalar>(blocks: impl Iterator<Item = Entries<S>>) -> Entries<S> {
    let mut sums: BTreeMap<(usize, usize), S> = BTreeMap::new();
    for block in blocks {
        for (i, j, x) in block {
            sums.entry((i, j)).and_modify(|sum| *sum = *sum + x).or_insert(x);
        }
    }
    sums.into_iter().map(|((i, j), m)| (i, j, m)).collect()
}

/// ∫ (1, x, y) (1, x, y)ᵀ dm about the origin of a planar body, in its axes, with half of its central moment of inertia for either axis.
pub fn planar_moments<S: Scalar>(body: &Body, value: &dyn Fn(ExprId) -> S) -> [[S; 3]; 3] {
    let mass = value(body.mass);
    let [x, y] = plane(body.com).each(value);
    let half = match body.kind {
        BodyKind::Particle => S::number(0.0),
        BodyKind::Rigid => S::number(0.5) * value(body.inertia[2]),
    };
    let [first_x, first_y] = [mass * x, mass * y];
    [[mass, first_x, first_y], [first_x, first_x * x + half, first_x * y], [first_y, first_x * y, first_y * y + half]]
}

impl<S: Scalar> Mechanics<'_, S> {
    /// The mass matrix of all bodies in natural coordinates, with respect to the rates of their basics: entries i ≥ j.
    pub fn natural_mass(&self) -> Entries<S> {
        sum_of_blocks(self.natural_masses().into_iter().map(|(_, block)| block))
    }

    /// The mass matrix of each body in natural coordinates, with respect to the rates of its basics: nonzero entries, i ≥ j.
    pub(super) fn natural_masses(&self) -> Vec<(BodyId, Entries<S>)> {
        match &self.poses {
            Poses::Planar(_) => self.planar().natural_masses_of_bodies(),
            Poses::Spatial(state) => state.natural_masses(self.model, &|e| self.value(e)).collect(),
        }
    }
}

impl<S: Scalar> PlanarMechanics<'_, '_, S> {
    /// (3) of each body in natural coordinates.
    fn natural_masses_of_bodies(&self) -> Vec<(BodyId, Entries<S>)> {
        let bodies = (0..self.model.bodies.len() as u32).map(BodyId);
        let masses = bodies.filter_map(|body| {
            let basis = self.kinematics.body(body).basis.as_ref()?;
            let moments = self.moments(body);
            let mut block = Vec::new();
            for a in &basis.terms {
                for b in &basis.terms {
                    let (Some([ax, ay]), Some([bx, by])) = (a.coordinates, b.coordinates) else { continue };
                    let [dot, cross] = mass_block(&moments, a, b);
                    block.extend([(ax, bx, dot), (ay, by, dot), (ax, by, -cross), (ay, bx, cross)]);
                }
            }
            block.retain(|(i, j, x)| i >= j && !x.is_zero());
            Some((body, block))
        });
        masses.collect()
    }

    /// [`planar_moments`] of a body.
    fn moments(&self, body: BodyId) -> [[S; 3]; 3] {
        planar_moments(&self.model.bodies[body.index()], &|e| self.value(e))
    }

    /// (4): ∂θ/∂q̂ of a body in natural coordinates; `None` for other bodies.
    pub(super) fn natural_angle_derivatives(&self, body: BodyId) -> Option<Vec<(usize, S)>> {
        let state = self.kinematics.body(body);
        let basis = state.basis.as_ref()?;
        if self.model.bodies[body.index()].kind == BodyKind::Particle {
            return Some(Vec::new());
        }
        let Frame { cos, sin, .. } = self.kinematics.frames[state.frame];
        let columns = basis.direction_columns([S::number(1.0), S::number(0.0)]).into_iter();
        let derivatives = columns.map(|(i, d)| (i, cos * d[1] - sin * d[0]));
        Some(derivatives.filter(|(_, derivative)| !derivative.is_zero()).collect())
    }

    /// World components of a basic point or vector that is a coordinate, or is fixed on ground. `i` is its index in
    /// [`Natural::basics`](mbs_model::Natural::basics).
    pub(super) fn basic_coordinates(&self, i: u32) -> [S; 2] {
        let found = self.kinematics.basics.iter().find(|(known, _)| *known == i as usize);
        let (_, frame) = found.expect("rows observe basics of bodies that are placed by them");
        let Frame { cos, sin, .. } = self.kinematics.frames[*frame];
        [cos, sin]
    }

    /// World components of a basic point or vector, from the pose of its body in any coordinates.
    pub fn basic(&self, basic: &Basic) -> [S; 2] {
        let x = plane(basic.components).each(|e| self.value(e));
        let Some(body) = basic.body else { return x };
        let state = self.kinematics.body(body);
        match basic.is_point {
            true => self.kinematics.world_sum(&state.point(x)),
            false => self.kinematics.world(state.frame, state.to_frame(x)),
        }
    }

    /// Rate θ̇ \[rad/s\] of a body's angle: x̂ × dx̂/dt in natural coordinates, also where x̂ is no unit vector.
    pub fn angle_rate(&self, body: BodyId) -> S {
        let state = self.kinematics.body(body);
        if state.basis.is_none() || self.model.bodies[body.index()].kind == BodyKind::Particle {
            return self.kinematics.angle(body).rate();
        }
        let Frame { cos, sin, .. } = self.kinematics.frames[state.frame];
        cos * sin.rate() - sin * cos.rate()
    }

    /// ∂d/∂q̂ of the x axis (0) or y axis (1) of a marker on a body in natural coordinates, world components; `None` for other bodies.
    pub(super) fn natural_axis(&self, marker: MarkerId, axis: u8) -> Option<Vec<(usize, [S; 2])>> {
        let basis = self.kinematics.body(self.model.markers[marker.index()].body?).basis.as_ref()?;
        Some(basis.direction_columns(self.planar_axis_in_body(marker, axis)))
    }

    /// The x axis (0) or y axis (1) of a marker on a body in natural coordinates; `None` for other bodies.
    pub(super) fn natural_direction(&self, marker: MarkerId, axis: u8) -> Option<FrameSum<S>> {
        let basis = self.kinematics.body(self.model.markers[marker.index()].body?).basis.as_ref()?;
        Some(basis.direction(self.planar_axis_in_body(marker, axis)))
    }

    /// Components in body axes of a marker's x axis (0) or y axis (1).
    fn planar_axis_in_body(&self, marker: MarkerId, axis: u8) -> [S; 2] {
        let unit = [S::number(1.0 - f64::from(axis)), S::number(f64::from(axis))];
        rotate(self.value(self.model.markers[marker.index()].angle), unit)
    }

    /// Inertial forces M_body q̈ of each body in natural coordinates, by body and frame of the basic, world axes.
    pub(super) fn inertial_forces_on_basics(&self) -> BTreeMap<(BodyId, usize), [S; 2]> {
        let mut forces = BTreeMap::new();
        for body in (0..self.model.bodies.len() as u32).map(BodyId) {
            let Some(basis) = &self.kinematics.body(body).basis else { continue };
            let moments = self.moments(body);
            for a in &basis.terms {
                let mut sum = [S::number(0.0); 2];
                for b in &basis.terms {
                    let Some(indices) = b.coordinates else { continue };
                    let [x, y] = indices.map(|k| self.coordinates[k].rate().rate());
                    let [dot, cross] = mass_block(&moments, a, b);
                    sum = [sum[0] + (dot * x - cross * y), sum[1] + (cross * x + dot * y)];
                }
                forces.insert((body, a.frame), sum);
            }
        }
        forces
    }
}
