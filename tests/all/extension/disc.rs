//! The rolling disc: n_q = 7, n_v = 6, a position row and two velocity rows.
//!
//! A disc of constant lean rotates with Ω about the vertical ŷ and with σ about its axis n, ω = Ω ŷ + σ n. With
//! c = n·ŷ = sin lean, s = cos lean, ω_z = σ + Ω c, û = (ŷ − c n)/s, ρ = −r û:
//!
//! 1. v = −ω × ρ = −(r/s) ω_z (ŷ × n), v̇ = Ω ŷ × v = (r/s) ω_z Ω (n − c ŷ)
//! 2. L = A Ω (ŷ − c n) + C ω_z n, L̇ = Ω ŷ × L = Ω (C ω_z − A Ω c) (ŷ × n)
//! 3. ρ × m (v̇ + g ŷ) = −m r (r ω_z Ω + g c/s) (ŷ × n)
//! 4. so that (C + m r²) ω_z Ω = A Ω² c − m g r c/s

use mbs::nalgebra::{Quaternion, Rotation3, UnitQuaternion, Vector3};
use mbs::simulation::Cause;
use mbs::{Error, Integrator, Mechanism, Recording, Simulation, Stabilization, State, StateView};

use crate::extension::analyses::{self, law};
use crate::extension::laws;
use crate::extension::rolling_disc::RollingDisc;
use crate::tier::is_in_turn;

const GRAVITY: f64 = 9.81;

fn disc() -> RollingDisc {
    RollingDisc { mass: 2.0, radius: 0.3, inertia: [0.05, 0.08], lean: 0.3, turn: 0.5, spin: -6.0 }
}

/// A steady disc, by equation 4.
fn steady() -> RollingDisc {
    let mut disc = RollingDisc { turn: 1.4, ..disc() };
    let ([a, about_axis], (c, s)) = (disc.inertia, disc.lean.sin_cos());
    let moment = a * disc.turn * disc.turn * c - disc.mass * GRAVITY * disc.radius * c / s;
    disc.spin = moment / ((about_axis + disc.mass * disc.radius * disc.radius) * disc.turn);
    disc
}

/// (q, v) of a steady disc at time t, from its state at 0: R = exp(Ω t ŷ) R₀ exp(σ t ẑ).
fn exact(disc: &RollingDisc, start: &[f64], t: f64) -> (UnitQuaternion<f64>, Vector3<f64>, Vec<f64>) {
    let (c, s) = disc.lean.sin_cos();
    let (up, spin) = (Vector3::y(), disc.spin - disc.turn * c);
    let about = |axis: Vector3<f64>, angle: f64| UnitQuaternion::from_scaled_axis(axis * angle);
    let first = UnitQuaternion::new_normalize(Quaternion::new(start[3], start[4], start[5], start[6]));
    let rotated = about(up, disc.turn * t) * first * about(Vector3::z(), spin * t);
    // Equation 1: v rotates about ŷ, and so does p = const − ŷ × v/Ω.
    let velocity = |attitude: UnitQuaternion<f64>| -disc.radius / s * disc.spin * up.cross(&(attitude * Vector3::z()));
    let (before, now) = (velocity(first), velocity(rotated));
    let center = Vector3::new(start[0], start[1], start[2]) + up.cross(&(before - now)) / disc.turn;
    let omega = rotated.inverse_transform_vector(&(disc.turn * up)) + spin * Vector3::z();
    (rotated, center, [now.as_slice(), omega.as_slice()].concat())
}

/// Largest difference of a recording of 1 s from the closed form, over q, v and the force of the floor.
fn miss_of_steady_motion(integrator: Integrator, stabilization: Stabilization) -> f64 {
    let disc = steady();
    let run = Simulation::new(&disc).duration(1.0).every(0.1).integrator(integrator).stabilization(stabilization);
    let recording = run.run().unwrap();
    let row = |quantity, i: usize| -> Vec<f64> { recording.table(quantity).columns().iter().map(|c| c[i]).collect() };
    let start = row(mbs::Quantity::Coordinates, 0);
    let mut worst = 0.0_f64;
    for (i, t) in recording.times().iter().enumerate() {
        let (q, v) = (row(mbs::Quantity::Coordinates, i), row(mbs::Quantity::Speeds, i));
        let (attitude, center, speeds) = exact(&disc, &start, *t);
        let found = UnitQuaternion::new_normalize(Quaternion::new(q[3], q[4], q[5], q[6]));
        let force = recording.output("normal_force").unwrap()[i] - disc.mass * GRAVITY;
        let rotated: Rotation3<f64> = attitude.rotation_to(&found).into();
        worst = worst.max(rotated.angle()).max(force.abs()).max((center - Vector3::new(q[0], q[1], q[2])).norm());
        worst = v.iter().zip(&speeds).fold(worst, |worst, (v, exact)| worst.max((v - exact).abs()));
    }
    worst
}

#[test]
fn steady_rolling_follows_its_closed_form() {
    let miss = miss_of_steady_motion(Integrator::DormandPrince { rtol: 1e-12, atol: 1e-13 }, Stabilization::Projection);
    // Steady motion of this disc is stable; a hundred steps at 1e-12 of values up to 10.
    assert!(miss < 1e-10, "{miss:e}");
}

