//! Masses on springs of given stiffnesses, in coordinates that mix them: q̈ = −H diag(k) H q, H = 1 − (2/n) 1 1ᵀ.

use mbs_core::{Differentiable, Energy, Error, Mechanism, Sizes, StateView};

/// k \[1/s²\].
pub struct Springs(pub Vec<f64>);

impl Springs {
    /// H x, Householder's reflection with the normal (1, 1, …): H is orthogonal, and H⁻¹ = H.
    fn mix(x: &[f64]) -> Vec<f64> {
        let mean = x.iter().sum::<f64>() / x.len() as f64;
        x.iter().map(|x| x - 2.0 * mean).collect()
    }

    /// −H diag(k) H q.
    fn spring_forces(&self, q: &[f64]) -> Vec<f64> {
        let forces: Vec<f64> = Springs::mix(q).iter().zip(&self.0).map(|(x, k)| -k * x).collect();
        Springs::mix(&forces)
    }
}

impl Mechanism for Springs {
    type Coordinates = Vec<f64>;
    type Speeds = Vec<f64>;
    type Multipliers = [f64; 0];
    type Auxiliary = [f64; 0];
    type Inputs = [f64; 0];
    type Scratch = [f64; 0];

    fn sizes(&self) -> Sizes {
        Sizes { n_q: self.0.len(), n_v: self.0.len(), ..Sizes::default() }
    }

    fn storage(&self) -> (Vec<f64>, Vec<f64>, [f64; 0], [f64; 0], [f64; 0], [f64; 0]) {
        (vec![0.0; self.0.len()], vec![0.0; self.0.len()], [], [], [], [])
    }

    fn guess(&self, q: &mut [f64], _: &mut [f64], _: &mut [f64]) {
        q.fill(1.0);
    }

    fn accelerations(&self, at: StateView, a: &mut [f64], _: &mut [f64]) -> Result<(), Error> {
        a.copy_from_slice(&self.spring_forces(at.q));
        Ok(())
    }

    fn solve(&self, _: StateView, f: &[f64], _: &[f64], x: &mut [f64], _: &mut [f64]) -> Result<(), Error> {
        x.copy_from_slice(f);
        Ok(())
    }

    fn position_residuals(&self, _: StateView, _: &mut [f64]) {}

    fn velocity_residuals(&self, _: StateView, _: &mut [f64]) {}

    fn energy(&self, at: StateView) -> Energy {
        let kinetic = 0.5 * at.v.iter().map(|v| v * v).sum::<f64>();
        let squares = Springs::mix(at.q).iter().zip(&self.0).map(|(x, k)| k * x * x).sum::<f64>();
        Energy { kinetic, potential: 0.5 * squares }
    }
}

impl Differentiable for Springs {
    type Jacobian = Vec<f64>;

    fn jacobian_storage(&self) -> Vec<f64> {
        vec![0.0; 4 * self.0.len() * self.0.len()]
    }

    fn state_jacobian(&self, _: StateView, jacobian: &mut [f64]) -> Result<(), Error> {
        let n = self.0.len();
        jacobian.fill(0.0);
        for j in 0..n {
            jacobian[j * 2 * n + n + j] = 1.0;
            let unit: Vec<f64> = (0..n).map(|i| f64::from(i == j)).collect();
            for (i, derivative) in self.spring_forces(&unit).into_iter().enumerate() {
                jacobian[(n + i) * 2 * n + j] = derivative;
            }
        }
        Ok(())
    }

    fn acceleration_jacobian(&self, at: StateView, a: &mut [f64], l: &mut [f64], j: &mut [f64]) -> Result<(), Error> {
        super::acceleration_rows(self, at, [a, l, j])
    }
}
