//! Gears on carriers: Willis' equation, reaction torques and power, accelerations, and tooth forces.

use super::{assert_near, at_start};
use crate::tier::{by_tier, is_in_turn};

/// Tolerance of sums of some ten terms, and of rows with a condition number of a hundred.
const NEAR: f64 = 1e-11;

const SUN: f64 = 24.0;
const RING: f64 = 66.0;
const PLANET: f64 = 21.0;
const MODULE: f64 = 0.003;
const ARM: f64 = MODULE * (SUN + PLANET) / 2.0;

/// Inertias of sun, ring, carrier and planet, and the mass of a planet, as the part has them.
const J_S: f64 = 2e-4;
const J_R: f64 = 6e-3;
const J_C: f64 = 2e-3;
const J_P: f64 = 6e-5;
const M_P: f64 = 0.2;

/// A planetary set in the plane, in space about z, or in space about a tilted axis.
fn set(space: &str, planets: usize, rest: &str) -> String {
    let parts = include_str!("../../../mechanisms/parts/planetary.mbs");
    let part = if space == "plane" { "planetary" } else { "planetary_in_space" };
    let (word, axle) = match space {
        "plane" => ("planar", "ground at [0.1, 0.2]"),
        "space" => ("spatial", "ground at [0.1, 0.2, 0.3]"),
        _ => ("spatial", "ground at [0.1, 0.2, 0.3] { z: [1, 0.5, 0.3] }"),
    };
    format!(
        "{parts}
        pub {word} Set {{
            redundant: resolve;
            marker axle = {axle};
            part set = {part}(axle, {SUN}, {RING}) {{ planets: {planets} }};
            output sun = set.sun_bearing.rate;
            output ring = set.ring_bearing.rate;
            output carrier = set.carrier_bearing.rate;
            output sun_acceleration = set.sun_bearing.acceleration;
            output ring_acceleration = set.ring_bearing.acceleration;
            output carrier_acceleration = set.carrier_bearing.acceleration;
            {rest}
        }}"
    )
}

/// (ω_s − ω_c)/(ω_r − ω_c) = −z_r/z_s for all speeds; torques accelerate sun and carrier as Lagrange's equations of these two say, with
/// ω_r = ω_c (1 + z_s/z_r) − ω_s z_s/z_r and ω_p = ω_c (1 + z_s/z_p) − ω_s z_s/z_p.
#[test]
fn planetary_sets_obey_willis() {
    let torques = [0.7, -1.1, 0.4];
    for &(space, planets) in
        by_tier(&[("plane", 3), ("space", 1)][..], &[("plane", 1), ("plane", 3), ("space", 2), ("tilted", 1)])
    {
        let rest = format!(
            "freedoms: 2;
            initial set.sun_bearing.rate = 31, set.ring_bearing.rate = -4.5, set.carrier_bearing.angle = 0.7;
            force on_sun = mobility(set.sun_bearing) {{ value: {} }};
            force on_ring = mobility(set.ring_bearing) {{ value: {} }};
            force on_carrier = mobility(set.carrier_bearing) {{ value: {} }};",
            torques[0], torques[1], torques[2]
        );
        // Speeds as multiples of (ω_s, ω_c).
        let (sun, carrier) = ([1.0, 0.0], [0.0, 1.0]);
        let [ring, planet] = [RING, PLANET].map(|teeth| [-SUN / teeth, 1.0 + SUN / teeth]);
        let n = planets as f64;
        let terms = [(J_S, sun), (J_R, ring), (J_C + n * M_P * ARM * ARM, carrier), (n * J_P, planet)];
        let m = |i: usize, k: usize| terms.iter().map(|(j, c)| j * c[i] * c[k]).sum::<f64>();
        let q = |i: usize| [sun, ring, carrier].iter().zip(torques).map(|(c, torque)| torque * c[i]).sum::<f64>();
        let determinant = m(0, 0) * m(1, 1) - m(0, 1) * m(0, 1);
        let sun_acceleration = (m(1, 1) * q(0) - m(0, 1) * q(1)) / determinant;
        let carrier_acceleration = (m(0, 0) * q(1) - m(0, 1) * q(0)) / determinant;
        for (case, results) in at_start(&set(space, planets, &rest)) {
            let case = format!("{space}, {planets} planets, {case}");
            let [sun, ring, carrier] = ["sun", "ring", "carrier"].map(|name| results.output(name));
            assert_near(&case, "the sun's rate", sun, 31.0, NEAR);
            assert_near(&case, "Willis' ratio", (sun - carrier) / (ring - carrier), -RING / SUN, NEAR);
            assert_near(&case, "α of the sun", results.output("sun_acceleration"), sun_acceleration, NEAR);
            assert_near(&case, "α of the carrier", results.output("carrier_acceleration"), carrier_acceleration, NEAR);
            let ring_acceleration = ring_of(sun_acceleration, carrier_acceleration);
            assert_near(&case, "α of the ring", results.output("ring_acceleration"), ring_acceleration, NEAR);
        }
    }
}

