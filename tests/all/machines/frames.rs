//! Rotating frames against the same mechanism on a driven turntable: accelerations, and positions after a run.

use mbs::{FullMechanism, Integrator, Simulation};
use mbs_model::Formulation;

use super::{FORMULATIONS, Results, assert_near, at_start, by_engine, compiled};

/// Tolerance of sums of some twenty terms of a hundred; rows are assembled to 1e-12, where declared poses are exact.
const NEAR: f64 = 1e-11;

/// Planar items on `base`: an unbalanced double pendulum, a slide on a spring, a free particle, and a loop.
const PLANE: &str = "
    body upper { mass: 2, inertia: 0.3, com: [0.3, 0.1] }
    body lower { mass: 1.2, inertia: 0.2, com: [0.2, -0.05] }
    body block { mass: 0.7, inertia: 0.05, com: [0.02, 0.03] }
    particle fly { mass: 0.4 }
    body left  { mass: 0.5, inertia: 0.02, com: [0, 0.2], position: [2, 0] }
    body right { mass: 0.6, inertia: 0.03, com: [0, 0.2], position: [3, 0] }
    body beam  { mass: 0.8, inertia: 0.09, com: [0.5, 0.1], position: [2, 0.5] }
    joint shoulder = revolute(base at [0.5, -0.2], upper);
    joint elbow = revolute(upper at [0.7, 0], lower);
    joint slide = prismatic(base at [-0.4, 0.3], block) { axis: [0.8, 0.6] };
    joint air = free(base, fly);
    joint a = revolute(base at [2, 0], left);
    joint b = revolute(base at [3, 0], right);
    joint c = revolute(left at [0, 0.5], beam);
    joint d = revolute(right at [0, 0.5], beam at [1, 0]);
    force spring = spring_damper(base at [1, 0], lower at [0.4, 0]) { stiffness: 30, damping: 1, free_length: 0.3 };
    initial shoulder.angle = 0.4, elbow.angle = -0.9, slide.position = 0.2, air.position = [0.3, 0.9];
    initial shoulder.rate = 1.1, elbow.rate = -2, slide.speed = 0.6, air.velocity = [0.5, -0.8], a.rate = 0.7;
    output x0 = shoulder.acceleration; output x1 = elbow.acceleration; output x2 = slide.acceleration;
    output x3 = air.acceleration[0]; output x4 = air.acceleration[1]; output x5 = a.acceleration;
    output y0 = shoulder.angle; output y1 = elbow.angle; output y2 = slide.position; output y3 = air.position.x;
    output y4 = air.position.y; output y5 = a.angle;
    let turn = 1.3 * t + 0.4 * t * t + 0.2 * sin(2 * t);";

