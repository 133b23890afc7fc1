//! Swinging followers, and offset sliding followers, with rollers and flat faces, against closed forms in Taylor series, and against equivalent
//! linkages.

use std::f64::consts::TAU;

use mbs_expr::{Function, Function2, Scalar, Series};
use mbs_model::Formulation;

use super::{DRIVEN, FORMULATIONS, assert_close, driven};

type S = Series<4>;

/// A disc of radius 40 mm with an eccentricity of 12 mm, at 30 rad/s.
const DISC: &str = "const e = 0.012; const R = 0.04;
    body shaft { mass: 1, inertia: 0.02 }
    joint bearing = revolute(ground, shaft);
    curve lobe(s) on shaft = [e + R * cos(s), R * sin(s)] { closed: TAU };
    drive turn = bearing.angle == 0.4 + 30 * t;
    output torque = load(turn);";

const E: f64 = 0.012;
const R: f64 = 0.04;
const OMEGA: f64 = 30.0;

fn n(x: f64) -> S {
    S::number(x)
}

/// Times over two revolutions \[s\].
fn times() -> Vec<f64> {
    (0..24).map(|k| f64::from(k) * 0.0175).collect()
}

/// The centre of the disc over time.
fn middle(t: f64) -> [S; 2] {
    let angle = S::linear(0.4 + OMEGA * t, OMEGA);
    [n(E) * angle.unary(Function::Cos), n(E) * angle.unary(Function::Sin)]
}

fn distance([x, y]: [S; 2]) -> S {
    (x * x + y * y).unary(Function::Sqrt)
}

/// Value, rate and acceleration.
fn rates(x: S) -> [f64; 3] {
    [0, 1, 2].map(|k| x.derivative(k))
}

/// A row of outputs: angle or position x with its rates, the torque on the shaft that accelerates a follower of inertia `inertia`, and the
/// components of the contact force.
fn row(x: S, inertia: f64, force: [f64; 2]) -> Vec<f64> {
    let [value, rate, acceleration] = rates(x);
    vec![value, rate, acceleration, inertia * acceleration * rate / OMEGA, force[0], force[1]]
}

#[track_caller]
fn assert_motion(name: &str, items: &str, x: &str, expected: impl Fn(f64) -> Vec<f64>) {
    let text = format!(
        "pub planar Cam {{ {DISC} {items}
            output x = {x}; output v = rate({x}); output a = rate(rate({x})); output push = reaction(contact).force; }}"
    );
    let expected: Vec<Vec<f64>> = times().into_iter().map(expected).collect();
    for formulation in FORMULATIONS {
        let found = driven(&text, formulation, &times(), &["x", "v", "a", "torque", "push.x", "push.y"]);
        assert_close(&format!("{name}, {formulation:?}"), DRIVEN, &found, &expected);
    }
}

/// An arm of 90 mm about a pin 100 mm from the shaft, with a roller of 10 mm at its end: equivalent to a four-bar with crank E, coupler R + 10 mm
/// and the arm as its rocker.
const SWINGING: &str = "body arm { mass: 0.3, inertia: 2e-3, position: [0.1, 0], angle: -0.57 }
    joint pivot = revolute(ground at [0.1, 0], arm);
    marker wheel = arm at [-0.09, 0];";

/// Angle of the arm, from its triangle with the centre of the disc.
fn swing(t: f64) -> S {
    let [x, y] = middle(t);
    let [x, y] = [n(0.1) - x, -y];
    let d = distance([x, y]);
    let cosine = (d * d + n(0.09 * 0.09 - 0.05 * 0.05)) / (n(2.0 * 0.09) * d);
    y.binary(Function2::Atan2, x) - cosine.unary(Function::Acos)
}

