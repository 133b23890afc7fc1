//! The Magic Formula as friction of wheels: its curve, and braking.

use super::{FINE, run_everywhere_with};
use crate::tier::is_full_tier;

/// The Magic Formula divided by D; Pacejka (2012), § 4.3.
fn magic([b, c, e]: [f64; 3], ratio: f64) -> f64 {
    let x = b * ratio;
    (c * (x - e * (x - x.atan())).atan()).sin()
}

const TYRES: [[f64; 3]; 3] = [[10.0, 1.9, 0.97], [12.0, 1.65, -0.4], [8.0, 1.3, 0.0]];
const MU: f64 = 1.05;
const RADIUS: f64 = 0.3;
const CREEP: f64 = 1e-3;

fn law([b, c, e]: [f64; 3]) -> String {
    format!(
        "radius: {RADIUS}, stiffness: 1e6, friction: {MU}, creep: {CREEP}, slip_stiffness: {b}, slip_shape: {c}, slip_curvature: {e}"
    )
}

/// A wheel on a cart of constant speed is driven with a slip ratio of 2 t − 1: the whole curve from a locked wheel to one with twice the speed, in
/// the plane and in space. The derivative of the curve at zero slip is B C, its greatest value is one.
#[test]
fn the_curve_is_the_magic_formula() {
    let times: Vec<f64> = (0..=80).map(|i| f64::from(i) / 80.0).collect();
    for tyre in TYRES {
        let planar = format!(
            "planar Rig {{
                const v = 12;
                body cart {{ mass: 3, inertia: 0.1, position: [0, {}] }}
                body wheel {{ mass: 1, inertia: 0.1, position: [0, {}] }}
                joint rail = prismatic(ground at [0, {}], cart) {{ axis: [1, 0] }};
                joint hub = revolute(cart, wheel);
                prescribe travel = rail.position == v * t;
                prescribe turn = hub.angle == -v / {RADIUS} * t * t;
                force tyre = plane_contact(ground, wheel) {{ {} }};
                output ratio = tyre.slip_ratio;
                output used = load(tyre).force.x / tyre.normal_force;
            }}",
            RADIUS - 0.01,
            RADIUS - 0.01,
            RADIUS - 0.01,
            law(tyre)
        );
        let spatial = format!(
            "spatial Rig {{
                const v = 12;
                body cart {{ mass: 3, inertia: [0.1, 0.1, 0.1] }}
                body wheel {{ mass: 1, inertia: [0.1, 0.1, 0.1] }}
                joint rail = prismatic(ground at [0, 0, {}], cart) {{ axis: [1, 0, 0] }};
                joint hub = revolute(cart, wheel) {{ axis: [0, 1, 0] }};
                prescribe travel = rail.position == v * t;
                prescribe turn = hub.angle == v / {RADIUS} * t * t;
                force tyre = plane_contact(ground, wheel) {{ {} }};
                output ratio = tyre.slip_ratio;
                output used = load(tyre).force.x / tyre.normal_force;
            }}",
            RADIUS - 0.01,
            law(tyre)
        );
        // The other kinds of contact on equally flat ground, and with B as a parameter.
        let with_kind = |text: &str, kind: &str, items: &str| {
            text.replace("plane_contact(ground, wheel) {", kind)
                .replace("const v = 12;", &format!("const v = 12; {items}"))
        };
        let terrain = "terrain_contact(ground, wheel) { height: flat,";
        let curves = "curve road on ground = line([1, 0]); curve rim on wheel = circle(0.3);";
        let stiffness = format!("slip_stiffness: {}", tyre[0]);
        let mut texts = vec![
            (with_kind(&planar, terrain, "function flat(x) = 0;"), 1.0),
            (with_kind(&planar, "curve_contact(road, rim) {", curves).replace(&format!("radius: {RADIUS},"), ""), 1.0),
            (
                with_kind(&planar, "plane_contact(ground, wheel) {", &format!("param b = {};", tyre[0]))
                    .replace(&stiffness, "slip_stiffness: b"),
                1.0,
            ),
            (with_kind(&spatial, terrain, "function flat(x, y) = 0;"), -1.0),
            (planar, 1.0),
            (spatial, -1.0),
        ];
        // One formula gives the curve of every kind.
        if tyre != TYRES[0] && !is_full_tier() {
            texts.drain(..texts.len() - 2);
        }
        for (text, sign) in texts {
            for (label, recording) in run_everywhere_with(FINE, &text, &times) {
                let [ratio, used] = ["ratio", "used"].map(|name| recording.output(name).expect("it is declared"));
                let mut greatest = 0.0_f64;
                for (i, t) in times.iter().enumerate() {
                    let expected = 2.0 * t - 1.0;
                    let size = if sign < 0.0 { expected.abs() } else { expected };
                    // The regularisation of the slip ratio changes it by v₀²/(2 v²), which the tolerance covers.
                    assert!((ratio[i] - size).abs() < 1e-8, "{label}: {} is not {size}", ratio[i]);
                    let force = MU * magic(tyre, expected);
                    assert!((used[i] - force).abs() < 1e-6, "{label}, {expected}: {} is not {force}", used[i]);
                    greatest = greatest.max(used[i].abs());
                }
                let derivative = (used[41] - used[39]) / (2.0 * 0.025) / MU;
                println!("{tyre:?}, {label}: peak {greatest:.4}, derivative {derivative:.2}");
                assert!(greatest <= MU + 1e-9 && greatest > 0.97 * MU, "{label}: {greatest}");
                let [b, c, e] = tyre;
                // The term of third order in the slip ratio at 0.025.
                let cubic = b * b * b * c * ((e + 1.0) / 3.0 + c * c / 6.0);
                assert!((derivative - b * c).abs() < cubic * 0.025 * 0.025, "{label}: {derivative} is not {}", b * c);
            }
        }
    }
}

