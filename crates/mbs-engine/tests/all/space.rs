//! Motions of spatial mechanisms: conserved quantities, formulations, attitudes, bodies without rows.

use mbs_core::{Mechanism, Pose, State, StateView, assemble};
use mbs_engine::{Engine, Formulation};

fn build_engine(text: &str, formulation: Formulation) -> Engine {
    Engine::options().formulation(formulation).text(text).unwrap_or_else(|failure| panic!("{failure}"))
}

#[track_caller]
fn close(what: &str, found: &[f64], expected: &[f64], tolerance: f64) {
    let size = expected.iter().fold(1.0_f64, |m, x| m.max(x.abs()));
    for (k, (a, b)) in found.iter().zip(expected).enumerate() {
        assert!((a - b).abs() <= tolerance * size, "{what}[{k}]: {a} and {b}");
    }
}

/// One step of the classical Runge–Kutta method of order 4; quaternions are normalised after it.
fn step(engine: &Engine, state: &mut State<Engine>, h: f64) {
    let s = engine.sizes();
    let (q0, v0) = (state.q.to_vec(), state.v.to_vec());
    let (mut dq, mut dv) = (vec![0.0; s.n_q], vec![0.0; s.n_v]);
    let (mut rates, mut a, mut lambda) = (vec![0.0; s.n_q], vec![0.0; s.n_v], vec![0.0; s.n_c]);
    for (advance, weight) in [(0.0, 1.0), (0.5, 2.0), (0.5, 2.0), (1.0, 1.0)] {
        let at: Vec<f64> = q0.iter().zip(&rates).map(|(q, r)| q + advance * h * r).collect();
        let speeds: Vec<f64> = v0.iter().zip(&a).map(|(v, a)| v + advance * h * a).collect();
        let view = StateView { t: 0.0, q: &at, v: &speeds, z: &[], u: &[] };
        engine.coordinate_rates(0.0, &at, &speeds, &mut rates);
        engine.accelerations(view, &mut a, &mut lambda).expect("a regular state");
        dq.iter_mut().zip(&rates).for_each(|(sum, x)| *sum += weight * h / 6.0 * x);
        dv.iter_mut().zip(&a).for_each(|(sum, x)| *sum += weight * h / 6.0 * x);
    }
    state.q.iter_mut().zip(&dq).for_each(|(q, d)| *q += d);
    state.v.iter_mut().zip(&dv).for_each(|(v, d)| *v += d);
    engine.normalize(&mut state.q);
}

/// Three bodies in flight, on a ball joint and a cylindrical one, with a spring between the first and the last.
const FLIGHT: &str = "pub spatial Flight {
    body a { mass: 1.2, inertia: [0.03, 0.05, 0.04], com: [0.1, -0.2, 0.3], velocity: body }
    body b { mass: 0.7, inertia: [0.01, 0.02, 0.015], com: [0.05, 0.1, -0.15] }
    body c { mass: 0.5, inertia: [0.01, 0.01, 0.02], com: [0.1, 0, 0.1] }
    joint base = free(ground, a);
    joint ball = spherical(b at [0.1, 0, 0.1], a at [0.3, -0.1, 0.2]);
    joint tube = cylindrical(b at [-0.2, 0.1, 0], c) { axis: [1, 0, 1] };
    force spring = spring_damper(a, c at [0.2, 0, 0]) { stiffness: 40, free_length: 0.2 };
    initial base.position = [0, 0, 0], base.velocity = [0.1, 0, 0.2], base.u = [0.5, 1, -0.7], ball.u = [1, 2, -1];
    initial tube.angle = 0.4, tube.position = 0.1, tube.rate = 0.3, tube.speed = 0.2;
    output momentum = momentum(bodies);
    output spin = angular_momentum(bodies, ground);
}";