/// Spatial items on `base`: as in the plane, with a free rigid body and one that rotates about a point.
const SPACE: &str = "
    body upper { mass: 2, inertia: [[0.3, 0.02, -0.01], [0.02, 0.2, 0.03], [-0.01, 0.03, 0.25]], com: [0.3, 0.1, -0.05] }
    body lower { mass: 1.2, inertia: [0.1, 0.2, 0.15], com: [0.2, -0.05, 0.1] }
    body fly { mass: 0.4, inertia: [[0.03, 0.002, 0.001], [0.002, 0.02, -0.003], [0.001, -0.003, 0.025]], com: [0.1, 0, 0.02] }
    particle stone { mass: 0.3 }
    joint shoulder = spherical(base at [0.5, -0.2, 0.1], upper);
    joint elbow = revolute(upper at [0.7, 0, 0.1], lower) { axis: [0.6, 0, 0.8] };
    joint air = free(base, fly);
    joint fall = free(base, stone);
    force spring = spring_damper(base at [1, 0, 0], lower at [0.4, 0, 0]) { stiffness: 30, damping: 1, free_length: 0.3 };
    initial elbow.angle = -0.9, elbow.rate = -2, shoulder.u = [0.4, 1.2, -0.7];
    initial air.position = [0.2, 0.4, 0.6], air.velocity = [0.5, -0.8, 0.3], air.u = [1.4, -0.6, 2];
    initial fall.position = [-0.3, 0.5, 0.2], fall.velocity = [0.1, 0.4, -0.9];
    output x0 = elbow.acceleration; output x1 = shoulder.angular_acceleration.x; output x2 = shoulder.angular_acceleration.y;
    output x3 = shoulder.angular_acceleration.z; output x4 = air.acceleration.x; output x5 = air.acceleration.y;
    output x6 = air.acceleration.z; output x7 = air.angular_acceleration.x; output x8 = air.angular_acceleration.y;
    output x9 = air.angular_acceleration.z; output z0 = fall.acceleration.x; output z1 = fall.acceleration.y;
    output z2 = fall.acceleration.z;
    output y0 = elbow.angle; output y1 = air.position.x; output y2 = air.position.y; output y3 = air.position.z;
    output y4 = fall.position.x; output y5 = fall.position.z;
    let yaw = 1.3 * t + 0.4 * t * t + 0.2 * sin(2 * t);
    let roll = 0.9 * t - 0.5 * t * t + 0.3 * sin(t);";

/// Texts with the rotating frame, and with the equivalent turntable.
fn plane() -> [String; 2] {
    let frame = "frame: rotating { omega: rate(turn), center: [0.4, 0.7] };";
    let table = "body table { mass: 1, inertia: 1 }
        joint shaft = revolute(ground at [0.4, 0.7], table at [0.4, 0.7]);
        drive motor = shaft.angle == turn;";
    texts("planar", PLANE, frame, table)
}

fn space() -> [String; 2] {
    space_around(SPACE)
}

/// Texts with Ω in the axes of a table that rotates by `yaw` about z and then by `roll` about its x axis.
fn space_around(items: &str) -> [String; 2] {
    let frame = "let yawing = rate(yaw);
        frame: rotating {
            omega: [rate(roll), yawing * sin(roll), yawing * cos(roll)], center: [0.4, 0.7, -0.3],
        };";
    let table = "body fork { mass: 1, inertia: [1, 1, 1] }
        body table { mass: 1, inertia: [1, 1, 1] }
        joint shaft = revolute(ground at [0.4, 0.7, -0.3], fork at [0.4, 0.7, -0.3]);
        joint axle = revolute(fork at [0.4, 0.7, -0.3], table at [0.4, 0.7, -0.3]) { axis: [1, 0, 0] };
        drive motor = shaft.angle == yaw;
        drive rock = axle.angle == roll;";
    texts("spatial", items, frame, table)
}

fn texts(space: &str, items: &str, frame: &str, table: &str) -> [String; 2] {
    [(frame, "ground"), (table, "table")].map(|(around, base)| {
        let items = items.replace("base at", &format!("{base} at")).replace("(base,", &format!("({base},"));
        format!("pub {space} Machine {{ {around} {items} }}")
    })
}

#[test]
fn accelerations_are_those_on_a_turntable() {
    for [frame, table] in [plane(), space()] {
        let expected = at_start(&table);
        for (case, results) in at_start(&frame) {
            for (other, expected) in &expected {
                assert_eq!(results.names, expected.names);
                for (name, (x, y)) in results.names.iter().zip(results.outputs.iter().zip(&expected.outputs)) {
                    assert_near(&format!("{case}, against {other}"), name, *x, *y, NEAR);
                }
            }
        }
    }
}

fn outputs_after<M: FullMechanism>(mechanism: &M, time: f64) -> Vec<f64> {
    let tight = Integrator::DormandPrince { rtol: 1e-11, atol: 1e-12 };
    let recording = Simulation::new(mechanism).integrator(tight).at(&[time]).run().unwrap_or_else(|e| panic!("{e}"));
    let names = (0..mechanism.sizes().n_outputs).map(|i| mechanism.name(mbs::Item::Output(i)).to_string());
    names.map(|name| recording.output(&name).expect("an output")[recording.len() - 1]).collect()
}

