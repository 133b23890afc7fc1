//! A skate on ice: q = (x, y, θ), the velocity row −ẋ sin θ + ẏ cos θ = 0 without a position row.

use mbs_core::{Energy, Error, Mechanism, Momenta, Sizes, StateView};

pub struct Skate;

impl Skate {
    /// Motion with unit mass and inertia, without loads: at ω = 0.8 and a longitudinal speed of 1.3, on a circle.
    pub fn exact(t: f64) -> Vec<f64> {
        let (omega, speed) = (0.8, 1.3);
        let (s, c) = (omega * t).sin_cos();
        vec![speed / omega * s, speed / omega * (1.0 - c), omega * t, speed * c, speed * s, omega]
    }
}

impl Mechanism for Skate {
    type Coordinates = [f64; 3];
    type Speeds = [f64; 3];
    type Multipliers = [f64; 1];
    type Auxiliary = [f64; 0];
    type Inputs = [f64; 0];
    type Scratch = [f64; 0];

    fn sizes(&self) -> Sizes {
        Sizes { n_q: 3, n_v: 3, n_c: 1, n_position: 0, n_velocity: 1, ..Sizes::default() }
    }

    fn storage(&self) -> ([f64; 3], [f64; 3], [f64; 1], [f64; 0], [f64; 0], [f64; 0]) {
        ([0.0; 3], [0.0; 3], [0.0], [], [], [])
    }

    fn guess(&self, _: &mut [f64], v: &mut [f64], _: &mut [f64]) {
        v.copy_from_slice(&[1.3, 0.4, 0.8]);
    }

    fn accelerations(&self, at: StateView, a: &mut [f64], lambda: &mut [f64]) -> Result<(), Error> {
        let (s, c) = at.q[2].sin_cos();
        let gamma = at.v[2] * (c * at.v[0] + s * at.v[1]);
        self.solve(at, &[0.0; 3], &[gamma], a, lambda)
    }

    fn solve(&self, at: StateView, f: &[f64], g: &[f64], x: &mut [f64], mu: &mut [f64]) -> Result<(), Error> {
        let StateView { q, .. } = at;
        let (s, c) = q[2].sin_cos();
        mu[0] = -s * f[0] + c * f[1] - g[0];
        x.copy_from_slice(&[f[0] + s * mu[0], f[1] - c * mu[0], f[2]]);
        Ok(())
    }

    fn position_residuals(&self, _: StateView, _: &mut [f64]) {}

    fn velocity_residuals(&self, at: StateView, psi: &mut [f64]) {
        let StateView { q, v, .. } = at;
        let (s, c) = q[2].sin_cos();
        psi[0] = -s * v[0] + c * v[1];
    }

    fn energy(&self, at: StateView) -> Energy {
        Energy { kinetic: 0.5 * at.v.iter().map(|v| v * v).sum::<f64>(), potential: 0.0 }
    }
}

impl Momenta for Skate {}
