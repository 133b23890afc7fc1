//! Links whose pose the text of a joint's kind gives over their coordinates: the pose along paths q(τ), as Taylor series.
//!
//! With d(τ) and R(τ) of the second end in the first, the path q + N e_k τ gives the column (ḋ, (Ṙ Rᵀ)ᵛ) of speed k, and q + N v τ + Ṅ v τ²/2
//! the terms quadratic in speeds: d̈, and of R̈ Rᵀ the skew part. Relative to the second end, the first is at −Rᵀ d, rotated by Rᵀ.

use mbs_expr::{Function, Scalar, Series};
use mbs_math::{Mat3, Vec3, Vector};

use super::link::Relative;
use super::vector::{Column, IDENTITY, ZERO, outer, tilde};
use crate::constants::Constants;
use crate::poses::{MOST_SPEEDS, PosePlan};
use crate::tape::Values;

type Path = Series<3>;

/// A pose at a state.
#[derive(Clone, Debug)]
pub(crate) struct PoseState {
    /// N by rows, empty where it is 1.
    pub rates: Vec<Vec<f64>>,
    /// Ṅ v.
    pub bend: Vec<f64>,
    pub columns: Vec<Column>,
    pub bias: Column,
    pub displacement: Vec3<f64>,
    pub rotation: Mat3<f64>,
    values: Values,
}

impl PosePlan {
    /// Room for one.
    pub fn state(&self) -> PoseState {
        let mut values = Values::default();
        values.grow(&self.tape);
        PoseState {
            rates: if self.has_rates { vec![vec![0.0; self.speeds]; self.coordinates] } else { Vec::new() },
            bend: vec![0.0; self.coordinates],
            columns: vec![Column::ZERO; self.speeds],
            bias: Column::ZERO,
            displacement: ZERO,
            rotation: IDENTITY,
            values,
        }
    }

    /// d and R from one end or the other.
    fn pose(&self, constants: &Constants, values: &Values, reversed: bool) -> (Vec3<Path>, Mat3<Path>) {
        let d = Vector([0, 1, 2].map(|k| self.root(values, k)));
        let mut r = IDENTITY.map(Path::constant);
        match &self.axes {
            Some(axes) => {
                for (k, axis) in axes.iter().enumerate() {
                    r = r * about(constants.list(*axis), self.root(values, 3 + k));
                }
            }
            None => r = Mat3([0, 1, 2].map(|i| Vector([0, 1, 2].map(|k| self.root(values, 3 + 3 * i + k))))),
        }
        if !reversed {
            return (d, r);
        }
        let back = r.transpose();
        (-(back * d), back)
    }
}

impl PoseState {
    /// Sets everything at coordinates and speeds of the joint.
    pub fn set(&mut self, plan: &PosePlan, constants: &Constants, (q, v): (&[f64], &[f64]), reversed: bool) {
        let values = &mut self.values;
        plan.run(constants, [q, &[], &[]], values);
        plan.matrix(values, &mut self.rates);
        let rate_of = |rates: &[Vec<f64>], v: &[f64]| -> [f64; MOST_SPEEDS] {
            std::array::from_fn(|i| match rates.get(i) {
                Some(row) => row.iter().zip(v).map(|(n, v)| n * v).sum(),
                None => {
                    if rates.is_empty() {
                        v.get(i).copied().unwrap_or(0.0)
                    } else {
                        0.0
                    }
                }
            })
        };
        let mut one = [0.0; MOST_SPEEDS];
        for k in 0..plan.speeds {
            one[k] = 1.0;
            plan.run(constants, [q, &rate_of(&self.rates, &one[..plan.speeds]), &[]], values);
            one[k] = 0.0;
            let (d, r) = plan.pose(constants, values, reversed);
            self.columns[k] = moving(d, r, 1);
        }
        let rate = rate_of(&self.rates, v);
        plan.run(constants, [q, &rate, &[]], values);
        if !self.rates.is_empty() {
            plan.bend(values, v, &mut self.bend);
        }
        plan.run(constants, [q, &rate, &self.bend], values);
        let (d, r) = plan.pose(constants, values, reversed);
        self.bias = moving(d, r, 2);
        self.displacement = d.map(Series::value);
        self.rotation = r.map(Series::value);
    }

    /// The pose.
    pub fn relative(&self) -> Relative {
        Relative { displacement: self.displacement, rotation: self.rotation }
    }

    /// q̇ = N v, or q̈ = N v̇ + Ṅ v.
    pub fn rates(&self, v: &[f64], bent: bool, rates: &mut [f64]) {
        for (i, rate) in rates.iter_mut().enumerate() {
            let along = match self.rates.get(i) {
                Some(row) => row.iter().zip(v).map(|(n, v)| n * v).sum(),
                None => v[i],
            };
            *rate = along + if bent { self.bend[i] } else { 0.0 };
        }
    }

    /// Nᵀ x, added to `sums`.
    pub fn spread(&self, x: &[f64], sums: &mut [f64]) {
        if self.rates.is_empty() {
            sums.iter_mut().zip(x).for_each(|(sum, x)| *sum += x);
        }
        for (row, x) in self.rates.iter().zip(x) {
            sums.iter_mut().zip(row).for_each(|(sum, n)| *sum += n * x);
        }
    }
}

/// k-th derivative of d, and the vector of that of R times Rᵀ, its skew part.
fn moving(d: Vec3<Path>, r: Mat3<Path>, k: usize) -> Column {
    let w = r.map(|x| x.derivative(k)) * r.map(Series::value).transpose();
    let rate = Vector([w[2][1] - w[1][2], w[0][2] - w[2][0], w[1][0] - w[0][1]]) * 0.5;
    Column { velocity: d.map(|x| x.derivative(k)), rate }
}

/// n nᵀ + cos φ (1 − n nᵀ) + sin φ ñ.
fn about(n: Vec3<f64>, angle: Path) -> Mat3<Path> {
    let (sin, cos) = (angle.unary(Function::Sin), angle.unary(Function::Cos));
    let along = outer(1.0, n, n);
    let [along, across, skew] = [along, IDENTITY - along, tilde(n)].map(|m| m.map(Path::constant));
    along + across * cos + skew * sin
}
