//! Bodies as combinations of basic points and vectors: the coefficients γᵢ(r) and their integrals over the mass, (1) and (2) of `natural.rs`.

use mbs_expr::{ExprId, Scalar};
use mbs_math::{Mat3, Vector};
use mbs_model::{Basis, Body, BodyKind};

use super::moments::second_moments;
use super::vector::{Vector3, is_zero, zero};

/// A basic point or vector, world axes.
#[derive(Clone, Debug)]
pub struct PlacedBasic<S> {
    /// With its first and second rates.
    pub(super) motion: [Vector3<S>; 3],
    /// The solver's speeds along x, y and z; none of what is fixed on ground.
    pub(super) speeds: Option<[usize; 3]>,
}

/// Coefficients γᵢ of one body, (1).
#[derive(Clone, Debug)]
pub struct PlacedBasis<S> {
    /// The first point comes first.
    pub(super) terms: Vec<Term<S>>,
    /// Basic points and vectors by where they are in the body.
    pub(super) points: Vec<(Vector3<S>, usize)>,
    pub(super) vectors: Vec<(Vector3<S>, usize)>,
    /// d̄² of a bar; nothing turns a particle.
    pub(super) turns: Turns<S>,
}

#[derive(Clone, Copy, Debug)]
pub(super) enum Turns<S> {
    No,
    Across(Vector3<S>),
    Freely,
}

/// One basic with the gradient g of its coefficient.
#[derive(Clone, Debug)]
pub(super) struct Term<S> {
    pub(super) basic: usize,
    pub(super) derivatives: Vector3<S>,
}

/// Basics with factors.
pub(super) type Combination<S> = Vec<(usize, S)>;

impl<S: Scalar> PlacedBasis<S> {
    pub(super) fn new(basis: &Basis, kind: BodyKind, value: &dyn Fn(ExprId) -> S) -> Self {
        let values = |list: &[(usize, [ExprId; 3])]| -> Vec<(Vector3<S>, usize)> {
            list.iter().map(|(i, at)| (Vector(at.map(value)), *i)).collect()
        };
        let (points, vectors) = (values(&basis.points), values(&basis.vectors));
        let (first, own) = points[0];
        let to_points = points[1..].iter().map(|(at, i)| (*at - first, *i, true));
        let columns: Vec<_> = to_points.chain(vectors.iter().map(|(u, i)| (*u, *i, false))).collect();
        let rows: Vec<Vector3<S>> = match columns[..] {
            [(a, ..), (b, ..), (c, ..)] => {
                let over = S::number(1.0) / a.dot(b.cross(c));
                [b.cross(c), c.cross(a), a.cross(b)].map(|row| row * over).to_vec()
            }
            [(a, ..)] => vec![a * (S::number(1.0) / a.dot(a))],
            _ => Vec::new(),
        };
        let turns = match (kind, &columns[..]) {
            (BodyKind::Rigid, [_, _, _]) => Turns::Freely,
            (BodyKind::Rigid, [(along, ..)]) => Turns::Across(*along),
            _ => Turns::No,
        };
        let mut terms = vec![Term { basic: own, derivatives: zero() }];
        for ((_, i, is_point), row) in columns.iter().zip(rows) {
            terms.push(Term { basic: *i, derivatives: row });
            if *is_point {
                terms[0].derivatives -= row;
            }
        }
        PlacedBasis { terms, points, vectors, turns }
    }

    /// Coefficients γᵢ(r). An offset from a particle's point is constant in the axes of the world.
    pub(super) fn at(&self, r: Vector3<S>) -> Combination<S> {
        if let Some((_, basic)) = self.points.iter().find(|(at, _)| is_zero(r - *at)) {
            return vec![(*basic, S::number(1.0))];
        }
        let arm = r - self.points[0].0;
        let mut all = self.combination(arm);
        match all.iter_mut().find(|(i, _)| *i == self.terms[0].basic) {
            Some((_, factor)) => *factor = *factor + S::number(1.0),
            None => all.insert(0, (self.terms[0].basic, S::number(1.0))),
        }
        all
    }

    /// gᵢ·u.
    pub(super) fn along(&self, u: Vector3<S>) -> Combination<S> {
        match self.vectors.iter().find(|(at, _)| is_zero(u - *at)) {
            Some((_, basic)) => vec![(*basic, S::number(1.0))],
            None => self.combination(u),
        }
    }

    fn combination(&self, u: Vector3<S>) -> Combination<S> {
        let all = self.terms.iter().map(|term| (term.basic, term.derivatives.dot(u)));
        all.filter(|(_, factor)| !factor.is_zero()).collect()
    }

    /// Offset of r from the point of a particle, world axes; zero for other bodies.
    pub(super) fn off(&self, r: Vector3<S>) -> Vector3<S> {
        if matches!(self.turns, Turns::No) { r - self.points[0].0 } else { zero() }
    }

    /// γᵢ(0) and gᵢ.
    fn coefficients(&self, k: usize) -> [S; 4] {
        let Term { derivatives, .. } = &self.terms[k];
        let at_origin = S::number(if k == 0 { 1.0 } else { 0.0 }) - derivatives.dot(self.points[0].0);
        [at_origin, derivatives[0], derivatives[1], derivatives[2]]
    }

    /// ∫ γᵢ γⱼ dm of all pairs.
    pub(super) fn mass(&self, body: &Body, value: &dyn Fn(ExprId) -> S) -> Vec<Vec<S>> {
        let moments = self.moments(body, value);
        let integral = |i: usize, j: usize| {
            let (a, b) = (self.coefficients(i), self.coefficients(j));
            let row = |k: usize| (0..4).fold(S::number(0.0), |sum, l| sum + moments[k][l] * b[l]);
            (0..4).fold(S::number(0.0), |sum, k| sum + a[k] * row(k))
        };
        let n = self.terms.len();
        (0..n).map(|i| (0..n).map(|j| integral(i, j)).collect()).collect()
    }

    /// ∫ (1, r) (1, r)ᵀ dm about the origin of a body. A bar is as heavy along its line as its moment of inertia about an axis across says.
    fn moments(&self, body: &Body, value: &dyn Fn(ExprId) -> S) -> [[S; 4]; 4] {
        let (mass, com) = (value(body.mass), Vector(body.com.map(value)));
        let central = match (body.kind, self.turns) {
            (BodyKind::Particle, _) => Mat3([zero(); 3]),
            (BodyKind::Rigid, Turns::Across(along)) => {
                let inertia = Mat3::symmetric(body.inertia.map(value));
                let square = along.dot(along);
                let about = along.dot(inertia * along) / square;
                let across = S::number(0.5) * (inertia[0][0] + inertia[1][1] + inertia[2][2] - about);
                Mat3(along.0.map(|x| along * (across * x / square)))
            }
            (BodyKind::Rigid, _) => Mat3::symmetric(second_moments(body.inertia.map(value))),
        };
        // Then the parallel axes.
        let first = com * mass;
        let second = |i: usize, j: usize| central[i][j] + first[i] * com[j];
        let row = |i: usize| [first[i], second(i, 0), second(i, 1), second(i, 2)];
        [[mass, first[0], first[1], first[2]], row(0), row(1), row(2)]
    }
}
