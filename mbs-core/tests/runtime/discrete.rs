//! Discrete steps against the integrators of the same names, published steps, their orders, and their errors.

use mbs_core::rotation::axis_angle;
use mbs_core::*;

use crate::models::body::{Body, Kind};
use crate::models::oscillator::Oscillator;
use crate::models::pendulum::Pendulum;
use crate::models::random::Random;
use crate::models::springs::Springs;
use crate::models::swing::Swing;
use crate::models::{case, distance, set};

const KINDS: [Kind; 3] = [Kind::Quaternion, Kind::BodyVelocity, Kind::ModifiedRodrigues];

/// A body that translates and rotates about an axis that is not one of symmetry, and its inputs.
fn moving_body(kind: Kind, random: &mut Random) -> (Body, State<Body>, [f64; 6]) {
    let body = Body::new(kind);
    let mut state = State::new(&body);
    let q = axis_angle(random.unit(), 1.0 + random.vector::<1>(0.5)[0]);
    let attitude = match kind {
        Kind::ModifiedRodrigues => vec![q[1] / (1.0 + q[0]), q[2] / (1.0 + q[0]), q[3] / (1.0 + q[0])],
        _ => q.to_vec(),
    };
    let x = [random.vector::<3>(1.0).to_vec(), attitude, random.vector::<6>(1.5).to_vec()].concat();
    set(&mut state, &x);
    (body, state, random.vector(2.0))
}

fn swing_state() -> State<Swing> {
    let mut state = State::new(&Swing::DRIVEN);
    set(&mut state, &[0.8, -1.1, 0.4]);
    state.t = 0.3;
    state
}

/// Inputs with constant values.
fn constant_inputs(u: &[f64]) -> impl FnMut(StateView, &mut [f64]) + '_ {
    |_, inputs| inputs.copy_from_slice(u)
}

/// The step of the integrator with the name of the scheme, without stabilization if there are constraint rows.
fn integrated<M: Mechanism>(m: &M, scheme: Scheme, x: &State<M>, u: &[f64], h: f64) -> State<M> {
    let (mut next, inputs) = (x.clone(), &mut constant_inputs(u));
    let choice = if m.sizes().n_c > 0 { Stabilization::None } else { Stabilization::default() };
    match scheme {
        Scheme::ExplicitEuler => ExplicitEuler::new(m, h).with_stabilization(choice).step(m, &mut next, inputs, h),
        Scheme::Rk2 => Rk2::new(m, h).with_stabilization(choice).step(m, &mut next, inputs, h),
        Scheme::Rk3 => Rk3::new(m, h).with_stabilization(choice).step(m, &mut next, inputs, h),
        Scheme::Rk4 => Rk4::new(m, h).with_stabilization(choice).step(m, &mut next, inputs, h),
        Scheme::ImplicitMidpoint => {
            ImplicitMidpoint::without_derivatives(m, h).with_stabilization(choice).step(m, &mut next, inputs, h)
        }
    }
    .unwrap();
    next
}

/// Asserts that the steps of `step` and `linearize` are that of the integrator.
fn assert_equal_steps<M: Differentiable>(m: &M, x: &State<M>, u: &[f64], h: f64) {
    let n_e = m.sizes().n_e();
    let (mut a, mut b) = (vec![0.0; n_e * n_e], vec![0.0; n_e * u.len()]);
    for scheme in Scheme::ALL {
        let (mut discrete, mut next, mut other) = (Discrete::new(m, scheme, h), x.clone(), x.clone());
        discrete.step(m, x, u, &mut next).unwrap();
        discrete.linearize(m, x, u, &mut other, &mut a, &mut b).unwrap();
        assert_eq!(next, other, "{scheme:?}");
        let expected = integrated(m, scheme, x, u, h);
        if scheme == Scheme::ImplicitMidpoint {
            let values = [expected.q.as_ref(), expected.v.as_ref(), expected.z.as_ref()].concat();
            // The two steps are solved to some 64 roundings of values up to 4.
            assert!(distance(&next, &values) < 1e-13, "{next:?} {expected:?}");
            let choice = if m.sizes().n_c > 0 { Stabilization::None } else { Stabilization::default() };
            let (mut newton, mut end) = (ImplicitMidpoint::new(m, h).with_stabilization(choice), x.clone());
            newton.step(m, &mut end, &mut constant_inputs(u), h).unwrap();
            assert!(distance(&end, &values) < 1e-13, "{end:?} {expected:?}");
            assert_eq!(next.t, expected.t);
        } else {
            assert_eq!(next, expected, "{scheme:?}");
        }
    }
}

