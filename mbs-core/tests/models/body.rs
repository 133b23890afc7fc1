//! A free rigid body, q = [r, attitude], u = [force, moment] in body axes at the centre of mass: with a unit quaternion, whose
//! R(q) is homogeneous of degree 2, or with modified Rodrigues parameters; v = [ṙ, ω], ṙ in world or body axes, ω in body axes.

use super::dual::{self, Dual, Number};
use mbs_core::rotation::{conjugate, cross, inner, normalized, product, rotate, transform};
use mbs_core::{Differentiable, Error, Mechanism, Real, Sizes, StateView};

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Kind {
    /// A quaternion, ṙ in world axes: the satellite of the pinned cases.
    Quaternion,
    /// A quaternion, ṙ in body axes.
    BodyVelocity,
    /// Modified Rodrigues parameters, ṙ in world axes.
    ModifiedRodrigues,
}

#[derive(Clone, Copy)]
pub struct Body {
    pub kind: Kind,
    pub mass: f64,
    /// About the centre of mass, body axes.
    pub inertia: [[f64; 3]; 3],
}

impl Body {
    pub fn new(kind: Kind) -> Self {
        Body { kind, mass: 3.2, inertia: [[0.9, 0.05, -0.02], [0.05, 1.4, 0.03], [-0.02, 0.03, 1.1]] }
    }

    /// R(q) x.
    fn rotate<T: Real>(&self, q: &[T], x: [T; 3]) -> [T; 3] {
        match self.kind {
            Kind::ModifiedRodrigues => {
                let p = three(&q[3..]);
                let square = inner(p, p);
                // The quaternion (1 − σ², 2σ) has the norm 1 + σ².
                let y = rotate([T::ONE - square, p[0] + p[0], p[1] + p[1], p[2] + p[2]], x);
                y.map(|y| y / ((T::ONE + square) * (T::ONE + square)))
            }
            _ => rotate(four(&q[3..]), x),
        }
    }

    /// J⁻¹ τ by Cramer's rule.
    fn inverse_inertia<T: Real>(&self, tau: [T; 3]) -> [T; 3] {
        let [a, b, c] = self.inertia;
        let determinant = inner(a, cross(b, c));
        let columns = [cross(b, c), cross(c, a), cross(a, b)];
        core::array::from_fn(|i| (0..3).fold(T::ZERO, |sum, k| sum + T::from_f64(columns[k][i] / determinant) * tau[k]))
    }
}

fn three<T: Real>(x: &[T]) -> [T; 3] {
    [x[0], x[1], x[2]]
}

fn four<T: Real>(x: &[T]) -> [T; 4] {
    [x[0], x[1], x[2], x[3]]
}

fn scale<T: Real>(s: T, x: [T; 3]) -> [T; 3] {
    x.map(|x| s * x)
}

/// ṗ = ¼ ((1 − p²) ω + 2 p × ω + 2 p (p·ω)).
fn modified_rates<T: Real>(p: [T; 3], omega: [T; 3]) -> [T; 3] {
    let (cross, dot, square) = (cross(p, omega), inner(p, omega), inner(p, p));
    let two = T::from_f64(2.0);
    core::array::from_fn(|i| T::from_f64(0.25) * ((T::ONE - square) * omega[i] + two * cross[i] + two * dot * p[i]))
}

impl<T: Real> Mechanism<T> for Body {
    type Coordinates = Vec<T>;
    type Speeds = [T; 6];
    type Multipliers = [T; 0];
    type Auxiliary = [T; 0];
    type Inputs = [T; 6];
    type Scratch = [T; 0];

    fn sizes(&self) -> Sizes {
        let n_q = if self.kind == Kind::ModifiedRodrigues { 6 } else { 7 };
        Sizes { n_q, n_v: 6, n_u: 6, ..Sizes::default() }
    }

    fn storage(&self) -> (Vec<T>, [T; 6], [T; 0], [T; 0], [T; 6], [T; 0]) {
        (vec![T::ZERO; Mechanism::<T>::sizes(self).n_q], [T::ZERO; 6], [], [], [T::ZERO; 6], [])
    }

    fn guess(&self, q: &mut [T], _: &mut [T], _: &mut [T]) {
        if self.kind != Kind::ModifiedRodrigues {
            q[3] = T::ONE;
        }
    }

    fn accelerations(&self, at: StateView<T>, a: &mut [T], _: &mut [T]) -> Result<(), Error<T>> {
        let (force, tau) = (scale(T::from_f64(1.0 / self.mass), three(at.u)), three(&at.u[3..]));
        let (v, omega) = (three(at.v), three(&at.v[3..]));
        let gyroscopic = cross(omega, transform(self.inertia.map(|row| row.map(T::from_f64)), omega));
        let alpha = self.inverse_inertia(core::array::from_fn(|i| tau[i] - gyroscopic[i]));
        let linear = match self.kind {
            Kind::BodyVelocity => core::array::from_fn(|i| force[i] - cross(omega, v)[i]),
            _ => self.rotate(at.q, force),
        };
        a[..3].copy_from_slice(&linear);
        a[3..].copy_from_slice(&alpha);
        Ok(())
    }

