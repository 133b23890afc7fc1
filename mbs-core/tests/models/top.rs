//! A free axisymmetric body: q is the unit quaternion of R_WB, v = ω in body axes; q̇ = ½ q ⊗ (0, ω).

use mbs_core::{Error, Mechanism, Momenta, Sizes, StateView};

/// I₁ = I₂ and I₃.
const I1: f64 = 2.0;
const I3: f64 = 0.5;
const OMEGA: [f64; 3] = [0.6, 0.0, 1.7];

pub struct Top;

/// Hamilton's product.
pub fn product(a: [f64; 4], b: [f64; 4]) -> [f64; 4] {
    [
        a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3],
        a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
        a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1],
        a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0],
    ]
}

impl Top {
    /// Regular precession: R = exp(t L/I₁) exp(t ω₃ (1 − I₃/I₁) e₃) with the constant angular momentum L.
    pub fn exact(t: f64) -> Vec<f64> {
        let l = [I1 * OMEGA[0], I1 * OMEGA[1], I3 * OMEGA[2]];
        let size = (l[0] * l[0] + l[1] * l[1] + l[2] * l[2]).sqrt();
        let (s, c) = (0.5 * t * size / I1).sin_cos();
        let spin = OMEGA[2] * (1.0 - I3 / I1);
        let (s3, c3) = (0.5 * t * spin).sin_cos();
        let q = product([c, s * l[0] / size, s * l[1] / size, s * l[2] / size], [c3, 0.0, 0.0, s3]);
        let (sw, cw) = (t * spin).sin_cos();
        vec![q[0], q[1], q[2], q[3], OMEGA[0] * cw, -OMEGA[0] * sw, OMEGA[2]]
    }
}

impl Mechanism for Top {
    type Coordinates = [f64; 4];
    type Speeds = [f64; 3];
    type Multipliers = [f64; 0];
    type Auxiliary = [f64; 0];
    type Inputs = [f64; 0];
    type Scratch = [f64; 0];

    fn sizes(&self) -> Sizes {
        Sizes { n_q: 4, n_v: 3, ..Sizes::default() }
    }

    fn storage(&self) -> ([f64; 4], [f64; 3], [f64; 0], [f64; 0], [f64; 0], [f64; 0]) {
        ([0.0; 4], [0.0; 3], [], [], [], [])
    }

    fn guess(&self, q: &mut [f64], v: &mut [f64], _: &mut [f64]) {
        q[0] = 1.0;
        v.copy_from_slice(&OMEGA);
    }

    fn accelerations(&self, at: StateView, a: &mut [f64], _: &mut [f64]) -> Result<(), Error> {
        let k = (I1 - I3) / I1 * at.v[2];
        a.copy_from_slice(&[k * at.v[1], -k * at.v[0], 0.0]);
        Ok(())
    }

    fn solve(&self, _: StateView, f: &[f64], _: &[f64], x: &mut [f64], _: &mut [f64]) -> Result<(), Error> {
        x.copy_from_slice(&[f[0] / I1, f[1] / I1, f[2] / I3]);
        Ok(())
    }

    fn position_residuals(&self, _: StateView, _: &mut [f64]) {}

    fn velocity_residuals(&self, _: StateView, _: &mut [f64]) {}

    fn coordinate_rates(&self, _: f64, q: &[f64], v: &[f64], rates: &mut [f64]) {
        let rate = product([q[0], q[1], q[2], q[3]], [0.0, v[0], v[1], v[2]]);
        for (to, from) in rates.iter_mut().zip(rate) {
            *to = 0.5 * from;
        }
    }

    fn normalize(&self, q: &mut [f64]) {
        let size = q.iter().map(|e| e * e).sum::<f64>().sqrt();
        q.iter_mut().for_each(|e| *e /= size);
    }
}

impl Momenta for Top {}
