//! Belts of `mechanisms/parts/belts.mbs`: torques and accelerations, frequencies, slack spans, ratios, and the power of dampers.

use std::f64::consts::TAU;

use mbs::{FullMechanism, Integrator, Recording, Simulation};

use super::{FORMULATIONS, assert_near, at_start, by_engine, compiled};

const NEAR: f64 = 1e-11;

const R1: f64 = 0.05;
const R2: f64 = 0.12;
const J1: f64 = 2e-3;
const J2: f64 = 9e-3;
const APART: f64 = 0.4;
const STIFFNESS: f64 = 6000.0;

/// Two pulleys on ground in the plane.
fn pulleys(belt: &str, rest: &str) -> String {
    let two = format!(
        "body small {{ inertia: {J1} }}
        body large {{ inertia: {J2} }}
        joint one = revolute(ground, small);
        joint two = revolute(ground at [{APART}, 0], large);
        part round = belt(small, large, {R1}, {R2}, {APART}, {STIFFNESS}) {{ {belt} }};"
    );
    machine("planar", &two, rest)
}

/// Two pulleys on ground in space, about a tilted axis, one higher than the other.
fn pulleys_in_space(belt: &str, rest: &str) -> String {
    let two = format!(
        "marker wall = ground at [0.1, 0.2, 0.3] {{ z: [1, 0.5, 0.3] }};
        marker place = wall at [0, {APART}, 0.05];
        body small {{ inertia: [1e-3, 1e-3, {J1}] }}
        body large {{ inertia: [5e-3, 5e-3, {J2}] }}
        joint one = revolute(wall, small);
        joint two = revolute(place, large);
        part round = belt_in_space(small, large, one, two, {R1}, {R2}, {APART}, {STIFFNESS}) {{ {belt}, mount: wall, lean: PI / 2 }};"
    );
    machine("spatial", &two, rest)
}

fn machine(space: &str, pulleys: &str, rest: &str) -> String {
    let parts = include_str!("../../../mechanisms/parts/belts.mbs");
    format!(
        "{parts}
        pub {space} Belt {{
            {pulleys}
            output a1 = one.acceleration;
            output a2 = two.acceleration;
            output q1 = one.angle;
            output q2 = two.angle;
            output u1 = one.rate;
            output u2 = two.rate;
            output energy = kinetic_energy + potential_energy;
            {rest}
        }}"
    )
}

/// J₁ α₁ = −r₁ (T_l − T_r), J₂ α₂ = ± r₂ (T_l − T_r) with e = ± (r₁ θ₁ ∓ r₂ θ₂): open and crossed, taut, damped, one span slack.
#[test]
fn spans_pull_by_their_stretch() {
    for (sense, tension, damping) in
        [(1.0, 40.0, 0.0), (1.0, 40.0, 30.0), (-1.0, 40.0, 30.0), (1.0, 3.0, 30.0), (-1.0, 0.0, 0.0)]
    {
        let belt = format!("sense: {sense}, tension: {tension}, damping: {damping}");
        let start = "initial one.angle = 0.07, two.angle = 0.02, one.rate = 0.9, two.rate = -0.4;";
        let wound = R1 * 0.07 - sense * R2 * 0.02;
        let rate = R1 * 0.9 + sense * R2 * 0.4;
        let pull = |side: f64| {
            let taut = (tension + STIFFNESS * side * wound).max(0.0);
            if taut > 0.0 { (taut + damping * side * rate).max(0.0) } else { 0.0 }
        };
        let twist = pull(1.0) - pull(-1.0);
        let [plane, space] = [pulleys, pulleys_in_space].map(|text| at_start(&text(&belt, start)));
        for (case, results) in plane.into_iter().chain(space) {
            let case = format!("{belt}, {case}");
            assert_near(&case, "α₁", results.output("a1"), -R1 * twist / J1, NEAR);
            assert_near(&case, "α₂", results.output("a2"), sense * R2 * twist / J2, NEAR);
            assert_near(&case, "the left pull", results.output("round.left_pull"), pull(1.0), NEAR);
            assert_near(&case, "the right pull", results.output("round.right_pull"), pull(-1.0), NEAR);
        }
    }
}

