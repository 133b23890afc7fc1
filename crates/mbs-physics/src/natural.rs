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

use std::collections::BTreeMap;

use mbs_definition::Space;
use mbs_expr::{BodyId, ExprId, Function2, MarkerId, Scalar};
use mbs_model::{Basic, BodyKind, Model, plane};

use crate::frame::rotate;
use crate::{BodyState, Frame, FrameSum, Kinematics, Mechanics, Motion, SolverCoordinate, Tree};

/// (1) of one body.
#[derive(Clone, Debug)]
pub struct PlacedBasis<S> {
    terms: Vec<Term<S>>,
    /// Basic points by where they are in the body.
    points: Vec<([S; 2], usize)>,
}

/// A basic point or vector with its frame, and where it is in the body.
#[derive(Clone, Copy, Debug)]
struct Framed<S> {
    frame: usize,
    coordinates: Option<[usize; 2]>,
    at: [S; 2],
}

/// One basic with its components (α, β).
#[derive(Clone, Copy, Debug)]
struct Term<S> {
    frame: usize,
    /// Solver coordinates; none of what is fixed on ground, and of the world's axes.
    coordinates: Option<[usize; 2]>,
    /// At the origin of the body.
    constant: [S; 2],
    /// Along its x and y.
    slopes: [[S; 2]; 2],
}

impl<S: Scalar> Term<S> {
    /// At a point of the body.
    fn at(&self, r: [S; 2]) -> [S; 2] {
        let along = self.along(r);
        [0, 1].map(|k| self.constant[k] + along[k])
    }

    /// Along a vector of the body.
    fn along(&self, u: [S; 2]) -> [S; 2] {
        [0, 1].map(|k| self.slopes[0][k] * u[0] + self.slopes[1][k] * u[1])
    }

    /// α or β as coefficients of (1, x, y).
    fn coefficients(&self, k: usize) -> [S; 3] {
        [self.constant[k], self.slopes[0][k], self.slopes[1][k]]
    }

    /// κ r + constant, with complex κ.
    fn linear(frame: usize, coordinates: Option<[usize; 2]>, constant: [S; 2], factor: [S; 2]) -> Self {
        Term { frame, coordinates, constant, slopes: [factor, [-factor[1], factor[0]]] }
    }
}

/// (2) of basic points and vectors.
fn terms<S: Scalar>(points: &[Framed<S>], vectors: &[Framed<S>]) -> Vec<Term<S>> {
    let [zero, one] = [0.0, 1.0].map(S::number);
    let Framed { frame: first, coordinates: own, at } = points[0];
    let minus = |a: [S; 2]| [a[0] - at[0], a[1] - at[1]];
    let still = Term { frame: first, coordinates: own, constant: [one, zero], slopes: [[zero; 2]; 2] };
    match (&points[1..], vectors) {
        // The world's axes carry what is off the point.
        ([], []) => vec![still, Term::linear(0, None, at.map(|x| -x), [one, zero])],
        ([], [vector]) => {
            let factor = inverse(vector.at);
            let constant = product(at.map(|x| -x), factor);
            vec![still, Term::linear(vector.frame, vector.coordinates, constant, factor)]
        }
        ([second], []) => {
            let factor = inverse(minus(second.at));
            let constant = product(at.map(|x| -x), factor);
            vec![
                Term::linear(first, own, [one - constant[0], -constant[1]], factor.map(|x| -x)),
                Term::linear(second.frame, second.coordinates, constant, factor),
            ]
        }
        (others, vectors) => {
            let directions: Vec<[S; 2]> =
                others.iter().map(|p| minus(p.at)).chain(vectors.iter().map(|v| v.at)).collect();
            let rows = inverse_of([directions[0], directions[1]]);
            let along = |basic: &Framed<S>, row: [S; 2]| {
                let constant = -(row[0] * at[0] + row[1] * at[1]);
                let slopes = row.map(|x| [x, zero]);
                Term { frame: basic.frame, coordinates: basic.coordinates, constant: [constant, zero], slopes }
            };
            let spanned: Vec<Term<S>> =
                others.iter().chain(vectors).zip(rows).map(|(basic, row)| along(basic, row)).collect();
            // α₁ = 1 − Σ αᵢ of the other points.
            let first = spanned.iter().take(others.len()).fold(still, |sum, term| Term {
                constant: [sum.constant[0] - term.constant[0], zero],
                slopes: [0, 1].map(|k| [sum.slopes[k][0] - term.slopes[k][0], zero]),
                ..sum
            });
            std::iter::once(first).chain(spanned).collect()
        }
    }
}

/// Rows of [d₁ d₂]⁻¹.
fn inverse_of<S: Scalar>([u, v]: [[S; 2]; 2]) -> [[S; 2]; 2] {
    let determinant = u[0] * v[1] - u[1] * v[0];
    [[v[1] / determinant, -v[0] / determinant], [-u[1] / determinant, u[0] / determinant]]
}

impl<S: Scalar> PlacedBasis<S> {
    /// Whether axes of the body are sums of two directions, which may be skew off the rows; else they turn as one.
    pub fn is_spanned(&self) -> bool {
        self.terms.len() > 2
    }

    /// Where a point of the body is.
    pub fn point(&self, r: [S; 2]) -> FrameSum<S> {
        let is_there = |at: &[S; 2]| (0..2).all(|k| (r[k] - at[k]).is_zero());
        match self.points.iter().find(|(at, _)| is_there(at)) {
            Some((_, frame)) => FrameSum::zero().plus(*frame, [S::number(1.0), S::number(0.0)]),
            None => self.sum(|term| term.at(r)),
        }
    }

    /// Where a vector of the body points.
    pub fn direction(&self, u: [S; 2]) -> FrameSum<S> {
        self.sum(|term| term.along(u))
    }

