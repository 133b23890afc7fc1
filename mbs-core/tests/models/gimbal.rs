//! An axisymmetric body whose axis e₃ has a constant angle to the vertical e_z: q is the unit quaternion of R_WB, v = ω in body axes, n_q = 4 and
//! n_v = 3, with one row Φ = e_z·R e₃ − c.

use super::top::product;
use mbs_core::{Error, Mechanism, Sizes, StateView};

/// I₁ = I₂ and I₃.
const I: [f64; 3] = [2.0, 2.0, 0.5];
/// Rates about the vertical and about the axis.
const PRECESSION: f64 = 0.9;
const SPIN: f64 = 1.7;

pub struct Gimbal {
    /// Angle between axis and vertical.
    pub tilt: f64,
    pub guess: [f64; 4],
}

/// Rᵀ e_z.
fn vertical(q: &[f64]) -> [f64; 3] {
    let [e0, e1, e2, e3] = [q[0], q[1], q[2], q[3]];
    [2.0 * (e1 * e3 - e0 * e2), 2.0 * (e2 * e3 + e0 * e1), e0 * e0 - e1 * e1 - e2 * e2 + e3 * e3]
}

impl Gimbal {
    /// Regular precession with the torque of the row: R = exp(Ω t e_z) exp(β e_x) exp(σ t e₃).
    pub fn exact(&self, t: f64) -> Vec<f64> {
        let about_z = |angle: f64| [(0.5 * angle).cos(), 0.0, 0.0, (0.5 * angle).sin()];
        let tilted = [(0.5 * self.tilt).cos(), (0.5 * self.tilt).sin(), 0.0, 0.0];
        let q = product(product(about_z(PRECESSION * t), tilted), about_z(SPIN * t));
        let up = vertical(&q);
        [q.to_vec(), vec![PRECESSION * up[0], PRECESSION * up[1], PRECESSION * up[2] + SPIN]].concat()
    }
}

impl Mechanism for Gimbal {
    type Coordinates = [f64; 4];
    type Speeds = [f64; 3];
    type Multipliers = [f64; 1];
    type Auxiliary = [f64; 0];
    type Inputs = [f64; 0];
    type Scratch = [f64; 0];

    fn sizes(&self) -> Sizes {
        Sizes { n_q: 4, n_v: 3, n_c: 1, n_position: 1, n_velocity: 1, ..Sizes::default() }
    }

    fn storage(&self) -> ([f64; 4], [f64; 3], [f64; 1], [f64; 0], [f64; 0], [f64; 0]) {
        ([0.0; 4], [0.0; 3], [0.0], [], [], [])
    }

    fn guess(&self, q: &mut [f64], v: &mut [f64], _: &mut [f64]) {
        q.copy_from_slice(&self.guess);
        v.copy_from_slice(&[0.3, -0.2, 0.1]);
    }

    // I ω̇ + Gᵀ λ = −ω × I ω, G ω̇ = −Ġ ω with G = (−u₂, u₁, 0), u = Rᵀ e_z and u̇ = u × ω.
    fn accelerations(&self, at: StateView, a: &mut [f64], lambda: &mut [f64]) -> Result<(), Error> {
        let (u, [x, y, z]) = (vertical(at.q), [at.v[0], at.v[1], at.v[2]]);
        let rates = [u[1] * z - u[2] * y, u[2] * x - u[0] * z];
        let torque = [(I[1] - I[2]) * y * z, (I[2] - I[0]) * z * x, 0.0];
        self.solve(at, &torque, &[rates[1] * x - rates[0] * y], a, lambda)
    }

    fn solve(&self, at: StateView, f: &[f64], g: &[f64], x: &mut [f64], mu: &mut [f64]) -> Result<(), Error> {
        let StateView { q, .. } = at;
        let u = vertical(q);
        let row = [-u[1], u[0], 0.0];
        let dot = |b: &[f64]| (0..3).map(|i| row[i] * b[i] / I[i]).sum::<f64>();
        mu[0] = (dot(f) - g[0]) / dot(&row);
        for i in 0..3 {
            x[i] = (f[i] - row[i] * mu[0]) / I[i];
        }
        Ok(())
    }

    fn position_residuals(&self, at: StateView, phi: &mut [f64]) {
        let StateView { q, .. } = at;
        phi[0] = vertical(q)[2] - self.tilt.cos();
    }

    fn velocity_residuals(&self, at: StateView, psi: &mut [f64]) {
        let StateView { q, v, .. } = at;
        let u = vertical(q);
        psi[0] = u[0] * v[1] - u[1] * v[0];
    }

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
