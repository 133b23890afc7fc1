//! A four-bar of thin bars in natural coordinates: q = (B_x, B_y, C_x, C_y), pins A at the origin and D on the x axis.

use mbs_core::{DenseWorkspace, Energy, Error, Mechanism, Momenta, RankDeficiency, Sizes, StateView, solve_symmetric};

pub struct FourBar {
    /// Lengths AB, BC, CD \[m\].
    pub lengths: [f64; 3],
    /// Distance AD \[m\].
    pub ground: f64,
    /// Mass per length of the bars \[kg/m\].
    pub density: f64,
    pub gravity: f64,
}

impl FourBar {
    /// The four-bar of the case `zhong06_fourbar_forward`.
    pub const CASE: FourBar = FourBar { lengths: [0.1, 0.35, 0.25], ground: 0.3, density: 2.0, gravity: 9.81 };

    fn masses(&self) -> [f64; 3] {
        self.lengths.map(|l| l * self.density)
    }

    /// M for one component of the positions: the mass matrix of a thin bar is m/6 [2 1; 1 2] in the positions of its ends.
    fn mass(&self) -> [[f64; 2]; 2] {
        let [ab, bc, cd] = self.masses();
        [[(ab + bc) / 3.0, bc / 6.0], [bc / 6.0, (bc + cd) / 3.0]]
    }

    pub fn times_mass(&self, v: &[f64]) -> [f64; 4] {
        let m = self.mass();
        core::array::from_fn(|i| m[i / 2][0] * v[i % 2] + m[i / 2][1] * v[2 + i % 2])
    }

    /// Weights at B and C: half of that of each adjacent bar.
    fn weights(&self) -> [f64; 2] {
        let [ab, bc, cd] = self.masses();
        [0.5 * (ab + bc) * self.gravity, 0.5 * (bc + cd) * self.gravity]
    }

    /// Rows of G: twice the components of B, C − B and C − D.
    fn jacobian(&self, q: &[f64]) -> [[f64; 4]; 3] {
        let (x, y) = (2.0 * (q[2] - q[0]), 2.0 * (q[3] - q[1]));
        let rocker = [0.0, 0.0, 2.0 * (q[2] - self.ground), 2.0 * q[3]];
        [[2.0 * q[0], 2.0 * q[1], 0.0, 0.0], [-x, -y, x, y], rocker]
    }
}

impl Mechanism for FourBar {
    type Coordinates = [f64; 4];
    type Speeds = [f64; 4];
    type Multipliers = [f64; 3];
    type Auxiliary = [f64; 0];
    type Inputs = [f64; 0];
    type Scratch = [f64; 0];

    fn sizes(&self) -> Sizes {
        Sizes { n_q: 4, n_v: 4, n_c: 3, n_position: 3, n_velocity: 3, ..Sizes::default() }
    }

    fn storage(&self) -> ([f64; 4], [f64; 4], [f64; 3], [f64; 0], [f64; 0], [f64; 0]) {
        ([0.0; 4], [0.0; 4], [0.0; 3], [], [], [])
    }

    fn guess(&self, _: &mut [f64], _: &mut [f64], _: &mut [f64]) {}

    fn accelerations(&self, at: StateView, a: &mut [f64], lambda: &mut [f64]) -> Result<(), Error> {
        let [b, c] = self.weights();
        let square = |x: f64, y: f64| -2.0 * (x * x + y * y);
        let v = at.v;
        let gamma = [square(v[0], v[1]), square(v[2] - v[0], v[3] - v[1]), square(v[2], v[3])];
        self.solve(at, &[0.0, -b, 0.0, -c], &gamma, a, lambda)
    }

    fn solve(&self, at: StateView, f: &[f64], g: &[f64], x: &mut [f64], mu: &mut [f64]) -> Result<(), Error> {
        let (mass, rows) = (self.mass(), self.jacobian(at.q));
        let (mut matrix, mut right) = ([0.0; 49], [0.0; 7]);
        for i in 0..4 {
            for j in (0..4).filter(|j| i % 2 == j % 2) {
                matrix[7 * i + j] = mass[i / 2][j / 2];
            }
        }
        for (r, row) in rows.iter().enumerate() {
            for (i, entry) in row.iter().enumerate() {
                matrix[7 * (4 + r) + i] = *entry;
                matrix[7 * i + 4 + r] = *entry;
            }
        }
        right[..4].copy_from_slice(f);
        right[4..].copy_from_slice(g);
        let (mut scale, mut solution, mut order) = ([0.0; 7], [0.0; 7], [0; 7]);
        let work = DenseWorkspace { scale: &mut scale, solution: &mut solution, order: &mut order };
        solve_symmetric(at.t, &mut matrix, &mut right, RankDeficiency::Error, work)?;
        x.copy_from_slice(&right[..4]);
        mu.copy_from_slice(&right[4..]);
        Ok(())
    }

    fn position_residuals(&self, at: StateView, phi: &mut [f64]) {
        let (q, [ab, bc, cd]) = (at.q, self.lengths);
        let row = |x: f64, y: f64, l: f64| x * x + y * y - l * l;
        phi.copy_from_slice(&[
            row(q[0], q[1], ab),
            row(q[2] - q[0], q[3] - q[1], bc),
            row(q[2] - self.ground, q[3], cd),
        ]);
    }

    fn velocity_residuals(&self, at: StateView, psi: &mut [f64]) {
        for (psi, row) in psi.iter_mut().zip(self.jacobian(at.q)) {
            *psi = row.iter().zip(at.v).map(|(g, v)| g * v).sum();
        }
    }

    fn energy(&self, at: StateView) -> Energy {
        let [b, c] = self.weights();
        let kinetic = 0.5 * self.times_mass(at.v).iter().zip(at.v).map(|(p, v)| p * v).sum::<f64>();
        Energy { kinetic, potential: b * at.q[1] + c * at.q[3] }
    }
}

impl Momenta for FourBar {
    fn momenta(&self, at: StateView, momenta: &mut [f64]) -> Result<(), Error> {
        momenta.copy_from_slice(&self.times_mass(at.v));
        Ok(())
    }

    fn momentum_rates(&self, _: StateView, rates: &mut [f64]) -> Result<(), Error> {
        let [b, c] = self.weights();
        rates.copy_from_slice(&[0.0, -b, 0.0, -c]);
        Ok(())
    }

    fn speeds_of_momenta(&self, _: StateView, p: &[f64], v: &mut [f64]) -> Result<(), Error> {
        let [[a, b], [_, c]] = self.mass();
        let d = a * c - b * b;
        for i in 0..2 {
            (v[i], v[2 + i]) = ((c * p[i] - b * p[2 + i]) / d, (a * p[2 + i] - b * p[i]) / d);
        }
        Ok(())
    }
}
