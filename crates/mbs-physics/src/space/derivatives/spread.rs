//! Momentum of what a link carries, with its moments.

use mbs_expr::Scalar;

use crate::space::derivatives::twist::Twist;
use crate::space::dynamics::LinkWrench;
use crate::space::transform::{Moments, Part, Transform};
use crate::space::vector::{Matrix3, Vector3, cross, plus, product, times, transpose};

/// Twice the momentum and its moments about a frame's origin, in its axes: b = 2 ∫ ṙ dm, C = 2 ∫ ṙ rᵀ dm.
#[derive(Clone, Copy, Debug)]
pub struct Spread<S> {
    /// b.
    total: Vector3<S>,
    /// C.
    moments: Matrix3<S>,
}

impl<S: Scalar> Spread<S> {
    /// Of a body that moves with its frame: b = 2 (m v + ω × h), C = 2 (ω̃ Σ + v hᵀ), with its first and second moments h, Σ.
    pub fn of(of: &Moments<S>, velocity: Twist<S>) -> Self {
        let Twist { angular: omega, linear: v } = velocity.plus(velocity);
        let second = of.matrix();
        let column = |k: usize| plus(cross(omega, second[k]), v.map(|v| v * of.first[k]));
        Spread {
            total: plus(cross(omega, of.first), v.map(|v| v * of.mass)),
            moments: transpose(&[0, 1, 2].map(column)),
        }
    }

    /// Sum.
    pub fn plus(&self, other: &Self) -> Self {
        Spread {
            total: plus(self.total, other.total),
            moments: [0, 1, 2].map(|i| plus(self.moments[i], other.moments[i])),
        }
    }

    /// About the child's origin in the child's axes → about the parent's in the parent's.
    pub fn up(&self, transform: &Transform<S>) -> Self {
        transform.parts.iter().rev().fold(*self, |spread, part| spread.through(part))
    }

    fn through(&self, part: &Part<S>) -> Self {
        let (b, c) = (self.total, &self.moments);
        match part {
            // C' = C + b pᵀ
            Part::Shift(p) => Spread { total: b, moments: [0, 1, 2].map(|i| plus(c[i], p.map(|p| b[i] * p))) },
            Part::Turn { axis, cos, sin } => {
                let (i, j) = ((axis + 1) % 3, (axis + 2) % 3);
                // Rows and columns of the axis turn like vectors.
                let row = part.up(c[*axis]);
                let column = part.up(c.map(|row| row[*axis]));
                let mut moments = [0, 1, 2].map(|r| [0, 1, 2].map(|k| if r == *axis { row[k] } else { column[r] }));
                // e = s (Cᵢᵢ − Cⱼⱼ) + c (Cᵢⱼ + Cⱼᵢ) of sine and cosine s, c.
                let e = *sin * (c[i][i] - c[j][j]) + *cos * (c[i][j] + c[j][i]);
                let (se, ce) = (*sin * e, *cos * e);
                (moments[i][i], moments[i][j]) = (c[i][i] - se, ce - c[j][i]);
                (moments[j][i], moments[j][j]) = (ce - c[i][j], c[j][j] + se);
                Spread { total: part.up(b), moments }
            }
            // C' = R C Rᵀ
            Part::Rotate(r) => Spread { total: times(r, b), moments: product(&product(r, c), &transpose(r)) },
        }
    }

    /// B (s, l) = (tr(C) s − C s, s × b), whatever l.
    pub fn wrench(&self, s: Vector3<S>) -> LinkWrench<S> {
        LinkWrench { moment: turning(&self.moments, s), force: cross(s, self.total) }
    }

    /// Bᵀ (r, l) = tr(C) r − Cᵀ r + b × l.
    pub fn moment(&self, along: Twist<S>) -> Vector3<S> {
        plus(turning(&transpose(&self.moments), along.angular), cross(self.total, along.linear))
    }
}

/// tr(C) a − C a.
fn turning<S: Scalar>(c: &Matrix3<S>, a: Vector3<S>) -> Vector3<S> {
    [
        (c[1][1] + c[2][2]) * a[0] - c[0][1] * a[1] - c[0][2] * a[2],
        (c[2][2] + c[0][0]) * a[1] - c[1][2] * a[2] - c[1][0] * a[0],
        (c[0][0] + c[1][1]) * a[2] - c[2][0] * a[0] - c[2][1] * a[1],
    ]
}