    fn sum(&self, components: impl Fn(&Term<S>) -> [S; 2]) -> FrameSum<S> {
        let parts = self.terms.iter().map(|term| (term.frame, components(term)));
        let nonzero = parts.filter(|(_, u)| !u.iter().all(|x| x.is_zero()));
        nonzero.fold(FrameSum::zero(), |sum, (frame, u)| sum.plus(frame, u))
    }

    /// ∂(a vector u of the body)/∂(solver coordinates), world components.
    pub fn direction_columns(&self, u: [S; 2]) -> Vec<(usize, [S; 2])> {
        let columns = self.terms.iter().filter_map(|term| Some((term.coordinates?, term.along(u))));
        columns.flat_map(|([x, y], k)| [(x, k), (y, [-k[1], k[0]])]).collect()
    }
}

impl<S: Scalar> Kinematics<S> {
    /// Places a body by its basics.
    pub(super) fn place_naturally(
        &mut self,
        model: &Model,
        tree: &Tree,
        body: BodyId,
        coordinates: &[S],
        value: &dyn Fn(ExprId) -> S,
    ) -> BodyState<S> {
        let declared = &model.bodies[body.index()];
        let basis = model.natural.basis(body).expect("a body in natural coordinates has a basis");
        let mut framed = |(i, at): &(usize, [ExprId; 3])| {
            let (frame, coordinates) = self.basic(model, tree, *i, coordinates, value);
            Framed { frame, coordinates, at: plane(*at).map(value) }
        };
        let points: Vec<_> = basis.points.iter().map(&mut framed).collect();
        let vectors: Vec<_> = basis.vectors.iter().map(&mut framed).collect();
        let [zero, one] = [0.0, 1.0].map(S::number);
        let terms = terms(&points, &vectors);
        let basis = PlacedBasis { terms, points: points.iter().map(|point| (point.at, point.frame)).collect() };
        let mut support: Vec<usize> = basis.terms.iter().filter_map(|term| term.coordinates).flatten().collect();
        support.sort_unstable();
        let frame = match declared.kind {
            BodyKind::Particle => 0,
            BodyKind::Rigid => {
                let [cos, sin] = self.world_sum(&basis.direction([one, zero]));
                let counted = tree.index_of(SolverCoordinate::Unwound(body)).map(|i| coordinates[i]);
                let angle = counted.unwrap_or_else(|| near(declared.angle.map_or(zero, value), [cos, sin]));
                self.frames.push(Frame { angle, cos, sin, coordinate: None });
                self.frames.len() - 1
            }
        };
        let (origin, com) = (basis.point([zero; 2]), basis.point(plane(declared.com).map(value)));
        let basis = Some(Box::new(basis));
        BodyState { frame, offset: zero, turn: None, origin, com, support, basis, leaves: vec![(0, Some(body))] }
    }

    /// The frame of a basic point or vector, and its coordinates.
    fn basic(
        &mut self,
        model: &Model,
        tree: &Tree,
        i: usize,
        coordinates: &[S],
        value: &dyn Fn(ExprId) -> S,
    ) -> (usize, Option<[usize; 2]>) {
        let basic = &model.natural.basics[i];
        let own = basic.body.map(|_| {
            [0, 1].map(|c| {
                let at = tree.index_of(SolverCoordinate::Basic(i as u32, c));
                at.expect("basics that are not fixed are coordinates")
            })
        });
        if let Some((_, frame)) = self.basics.iter().find(|(of, _)| *of == i) {
            return (*frame, own);
        }
        let frame = self.frames.len();
        let [cos, sin] = own.map_or_else(|| plane(basic.at).map(value), |own| own.map(|k| coordinates[k]));
        self.frames.push(Frame { angle: S::number(0.0), cos, sin, coordinate: None });
        for (component, k) in own.into_iter().flat_map(|own| (0..).zip(own)) {
            self.motions[k] = Motion::Basic { frame, component };
        }
        self.basics.push((i, frame));
        (frame, own)
    }
}

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
        let slopes = columns.map(|(i, d)| (i, cos * d[1] - sin * d[0]));
        Some(slopes.filter(|(_, slope)| !slope.is_zero()).collect())
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

/// ∫ αᵢαⱼ + βᵢβⱼ dm and ∫ αᵢβⱼ − βᵢαⱼ dm.
fn blocks<S: Scalar>(moments: &[[S; 3]; 3], a: &Term<S>, b: &Term<S>) -> [S; 2] {
    let integral = |k: usize, l: usize| {
        let (of_a, of_b) = (a.coefficients(k), b.coefficients(l));
        let terms = (0..3).flat_map(|i| (0..3).map(move |j| (i, j)));
        terms.fold(S::number(0.0), |sum, (i, j)| sum + of_a[i] * moments[i][j] * of_b[j])
    };
    [integral(0, 0) + integral(1, 1), integral(0, 1) - integral(1, 0)]
}

/// The angle of (cos, sin) that is nearest to another.
fn near<S: Scalar>(angle: S, [cos, sin]: [S; 2]) -> S {
    let [c, s] = rotate(-angle, [cos, sin]);
    angle + s.binary(Function2::Atan2, c)
}

/// a b of complex numbers.
fn product<S: Scalar>(a: [S; 2], b: [S; 2]) -> [S; 2] {
    [a[0] * b[0] - a[1] * b[1], a[0] * b[1] + a[1] * b[0]]
}

/// 1/a of a complex number.
fn inverse<S: Scalar>(a: [S; 2]) -> [S; 2] {
    if a[1].is_zero() {
        return [S::number(1.0) / a[0], S::number(0.0)];
    }
    let square = a[0] * a[0] + a[1] * a[1];
    [a[0] / square, -a[1] / square]
}

#[cfg(test)]
mod tests;
