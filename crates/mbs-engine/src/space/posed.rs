//! Links whose pose is declared as a function of their coordinates: the pose on paths q(τ), as Taylor series.
//!
//! With d(τ) and R(τ) of the second end in the first, the path q + N e_k τ gives the column (ḋ, (Ṙ Rᵀ)ᵛ) of speed k, and q + N v τ + Ṅ v τ²/2
//! the terms quadratic in speeds: d̈ and the skew part of R̈ Rᵀ. The pose of the first end in the second is (−Rᵀ d, Rᵀ).

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
    pub rate_bias: Vec<f64>,
    pub columns: Vec<Column>,
    pub bias: Column,
    pub displacement: Vec3<f64>,
    pub rotation: Mat3<f64>,
    values: Values,
}

impl PosePlan {
    /// Allocates a state.
    pub fn new_state(&self) -> PoseState {
        let mut values = Values::default();
        values.grow(&self.tape);
        PoseState {
            rates: if self.has_rates { vec![vec![0.0; self.speeds]; self.coordinates] } else { Vec::new() },
            rate_bias: vec![0.0; self.coordinates],
            columns: vec![Column::ZERO; self.speeds],
            bias: Column::ZERO,
            displacement: ZERO,
            rotation: IDENTITY,
            values,
        }
    }

    /// d and R of the second end in the first, or of the first in the second if `reversed`.
    fn pose(&self, constants: &Constants, values: &Values, reversed: bool) -> (Vec3<Path>, Mat3<Path>) {
        let d = Vector([0, 1, 2].map(|k| self.root(values, k)));
        let mut r = IDENTITY.map(Path::constant);
        match &self.axes {
            Some(axes) => {
                for (k, axis) in axes.iter().enumerate() {
                    r = r * rotation_about(constants.list(*axis), self.root(values, 3 + k));
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
    /// Sets pose, columns and bias at coordinates and speeds of the joint.
    pub fn set(&mut self, plan: &PosePlan, constants: &Constants, (q, v): (&[f64], &[f64]), reversed: bool) {
        let values = &mut self.values;
        plan.evaluate(constants, [q, &[], &[]], values);
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
            plan.evaluate(constants, [q, &rate_of(&self.rates, &one[..plan.speeds]), &[]], values);
            one[k] = 0.0;
            let (d, r) = plan.pose(constants, values, reversed);
            self.columns[k] = moving(d, r, 1);
        }
        let rate = rate_of(&self.rates, v);
        plan.evaluate(constants, [q, &rate, &[]], values);
        if !self.rates.is_empty() {
            plan.rate_bias(values, v, &mut self.rate_bias);
        }
        plan.evaluate(constants, [q, &rate, &self.rate_bias], values);
        let (d, r) = plan.pose(constants, values, reversed);
        self.bias = moving(d, r, 2);
        self.displacement = d.map(Series::value);
        self.rotation = r.map(Series::value);
    }

    /// The terms quadratic in speeds where these are the rates of the coordinates.
    pub fn bias_of_rates(
        &mut self,
        plan: &PosePlan,
        constants: &Constants,
        (q, v): (&[f64], &[f64]),
        reversed: bool,
    ) -> Column {
        plan.evaluate(constants, [q, v, &[]], &mut self.values);
        let (d, r) = plan.pose(constants, &self.values, reversed);
        moving(d, r, 2)
    }

    /// d and R.
    pub fn relative(&self) -> Relative {
        Relative { displacement: self.displacement, rotation: self.rotation }
    }

    /// q̇ = N v or, if `accelerating`, q̈ = N v̇ + Ṅ v.
    pub fn rates(&self, v: &[f64], accelerating: bool, rates: &mut [f64]) {
        for (i, rate) in rates.iter_mut().enumerate() {
            let product = match self.rates.get(i) {
                Some(row) => row.iter().zip(v).map(|(n, v)| n * v).sum(),
                None => v[i],
            };
            *rate = product + if accelerating { self.rate_bias[i] } else { 0.0 };
        }
    }

    /// Adds Nᵀ x to `sums`: x are loads on coordinates, `sums` generalised forces of speeds.
    pub fn project(&self, x: &[f64], sums: &mut [f64]) {
        if self.rates.is_empty() {
            sums.iter_mut().zip(x).for_each(|(sum, x)| *sum += x);
        }
        for (row, x) in self.rates.iter().zip(x) {
            sums.iter_mut().zip(row).for_each(|(sum, n)| *sum += n * x);
        }
    }
}

/// k-th derivative of d, and the axial vector of the skew part of (k-th derivative of R) Rᵀ.
fn moving(d: Vec3<Path>, r: Mat3<Path>, k: usize) -> Column {
    let w = r.map(|x| x.derivative(k)) * r.map(Series::value).transpose();
    let rate = Vector([w[2][1] - w[1][2], w[0][2] - w[2][0], w[1][0] - w[0][1]]) * 0.5;
    Column { velocity: d.map(|x| x.derivative(k)), rate }
}

/// n nᵀ + cos φ (1 − n nᵀ) + sin φ ñ.
fn rotation_about(n: Vec3<f64>, angle: Path) -> Mat3<Path> {
    let (sin, cos) = (angle.unary(Function::Sin), angle.unary(Function::Cos));
    let parallel = outer(1.0, n, n);
    let [parallel, perpendicular, skew] = [parallel, IDENTITY - parallel, tilde(n)].map(|m| m.map(Path::constant));
    parallel + perpendicular * cos + skew * sin
}