#[test]
fn steps_are_those_of_the_integrators() {
    let mut random = Random::new(11);
    for kind in KINDS {
        for h in [0.02, 0.3, -0.1] {
            let (body, x, u) = moving_body(kind, &mut random);
            assert_equal_steps(&body, &x, &u, h);
        }
    }
    for h in [0.02, 0.3, -0.1] {
        assert_equal_steps(&Swing::DRIVEN, &swing_state(), &[0.5, -0.2], h);
        let mut x = State::<Pendulum>::new(&Pendulum::default());
        set(&mut x, &[1.2, -0.9, 0.6, 0.8]);
        assert_equal_steps(&Pendulum::default(), &x, &[], h);
    }
}

#[test]
fn explicit_steps_are_the_published_ones() {
    for name in ["satellite_rigidbody", "satellite_rigidbody_inertia"] {
        let case = case::read(name);
        for sample in case["reference"]["quat"].as_array().expect("samples") {
            let inertia = case::square(&case["parameters"]["inertia"]);
            let mass = case["parameters"]["mass"].as_f64().expect("a mass");
            let body = Body { kind: Kind::Quaternion, mass, inertia };
            let mut x = State::new(&body);
            set(&mut x, &case::list(&sample["x"]));
            let (u, mut next) = (case::list(&sample["u"]), x.clone());
            for (scheme, step) in [(Scheme::Rk4, "rk4_step"), (Scheme::Rk2, "rk2_midpoint_step")] {
                let h = sample[step]["h"].as_f64().expect("a step");
                Discrete::new(&body, scheme, h).step(&body, &x, &u, &mut next).unwrap();
                // The case does not normalise its quaternions afterwards.
                let mut expected = case::list(&sample[step]["x_next"]);
                Mechanism::<f64>::normalize(&body, &mut expected[..7]);
                assert!(distance(&next, &expected) < 2e-13 * max_norm(&expected), "{name} {step}");
            }
        }
    }
}

#[test]
fn derivatives_of_the_body_are_the_published_ones() {
    for name in ["satellite_rigidbody", "satellite_rigidbody_inertia"] {
        let case = case::read(name);
        for (kind, samples) in [(Kind::Quaternion, "quat"), (Kind::ModifiedRodrigues, "mrp")] {
            for sample in case["reference"][samples].as_array().expect("samples") {
                let inertia = case::square(&case["parameters"]["inertia"]);
                let mass = case["parameters"]["mass"].as_f64().expect("a mass");
                let body = Body { kind, mass, inertia };
                let mut x = State::new(&body);
                set(&mut x, &case::list(&sample["x"]));
                let mut found: Vec<f64> = body.jacobian_storage();
                body.state_jacobian(x.view(&case::list(&sample["u"])), &mut found).unwrap();
                let expected = case::matrix(&sample["jacobian"]).concat();
                let gaps: Vec<f64> = found.iter().zip(&expected).map(|(a, b)| a - b).collect();
                assert!(max_norm(&gaps) < 2e-13 * max_norm(&expected), "{name} {samples}");
            }
        }
    }
}

/// x⁺, A and B of one or more equal steps over h, in one list.
fn outcome<M: Differentiable>(m: &M, scheme: Scheme, x: &State<M>, u: &[f64], (h, steps): (f64, usize)) -> Vec<f64> {
    let (n, n_u) = (m.sizes().n_e(), u.len());
    let mut discrete = Discrete::new(m, scheme, h / steps as f64);
    let (mut state, mut next) = (x.clone(), x.clone());
    let (mut a, mut b) = (vec![0.0; n * n], vec![0.0; n * n_u]);
    let mut whole: Vec<f64> = (0..n * (n + n_u)).map(|k| f64::from(k / (n + n_u) == k % (n + n_u))).collect();
    for _ in 0..steps {
        discrete.linearize(m, &state, u, &mut next, &mut a, &mut b).unwrap();
        let before = whole.clone();
        for (i, row) in whole.chunks_exact_mut(n + n_u).enumerate() {
            for (j, x) in row.iter_mut().enumerate() {
                let product: f64 = (0..n).map(|k| a[i * n + k] * before[k * (n + n_u) + j]).sum();
                *x = product + if j < n { 0.0 } else { b[i * n_u + j - n] };
            }
        }
        state.copy_from(&next);
    }
    [state.q.as_ref(), state.v.as_ref(), state.z.as_ref(), &whole].concat()
}

