//! Articulated inertias: symmetric 6 × 6 matrices, moved from frame to frame.

use std::ops::{Add, Mul};

use mbs_expr::Scalar;
use mbs_math::Mat3;

use crate::space::transform::{Moments, PAIRS, Part, Transform, turned};
use crate::space::vector::{Matrix3, Vector3, tilde, zero};

/// Angular part and linear part: a twist or an acceleration, or moment and force.
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
    turning: [S; 6],
    /// H.
    coupling: Matrix3<S>,
    /// M: xx, yy, zz, xy, xz, yz.
    shifting: [S; 6],
}

impl<S: Scalar> Inertia<S> {
    /// Inertia of a rigid body: J = tr(S) 1 − S, H a = h × a, M = m 1.
    pub fn of(moments: &Moments<S>) -> Self {
        let o = S::number(0.0);
        let ([xx, yy, zz, xy, xz, yz], m) = (moments.second, moments.mass);
        Inertia {
            turning: [yy + zz, xx + zz, xx + yy, -xy, -xz, -yz],
            coupling: tilde(moments.first),
            shifting: [m, m, m, o, o, o],
        }
    }

    /// Column k of six.
    pub fn column(&self, k: usize) -> Six<S> {
        match k {
            0..3 => [Mat3::symmetric(self.turning)[k], self.coupling[k]],
            _ => [self.coupling.column(k - 3), Mat3::symmetric(self.shifting)[k - 3]],
        }
    }

    /// I − a bᵀ, which is symmetric.
    pub fn lessen(&mut self, a: Six<S>, b: Six<S>) {
        for (k, (i, j)) in PAIRS.into_iter().enumerate() {
            self.turning[k] = self.turning[k] - a[0][i] * b[0][j];
            self.shifting[k] = self.shifting[k] - a[1][i] * b[1][j];
        }
        for (row, a) in self.coupling.iter_mut().zip(a[0].0) {
            *row -= b[1] * a;
        }
    }

    /// Makes row and column k of six zero.
    pub fn clear(&mut self, k: usize) {
        let o = S::number(0.0);
        let symmetric = if k < 3 { &mut self.turning } else { &mut self.shifting };
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

    /// From a child's frame to its parent's.
    pub fn up(&self, transform: &Transform<S>) -> Self {
        transform.parts.iter().rev().fold(*self, |inertia, part| inertia.through(part))
    }

    /// From the new frame of a part to the old one.
    fn through(&self, part: &Part<S>) -> Self {
        match part {
            Part::Shift(p) => self.shifted(*p),
            Part::Turn { axis, cos, sin } => Inertia {
                turning: turned(*axis, (*cos, *sin), self.turning),
                coupling: turned_fully(*axis, (*cos, *sin), self.coupling),
                shifting: turned(*axis, (*cos, *sin), self.shifting),
            },
            Part::Rotate(r) => {
                let symmetric = |s: [S; 6]| {
                    let half = r * Mat3::symmetric(s);
                    PAIRS.map(|(i, j)| half[i].dot(r[j]))
                };
                let half = r * self.coupling;
                Inertia {
                    turning: symmetric(self.turning),
                    coupling: Mat3(half.0.map(|row| r * row)),
                    shifting: symmetric(self.shifting),
                }
            }
        }
    }

    /// H' = H + p̃ M, J' = J − H' p̃ + p̃ Hᵀ with rows p × H'ᵢ and columns p × Hⱼ.
    fn shifted(&self, p: Vector3<S>) -> Self {
        let columns = Mat3::symmetric(self.shifting).0.map(|column| p.cross(column));
        let old = self.coupling;
        let new = old + Mat3::of_columns(columns);
        let mut turning = self.turning;
        for i in 0..3 {
            let (j, k) = ((i + 1) % 3, (i + 2) % 3);
            let at = PAIRS.iter().position(|pair| *pair == (i.min(j), i.max(j))).expect("a pair");
            turning[i] = turning[i] + p.cross(new[i] + old[i])[i];
            turning[at] = turning[at] + (p[k] * (new[i][i] - old[j][j]) - p[i] * new[i][k] + p[j] * old[j][k]);
        }
        Inertia { turning, coupling: new, shifting: self.shifting }
    }
}

impl<S: Scalar> Add for Inertia<S> {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Inertia {
            turning: std::array::from_fn(|k| self.turning[k] + other.turning[k]),
            coupling: self.coupling + other.coupling,
            shifting: std::array::from_fn(|k| self.shifting[k] + other.shifting[k]),
        }
    }
}

/// I s.
impl<S: Scalar> Mul<Six<S>> for Inertia<S> {
    type Output = Six<S>;
    fn mul(self, [turn, shift]: Six<S>) -> Six<S> {
        [
            Mat3::symmetric(self.turning) * turn + self.coupling * shift,
            self.coupling.transpose_times(turn) + Mat3::symmetric(self.shifting) * shift,
        ]
    }
}

/// R H Rᵀ of a turn about a coordinate axis, R from new components to old ones.
fn turned_fully<S: Scalar>(axis: usize, (cos, sin): (S, S), h: Matrix3<S>) -> Matrix3<S> {
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
