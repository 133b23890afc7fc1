//! Forces of an engine on its block.

use std::f64::consts::TAU;

use mbs::analysis::{BlockLoads, Cylinder, Harmonics};
use mbs::{FullMechanism, InverseDynamics, Phasor};
use serde_json::Value;

use crate::reference::case::{Case, for_both_formulations};
use crate::reference::prescribed::Prescribed;

/// Number of samples of harmonics per revolution: aliased orders beyond 120 are below (r/l)¹²⁰.
const ANGLES: usize = 128;

#[test]
fn single_cylinder_shakes_its_block() {
    let case = Case::read("engine_single_cylinder");
    let cylinders = case.value("parameters/cylinders").as_array().expect("a list");
    assert_eq!(cylinders.len(), 1);
    for key in ["z", "phase_rad", "bank_angle_rad"] {
        assert_eq!(cylinders[0][key].as_f64(), Some(0.0), "along x, without an arm");
    }
    // The case balances rotating masses: the flywheel is arbitrary.
    for flywheel in [1.0, 40.0] {
        for_both_formulations!(engine_single_cylinder {
            crank_length: case.parameter("r"), rod_length: case.parameter("l"), omega: case.parameter("omega"),
            oscillating_mass: case.parameter("m_osc"), flywheel_mass: flywheel, flywheel_inertia: 0.005 * flywheel,
        } => single_cylinder(&case));
    }
}

fn single_cylinder<M: FullMechanism>(coordinates: &str, mechanism: &M, case: &Case) {
    let mut run = Prescribed::new(&case.name, coordinates, mechanism, &case.crank_times("reference"));
    let known = |column: &str| case.column("reference", column);
    let exact = case.relative_accuracy();
    let negative = |values: Vec<f64>| -> Vec<f64> { values.into_iter().map(|x| -x).collect() };
    // Fy, and the moments z F of a cylinder at z = 0, are zero: 1e-12 of the wall's force, which the main bearing takes back.
    let wall = run.column("reaction.cylinder.y").iter().fold(0.0, |m: f64, x| m.max(x.abs()));
    run.compare("shaking_force.x", exact, &known("Fx"));
    assert!([known("Fy"), known("zFx"), known("zFy")].concat().iter().all(|x| *x == 0.0));
    let across = run.column("shaking_force.y").iter().fold(0.0, |m: f64, y| m.max(y.abs()));
    run.bound("shaking_force.y", across, 1e-12 * wall);
    let momentum = negative(run.column("momentum_rate.x"));
    run.compare_values("-momentum_rate.x", exact, &known("Fx"), &momentum);
    let inertial: Vec<f64> = run.column("piston_acceleration").iter().map(|a| -case.parameter("m_osc") * a).collect();
    run.compare_values("-m_osc x''", exact, &known("Fx"), &inertial);
    compare_orders(&mut run, mechanism, case);
    run.finish();
}

/// Harmonics of the shaking force, and of the piston's acceleration: 1e-12 of the first.
fn compare_orders<M: FullMechanism>(run: &mut Prescribed, mechanism: &M, case: &Case) {
    let loads = block_loads(mechanism, case);
    let first = case.value("reference/orders/1/force_cos_sin_xy")[0][0].as_f64().expect("a number");
    compare_phasors(run, case, "force_cos_sin_xy", [&loads.force[0], &loads.force[1]], 1e-12 * first);
    compare_series(run, case, &loads);
}

/// The piston's acceleration over r ω², from the force of one cylinder.
fn compare_series(run: &mut Prescribed, case: &Case, one: &BlockLoads) {
    let series = case.numbers_at("reference/slider_acceleration_series/A1_A2_A4_A6");
    let scale = case.parameter("m_osc") * case.parameter("r") * case.parameter("omega").powi(2);
    for (order, coefficient) in [1, 2, 4, 6].into_iter().zip(series) {
        let miss = (-one.force[0].order(f64::from(order)).cos / scale - coefficient).abs();
        run.bound(&format!("A{order}"), miss, 1e-12);
    }
}

