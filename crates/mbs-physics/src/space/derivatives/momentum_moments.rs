//! Momentum of a link and everything outboard of it, with its moments.

use std::ops::Add;

use mbs_expr::Scalar;
use mbs_math::{Each, Mat3, Vector};

use crate::space::transform::{Moments, Part, Transform};
use crate::space::twist::{LinkWrench, Twist};
use crate::space::vector::{Matrix3, Vector3};

/// Twice the momentum and its moments about a frame's origin, in its axes: b = 2 ∫ ṙ dm, C = 2 ∫ ṙ rᵀ dm.
#[derive(Clone, Copy, Debug)]
pub struct MomentumMoments<S> {
    /// b.
    total: Vector3<S>,
    /// C.
    moments: Matrix3<S>,
}

impl<S: Scalar> MomentumMoments<S> {
    /// Momenta of a body that moves with its frame: b = 2 (m v + ω × h), C = 2 (ω̃ Σ + v hᵀ), with its first and second moments h, Σ.
    pub fn new(masses: &Moments<S>, velocity: Twist<S>) -> Self {
        let Twist { angular: omega, linear: v } = velocity + velocity;
        let second = masses.matrix();
        let column = |k: usize| omega.cross(second[k]) + v * masses.first[k];
        MomentumMoments {
            total: omega.cross(masses.first) + v * masses.mass,
            moments: Mat3::of_columns([0, 1, 2].each(column)),
        }
    }

    /// The momenta about the parent's origin in the parent's axes, from those about the child's origin in the child's.
    pub fn in_parent_axes(&self, transform: &Transform<S>) -> Self {
        transform.parts.iter().rev().fold(*self, |momenta, part| momenta.transformed(part))
    }

    /// The momenta in the frame before a part, from those in the frame after it.
    fn transformed(&self, part: &Part<S>) -> Self {
        let (b, c) = (self.total, &self.moments);
        match part {
            // C' = C + b pᵀ
            Part::Translation(p) => MomentumMoments { total: b, moments: Mat3::from_rows(|i| c[i] + *p * b[i]) },
            Part::AxisRotation { axis, cos, sin } => {
                let (i, j) = ((axis + 1) % 3, (axis + 2) % 3);
                // The row and the column of the axis rotate like vectors.
                let row = part.in_parent_axes(c[*axis]);
                let column = part.in_parent_axes(c.column(*axis));
                let entry = |r: usize, k: usize| if r == *axis { row[k] } else { column[r] };
                let mut moments = Mat3::from_rows(|r| Vector::from_fn(|k| entry(r, k)));
                // e = s (Cᵢᵢ − Cⱼⱼ) + c (Cᵢⱼ + Cⱼᵢ) of sine and cosine s, c.
                let e = *sin * (c[i][i] - c[j][j]) + *cos * (c[i][j] + c[j][i]);
                let (se, ce) = (*sin * e, *cos * e);
                (moments[i][i], moments[i][j]) = (c[i][i] - se, ce - c[j][i]);
                (moments[j][i], moments[j][j]) = (ce - c[i][j], c[j][j] + se);
                MomentumMoments { total: part.in_parent_axes(b), moments }
            }
            // C' = R C Rᵀ
            Part::Rotation(r) => MomentumMoments { total: r * b, moments: r * *c * r.transpose() },
        }
    }

    /// B (s, l) = (tr(C) s − C s, s × b), for every l.
    pub fn wrench(&self, s: Vector3<S>) -> LinkWrench<S> {
        LinkWrench { moment: trace_minus(&self.moments, s), force: s.cross(self.total) }
    }

    /// Bᵀ (r, l) = tr(C) r − Cᵀ r + b × l.
    pub fn moment(&self, twist: Twist<S>) -> Vector3<S> {
        trace_minus(&self.moments.transpose(), twist.angular) + self.total.cross(twist.linear)
    }
}

impl<S: Scalar> Add for MomentumMoments<S> {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        MomentumMoments { total: self.total + other.total, moments: self.moments + other.moments }
    }
}

/// tr(C) a − C a.
fn trace_minus<S: Scalar>(c: &Matrix3<S>, a: Vector3<S>) -> Vector3<S> {
    Vector([
        (c[1][1] + c[2][2]) * a[0] - c[0][1] * a[1] - c[0][2] * a[2],
        (c[2][2] + c[0][0]) * a[1] - c[1][2] * a[2] - c[1][0] * a[0],
        (c[0][0] + c[1][1]) * a[2] - c[2][0] * a[0] - c[2][1] * a[1],
    ])
}
