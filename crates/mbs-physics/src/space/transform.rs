//! Poses of frames in their parents as sequences of elementary parts, so that components which a part does not change cost no operations.

use std::ops::Add;

use mbs_expr::Scalar;
use mbs_math::{Mat3, Vector};

use super::vector::{Matrix3, Vector3, identity, zero};

/// An elementary part of a pose, from an outer frame to an inner one.
#[derive(Clone, Copy, Debug)]
pub enum Part<S> {
    /// Translation of the origin, in the outer axes.
    Translation(Vector3<S>),
    /// Rotation about a coordinate axis.
    AxisRotation {
        /// 0 = x, 1 = y, 2 = z.
        axis: usize,
        /// Cosine of the angle.
        cos: S,
        /// Sine of the angle.
        sin: S,
    },
    /// Any rotation R: components in the inner axes to components in the outer ones.
    Rotation(Matrix3<S>),
}

/// Pose of a frame in its parent: parts from the parent to the child.
#[derive(Clone, Debug, Default)]
pub struct Transform<S> {
    /// The parts, parent first.
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

/// R S Rᵀ of a symmetric matrix S (xx, yy, zz, xy, xz, yz), with R the rotation about a coordinate axis from inner components to outer ones.
pub fn rotate_symmetric<S: Scalar>(axis: usize, (cos, sin): (S, S), s: [S; 6]) -> [S; 6] {
    let (i, j) = ((axis + 1) % 3, (axis + 2) % 3);
    let entry = |i: usize, j: usize| PAIRS.iter().position(|p| *p == (i.min(j), i.max(j))).expect("a pair");
    let (ii, jj, ij) = (s[i], s[j], s[entry(i, j)]);
    let e = sin * (ii - jj) + cos * (ij + ij);
    let se = sin * e;
    let mut second = s;
    second[i] = ii - se;
    second[j] = jj + se;
    second[entry(i, j)] = cos * e - ij;
    let (a, b) = (s[entry(i, axis)], s[entry(j, axis)]);
    second[entry(i, axis)] = cos * a - sin * b;
    second[entry(j, axis)] = cos * b + sin * a;
    second
}

impl<S: Scalar> Part<S> {
    /// Components in the outer axes → in the inner ones.
    pub fn in_child_axes(&self, v: Vector3<S>) -> Vector3<S> {
        match self {
            Part::Translation(_) => v,
            Part::AxisRotation { axis, cos, sin } => {
                let (i, j) = ((axis + 1) % 3, (axis + 2) % 3);
                let mut w = v;
                w[i] = *cos * v[i] + *sin * v[j];
                w[j] = *cos * v[j] - *sin * v[i];
                w
            }
            Part::Rotation(r) => r.transpose_times(v),
        }
    }

    /// Components in the inner axes → in the outer ones.
    pub fn in_parent_axes(&self, v: Vector3<S>) -> Vector3<S> {
        match self {
            Part::Translation(_) => v,
            Part::AxisRotation { axis, cos, sin } => {
                let (i, j) = ((axis + 1) % 3, (axis + 2) % 3);
                let mut w = v;
                w[i] = *cos * v[i] - *sin * v[j];
                w[j] = *cos * v[j] + *sin * v[i];
                w
            }
            Part::Rotation(r) => r * v,
        }
    }

    /// Moments about the inner origin in the inner axes → about the outer origin in the outer axes.
    fn moments_to_parent(&self, moments: Moments<S>) -> Moments<S> {
        let s = moments.second;
        match self {
            // S' = S + p hᵀ + h pᵀ + m p pᵀ, with h' = h + m p.
            Part::Translation(p) => {
                let first = moments.first + *p * moments.mass;
                let mut second = s;
                for (x, (i, j)) in second.iter_mut().zip(PAIRS) {
                    let more = match i == j {
                        true => p[i] * (moments.first[i] + first[i]),
                        false => p[i] * first[j] + moments.first[i] * p[j],
                    };
                    *x = *x + more;
                }
                Moments { mass: moments.mass, first, second }
            }
            Part::AxisRotation { axis, cos, sin } => {
                let first = self.in_parent_axes(moments.first);
                let second = rotate_symmetric(*axis, (*cos, *sin), s);
                Moments { first, second, ..moments }
            }
            Part::Rotation(r) => {
                let full = moments.matrix();
                let half = r * full;
                let second = Vector(PAIRS).map(|(i, j)| half[i].dot(r[j])).0;
                Moments { first: r * moments.first, second, ..moments }
            }
        }
    }
}

impl<S: Scalar> Moments<S> {
    /// Zero.
    pub fn zero() -> Self {
        let o = S::number(0.0);
        Moments { mass: o, first: zero(), second: [o; 6] }
    }

