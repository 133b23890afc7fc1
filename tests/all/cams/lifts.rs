//! Lift laws against reference cases `cam_harmonic_rise`, `cam_poly345_rise` and closed forms, and a lift over many revolutions.

use std::f64::consts::{PI, TAU};

use mbs_model::Formulation;

use super::{FORMULATIONS, assert_close, case, driven, rows};

/// Lift, speed, acceleration, and acceleration as the rate of a rate, of a follower on a cam of constant speed `omega` \[rad/s\], whose lift is the
/// function `lift` of the cam's angle; a row for each angle \[rad\] from the start.
fn motion(functions: &str, [omega, start]: [f64; 2], formulation: Formulation, angles: &[f64]) -> Vec<Vec<f64>> {
    let text = format!(
        "pub planar Lift {{
            {functions}
            body cam {{ mass: 1, inertia: 0.01 }}
            body follower {{ mass: 0.1, inertia: 1e-4 }}
            joint shaft = revolute(ground, cam);
            joint guide = prismatic(ground, follower) {{ axis: [0, 1] }};
            coupling timing = guide.position == lift(shaft.angle);
            drive turn = shaft.angle == {start:?} + {omega:?} * t;
            output lift_now = guide.position;
            output speed = guide.speed;
            output acceleration = guide.acceleration;
            output twice = rate(rate(lift(shaft.angle)));
        }}"
    );
    let times: Vec<f64> = angles.iter().map(|angle| angle / omega).collect();
    driven(&text, formulation, &times, &["lift_now", "speed", "acceleration", "twice"])
}

/// Tolerance relative to the largest value of a column: the accuracy of the reference cases, some thousand roundings.
const CLOSE: f64 = 1e-12;

/// Rows with the acceleration repeated.
fn doubled(rows: &[[f64; 3]]) -> Vec<Vec<f64>> {
    rows.iter().map(|[y, v, a]| vec![*y, *v, *a, *a]).collect()
}

#[test]
fn rises_are_those_of_the_book() {
    for (name, functions, end) in [
        ("cam_harmonic_rise", "function lift = harmonic([0, 2 * PI / 3], [0, 0.02]);", 120.0),
        ("cam_poly345_rise", "function lift = polynomial_345([0, 5 * PI / 9], [0, 0.025]);", 100.0),
        ("cam_poly345_rise", "function lift = step([0, 5 * PI / 9], [0, 0.025]);", 100.0),
    ] {
        let case = case(name);
        let rows = rows(&case["reference"]);
        let omega = case["parameters"]["omega"].as_f64().expect("a number");
        // The end is approached from inside, where the acceleration of a harmonic rise is not zero yet.
        let inside = |degrees: f64| if degrees == end { 1.0 - 1e-15 } else { 1.0 };
        let angles: Vec<f64> = rows.iter().map(|row| row[0].to_radians() * inside(row[0])).collect();
        let expected: Vec<[f64; 3]> = rows.iter().map(|row| [row[1], row[2], row[3]]).collect();
        for formulation in FORMULATIONS {
            let found = motion(functions, [omega, 0.0], formulation, &angles);
            assert_close(&format!("{name} {formulation:?}"), CLOSE, &found, &doubled(&expected));
        }
    }
}

/// Fraction of the rise, and its first two derivatives, for s between 0 and 1.
type Law = fn(f64) -> [f64; 3];

const LAWS: [(&str, Law); 4] = [
    ("harmonic", |s| {
        let (sine, cosine) = (PI * s).sin_cos();
        [(1.0 - cosine) / 2.0, PI / 2.0 * sine, PI * PI / 2.0 * cosine]
    }),
    ("cycloidal", |s| {
        let (sine, cosine) = (TAU * s).sin_cos();
        [s - sine / TAU, 1.0 - cosine, TAU * sine]
    }),
    ("polynomial_345", |s| {
        [
            s.powi(3) * (10.0 - 15.0 * s + 6.0 * s * s),
            30.0 * s * s * (1.0 - s).powi(2),
            60.0 * s * (1.0 - s) * (1.0 - 2.0 * s),
        ]
    }),
    ("polynomial_4567", |s| {
        [
            s.powi(4) * (35.0 - 84.0 * s + 70.0 * s * s - 20.0 * s.powi(3)),
            140.0 * (s * (1.0 - s)).powi(3),
            420.0 * (s * (1.0 - s)).powi(2) * (1.0 - 2.0 * s),
        ]
    }),
];

/// Rises from (0.3, −0.01) to (1.7, 0.02), and returns: constant and at rest outside that interval.
#[test]
fn laws_are_their_closed_forms() {
    let angles: Vec<f64> = (0..=40).map(|k| 0.05 * f64::from(k) + 0.013).collect();
    for (kind, law) in LAWS {
        for (data, from, to) in [("[0.3, 1.7], [-0.01, 0.02]", -0.01, 0.02), ("[1.7, 0.3], [-0.01, 0.02]", 0.02, -0.01)]
        {
            let omega = 7.0;
            let per = omega / 1.4;
            let expected: Vec<[f64; 3]> = angles
                .iter()
                .map(|angle| match (angle - 0.3) / 1.4 {
                    s if s <= 0.0 => [from, 0.0, 0.0],
                    s if s >= 1.0 => [to, 0.0, 0.0],
                    // Every law of the rise is also that of the return.
                    s => {
                        let [y, v, a] = law(s);
                        [from + (to - from) * y, (to - from) * v * per, (to - from) * a * per * per]
                    }
                })
                .collect();
            for formulation in FORMULATIONS {
                let found = motion(&format!("function lift = {kind}({data});"), [omega, 0.0], formulation, &angles);
                assert_close(&format!("{kind} {formulation:?}"), CLOSE, &found, &doubled(&expected));
            }
        }
    }
}

/// Rise, dwell, return, dwell, in the first revolutions and in the one before them, as the book writes it.
#[test]
fn a_lift_repeats_every_revolution() {
    let functions = "function lift(angle) = rise(within(angle)) - fall(within(angle));
        function within(angle) = angle - TAU * floor(angle / TAU);
        function rise = cycloidal([0.5, 2], [0, 0.01]);
        function fall = polynomial_4567([3, 4.5], [0, 0.01]);";
    let first: Vec<f64> = (0..60).map(|k| 0.1 * f64::from(k) + 0.02).collect();
    let per = |width: f64, law: Law, angle: f64| {
        let s = (angle - width) / 1.5;
        if s <= 0.0 {
            return [0.0; 3];
        }
        if s >= 1.0 {
            return [0.01, 0.0, 0.0];
        }
        let [y, v, a] = law(s);
        [0.01 * y, 0.01 * v * 20.0 / 1.5, 0.01 * a * 400.0 / 2.25]
    };
    let expected: Vec<[f64; 3]> = first
        .iter()
        .map(|angle| {
            let [rise, fall] = [per(0.5, LAWS[1].1, *angle), per(3.0, LAWS[3].1, *angle)];
            [0, 1, 2].map(|k| rise[k] - fall[k])
        })
        .collect();
    for turns in [0.0, 1.0, 2.0, -1.0] {
        for formulation in [Formulation::Joint, Formulation::Body] {
            let found = motion(functions, [20.0, turns * TAU], formulation, &first);
            assert_close(&format!("{turns} turns, {formulation:?}"), CLOSE, &found, &doubled(&expected));
        }
    }
}