#[test]
fn a_roller_swings() {
    let items = format!(
        "{SWINGING} curve rim on wheel = circle(0.01); joint contact = cam(lobe, rim) {{ first: 1.3, second: 5 }};"
    );
    assert_motion("roller", &items, "pivot.angle", |t| {
        let angle = swing(t);
        let (s, c) = angle.value().sin_cos();
        let [x, y] = middle(t).map(S::value);
        let arm = [-0.09 * c, -0.09 * s];
        let normal = [(0.1 + arm[0] - x) / 0.05, (arm[1] - y) / 0.05];
        let lever = arm[0] * normal[1] - arm[1] * normal[0];
        let force = 2e-3 * angle.derivative(2) / lever;
        row(angle, 2e-3, normal.map(|n| force * n))
    });
}

/// The equivalent four-bar has a distance row for its coupler: motion and force are equal.
#[test]
fn an_eccentric_disc_with_a_swinging_roller_is_a_four_bar() {
    let common = "output angle = pivot.angle; output rate = pivot.rate; output acceleration = pivot.acceleration;";
    let cam = format!(
        "pub planar Cam {{ {DISC} {SWINGING} {common} curve rim on wheel = circle(0.01);
            joint contact = cam(lobe, rim) {{ first: 1.3, second: 5 }}; output push = norm(reaction(contact).force); }}"
    );
    let linkage = format!(
        "pub planar FourBar {{ {DISC} {SWINGING} {common} joint contact = distance(shaft at [e, 0], wheel) {{ length: R + 0.01 }};
            output push = norm(reaction(contact).force); }}"
    );
    let columns = ["angle", "rate", "acceleration", "torque", "push"];
    for formulation in FORMULATIONS {
        let [found, expected] = [&cam, &linkage].map(|text| driven(text, formulation, &times(), &columns));
        assert_close(&format!("{formulation:?}"), DRIVEN, &found, &expected);
    }
}

/// A face 8 mm above the pin of its arm lies on the disc.
#[test]
fn a_flat_face_swings() {
    let items = "body arm { mass: 0.3, inertia: 2e-3, position: [0.1, 0], angle: -0.37 }
        joint pivot = revolute(ground at [0.1, 0], arm);
        curve face(s) on arm = [s, 0.008];
        joint contact = cam(lobe, face) { first: 1.2, second: -0.08 };";
    assert_motion("face", items, "pivot.angle", |t| {
        // The centre of the disc is R below the face: (p − P)·n = 8 mm − R.
        let [x, y] = middle(t);
        let [x, y] = [n(0.1) - x, -y];
        let d = distance([x, y]);
        let angle = y.binary(Function2::Atan2, x) - (n(R - 0.008) / d).unary(Function::Asin);
        let (s, c) = angle.value().sin_cos();
        // The force is along the normal of the face, through the centre of the disc.
        let [x, y] = middle(t).map(S::value);
        let lever = (x - 0.1) * c + y * s;
        let force = 2e-3 * angle.derivative(2) / lever;
        row(angle, 2e-3, [-force * s, force * c])
    });
}

/// A follower on a guide offset by 7 mm from the shaft, with a roller of 10 mm.
#[test]
fn a_roller_slides_aside_of_the_shaft() {
    let items = "body slide { mass: 0.4, inertia: 1e-3, position: [0.007, 0.05] }
        joint guide = prismatic(ground at [0.007, 0], slide) { axis: [0, 1] };
        curve rim on slide = circle(0.01);
        joint contact = cam(lobe, rim) { first: 1.6, second: -1.5 };";
    assert_motion("aside", items, "guide.position", |t| {
        let [x, y] = middle(t);
        let aside = n(0.007) - x;
        let up = (n(0.05 * 0.05) - aside * aside).unary(Function::Sqrt);
        let force = 0.4 * (y + up).derivative(2);
        row(y + up, 0.4, [force * aside.value() / up.value(), force])
    });
}

