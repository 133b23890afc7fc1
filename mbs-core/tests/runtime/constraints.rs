//! Projection, Baumgarte's stabilisation and energy on the pendulum, the rotating wire, the skate and the particle of constant speed.

use mbs_core::*;

use crate::models::bead::Bead;
use crate::models::cruiser::Cruiser;
use crate::models::pendulum::Pendulum;
use crate::models::skate::Skate;
use crate::models::{advance, violations};

fn energy(m: &Pendulum, state: &State<Pendulum>) -> f64 {
    let Energy { kinetic, potential } = m.energy(state.view(&[]));
    kinetic + potential
}

#[test]
fn projection_keeps_positions_and_velocities_at_round_off() {
    let m = Pendulum::default();
    let mut state = State::new(&m);
    let mut stepper = Rk4::new(&m, 0.01);
    let (mut phi, mut psi) = (0.0_f64, 0.0_f64);
    for _ in 0..1000 {
        stepper.step(&m, &mut state, &mut zero_inputs, 0.01).unwrap();
        let now = violations(&m, &state);
        (phi, psi) = (phi.max(now.0), psi.max(now.1));
    }
    println!("largest violations {phi:.1e}, {psi:.1e}; energy drift {:.1e} J", energy(&m, &state));
    // |q| = 1.5, |v| ≤ 5.5: some ε of their products.
    assert!(phi < 2e-15 && psi < 8e-15, "{phi:e}, {psi:e}");
    assert!(energy(&m, &state).abs() < 2e-6);
}

#[test]
fn small_mechanisms_are_projected_as_well() {
    let m = Pendulum { length: 1e-6, gravity: 1e-6, guess: [1e-6, 0.0, 0.0, 0.0], ..Pendulum::default() };
    let mut state = State::new(&m);
    advance(&m, &mut Rk4::new(&m, 0.05), &mut state, 20.0);
    let (phi, psi) = violations(&m, &state);
    // Φ and ψ have magnitudes of 1e-12; the threshold is 4 ε |q|.
    assert!(phi < 1e-21 && psi < 2e-21, "{phi:e} {psi:e}");
}

#[test]
fn the_adaptive_method_preserves_the_energy_over_many_swings() {
    let m = Pendulum::default();
    let mut state = State::new(&m);
    let mut stepper = DormandPrince::new(&m);
    advance(&m, &mut stepper, &mut state, 60.0);
    println!("energy drift in 60 s: {:.1e} J of 29 J", energy(&m, &state));
    assert!(energy(&m, &state).abs() < 2e-6);
    assert!(violations(&m, &state).0 < 2e-15);
}

#[test]
fn the_cartesian_pendulum_follows_the_angle() {
    // θ from the vertical: θ̈ = −(g/ℓ) sin θ, by the same method of order 4 with 100 times more steps.
    let m = Pendulum::default();
    let (mut theta, mut rate, h) = (core::f64::consts::FRAC_PI_2, 0.0, 1e-4);
    let f = |theta: f64| -m.gravity / m.length * theta.sin();
    for _ in 0..20_000 {
        let (k1, l1) = (rate, f(theta));
        let (k2, l2) = (rate + 0.5 * h * l1, f(theta + 0.5 * h * k1));
        let (k3, l3) = (rate + 0.5 * h * l2, f(theta + 0.5 * h * k2));
        let (k4, l4) = (rate + h * l3, f(theta + h * k3));
        theta += h / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4);
        rate += h / 6.0 * (l1 + 2.0 * l2 + 2.0 * l3 + l4);
    }
    let exact =
        [m.length * theta.sin(), -m.length * theta.cos(), m.length * theta.cos() * rate, m.length * theta.sin() * rate];
    let mut state = State::new(&m);
    advance(&m, &mut DormandPrince::new(&m), &mut state, 2.0);
    assert!(crate::models::distance(&state, &exact) < 1e-7, "{state:?} {exact:?}");
}

#[test]
fn without_stabilization_positions_drift() {
    let m = Pendulum::default();
    let mut state = State::new(&m);
    let mut stepper = Rk4::new(&m, 0.01).with_stabilization(Stabilization::None);
    advance(&m, &mut stepper, &mut state, 10.0);
    assert!(violations(&m, &state).0 > 1e-9);
}

#[test]
fn baumgarte_converges_at_its_rate() {
    let m = Pendulum { guess: [1.51, 0.0, 0.05, 0.0], ..Pendulum::default() };
    let mut state = State::new(&m);
    let baumgarte = Stabilization::Baumgarte { alpha: 10.0, beta: 10.0 };
    let mut stepper = Rk4::new(&m, 1e-3).with_stabilization(baumgarte);
    // Critically damped: Φ = (Φ₀ + (ψ₀ + α Φ₀) t) e^(−α t), exactly, since G a = γ is satisfied exactly.
    let (phi0, psi0) = (0.5 * (1.51 * 1.51 - 2.25), 1.51 * 0.05);
    for i in 1..=10 {
        let t = 0.1 * f64::from(i);
        advance(&m, &mut stepper, &mut state, t);
        let exact = (phi0 + (psi0 + 10.0 * phi0) * t) * (-10.0 * t).exp();
        assert!((violations(&m, &state).0 - exact.abs()).abs() < 1e-8, "t = {t}");
    }
    advance(&m, &mut stepper, &mut state, 5.0);
    let (phi, psi) = violations(&m, &state);
    println!("Baumgarte after 5 s: {phi:.1e}, {psi:.1e}");
    assert!(phi < 1e-9 && psi < 1e-8);
}