fn ring_of(sun: f64, carrier: f64) -> f64 {
    carrier * (1.0 + SUN / RING) - sun * SUN / RING
}

/// One of three members is fixed, one driven, one loaded: ratios, and torques whose sum and power are zero.
#[test]
fn sets_with_a_fixed_member_have_their_ratios_and_torques() {
    // The fixed, the driven and the loaded member, and the ratio of the driven speed to the loaded one.
    let cases = [
        ("ring", "sun", "carrier", 1.0 + RING / SUN),
        ("carrier", "sun", "ring", -RING / SUN),
        ("sun", "ring", "carrier", 1.0 + SUN / RING),
    ];
    for (fixed, driven, loaded, ratio) in cases {
        for (k, space) in ["plane", "space"].into_iter().enumerate() {
            if !is_in_turn(fixed, k, 2) {
                continue;
            }
            let rest = format!(
                "freedoms: 1;
                constraint hold = set.{fixed}_bearing.angle == 0;
                drive turn = set.{driven}_bearing.angle == 50 * t;
                force brake = mobility(set.{loaded}_bearing) {{ value: -8 }};
                output holding = load(hold);
                output driving = load(turn);"
            );
            for (case, results) in at_start(&set(space, 1, &rest)) {
                let case = format!("{fixed} fixed, {space}, {case}");
                assert_near(&case, "the ratio", results.output(driven) / results.output(loaded), ratio, NEAR);
                let driving = 8.0 / ratio;
                assert_near(&case, "the driving torque", results.output("driving"), driving, NEAR);
                assert_near(&case, "the holding torque", results.output("holding"), 8.0 - driving, NEAR);
            }
        }
    }
}

/// The sun is driven with T and the ring fixed: tooth forces F = T/r_s act perpendicular to the line of centres on the sun, on both sides of the
/// planet, whose pin exerts 2 F and the centripetal force, and on the ring; bearings exert the opposite forces.
#[test]
fn teeth_press_on_axles() {
    for space in ["plane", "space"] {
        let rest = "freedoms: 1;
            constraint hold = set.ring_bearing.angle == 0;
            drive turn = set.sun_bearing.angle == 50 * t;
            force brake = mobility(set.carrier_bearing) { value: -8 };
            output driving = load(turn);";
        for (case, results) in at_start(&set(space, 1, rest)) {
            let case = format!("{space}, {case}");
            let radius = MODULE * SUN / 2.0;
            let force = results.output("driving") / radius;
            let rate = 50.0 / (1.0 + RING / SUN);
            let centripetal = M_P * ARM * rate * rate;
            let expected = [
                ("set.inner[0]", [0.0, -force]),
                ("set.outer[0]", [0.0, -force]),
                ("set.pin[0]", [-centripetal, -2.0 * force]),
                ("set.sun_bearing", [0.0, force]),
                ("set.ring_bearing", [0.0, force]),
                ("set.carrier_bearing", [-centripetal, -2.0 * force]),
            ];
            for (name, [x, y]) in expected {
                let reaction = results.reaction(name);
                assert_near(&case, &format!("x of {name}"), reaction.force[0], x, NEAR);
                assert_near(&case, &format!("y of {name}"), reaction.force[1], y, NEAR);
            }
            let moment = results.reaction("set.inner[0]").torque[2];
            assert_near(&case, "the moment on the sun", moment, -results.output("driving"), NEAR);
        }
    }
}

