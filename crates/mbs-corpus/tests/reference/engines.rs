//! Forces of an engine on its block.

use std::f64::consts::TAU;

use mbs::{InverseDynamics, Mechanism};

use crate::case::{Case, both};
use crate::prescribed::Prescribed;

/// Angles of a turn that harmonics are taken from: the orders beyond 120, which they cannot tell apart, are below (r/l)¹²⁰.
const ANGLES: usize = 128;

#[test]
fn single_cylinder_shakes_its_block() {
    let case = Case::read("engine_single_cylinder");
    let cylinders = case.value("parameters/cylinders").as_array().expect("a list");
    assert_eq!(cylinders.len(), 1);
    for place in ["z", "phase_rad", "bank_angle_rad"] {
        assert_eq!(cylinders[0][place].as_f64(), Some(0.0), "along x, without an arm");
    }
    // The case balances what rotates: any flywheel will do.
    for flywheel in [1.0, 40.0] {
        both!(engine_single_cylinder::EngineSingleCylinder {
            crank_length: case.parameter("r"), rod_length: case.parameter("l"), omega: case.parameter("omega"),
            oscillating_mass: case.parameter("m_osc"), flywheel_mass: flywheel, flywheel_inertia: 0.005 * flywheel,
        } => single_cylinder(&case));
    }
}

fn single_cylinder<M: Mechanism>(coordinates: &str, mechanism: &M, case: &Case) {
    let mut turn = Prescribed::new(&case.name, coordinates, mechanism, &case.crank_times("reference"));
    let known = |column: &str| case.column("reference", column);
    let exact = case.relative_accuracy();
    let negative = |values: Vec<f64>| -> Vec<f64> { values.into_iter().map(|x| -x).collect() };
    // Fy, and the moments z F of a cylinder at z = 0, are zero: 1e-12 of the wall's force, which the main bearing takes back.
    let wall = turn.column("reaction.cylinder.y").iter().fold(0.0, |m: f64, x| m.max(x.abs()));
    turn.compare("shaking_force.x", exact, &known("Fx"));
    assert!([known("Fy"), known("zFx"), known("zFy")].concat().iter().all(|x| *x == 0.0));
    let across = turn.column("shaking_force.y").iter().fold(0.0, |m: f64, y| m.max(y.abs()));
    turn.bound("shaking_force.y", across, 1e-12 * wall);
    let momentum = negative(turn.column("momentum_rate.x"));
    turn.compare_values("-momentum_rate.x", exact, &known("Fx"), &momentum);
    let inertial: Vec<f64> = turn.column("piston_acceleration").iter().map(|a| -case.parameter("m_osc") * a).collect();
    turn.compare_values("-m_osc x''", exact, &known("Fx"), &inertial);
    compare_orders(&mut turn, mechanism, case);
    turn.finish();
}

/// Harmonics of the shaking force, and of the piston's acceleration over r ω²: 1e-12 of the first.
fn compare_orders<M: Mechanism>(turn: &mut Prescribed, mechanism: &M, case: &Case) {
    let period = TAU / case.parameter("omega");
    let end = period * (ANGLES - 1) as f64 / ANGLES as f64;
    let run = InverseDynamics::new(mechanism).grid(0.0, end, ANGLES).run();
    let cycle = run.unwrap_or_else(|failure| panic!("{failure}"));
    let force = cycle.output("shaking_force.x").expect("it is declared");
    let harmonic = |order: usize, wave: fn(f64) -> f64| -> f64 {
        let angle = |k: usize| TAU * (k * order % ANGLES) as f64 / ANGLES as f64;
        2.0 / ANGLES as f64 * (0..ANGLES).map(|k| force[k] * wave(angle(k))).sum::<f64>()
    };
    let first = case.value("reference/orders/1/force_cos_sin_xy")[0][0].as_f64().expect("a number");
    let series = case.numbers("reference/slider_acceleration_series/A1_A2_A4_A6");
    let scale = case.parameter("m_osc") * case.parameter("r") * case.parameter("omega").powi(2);
    for (order, coefficient) in [1, 2, 4, 6].into_iter().zip(series) {
        let phasors = case.value(&format!("reference/orders/{order}/force_cos_sin_xy"));
        for (part, wave) in [(0, f64::cos as fn(f64) -> f64), (1, f64::sin)] {
            let expected = phasors[0][part].as_f64().expect("a number");
            let name = format!("order {order}, {}", ["cos", "sin"][part]);
            turn.bound(&name, (harmonic(order, wave) - expected).abs(), 1e-12 * first);
        }
        let miss = (-harmonic(order, f64::cos) / scale - coefficient).abs();
        turn.bound(&format!("A{order}"), miss, 1e-12);
    }
}
