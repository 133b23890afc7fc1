//! Two particles on rods, q = (θ₁, θ₂) measured from the downward vertical: M depends on θ₁ − θ₂. Momenta and their rates are those that the
//! trait computes by default.

use mbs_core::{Energy, Error, Mechanism, Momenta, Sizes, StateView};

pub struct DoublePendulum;

const MASSES: [f64; 2] = [1.3, 0.6];
const LENGTHS: [f64; 2] = [1.0, 0.8];
const GRAVITY: f64 = 9.81;

impl DoublePendulum {
    pub fn mass(q: &[f64]) -> [[f64; 2]; 2] {
        let ([m1, m2], [l1, l2], c) = (MASSES, LENGTHS, (q[0] - q[1]).cos());
        [[(m1 + m2) * l1 * l1, m2 * l1 * l2 * c], [m2 * l1 * l2 * c, m2 * l2 * l2]]
    }

    fn weights(q: &[f64]) -> [f64; 2] {
        let ([m1, m2], [l1, l2]) = (MASSES, LENGTHS);
        [-(m1 + m2) * GRAVITY * l1 * q[0].sin(), -m2 * GRAVITY * l2 * q[1].sin()]
    }

    /// ∂T/∂q + loads, derived by hand.
    pub fn rates(q: &[f64], v: &[f64]) -> [f64; 2] {
        let derivative = -MASSES[1] * LENGTHS[0] * LENGTHS[1] * (q[0] - q[1]).sin() * v[0] * v[1];
        let [a, b] = Self::weights(q);
        [a + derivative, b - derivative]
    }
}

impl Mechanism for DoublePendulum {
    type Coordinates = [f64; 2];
    type Speeds = [f64; 2];
    type Multipliers = [f64; 0];
    type Auxiliary = [f64; 0];
    type Inputs = [f64; 0];
    type Scratch = [f64; 0];

    fn sizes(&self) -> Sizes {
        Sizes { n_q: 2, n_v: 2, ..Sizes::default() }
    }

    fn storage(&self) -> ([f64; 2], [f64; 2], [f64; 0], [f64; 0], [f64; 0], [f64; 0]) {
        ([0.0; 2], [0.0; 2], [], [], [], [])
    }

    fn guess(&self, q: &mut [f64], v: &mut [f64], _: &mut [f64]) {
        q.copy_from_slice(&[1.1, -0.4]);
        v.copy_from_slice(&[0.3, 0.7]);
    }

    fn accelerations(&self, at: StateView, a: &mut [f64], lambda: &mut [f64]) -> Result<(), Error> {
        let mut forces = [0.0; 2];
        self.velocity_forces(at, &mut forces);
        let weights = Self::weights(at.q);
        self.solve(at, &[forces[0] + weights[0], forces[1] + weights[1]], &[], a, lambda)
    }

    fn velocity_forces(&self, at: StateView, forces: &mut [f64]) {
        let s = MASSES[1] * LENGTHS[0] * LENGTHS[1] * (at.q[0] - at.q[1]).sin();
        forces.copy_from_slice(&[-s * at.v[1] * at.v[1], s * at.v[0] * at.v[0]]);
    }

    fn solve(&self, at: StateView, f: &[f64], _: &[f64], x: &mut [f64], _: &mut [f64]) -> Result<(), Error> {
        let [[a, b], [_, c]] = Self::mass(at.q);
        let d = a * c - b * b;
        x.copy_from_slice(&[(c * f[0] - b * f[1]) / d, (a * f[1] - b * f[0]) / d]);
        Ok(())
    }

    fn position_residuals(&self, _: StateView, _: &mut [f64]) {}

    fn velocity_residuals(&self, _: StateView, _: &mut [f64]) {}

    fn energy(&self, at: StateView) -> Energy {
        let ([m1, m2], [l1, l2], [[a, b], [_, c]]) = (MASSES, LENGTHS, Self::mass(at.q));
        let kinetic = 0.5 * (a * at.v[0] * at.v[0] + 2.0 * b * at.v[0] * at.v[1] + c * at.v[1] * at.v[1]);
        let [c1, c2] = [at.q[0].cos(), at.q[1].cos()];
        Energy { kinetic, potential: -GRAVITY * ((m1 + m2) * l1 * c1 + m2 * l2 * c2) }
    }
}

impl Momenta for DoublePendulum {}
