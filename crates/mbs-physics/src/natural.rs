//! Bodies in natural coordinates, in the plane.
//!
//! A pair (x, y) of numbers is R u with the scaled rotation R = x 1 + y ẑ×, so that a basic point or vector b is a frame whose "cosine and sine"
//! are its coordinates, and every point of a body is a sum of such frames with constant components (αᵢ, βᵢ), affine in where it is:
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
//! M is constant, and nothing is quadratic in speeds. García de Jalón & Bayo (1994), *Kinematic and Dynamic Simulation of Multibody Systems*,
//! §4.2. How a body's moment of inertia is shared between the axes does not matter to (3): with one direction, motions of (1) keep angles; with
//! two, the rows do, and what they leave is the rotation of a rigid body, whose ½ I ω² is the same.

pub mod basis;

use std::collections::BTreeMap;

use mbs_definition::Space;
use mbs_expr::{BodyId, MarkerId, Scalar};
use mbs_model::{Basic, BodyKind, plane};

use crate::frame::rotate;
use crate::{Frame, FrameSum, Mechanics};

use basis::blocks;

/// Nonzero entries (i, j, Mᵢⱼ), i ≥ j, of a mass matrix.
type Entries<S> = Vec<(usize, usize, S)>;

/// Entries (i, j) of several bodies, in this order.
pub(super) fn sum_of_blocks<S: Scalar>(blocks: impl Iterator<Item = Entries<S>>) -> Entries<S> {
    let mut sums: BTreeMap<(usize, usize), S> = BTreeMap::new();
    for (i, j, x) in blocks.flatten() {
        sums.entry((i, j)).and_modify(|sum| *sum = *sum + x).or_insert(x);
    }
    sums.into_iter().map(|((i, j), m)| (i, j, m)).collect()
}