#[test]
fn momentum_and_energy_stay_in_flight() {
    for formulation in [Formulation::Joint, Formulation::Body] {
        let engine = build_engine(FLIGHT, formulation);
        let mut state = State::new(&engine);
        assemble(&engine, &mut state).unwrap();
        let observed = |state: &State<Engine>| {
            let s = engine.sizes();
            let (mut outputs, at) = (vec![0.0; s.n_outputs], state.view(&[]));
            engine.outputs(at, &vec![0.0; s.n_v], &vec![0.0; s.n_c], &mut outputs);
            let energy = engine.energy(at);
            outputs.push(energy.kinetic + energy.potential);
            outputs
        };
        let before = observed(&state);
        assert!(before[3..6].iter().any(|x| x.abs() > 0.01), "it turns: {before:?}");
        for _ in 0..500 {
            step(&engine, &mut state, 1e-3);
        }
        // Order 4 with some radians per second: h⁴; the drift from rows is much smaller.
        close("momenta and energy", &observed(&state), &before, 1e-8);
    }
}

#[test]
fn formulations_and_attitudes_have_equal_motions() {
    let text = |attitude: &str| {
        FLIGHT
            .replace("com: [0.05, 0.1, -0.15] }", &format!("com: [0.05, 0.1, -0.15], attitude: {attitude} }}"))
            .replace("velocity: body }", &format!("velocity: world, attitude: {attitude} }}"))
    };
    let poses = |engine: &Engine| {
        let mut state = State::new(engine);
        assemble(engine, &mut state).unwrap();
        (0..200).for_each(|_| step(engine, &mut state, 1e-3));
        let mut poses = vec![Pose::planar(0.0, 0.0, 0.0); engine.sizes().n_bodies];
        engine.poses(StateView::new(0.0, &state.q, &[]), &mut poses);
        poses.iter().flat_map(|p| [p.position.to_vec(), p.attitude.to_vec()].concat()).collect::<Vec<f64>>()
    };
    let expected = poses(&build_engine(FLIGHT, Formulation::Joint));
    for attitude in ["quaternion", "mrp", "rodrigues", "vector", "euler(xyz)"] {
        for formulation in [Formulation::Joint, Formulation::Body] {
            let found = poses(&build_engine(&text(attitude), formulation));
            // The truncation error of 200 steps, which depends on the coordinates.
            close(attitude, &found, &expected, 1e-9);
        }
    }
}

/// Euler's equations of a free body about its centre of mass.
#[test]
fn a_free_body_obeys_eulers_equations() {
    let engine = build_engine(
        "pub spatial Top { body a { mass: 2, inertia: [1, 2, 2.5] } joint f = free(ground, a); }",
        Formulation::Joint,
    );
    let (q, v) = ([0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0], [0.3, 0.2, 0.1, 1.0, -2.0, 3.0]);
    let mut a = [0.0; 6];
    engine.accelerations(StateView { t: 0.0, q: &q, v: &v, z: &[], u: &[] }, &mut a, &mut []).unwrap();
    // I ω̇ = −ω × I ω
    let expected = [0.0, 0.0, 0.0, (2.0 - 2.5) * -6.0, (2.5 - 1.0) * 3.0 / 2.0, (1.0 - 2.0) * -2.0 / 2.5];
    close("accelerations", &a, &expected, 1e-14);
}

#[test]
fn parameters_may_change() {
    let text = "pub spatial Arm { param tilt = 0.2; param m = 1.0; gravity: [0, 0, -10];
        body a { mass: m, inertia: [0.1, 0.1, 0.1], com: [1, 0, 0] }
        joint j = revolute(ground, a) { axis: [sin(tilt), cos(tilt), 0] }; }";
    let mut engine = build_engine(text, Formulation::Joint);
    engine.set_parameter("tilt", 0.7).unwrap();
    engine.set_parameter("m", 3.0).unwrap();
    let fresh =
        build_engine(&text.replace("tilt = 0.2", "tilt = 0.7").replace("m = 1.0", "m = 3.0"), Formulation::Joint);
    let [mut a, mut b] = [[0.0]; 2];
    let at = StateView { t: 0.0, q: &[0.4], v: &[0.3], z: &[], u: &[] };
    engine.accelerations(at, &mut a, &mut []).unwrap();
    fresh.accelerations(at, &mut b, &mut []).unwrap();
    assert_eq!(a, b);
    engine.set_parameter("m", 0.0).unwrap();
    engine.accelerations(at, &mut a, &mut []).unwrap();
    assert!(a[0].abs() < 0.1, "no weight turns it: {a:?}");
}

