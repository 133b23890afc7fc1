//! A particle of unit mass and constant speed c in gravity g, in the plane: the row ψ = vₓ² + v_y² − c² is not affine in speeds. A third
//! coordinate has the prescribed acceleration z̈ = −z, by a row of accelerations alone.

use mbs_core::{Error, Mechanism, Sizes, StateView};

pub struct Cruiser {
    /// c \[m/s\].
    pub speed: f64,
    /// g \[m/s²\], in the direction −y.
    pub gravity: f64,
}

impl Cruiser {
    /// dθ/dt = −g cos θ / c from θ = 0: sin θ = −tanh(g t / c), and z = cos t.
    pub fn velocity(&self, t: f64) -> [f64; 3] {
        let u = self.gravity * t / self.speed;
        [self.speed / u.cosh(), -self.speed * u.tanh(), -t.sin()]
    }
}

impl Mechanism for Cruiser {
    type Coordinates = [f64; 3];
    type Speeds = [f64; 3];
    type Multipliers = [f64; 2];
    type Auxiliary = [f64; 0];
    type Inputs = [f64; 0];
    type Scratch = [f64; 0];

    fn sizes(&self) -> Sizes {
        Sizes { n_q: 3, n_v: 3, n_c: 2, n_position: 0, n_velocity: 1, ..Sizes::default() }
    }

    fn storage(&self) -> ([f64; 3], [f64; 3], [f64; 2], [f64; 0], [f64; 0], [f64; 0]) {
        ([0.0; 3], [0.0; 3], [0.0; 2], [], [], [])
    }

    fn guess(&self, q: &mut [f64], v: &mut [f64], _: &mut [f64]) {
        q.copy_from_slice(&[0.0, 0.0, 1.0]);
        v.copy_from_slice(&[self.speed, 0.0, 0.0]);
    }

    fn accelerations(&self, at: StateView, a: &mut [f64], lambda: &mut [f64]) -> Result<(), Error> {
        self.solve(at, &[0.0, -self.gravity, 0.0], &[0.0, -at.q[2]], a, lambda)
    }

    /// G = [2 vₓ, 2 v_y, 0; 0, 0, 1].
    fn solve(&self, at: StateView, f: &[f64], g: &[f64], x: &mut [f64], mu: &mut [f64]) -> Result<(), Error> {
        let StateView { v, t, .. } = at;
        let (dot, square) = (2.0 * (v[0] * f[0] + v[1] * f[1]), 4.0 * (v[0] * v[0] + v[1] * v[1]));
        if square == 0.0 {
            return Err(Error::Singular { row: 3, t });
        }
        mu.copy_from_slice(&[(dot - g[0]) / square, f[2] - g[1]]);
        x.copy_from_slice(&[f[0] - 2.0 * v[0] * mu[0], f[1] - 2.0 * v[1] * mu[0], g[1]]);
        Ok(())
    }

    fn position_residuals(&self, _: StateView, _: &mut [f64]) {}

    fn velocity_residuals(&self, at: StateView, psi: &mut [f64]) {
        psi[0] = at.v[0] * at.v[0] + at.v[1] * at.v[1] - self.speed * self.speed;
    }

    fn jacobian_reads_speeds(&self) -> bool {
        true
    }
}
