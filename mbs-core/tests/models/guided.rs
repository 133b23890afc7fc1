//! A point without degrees of freedom, whose position is determined by two rows: n_v = n_c = 2.
//!
//! It is intentionally solved by (G M⁻¹ Gᵀ) μ = G M⁻¹ f − g, so that the acceleration by a force is round-off, not zero.

use mbs_core::{Condition, Energy, Error, Level, Mechanism, Sizes, StateView};

pub struct Guided {
    /// Value of x of the initial condition; that of the rows is 0.6 √2.
    pub x: f64,
}

const MASSES: [f64; 2] = [3.0, 0.7];
const ROWS: [[f64; 2]; 2] = [[0.6, 0.8], [-0.3, 1.1]];
pub const POSITION: [f64; 2] = [0.6 * core::f64::consts::SQRT_2, -0.9];

impl Mechanism for Guided {
    type Coordinates = [f64; 2];
    type Speeds = [f64; 2];
    type Multipliers = [f64; 2];
    type Auxiliary = [f64; 0];
    type Inputs = [f64; 0];
    type Scratch = [f64; 5];

    fn sizes(&self) -> Sizes {
        Sizes { n_q: 2, n_v: 2, n_c: 2, n_position: 2, n_velocity: 2, n_conditions: 1, ..Sizes::default() }
    }

    fn storage(&self) -> ([f64; 2], [f64; 2], [f64; 2], [f64; 0], [f64; 0], [f64; 5]) {
        ([0.0; 2], [0.0; 2], [0.0; 2], [], [], [0.0; 5])
    }

    fn guess(&self, q: &mut [f64], v: &mut [f64], _: &mut [f64]) {
        q.copy_from_slice(&[0.2, 0.1]);
        v.copy_from_slice(&[1.0, -1.0]);
    }

    fn accelerations(&self, at: StateView, a: &mut [f64], lambda: &mut [f64]) -> Result<(), Error> {
        self.solve(at, &[0.0; 2], &[0.0; 2], a, lambda)
    }

    fn solve(&self, _: StateView, f: &[f64], g: &[f64], x: &mut [f64], mu: &mut [f64]) -> Result<(), Error> {
        let mut s = [[0.0; 2]; 2];
        let mut b = [0.0; 2];
        for i in 0..2 {
            b[i] = ROWS[i][0] * f[0] / MASSES[0] + ROWS[i][1] * f[1] / MASSES[1] - g[i];
            for (k, row) in ROWS.iter().enumerate() {
                s[i][k] = ROWS[i][0] * row[0] / MASSES[0] + ROWS[i][1] * row[1] / MASSES[1];
            }
        }
        let determinant = s[0][0] * s[1][1] - s[0][1] * s[1][0];
        mu[0] = (b[0] * s[1][1] - b[1] * s[0][1]) / determinant;
        mu[1] = (b[1] * s[0][0] - b[0] * s[1][0]) / determinant;
        for k in 0..2 {
            x[k] = (f[k] - ROWS[0][k] * mu[0] - ROWS[1][k] * mu[1]) / MASSES[k];
        }
        Ok(())
    }

    fn position_residuals(&self, at: StateView, phi: &mut [f64]) {
        let StateView { q, .. } = at;
        for (phi, row) in phi.iter_mut().zip(ROWS) {
            *phi = row[0] * (q[0] - POSITION[0]) + row[1] * (q[1] - POSITION[1]);
        }
    }

    fn velocity_residuals(&self, at: StateView, psi: &mut [f64]) {
        let StateView { v, .. } = at;
        for (psi, row) in psi.iter_mut().zip(ROWS) {
            *psi = row[0] * v[0] + row[1] * v[1];
        }
    }

    fn energy(&self, at: StateView) -> Energy {
        let kinetic = 0.5 * (MASSES[0] * at.v[0] * at.v[0] + MASSES[1] * at.v[1] * at.v[1]);
        Energy { kinetic, potential: 0.0 }
    }

    fn initial_condition(&self, _: usize, at: StateView, gradient: &mut [f64]) -> Condition {
        gradient.copy_from_slice(&[1.0, 0.0]);
        Condition { residual: at.q[0] - self.x, level: Level::Position }
    }
}
