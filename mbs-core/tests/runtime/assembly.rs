//! Assembly from rough guesses, with and without imposed conditions.

use mbs_core::*;

use crate::models::bead::Bead;
use crate::models::gimbal::Gimbal;
use crate::models::guided::{Guided, POSITION};
use crate::models::pendulum::{InitialValue, Pendulum};
use crate::models::violations;

fn pendulum(guess: [f64; 4], initial: &[InitialValue]) -> Pendulum {
    Pendulum { guess, initial: initial.to_vec(), ..Pendulum::default() }
}

fn assembled(m: &Pendulum) -> State<Pendulum> {
    let mut state = State::new(m);
    let report = assemble(m, &mut state).unwrap();
    println!("{report:?}");
    let (phi, psi) = violations(m, &state);
    assert!(phi < 4e-15 && psi < 4e-15, "{phi:e} {psi:e}");
    assert!(report.position_residual < 1e-14 && report.velocity_residual < 1e-14);
    state
}

#[test]
fn a_rough_guess_goes_to_the_nearest_pose() {
    let state = assembled(&pendulum([2.0, -1.0, 1.0, 1.0], &[]));
    let scale = 1.5 / 5.0_f64.sqrt();
    assert!((state.q[0] - 2.0 * scale).abs() < 1e-14 && (state.q[1] + scale).abs() < 1e-14);
}

#[test]
fn an_assembled_guess_does_not_change() {
    let m = pendulum([1.5, 0.0, 0.0, 2.0], &[]);
    let mut state = State::<Pendulum>::new(&m);
    let report = assemble(&m, &mut state).unwrap();
    assert_eq!(report, Report::default());
    assert_eq!((state.q, state.v), ([1.5, 0.0], [0.0, 2.0]));
}

#[test]
fn imposed_conditions_are_satisfied_exactly_on_the_declared_branch() {
    let exact = (1.5_f64 * 1.5 - 0.81).sqrt();
    for sign in [1.0, -1.0] {
        let state =
            assembled(&pendulum([1.5, 0.4 * sign, 1.0, 0.0], &[InitialValue::X(0.9), InitialValue::SpeedX(2.0)]));
        assert!((state.q[0] - 0.9).abs() < 1e-15 && (state.q[1] - sign * exact).abs() < 1e-14);
        assert!((state.v[0] - 2.0).abs() < 1e-14);
        assert!((state.v[1] + 2.0 * 0.9 / (sign * exact)).abs() < 1e-14);
    }
}

#[test]
fn conditions_implied_by_the_rows_are_accepted() {
    let initial = [
        InitialValue::SquaredLength(2.25),
        InitialValue::X(0.9),
        InitialValue::Radial(0.0),
        InitialValue::SpeedX(1.0),
        InitialValue::Y(-1.2),
    ];
    for guess in [[1.5, -0.4, 0.0, 0.0], [0.9, -1.2, 1.0, 1.0], [0.3, -3.0, 1.0, 5.0]] {
        let state = assembled(&pendulum(guess, &initial));
        assert!((state.q[0] - 0.9).abs() < 1e-14 && (state.q[1] + 1.2).abs() < 1e-14);
        assert!((state.v[0] - 1.0).abs() < 1e-14 && (state.v[1] - 0.75).abs() < 1e-14);
    }
    let state = assembled(&pendulum([1.0, -1.0, 0.0, 0.0], &[InitialValue::SquaredLength(2.25)]));
    assert!((state.q[0] + state.q[1]).abs() < 1e-14);
}

#[test]
fn a_mechanism_without_freedom_accepts_only_consistent_conditions() {
    let m = Guided { x: POSITION[0] };
    let mut state = State::new(&m);
    assemble(&m, &mut state).unwrap();
    assert!((0..2).all(|i| (state.q[i] - POSITION[i]).abs() < 1e-15 && state.v[i].abs() < 1e-15), "{state:?}");

    let m = Guided { x: 0.5 };
    let result = assemble(&m, &mut State::new(&m));
    assert!(matches!(result, Err(Error::NotAssembled { row: 2, .. })), "{result:?}");
}