/// `gear_pair` with ground as the carrier: the bearing reactions are the tooth force of the reference.
#[test]
fn a_gear_pair_on_ground_has_the_reference_tooth_force() {
    let path = format!("{}/reference/gear_pair.json", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(path).expect("it is there");
    let case: serde_json::Value = serde_json::from_str(&text).expect("it is JSON");
    let number = |value: &serde_json::Value| value.as_f64().expect("a number");
    let [z1, z2, r1, r2, i1, i2, t1, t2] =
        ["z1", "z2", "r1", "r2", "I1", "I2", "T1", "T2"].map(|name| number(&case["parameters"][name]));
    let text = format!(
        "pub planar Pair {{
            body pinion {{ inertia: {i1} }}
            body wheel  {{ inertia: {i2} }}
            joint pinion_shaft = revolute(ground, pinion);
            joint wheel_shaft  = revolute(ground at [{}, 0], wheel);
            joint mesh = gear(wheel_shaft, pinion_shaft) {{ ratio: -{z1} / {z2}, carrier: ground }};
            force drive = torque(ground, pinion) {{ torque: {t1} }};
            force brake = torque(ground, wheel) {{ torque: {t2} }};
            initial pinion_shaft.rate = {};
            output acceleration1 = pinion_shaft.acceleration;
            output acceleration2 = wheel_shaft.acceleration;
            output mesh_load = load(mesh);
        }}",
        r1 + r2,
        number(&case["initial_conditions"]["omega1"])
    );
    let reference = &case["reference"];
    let force = number(&reference["tooth_force"]);
    for (how, results) in at_start(&text) {
        assert_near(&how, "α₁", results.output("acceleration1"), number(&reference["alpha1"]), NEAR);
        assert_near(&how, "α₂", results.output("acceleration2"), number(&reference["alpha2"]), NEAR);
        assert_near(&how, "the load", results.output("mesh_load"), -force * r2, NEAR);
        // The teeth of the wheel push the pinion down, and those of the pinion push the wheel up.
        let [pinion, wheel] = ["pinion_shaft", "wheel_shaft"].map(|name| results.reaction(name).force);
        assert_near(&how, "the pinion's bearing", pinion[1], force, NEAR);
        assert_near(&how, "the wheel's bearing", wheel[1], -force, NEAR);
        assert_near(&how, "along the line of centres", pinion[0].abs() + wheel[0].abs(), 0.0, NEAR);
        assert_near(&how, "the mesh", results.reaction("mesh").force[1], -force, NEAR);
    }
}

/// A compound train with stepped planets, (ω_s − ω_c)/(ω_r − ω_c) = −z_p z_r/(z_s z_q), on a carrier that swings in gravity: its motion is
/// that of a train whose meshes are couplings of angles without tooth forces. The tolerance is 1e-9, as rows are assembled to 1e-10.
#[test]
fn trains_move_as_couplings_of_angles_do() {
    let text = |meshes: &str| {
        format!(
            "pub planar Train {{
                gravity: [0, -9.81];
                body carrier {{ mass: 0.5, inertia: 0.01, com: [0.03, 0.01], angle: 0.3 }}
                body sun {{ mass: 0.2, inertia: 1e-3 }}
                body step {{ mass: 0.3, inertia: 4e-4, com: [0.002, 0.001] }}
                body ring {{ mass: 0.6, inertia: 5e-3 }}
                joint arm = revolute(ground at [0.5, 0], carrier);
                joint axle = revolute(ground at [0.5, 0], sun);
                joint rim = revolute(carrier, ring);
                joint pin = revolute(carrier at [0, 0.09], step);
                {meshes}
                initial arm.rate = 3, axle.rate = -20, pin.angle = 0.4;
                output rates = [arm.rate, axle.rate, rim.rate + arm.rate, pin.rate];
                output a = arm.acceleration;
                output b = axle.acceleration;
                output c = rim.acceleration;
                output d = pin.acceleration;
                freedoms: 2;
            }}"
        )
    };
    let gears = "joint first = gear(pin, axle) { ratio: -40 / 20, offset: 0.4, carrier: arm };
                 joint second = gear(pin, rim) { ratio: 75 / 15, offset: 0.2, carrier: arm };";
    let couplings = "coupling first = pin.angle == -2 * (axle.angle - arm.angle) + 0.4;
                     coupling second = pin.angle == 5 * rim.angle + 0.2;";
    for ((case, results), (_, expected)) in at_start(&text(gears)).into_iter().zip(at_start(&text(couplings))) {
        assert_eq!(results.outputs.len(), 8);
        for (name, (x, y)) in results.names.iter().zip(results.outputs.iter().zip(&expected.outputs)) {
            assert_near(&case, name, *x, *y, 1e-9);
        }
        let [carrier, sun, ring] = [0, 1, 2].map(|i| results.outputs[i]);
        assert_near(&case, "Willis' ratio", (sun - carrier) / (ring - carrier), -20.0 * 75.0 / (40.0 * 15.0), 1e-9);
    }
}
