//! A double pendulum of two particles on rods of length 1 and 0.8, q = (x₁, y₁, x₂, y₂), that swings against a stop at x₂ = −0.2. Where z[0] > 0,
//! it sticks to the stop, by a third row.

use mbs_core::{
    Condition, DenseWorkspace, Energy, Error, Event, Eventful, Level, Mechanism, RankDeficiency, Sizes, StateView,
    Trigger, solve_symmetric,
};

pub const MASSES: [f64; 2] = [1.3, 0.6];
pub const LENGTHS: [f64; 2] = [1.0, 0.8];
pub const STOP: f64 = -0.2;
const GRAVITY: f64 = 9.81;

/// Effect of the only event.
#[derive(Clone, Copy)]
pub enum Strike {
    /// ẋ₂ becomes −e ẋ₂. The condition is imposed twice, and the target of the second is larger by `more`.
    Bounce { restitution: f64, more: f64 },
    /// The third row is switched on.
    Stick,
}

pub struct Links {
    pub angles: [f64; 2],
    pub rates: [f64; 2],
    pub strike: Strike,
}

impl Links {
    /// x₁, y₁, x₂, y₂ and their rates, for rods at angles from the downward vertical.
    pub fn cartesian(angles: [f64; 2], rates: [f64; 2]) -> ([f64; 4], [f64; 4]) {
        let (mut q, mut v) = ([0.0; 4], [0.0; 4]);
        for i in 0..2 {
            let ((sin, cos), l) = (angles[i].sin_cos(), LENGTHS[i]);
            for k in i..2 {
                q[2 * k] += l * sin;
                q[2 * k + 1] -= l * cos;
                v[2 * k] += l * cos * rates[i];
                v[2 * k + 1] += l * sin * rates[i];
            }
        }
        (q, v)
    }

    fn jacobian(q: &[f64], is_stuck: bool) -> [[f64; 4]; 3] {
        let (x, y) = (q[2] - q[0], q[3] - q[1]);
        let stop = if is_stuck { [0.0, 0.0, 1.0, 0.0] } else { [0.0; 4] };
        [[q[0], q[1], 0.0, 0.0], [-x, -y, x, y], stop]
    }
}

impl Mechanism for Links {
    type Coordinates = [f64; 4];
    type Speeds = [f64; 4];
    type Multipliers = [f64; 3];
    type Auxiliary = [f64; 1];
    type Inputs = [f64; 0];
    type Scratch = [f64; 16];

    fn sizes(&self) -> Sizes {
        Sizes {
            n_q: 4,
            n_v: 4,
            n_c: 3,
            n_position: 3,
            n_velocity: 3,
            n_z: 1,
            n_discrete: 1,
            n_events: 1,
            n_event_conditions: 2,
            ..Sizes::default()
        }
    }

    fn storage(&self) -> ([f64; 4], [f64; 4], [f64; 3], [f64; 1], [f64; 0], [f64; 16]) {
        ([0.0; 4], [0.0; 4], [0.0; 3], [0.0], [], [0.0; 16])
    }

    fn guess(&self, q: &mut [f64], v: &mut [f64], _: &mut [f64]) {
        let (position, velocity) = Links::cartesian(self.angles, self.rates);
        q.copy_from_slice(&position);
        v.copy_from_slice(&velocity);
    }

    fn accelerations(&self, at: StateView, a: &mut [f64], lambda: &mut [f64]) -> Result<(), Error> {
        let v = at.v;
        let (x, y) = (v[2] - v[0], v[3] - v[1]);
        let gamma = [-(v[0] * v[0] + v[1] * v[1]), -(x * x + y * y), 0.0];
        let force = [0.0, -GRAVITY * MASSES[0], 0.0, -GRAVITY * MASSES[1]];
        self.solve(at, &force, &gamma, a, lambda)
    }

    fn solve(&self, at: StateView, f: &[f64], g: &[f64], x: &mut [f64], mu: &mut [f64]) -> Result<(), Error> {
        let is_stuck = at.z[0] > 0.0;
        let (mut matrix, mut right) = ([0.0; 49], [0.0; 7]);
        for i in 0..4 {
            matrix[8 * i] = MASSES[i / 2];
        }
        for (i, row) in Links::jacobian(at.q, is_stuck).iter().enumerate() {
            for (j, g) in row.iter().enumerate() {
                matrix[7 * (4 + i) + j] = *g;
                matrix[7 * j + 4 + i] = *g;
            }
        }
        right[..4].copy_from_slice(f);
        right[4..].copy_from_slice(g);
        if !is_stuck {
            // The row is switched off: μ = 0.
            (matrix[48], right[6]) = (1.0, 0.0);
        }
        let (mut scale, mut solution, mut order) = ([0.0; 7], [0.0; 7], [0; 7]);
        let work = DenseWorkspace { scale: &mut scale, solution: &mut solution, order: &mut order };
        solve_symmetric(at.t, &mut matrix, &mut right, RankDeficiency::Error, work)?;
        x.copy_from_slice(&right[..4]);
        mu.copy_from_slice(&right[4..]);
        Ok(())
    }

    fn position_residuals(&self, StateView { q, z, .. }: StateView, phi: &mut [f64]) {
        let (x, y) = (q[2] - q[0], q[3] - q[1]);
        phi[0] = 0.5 * (q[0] * q[0] + q[1] * q[1] - LENGTHS[0] * LENGTHS[0]);
        phi[1] = 0.5 * (x * x + y * y - LENGTHS[1] * LENGTHS[1]);
        phi[2] = if z[0] > 0.0 { q[2] - STOP } else { 0.0 };
    }

    fn velocity_residuals(&self, StateView { q, v, z, .. }: StateView, psi: &mut [f64]) {
        for (psi, row) in psi.iter_mut().zip(Links::jacobian(q, z[0] > 0.0)) {
            *psi = row.iter().zip(v).map(|(g, v)| g * v).sum();
        }
    }

    fn auxiliary_rates(&self, _: StateView, rates: &mut [f64]) {
        rates.fill(0.0);
    }

    fn energy(&self, StateView { q, v, .. }: StateView) -> Energy {
        let kinetic = (0..4).map(|i| 0.5 * MASSES[i / 2] * v[i] * v[i]).sum();
        Energy { kinetic, potential: GRAVITY * (MASSES[0] * q[1] + MASSES[1] * q[3]) }
    }

    fn initial_condition(&self, _: usize, at: StateView, gradient: &mut [f64]) -> Condition {
        gradient.copy_from_slice(&[0.0, 0.0, 1.0, 0.0]);
        Condition { residual: at.v[2], level: Level::Velocity }
    }
}

impl Eventful for Links {
    fn event(&self, _: usize) -> Event {
        let conditions = if matches!(self.strike, Strike::Stick) { 0 } else { 2 };
        Event { trigger: Trigger::Falls, conditions, ..Event::default() }
    }

    fn event_values(&self, at: StateView, values: &mut [f64]) -> Result<(), Error> {
        values[0] = at.q[2] - STOP;
        Ok(())
    }

    fn event_rates(&self, at: StateView, rates: &mut [f64]) -> Result<(), Error> {
        rates[0] = at.v[2];
        Ok(())
    }

    fn event_assignments(&self, _: usize, at: StateView, z: &mut [f64], targets: &mut [f64]) -> Result<(), Error> {
        match self.strike {
            Strike::Bounce { restitution, more } => {
                let speed = -restitution * at.v[2];
                targets.copy_from_slice(&[speed, speed + more]);
            }
            Strike::Stick => z[0] = 1.0,
        }
        Ok(())
    }
}