/// Involutes on base circles of 47 and 94 mm, 150 mm apart: the wheels rotate in opposite directions with the ratio of their base circles.
#[test]
fn involutes_rotate_steadily() {
    let text = "pub planar Gears {
        const r = 0.047;
        const q = 0.094;
        body pinion { mass: 1, inertia: 0.002, angle: -0.15 }
        body wheel { mass: 1, inertia: 0.03, position: [0.15, 0], angle: 3.2 }
        joint left = revolute(ground, pinion);
        joint right = revolute(ground at [0.15, 0], wheel);
        curve flank on pinion = involute(r);
        curve other on wheel = involute(q);
        joint contact = cam(flank, other) { first: 0.5, second: 0.3 };
        drive turn = left.angle == -0.15 + 0.2 * sin(20 * t);
        output angle = right.angle + left.angle / 2;
        output rate = right.rate;
        output acceleration = right.acceleration;
        output torque = load(turn);
        output roll = [contact.first + left.angle, contact.second + right.angle];
        output push = norm(reaction(contact).force);
    }";
    let times: Vec<f64> = (0..30).map(|k| f64::from(k) * 0.0131).collect();
    // cos α = (r + q)/C; the sum of angle and parameter is α for one wheel and α + π for the other, and r first + q second = (r + q) tan α.
    let alpha = (0.141_f64 / 0.15).acos();
    let constant = alpha + std::f64::consts::PI + 0.5 * alpha - 1.5 * alpha.tan();
    let expected: Vec<Vec<f64>> = times
        .iter()
        .map(|t| {
            let (s, c) = (20.0 * t).sin_cos();
            let (rate, acceleration) = (-0.5 * 0.2 * 20.0 * c, 0.5 * 0.2 * 400.0 * s);
            let torque = -2.0 * (0.002 + 0.03 / 4.0) * acceleration;
            let push = (0.03 * acceleration / 0.094).abs();
            vec![constant, rate, acceleration, torque, alpha, alpha + std::f64::consts::PI, push]
        })
        .collect();
    for formulation in [Formulation::Joint, Formulation::Body, Formulation::Natural] {
        let columns = ["angle", "rate", "acceleration", "torque", "roll.x", "roll.y", "push"];
        let found = driven(text, formulation, &times, &columns);
        assert_close(&format!("{formulation:?}"), DRIVEN, &found, &expected);
    }
}

/// A pin between two faces of a lever that makes full revolutions (Whitworth's quick return): of the rows of the second cam all but one are
/// redundant, and are left out at every angle of the faces.
#[test]
fn a_pin_between_two_faces_rotates_a_lever() {
    let text = "pub planar Slot {
        redundant: resolve;
        body crank { mass: 1, inertia: 0.02, angle: 0.1 }
        body lever { mass: 0.5, inertia: 0.01, position: [0.1, 0], angle: 0.199 }
        joint bearing = revolute(ground, crank);
        joint pivot = revolute(ground at [0.1, 0], lever);
        curve pin on crank at [0.2, 0] = circle(0.01);
        curve low on lever at [0, -0.01] = line([1, 0]);
        curve high on lever at [0, 0.01] = line([-1, 0]);
        joint below = cam(pin, low) { first: -1.47, second: 0.1 };
        joint above = cam(pin, high) { first: 1.67, second: -0.1 };
        drive turn = bearing.angle == 0.1 + 3 * t;
        output along = lever.x;
        output v = pivot.rate;
        output a = pivot.acceleration;
    }";
    // Angles with the faces perpendicular, parallel and oblique to the pin's arm.
    let times: Vec<f64> = (0..48).map(|k| (f64::from(k) * TAU / 24.0 - 0.1) / 3.0).skip(1).collect();
    let angle = |t: f64| {
        let crank = S::linear(0.1 + 3.0 * t, 3.0);
        let [x, y] = [crank.unary(Function::Cos) * n(0.2) - n(0.1), crank.unary(Function::Sin) * n(0.2)];
        y.binary(Function2::Atan2, x)
    };
    let expected: Vec<Vec<f64>> = times
        .iter()
        .map(|t| {
            let [x, v, a] = rates(angle(*t));
            vec![x.cos(), x.sin(), v, a]
        })
        .collect();
    for formulation in FORMULATIONS {
        let found = driven(text, formulation, &times, &["along.x", "along.y", "v", "a"]);
        assert_close(&format!("slot, {formulation:?}"), DRIVEN, &found, &expected);
    }
}
