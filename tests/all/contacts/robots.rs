//! Robots whose wheels roll by velocity constraints: wheel speeds for a given path, and the path of given wheel speeds.

use std::f64::consts::TAU;
use std::sync::OnceLock;

use mbs::Recording;

use super::{FINE, run_everywhere_with};

const TEXT: &str = include_str!("../../../mechanisms/differential_drive.mbs");
const RADIUS: f64 = 0.08;
const TRACK: f64 = 0.36;

/// Position, speed v and rate ω of the midpoint of the axle on the figure of eight, by hand.
fn expected(t: f64) -> ([f64; 2], f64, f64) {
    let w = TAU / 12.0;
    let ((s, c), (s2, c2)) = ((w * t).sin_cos(), (2.0 * w * t).sin_cos());
    let ([dx, dy], [ddx, ddy]) = ([1.5 * w * c, 1.6 * w * c2], [-1.5 * w * w * s, -3.2 * w * w * s2]);
    ([1.5 * s, 0.8 * s2], dx.hypot(dy), (dx * ddy - dy * ddx) / (dx * dx + dy * dy))
}

/// Times of the rows of a round.
fn times() -> Vec<f64> {
    (0..=24).map(|i| 0.5 * f64::from(i)).collect()
}

/// A round in every formulation and by the engine, once for all tests.
fn recordings() -> &'static [(String, Recording)] {
    static RECORDINGS: OnceLock<Vec<(String, Recording)>> = OnceLock::new();
    RECORDINGS.get_or_init(|| run_everywhere_with(FINE, TEXT, &times()))
}

/// Inverse kinematics: v = r (ω_r + ω_l)/2 and ω = r (ω_r − ω_l)/b of the path give ω_{r,l} = (v ± ω b/2)/r, and the robot with these wheel speeds
/// follows the path, to the integration error of 12 s.
#[test]
fn a_path_determines_the_speeds_of_the_wheels() {
    let times = times();
    for (label, recording) in recordings() {
        let column = |name: &str| recording.output(name).expect("it is declared");
        let mut worst = [0.0_f64; 3];
        for (i, t) in times.iter().enumerate() {
            let ([x, y], v, omega) = expected(*t);
            let [left, right] = [-1.0, 1.0].map(|side| (v + side * omega * TRACK / 2.0) / RADIUS);
            let off = [
                (column("place.x")[i] - x).hypot(column("place.y")[i] - y),
                (column("left")[i] - left).abs().max((column("right")[i] - right).abs()),
                column("missed")[i],
            ];
            worst = std::array::from_fn(|k| worst[k].max(off[k]));
        }
        println!("{label}: {worst:?}");
        assert!(worst[0] < 1e-9 && worst[1] < 1e-11 && worst[2] < 1e-9, "{label}: {worst:?}");
    }
}

/// With given speeds of its wheels the robot moves on a circle of radius v/ω about a centre to its left.
#[test]
fn speeds_of_the_wheels_make_a_circle() {
    let (left, right): (f64, f64) = (4.0, 7.0);
    let (from, to) =
        (TEXT.find("    // A figure of eight").expect("there"), TEXT.find("    output place").expect("there"));
    let drives = format!(
        "drive of_left = hub[0].rate == {left}; drive of_right = hub[1].rate == {right}; initial floor.angle = 0.3, floor.position = [0, 0];\n"
    );
    let rest: String = TEXT[to..]
        .lines()
        .filter(|line| !line.contains("path") && !line.contains("load("))
        .map(|line| format!("{line}\n"))
        .collect();
    let text = format!("{}{drives}{rest}", &TEXT[..from]);
    let (v, omega) = (RADIUS * (right + left) / 2.0, RADIUS * (right - left) / TRACK);
    let times = [0.0, 1.0, 2.5];
    for (label, recording) in run_everywhere_with(FINE, &text, &times) {
        let column = |name: &str| recording.output(name).expect("it is declared");
        for (i, t) in times.iter().enumerate() {
            let (s, c) = (0.3 + omega * t).sin_cos();
            let (x, y) = (v / omega * (s - 0.3_f64.sin()), v / omega * (0.3_f64.cos() - c));
            let off = (column("place.x")[i] - x).hypot(column("place.y")[i] - y);
            println!("{label}, {t}: {off:.1e} m, {:.1e} m/s", column("speed")[i] - v);
            assert!(off < 1e-10, "{label}: {off:e}");
            assert!((column("speed")[i] - v).abs() < 1e-12 && (column("turning")[i] - omega).abs() < 1e-12, "{label}");
        }
    }
}

/// The drives exert the loads of the Newton–Euler equations: with the centre of mass ahead of the axle by d, and wheels of mass and inertia, the
/// forward force F = (m + 2 I/r²) v̇ − m d ω² and the moment M = J ω̇ + m d ω v.
#[test]
fn drives_exert_the_newton_euler_loads() {
    let (chassis, wheel, com_offset): (f64, f64, f64) = (14.0, 0.6, 0.05);
    let (spin, across) = (2e-3, 1.2e-3);
    // The inertia about the midpoint of the axle: the spin of the wheels counts as a mass I/r² at b/2.
    let inertia = 0.4
        + chassis * com_offset * com_offset
        + 2.0 * (across + (wheel + spin / (RADIUS * RADIUS)) * TRACK * TRACK / 4.0);
    let mass = chassis + 2.0 * wheel + 2.0 * spin / (RADIUS * RADIUS);
    let h = 1e-5;
    for (label, recording) in recordings() {
        for (i, t) in times().iter().enumerate().step_by(3) {
            let [before, now, after] = [t - h, *t, t + h].map(expected);
            let (rate, twist) = ((after.1 - before.1) / (2.0 * h), (after.2 - before.2) / (2.0 * h));
            let push = mass * rate - chassis * com_offset * now.2 * now.2;
            let moment = inertia * twist + chassis * com_offset * now.2 * now.1;
            let found = ["push", "moment"].map(|name| recording.output(name).expect("it is declared")[i]);
            println!(
                "{label}, {t}: {:.1e} N of {push:.3}, {:.1e} N m of {moment:.3}",
                found[0] - push,
                found[1] - moment
            );
            assert!((found[0] - push).abs() < 1e-6 && (found[1] - moment).abs() < 1e-6, "{label}: {found:?}");
        }
    }
}