/// Asserts that the errors of x⁺, A and B of a step are O(hᵖ⁺¹).
fn assert_orders<M: Differentiable>(m: &M, x: &State<M>, u: &[f64]) {
    for scheme in Scheme::ALL {
        let h = if scheme.order() < 3 { 0.01 } else { 0.04 };
        let error = |h: f64| {
            let (coarse, fine) = (outcome(m, scheme, x, u, (h, 1)), outcome(m, Scheme::Rk4, x, u, (h, 20)));
            let n = x.q.as_ref().len() + x.v.as_ref().len() + x.z.as_ref().len();
            let gaps: Vec<f64> = coarse.iter().zip(&fine).map(|(a, b)| a - b).collect();
            [max_norm(&gaps[..n]), max_norm(&gaps[n..])]
        };
        let (long, short) = (error(h), error(0.5 * h));
        for (long, short) in long.into_iter().zip(short) {
            let order = (long / short).log2() - 1.0;
            assert!((order - scheme.order() as f64).abs() < 0.25, "{scheme:?} {order} {long:e} {short:e}");
        }
    }
}

#[test]
fn steps_and_their_derivatives_have_the_order_of_the_scheme() {
    let mut random = Random::new(12);
    for kind in KINDS {
        let (body, x, u) = moving_body(kind, &mut random);
        assert_orders(&body, &x, &u);
    }
    assert_orders(&Swing::DRIVEN, &swing_state(), &[0.5, -0.2]);
}

#[test]
fn steps_with_many_stiff_directions_are_solved() {
    // h √k up to 7e3: the secants of the integrator fail on this step.
    let springs = Springs((0..30).map(|i| 10.0 * 2.0_f64.powi(i)).collect());
    let (x, h) = (State::new(&springs), 0.1);
    assert!(
        ImplicitMidpoint::without_derivatives(&springs, h).step(&springs, &mut x.clone(), &mut zero_inputs, h).is_err()
    );
    let mut next = x.clone();
    Discrete::implicit_midpoint(&springs, h).step(&springs, &x, &[], &mut next).unwrap();
    // Each mode y = (H q)_k is rotated by Cayley's map: y⁺ = (1 − s)/(1 + s) y, ẏ⁺ = −h k/(1 + s) y with s = ¼ h² k; H 1 = −1.
    for (k, stiffness) in springs.0.iter().enumerate() {
        let mode = |x: &[f64]| x[k] - 2.0 / 30.0 * x.iter().sum::<f64>();
        let s = 0.25 * h * h * stiffness;
        let (place, speed) = (-(1.0 - s) / (1.0 + s), h * stiffness / (1.0 + s));
        // In the mixed matrix, stiffnesses of 5e9 have errors of 1e-6, and so do those of 10.
        assert!((mode(&next.q) - place).abs() < 1e-7 && (mode(&next.v) - speed).abs() < 1e-6, "{k} {place} {speed}");
    }
}

#[test]
fn a_step_from_rest_remains_at_rest() {
    let mut x = State::<Oscillator>::new(&Oscillator);
    set(&mut x, &[0.3, 0.0, 0.3]);
    let mut next = x.clone();
    // The forces cancel up to round-off, so that the speeds are round-off, too, without significant digits.
    Discrete::implicit_midpoint(&Oscillator, 0.1).step(&Oscillator, &x, &[0.1 + 0.2], &mut next).unwrap();
    assert!(distance(&next, &[0.3, 0.0, 0.3]) < 1e-15, "{next:?}");
}