const MASS: f64 = 20.0;
const INERTIA: f64 = 0.9;
const SPEED: f64 = 15.0;

/// A wheel at the depth of static equilibrium, at a slip ratio, with a torque.
fn braked(tyre: [f64; 3], ratio: f64, torque: f64, rest: &str) -> String {
    format!(
        "planar Braked {{
            gravity: [0, -9.81];
            body wheel {{
                mass: {MASS}, inertia: {INERTIA}, position: [0, {}], velocity: [{SPEED}, 0], angle: 0, rate: {}
            }}
            force tyre = plane_contact(ground, wheel) {{ {} }};
            force brake = torque(wheel) {{ torque: {torque} }};
            {rest}
            output ratio = tyre.slip_ratio;
            output speed = velocity(wheel).x;
            output way = position(wheel).x;
        }}",
        RADIUS - (MASS * 9.81 / 1e6_f64).powf(2.0 / 3.0),
        -SPEED / RADIUS * (1.0 + ratio),
        law(tyre)
    )
}

/// At a constant slip ratio, V̇ = F/m and ω̇ = (1 + κ) V̇/r: the braking torque for it is known, and the speed decreases linearly.
#[test]
fn brakes_keep_a_slip_ratio() {
    for (tyre, ratio) in [(TYRES[0], -0.05), (TYRES[1], -0.08), (TYRES[2], -0.1)] {
        let force = MU * magic(tyre, ratio) * MASS * 9.81;
        // Angles are counterclockwise: −I ω̇ = τ + r F, with ω = −rate.
        let torque = -RADIUS * force - INERTIA * (1.0 + ratio) * force / (MASS * RADIUS);
        for (label, recording) in run_everywhere_with(FINE, &braked(tyre, ratio, torque, ""), &[0.0, 0.5, 1.0]) {
            let [ratios, speeds] = ["ratio", "speed"].map(|name| recording.output(name).expect("it is declared"));
            let expected = SPEED + force / MASS;
            println!("{label}: {:.1e}, {:.1e}", ratios[2] - ratio, speeds[2] - expected);
            assert!(
                (ratios[2] - ratio).abs() < 1e-6 && (speeds[2] - expected).abs() < 1e-6,
                "{label}: {ratios:?} {speeds:?}"
            );
        }
    }
}

/// A locked wheel is braked by the curve's value at −1, over a distance of v²/(2 a).
#[test]
fn locked_wheels_slide_the_distance_of_the_curve() {
    let tyre = TYRES[1];
    let braking = MU * magic(tyre, 1.0) * 9.81;
    let rest = "constraint locked = rate(wheel) == 0;";
    let time = SPEED / braking;
    for (label, recording) in run_everywhere_with(FINE, &braked(tyre, -1.0, 0.0, rest), &[0.0, 0.9 * time]) {
        let [speed, distance] = ["speed", "way"].map(|name| recording.output(name).expect("it is declared")[1]);
        let expected = [0.1 * SPEED, 0.99 * SPEED * SPEED / (2.0 * braking)];
        println!("{label}: {:.1e}, {:.1e}", speed - expected[0], distance - expected[1]);
        assert!(
            (speed - expected[0]).abs() < 1e-6 && (distance - expected[1]).abs() < 1e-6,
            "{label}: {speed} {distance}"
        );
    }
}
