//! Prescribed coordinates: what the compiler makes of them, the engine, and what drives make of the same motion.

mod every_side;

use every_side::{compared, holds, runs};

const PLANE: &str = "
    gravity: [0.3, -9.81];
    param pace = 1.3;
    body cart { mass: 2, inertia: 0.3, com: [0.1, 0.05], position: [0.2, 0], angle: 0 }
    body arm { mass: 1, inertia: 0.2, com: [0.4, 0.1], position: [0.4, 0.1], angle: 0.5 }
    body hand { mass: 0.5, inertia: 0.1, com: [0.05, 0.1], position: [1.2, 0.9], angle: 0.3 }
    joint rail = prismatic(ground, cart) { axis: [0.8, 0.6] };
    joint shoulder = revolute(cart at [0.2, 0.1], arm);
    joint wrist = revolute(hand, arm at [0.8, 0.1]);
    force spring = spring_damper(ground at [1, 1], hand at [-0.1, 0.2]) { stiffness: 20, damping: 0.7, free_length: 0.4 };
    force flexor = torsion_damper(arm, hand) { damping: 0.3 };";

const SPACE: &str = "
    gravity: [0.3, 0.5, -9.81];
    param pace = 1.3;
    body cart { mass: 2, inertia: [0.3, 0.2, 0.4], com: [0.1, 0.05, 0.2], position: [0.2, 0, 0] }
    body arm { mass: 1, inertia: [[0.2, 0.02, 0], [0.02, 0.3, 0.01], [0, 0.01, 0.25]], com: [0.4, 0.1, 0.05], position: [0.4, 0.1, 0] }
    body hand { mass: 0.5, inertia: [0.1, 0.12, 0.15], com: [0.05, 0.1, -0.1], position: [1.2, 0.9, 0.3] }
    joint rail = cylindrical(ground, cart) { axis: [0.8, 0.6, 0] };
    joint shoulder = universal(cart at [0.2, 0.1, 0], arm);
    joint wrist = revolute(hand, arm at [0.8, 0.1, 0]) { axis: [0, 0.6, 0.8] };
    force spring = spring_damper(ground at [1, 1, 0], hand at [-0.1, 0.2, 0]) { stiffness: 20, damping: 0.7, free_length: 0.4 };";

const OUTPUTS: &str = "
    output reach = position(hand); output pace_of_hand = velocity(hand); output jolt = acceleration(hand);
    output bearing = reaction(shoulder).force; output moment = reaction(shoulder).torque;";

/// Both ways, and each by the laws.
fn prescribed(space: &str, items: &str, motions: &[&str]) {
    let text = |word: &str| {
        let motions: String = motions.iter().map(|motion| format!("{word} {motion};")).collect();
        format!("pub {space} Given {{ {items} {motions} }}")
    };
    holds(&text("prescribe"));
    compared(&text("prescribe"), &text("drive"));
}

#[test]
fn one_coordinate_in_the_plane() {
    for motion in [
        "m = shoulder.angle == 0.4 + 0.3 * sin(pace * t)",
        "m = rail.position == 0.1 * t * t",
        "m = wrist.angle == pace * t",
    ] {
        let joint = motion[4..].split('.').next().unwrap();
        let more =
            format!("output effort = load(m); output on = reaction({joint}).force; output of = {joint}.acceleration;");
        let reacts = "output motor = reaction(m, arm).torque;";
        let reacts = if joint == "rail" { "output motor = reaction(m, cart).force;" } else { reacts };
        prescribed("planar", &format!("{PLANE} {OUTPUTS} {more} {reacts}"), &[motion]);
    }
}

#[test]
fn one_coordinate_in_space() {
    let motions = [
        "m = rail.position == 0.1 * t * t",
        "m = rail.angle == 0.4 + 0.3 * sin(pace * t)",
        "m = shoulder.q[0] == 0.2 + pace * t",
        "m = shoulder.q[1] == 0.3 * cos(t)",
        "m = wrist.angle == pace * t",
    ];
    for motion in motions {
        let joint = motion[4..].split('.').next().unwrap();
        let body = if joint == "rail" { "cart" } else { "arm" };
        let more = format!(
            "output effort = load(m); output on = reaction({joint}).torque; output motor = reaction(m, {body}).torque;"
        );
        prescribed("spatial", &format!("{SPACE} {OUTPUTS} {more}"), &[motion]);
    }
}