/// Loads of the cylinder's joints on the block over a revolution.
fn block_loads<M: FullMechanism>(mechanism: &M, case: &Case) -> BlockLoads {
    let run = InverseDynamics::new(mechanism).grid(0.0, TAU / case.parameter("omega"), ANGLES + 1).run();
    let recording = run.unwrap_or_else(|failure| panic!("{failure}"));
    let angles = ["main_bearing.angle", "crank.angle"];
    let cycle = angles.iter().find_map(|angle| recording.cycle(angle).ok()).expect("one of them is a coordinate");
    let loads = BlockLoads::of(&cycle, &["main_bearing", "cylinder"], ANGLES);
    loads.unwrap_or_else(|error| panic!("{error}"))
}

/// Phasors of x and y of the orders that the case lists, in its convention C cos + S sin.
fn compare_phasors(run: &mut Prescribed, case: &Case, list: &str, found: [&Harmonics; 2], bound: f64) {
    for order in [1, 2, 4, 6] {
        let known = case.value(&format!("reference/orders/{order}/{list}"));
        for (axis, harmonics) in found.iter().enumerate() {
            let part = |part: usize| known[axis][part].as_f64().expect("a number");
            let miss = (harmonics.order(f64::from(order)) - Phasor::new(part(0), part(1))).amplitude();
            run.bound(&format!("{list}, {}, order {order}", ["x", "y"][axis]), miss, bound);
        }
    }
}

#[test]
fn cylinders_shake_their_block_together() {
    for name in ["engine_single_cylinder", "engine_inline4", "engine_v6_60"] {
        let case = Case::read(name);
        for_both_formulations!(engine_single_cylinder {
            crank_length: case.parameter("r"), rod_length: case.parameter("l"), omega: case.parameter("omega"),
            oscillating_mass: case.parameter("m_osc"),
        } => several_cylinders(&case));
    }
}

/// The compiled cylinder, superposed with the positions, phases and bank angles of the case.
fn several_cylinders<M: FullMechanism>(coordinates: &str, mechanism: &M, case: &Case) {
    let as_number = |cylinder: &Value, key: &str| cylinder[key].as_f64().expect("a number");
    let cylinders = case.value("parameters/cylinders").as_array().expect("a list").iter().map(|cylinder| Cylinder {
        z: as_number(cylinder, "z"),
        phase: as_number(cylinder, "phase_rad"),
        bank: as_number(cylinder, "bank_angle_rad"),
    });
    let cylinders: Vec<Cylinder> = cylinders.collect();
    let one = block_loads(mechanism, case);
    let engine = one.superposed(&cylinders);
    let mut run = Prescribed::new(&case.name, coordinates, mechanism, &case.crank_times("reference"));
    // The forces of cylinders nearly cancel: 1e-12 of the largest of one, and of its moments about the origin, for each cylinder. The
    // results of the V6 are not more accurate: its columns repeat to 4e-12 N.
    let largest = |values: Vec<f64>| values.iter().fold(0.0, |m: f64, x| m.max(x.abs()));
    let bound = 1e-12 * largest(one.force[0].samples(ANGLES)) * cylinders.len() as f64;
    let arm = largest(cylinders.iter().map(|cylinder| cylinder.z).collect());
    // The case lists Σ z F, of which the couple is ẑ × Σ z F = [−Σ z F_y, Σ z F_x].
    let arms = [engine.moment[1].clone(), engine.moment[0].superposed([(-1.0, 0.0)])];
    let [x, y] = [&engine.force[0], &engine.force[1]];
    for (column, found, bound) in
        [("Fx", x, bound), ("Fy", y, bound), ("zFx", &arms[0], arm * bound), ("zFy", &arms[1], arm * bound)]
    {
        let known = case.column("reference", column);
        let degrees = case.column("reference", "theta_deg");
        let misses = degrees.iter().zip(known).map(|(angle, known)| found.value(angle.to_radians()) - known);
        run.bound(column, largest(misses.collect()), bound);
    }
    compare_phasors(&mut run, case, "force_cos_sin_xy", [x, y], bound);
    compare_phasors(&mut run, case, "zF_cos_sin_xy", [&arms[0], &arms[1]], arm * bound);
    compare_series(&mut run, case, &one);
    run.finish();
}
