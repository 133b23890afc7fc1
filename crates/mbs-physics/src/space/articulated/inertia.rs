//! Articulated inertias: symmetric 6 × 6 matrices, and their transformation between frames.

use std::ops::{Add, Mul};

use mbs_expr::Scalar;
use mbs_math::{Mat3, Vector};

use crate::space::transform::{Moments, PAIRS, Part, Transform, rotate_symmetric};
use crate::space::vector::{Matrix3, Vector3, tilde, zero};

/// Angular part and linear part of a twist or an acceleration, or moment and force of a wrench.
pub type Six<S> = [Vector3<S>; 2];

/// a + b.
pub fn sum<S: Scalar>(a: Six<S>, b: Six<S>) -> Six<S> {
    [a[0] + b[0], a[1] + b[1]]
}

/// a · b.
pub fn dot<S: Scalar>(a: Six<S>, b: Six<S>) -> S {
    a[0].dot(b[0]) + a[1].dot(b[1])
}

/// I = [J H; Hᵀ M]: moment J α + H a and force Hᵀ α + M a about a frame's origin, in its axes.
#[derive(Clone, Copy, Debug)]
pub struct Inertia<S> {
    /// J: xx, yy, zz, xy, xz, yz.
    rotational: [S; 6],
    /// H.
    coupling: Matrix3<S>,
    /// M: xx, yy, zz, xy, xz, yz.
    translational: [S; 6],
}

impl<S: Scalar> Inertia<S> {
    /// Inertia of a rigid body: J = tr(S) 1 − S, H a = h × a, M = m 1.
    pub fn new(moments: &Moments<S>) -> Self {
        let o = S::number(0.0);
        let ([xx, yy, zz, xy, xz, yz], m) = (moments.second, moments.mass);
        Inertia {
            rotational: [yy + zz, xx + zz, xx + yy, -xy, -xz, -yz],
            coupling: tilde(moments.first),
            translational: [m, m, m, o, o, o],
        }
    }

    /// Column k of six.
    pub fn column(&self, k: usize) -> Six<S> {
        match k {
            0..3 => [Mat3::symmetric(self.rotational)[k], self.coupling[k]],
            _ => [self.coupling.column(k - 3), Mat3::symmetric(self.translational)[k - 3]],
        }
    }

    /// I ← I − a bᵀ, which is symmetric.
    pub fn subtract_outer_product(&mut self, a: Six<S>, b: Six<S>) {
        for (k, (i, j)) in PAIRS.into_iter().enumerate() {
            self.rotational[k] = self.rotational[k] - a[0][i] * b[0][j];
            self.translational[k] = self.translational[k] - a[1][i] * b[1][j];
        }
        for (row, a) in self.coupling.iter_mut().zip(a[0].0) {
            *row -= b[1] * a;
        }
    }

    /// Sets row and column k of six to zero.
    pub fn clear_row_and_column(&mut self, k: usize) {
        let o = S::number(0.0);
        let symmetric = if k < 3 { &mut self.rotational } else { &mut self.translational };
        for (x, (i, j)) in symmetric.iter_mut().zip(PAIRS) {
            if i == k % 3 || j == k % 3 {
                *x = o;
            }
        }
        match k {
            0..3 => self.coupling[k] = zero(),
            _ => self.coupling.iter_mut().for_each(|row| row[k - 3] = o),
        }
    }

    /// This inertia in the parent's frame, transformed from the child's frame.
    pub fn in_parent_axes(&self, transform: &Transform<S>) -> Self {
        transform.parts.iter().rev().fold(*self, |inertia, part| inertia.transformed(part))
    }

    /// The inertia in the frame before a part, from that in the frame after it.
    fn transformed(&self, part: &Part<S>) -> Self {
        match part {
            Part::Translation(p) => self.shifted(*p),
            Part::AxisRotation { axis, cos, sin } => Inertia {
                rotational: rotate_symmetric(*axis, (*cos, *sin), self.rotational),
                coupling: rotate_general(*axis, (*cos, *sin), self.coupling),
                translational: rotate_symmetric(*axis, (*cos, *sin), self.translational),
            },
            Part::Rotation(r) => {
                let symmetric = |s: [S; 6]| {
                    let half = r * Mat3::symmetric(s);
                    Vector(PAIRS).map(|(i, j)| half[i].dot(r[j])).0
                };
                let half = r * self.coupling;
                Inertia {
                    rotational: symmetric(self.rotational),
                    coupling: Mat3::from_rows(|i| r * half[i]),
                    translational: symmetric(self.translational),
                }
            }
        }
    }

    /// H' = H + p̃ M, J' = J − H' p̃ + p̃ Hᵀ with rows p × H'ᵢ and columns p × Hⱼ.
    fn shifted(&self, p: Vector3<S>) -> Self {
        let columns = Mat3::symmetric(self.translational);
        let old = self.coupling;
        let new = old + Mat3::from_rows(|i| p.cross(columns[i])).transpose();
        let mut rotational = self.rotational;
        for i in 0..3 {
            let (j, k) = ((i + 1) % 3, (i + 2) % 3);
            let ij = PAIRS.iter().position(|pair| *pair == (i.min(j), i.max(j))).expect("a pair");
            rotational[i] = rotational[i] + p.cross(new[i] + old[i])[i];
            rotational[ij] = rotational[ij] + (p[k] * (new[i][i] - old[j][j]) - p[i] * new[i][k] + p[j] * old[j][k]);
        }
        Inertia { rotational, coupling: new, translational: self.translational }
    }
}

impl<S: Scalar> Add for Inertia<S> {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Inertia {
            rotational: (Vector(self.rotational) + Vector(other.rotational)).0,
            coupling: self.coupling + other.coupling,
            translational: (Vector(self.translational) + Vector(other.translational)).0,
        }
    }
}

/// I (s, l), with the angular part s and the linear part l.
impl<S: Scalar> Mul<Six<S>> for Inertia<S> {
    type Output = Six<S>;
    fn mul(self, [s, l]: Six<S>) -> Six<S> {
        [
            Mat3::symmetric(self.rotational) * s + self.coupling * l,
            self.coupling.transpose_times(s) + Mat3::symmetric(self.translational) * l,
        ]
    }
}

/// R H Rᵀ of a general matrix H, with R the rotation about a coordinate axis from the new components to the old ones.
fn rotate_general<S: Scalar>(axis: usize, (cos, sin): (S, S), h: Matrix3<S>) -> Matrix3<S> {
    let (i, j) = ((axis + 1) % 3, (axis + 2) % 3);
    let e = sin * (h[i][i] - h[j][j]) + cos * (h[i][j] + h[j][i]);
    let (se, ce) = (sin * e, cos * e);
    let mut new = h;
    new[i][i] = h[i][i] - se;
    new[j][j] = h[j][j] + se;
    new[i][j] = ce - h[j][i];
    new[j][i] = ce - h[i][j];
    (new[i][axis], new[j][axis]) = (cos * h[i][axis] - sin * h[j][axis], cos * h[j][axis] + sin * h[i][axis]);
    (new[axis][i], new[axis][j]) = (cos * h[axis][i] - sin * h[axis][j], cos * h[axis][j] + sin * h[axis][i]);
    new
}