    /// S as a matrix.
    pub fn matrix(&self) -> Matrix3<S> {
        Mat3::symmetric(self.second)
    }

    /// J a with the inertia tensor J = tr(S) 1 − S.
    pub fn inertia_times(&self, a: Vector3<S>) -> Vector3<S> {
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
            second: (Vector(self.second) + Vector(other.second)).0,
        }
    }
}

impl<S: Scalar> Transform<S> {
    /// Components in the parent's axes → in the child's.
    pub fn in_child_axes(&self, v: Vector3<S>) -> Vector3<S> {
        self.parts.iter().fold(v, |v, part| part.in_child_axes(v))
    }

    /// Components in the child's axes → in the parent's.
    pub fn in_parent_axes(&self, v: Vector3<S>) -> Vector3<S> {
        self.parts.iter().rev().fold(v, |v, part| part.in_parent_axes(v))
    }

    /// A moment and a force about the child's origin, in its axes → about the parent's, in the parent's.
    pub fn wrench_to_parent(&self, (mut moment, mut force): (Vector3<S>, Vector3<S>)) -> (Vector3<S>, Vector3<S>) {
        for part in self.parts.iter().rev() {
            match part {
                Part::Translation(p) => moment += p.cross(force),
                _ => (moment, force) = (part.in_parent_axes(moment), part.in_parent_axes(force)),
            }
        }
        (moment, force)
    }

    /// Angular and linear part of a twist, or of an acceleration, of a frame fixed in the parent: at the parent's origin in its axes → at the child's
    /// origin in the child's axes.
    pub fn twist_to_child(&self, [mut angular, mut linear]: [Vector3<S>; 2]) -> [Vector3<S>; 2] {
        for part in &self.parts {
            match part {
                Part::Translation(p) => linear += angular.cross(*p),
                _ => (angular, linear) = (part.in_child_axes(angular), part.in_child_axes(linear)),
            }
        }
        [angular, linear]
    }

    /// Moments about the child's origin in its axes → about the parent's in the parent's.
    pub fn moments_to_parent(&self, moments: Moments<S>) -> Moments<S> {
        self.parts.iter().rev().fold(moments, |moments, part| part.moments_to_parent(moments))
    }

    /// `outer` R with the rotation R of this pose: components in the child's axes to components in the outer axes of `outer`.
    pub fn rotation_after(&self, outer: &Matrix3<S>) -> Matrix3<S> {
        let mut r = *outer;
        for part in &self.parts {
            match part {
                Part::Translation(_) => {}
                // The rotation combines columns i and j.
                Part::AxisRotation { axis, cos, sin } => {
                    let (i, j) = ((axis + 1) % 3, (axis + 2) % 3);
                    for row in r.iter_mut() {
                        let (a, b) = (row[i], row[j]);
                        row[i] = a * *cos + b * *sin;
                        row[j] = b * *cos - a * *sin;
                    }
                }
                Part::Rotation(inner) => r = r * *inner,
            }
        }
        r
    }

    /// R: components in the child's axes to components in the parent's.
    pub fn rotation(&self) -> Matrix3<S> {
        self.rotation_after(&identity())
    }

    /// Position of the child's origin in the parent's frame.
    pub fn origin(&self) -> Vector3<S> {
        self.parts.iter().rev().fold(zero(), |x, part| match part {
            Part::Translation(p) => *p + x,
            _ => part.in_parent_axes(x),
        })
    }
}