/// t, q, v.
type Point = (f64, Vec<f64>, Vec<f64>);

/// Loops of rows at all levels, continuous angles, moving ground.
#[test]
fn rows_and_their_derivatives_are_rates_of_each_other() {
    let text = "pub spatial Loops {
        body a { mass: 1.2, inertia: [0.03, 0.05, 0.04], com: [0.1, -0.2, 0.3] }
        body b { mass: 0.7, inertia: [0.01, 0.02, 0.015], com: [0.05, 0.1, -0.15], attitude: mrp, velocity: body }
        particle p { mass: 0.4, position: [0.3, 0.6, 0.1] }
        marker wall = ground at [0.1 * sin(2 * t), 0.2, 0.3] { rotation: axis_angle([1, 2, 0], 0.3 * t) };
        joint hinge = revolute(wall, a) { axis: [0, 1, 0.3] };
        joint cross = universal(a at [0.3, 0, 0], b at [0, 0.1, 0]) { axis: [1, 0, 0], second_axis: [0, 1, 0.4], cut: true };
        joint rod = distance(p, b) { length: 0.5 };
        coupling tied = hinge.angle == 2 * cross.q[1];
        drive turning = dot(angular_velocity(b), b.x) == sin(t);
    }";
    let engine = build_engine(text, Formulation::Joint);
    let s = engine.sizes();
    let (mut q, mut v) = (vec![0.0; s.n_q], vec![0.0; s.n_v]);
    engine.guess(&mut q, &mut v, &mut []);
    let wave = |k: usize| (1.0 + 1.7 * k as f64).sin();
    let mut rates = vec![0.0; s.n_q];
    engine.retract(0.3, &mut q, &(0..s.n_v).map(|k| 0.3 * wave(k)).collect::<Vec<_>>(), &mut rates);
    v.iter_mut().enumerate().for_each(|(k, v)| *v = wave(k + 9));
    let a: Vec<f64> = (0..s.n_v).map(|k| wave(k + 30)).collect();
    // Coordinates are displaced by q̇ only: the curvature of the path is of second order in h.
    engine.coordinate_rates(0.3, &q, &v, &mut rates);
    let h = 1e-5;
    let at = |tau: f64| {
        let q: Vec<f64> = q.iter().zip(&rates).map(|(q, r)| q + tau * r).collect();
        let v: Vec<f64> = v.iter().zip(&a).map(|(v, a)| v + tau * a).collect();
        (0.3 + tau, q, v)
    };
    let difference = |f: &dyn Fn(Point) -> Vec<f64>| -> Vec<f64> {
        f(at(h)).iter().zip(f(at(-h))).map(|(x, y)| (x - y) / (2.0 * h)).collect()
    };
    let phi = |(t, q, _): Point| {
        let mut phi = vec![0.0; s.n_position];
        engine.position_residuals(StateView::new(t, &q, &[]), &mut phi);
        phi
    };
    let psi = |(t, q, v): Point| {
        let mut psi = vec![0.0; s.n_velocity];
        engine.velocity_residuals(StateView::new(t, &q, &v), &mut psi);
        psi
    };
    // Central differences: h² from above, 1e-16 / h from below.
    close("rates of phi", &psi(at(0.0))[..s.n_position], &difference(&phi), 1e-8);
    let (mut g, mut gamma, mut nu) = (vec![0.0; s.n_c * s.n_v], vec![0.0; s.n_c], vec![0.0; s.n_velocity]);
    Engine::constraint_jacobian(&engine, StateView::new(0.3, &q, &[]), &mut g);
    engine.gamma(StateView::new(0.3, &q, &v), &mut gamma);
    engine.nu(StateView::new(0.3, &q, &[]), &mut nu);
    let along = |x: &[f64], less: &[f64]| -> Vec<f64> {
        let row = |r: usize| (0..s.n_v).map(|k| g[r * s.n_v + k] * x[k]).sum::<f64>() - less[r];
        (0..s.n_velocity).map(row).collect()
    };
    close("G v - nu", &along(&v, &nu), &psi(at(0.0)), 1e-13);
    close("G a - gamma", &along(&a, &gamma), &difference(&psi), 1e-8);
}
