//! Wheels on flat ground and on an incline, with friction regularised by tanh.

use super::{as_number, case, run_everywhere};

fn rows(case: &serde_json::Value) -> Vec<Vec<f64>> {
    let rows = case["reference"]["series"]["rows"].as_array().expect("rows").iter();
    rows.map(|row| row.as_array().expect("a row").iter().map(as_number).collect()).collect()
}

/// A wheel at the depth of static equilibrium, which its load keeps.
fn standing(name: &str, speed: f64, spin: f64) -> (String, Vec<Vec<f64>>) {
    let case = case(name);
    let p = &case["parameters"];
    let [mass, radius, inertia, mu, v0, g] =
        ["mass", "radius", "inertia", "mu", "v0_regularisation", "g"].map(|name| as_number(&p[name]));
    let stiffness: f64 = 1e6;
    let height = radius - (mass * g / stiffness).powf(2.0 / 3.0);
    let text = format!(
        "planar Wheel {{
            gravity: [0, -{g}];
            body wheel {{
                mass: {mass}, inertia: {inertia}, position: [0, {height}], velocity: [{speed}, 0], angle: 0, rate: {}
            }}
            force tyre = plane_contact(ground, wheel) {{ radius: {radius}, stiffness: {stiffness:e}, friction: {mu}, creep: {v0} }};
            output x = position(wheel).x;
            output v = velocity(wheel).x;
            output spin = -rate(wheel);
            output slip = -tyre.slip;
            output drive = load(tyre).force.x;
            output energy = kinetic_energy;
        }}",
        -spin
    );
    (text, rows(&case))
}

fn assert_series(name: &str, (text, rows): (String, Vec<Vec<f64>>), columns: &[(&str, usize)], within: f64) {
    let times: Vec<f64> = rows.iter().map(|row| row[0]).collect();
    for (label, recording) in run_everywhere(&text, &times) {
        let mut worst: f64 = 0.0;
        // Natural coordinates do not count revolutions that an output alone reads.
        let compared = columns.iter().filter(|(output, _)| *output != "turn" || label != "Natural");
        for (output, column) in compared {
            let found = recording.output(output).expect("it is declared");
            let largest = rows.iter().fold(0.0_f64, |most, row| most.max(row[*column].abs()));
            for (found, row) in found.iter().zip(&rows) {
                worst = worst.max((found - row[*column]).abs() / largest);
            }
        }
        println!("{name}, {label}: {worst:.1e}");
        assert!(worst < within, "{name}, {label}: {worst:e}");
    }
}

/// Tolerance relative to the largest value of a column: rounding makes the wheel settle, which changes its load.
const STANDING: f64 = 1e-9;

/// Asserts the series of a wheel with an initial speed and spin, and the speeds at which slip ends.
fn assert_standing(name: &str, speed: f64, spin: f64) {
    let columns = [("slip", 1), ("v", 2), ("spin", 3), ("drive", 4), ("energy", 5), ("x", 6)];
    let (text, rows) = standing(name, speed, spin);
    assert_series(name, (text.clone(), rows), &columns, STANDING);
    // Slip falls by e in 20 ms or less as soon as it is less than v₀, which it is after 0.6 s.
    let case = case(name);
    for (label, recording) in run_everywhere(&text, &[0.0, 2.0]) {
        for (output, key) in [("v", "v_final"), ("spin", "omega_final")] {
            let (found, last) =
                (recording.output(output).expect("it is declared")[1], as_number(&case["reference"][key]));
            assert!((found / last - 1.0).abs() < STANDING, "{name}, {label}, {key}: {found}, not {last}");
        }
    }
}

#[test]
fn spin_up() {
    assert_standing("contact_wheel_spinup_tanh", 0.0, 40.0);
}

#[test]
fn braking() {
    assert_standing("contact_wheel_braking_tanh", 6.0, 0.0);
}

