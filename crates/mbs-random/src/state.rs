//! States at which laws are checked.

use crate::matrix::{size, unit};
use mbs_core::{Describe, Mechanism, Projection, State, StateView, assemble, project_positions, project_velocities};

/// A state with its inputs, as owned lists.
#[derive(Clone, Debug)]
pub struct OwnedState {
    /// Time \[s\].
    pub t: f64,
    /// Coordinates.
    pub q: Vec<f64>,
    /// Speeds.
    pub v: Vec<f64>,
    /// Auxiliary states.
    pub z: Vec<f64>,
    /// Inputs.
    pub u: Vec<f64>,
}

impl OwnedState {
    /// The state in the form that kernels take.
    pub fn view(&self) -> StateView<'_> {
        StateView { t: self.t, q: &self.q, v: &self.v, z: &self.z, u: &self.u }
    }
}

/// Seeded random numbers in [−1, 1).
#[derive(Clone, Debug)]
pub struct Random(oorandom::Rand64);

impl Random {
    /// Creates the generator from a seed.
    pub fn new(seed: u128) -> Self {
        Random(oorandom::Rand64::new(seed))
    }

    /// One number in [−1, 1).
    pub fn next_number(&mut self) -> f64 {
        2.0 * self.0.rand_float() - 1.0
    }

    /// n numbers in [−scale, scale).
    pub fn vector(&mut self, n: usize, scale: f64) -> Vec<f64> {
        (0..n).map(|_| scale * self.next_number()).collect()
    }
}

/// The declared guess, not assembled.
pub fn guess<M: Mechanism>(mechanism: &M) -> OwnedState {
    owned(mechanism, &State::new(mechanism))
}

fn owned<M: Mechanism>(mechanism: &M, state: &State<M>) -> OwnedState {
    let [q, v, z] = [state.q.as_ref(), state.v.as_ref(), state.z.as_ref()].map(<[f64]>::to_vec);
    OwnedState { t: state.t, q, v, z, u: vec![0.0; mechanism.sizes().n_u] }
}

/// The declared state, assembled at t = 0.
///
/// # Errors
/// Those of [`assemble`].
pub fn assembled<M: Mechanism>(mechanism: &M) -> Result<OwnedState, mbs_core::Error> {
    let mut state = State::new(mechanism);
    assemble(mechanism, &mut state)?;
    Ok(owned(mechanism, &state))
}

/// q ⊕ δ with each component of δ up to a spread.
fn displaced<M: Mechanism>(mechanism: &M, start: &OwnedState, spread: f64, random: &mut Random) -> Vec<f64> {
    let mut q = start.q.clone();
    let delta: Vec<f64> = (0..start.v.len()).map(|_| spread * random.next_number()).collect();
    mechanism.retract(start.t, &mut q, &delta, &mut vec![0.0; start.q.len()]);
    q
}

/// Auxiliary states near given ones; discrete states of 0 or 1 remain 0 or 1.
pub fn neighbouring_states<M: Mechanism>(mechanism: &M, z: &[f64], random: &mut Random) -> Vec<f64> {
    let sizes = mechanism.sizes();
    let discrete = sizes.n_z - sizes.n_discrete..sizes.n_z;
    let near = |(i, z): (usize, &f64)| match (random.next_number(), *z == 0.0 || *z == 1.0) {
        (r, true) if discrete.contains(&i) => {
            if r < 0.0 {
                1.0 - z
            } else {
                *z
            }
        }
        (r, _) => z + r,
    };
    z.iter().enumerate().map(near).collect()
}

