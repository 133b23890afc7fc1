//! Mechanisms written by hand, most with closed-form solutions, for several tests.
#![allow(dead_code, missing_docs, clippy::type_complexity)]

pub mod bead;
pub mod body;
pub mod case;
pub mod cruiser;
pub mod differenced;
pub mod double_pendulum;
pub mod dual;
pub mod four_bar;
pub mod gimbal;
pub mod guided;
pub mod lap;
pub mod links;
pub mod oscillator;
pub mod particle;
pub mod pendulum;
pub mod random;
pub mod satellite;
pub mod skate;
pub mod springs;
pub mod swing;
pub mod top;

use mbs_core::{Differentiable, Error, Inputs, Mechanism, Real, State, StateView, Stepper, max_norm, zero_inputs};

/// Error of `stepper` at time `t_end`, after `n` equal steps from the state of `exact` at time 0.
pub fn error_after<M: Mechanism, S: Stepper<M>>(
    mechanism: &M,
    mut stepper: S,
    exact: &dyn Fn(f64) -> Vec<f64>,
    (t_end, n): (f64, usize),
) -> f64 {
    let mut state = State::new(mechanism);
    set(&mut state, &exact(0.0));
    for _ in 0..n {
        stepper.step(mechanism, &mut state, &mut zero_inputs, t_end / n as f64).unwrap();
    }
    distance(&state, &exact(t_end))
}

/// Asserts that half the step has an error divided by 2^order, with an exponent within 0.15, and prints the measured errors and orders.
pub fn assert_order<M: Mechanism, S: Stepper<M>>(
    mechanism: &M,
    make: impl Fn() -> S,
    exact: &dyn Fn(f64) -> Vec<f64>,
    (t_end, n): (f64, usize),
) {
    let errors = [n, 2 * n, 4 * n].map(|n| error_after(mechanism, make(), exact, (t_end, n)));
    let orders = [(errors[0] / errors[1]).log2(), (errors[1] / errors[2]).log2()];
    println!("{}: errors {:.1e} … {:.1e}, orders {orders:.3?}", core::any::type_name::<S>(), errors[0], errors[2]);
    assert!((orders[1] - S::ORDER as f64).abs() < 0.15, "order {} measured {orders:?}", S::ORDER);
}

/// The results a, λ and the matrix of [`Differentiable::acceleration_jacobian`], for a mechanism with q̇ = v and without rows.
pub fn acceleration_rows<T: Real, M: Differentiable<T>>(
    mechanism: &M,
    at: StateView<T>,
    [a, lambda, jacobian]: [&mut [T]; 3],
) -> Result<(), Error<T>> {
    let sizes = mechanism.sizes();
    let (n_x, width) = (sizes.n_x(), sizes.n_x() + sizes.n_u);
    let mut all = mechanism.jacobian_storage();
    let all = &mut all.as_mut()[..n_x * width];
    mechanism.state_jacobian(at, all)?;
    jacobian.copy_from_slice(&all[sizes.n_q * width..][..sizes.n_v * width]);
    mechanism.accelerations(at, a, lambda)
}

/// Largest difference of (q, v, z) from one vector.
pub fn distance<M: Mechanism>(state: &State<M>, exact: &[f64]) -> f64 {
    let all = state.q.as_ref().iter().chain(state.v.as_ref()).chain(state.z.as_ref());
    let differences: Vec<f64> = all.zip(exact).map(|(a, b)| a - b).collect();
    assert_eq!(differences.len(), exact.len());
    max_norm(&differences)
}

pub fn set<M: Mechanism>(state: &mut State<M>, values: &[f64]) {
    let (n_q, n_v) = (state.q.as_ref().len(), state.v.as_ref().len());
    state.q.as_mut().copy_from_slice(&values[..n_q]);
    state.v.as_mut().copy_from_slice(&values[n_q..n_q + n_v]);
    state.z.as_mut().copy_from_slice(&values[n_q + n_v..]);
}

/// Largest |Φ| and largest |ψ|.
pub fn violations<T: Real, M: Mechanism<T>>(mechanism: &M, state: &State<M, T>) -> (T, T) {
    let sizes = mechanism.sizes();
    let (mut phi, mut psi) = (vec![T::ZERO; sizes.n_position], vec![T::ZERO; sizes.n_velocity]);
    mechanism.position_residuals(state.view(&[]), &mut phi);
    mechanism.velocity_residuals(state.view(&[]), &mut psi);
    (max_norm(&phi), max_norm(&psi))
}

pub fn advance<M: Mechanism>(m: &M, stepper: &mut impl Stepper<M>, state: &mut State<M>, t_end: f64) {
    let inputs: &mut Inputs = &mut zero_inputs;
    stepper.advance_to(m, state, t_end, inputs).unwrap();
}