/// The numbers of the case are accurate to 1.2e-6.
#[test]
fn dropped_spinning() {
    let name = "contact_wheel_drop_spinup";
    let case = case(name);
    let text = "planar Wheel {
        gravity: [0, -9.81];
        body wheel { mass: 8, inertia: 0.18, position: [0, 0.3], velocity: [0, 0], angle: 0, rate: -30 }
        force tyre = plane_contact(ground, wheel) { radius: 0.2, stiffness: 8e5, dissipation: 0.2, friction: 0.8, creep: 0.05 };
        output x = position(wheel).x;
        output y = position(wheel).y;
        output turn = -angle(wheel);
        output vx = velocity(wheel).x;
        output vy = velocity(wheel).y;
        output spin = -rate(wheel);
    }";
    let columns = [("x", 1), ("y", 2), ("turn", 3), ("vx", 4), ("vy", 5), ("spin", 6)];
    assert_series(name, (text.to_owned(), rows(&case)), &columns, 1.3e-6);
}

/// If the contact states no friction, that of the marker of one end applies, for bodies and for curves: motions are equal to the last bit.
#[test]
fn contacts_have_the_friction_of_their_markers() {
    let kinds = [
        ["plane_contact(road, wheel) { radius: 0.2", "plane_contact(ground, wheel) { radius: 0.2, friction: grip"],
        ["plane_contact(ground, tread) { radius: 0.2", "plane_contact(ground, wheel) { radius: 0.2, friction: grip"],
        ["curve_contact(line_of_road, rim) {", "curve_contact(line, rim) { friction: grip"],
    ];
    for pair in kinds {
        let texts = pair.map(|tyre| {
            let tyre = format!("{tyre}, stiffness: 1e5, damping: 50 }}").replace("{,", "{");
            format!(
                "planar Wheel {{
                    gravity: [0, -9.81];
                    param grip = 0.4;
                    body wheel {{ mass: 8, inertia: 0.18, position: [0, 0.2], velocity: [0, 0], angle: 0, rate: -30 }}
                    marker road = ground {{ normal: [0, 1], friction: grip }};
                    marker tread = wheel {{ friction: grip }};
                    curve line_of_road on road = line([1, 0]);
                    curve line on ground = line([1, 0]);
                    curve rim on wheel = circle(0.2);
                    force tyre = {tyre};
                    output x = position(wheel).x;
                    output spin = rate(wheel);
                }}"
            )
        });
        for ((label, stated), (_, given)) in
            run_everywhere(&texts[0], &[0.0, 0.2, 0.5]).into_iter().zip(run_everywhere(&texts[1], &[0.0, 0.2, 0.5]))
        {
            for name in ["x", "spin"] {
                let [stated, given] = [&stated, &given].map(|run| run.output(name).expect("it is declared"));
                assert_eq!(stated, given, "{label}, {name}: {}", pair[0]);
            }
            assert!(stated.output("x").expect("it is declared")[2] > 0.1, "{label}: it is driven by friction");
        }
    }
}

/// A body that does not rotate creeps down an incline at v₀ atanh(tan α/μ).
#[test]
fn creep_on_a_slope() {
    let (mu, v0, slope): (f64, f64, f64) = (0.6, 0.02, 0.3);
    let text = format!(
        "planar Slope {{
            gravity: [0, -9.81];
            const slope = {slope};
            marker hill = ground at [0, 0] {{ angle: -slope }};
            body block {{ mass: 3, inertia: 0.1, position: [0, 0.1], velocity: [0, 0], angle: 0, rate: 0 }}
            constraint upright = angle(block) == 0;
            force foot = plane_contact(hill, block) {{ radius: 0.1, stiffness: 1e5, exponent: 1, damping: 900, friction: {mu}, creep: {v0} }};
            output slip = foot.slip;
            output press = foot.normal_force;
        }}"
    );
    let creep = v0 * (slope.tan() / mu).atanh();
    let load = 3.0 * 9.81 * slope.cos();
    for (label, recording) in run_everywhere(&text, &[0.0, 2.0]) {
        let [slip, press] = ["slip", "press"].map(|name| recording.output(name).expect("it is declared")[1]);
        println!("{label}: {:.1e}, {:.1e}", slip / creep - 1.0, press / load - 1.0);
        assert!((slip / creep - 1.0).abs() < 1e-9 && (press / load - 1.0).abs() < 1e-9, "{label}: {slip} {press}");
    }
}

