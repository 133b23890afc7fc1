//! Free tops: closed forms, the pinned cases `euler_top` and `euler_top_major`, and constants of the motion.

use mbs_core::rotation::{Attitude, Sequence, inner, norm};
use mbs_core::*;

use crate::models::random::gap;
use crate::models::satellite::Satellite;
use crate::models::{case, distance, set};

/// ω and quaternion of the rows of a case, with their times, and the body.
fn top(name: &str) -> (Satellite, Vec<[f64; 8]>) {
    let case = case::read(name);
    let rows = case["reference"]["series"]["rows"].as_array().expect("rows").iter().map(case::array);
    (Satellite::top(case::array(&case["parameters"]["I"])), rows.collect())
}

fn start(satellite: &Satellite, [_, x, y, z, q @ ..]: [f64; 8]) -> State<Satellite> {
    satellite.state(&RigidBodyState::new([0.0; 3], q, [0.0; 3], [x, y, z]))
}

#[test]
fn euler_tops_follow_elliptic_functions() {
    for name in ["euler_top", "euler_top_major"] {
        let (satellite, rows) = top(name);
        let mut state = start(&satellite, rows[0]);
        let mut stepper = DormandPrince::new(&satellite).with_tolerances(1e-13, 1e-14);
        for [t, x, y, z, quaternion @ ..] in rows {
            stepper.advance_to(&satellite, &mut state, t, &mut zero_inputs).unwrap();
            let body = satellite.body(&state);
            // The case has errors of 1e-13 and 1e-10; the integrator takes some hundred steps in 10 s, with a tolerance of 1e-13 each.
            assert!(gap(body.angular_velocity(), [x, y, z]) < 2e-11, "{name} t = {t}");
            assert!(gap(body.orientation(), quaternion) < 1e-10, "{name} t = {t}: sign continuous");
        }
    }
}

#[test]
fn the_angular_momentum_is_constant_in_space() {
    for name in ["euler_top", "euler_top_major"] {
        let case = case::read(name);
        let (satellite, rows) = top(name);
        let mut state = start(&satellite, rows[0]);
        let momentum: [f64; 3] = case::array(&case["reference"]["H_world"]);
        let energy = case["reference"]["T"].as_f64().expect("an energy");
        let mut stepper = DormandPrince::new(&satellite).with_tolerances(1e-12, 1e-13);
        for i in 1..=20 {
            stepper.advance_to(&satellite, &mut state, 0.5 * f64::from(i), &mut zero_inputs).unwrap();
            // |L| = 4.2 and T = 6.4 at most, tolerance 1e-12 over some hundreds of steps.
            assert!(gap(satellite.angular_momentum(&state), momentum) < 2e-10, "{name} {i}");
            assert!((satellite.energy(state.view(&[0.0; 6])).kinetic - energy).abs() < 2e-10, "{name} {i}");
        }
    }
}

#[test]
fn the_implicit_midpoint_rule_preserves_energy_and_momentum_of_a_top_to_round_off() {
    for name in ["euler_top", "euler_top_major"] {
        let (satellite, rows) = top(name);
        let mut drifts = [0.0; 2];
        for (h, drift) in [0.1, 0.05].into_iter().zip(&mut drifts) {
            let mut state = start(&satellite, rows[0]);
            let (energy, before) =
                (satellite.energy(state.view(&[0.0; 6])).kinetic, satellite.angular_momentum(&state));
            let size = inner(before, before).sqrt();
            let mut stepper = ImplicitMidpoint::without_derivatives(&satellite, h);
            for i in 1..=200 {
                stepper.advance_to(&satellite, &mut state, 0.1 * f64::from(i), &mut zero_inputs).unwrap();
                let now = satellite.angular_momentum(&state);
                let kinetic = satellite.energy(state.view(&[0.0; 6])).kinetic;
                // Energy and momentum are quadratic in ω, and the exact rule preserves them: 400 steps are solved to 64 roundings.
                assert!((inner(now, now).sqrt() / size - 1.0).abs() < 1e-12, "{name} {h} {i}");
                assert!((kinetic / energy - 1.0).abs() < 1e-12, "{name} {h} {i}");
                assert!((norm(satellite.body(&state).orientation()) - 1.0).abs() < 4e-16);
                *drift = gap(now, before).max(*drift);
            }
            println!("{name} h = {h}: {:?}, momentum turns by {drift:.1e}", stepper.statistics());
            // Solved to round-off in about seven evaluations per step.
            assert!(stepper.statistics().evaluations < 12 * stepper.statistics().accepted);
        }
        // The direction of L in space is not quadratic: an error of order 2.
        assert!((drifts[0] / drifts[1]).log2() > 1.7, "{name} {drifts:?}");
    }
}

/// Regular precession, as `crate::models::top` states it, for I = (2, 2, ½).
fn symmetric_top(t: f64) -> (RigidBodyState, Satellite) {
    let exact = crate::models::top::Top::exact(t);
    let (q, w) = ([exact[0], exact[1], exact[2], exact[3]], [exact[4], exact[5], exact[6]]);
    (RigidBodyState::new([0.0; 3], q, [0.0; 3], w), Satellite::top([2.0, 2.0, 0.5]))
}

#[test]
fn symmetric_tops_precess_regularly_in_every_attitude() {
    let sequences = [Sequence::ZYX, Sequence::XYZ, Sequence::YXZ].map(Attitude::Euler);
    let others = [Attitude::Quaternion, Attitude::ModifiedRodrigues, Attitude::Rodrigues, Attitude::RotationVector];
    for attitude in others.into_iter().chain(sequences) {
        let (body, satellite) = symmetric_top(0.0);
        let satellite = Satellite { attitude, ..satellite };
        let (mut state, mut stepper) = (satellite.state(&body), DormandPrince::new(&satellite));
        for i in 1..=10 {
            let t = 0.1 * f64::from(i);
            stepper.advance_to(&satellite, &mut state, t, &mut zero_inputs).unwrap();
            let error = max_norm(&satellite.body(&state).minus(&symmetric_top(t).0));
            // Tolerance 1e-9 per step, for a rotation by 1.8 rad, away from every singularity.
            assert!(error < 1e-8, "{attitude} t = {t}: {error:e}");
        }
    }
}

#[test]
fn proper_euler_angles_of_a_symmetric_top_precess_and_spin_steadily() {
    // About the constant L, with the axis of the body tilted by β: ψ̇ = L/I₁, θ = β, φ̇ = ω₃ (1 − I₃/I₁).
    let attitude = Attitude::Euler(Sequence::ZXZ);
    let satellite = Satellite { attitude, ..Satellite::top([2.0, 2.0, 0.5]) };
    let (tilt, precession, spin) = (0.6_f64, 0.8, 0.8 * 0.6_f64.cos() * (2.0 / 0.5 - 1.0));
    let exact = |t: f64| {
        let (angle, turn) = (spin * t, precession * tilt.sin());
        let omega = [turn * angle.sin(), turn * angle.cos(), precession * tilt.cos() + spin];
        [vec![0.0; 3], vec![precession * t, tilt, angle], vec![0.0; 3], omega.to_vec()].concat()
    };
    let (mut state, mut stepper) = (State::new(&satellite), DormandPrince::new(&satellite));
    set(&mut state, &exact(0.0));
    stepper.advance_to(&satellite, &mut state, 20.0, &mut zero_inputs).unwrap();
    // Angles of 16 and 40 rad, not wrapped, to the tolerance of 1e-9 per step.
    assert!(distance(&state, &exact(20.0)) < 1e-6, "{state:?}");
}