#[test]
fn several_coordinates_and_all() {
    let three =
        ["a = rail.position == 0.1 * t * t", "b = shoulder.angle == 0.4 + sin(t)", "c = wrist.angle == pace * t"];
    let loads = "output efforts = [load(a), load(b)];";
    prescribed("planar", &format!("{PLANE} {OUTPUTS} {loads}"), &three[..2]);
    prescribed("planar", &format!("{PLANE} {OUTPUTS} {loads}"), &three);
    let space =
        ["a = rail.position == 0.1 * t * t", "b = shoulder.q[1] == 0.4 + sin(t)", "c = wrist.angle == pace * t"];
    prescribed("spatial", &format!("{SPACE} {OUTPUTS} {loads}"), &space);
}

#[test]
fn loops_are_closed_about_what_is_prescribed() {
    let four_bar = "
        gravity: [0, -9.81];
        param pace = 4;
        body crank { mass: 1, inertia: 0.01, com: [0.1, 0], angle: 0.5 }
        body coupler { mass: 2, inertia: 0.1, com: [0.3, 0.05] }
        body rocker { mass: 1.5, inertia: 0.05, com: [0.2, 0] }
        joint shaft = revolute(ground, crank);
        joint pin = revolute(crank at [0.2, 0], coupler);
        joint knee = revolute(coupler at [0.6, 0], rocker at [0.5, 0]);
        joint heel = revolute(ground at [0.7, 0], rocker);
        guess angle(coupler) = 0.5;
        output effort = load(m); output knee_force = reaction(knee).force; output heel_force = reaction(heel).force;";
    let four_bar = four_bar.replace("guess angle(coupler) = 0.5;", "initial angle(coupler) ~ 0.5;");
    prescribed("planar", &four_bar, &["m = shaft.angle == 0.5 + pace * t"]);
}

#[test]
fn kinds_that_a_text_declares() {
    let slide = "
        joint kind Curve(a, b) {
            coordinate way = 0.2; coordinate turn: angle = 0.1;
            pose { rotation: turn + 0.5 * way, translation: [way, 0.3 * sin(2 * way)] }
        }
        gravity: [0.3, -9.81];
        param pace = 1.3;
        body cart { mass: 2, inertia: 0.3, com: [0.1, 0.05] }
        body arm { mass: 1, inertia: 0.2, com: [0.4, 0.1] }
        joint rail = Curve(ground, cart);
        joint shoulder = revolute(cart at [0.2, 0.1], arm);
        force push = mobility(rail.way) { value: -3 * rail.way };
        output effort = load(m); output tip = acceleration(arm at [1, 0]); output on = reaction(rail).force;";
    for motion in ["m = rail.way == 0.2 + 0.3 * sin(pace * t)", "m = rail.turn == pace * t"] {
        prescribed("planar", slide, &[motion]);
    }
}

#[test]
fn a_turntable_throws_a_bead_out() {
    // r̈ = ω² r: r = r₀ cosh ω t; the table is turned by 2 m ω r ṙ.
    let text = "pub planar Turntable {
        particle bead { mass: 0.5, position: [0.1, 0] }
        body table { mass: 1, inertia: 0.2 }
        joint shaft = revolute(ground, table);
        joint groove = prismatic(table, bead) { axis: [1, 0] };
        prescribe turning = shaft.angle == 3 * t;
        output r = groove.position; output torque = load(turning); }";
    let _ = text;
    let text = text.replace(
        "particle bead { mass: 0.5, position: [0.1, 0] }",
        "body bead { mass: 0.5, inertia: 0.01, position: [0.1, 0] }",
    );
    runs(&text, 0.8, |_, t, outputs| {
        let (r, rate) = (0.1 * (3.0 * t).cosh(), 0.3 * (3.0 * t).sinh());
        // Tolerances of 1e-10 per step, some fifty steps.
        assert!((outputs[0] - r).abs() < 1e-8, "{outputs:?} at {t}: {r}");
        assert!((outputs[1] - 2.0 * 0.5 * 3.0 * r * rate).abs() < 1e-7, "{outputs:?} at {t}: {r}");
    });
}

#[test]
fn a_mechanism_may_have_no_coordinate_left() {
    // The load is I φ̈ + m g l cos φ.
    let text = "pub planar Wound {
        gravity: [0, -9.81];
        param pace = 1.3;
        body arm { mass: 2, inertia: 0.2, com: [0.3, 0] }
        joint shoulder = revolute(ground, arm);
        prescribe m = shoulder.angle == 0.4 + 0.3 * sin(pace * t);
        output effort = load(m); }";
    let expected = |t: f64| {
        let (angle, acceleration) = (0.4 + 0.3 * (1.3 * t).sin(), -0.3 * 1.69 * (1.3 * t).sin());
        (0.2 + 2.0 * 0.09) * acceleration + 2.0 * 9.81 * 0.3 * angle.cos()
    };
    runs(text, 1.0, |_, t, outputs| {
        assert!((outputs[0] - expected(t)).abs() < 1e-9, "{outputs:?} at {t}: {}", expected(t));
    });
}
