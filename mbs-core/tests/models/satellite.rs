//! A free rigid body with an attitude of any kind: q = [r, parameters], v = [ṙ in world axes, ω in body axes],
//! u = [force in body axes at the centre of mass, moment in body axes].

use mbs_core::rotation::{Attitude, cross, inner, rotate, transform};
use mbs_core::{Energy, Error, Mechanism, RigidBodyState, Sizes, State, StateRanges, StateView};

pub struct Satellite {
    pub attitude: Attitude,
    pub mass: f64,
    /// About the centre of mass, body axes.
    pub inertia: [[f64; 3]; 3],
}

impl Satellite {
    /// A free top with principal moments of inertia, in quaternions.
    pub fn top(moments: [f64; 3]) -> Self {
        let inertia = core::array::from_fn(|i| core::array::from_fn(|j| if i == j { moments[i] } else { 0.0 }));
        Satellite { attitude: Attitude::Quaternion, mass: 1.0, inertia }
    }

    /// L = R J ω about the centre of mass, world axes.
    pub fn angular_momentum(&self, state: &State<Self>) -> [f64; 3] {
        let body = self.body(state);
        rotate(body.unit_orientation(), transform(self.inertia, body.angular_velocity()))
    }

    pub fn body(&self, state: &State<Self>) -> RigidBodyState {
        let x: Vec<f64> = state.q.iter().chain(&state.v).copied().collect();
        RigidBodyState::from_state(self.attitude, &x).unwrap()
    }

    /// The state of a body at time 0.
    pub fn state(&self, body: &RigidBodyState) -> State<Self> {
        let mut x = vec![0.0; StateRanges::new(self.attitude).len()];
        body.write_state(self.attitude, &mut x).unwrap();
        let mut state = State::new(self);
        super::set(&mut state, &x);
        state
    }

    /// J⁻¹ τ by Cramer's rule.
    fn inverse_inertia(&self, tau: [f64; 3]) -> [f64; 3] {
        let [a, b, c] = self.inertia;
        let determinant = inner(a, cross(b, c));
        let columns = [cross(b, c), cross(c, a), cross(a, b)];
        core::array::from_fn(|i| (0..3).map(|k| columns[k][i] * tau[k]).sum::<f64>() / determinant)
    }
}

fn three(x: &[f64]) -> [f64; 3] {
    [x[0], x[1], x[2]]
}

impl Mechanism for Satellite {
    type Coordinates = Vec<f64>;
    type Speeds = [f64; 6];
    type Multipliers = [f64; 0];
    type Auxiliary = [f64; 0];
    type Inputs = [f64; 6];
    type Scratch = [f64; 0];

    fn sizes(&self) -> Sizes {
        Sizes { n_q: 3 + self.attitude.n_q(), n_v: 6, n_u: 6, n_bodies: 1, ..Sizes::default() }
    }

    fn storage(&self) -> (Vec<f64>, [f64; 6], [f64; 0], [f64; 0], [f64; 6], [f64; 0]) {
        (vec![0.0; 3 + self.attitude.n_q()], [0.0; 6], [], [], [0.0; 6], [])
    }

    fn guess(&self, q: &mut [f64], _: &mut [f64], _: &mut [f64]) {
        self.attitude.write_identity(&mut q[3..]);
    }

    fn accelerations(&self, at: StateView, a: &mut [f64], _: &mut [f64]) -> Result<(), Error> {
        // The matrix of a quaternion is homogeneous: no stage is normalised.
        // World axes.
        let force = transform(self.attitude.matrix_of(&at.q[3..]), three(at.u));
        let (tau, omega) = (three(&at.u[3..]), three(&at.v[3..]));
        let gyroscopic = cross(omega, transform(self.inertia, omega));
        let alpha = self.inverse_inertia(core::array::from_fn(|i| tau[i] - gyroscopic[i]));
        for i in 0..3 {
            (a[i], a[3 + i]) = (force[i] / self.mass, alpha[i]);
        }
        Ok(())
    }

    fn solve(&self, _: StateView, f: &[f64], _: &[f64], x: &mut [f64], _: &mut [f64]) -> Result<(), Error> {
        let alpha = self.inverse_inertia(three(&f[3..]));
        for i in 0..3 {
            (x[i], x[3 + i]) = (f[i] / self.mass, alpha[i]);
        }
        Ok(())
    }

    fn position_residuals(&self, _: StateView, _: &mut [f64]) {}

    fn velocity_residuals(&self, _: StateView, _: &mut [f64]) {}

    fn coordinate_rates(&self, _: f64, q: &[f64], v: &[f64], rates: &mut [f64]) {
        rates[..3].copy_from_slice(&v[..3]);
        self.attitude.rates(&q[3..], three(&v[3..]), &mut rates[3..]);
    }

    fn normalize(&self, q: &mut [f64]) {
        self.attitude.normalize(&mut q[3..]);
    }

    fn energy(&self, at: StateView) -> Energy {
        let (v, omega) = (three(at.v), three(&at.v[3..]));
        let kinetic = 0.5 * (self.mass * inner(v, v) + inner(omega, transform(self.inertia, omega)));
        Energy { kinetic, potential: 0.0 }
    }
}
