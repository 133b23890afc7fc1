//! Bodies as combinations of basic points and vectors: the coefficients γᵢ(r) and their integrals over the mass, (1) and (2) of `natural.rs`.

use mbs_expr::{ExprId, Scalar};
use mbs_math::{Each, Mat3, Vector};
use mbs_model::{Basis, Body, BodyKind};

use super::moments::second_moments;
use super::vector::{Vector3, is_zero, zero};

/// World components of a basic point or vector.
#[derive(Clone, Debug)]
pub struct PlacedBasic<S> {
    /// Value, first and second rate.
    pub(super) motion: [Vector3<S>; 3],
    /// Indices of the solver's speeds along x, y and z; `None` if it is fixed on ground.
    pub(super) speeds: Option<[usize; 3]>,
}

/// A body as a combination of its basics: the coefficients γᵢ in (1).
#[derive(Clone, Debug)]
pub struct PlacedBasis<S> {
    /// The first point comes first.
    pub(super) terms: Vec<Term<S>>,
    /// Basic points and vectors: their components in body axes, and their indices.
    pub(super) points: Vec<(Vector3<S>, usize)>,
    pub(super) vectors: Vec<(Vector3<S>, usize)>,
    /// Rotation of the body that its basics describe.
    pub(super) rotation: BasisRotation<S>,
}

/// Rotation of a body that its basics describe.
#[derive(Clone, Copy, Debug)]
pub enum BasisRotation<S> {
    /// A particle does not rotate.
    None,
    /// A bar rotates about axes normal to its line d̄, given in body axes.
    NormalTo(Vector3<S>),
    /// A body with three directions rotates freely.
    Free,
}

/// One basic with the gradient g of its coefficient γ.
#[derive(Clone, Debug)]
pub(super) struct Term<S> {
    /// Index of the basic.
    pub(super) basic: usize,
    /// g, in body axes.
    pub(super) gradient: Vector3<S>,
}

/// A linear combination of basics: indices with coefficients.
pub(super) type Combination<S> = Vec<(usize, S)>;

impl<S: Scalar> PlacedBasis<S> {
    /// The combination of a body; `value` returns components of basics in body axes.
    pub fn new(basis: &Basis, kind: BodyKind, value: &dyn Fn(ExprId) -> S) -> Self {
        let values = |list: &[(usize, [ExprId; 3])]| -> Vec<(Vector3<S>, usize)> {
            list.iter().map(|(i, x)| (Vector(x.map(value)), *i)).collect()
        };
        let (points, vectors) = (values(&basis.points), values(&basis.vectors));
        let (first, first_index) = points[0];
        let to_points = points[1..].iter().map(|(x, i)| (*x - first, *i, true));
        let columns: Vec<_> = to_points.chain(vectors.iter().map(|(u, i)| (*u, *i, false))).collect();
        let rows: Vec<Vector3<S>> = match columns[..] {
            [(a, ..), (b, ..), (c, ..)] => {
                let over = S::number(1.0) / a.dot(b.cross(c));
                [b.cross(c), c.cross(a), a.cross(b)].each(|row| row * over).to_vec()
            }
            [(a, ..)] => vec![a * (S::number(1.0) / a.dot(a))],
            _ => Vec::new(),
        };
        let rotation = match (kind, &columns[..]) {
            (BodyKind::Rigid, [_, _, _]) => BasisRotation::Free,
            (BodyKind::Rigid, [(line, ..)]) => BasisRotation::NormalTo(*line),
            _ => BasisRotation::None,
        };
        let mut terms = vec![Term { basic: first_index, gradient: zero() }];
        for ((_, i, is_point), row) in columns.iter().zip(rows) {
            terms.push(Term { basic: *i, gradient: row });
            if *is_point {
                terms[0].gradient -= row;
            }
        }
        PlacedBasis { terms, points, vectors, rotation }
    }