    fn solve(&self, _: StateView<T>, f: &[T], _: &[T], x: &mut [T], _: &mut [T]) -> Result<(), Error<T>> {
        x[..3].copy_from_slice(&scale(T::from_f64(1.0 / self.mass), three(f)));
        x[3..].copy_from_slice(&self.inverse_inertia(three(&f[3..])));
        Ok(())
    }

    fn position_residuals(&self, _: StateView<T>, _: &mut [T]) {}

    fn velocity_residuals(&self, _: StateView<T>, _: &mut [T]) {}

    fn coordinate_rates(&self, _: T, q: &[T], v: &[T], rates: &mut [T]) {
        let (linear, omega) = (three(v), three(&v[3..]));
        rates[..3].copy_from_slice(&linear);
        if self.kind == Kind::BodyVelocity {
            rates[..3].copy_from_slice(&self.rotate(q, linear));
        }
        if self.kind == Kind::ModifiedRodrigues {
            rates[3..].copy_from_slice(&modified_rates(three(&q[3..]), omega));
        } else {
            let [x, y, z] = omega;
            let twice_rate = product(four(&q[3..]), [T::ZERO, x, y, z]);
            rates[3..].copy_from_slice(&twice_rate.map(|rate| T::from_f64(0.5) * rate));
        }
    }

    fn normalize(&self, q: &mut [T]) {
        if self.kind != Kind::ModifiedRodrigues {
            let unit = normalized(four(&q[3..]));
            q[3..].copy_from_slice(&unit);
        }
    }
}

impl<T: Number> Differentiable<T> for Body {
    type Jacobian = Vec<T>;

    fn jacobian_storage(&self) -> Vec<T> {
        let n_x = Mechanism::<T>::sizes(self).n_x();
        vec![T::ZERO; n_x * (n_x + 6)]
    }

    fn state_jacobian(&self, at: StateView<T>, jacobian: &mut [T]) -> Result<(), Error<T>> {
        dual::state_jacobian(self, at, jacobian)
    }

    fn speeds_of_rates(&self, _: T, q: &[T], rates: &[T], v: &mut [T]) {
        let rate = three(rates);
        v[..3].copy_from_slice(&rate);
        if self.kind == Kind::BodyVelocity {
            let e = conjugate(four(&q[3..]));
            v[..3].copy_from_slice(&rotate(e, rate));
        }
        let omega = if self.kind == Kind::ModifiedRodrigues {
            // N = ¼ (1 + p²) times a rotation, so that N⁻¹ = Nᵀ 16/(1 + p²)²; Nᵀ is N of −p.
            let p = three(&q[3..]);
            let s = T::from_f64(4.0) / (T::ONE + inner(p, p));
            scale(s * s, modified_rates(p.map(|p| -p), three(&rates[3..])))
        } else {
            let [_, x, y, z] = product(conjugate(four(&q[3..])), four(&rates[3..]));
            scale(T::from_f64(2.0), [x, y, z])
        };
        v[3..].copy_from_slice(&omega);
    }

    fn acceleration_jacobian(
        &self,
        at: StateView<T>,
        a: &mut [T],
        lambda: &mut [T],
        jacobian: &mut [T],
    ) -> Result<(), Error<T>> {
        // Derivatives in the directions q + ε N e_j, v + ε e_j and u + ε e_j.
        for j in 0..18 {
            let one = |i: usize, first: usize| if i + first == j { T::ONE } else { T::ZERO };
            let mut rates = vec![T::ZERO; at.q.len()];
            let unit: [T; 6] = core::array::from_fn(|i| one(i, 0));
            self.coordinate_rates(at.t, at.q, &unit, &mut rates);
            let q: Vec<_> = at.q.iter().zip(&rates).map(|(q, rate)| Dual::new(*q, *rate)).collect();
            let v: [_; 6] = core::array::from_fn(|i| Dual::new(at.v[i], one(i, 6)));
            let u: [_; 6] = core::array::from_fn(|i| Dual::new(at.u[i], one(i, 12)));
            let mut column = [Dual::ZERO; 6];
            let view = StateView { t: Dual::new(at.t, T::ZERO), q: &q, v: &v, z: &[], u: &u };
            self.accelerations(view, &mut column, &mut []).expect("a body is regular");
            for (row, x) in jacobian.chunks_exact_mut(18).zip(column) {
                row[j] = x.derivative;
            }
        }
        self.accelerations(at, a, lambda)
    }
}
