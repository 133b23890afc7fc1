//! A mechanism with derivatives by central differences of order 4, with relative errors of some 1e-11.

use mbs_core::{Differentiable, Energy, Error, Mechanism, Sizes, StateView};

pub struct Differenced<M>(pub M);

/// Step of the differences, for entries of size 1.
const H: f64 = 1e-3;

impl<M: Mechanism> Mechanism for Differenced<M> {
    type Coordinates = M::Coordinates;
    type Speeds = M::Speeds;
    type Multipliers = M::Multipliers;
    type Auxiliary = M::Auxiliary;
    type Inputs = M::Inputs;
    type Scratch = M::Scratch;

    fn sizes(&self) -> Sizes {
        self.0.sizes()
    }

    fn storage(&self) -> (M::Coordinates, M::Speeds, M::Multipliers, M::Auxiliary, M::Inputs, M::Scratch) {
        self.0.storage()
    }

    fn guess(&self, q: &mut [f64], v: &mut [f64], z: &mut [f64]) {
        self.0.guess(q, v, z);
    }

    fn accelerations(&self, at: StateView, a: &mut [f64], lambda: &mut [f64]) -> Result<(), Error> {
        self.0.accelerations(at, a, lambda)
    }

    fn solve(&self, at: StateView, f: &[f64], g: &[f64], x: &mut [f64], mu: &mut [f64]) -> Result<(), Error> {
        self.0.solve(at, f, g, x, mu)
    }

    fn position_residuals(&self, at: StateView, phi: &mut [f64]) {
        self.0.position_residuals(at, phi);
    }

    fn velocity_residuals(&self, at: StateView, psi: &mut [f64]) {
        self.0.velocity_residuals(at, psi);
    }

    fn jacobian_reads_speeds(&self) -> bool {
        self.0.jacobian_reads_speeds()
    }

    fn coordinate_rates(&self, t: f64, q: &[f64], v: &[f64], rates: &mut [f64]) {
        self.0.coordinate_rates(t, q, v, rates);
    }

    fn normalize(&self, q: &mut [f64]) {
        self.0.normalize(q);
    }

    fn auxiliary_rates(&self, at: StateView, rates: &mut [f64]) {
        self.0.auxiliary_rates(at, rates);
    }

    fn energy(&self, at: StateView) -> Energy {
        self.0.energy(at)
    }
}

impl<M: Mechanism> Differenced<M> {
    /// (q̇, v̇, ż) at x = (q, v, z, u).
    fn rates(&self, t: f64, x: &[f64]) -> Result<Vec<f64>, Error> {
        let Sizes { n_q, n_v, n_z, n_c, .. } = self.sizes();
        let (q, rest) = x.split_at(n_q);
        let (v, rest) = rest.split_at(n_v);
        let (z, u) = rest.split_at(n_z);
        let at = StateView { t, q, v, z, u };
        let (mut rates, mut lambda) = (vec![0.0; n_q + n_v + n_z], vec![0.0; n_c]);
        let (q_rates, rest) = rates.split_at_mut(n_q);
        let (a, others) = rest.split_at_mut(n_v);
        self.0.coordinate_rates(t, q, v, q_rates);
        self.0.accelerations(at, a, &mut lambda)?;
        self.0.auxiliary_rates(at, others);
        Ok(rates)
    }
}

impl<M: Mechanism> Differentiable for Differenced<M> {
    type Jacobian = Vec<f64>;

    fn jacobian_storage(&self) -> Vec<f64> {
        let sizes = self.sizes();
        vec![0.0; sizes.n_x() * (sizes.n_x() + sizes.n_u)]
    }

    fn state_jacobian(&self, at: StateView, jacobian: &mut [f64]) -> Result<(), Error> {
        let x = [at.q, at.v, at.z, at.u].concat();
        for j in 0..x.len() {
            let displaced_rates = |steps: f64| {
                let mut x = x.clone();
                x[j] += steps * H;
                self.rates(at.t, &x)
            };
            let far = [displaced_rates(2.0)?, displaced_rates(-2.0)?];
            let near = [displaced_rates(1.0)?, displaced_rates(-1.0)?];
            for (i, row) in jacobian.chunks_exact_mut(x.len()).enumerate() {
                row[j] = (8.0 * (near[0][i] - near[1][i]) - (far[0][i] - far[1][i])) / (12.0 * H);
            }
        }
        Ok(())
    }

    /// For quaternions q and speeds ω in body axes, or N = 1: N⁺ is Nᵀ divided by the squares of the columns of N.
    fn speeds_of_rates(&self, t: f64, q: &[f64], rates: &[f64], v: &mut [f64]) {
        let mut column = rates.to_vec();
        for j in 0..v.len() {
            let unit: Vec<f64> = (0..v.len()).map(|i| f64::from(i == j)).collect();
            self.0.coordinate_rates(t, q, &unit, &mut column);
            let (dot, square) = column.iter().zip(rates).fold((0.0, 0.0), |(a, s), (c, r)| (a + c * r, s + c * c));
            v[j] = dot / square;
        }
    }

    fn acceleration_jacobian(&self, _: StateView, _: &mut [f64], _: &mut [f64], _: &mut [f64]) -> Result<(), Error> {
        unimplemented!("no integrator reads it")
    }
}