#[test]
fn every_integrator_follows_steady_rolling() {
    let step = 1e-3;
    let baumgarte = Stabilization::Baumgarte { alpha: 10.0, beta: 10.0 };
    for (k, stabilization) in [Stabilization::Projection, baumgarte, Stabilization::None].into_iter().enumerate() {
        // Tolerances by order and step: ten times the measured errors.
        for (integrator, tolerance) in [
            (Integrator::default(), 3e-9),
            (Integrator::Rk4 { step }, 2e-9),
            (Integrator::Rk3 { step }, 1e-6),
            (Integrator::Rk2 { step }, 2e-4),
            (Integrator::SemiImplicitEuler { step }, 0.1),
            (Integrator::ExplicitEuler { step }, 0.5),
        ] {
            if !is_in_turn(&format!("{integrator:?}"), k, 3) {
                continue;
            }
            let miss = miss_of_steady_motion(integrator, stabilization);
            println!("{integrator:?}, {stabilization:?}: {miss:.1e}");
            assert!(miss < tolerance, "{integrator:?}, {stabilization:?}: {miss:e}");
        }
    }
}

#[test]
fn assembly_finds_attitude_height_and_speeds() {
    let disc = disc();
    analyses::assert_assembles(&disc);
    let mut state = State::new(&disc);
    mbs::assemble(&disc, &mut state).unwrap();
    assert!((state.q[1] - disc.radius * disc.lean.cos()).abs() < 1e-15);
    assert!((state.q[3..].iter().map(|e| e * e).sum::<f64>() - 1.0).abs() < 4e-16);
    assert!((state.v[5] + 6.0).abs() < 1e-15);
}

#[test]
fn an_upright_disc_rolls_straight() {
    let disc = RollingDisc { lean: 0.0, turn: 0.0, spin: -2.0, ..disc() };
    let recording = Simulation::new(&disc).duration(1.0).run().unwrap();
    // Every method is exact to round-off: accelerations are zero.
    assert!((recording.coordinate("disc.x").unwrap()[100] - 2.0 * 0.3).abs() < 1e-12);
    assert!(recording.output("normal_force").unwrap().iter().all(|force| (force - 2.0 * GRAVITY).abs() < 1e-12));
}

/// T + V − work of a disc that is pushed \[J\].
fn balance(recording: &Recording) -> Vec<f64> {
    recording.total_energy().iter().zip(recording.auxiliary("work").unwrap()).map(|(e, work)| e - work).collect()
}

#[test]
fn energy_is_the_work_of_the_push() {
    let recording = Simulation::new(&disc()).inputs(law).duration(5.0).run().unwrap();
    let balance = balance(&recording);
    assert!(recording.auxiliary("work").unwrap().iter().any(|work| work.abs() > 0.5));
    // Tolerances of 1e-9 over some 700 steps, 10 J.
    assert!(balance.iter().all(|e| (e - balance[0]).abs() < 1e-7), "{:e}", balance[500] - balance[0]);
}

#[test]
fn a_torque_about_the_axis_pushes_as_the_input_does() {
    // Both are equal at unit quaternions, which those within a step are only approximately: errors are of order four.
    analyses::assert_load_equals_input(&disc(), 1e-7, |push, loads| {
        // The axis runs from the origin to a point one metre along it.
        let (from, to) = (loads.point("disc", [0.0; 3]), loads.point("disc", [0.0, 0.0, 1.0]));
        loads.wrench("disc", from, [0.0; 3], [0, 1, 2].map(|i| push * (to[i] - from[i])));
    });
}

#[test]
fn a_disc_that_lies_flat_has_no_contact_point() {
    let disc = disc();
    let mut state = State::new(&disc);
    // The axis is vertical.
    let half = std::f64::consts::FRAC_1_SQRT_2;
    state.q = [0.0, 0.0, 0.0, half, -half, 0.0, 0.0];
    let mut a = [0.0; 6];
    let result = disc.accelerations(state.view(&[0.0]), &mut a, &mut [0.0; 3]);
    assert!(matches!(result, Err(Error::Singular { row: 6, .. })), "{result:?}");
    let failure = Simulation::new(&disc).initial(state).as_given().run().unwrap_err();
    assert!(matches!(failure.cause, Cause::Run(Error::Singular { .. })));
    let [message, pose] =
        [0, 1].map(|line| failure.to_string().lines().nth(line).map(str::to_owned).unwrap_or_default());
    assert_eq!(message, "singular at t = 0: the pivot of `floor.normal` vanishes");
    assert!(pose.starts_with("  near the pose `disc.x` = 0, ") && pose.contains("`disc.e0` = 0.7071068"), "{pose}");
}

#[test]
fn methods_obey_the_laws() {
    let disc = disc();
    laws::assert_solve(&disc);
    laws::assert_accelerations(&disc);
    laws::assert_kinematics(&disc);
    laws::assert_power(&disc, |at: StateView| at.u[0] * at.v[5]);
    analyses::assert_conditions(&disc);
}

#[test]
fn every_analysis_takes_it() {
    let disc = disc();
    analyses::assert_projects(&disc);
    analyses::assert_integrates(&disc);
    analyses::assert_steps(&disc);
    analyses::assert_takes_loads(&disc);
    let columns = ["q.disc.e3", "v.disc.omega_z", "a.disc.omega_z", "lambda.floor.normal", "z.work", "u.push"];
    analyses::assert_reports(&disc, &columns);
}