    /// Coefficients γᵢ(r) of the point r of the body, without its offset from a particle's point: [`Self::particle_offset`].
    pub(super) fn point_coefficients(&self, r: Vector3<S>) -> Combination<S> {
        if let Some((_, basic)) = self.points.iter().find(|(x, _)| is_zero(r - *x)) {
            return vec![(*basic, S::number(1.0))];
        }
        let arm = r - self.points[0].0;
        let mut all = self.linear_coefficients(arm);
        match all.iter_mut().find(|(i, _)| *i == self.terms[0].basic) {
            Some((_, coefficient)) => *coefficient = *coefficient + S::number(1.0),
            None => all.insert(0, (self.terms[0].basic, S::number(1.0))),
        }
        all
    }

    /// Coefficients gᵢ·u of the vector u of the body.
    pub(super) fn vector_coefficients(&self, u: Vector3<S>) -> Combination<S> {
        match self.vectors.iter().find(|(x, _)| is_zero(u - *x)) {
            Some((_, basic)) => vec![(*basic, S::number(1.0))],
            None => self.linear_coefficients(u),
        }
    }

    fn linear_coefficients(&self, u: Vector3<S>) -> Combination<S> {
        let all = self.terms.iter().map(|term| (term.basic, term.gradient.dot(u)));
        all.filter(|(_, coefficient)| !coefficient.is_zero()).collect()
    }

    /// Offset of r from the point of a particle, whose axes are the world's; zero for other bodies.
    pub fn particle_offset(&self, r: Vector3<S>) -> Vector3<S> {
        if matches!(self.rotation, BasisRotation::None) { r - self.points[0].0 } else { zero() }
    }

    /// Rotation of the body that its basics describe.
    pub fn rotation(&self) -> BasisRotation<S> {
        self.rotation
    }

    /// γₖ(0) and the components of gₖ. Points come first, then vectors.
    pub fn polynomial(&self, k: usize) -> [S; 4] {
        let Term { gradient, .. } = &self.terms[k];
        let at_origin = S::number(if k == 0 { 1.0 } else { 0.0 }) - gradient.dot(self.points[0].0);
        [at_origin, gradient[0], gradient[1], gradient[2]]
    }

    /// ∫ γᵢ γⱼ dm of all pairs of terms, by rows.
    pub fn mass_matrix(&self, body: &Body, value: &dyn Fn(ExprId) -> S) -> Vec<Vec<S>> {
        let moments = self.moments(body, value);
        let integral = |i: usize, j: usize| {
            let (a, b) = (self.polynomial(i), self.polynomial(j));
            let row = |k: usize| (0..4).fold(S::number(0.0), |sum, l| sum + moments[k][l] * b[l]);
            (0..4).fold(S::number(0.0), |sum, k| sum + a[k] * row(k))
        };
        let n = self.terms.len();
        (0..n).map(|i| (0..n).map(|j| integral(i, j)).collect()).collect()
    }

    /// ∫ (1, r) (1, r)ᵀ dm about the origin of a body, in its axes. The mass of a bar is distributed along its line, with the second moment that its
    /// moment of inertia about a normal axis implies.
    pub fn moments(&self, body: &Body, value: &dyn Fn(ExprId) -> S) -> [[S; 4]; 4] {
        let (mass, com) = (value(body.mass), Vector(body.com).map(value));
        let central = match (body.kind, self.rotation) {
            (BodyKind::Particle, _) => Mat3([zero(); 3]),
            (BodyKind::Rigid, BasisRotation::NormalTo(line)) => {
                let inertia = Mat3::symmetric(body.inertia.map(value));
                let square = line.dot(line);
                let about = line.dot(inertia * line) / square;
                let second = S::number(0.5) * (inertia[0][0] + inertia[1][1] + inertia[2][2] - about);
                Mat3::from_rows(|i| line * (second * line[i] / square))
            }
            (BodyKind::Rigid, _) => Mat3::symmetric(second_moments(body.inertia.map(value))),
        };
        // Parallel axis theorem.
        let first = com * mass;
        let second = |i: usize, j: usize| central[i][j] + first[i] * com[j];
        let row = |i: usize| [first[i], second(i, 0), second(i, 1), second(i, 2)];
        [[mass, first[0], first[1], first[2]], row(0), row(1), row(2)]
    }
}
