//! A bead on a straight wire that rotates at ω in the plane: q = (x, y), with the rheonomic row Φ = −x sin ωt + y cos ωt.

use mbs_core::{Energy, Error, Mechanism, Momenta, Sizes, StateView};

pub struct Bead {
    pub omega: f64,
}

impl Bead {
    /// The distance r from the centre satisfies r̈ = ω² r: r = cosh ωt for r = 1 and ṙ = 0 at t = 0.
    pub fn exact(&self, t: f64) -> Vec<f64> {
        let ((s, c), w) = ((self.omega * t).sin_cos(), self.omega);
        let (r, rate) = ((w * t).cosh(), w * (w * t).sinh());
        vec![r * c, r * s, rate * c - w * r * s, rate * s + w * r * c]
    }

    fn row(&self, t: f64) -> [f64; 2] {
        let (s, c) = (self.omega * t).sin_cos();
        [-s, c]
    }
}

impl Mechanism for Bead {
    type Coordinates = [f64; 2];
    type Speeds = [f64; 2];
    type Multipliers = [f64; 1];
    type Auxiliary = [f64; 0];
    type Inputs = [f64; 0];
    type Scratch = [f64; 0];

    fn sizes(&self) -> Sizes {
        Sizes { n_q: 2, n_v: 2, n_c: 1, n_position: 1, n_velocity: 1, ..Sizes::default() }
    }

    fn storage(&self) -> ([f64; 2], [f64; 2], [f64; 1], [f64; 0], [f64; 0], [f64; 0]) {
        ([0.0; 2], [0.0; 2], [0.0], [], [], [])
    }

    fn guess(&self, q: &mut [f64], _: &mut [f64], _: &mut [f64]) {
        q.copy_from_slice(&[1.1, 0.2]);
    }

    fn accelerations(&self, at: StateView, a: &mut [f64], lambda: &mut [f64]) -> Result<(), Error> {
        let ([minus_s, c], w) = (self.row(at.t), self.omega);
        let s = -minus_s;
        // γ = −(ψ_q v + ψ_t), ψ = −s ẋ + c ẏ − ω (c x + s y).
        let gamma = 2.0 * w * (c * at.v[0] + s * at.v[1]) - w * w * (s * at.q[0] - c * at.q[1]);
        self.solve(at, &[0.0, 0.0], &[gamma], a, lambda)
    }

    fn solve(&self, at: StateView, f: &[f64], g: &[f64], x: &mut [f64], mu: &mut [f64]) -> Result<(), Error> {
        let StateView { t, .. } = at;
        let row = self.row(t);
        mu[0] = row[0] * f[0] + row[1] * f[1] - g[0];
        x[0] = f[0] - row[0] * mu[0];
        x[1] = f[1] - row[1] * mu[0];
        Ok(())
    }

    fn position_residuals(&self, at: StateView, phi: &mut [f64]) {
        let StateView { t, q, .. } = at;
        let row = self.row(t);
        phi[0] = row[0] * q[0] + row[1] * q[1];
    }

    fn velocity_residuals(&self, at: StateView, psi: &mut [f64]) {
        let StateView { t, q, v, .. } = at;
        let [minus_s, c] = self.row(t);
        psi[0] = minus_s * v[0] + c * v[1] - self.omega * (c * q[0] - minus_s * q[1]);
    }
    fn energy(&self, at: StateView) -> Energy {
        Energy { kinetic: 0.5 * (at.v[0] * at.v[0] + at.v[1] * at.v[1]), potential: 0.0 }
    }
}

impl Momenta for Bead {}
