//! A free rigid body with thrusters in every attitude, against the pinned cases `satellite_rigidbody` and
//! `satellite_rigidbody_inertia`: rates, N, its derivative, and steps of explicit methods.
//!
//! The cases state a relative accuracy of 1e-13. Their steps do not normalise quaternions afterwards; the integrators do, so
//! that the results of the cases are normalised before the comparison.

use mbs_core::rotation::{Attitude, Sequence, normalized, plus, rotate, transposed};
use mbs_core::*;
use serde_json::Value;

use crate::models::random::{Random, attitudes, gap, matrix_gap};
use crate::models::satellite::Satellite;
use crate::models::{case, distance, error_after, set};

const KINDS: [(&str, Attitude); 3] =
    [("quat", Attitude::Quaternion), ("mrp", Attitude::ModifiedRodrigues), ("rodrigues", Attitude::Rodrigues)];

/// Calls with every sample of both cases.
fn for_each_sample(check: impl Fn(&str, &Satellite, &[f64], [f64; 6], &Value)) {
    for name in ["satellite_rigidbody", "satellite_rigidbody_inertia"] {
        let case = case::read(name);
        let parameters = &case["parameters"];
        for (kind, attitude) in KINDS {
            let mass = parameters["mass"].as_f64().expect("a mass");
            let satellite = Satellite { attitude, mass, inertia: case::square(&parameters["inertia"]) };
            for (i, sample) in case["reference"][kind].as_array().expect("samples").iter().enumerate() {
                let (x, u) = (case::list(&sample["x"]), case::array(&sample["u"]));
                check(&format!("{name} {kind} {i}"), &satellite, &x, u, sample);
            }
        }
    }
}

/// Largest difference, relative to the largest value.
fn relative(found: &[f64], expected: &[f64]) -> f64 {
    assert_eq!(found.len(), expected.len());
    let difference = found.iter().zip(expected).fold(0.0, |worst: f64, (a, b)| worst.max((a - b).abs()));
    difference / max_norm(expected)
}

fn rates(satellite: &Satellite, x: &[f64], u: &[f64; 6]) -> Vec<f64> {
    let (q, v) = x.split_at(x.len() - 6);
    let (mut rates, mut a) = (vec![0.0; q.len()], vec![0.0; 6]);
    satellite.coordinate_rates(0.0, q, v, &mut rates);
    satellite.accelerations(StateView { t: 0.0, q, v, z: &[], u }, &mut a, &mut []).unwrap();
    [rates, a].concat()
}

#[test]
fn rates_and_matrices_are_the_published_ones() {
    for_each_sample(|name, satellite, x, u, sample| {
        let expected = case::list(&sample["xdot"]);
        assert!(relative(&rates(satellite, x, &u), &expected) < 2e-13, "{name}");
        let r = satellite.attitude.matrix_of(&x[3..]);
        assert!(matrix_gap(r, case::square(&sample["rotation_matrix"])) < 1e-15, "{name}");
    });
}

#[test]
fn rate_matrices_and_biases_are_those_of_the_published_jacobian() {
    for_each_sample(|name, satellite, x, u, sample| {
        let (n, jacobian) = (satellite.attitude.n_q(), case::matrix(&sample["jacobian"]));
        let (q, omega) = (&x[3..3 + n], [x[n + 6], x[n + 7], x[n + 8]]);
        // ∂q̇/∂ω = N.
        let matrix = satellite.attitude.rate_matrix(q);
        for i in 0..n {
            assert!(
                gap(matrix[i], core::array::from_fn(|j| jacobian[3 + i][6 + n + j])) < 1e-15 * max_norm(q),
                "{name}"
            );
        }
        // Ṅ ω = (∂q̇/∂q) q̇.
        let rate = &rates(satellite, x, &u)[3..3 + n];
        let expected: Vec<f64> = (0..n).map(|i| (0..n).map(|j| jacobian[3 + i][3 + j] * rate[j]).sum()).collect();
        let mut bias = vec![0.0; n];
        satellite.attitude.rate_bias(q, omega, &mut bias);
        assert!(relative(&bias, &expected) < 2e-13, "{name} {bias:?} {expected:?}");
    });
}

