//! q̈ = −q + u, ż = q − z: no constraints, one auxiliary state, one input.

use mbs_core::{Differentiable, Energy, Error, Mechanism, Momenta, Real, Sizes, StateView};

pub struct Oscillator;

impl Oscillator {
    /// (q, v, z) with q(0) = 1, v(0) = 0, z(0) = 0, u = 0.
    pub fn exact(t: f64) -> Vec<f64> {
        vec![t.cos(), -t.sin(), 0.5 * (t.cos() + t.sin() - (-t).exp())]
    }
}

impl<T: Real> Mechanism<T> for Oscillator {
    type Coordinates = [T; 1];
    type Speeds = [T; 1];
    type Multipliers = [T; 0];
    type Auxiliary = [T; 1];
    type Inputs = [T; 1];
    type Scratch = [T; 0];

    fn sizes(&self) -> Sizes {
        Sizes { n_q: 1, n_v: 1, n_z: 1, n_u: 1, ..Sizes::default() }
    }

    fn storage(&self) -> ([T; 1], [T; 1], [T; 0], [T; 1], [T; 1], [T; 0]) {
        ([T::ZERO], [T::ZERO], [], [T::ZERO], [T::ZERO], [])
    }

    fn guess(&self, q: &mut [T], _: &mut [T], _: &mut [T]) {
        q[0] = T::ONE;
    }

    fn accelerations(&self, at: StateView<T>, a: &mut [T], _: &mut [T]) -> Result<(), Error<T>> {
        a[0] = at.u[0] - at.q[0];
        Ok(())
    }

    fn solve(&self, _: StateView<T>, f: &[T], _: &[T], x: &mut [T], _: &mut [T]) -> Result<(), Error<T>> {
        x.copy_from_slice(f);
        Ok(())
    }

    fn position_residuals(&self, _: StateView<T>, _: &mut [T]) {}

    fn velocity_residuals(&self, _: StateView<T>, _: &mut [T]) {}

    fn auxiliary_rates(&self, at: StateView<T>, rates: &mut [T]) {
        rates[0] = at.q[0] - at.z[0];
    }

    fn energy(&self, at: StateView<T>) -> Energy<T> {
        let half = T::from_f64(0.5);
        Energy { kinetic: half * at.v[0] * at.v[0], potential: half * at.q[0] * at.q[0] }
    }
}

impl<T: Real> Momenta<T> for Oscillator {}

impl<T: Real> Differentiable<T> for Oscillator {
    type Jacobian = [T; 12];

    fn jacobian_storage(&self) -> [T; 12] {
        [T::ZERO; 12]
    }

    fn state_jacobian(&self, _: StateView<T>, jacobian: &mut [T]) -> Result<(), Error<T>> {
        let rows = [[0.0, 1.0, 0.0, 0.0], [-1.0, 0.0, 0.0, 1.0], [1.0, 0.0, -1.0, 0.0]];
        jacobian.copy_from_slice(rows.map(|row| row.map(T::from_f64)).as_flattened());
        Ok(())
    }

    fn acceleration_jacobian(
        &self,
        at: StateView<T>,
        a: &mut [T],
        lambda: &mut [T],
        jacobian: &mut [T],
    ) -> Result<(), Error<T>> {
        super::acceleration_rows(self, at, [a, lambda, jacobian])
    }
}
