//! Prescribed motions: least velocities and accelerations, and continuous branches.

use std::f64::consts::TAU;

use mbs_core::*;

use crate::models::bead::Bead;
use crate::models::guided::Guided;
use crate::models::lap::Lap;

/// A crank of radius 1 at φ = ωt, and a slider at x > 0 on a line through the bearing of the crank, at the distance `rod` from the crank pin. A
/// force of 7 N acts on the slider. q = (φ, x), M = diag(2, 0.5).
struct Slider {
    omega: f64,
    rod: f64,
}

impl Slider {
    fn rows(&self, q: &[f64]) -> [[f64; 2]; 2] {
        // Φ = (x² − 2 x cos φ + 1 − ℓ²)/2, φ − ωt.
        let (s, c) = q[0].sin_cos();
        [[q[1] * s, q[1] - c], [1.0, 0.0]]
    }
}

impl Mechanism for Slider {
    type Coordinates = [f64; 2];
    type Speeds = [f64; 2];
    type Multipliers = [f64; 2];
    type Auxiliary = [f64; 0];
    type Inputs = [f64; 0];
    type Scratch = [f64; 0];

    fn sizes(&self) -> Sizes {
        Sizes { n_q: 2, n_v: 2, n_c: 2, n_position: 2, n_velocity: 2, ..Sizes::default() }
    }

    fn storage(&self) -> ([f64; 2], [f64; 2], [f64; 2], [f64; 0], [f64; 0], [f64; 0]) {
        ([0.0; 2], [0.0; 2], [0.0; 2], [], [], [])
    }

    fn guess(&self, q: &mut [f64], v: &mut [f64], _: &mut [f64]) {
        q.copy_from_slice(&[0.1, self.rod + 0.9]);
        v.copy_from_slice(&[9.0, 9.0]);
    }

    fn accelerations(&self, at: StateView, a: &mut [f64], lambda: &mut [f64]) -> Result<(), Error> {
        let ((s, c), x, [w, v]) = (at.q[0].sin_cos(), at.q[1], [at.v[0], at.v[1]]);
        let gamma = [-(2.0 * v * s * w + x * c * w * w + v * v), 0.0];
        self.solve(at, &[0.0, 7.0], &gamma, a, lambda)
    }

    fn solve(&self, at: StateView, f: &[f64], g: &[f64], x: &mut [f64], mu: &mut [f64]) -> Result<(), Error> {
        let StateView { t, q, .. } = at;
        let [[g00, g01], _] = self.rows(q);
        if g01.abs() < 1e-14 {
            return Err(Error::Singular { row: 2, t });
        }
        x[0] = g[1];
        x[1] = (g[0] - g00 * x[0]) / g01;
        mu[0] = (f[1] - 0.5 * x[1]) / g01;
        mu[1] = f[0] - 2.0 * x[0] - g00 * mu[0];
        Ok(())
    }

    fn position_residuals(&self, at: StateView, phi: &mut [f64]) {
        let StateView { t, q, .. } = at;
        phi[0] = 0.5 * (q[1] * q[1] - 2.0 * q[1] * q[0].cos() + 1.0 - self.rod * self.rod);
        phi[1] = q[0] - self.omega * t;
    }

    fn velocity_residuals(&self, at: StateView, psi: &mut [f64]) {
        let StateView { q, v, .. } = at;
        let [g, _] = self.rows(q);
        psi[0] = g[0] * v[0] + g[1] * v[1];
        psi[1] = v[0] - self.omega;
    }
}

/// Follows a slider to given times, on the branch x > 0; calls `check` with the state and the accelerations.
fn follow(
    slider: &Slider,
    times: &[f64],
    mut check: impl FnMut(&State<Slider>, &[f64]),
) -> Result<Statistics, Obstacle> {
    let (mut state, mut work) = (State::new(slider), [0.0; 16]);
    let mut tracker = Tracker::new(slider, &mut work);
    tracker.start(slider, &mut state, &mut zero_inputs).unwrap();
    for t in times {
        tracker.advance_to(slider, &mut state, *t, &mut zero_inputs)?;
        check(&state, tracker.accelerations());
    }
    Ok(tracker.statistics())
}

#[test]
fn slider_follows_the_closed_form_on_any_grid() {
    for (rod, omega) in [(3.0, TAU), (1.001, TAU), (1.2, -TAU)] {
        let slider = Slider { omega, rod };
        for count in [360, 72, 24, 12, 5] {
            let times: Vec<f64> = (0..=2 * count).map(|k| f64::from(k) / f64::from(count)).collect();
            let statistics = follow(&slider, &times, |state, a| {
                let (s, c) = (omega * state.t).sin_cos();
                let root = (rod * rod - s * s).sqrt();
                let x = c + root;
                let v = -omega * s * (1.0 + c / root);
                let r = omega * omega * (-c - (c * c - s * s) / root - (s * c / root).powi(2) / root);
                // Rows are satisfied to 1e-13; the root, down to 0.04, is a divisor of positions once, of accelerations in the fifth power.
                assert!((state.q[1] - x).abs() < 1e-11, "rod {rod}, {count} rows, t = {}: {:?}", state.t, state.q);
                assert!((state.v[1] - v).abs() < 1e-8 && (a[1] - r).abs() < 1e-4, "{:?}: {a:?}", state.v);
            });
            println!("rod {rod}, {count} rows per revolution: {:?}", statistics.unwrap());
        }
    }
}