#[test]
fn error_states_differentiate_forces_in_body_axes() {
    for_each_sample(|name, satellite, x, u, sample| {
        if satellite.attitude != Attitude::Quaternion {
            return;
        }
        let (q, force) = ([x[3], x[4], x[5], x[6]], [u[0], u[1], u[2]]);
        let columns = transposed(case::square(&sample["dF_dq_tangent"]));
        let h = 1e-5;
        for (k, expected) in columns.into_iter().enumerate() {
            let force_after = |h: f64| rotate(plus(q, core::array::from_fn(|i| if i == k { h } else { 0.0 })), force);
            let (ahead, behind) = (force_after(h), force_after(-h));
            let column: [f64; 3] = core::array::from_fn(|i| (ahead[i] - behind[i]) / (2.0 * h * satellite.mass));
            // Differences: truncation h²/6, round-off 1e-16/h, both times a force of 2.
            assert!(gap(column, expected) < 2e-10, "{name} {k}");
        }
    });
}

fn step(stepper: &mut impl Stepper<Satellite>, satellite: &Satellite, x: &[f64], u: [f64; 6], h: f64) -> Vec<f64> {
    let mut state = State::new(satellite);
    set(&mut state, x);
    stepper.step(satellite, &mut state, &mut |_, inputs: &mut [f64]| inputs.copy_from_slice(&u), h).unwrap();
    state.q.iter().chain(&state.v).copied().collect()
}

#[test]
fn explicit_steps_are_the_published_ones() {
    for_each_sample(|name, satellite, x, u, sample| {
        let pinned = |method: &str| {
            let case = &sample[method];
            let mut next = case::list(&case["x_next"]);
            satellite.attitude.normalize(&mut next[3..]);
            (case["h"].as_f64().expect("a step"), next)
        };
        let (h, expected) = pinned("rk4_step");
        let found = step(&mut Rk4::new(satellite, h), satellite, x, u, h);
        assert!(relative(&found, &expected) < 2e-13, "{name} {found:?} {expected:?}");
        let (h, expected) = pinned("rk2_midpoint_step");
        let found = step(&mut Rk2::new(satellite, h), satellite, x, u, h);
        assert!(relative(&found, &expected) < 2e-13, "{name} {found:?} {expected:?}");
    });
}

/// Inputs of thrusters: a force in the direction of the body's x axis, and a moment that varies.
fn thrust(at: StateView, u: &mut [f64]) {
    u.copy_from_slice(&[0.3, 0.0, -0.1, 0.05 * at.t.cos(), -0.04, 0.02 * at.t]);
}

fn tumbling(attitude: Attitude) -> Satellite {
    let inertia = [[0.9, 0.05, -0.02], [0.05, 1.4, 0.03], [-0.02, 0.03, 1.1]];
    Satellite { attitude, mass: 3.2, inertia }
}

#[test]
fn the_motion_is_equal_in_every_attitude() {
    let mut random = Random::new(70);
    for trial in 0..3 {
        let [v, omega] = [random.vector(1.0), random.vector(1.0)];
        // Half a second from an attitude at which all sixteen kinds are regular.
        let start = RigidBodyState::new([0.0; 3], rotation::axis_angle([0.5, 0.6, 0.4], 1.0), v, omega);
        let motion = |attitude| {
            let satellite = tumbling(attitude);
            let (mut state, mut stepper) = (satellite.state(&start), DormandPrince::new(&satellite));
            stepper.advance_to(&satellite, &mut state, 0.5, &mut thrust).unwrap();
            satellite.body(&state)
        };
        let expected = motion(Attitude::Quaternion);
        for attitude in attitudes() {
            // Tolerances of the integrator are 1e-9, and errors of N are larger by 1/regularity² ≤ 25.
            assert!(max_norm(&motion(attitude).minus(&expected)) < 2e-8, "{trial} {attitude}");
        }
    }
}