#[test]
fn contradictions_name_the_worst_row() {
    // No point with x = 4 is on a circle of radius 1.5.
    let m = pendulum([1.5, -0.4, 0.0, 0.0], &[InitialValue::X(4.0)]);
    let result = assemble(&m, &mut State::<Pendulum>::new(&m));
    match result {
        Err(Error::NotAssembled { row, residual, iterations, t }) => {
            println!("row {row} misses by {residual}");
            assert!(row <= 1 && residual > 0.1 && iterations == 50 && t == 0.0);
        }
        other => panic!("{other:?}"),
    }
    // The length of the rod is a row; a condition that contradicts it has the largest residual, at index n_c + 0.
    let m = pendulum([1.5, -0.4, 0.0, 0.0], &[InitialValue::SquaredLength(3.0)]);
    let result = assemble(&m, &mut State::<Pendulum>::new(&m));
    assert!(matches!(result, Err(Error::NotAssembled { .. })), "{result:?}");
    let m = pendulum([1.5, -0.4, 0.0, 0.0], &[InitialValue::Radial(3.0)]);
    let result = assemble(&m, &mut State::<Pendulum>::new(&m));
    assert!(matches!(result, Err(Error::NotAssembled { row: 1, .. })), "{result:?}");
}

#[test]
fn a_rheonomic_row_is_assembled_at_the_time_of_the_state() {
    let m = Bead { omega: 1.2 };
    let mut state = State::new(&m);
    state.t = 0.7;
    assemble(&m, &mut state).unwrap();
    let (phi, psi) = violations(&m, &state);
    assert!(phi < 1e-15 && psi < 1e-15);
    // The velocity perpendicular to the wire is ω r.
    let r = (state.q[0] * state.q[0] + state.q[1] * state.q[1]).sqrt();
    let across = -state.v[0] * (1.2_f64 * 0.7).sin() + state.v[1] * (1.2_f64 * 0.7).cos();
    assert!((across - 1.2 * r).abs() < 1e-14);
}

#[test]
fn quaternions_assemble_in_the_directions_of_speeds() {
    // n_q = 4, n_v = 3: a displacement δ in the space of speeds moves q by N(q) δ.
    let m = Gimbal { tilt: 0.7, guess: [0.9, 0.4, -0.2, 0.3] };
    let mut state = State::new(&m);
    let report = assemble(&m, &mut state).unwrap();
    let (phi, psi) = violations(&m, &state);
    assert!(phi < 1e-15 && psi < 1e-15, "{phi:e} {psi:e}");
    // Newton's method doubles the number of correct digits, from an error of 0.1 rad.
    assert!(report.position_iterations <= 6, "{report:?}");
    assert!((state.q.iter().map(|e| e * e).sum::<f64>() - 1.0).abs() < 4e-16);
}

#[test]
fn a_guess_that_is_not_normalised_is_normalised_first() {
    // This quaternion has the norm 2, and satisfies the row by its formula: n_z = |e|² cos β' = cos 0.7.
    let half = 0.5 * (0.25 * 0.7_f64.cos()).acos();
    let m = Gimbal { tilt: 0.7, guess: [2.0 * half.cos(), 2.0 * half.sin(), 0.0, 0.0] };
    let mut state = State::new(&m);
    assert!(violations(&m, &state).0 < 1e-15);
    assemble(&m, &mut state).unwrap();
    assert!(violations(&m, &state).0 < 1e-15, "{state:?}");

    let (mut state, mut work) = (State::new(&m), Projection::new(&m));
    work.iterations = 50;
    project_positions(&m, &mut state, &mut work).unwrap();
    assert!((state.q.iter().map(|e| e * e).sum::<f64>() - 1.0).abs() < 4e-16);
    let mut phi = [0.0];
    m.position_residuals(state.view(&[]), &mut phi);
    assert!(phi[0].abs() < 1e-15, "{phi:?}");
}

#[test]
fn single_precision_assembles() {
    let m = pendulum([2.0, -1.0, 1.0, 1.0], &[InitialValue::X(0.9)]);
    let mut state = State::<Pendulum, f32>::new(&m);
    assemble(&m, &mut state).unwrap();
    assert!((state.q[0] - 0.9).abs() < 1e-5 && (state.q[1] + 1.2).abs() < 1e-5);
}