fn run<M: FullMechanism>(mechanism: &M, duration: f64) -> Recording {
    let tight = Integrator::DormandPrince { rtol: 1e-11, atol: 1e-12 };
    let run = Simulation::new(mechanism).integrator(tight).duration(duration).every(duration / 400.0).run();
    run.unwrap_or_else(|e| panic!("{e}"))
}

fn run_everywhere(text: &str, duration: f64) -> Vec<(String, Recording)> {
    let compiled = FORMULATIONS.map(|f| (format!("{f:?}"), run(&compiled(text, f), duration)));
    compiled.into_iter().chain([("engine".to_owned(), run(&by_engine(text, FORMULATIONS[0]), duration))]).collect()
}

/// r₁ θ₁ − r₂ θ₂ oscillates with ω² = 2 k (r₁²/J₁ + r₂²/J₂) while both spans are taut, and with half of that if one of them is slack at any time, as
/// in a belt without tension. The error is 1e-8 of an amplitude of 4 mm after five periods.
#[test]
fn inertias_swing_on_their_belt() {
    for (tension, spans) in [(80.0, 2.0), (0.0, 1.0)] {
        let omega = (spans * STIFFNESS * (R1 * R1 / J1 + R2 * R2 / J2)).sqrt();
        let start = "initial one.angle = 0.08, two.angle = 0, one.rate = 0, two.rate = 0;";
        for (case, recording) in run_everywhere(&pulleys(&format!("tension: {tension}"), start), 5.0 * TAU / omega) {
            let case = format!("tension {tension}, {case}");
            let column = |name: &str| recording.output(name).expect("an output");
            let (mut lowest, energy) = (f64::INFINITY, column("energy"));
            for (row, t) in recording.times().iter().enumerate() {
                let wound = R1 * column("q1")[row] - R2 * column("q2")[row];
                assert_near(&case, &format!("the swing at {t}"), wound / (R1 * 0.08), (omega * t).cos(), 1e-8);
                assert_near(&case, "relative energy", energy[row] / energy[0], 1.0, 1e-9);
                lowest = lowest.min(column("round.left_pull")[row]).min(column("round.right_pull")[row]);
            }
            assert!(lowest >= 0.0, "{case}: {lowest} N");
        }
    }
}

/// The large pulley is braked with 2 N m: after the transient ω₂ = ± ω₁ r₁/r₂, and the tensions of the spans differ by 2 N m/r₂.
#[test]
fn belts_have_the_ratio_of_their_radii() {
    for sense in [1.0, -1.0] {
        let rest = format!(
            "drive motor = one.angle == 30 * t;
            force brake = torque(ground, large) {{ torque: {} }};
            initial two.rate = {};",
            -2.0 * sense,
            30.0 * R1 / R2 * sense
        );
        let text = pulleys(&format!("sense: {sense}, tension: 60, damping: 60"), &rest);
        let recording = run(&compiled(&text, FORMULATIONS[0]), 2.0);
        let last = |name: &str| recording.output(name).expect("an output")[recording.len() - 1];
        assert_near("ratio", "ω₂", last("u2"), sense * 30.0 * R1 / R2, 1e-8);
        assert_near("ratio", "T_l − T_r", last("round.left_pull") - last("round.right_pull"), 2.0 / R2, 1e-7);
    }
}

