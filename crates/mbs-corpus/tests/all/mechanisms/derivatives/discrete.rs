//! Discrete dynamics: A and B against differences of fourth order on the manifold, in every scheme.

use mbs::{Discrete, Mechanism, Scheme, State};
use mbs_model::Formulation;

use crate::mechanisms::harness::{FORMULATIONS, OwnedState, compiled_fma, corpus, for_each_state};

/// f' = (8 (f(h) − f(−h)) − (f(2h) − f(−2h)))/12h: truncation h⁴/30 times fifth derivatives of steps, rounding 1e-16/h, both 1e-13.
const STEP: f64 = 1e-3;
const TOLERANCE: f64 = 1e-10;

fn state<M: Mechanism>(mechanism: &M, at: &OwnedState) -> State<M> {
    let mut state = State::new(mechanism);
    state.t = at.t;
    state.q.as_mut().copy_from_slice(&at.q);
    state.v.as_mut().copy_from_slice(&at.v);
    state.z.as_mut().copy_from_slice(&at.z);
    state
}

fn check(label: &str, formulation: Formulation) {
    let mechanism = corpus(label, formulation, compiled_fma());
    let sizes = mechanism.sizes();
    let (n_e, n_u) = (sizes.n_e(), sizes.n_u);
    for_each_state(label, mechanism, 2, |_, at| {
        let x = state(mechanism, at);
        for scheme in Scheme::ALL {
            let mut discrete = Discrete::new(mechanism, scheme, 0.02);
            let (mut next, mut moved) = (x.clone(), x.clone());
            let (mut a, mut b) = (vec![0.0; n_e * n_e], vec![0.0; n_e * n_u]);
            discrete.linearize(mechanism, &x, &at.u, &mut next, &mut a, &mut b).expect("a regular step");
            for j in 0..n_e + n_u {
                let ends = [1.0, -1.0, 2.0, -2.0].map(|sign| {
                    let (mut from, mut u) = (x.clone(), at.u.clone());
                    if j < n_e {
                        let mut delta = vec![0.0; n_e];
                        delta[j] = sign * STEP;
                        from.displace(mechanism, &delta).expect("it has the size");
                    } else {
                        u[j - n_e] += sign * STEP;
                    }
                    discrete.step(mechanism, &from, &u, &mut moved).expect("a regular step");
                    let mut delta = vec![0.0; n_e];
                    moved.displacement(mechanism, &next, &mut delta).expect("it has the size");
                    delta
                });
                let [after, before, beyond, behind] = &ends;
                for i in 0..n_e {
                    let difference = (8.0 * (after[i] - before[i]) - (beyond[i] - behind[i])) / (12.0 * STEP);
                    let exact = if j < n_e { a[i * n_e + j] } else { b[i * n_u + j - n_e] };
                    assert!(
                        (difference - exact).abs() <= TOLERANCE * (1.0 + exact.abs()),
                        "{label} ({formulation:?}), {scheme:?}: {exact} for {difference} in row {i}, column {j}"
                    );
                }
            }
        }
    });
}

#[test]
fn steps_have_exact_derivatives() {
    // Free bodies in three attitudes, a cart with states and inputs, and thrusters on a free body.
    for stem in ["satellites", "actuated_cart", "satellite"] {
        FORMULATIONS.into_iter().for_each(|formulation| check(stem, formulation));
    }
}