/// A wheel with a torque on a road of given friction: acceleration, slip and friction over load after 1 s and 2 s, in every formulation and by the
/// engine.
fn driven(torque: f64, friction: &str) -> Vec<(String, [[f64; 2]; 4])> {
    let height = RADIUS - (MASS * 9.81 / 1e6_f64).powf(2.0 / 3.0);
    let text = format!(
        "planar Driven {{
            gravity: [0, -9.81];
            function road = step([3, 3.2], [0.8, 0.1]);
            body wheel {{ mass: {MASS}, inertia: {INERTIA}, position: [0, {height}], velocity: [0, 0], angle: 0, rate: 0 }}
            force tyre = plane_contact(ground, wheel) {{ radius: {RADIUS}, stiffness: 1e6, friction: {friction}, creep: {CREEP} }};
            force motor = torque(wheel) {{ torque: {} }};
            output acceleration = acceleration(wheel).x;
            output spinning = -angular_acceleration(wheel);
            output slip = -tyre.slip;
            output used = load(tyre).force.x / tyre.normal_force;
        }}",
        -torque
    );
    let column = |recording: &mbs::Recording, name: &str| {
        let all = recording.output(name).expect("it is declared");
        [all[1], all[2]]
    };
    let names = ["acceleration", "spinning", "slip", "used"];
    let all = run_everywhere(&text, &[0.0, 1.0, 2.0]).into_iter();
    all.map(|(label, recording)| (label, names.map(|name| column(&recording, name)))).collect()
}

const MASS: f64 = 20.0;
const INERTIA: f64 = 0.9;
const RADIUS: f64 = 0.3;
const CREEP: f64 = 0.05;

/// Friction over load in pure rolling: F/(m g) = τ R/(g (I + m R²)).
fn taken(torque: f64) -> f64 {
    torque * RADIUS / (9.81 * (INERTIA + MASS * RADIUS * RADIUS))
}

fn assert_near(quantity: &str, found: f64, expected: f64) {
    assert!((found - expected).abs() <= 1e-8 * expected.abs().max(1.0), "{quantity}: {found} is not {expected}");
}

/// A good road and ice exert the friction of pure rolling, with a slip of v₀ atanh(F/(μ N)), as long as it is below μ N.
#[test]
fn grip_on_a_good_road_and_on_ice() {
    for (torque, friction) in [(30.0, 0.8), (30.0, 0.4), (2.0, 0.05)] {
        for (label, [acceleration, _, slip, used]) in driven(torque, &friction.to_string()) {
            let part = taken(torque);
            assert_near(&label, acceleration[1], 9.81 * part);
            assert_near(&label, used[1], part);
            assert_near(&label, slip[1], CREEP * (part / friction).atanh());
        }
    }
}

/// Torques that require more than μ N spin the wheel: small ones on ice, large ones on a good road.
#[test]
fn burnout_saturates() {
    for (torque, friction) in [(30.0, 0.05), (150.0, 0.8)] {
        for (label, [acceleration, spinning, slip, used]) in driven(torque, &friction.to_string()) {
            let spin = (torque - friction * MASS * 9.81 * RADIUS) / INERTIA;
            assert_near(&label, acceleration[1], friction * 9.81);
            assert_near(&label, spinning[1], spin);
            assert_near(&label, used[1], friction);
            let opening = RADIUS * spin - friction * 9.81;
            assert_near(&label, slip[1] - slip[0], opening);
            assert!(slip[1] > 10.0 * CREEP, "{label}: {slip:?}");
        }
    }
}

/// From a good road onto ice: grip, then a spinning wheel.
#[test]
fn transition_from_a_road_to_ice() {
    for (label, [_, _, slip, used]) in driven(20.0, "road(position(wheel).x)") {
        let part = taken(20.0);
        assert_near(&label, used[0], part);
        assert_near(&label, slip[0], CREEP * (part / 0.8).atanh());
        assert_near(&label, used[1], 0.1);
        assert!(slip[1] > 0.5, "{label}: {slip:?}");
    }
}