/// Pulleys on a free, rotating mount: E' = −c (ė_l² + ė_r²), momentum and angular momentum are conserved. The damper's forces, written as wrenches,
/// are along the derivatives of e that determine the power.
#[test]
fn dampers_take_the_power_of_their_spans() {
    let part = include_str!("../../../mechanisms/parts/belts.mbs");
    for sense in [1.0, -1.0] {
        let text = format!(
            "{part}
            pub planar Flying {{
                body mount {{ mass: 0.4, inertia: 0.01, position: [0.1, 0.2], angle: 0.3, rate: 1.5 }}
                body small {{ mass: 0.5, inertia: {J1}, com: [0.01, 0.02], position: [0.02, 0.03], velocity: [0.4, -0.3], angle: 0.02, rate: 2 }}
                body large {{ mass: 0.9, inertia: {J2}, com: [-0.02, 0.01], position: [0.35, 0.24], velocity: [-0.2, 0.5], angle: 0.01, rate: -1 }}
                joint m = free(ground, mount);
                joint s = free(ground, small);
                joint l = free(ground, large);
                part round = belt(small, large, {R1}, {R2}, 0.38, {STIFFNESS}) {{
                    sense: {sense}, tension: 900, damping: 25, mount: mount, lean: 0.2,
                }};
                output power = rate(kinetic_energy + potential_energy);
                output left = rate(round.longer + round.wound);
                output right = rate(round.longer - round.wound);
                output taut = min(round.left_tension, round.right_tension);
                output force = norm(rate(momentum(bodies)));
                output moment = rate(angular_momentum(bodies, ground));
            }}"
        );
        assert_damped(&format!("sense {sense}"), &text);
    }
}

/// The power of dampers in space: bearings on a tumbling mount, and on a slide along it.
#[test]
fn dampers_take_the_power_of_their_spans_in_space() {
    let part = include_str!("../../../mechanisms/parts/belts.mbs");
    for sense in [1.0, -1.0] {
        let text = format!(
            "{part}
            pub spatial Flying {{
                body mount {{ mass: 0.4, inertia: [0.01, 0.02, 0.015], position: [0.1, 0.2, 0.3], velocity: [0.4, -0.3, 0.2], angular_velocity: [0.6, -0.4, 1.5] }}
                body slide {{ mass: 0.3, inertia: [1e-3, 1e-3, 1e-3] }}
                body small {{ mass: 0.5, inertia: [1e-3, 1e-3, {J1}], com: [0.01, 0.02, 0] }}
                body large {{ mass: 0.9, inertia: [5e-3, 5e-3, {J2}], com: [-0.02, 0.01, 0.02] }}
                joint m = free(ground, mount);
                joint rail = prismatic(mount at [0, 0, 0.04], slide) {{ axis: [cos(0.2), sin(0.2), 0] }};
                joint s = revolute(mount at [-0.01, 0.02, 0], small);
                joint l = revolute(slide, large);
                part round = belt_in_space(small, large, s, l, {R1}, {R2}, 0.38, {STIFFNESS}) {{
                    sense: {sense}, tension: 900, damping: 25, mount: mount, lean: 0.2,
                }};
                initial rail.position = 0.37, rail.speed = -0.3, s.angle = 0.02, s.rate = 2, l.angle = 0.01, l.rate = -1;
                output power = rate(kinetic_energy + potential_energy);
                output left = rate(round.longer + round.wound);
                output right = rate(round.longer - round.wound);
                output taut = min(round.left_tension, round.right_tension);
                output force = norm(rate(momentum(bodies)));
                output moment = norm(rate(angular_momentum(bodies, ground)));
            }}"
        );
        assert_damped(&format!("sense {sense} in space"), &text);
    }
}

fn assert_damped(label: &str, text: &str) {
    for (case, results) in at_start(text) {
        let case = format!("{label}, {case}");
        assert!(results.output("taut") > 50.0, "{case}: both spans are taut, {}", results.output("taut"));
        let expected = -25.0 * (results.output("left").powi(2) + results.output("right").powi(2));
        assert!(expected < -0.1, "{case}: {expected}");
        assert_near(&case, "the power", results.output("power"), expected, NEAR);
        assert_near(&case, "the moment", results.output("moment"), 0.0, 1e-10);
        assert_near(&case, "the force", results.output("force"), 0.0, 1e-10);
    }
}