/// Random states that do not satisfy the constraints, at times up to 4 s: positions at distances of 0.01, 0.3 and 1.2 (0.5 in space) from `start`,
/// speeds up to 4. Returns none if the parameters of an attitude are singular at the start, or if the start is far from the origin.
pub fn scattered<M: Describe>(mechanism: &M, start: &OwnedState, count: usize, random: &mut Random) -> Vec<OwnedState> {
    let sizes = mechanism.sizes();
    // Attitudes at larger distances in space may be near singular ones.
    let far = if mechanism.is_spatial() { 0.5 } else { 1.2 };
    let scatter = |k: usize| {
        let spread = [0.3, 0.01, far][k % 3];
        OwnedState {
            t: 2.0 * (random.next_number() + 1.0),
            q: displaced(mechanism, start, spread, random),
            v: random.vector(sizes.n_v, 4.0),
            z: neighbouring_states(mechanism, &start.z, random),
            u: random.vector(sizes.n_u, 3.0),
        }
    };
    (0..count).map(scatter).filter(|at| at.q.iter().all(|q| q.is_finite()) && !is_far(at)).collect()
}

/// States with Φ = 0 and ψ = 0. Speeds are random and projected onto G v = ν. The first positions are those assembled at t = 0; the others are
/// displaced by up to 0.1 and projected, every second one 0.2 s later. A state whose projection fails is left out.
pub fn consistent<M: Mechanism>(
    mechanism: &M,
    start: &OwnedState,
    count: usize,
    random: &mut Random,
) -> Vec<OwnedState> {
    let sizes = mechanism.sizes();
    let mut work = Projection::new(mechanism);
    work.iterations = 30;
    let mut states = Vec::new();
    for k in 0..count {
        let spread = if k == 0 { 0.0 } else { 0.1 };
        let mut state = State::new(mechanism);
        state.t = if k > 0 && k % 2 == 0 { start.t + 0.2 } else { start.t };
        state.q.as_mut().copy_from_slice(&displaced(mechanism, start, spread, random));
        state.v.as_mut().copy_from_slice(&random.vector(sizes.n_v, 3.0));
        state.z.as_mut().copy_from_slice(&neighbouring_states(mechanism, &start.z, random));
        let u = random.vector(sizes.n_u, 3.0);
        // Rows that are on here may have been off during assembly.
        let is_assembled =
            (k == 0 && sizes.n_discrete == 0) || project_positions(mechanism, &mut state, &mut work).is_ok();
        if is_assembled && project_velocities(mechanism, &mut state, &mut work).is_ok() {
            let owned = |values: &[f64]| values.to_vec();
            let (q, v, z) = (owned(state.q.as_ref()), owned(state.v.as_ref()), owned(state.z.as_ref()));
            states.push(OwnedState { t: state.t, q, v, z, u });
        }
    }
    states
}

/// Largest coordinates and speeds; beyond them, rounding errors of sums of squares of speeds, and of rows that multiply three lengths, exceed the
/// tolerances. Mechanisms are a few metres large: of 4,000 states one is farther.
const FAR: [f64; 2] = [100.0, 300.0];

/// Whether the coordinates or speeds of a state are too large, after a projection or assembly that did not converge near its start.
pub fn is_far(at: &OwnedState) -> bool {
    size(&at.q) > FAR[0] || size(&at.v) > FAR[1]
}

/// In space, rates of coordinates per speed above which an attitude is too near a singular one.
pub const FASTEST: f64 = 20.0;

/// Whether rates of coordinates are much larger than speeds, as near a singular attitude, where rates of angles contain 1/sin β and terms are
/// larger than their sums by this factor.
pub fn is_near_singular_attitude<M: Describe>(mechanism: &M, at: &OwnedState) -> bool {
    largest_attitude_rate(mechanism, at) > FASTEST
}

/// In space, the largest rate of a coordinate per speed; zero in the plane.
pub fn largest_attitude_rate<M: Describe>(mechanism: &M, at: &OwnedState) -> f64 {
    let n = at.v.len();
    let rates = |j: usize| {
        let mut rates = vec![0.0; at.q.len()];
        mechanism.coordinate_rates(at.t, &at.q, &unit(n, j), &mut rates);
        size(&rates)
    };
    match mechanism.is_spatial() {
        true => (0..n).map(rates).fold(0.0, f64::max),
        false => 0.0,
    }
}
