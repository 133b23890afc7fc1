//! A point mass on a rod in Cartesian coordinates: q = (x, y), y up, one row Φ = ½ (x² + y² − ℓ²).

use super::dual::{self, Number};
use mbs_core::{Condition, Differentiable, Energy, Error, Level, Mechanism, Momenta, Real, Sizes, StateView};

/// An `initial` condition: a quantity with its value.
#[derive(Clone, Copy)]
pub enum InitialValue {
    X(f64),
    Y(f64),
    /// x² + y², which is determined by the row.
    SquaredLength(f64),
    SpeedX(f64),
    /// x ẋ + y ẏ, which is 0 by the row.
    Radial(f64),
}

pub struct Pendulum {
    pub mass: f64,
    pub length: f64,
    pub gravity: f64,
    pub guess: [f64; 4],
    pub initial: Vec<InitialValue>,
}

impl Default for Pendulum {
    fn default() -> Self {
        Pendulum { mass: 2.0, length: 1.5, gravity: 9.81, guess: [1.5, 0.0, 0.0, 0.0], initial: Vec::new() }
    }
}

impl<T: Real> Mechanism<T> for Pendulum {
    type Coordinates = [T; 2];
    type Speeds = [T; 2];
    type Multipliers = [T; 1];
    type Auxiliary = [T; 0];
    type Inputs = [T; 0];
    type Scratch = Box<[T]>;

    fn sizes(&self) -> Sizes {
        let n_conditions = self.initial.len();
        Sizes { n_q: 2, n_v: 2, n_c: 1, n_position: 1, n_velocity: 1, n_conditions, ..Sizes::default() }
    }

    fn storage(&self) -> ([T; 2], [T; 2], [T; 1], [T; 0], [T; 0], Box<[T]>) {
        let n = self.initial.len();
        ([T::ZERO; 2], [T::ZERO; 2], [T::ZERO], [], [], vec![T::ZERO; n * (2 + n + 2)].into())
    }

    fn guess(&self, q: &mut [T], v: &mut [T], _: &mut [T]) {
        for (entry, guess) in q.iter_mut().chain(v).zip(self.guess) {
            *entry = T::from_f64(guess);
        }
    }

    fn accelerations(&self, at: StateView<T>, a: &mut [T], lambda: &mut [T]) -> Result<(), Error<T>> {
        let gamma = -(at.v[0] * at.v[0] + at.v[1] * at.v[1]);
        let weight = T::from_f64(-self.mass * self.gravity);
        self.solve(at, &[T::ZERO, weight], &[gamma], a, lambda)
    }

    fn solve(&self, at: StateView<T>, f: &[T], g: &[T], x: &mut [T], mu: &mut [T]) -> Result<(), Error<T>> {
        let StateView { t, q, .. } = at;
        // m x + q μ = f, q·x = g: μ = (q·f − m g)/|q|².
        let (m, square) = (T::from_f64(self.mass), q[0] * q[0] + q[1] * q[1]);
        if square <= T::EPSILON {
            return Err(Error::Singular { row: 2, t });
        }
        mu[0] = (q[0] * f[0] + q[1] * f[1] - m * g[0]) / square;
        for i in 0..2 {
            x[i] = (f[i] - q[i] * mu[0]) / m;
        }
        Ok(())
    }

    fn position_residuals(&self, at: StateView<T>, phi: &mut [T]) {
        let StateView { q, .. } = at;
        let length = T::from_f64(self.length);
        phi[0] = T::from_f64(0.5) * (q[0] * q[0] + q[1] * q[1] - length * length);
    }

    fn velocity_residuals(&self, at: StateView<T>, psi: &mut [T]) {
        let StateView { q, v, .. } = at;
        psi[0] = q[0] * v[0] + q[1] * v[1];
    }

    fn energy(&self, at: StateView<T>) -> Energy<T> {
        let half = T::from_f64(0.5 * self.mass);
        let kinetic = half * (at.v[0] * at.v[0] + at.v[1] * at.v[1]);
        Energy { kinetic, potential: T::from_f64(self.mass * self.gravity) * at.q[1] }
    }

    fn initial_condition(&self, condition: usize, at: StateView<T>, gradient: &mut [T]) -> Condition<T> {
        let two = T::from_f64(2.0);
        let (value, level, h, given) = match self.initial[condition] {
            InitialValue::X(x) => (at.q[0], Level::Position, [T::ONE, T::ZERO], x),
            InitialValue::Y(y) => (at.q[1], Level::Position, [T::ZERO, T::ONE], y),
            InitialValue::SquaredLength(s) => {
                (at.q[0] * at.q[0] + at.q[1] * at.q[1], Level::Position, [two * at.q[0], two * at.q[1]], s)
            }
            InitialValue::SpeedX(x) => (at.v[0], Level::Velocity, [T::ONE, T::ZERO], x),
            InitialValue::Radial(r) => (at.q[0] * at.v[0] + at.q[1] * at.v[1], Level::Velocity, [at.q[0], at.q[1]], r),
        };
        gradient.copy_from_slice(&h);
        Condition { residual: value - T::from_f64(given), level }
    }
}

impl<T: Real> Momenta<T> for Pendulum {}

impl<T: Number> Differentiable<T> for Pendulum {
    type Jacobian = [T; 16];

    fn jacobian_storage(&self) -> [T; 16] {
        [T::ZERO; 16]
    }

    fn state_jacobian(&self, at: StateView<T>, jacobian: &mut [T]) -> Result<(), Error<T>> {
        dual::state_jacobian(self, at, jacobian)
    }

    /// ∂(a, λ)/∂(q, v), by differentiation of m x + q μ = f, q·x = γ.
    fn acceleration_jacobian(
        &self,
        at: StateView<T>,
        a: &mut [T],
        lambda: &mut [T],
        jacobian: &mut [T],
    ) -> Result<(), Error<T>> {
        self.accelerations(at, a, lambda)?;
        let two = T::from_f64(2.0);
        for j in 0..4 {
            let unit = |i: usize| if i == j { T::ONE } else { T::ZERO };
            let f = [-lambda[0] * unit(0), -lambda[0] * unit(1)];
            let g = -(unit(0) * a[0] + unit(1) * a[1]) - two * (unit(2) * at.v[0] + unit(3) * at.v[1]);
            let (mut x, mut mu) = ([T::ZERO; 2], [T::ZERO]);
            self.solve(at, &f, &[g], &mut x, &mut mu)?;
            for (i, derivative) in x.into_iter().chain(mu).enumerate() {
                jacobian[4 * i + j] = derivative;
            }
        }
        Ok(())
    }
}
