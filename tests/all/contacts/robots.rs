//! Robots whose wheels roll by rows of velocities: the speeds of the wheels that a path asks for, and the path that speeds make.

use std::f64::consts::TAU;

use super::runs;

const TEXT: &str = include_str!("../../../mechanisms/differential_drive.mbs");
const RADIUS: f64 = 0.08;
const TRACK: f64 = 0.36;

/// v and ω of the middle on the figure of eight, by hand.
fn wanted(t: f64) -> ([f64; 2], f64, f64) {
    let w = TAU / 12.0;
    let ((s, c), (s2, c2)) = ((w * t).sin_cos(), (2.0 * w * t).sin_cos());
    let ([dx, dy], [ddx, ddy]) = ([1.5 * w * c, 1.6 * w * c2], [-1.5 * w * w * s, -3.2 * w * w * s2]);
    ([1.5 * s, 0.8 * s2], dx.hypot(dy), (dx * ddy - dy * ddx) / (dx * dx + dy * dy))
}

/// Inverse kinematics: v = r (ω_r + ω_l)/2 and ω = r (ω_r − ω_l)/b of the path give ω_{r,l} = (v ± ω b/2)/r, and so turned the wheels keep to the
/// path, to what 12 s of steps leave.
#[test]
fn a_path_tells_the_speeds_of_the_wheels() {
    let times: Vec<f64> = (0..=24).map(|i| 0.5 * f64::from(i)).collect();
    for (label, recording) in runs(TEXT, &times) {
        let column = |name: &str| recording.output(name).expect("it is declared");
        let mut worst = [0.0_f64; 3];
        for (i, t) in times.iter().enumerate() {
            let ([x, y], v, turning) = wanted(*t);
            let [left, right] = [-1.0, 1.0].map(|side| (v + side * turning * TRACK / 2.0) / RADIUS);
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

/// The same robot with given speeds of its wheels: on a circle of radius v/ω about a centre to its left.
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
    let (v, turning) = (RADIUS * (right + left) / 2.0, RADIUS * (right - left) / TRACK);
    let times = [0.0, 1.0, 2.5];
    for (label, recording) in runs(&text, &times) {
        let column = |name: &str| recording.output(name).expect("it is declared");
        for (i, t) in times.iter().enumerate() {
            let (s, c) = (0.3 + turning * t).sin_cos();
            let (x, y) = (v / turning * (s - 0.3_f64.sin()), v / turning * (0.3_f64.cos() - c));
            let off = (column("place.x")[i] - x).hypot(column("place.y")[i] - y);
            println!("{label}, {t}: {off:.1e} m, {:.1e} m/s", column("speed")[i] - v);
            assert!(off < 1e-10, "{label}: {off:e}");
            assert!(
                (column("speed")[i] - v).abs() < 1e-12 && (column("turning")[i] - turning).abs() < 1e-12,
                "{label}"
            );
        }
    }
}

/// What the drives exert is what Newton and Euler ask for: with the centre of mass ahead of the axle by d and all that rolls along, F = (m + 2 I/r²) v̇ − m d ω²
/// forwards and M = J ω̇ + m d ω v.
#[test]
fn drives_push_as_newton_and_euler_say() {
    let (chassis, wheel, reach): (f64, f64, f64) = (14.0, 0.6, 0.05);
    let (spin, across) = (2e-3, 1.2e-3);
    // About the middle of the axle: the wheels' spin is carried along by I/r² at b/2.
    let inertia =
        0.4 + chassis * reach * reach + 2.0 * (across + (wheel + spin / (RADIUS * RADIUS)) * TRACK * TRACK / 4.0);
    let mass = chassis + 2.0 * wheel + 2.0 * spin / (RADIUS * RADIUS);
    let times = [0.7, 3.0, 5.2, 8.9];
    let h = 1e-5;
    for (label, recording) in runs(TEXT, &[&[0.0][..], &times].concat()) {
        for (i, t) in times.iter().enumerate() {
            let [before, now, after] = [t - h, *t, t + h].map(wanted);
            let (rate, twist) = ((after.1 - before.1) / (2.0 * h), (after.2 - before.2) / (2.0 * h));
            let push = mass * rate - chassis * reach * now.2 * now.2;
            let moment = inertia * twist + chassis * reach * now.2 * now.1;
            let found = ["push", "moment"].map(|name| recording.output(name).expect("it is declared")[i + 1]);
            println!(
                "{label}, {t}: {:.1e} N of {push:.3}, {:.1e} N m of {moment:.3}",
                found[0] - push,
                found[1] - moment
            );
            assert!((found[0] - push).abs() < 1e-6 && (found[1] - moment).abs() < 1e-6, "{label}: {found:?}");
        }
    }
}
