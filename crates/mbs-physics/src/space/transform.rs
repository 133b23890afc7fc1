//! Poses of frames in their parents as sequences of elementary parts, so that components which a part leaves unchanged cost nothing.

use std::ops::Add;

use mbs_expr::Scalar;
use mbs_math::{Mat3, Vector};

use super::vector::{Matrix3, Vector3, identity, zero};

/// One elementary part.
#[derive(Clone, Copy, Debug)]
pub enum Part<S> {
    /// Shifts the origin, in the axes reached so far.
    Shift(Vector3<S>),
    /// Rotates about a coordinate axis.
    Turn {
        /// 0 = x, 1 = y, 2 = z.
        axis: usize,
        /// Cosine of the angle.
        cos: S,
        /// Sine of the angle.
        sin: S,
    },
    /// Any rotation: components in the new axes to components in the old ones.
    Rotate(Matrix3<S>),
}

/// Pose of a frame in its parent: parts from the parent to the child.
#[derive(Clone, Debug, Default)]
pub struct Transform<S> {
    /// The parts.
    pub parts: Vec<Part<S>>,
}

/// Mass, first and second moments about a frame's origin, in its axes: m, h = ∫ r dm, S = ∫ r rᵀ dm (xx, yy, zz, xy, xz, yz). The
/// inertia tensor is tr(S) 1 − S.
#[derive(Clone, Copy, Debug)]
pub struct Moments<S> {
    /// Mass \[kg\].
    pub mass: S,
    /// First moment \[kg m\].
    pub first: Vector3<S>,
    /// Second moments \[kg m²\].
    pub second: [S; 6],
}

/// (row, column) of the second moments' entries.
pub const PAIRS: [(usize, usize); 6] = [(0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2)];

/// R S Rᵀ of a symmetric matrix (xx, yy, zz, xy, xz, yz) and a turn about a coordinate axis, R from new components to old ones.
pub fn turned<S: Scalar>(axis: usize, (cos, sin): (S, S), s: [S; 6]) -> [S; 6] {
    let (i, j) = ((axis + 1) % 3, (axis + 2) % 3);
    let at = |i: usize, j: usize| PAIRS.iter().position(|p| *p == (i.min(j), i.max(j))).expect("a pair");
    let (ii, jj, ij) = (s[i], s[j], s[at(i, j)]);
    let e = sin * (ii - jj) + cos * (ij + ij);
    let se = sin * e;
    let mut second = s;
    second[i] = ii - se;
    second[j] = jj + se;
    second[at(i, j)] = cos * e - ij;
    let (a, b) = (s[at(i, axis)], s[at(j, axis)]);
    second[at(i, axis)] = cos * a - sin * b;
    second[at(j, axis)] = cos * b + sin * a;
    second
}

impl<S: Scalar> Part<S> {
    /// Components in the old axes → in the new ones.
    pub fn down(&self, v: Vector3<S>) -> Vector3<S> {
        match self {
            Part::Shift(_) => v,
            Part::Turn { axis, cos, sin } => {
                let (i, j) = ((axis + 1) % 3, (axis + 2) % 3);
                let mut w = v;
                w[i] = *cos * v[i] + *sin * v[j];
                w[j] = *cos * v[j] - *sin * v[i];
                w
            }
            Part::Rotate(r) => r.transpose_times(v),
        }
    }

    /// Components in the new axes → in the old ones.
    pub fn up(&self, v: Vector3<S>) -> Vector3<S> {
        match self {
            Part::Shift(_) => v,
            Part::Turn { axis, cos, sin } => {
                let (i, j) = ((axis + 1) % 3, (axis + 2) % 3);
                let mut w = v;
                w[i] = *cos * v[i] - *sin * v[j];
                w[j] = *cos * v[j] + *sin * v[i];
                w
            }
            Part::Rotate(r) => r * v,
        }
    }