#[test]
fn modified_rodrigues_parameters_change_to_their_shadow() {
    let satellite = tumbling(Attitude::ModifiedRodrigues);
    let quaternions = tumbling(Attitude::Quaternion);
    let start = RigidBodyState::new([0.0; 3], [1.0, 0.0, 0.0, 0.0], [0.0; 3], [0.3, 2.0, -0.4]);
    let (mut state, mut exact) = (satellite.state(&start), quaternions.state(&start));
    let (mut stepper, mut second) = (DormandPrince::new(&satellite), DormandPrince::new(&quaternions));
    let mut jumps = 0;
    for i in 1..=100 {
        let t = 0.1 * f64::from(i);
        stepper.advance_to(&satellite, &mut state, t, &mut thrust).unwrap();
        second.advance_to(&quaternions, &mut exact, t, &mut thrust).unwrap();
        jumps += i32::from(satellite.attitude.change_to_principal(&mut state.q[3..]));
        let error = max_norm(&satellite.body(&state).minus(&quaternions.body(&exact)));
        // Tolerances of 1e-9 per step over 10 s.
        assert!(error < 1e-7, "t = {t}: {error:e}");
    }
    // |ω| t ≈ 20: three revolutions.
    assert!(jumps >= 3, "{jumps}");
}

#[test]
fn the_implicit_midpoint_rule_moves_the_satellite_with_thrusters() {
    for attitude in [Attitude::Quaternion, Attitude::RotationVector, Attitude::Euler(Sequence::ZYX)] {
        let satellite = tumbling(attitude);
        let start =
            RigidBodyState::new([0.0; 3], [0.9, 0.1, -0.2, 0.3], [0.1, 0.2, 0.3], [0.3, 0.7, -0.4]).normalized();
        let mut exact = satellite.state(&start);
        let mut fine = DormandPrince::new(&satellite).with_tolerances(1e-12, 1e-13);
        fine.advance_to(&satellite, &mut exact, 1.0, &mut thrust).unwrap();
        let exact: Vec<f64> = exact.q.iter().chain(&exact.v).copied().collect();
        let errors = [20, 40].map(|n| {
            let (mut state, mut stepper) =
                (satellite.state(&start), ImplicitMidpoint::without_derivatives(&satellite, 1.0 / n as f64));
            stepper.advance_to(&satellite, &mut state, 1.0, &mut thrust).unwrap();
            distance(&state, &exact)
        });
        let order = (errors[0] / errors[1]).log2();
        assert!((order - 2.0).abs() < 0.1 && errors[1] < 1e-3, "{attitude} {errors:?}");
    }
}

#[test]
fn a_free_flight_is_a_straight_line_and_a_steady_rotation() {
    let satellite = Satellite { mass: 2.0, ..Satellite::top([1.0, 1.0, 1.0]) };
    let (turn, start) = ([0.4, -0.5, 0.9], [0.3, 0.1, 0.5, -0.2]);
    let exact = |t: f64| {
        let q = plus(normalized(start), turn.map(|w| w * t));
        [vec![1.0 + 0.5 * t, 2.0 - t, 0.25 * t], q.to_vec(), vec![0.5, -1.0, 0.25], turn.to_vec()].concat()
    };
    // The rule rotates by 4 arctan ¼h|ω| per step instead of h|ω|: relative (h|ω|)²/48, here 2.6e-6 of 4.4 rad.
    let error = error_after(&satellite, ImplicitMidpoint::without_derivatives(&satellite, 1.0), &exact, (4.0, 400));
    assert!(error < 1.5e-5, "{error:e}");
    let error = error_after(&satellite, Rk4::new(&satellite, 1.0), &exact, (4.0, 400));
    assert!(error < 1e-10, "{error:e}");
}
