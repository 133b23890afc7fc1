//! A pendulum with a motor, a brake, a filter and a gust: θ̈ = −k sin θ − c θ̇ + u₁ cos θ − ½ z + w cos 3t, ż = θ θ̇ − 2 z + u₂.

use super::dual::{self, Number};
use mbs_core::{Differentiable, Error, Mechanism, Sizes, StateView};

#[derive(Clone, Copy)]
pub struct Swing {
    /// k \[1/s²\].
    pub stiffness: f64,
    /// c \[1/s\].
    pub damping: f64,
    /// w \[1/s²\].
    pub gust: f64,
    /// Whether there is a filter z.
    pub filter: bool,
}

impl Swing {
    pub const DRIVEN: Swing = Swing { stiffness: 9.0, damping: 0.4, gust: 0.7, filter: true };
    /// Conservative for u = 0.
    pub const FREE: Swing = Swing { stiffness: 9.0, damping: 0.0, gust: 0.0, filter: false };
}

impl<T: Number> Mechanism<T> for Swing {
    type Coordinates = [T; 1];
    type Speeds = [T; 1];
    type Multipliers = [T; 0];
    type Auxiliary = Vec<T>;
    type Inputs = [T; 2];
    type Scratch = [T; 0];

    fn sizes(&self) -> Sizes {
        Sizes { n_q: 1, n_v: 1, n_z: self.filter.into(), n_u: 2, ..Sizes::default() }
    }

    fn storage(&self) -> ([T; 1], [T; 1], [T; 0], Vec<T>, [T; 2], [T; 0]) {
        ([T::ZERO], [T::ZERO], [], vec![T::ZERO; self.filter.into()], [T::ZERO; 2], [])
    }

    fn guess(&self, q: &mut [T], _: &mut [T], _: &mut [T]) {
        q[0] = T::ONE;
    }

    fn accelerations(&self, at: StateView<T>, a: &mut [T], _: &mut [T]) -> Result<(), Error<T>> {
        let ((sin, cos), number) = (at.q[0].sin_cos(), T::from_f64);
        let (_, gust) = (number(3.0) * at.t).sin_cos();
        let filtered = at.z.first().map_or(T::ZERO, |z| number(0.5) * *z);
        a[0] = number(self.gust) * gust + at.u[0] * cos
            - number(self.stiffness) * sin
            - number(self.damping) * at.v[0]
            - filtered;
        Ok(())
    }

    fn auxiliary_rates(&self, at: StateView<T>, rates: &mut [T]) {
        if let [rate] = rates {
            *rate = at.q[0] * at.v[0] - T::from_f64(2.0) * at.z[0] + at.u[1];
        }
    }

    fn solve(&self, _: StateView<T>, f: &[T], _: &[T], x: &mut [T], _: &mut [T]) -> Result<(), Error<T>> {
        x.copy_from_slice(f);
        Ok(())
    }

    fn position_residuals(&self, _: StateView<T>, _: &mut [T]) {}

    fn velocity_residuals(&self, _: StateView<T>, _: &mut [T]) {}
}

impl<T: Number> Differentiable<T> for Swing {
    type Jacobian = [T; 15];

    fn jacobian_storage(&self) -> [T; 15] {
        [T::ZERO; 15]
    }

    fn state_jacobian(&self, at: StateView<T>, jacobian: &mut [T]) -> Result<(), Error<T>> {
        dual::state_jacobian(self, at, jacobian)
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
