//! A particle on the unit circle at constant speed c, q = (x, y): Φ = (x² + y² − 1)/2 and ψ = vₓ² + v_y² − c², so that n_v = n_c.

use mbs_core::{Error, Mechanism, Sizes, StateView};

pub struct Lap {
    /// c \[m/s\].
    pub speed: f64,
}

impl Mechanism for Lap {
    type Coordinates = [f64; 2];
    type Speeds = [f64; 2];
    type Multipliers = [f64; 2];
    type Auxiliary = [f64; 0];
    type Inputs = [f64; 0];
    type Scratch = [f64; 0];

    fn sizes(&self) -> Sizes {
        Sizes { n_q: 2, n_v: 2, n_c: 2, n_position: 1, n_velocity: 2, ..Sizes::default() }
    }

    fn storage(&self) -> ([f64; 2], [f64; 2], [f64; 2], [f64; 0], [f64; 0], [f64; 0]) {
        ([0.0; 2], [0.0; 2], [0.0; 2], [], [], [])
    }

    fn guess(&self, q: &mut [f64], v: &mut [f64], _: &mut [f64]) {
        q.copy_from_slice(&[1.0, 0.0]);
        v.copy_from_slice(&[0.1, 0.8 * self.speed]);
    }

    fn accelerations(&self, at: StateView, a: &mut [f64], lambda: &mut [f64]) -> Result<(), Error> {
        let square = at.v[0] * at.v[0] + at.v[1] * at.v[1];
        self.solve(at, &[0.0; 2], &[-square, 0.0], a, lambda)
    }

    /// G = [x, y; 2 vₓ, 2 v_y], M = 1.
    fn solve(&self, at: StateView, f: &[f64], g: &[f64], x: &mut [f64], mu: &mut [f64]) -> Result<(), Error> {
        let StateView { t, q, v, .. } = at;
        let (g0, g1) = ([q[0], q[1]], [2.0 * v[0], 2.0 * v[1]]);
        let determinant = g0[0] * g1[1] - g0[1] * g1[0];
        if determinant.abs() < 1e-14 {
            return Err(Error::Singular { row: 3, t });
        }
        x.copy_from_slice(&[(g[0] * g1[1] - g0[1] * g[1]) / determinant, (g0[0] * g[1] - g[0] * g1[0]) / determinant]);
        let reaction = [f[0] - x[0], f[1] - x[1]];
        mu.copy_from_slice(&[
            (reaction[0] * g1[1] - g1[0] * reaction[1]) / determinant,
            (g0[0] * reaction[1] - reaction[0] * g0[1]) / determinant,
        ]);
        Ok(())
    }

    fn position_residuals(&self, at: StateView, phi: &mut [f64]) {
        phi[0] = 0.5 * (at.q[0] * at.q[0] + at.q[1] * at.q[1] - 1.0);
    }

    fn velocity_residuals(&self, at: StateView, psi: &mut [f64]) {
        let StateView { q, v, .. } = at;
        psi.copy_from_slice(&[q[0] * v[0] + q[1] * v[1], v[0] * v[0] + v[1] * v[1] - self.speed * self.speed]);
    }

    fn jacobian_reads_speeds(&self) -> bool {
        true
    }
}