#[test]
fn projection_is_the_nearest_point_in_the_metric_of_mass() {
    // On a circle with M = m 1, the projection is radial.
    let m = Pendulum { guess: [1.2, -1.6, 0.3, 0.4], ..Pendulum::default() };
    let mut state = State::<Pendulum>::new(&m);
    let mut work = Projection::new(&m);
    // The distance is long: each iteration doubles the number of correct digits, but the first ones have few.
    work.iterations = 8;
    let entry = project_positions(&m, &mut state, &mut work).unwrap();
    assert!((entry - 0.5 * (4.0 - 2.25)).abs() < 1e-15);
    assert!((state.q[0] - 0.9).abs() < 1e-15 && (state.q[1] + 1.2).abs() < 1e-15, "{state:?}");
    let entry = project_velocities(&m, &mut state, &mut work).unwrap();
    assert!((entry - 0.21).abs() < 1e-15);
    assert!(violations(&m, &state).1 < 1e-16);
    // A second projection changes nothing.
    let before = state.clone();
    project(&m, &mut state, &mut work).unwrap();
    assert_eq!(state, before);
}

#[test]
fn projection_far_from_any_pose_is_an_error() {
    let m = Pendulum { guess: [1e9, 0.0, 0.0, 0.0], length: 1e-3, ..Pendulum::default() };
    let mut state = State::<Pendulum>::new(&m);
    state.t = 3.0;
    let mut work = Projection::new(&m);
    work.iterations = 1;
    let result = project_positions(&m, &mut state, &mut work);
    assert!(matches!(result, Err(Error::NotAssembled { row: 0, iterations: 1, t: 3.0, .. })), "{result:?}");
    state.q = [f64::NAN, 0.0];
    assert!(matches!(project(&m, &mut state, &mut work), Err(Error::NotFinite { .. })));
}

#[test]
fn a_velocity_row_projects_velocities_only() {
    let mut state = State::<Skate>::new(&Skate);
    let before = state.clone();
    project(&Skate, &mut state, &mut Projection::new(&Skate)).unwrap();
    assert_eq!(state.q, before.q);
    assert_eq!(state.v, [1.3, 0.0, 0.8]);
}

#[test]
fn a_rheonomic_row_is_satisfied_while_it_does_work() {
    let m = Bead { omega: 1.2 };
    let mut state = State::new(&m);
    crate::models::set(&mut state, &m.exact(0.0));
    advance(&m, &mut DormandPrince::new(&m), &mut state, 3.0);
    // r = cosh 3.6 ≈ 18: relative tolerance 1e-9 grows with the solution.
    assert!(crate::models::distance(&state, &m.exact(3.0)) < 3e-7);
    assert!(violations(&m, &state).0 < 2e-14);
}

#[test]
fn a_row_nonlinear_in_speeds_is_projected_by_newtons_method() {
    let m = Cruiser { speed: 3.0, gravity: 9.81 };
    let mut state = State::<Cruiser>::new(&m);
    let mut work = Projection::new(&m);
    // Radially, to the nearest point in the metric of mass; the coordinate with prescribed acceleration may have any speed.
    state.v = [8.0, 6.0, 0.7];
    let entry = project_velocities(&m, &mut state, &mut work).unwrap();
    assert!((entry - 91.0).abs() < 1e-13);
    assert!((state.v[0] - 2.4).abs() < 1e-15 && (state.v[1] - 1.8).abs() < 1e-15, "{state:?}");
    assert_eq!(state.v[2], 0.7);
    let before = state.clone();
    project(&m, &mut state, &mut work).unwrap();
    assert_eq!(state, before);
    // From a large speed, which is halved twelve times; this is not enough.
    state.v = [1e9, 0.0, 0.0];
    let result = project_velocities(&m, &mut state, &mut work);
    assert!(matches!(result, Err(Error::NotAssembled { row: 0, iterations: 12, .. })), "{result:?}");
    state.v = [0.0; 3];
    assert!(matches!(project_velocities(&m, &mut state, &mut work), Err(Error::Singular { row: 3, .. })));
}

#[test]
fn a_particle_of_constant_speed_follows_its_closed_form() {
    let m = Cruiser { speed: 3.0, gravity: 9.81 };
    let baumgarte = Stabilization::Baumgarte { alpha: 5.0, beta: 5.0 };
    for stabilization in [Stabilization::Projection, baumgarte] {
        let mut state = State::new(&m);
        advance(&m, &mut DormandPrince::new(&m).with_stabilization(stabilization), &mut state, 1.0);
        let exact = m.velocity(1.0);
        // Tolerances of 1e-6 per step, some thirty steps.
        for (v, exact) in state.v.iter().zip(exact) {
            assert!((v - exact).abs() < 1e-5, "{stabilization:?}: {state:?}, not {exact:?}");
        }
        // A row of accelerations is never corrected: its error is that of the integration.
        assert!((state.q[2] - 1.0_f64.cos()).abs() < 1e-5);
    }
    let mut state = State::new(&m);
    advance(&m, &mut DormandPrince::new(&m), &mut state, 1.0);
    assert!(violations(&m, &state).1 < 1e-14);
}

#[test]
fn velocities_nearest_to_those_given_satisfy_a_row_nonlinear_in_speeds() {
    let m = Cruiser { speed: 5.0, gravity: 0.0 };
    let mut state = State::<Cruiser>::new(&m);
    state.v = [3.3, 4.4, 0.2];
    least_velocities(&m, &mut state, &mut MotionWork::new(&m)).unwrap();
    assert!((state.v[0] - 3.0).abs() < 1e-14 && (state.v[1] - 4.0).abs() < 1e-14, "{state:?}");
}
