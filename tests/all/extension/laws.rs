//! Laws between the methods of a mechanism, at states on and off its constraints.
//!
//! M is read from the kinetic energy, x·M y = T(x + y) − T(x) − T(y) + T(0), and G from the velocity residuals,
//! G y = ψ(y) − ψ(0). Rates are central differences along q ⊕ h v, v + h a with h = 1e-5: errors are h² times third
//! derivatives, below 1e-10 · 1e3 for the motions here, and ε/h times values of size 10.

use mbs::{Mechanism, Pose, State, StateView, max_norm};

const H: f64 = 1e-5;
/// Tolerance of differences, relative to 1 + their size.
const DIFFERENCE: f64 = 1e-6;
/// Tolerance of algebra: some 1e3 operations with condition numbers up to 1e3, relative to 1 + the size.
const ALGEBRA: f64 = 1e-10;

/// A reproducible sequence of numbers in [−1, 1]: SplitMix64.
pub struct Random(pub u64);

impl Random {
    pub fn next_number(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = self.0;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        bits ^= bits >> 31;
        (bits >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    }

    pub fn vector(&mut self, n: usize, size: f64) -> Vec<f64> {
        (0..n).map(|_| size * self.next_number()).collect()
    }
}

/// Calls `check` at 20 states around an assembled one, with random speeds and inputs; `check` prints what is wrong.
pub fn for_each_state<M: Mechanism>(mechanism: &M, mut check: impl FnMut(StateView, &mut Random)) {
    let sizes = mechanism.sizes();
    let mut start = State::new(mechanism);
    mbs::assemble(mechanism, &mut start).unwrap();
    for seed in 0..20 {
        let (mut random, mut state) = (Random(seed), start.clone());
        let (delta, u) = (random.vector(sizes.n_v, 0.2), random.vector(sizes.n_u, 3.0));
        mechanism.retract(0.0, state.q.as_mut(), &delta, &mut vec![0.0; sizes.n_q]);
        state.v.as_mut().copy_from_slice(&random.vector(sizes.n_v, 3.0));
        state.z.as_mut().copy_from_slice(&random.vector(sizes.n_z, 1.0));
        println!("seed {seed}: {state:?}, u {u:?}");
        check(state.view(&u), &mut random);
    }
}

#[track_caller]
pub fn assert_near(found: &[f64], expected: &[f64], tolerance: f64) {
    assert_eq!(found.len(), expected.len());
    let size = 1.0 + max_norm(expected);
    for (i, (found, expected)) in found.iter().zip(expected).enumerate() {
        assert!((found - expected).abs() <= tolerance * size, "[{i}]: {found:e} is not {expected:e}, size {size:.1e}");
    }
}

/// The state after a time h with constant rates: q ⊕ h v and v + h a.
fn advanced<M: Mechanism>(mechanism: &M, at: StateView, a: &[f64], h: f64) -> State<M> {
    let mut state = State::new(mechanism);
    state.t = at.t + h;
    state.q.as_mut().copy_from_slice(at.q);
    state.z.as_mut().copy_from_slice(at.z);
    let delta: Vec<f64> = at.v.iter().map(|v| h * v).collect();
    mechanism.retract(at.t, state.q.as_mut(), &delta, &mut vec![0.0; at.q.len()]);
    for ((to, v), a) in state.v.as_mut().iter_mut().zip(at.v).zip(a) {
        *to = v + h * a;
    }
    state
}

/// Time derivative of values of a state.
fn rate<M: Mechanism>(mechanism: &M, at: StateView, a: &[f64], values: impl Fn(&State<M>) -> Vec<f64>) -> Vec<f64> {
    let (ahead, behind) = (values(&advanced(mechanism, at, a, H)), values(&advanced(mechanism, at, a, -H)));
    ahead.iter().zip(&behind).map(|(ahead, behind)| (ahead - behind) / (2.0 * H)).collect()
}

fn velocity_residuals<M: Mechanism>(mechanism: &M, at: StateView) -> Vec<f64> {
    let mut psi = vec![0.0; mechanism.sizes().n_velocity];
    mechanism.velocity_residuals(at, &mut psi);
    psi
}

fn kinetic<M: Mechanism>(mechanism: &M, at: StateView, v: &[f64]) -> f64 {
    mechanism.energy(StateView { v, ..at }).kinetic
}

/// M x + Gᵀ μ, and G x.
fn saddle<M: Mechanism>(mechanism: &M, at: StateView, x: &[f64], mu: &[f64]) -> (Vec<f64>, Vec<f64>) {
    let n_v = x.len();
    let zero = vec![0.0; n_v];
    let (nothing, of_x) = (kinetic(mechanism, at, &zero), kinetic(mechanism, at, x));
    let free = velocity_residuals(mechanism, StateView { v: &zero, ..at });
    let image = |v: &[f64]| -> Vec<f64> {
        velocity_residuals(mechanism, StateView { v, ..at }).iter().zip(&free).map(|(psi, free)| psi - free).collect()
    };
    let force = (0..n_v).map(|i| {
        let mut unit = zero.clone();
        unit[i] = 1.0;
        let both: Vec<f64> = x.iter().zip(&unit).map(|(x, unit)| x + unit).collect();
        let inertia = kinetic(mechanism, at, &both) - of_x - kinetic(mechanism, at, &unit) + nothing;
        inertia + image(&unit).iter().zip(mu).map(|(g, mu)| g * mu).sum::<f64>()
    });
    (force.collect(), image(x))
}

/// Asserts that `solve` solves M x + Gᵀ μ = f, G x = g for any f and g.
pub fn assert_solve<M: Mechanism>(mechanism: &M) {
    let sizes = mechanism.sizes();
    assert_eq!(sizes.n_velocity, sizes.n_c, "G is read from velocity residuals");
    for_each_state(mechanism, |at, random| {
        let (f, g) = (random.vector(sizes.n_v, 10.0), random.vector(sizes.n_c, 10.0));
        let (mut x, mut mu) = (vec![0.0; sizes.n_v], vec![0.0; sizes.n_c]);
        mechanism.solve(at, &f, &g, &mut x, &mut mu).unwrap();
        let (force, image) = saddle(mechanism, at, &x, &mu);
        // Both residuals are sums of terms as large as x and μ.
        let size = 1.0 + max_norm(&x) + max_norm(&mu);
        assert_near(&force, &f, ALGEBRA * size);
        assert_near(&image, &g, ALGEBRA * size);
    });
}

/// Asserts M a + Gᵀ λ = Q with the generalised forces Q, and dψ/dt = 0.
pub fn assert_accelerations<M: Mechanism>(mechanism: &M) {
    let sizes = mechanism.sizes();
    for_each_state(mechanism, |at, _| {
        let (mut a, mut lambda, mut forces) = (vec![0.0; sizes.n_v], vec![0.0; sizes.n_c], vec![0.0; sizes.n_v]);
        mechanism.accelerations(at, &mut a, &mut lambda).unwrap();
        mechanism.generalized_forces(at, &mut forces);
        let (force, _) = saddle(mechanism, at, &a, &lambda);
        assert_near(&force, &forces, ALGEBRA * (1.0 + max_norm(&a) + max_norm(&lambda)));
        let psi = |s: &State<M>| velocity_residuals(mechanism, s.view(&[]));
        let rates = rate(mechanism, at, &a, psi);
        assert_near(&rates, &vec![0.0; rates.len()], DIFFERENCE * (1.0 + max_norm(&a)));
    });
}

/// Asserts that dΦ/dt is the first part of ψ, and that poses move with the twists J v.
pub fn assert_kinematics<M: Mechanism>(mechanism: &M) {
    let sizes = mechanism.sizes();
    for_each_state(mechanism, |at, _| {
        let still = vec![0.0; sizes.n_v];
        let phi = rate(mechanism, at, &still, |s| {
            let mut phi = vec![0.0; sizes.n_position];
            mechanism.position_residuals(s.view(&[]), &mut phi);
            phi
        });
        assert_near(&phi, &velocity_residuals(mechanism, at)[..sizes.n_position], DIFFERENCE);

        let poses = |q: &[f64]| {
            let mut poses = vec![Pose::planar(0.0, 0.0, 0.0); sizes.n_bodies];
            mechanism.poses(StateView { q, ..at }, &mut poses);
            poses
        };
        let flat =
            |s: &State<M>| poses(s.q.as_ref()).iter().flat_map(|p| [&p.position[..], &p.attitude].concat()).collect();
        let rates = rate(mechanism, at, &still, flat);
        let mut jacobians = vec![0.0; 6 * sizes.n_bodies * sizes.n_v];
        mechanism.body_jacobians(at, &mut jacobians);
        let twists: Vec<f64> =
            jacobians.chunks(sizes.n_v).map(|row| row.iter().zip(at.v).map(|(j, v)| j * v).sum()).collect();
        for ((pose, rate), twist) in poses(at.q).iter().zip(rates.chunks(7)).zip(twists.chunks(6)) {
            assert_near(&[&rate[..3], &angular_velocity(pose.attitude, &rate[3..])].concat(), twist, DIFFERENCE);
        }
    });
}

/// ω = 2 Im(ė ⊗ e*), world axes.
fn angular_velocity(e: [f64; 4], d: &[f64]) -> [f64; 3] {
    [
        2.0 * (d[1] * e[0] - d[0] * e[1] - d[2] * e[3] + d[3] * e[2]),
        2.0 * (d[2] * e[0] - d[0] * e[2] - d[3] * e[1] + d[1] * e[3]),
        2.0 * (d[3] * e[0] - d[0] * e[3] - d[1] * e[2] + d[2] * e[1]),
    ]
}

/// Asserts that d(T + V)/dt is the power of loads without a potential, for states on the constraints, which do no work.
pub fn assert_power<M: Mechanism>(mechanism: &M, power: impl Fn(StateView) -> f64) {
    let sizes = mechanism.sizes();
    let mut work = mbs::Projection::new(mechanism);
    work.iterations = 20;
    for_each_state(mechanism, |at, _| {
        let mut state = advanced(mechanism, at, &vec![0.0; sizes.n_v], 0.0);
        mbs::project(mechanism, &mut state, &mut work).unwrap();
        let at = StateView { q: state.q.as_ref(), v: state.v.as_ref(), ..at };
        let (mut a, mut lambda) = (vec![0.0; sizes.n_v], vec![0.0; sizes.n_c]);
        mechanism.accelerations(at, &mut a, &mut lambda).unwrap();
        let energy = |s: &State<M>| {
            let energy = mechanism.energy(s.view(at.u));
            vec![energy.kinetic + energy.potential]
        };
        let power = power(at);
        assert_near(&rate(mechanism, at, &a, energy), &[power], DIFFERENCE * (1.0 + max_norm(&a) + power.abs()));
    });
}