/// Outputs after 0.3 s, before the loop folds, from runs at tolerances of 1e-11 agree to 1e-8, as positions are integrated twice.
#[test]
fn motions_are_those_on_a_turntable() {
    for [frame, table] in [plane(), space()] {
        let expected = outputs_after(&by_engine(&table, FORMULATIONS[0]), 0.3);
        let results = outputs_after(&compiled(&frame, FORMULATIONS[0]), 0.3);
        for (i, (x, y)) in results.iter().zip(&expected).enumerate() {
            assert_near(
                if frame.contains("spatial") { "space" } else { "plane" },
                &format!("output {i}"),
                *x,
                *y,
                1e-8,
            );
        }
    }
}

/// Ω stated by an input, with A stated separately, equals Ω with the A that `rate` would give.
#[test]
fn frames_take_their_rates_from_inputs() {
    let text = |frame: &str| {
        format!(
            "pub planar Machine {{
                input turning; {frame}
                body rod {{ mass: 1, inertia: 0.1, com: [0.5, 0] }}
                joint pin = revolute(ground at [0.3, 0], rod);
                output a = pin.acceleration;
            }}"
        )
    };
    let stated = at_start(&text("frame: rotating { omega: turning + 3, alpha: 0.5 };"));
    let derived = at_start(&text("frame: rotating { omega: 3 + 0.5 * t };").replace("input turning;", ""));
    for ((case, x), (_, y)) in stated.iter().zip(&derived) {
        assert_near(case, "α", x.output("a"), y.output("a"), NEAR);
    }
    // Inertia about the pin 0.35, centre of mass at 0.5 from it, 0.8 from the axis: Euler's force alone rotates it.
    let expected = -(0.1 + 0.5 * 0.8) * 0.5 / 0.35;
    assert_near("closed form", "α", derived[0].1.output("a"), expected, NEAR);
}

/// A bar without inertia about its line, suspended in a rotating frame: gyroscopic moments are perpendicular to it.
#[test]
fn bars_have_no_moment_about_their_line() {
    let items = "body rod {
            mass: 0.3, inertia: [0.009, 0.009, 0], com: [0, 0, 0.25], coordinates: natural { points: [[0, 0, 0], [0, 0, 0.6]] },
        }
        joint ball = spherical(base at [0.5, -0.2, 0.1], rod);
        initial velocity(rod at [0, 0, 0.6]) = SPEED;
        let yaw = 1.3 * t + 0.4 * t * t + 0.2 * sin(2 * t);
        let roll = 0.9 * t - 0.5 * t * t + 0.3 * sin(t);
        output x = TIP.x; output y = TIP.y; output z = TIP.z;";
    let [frame, table] = space_around(items);
    let frame = frame.replace("SPEED", "[0.4, -0.7, 0]").replace("TIP", "acceleration(rod at [0, 0, 0.6])");
    // The corresponding velocity on the table, which rotates with (1.2, 0, 1.7) about (0.4, 0.7, -0.3): that and Ω × (p - p_C) = Ω × (0.1, -0.9, 1).
    let table = table
        .replace("SPEED", "[0.4 + 1.53, -0.7 + 0.17 - 1.2, -1.08]")
        .replace("TIP", "rate(rate(position(rod at [0, 0, 0.6]) - position(table) in table))");
    let expected = Results::at_start(&compiled(&table, Formulation::Natural));
    let both = [
        Results::at_start(&compiled(&frame, Formulation::Natural)),
        Results::at_start(&by_engine(&frame, Formulation::Natural)),
    ];
    for (case, results) in ["compiled", "engine"].into_iter().zip(both) {
        for name in ["x", "y", "z"] {
            assert_near(case, name, results.output(name), expected.output(name), 1e-9);
        }
    }
}