#[test]
fn a_step_without_solution_is_an_error() {
    let (mut a, mut b) = ([0.0; 4], [0.0; 0]);
    // q̈ = 4 q: the step 1 has 1 − ¼ h² k = 0.
    let unstable = Springs(vec![-4.0]);
    let x = State::new(&unstable);
    let (mut next, mut midpoint) = (x.clone(), Discrete::implicit_midpoint(&unstable, 1.0));
    assert_eq!(midpoint.step(&unstable, &x, &[], &mut next), Err(Error::Singular { row: 0, t: 0.5 }));
    midpoint.h = 0.5;
    midpoint.linearize(&unstable, &x, &[], &mut next, &mut a, &mut b).unwrap();
    // Cayley's transform of [0 1; 4 0] for h = ½: s = ¼ h² k = ¼.
    assert!((a[0] - 5.0 / 3.0).abs() < 1e-15 && (a[1] - 2.0 / 3.0).abs() < 1e-15, "{a:?}");

    let (x, mut next) = (swing_state(), swing_state());
    let mut midpoint = Discrete::implicit_midpoint(&Swing::DRIVEN, 0.5);
    midpoint.iterations = 1;
    let result = midpoint.step(&Swing::DRIVEN, &x, &[0.0; 2], &mut next);
    assert!(matches!(result, Err(Error::NotConverged { iterations: 1, t: 0.55, .. })), "{result:?}");
    midpoint.iterations = 20;
    let result = midpoint.step(&Swing::DRIVEN, &x, &[f64::NAN, 0.0], &mut next);
    assert_eq!(result, Err(Error::NotFinite { t: 0.55 }));
}

#[test]
fn slices_of_the_wrong_length_are_errors() {
    let m = Oscillator;
    let (x, mut next) = (State::<Oscillator>::new(&m), State::new(&m));
    let mut rk4 = Discrete::rk4(&m, 0.1);
    assert_eq!(rk4.step(&m, &x, &[], &mut next), Err(Error::Size { expected: 1, found: 0 }));
    let (mut a, mut b) = ([0.0; 9], [0.0; 3]);
    let result = rk4.linearize(&m, &x, &[0.0], &mut next, &mut a[..8], &mut b);
    assert_eq!(result, Err(Error::Size { expected: 9, found: 8 }));
    let result = rk4.linearize(&m, &x, &[0.0], &mut next, &mut a, &mut b[..2]);
    assert_eq!(result, Err(Error::Size { expected: 3, found: 2 }));
    let mut work = Linearization::new(&m);
    let result = error_jacobian(&m, x.view(&[]), &mut work, &mut a, &mut b);
    assert_eq!(result, Err(Error::Size { expected: 1, found: 0 }));
    assert_eq!(next.displace(&m, &[0.0; 2]), Err(Error::Size { expected: 3, found: 2 }));
    assert_eq!(next.displacement(&m, &x, &mut a), Err(Error::Size { expected: 3, found: 9 }));
}

#[test]
fn single_precision_works() {
    let x = State::<Oscillator, f32>::new(&Oscillator);
    for scheme in Scheme::ALL {
        let mut discrete = Discrete::new(&Oscillator, scheme, 0.01_f32);
        let (mut next, mut a, mut b) = (x.clone(), [0.0; 9], [0.0; 3]);
        discrete.linearize(&Oscillator, &x, &[0.5], &mut next, &mut a, &mut b).unwrap();
        // exp(h A) and its integral up to h².
        assert!((a[0] - 1.0).abs() < 1e-4 && (a[1] - 0.01).abs() < 1e-6 && (b[1] - 0.01).abs() < 1e-6, "{a:?} {b:?}");
    }
}

#[test]
fn displacement_inverts_displace() {
    let mut random = Random::new(13);
    for kind in KINDS {
        let (body, x, _) = moving_body(kind, &mut random);
        let delta: [f64; 12] = random.vector(1e-3);
        let (mut y, mut found) = (x.clone(), [0.0; 12]);
        y.displace(&body, &delta).unwrap();
        y.displacement(&body, &x, &mut found).unwrap();
        let gaps: Vec<f64> = found.iter().zip(delta).map(|(a, b)| a - b).collect();
        // Rotations by 1e-3, with an error of third order; normalisation shortens by |δ|²/8.
        assert!(max_norm(&gaps) < 1e-9, "{kind:?} {gaps:?}");
    }
}