    /// Moments about the new origin in the new axes → about the old one in the old ones.
    fn moments_up(&self, of: Moments<S>) -> Moments<S> {
        let s = of.second;
        match self {
            // S' = S + p hᵀ + h pᵀ + m p pᵀ, with h' = h + m p.
            Part::Shift(p) => {
                let first = of.first + *p * of.mass;
                let mut second = s;
                for (x, (i, j)) in second.iter_mut().zip(PAIRS) {
                    let more = match i == j {
                        true => p[i] * (of.first[i] + first[i]),
                        false => p[i] * first[j] + of.first[i] * p[j],
                    };
                    *x = *x + more;
                }
                Moments { mass: of.mass, first, second }
            }
            Part::Turn { axis, cos, sin } => {
                Moments { first: self.up(of.first), second: turned(*axis, (*cos, *sin), s), ..of }
            }
            Part::Rotate(r) => {
                let full = of.matrix();
                let half = r * full;
                let second = PAIRS.map(|(i, j)| half[i].dot(r[j]));
                Moments { first: r * of.first, second, ..of }
            }
        }
    }
}

impl<S: Scalar> Moments<S> {
    /// None.
    pub fn zero() -> Self {
        let o = S::number(0.0);
        Moments { mass: o, first: zero(), second: [o; 6] }
    }

    /// S as a matrix.
    pub fn matrix(&self) -> Matrix3<S> {
        Mat3::symmetric(self.second)
    }

    /// J a with J = tr(S) 1 − S.
    pub fn turning(&self, a: Vector3<S>) -> Vector3<S> {
        let [xx, yy, zz, xy, xz, yz] = self.second;
        Vector([
            (yy + zz) * a[0] - xy * a[1] - xz * a[2],
            (xx + zz) * a[1] - xy * a[0] - yz * a[2],
            (xx + yy) * a[2] - xz * a[0] - yz * a[1],
        ])
    }
}

impl<S: Scalar> Add for Moments<S> {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Moments {
            mass: self.mass + other.mass,
            first: self.first + other.first,
            second: std::array::from_fn(|k| self.second[k] + other.second[k]),
        }
    }
}

impl<S: Scalar> Transform<S> {
    /// Components in the parent's axes → in the child's.
    pub fn down(&self, v: Vector3<S>) -> Vector3<S> {
        self.parts.iter().fold(v, |v, part| part.down(v))
    }

    /// Components in the child's axes → in the parent's.
    pub fn up(&self, v: Vector3<S>) -> Vector3<S> {
        self.parts.iter().rev().fold(v, |v, part| part.up(v))
    }

    /// A moment and a force about the child's origin, in its axes → about the parent's, in the parent's.
    pub fn wrench_up(&self, (mut moment, mut force): (Vector3<S>, Vector3<S>)) -> (Vector3<S>, Vector3<S>) {
        for part in self.parts.iter().rev() {
            match part {
                Part::Shift(p) => moment += p.cross(force),
                _ => (moment, force) = (part.up(moment), part.up(force)),
            }
        }
        (moment, force)
    }

    /// Angular and linear part of the motion of what is fixed in the parent: at the parent's origin in its axes → at the child's in the
    /// child's.
    pub fn twist_down(&self, [mut angular, mut linear]: [Vector3<S>; 2]) -> [Vector3<S>; 2] {
        for part in &self.parts {
            match part {
                Part::Shift(p) => linear += angular.cross(*p),
                _ => (angular, linear) = (part.down(angular), part.down(linear)),
            }
        }
        [angular, linear]
    }

    /// Moments about the child's origin → about the parent's.
    pub fn moments_up(&self, of: Moments<S>) -> Moments<S> {
        self.parts.iter().rev().fold(of, |of, part| part.moments_up(of))
    }

    /// R: components in the child's axes to components in the parent's, after another rotation.
    pub fn rotation_after(&self, outer: &Matrix3<S>) -> Matrix3<S> {
        let mut r = *outer;
        for part in &self.parts {
            match part {
                Part::Shift(_) => {}
                // Columns i and j of R turn.
                Part::Turn { axis, cos, sin } => {
                    let (i, j) = ((axis + 1) % 3, (axis + 2) % 3);
                    for row in r.iter_mut() {
                        let (a, b) = (row[i], row[j]);
                        row[i] = a * *cos + b * *sin;
                        row[j] = b * *cos - a * *sin;
                    }
                }
                Part::Rotate(inner) => r = r * *inner,
            }
        }
        r
    }

    /// R of this pose alone.
    pub fn rotation(&self) -> Matrix3<S> {
        self.rotation_after(&identity())
    }

    /// The child's origin in the parent.
    pub fn origin(&self) -> Vector3<S> {
        self.parts.iter().rev().fold(zero(), |x, part| match part {
            Part::Shift(p) => *p + x,
            _ => part.up(x),
        })
    }
}