#[test]
fn slider_that_is_too_short_locks_where_the_rod_is_vertical() {
    // sin φ = ℓ.
    let slider = Slider { omega: 1.0, rod: 0.8 };
    let expected = 0.8_f64.asin();
    for end in [1.0, 2.0, 3.0] {
        let obstacle = follow(&slider, &[end], |_, _| ()).unwrap_err();
        println!("{obstacle:?}");
        assert!((obstacle.from - expected).abs() < 1e-8 && obstacle.to > obstacle.from);
        assert!(matches!(obstacle.error, Error::NotAssembled { row: 0, .. }), "{obstacle:?}");
    }
}

#[test]
fn motion_is_followed_backwards_to_its_start() {
    let slider = Slider { omega: TAU, rod: 1.05 };
    let (mut state, mut work) = (State::new(&slider), [0.0; 16]);
    let mut tracker = Tracker::new(&slider, &mut work);
    tracker.start(&slider, &mut state, &mut zero_inputs).unwrap();
    let start = state.clone();
    tracker.advance_to(&slider, &mut state, 0.9, &mut zero_inputs).unwrap();
    tracker.advance_to(&slider, &mut state, 0.0, &mut zero_inputs).unwrap();
    assert!((state.q[1] - start.q[1]).abs() < 1e-13 && (state.v[1] - start.v[1]).abs() < 1e-11);
}

#[test]
fn a_prescribed_speed_on_a_circle_is_followed() {
    let lap = Lap { speed: 2.0 };
    let (mut state, mut work) = (State::new(&lap), [0.0; 16]);
    let mut tracker = Tracker::new(&lap, &mut work);
    tracker.start(&lap, &mut state, &mut zero_inputs).unwrap();
    // Velocities have errors of 64 roundings.
    assert!(state.v[0].abs() < 1e-13 && (state.v[1] - 2.0).abs() < 1e-13, "{state:?}");
    for k in 1..=60 {
        let t = 0.1 * f64::from(k);
        tracker.advance_to(&lap, &mut state, t, &mut zero_inputs).unwrap();
        // No row prescribes the position on the circle, which has the error of the predictions; all else is prescribed.
        let (q, v) = (state.q, state.v);
        assert!((q[0].hypot(q[1]) - 1.0).abs() < 1e-13, "{state:?} at {t}");
        assert!((v[0] + 2.0 * q[1]).abs() < 1e-12 && (v[1] - 2.0 * q[0]).abs() < 1e-12, "{state:?} at {t}");
        let a = tracker.accelerations();
        assert!((a[0] + 4.0 * q[0]).abs() < 1e-11 && (a[1] + 4.0 * q[1]).abs() < 1e-11, "{a:?} at {t}");
    }
}

#[test]
fn work_space_that_is_too_small_is_an_error() {
    let slider = Slider { omega: 1.0, rod: 3.0 };
    let mut work = [0.0; 15];
    let refused = Tracker::new(&slider, &mut work).start(&slider, &mut State::new(&slider), &mut zero_inputs);
    assert_eq!(refused, Err(Error::Size { expected: 16, found: 15 }));
}

#[test]
fn times_that_are_not_finite_are_errors() {
    let slider = Slider { omega: 1.0, rod: 3.0 };
    let obstacle = follow(&slider, &[f64::NAN], |_, _| ()).unwrap_err();
    assert!(matches!(obstacle.error, Error::NotFinite { .. }));
}

#[test]
fn bead_without_forces_does_not_move_on_its_wire() {
    // The least velocity has no component parallel to the wire, so that the distance is constant; the least acceleration is perpendicular to it.
    let bead = Bead { omega: 2.0 };
    assert_eq!(bead.sizes().freedoms_left(), 1);
    let (mut state, mut work) = (State::new(&bead), [0.0; 16]);
    let mut tracker = Tracker::new(&bead, &mut work);
    tracker.start(&bead, &mut state, &mut zero_inputs).unwrap();
    // The point of the wire nearest to the guess (1.1, 0.2).
    assert!((state.q[0] - 1.1).abs() < 1e-15 && state.q[1].abs() < 1e-15);
    for k in 1..=100 {
        tracker.advance_to(&bead, &mut state, 0.01 * f64::from(k), &mut zero_inputs).unwrap();
        let (s, c) = (2.0 * state.t).sin_cos();
        let [along, rate] = [state.q, state.v].map(|p| c * p[0] + s * p[1]);
        let a = tracker.accelerations();
        // The path is that of the least velocities to second order in steps of 0.02 rad, for 2 rad.
        assert!((along - 1.1).abs() < 1e-4 && rate.abs() < 1e-14, "{along} {rate}");
        assert!((c * a[0] + s * a[1]).abs() < 1e-13, "{a:?}");
    }
}

#[test]
fn motion_without_degrees_of_freedom_needs_no_masses() {
    let m = Guided { x: 0.0 };
    let (mut state, mut work) = (State::new(&m), MotionWork::new(&m));
    assert_eq!(m.sizes().freedoms_left(), 0);
    project_positions(&m, &mut state, &mut work.projection).unwrap();
    least_velocities(&m, &mut state, &mut work).unwrap();
    assert!(state.v.iter().all(|v| v.abs() < 1e-15));
    let (mut a, mut lambda) = ([1.0; 2], [1.0; 2]);
    least_accelerations(&m, state.view(&[]), &mut a, &mut lambda, &mut work).unwrap();
    assert!(a.iter().all(|a| a.abs() < 1e-15));
}

#[test]
fn revolutions_of_a_slider_take_few_evaluations() {
    let slider = Slider { omega: TAU, rod: 3.0 };
    let times: Vec<f64> = (0..=360).map(|k| f64::from(k) / 360.0).collect();
    let statistics = follow(&slider, &times, |_, _| ()).unwrap();
    assert_eq!((statistics.accepted, statistics.rejected), (360, 0));
}