impl<S: Scalar> Mechanics<'_, S> {
    /// The mass matrix along basics, summed over the bodies in natural coordinates: i ≥ j.
    pub fn natural_mass(&self) -> Entries<S> {
        sum_of_blocks(self.natural_masses().into_iter().map(|(_, block)| block))
    }

    /// The mass matrix of each body in natural coordinates along its basics: nonzero entries, i ≥ j.
    pub(super) fn natural_masses(&self) -> Vec<(BodyId, Entries<S>)> {
        match self.model.space {
            Space::Planar => self.masses_in_the_plane().collect(),
            Space::Spatial => self.space.natural_masses(self.model, &|e| self.value(e)).collect(),
        }
    }

    /// (3) of each body in natural coordinates.
    fn masses_in_the_plane(&self) -> impl Iterator<Item = (BodyId, Entries<S>)> {
        (0..self.model.bodies.len() as u32).map(BodyId).filter_map(|body| {
            let basis = self.kinematics.body(body).basis.as_ref()?;
            let moments = self.moments(body);
            let mut block = Vec::new();
            for a in &basis.terms {
                for b in &basis.terms {
                    let (Some([ax, ay]), Some([bx, by])) = (a.coordinates, b.coordinates) else { continue };
                    let [dot, cross] = blocks(&moments, a, b);
                    block.extend([(ax, bx, dot), (ay, by, dot), (ax, by, -cross), (ay, bx, cross)]);
                }
            }
            block.retain(|(i, j, x)| i >= j && !x.is_zero());
            Some((body, block))
        })
    }

    /// ∫ (1, x, y) (1, x, y)ᵀ dm about the origin of a body, half of its moment of inertia along either axis.
    fn moments(&self, body: BodyId) -> [[S; 3]; 3] {
        let declared = &self.model.bodies[body.index()];
        let mass = self.value(declared.mass);
        let [x, y] = plane(declared.com).map(|e| self.value(e));
        let half = match declared.kind {
            BodyKind::Particle => S::number(0.0),
            BodyKind::Rigid => S::number(0.5) * self.value(declared.inertia[2]),
        };
        let [first_x, first_y] = [mass * x, mass * y];
        [
            [mass, first_x, first_y],
            [first_x, first_x * x + half, first_x * y],
            [first_y, first_x * y, first_y * y + half],
        ]
    }

    /// (4) of a body in natural coordinates: ∂θ/∂(solver coordinates).
    pub(super) fn natural_turning(&self, body: BodyId) -> Option<Vec<(usize, S)>> {
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

    /// World components of a basic point or vector that is a coordinate: index into [`Natural::basics`](mbs_model::Natural::basics).
    pub(super) fn basic_coordinates(&self, i: u32) -> [S; 2] {
        let placed = self.kinematics.basics.iter().find(|(of, _)| *of == i as usize);
        let (_, frame) = placed.expect("rows observe basics of bodies that are placed by them");
        let Frame { cos, sin, .. } = self.kinematics.frames[*frame];
        [cos, sin]
    }

    /// World components of a basic point or vector, on poses in any coordinates.
    pub fn basic(&self, basic: &Basic) -> [S; 2] {
        let at = plane(basic.at).map(|e| self.value(e));
        let Some(body) = basic.body else { return at };
        let state = self.kinematics.body(body);
        match basic.is_point {
            true => self.kinematics.world_sum(&state.point(at)),
            false => self.kinematics.world(state.frame, state.to_frame(at)),
        }
    }

    /// Rate of a body's angle: x̂ × dx̂/dt of one in natural coordinates, also where x̂ is no unit vector.
    pub fn turning_rate(&self, body: BodyId) -> S {
        let state = self.kinematics.body(body);
        if state.basis.is_none() || self.model.bodies[body.index()].kind == BodyKind::Particle {
            return self.kinematics.angle(body).rate();
        }
        let Frame { cos, sin, .. } = self.kinematics.frames[state.frame];
        cos * sin.rate() - sin * cos.rate()
    }

    /// ∂(an axis of a marker)/∂(solver coordinates), of a body in natural coordinates.
    pub(super) fn natural_axis(&self, marker: MarkerId, axis: u8) -> Option<Vec<(usize, [S; 2])>> {
        let basis = self.kinematics.body(self.model.markers[marker.index()].body?).basis.as_ref()?;
        Some(basis.direction_columns(self.in_body(marker, axis)))
    }

    /// An axis of a marker, of a body in natural coordinates.
    pub(super) fn natural_direction(&self, marker: MarkerId, axis: u8) -> Option<FrameSum<S>> {
        let basis = self.kinematics.body(self.model.markers[marker.index()].body?).basis.as_ref()?;
        Some(basis.direction(self.in_body(marker, axis)))
    }

    /// An axis of a marker in the axes of its body.
    fn in_body(&self, marker: MarkerId, axis: u8) -> [S; 2] {
        let unit = [S::number(1.0 - f64::from(axis)), S::number(f64::from(axis))];
        rotate(self.value(self.model.markers[marker.index()].angle), unit)
    }

    /// M_body q̈ of each body, along its basics.
    pub(super) fn inertia_along_basics(&self) -> BTreeMap<(BodyId, usize), [S; 2]> {
        let mut forces = BTreeMap::new();
        for body in (0..self.model.bodies.len() as u32).map(BodyId) {
            let Some(basis) = &self.kinematics.body(body).basis else { continue };
            let moments = self.moments(body);
            for a in &basis.terms {
                let mut sum = [S::number(0.0); 2];
                for b in &basis.terms {
                    let Some(own) = b.coordinates else { continue };
                    let [x, y] = own.map(|k| self.coordinates[k].rate().rate());
                    let [dot, cross] = blocks(&moments, a, b);
                    sum = [sum[0] + (dot * x - cross * y), sum[1] + (cross * x + dot * y)];
                }
                forces.insert((body, a.frame), sum);
            }
        }
        forces
    }
}
