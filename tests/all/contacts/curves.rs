//! Contacts between curves: circles as balls, ellipses on lines and on each other, rings from inside.

use super::{
    BLOW, FINE, assert_conserved, assert_same, conserved_in_the_plane, contact_outputs, run_everywhere,
    run_everywhere_with,
};

/// Circles on bodies behave as balls, also with offsets between body and curve.
#[test]
fn circles_are_balls() {
    let text = |contact: &str| {
        format!(
            "planar Discs {{
                body a {{ mass: 1, inertia: 0.004, position: [-0.3, 0.02], velocity: [3, 0], angle: 0, rate: 20 }}
                body b {{ mass: 2, inertia: 0.02, position: [0.1, 0.09], velocity: [0, 0], angle: 0.4, rate: 0 }}
                marker hub = b at [0.02, -0.01] {{ angle: 0.7 }};
                curve disc on a = circle(0.1);
                curve rim on hub = circle(0.15);
                force blow = {contact}, stiffness: 2e5, dissipation: 0.1, friction: 0.3, creep: 0.02 }};
                {}
                output x = position(b);
                output spin = rate(b);
            }}",
            contact_outputs("blow")
        )
    };
    let texts =
        [text("curve_contact(disc, rim) { exponent: 1.5"), text("ball_contact(a, hub) { first: 0.1, second: 0.15")];
    assert_same("circles", [&texts[0], &texts[1]], &[0.0, 0.0605, 0.061, 0.0615, 0.062, 0.0625, 0.063, 0.2], 1e-9);
}

/// An ellipse that rocks on a line: with its height y at an angle φ, δ = h − y and τ = −N h′, h² = a² sin² φ + b² cos² φ; equal with the curves in
/// the opposite order.
#[test]
fn an_ellipse_rocks_on_a_line() {
    let (a, b): (f64, f64) = (0.3, 0.12);
    for (contact, sign) in [("curve_contact(road, rim)", 1.0), ("curve_contact(rim, road)", -1.0)] {
        let text = format!(
            "planar Rocker {{
                gravity: [0, -9.81];
                body rocker {{ mass: 2, inertia: 0.05, position: [0.4, 0.145], velocity: [0.1, 0], angle: 0.3, rate: 0 }}
                curve rim on rocker = ellipse({a}, {b});
                curve road on ground = line([-1, 0]);
                force foot = {contact} {{ stiffness: 1e5, exponent: 1 }};
                output depth = foot.depth;
                output press = foot.normal_force;
                output pushed = load(foot).force;
                output turned = load(foot).torque;
                output y = position(rocker).y;
                output angle = angle(rocker);
                output energy = kinetic_energy + potential_energy;
                output residual = foot.residual;
            }}"
        );
        let times: Vec<f64> = (0..=40).map(|i| 0.02 * f64::from(i)).collect();
        for (label, recording) in run_everywhere_with(FINE, &text, &times) {
            let column = |name: &str| recording.output(name).expect("it is declared");
            let mut worst = [0.0_f64; 4];
            let mut reached = 0.0_f64;
            for i in 0..times.len() {
                let (sin, cos) = column("angle")[i].sin_cos();
                let h = (a * a * sin * sin + b * b * cos * cos).sqrt();
                let depth = h - column("y")[i];
                let torque = -column("press")[i] * (a * a - b * b) * sin * cos / h;
                // On the ground the torque is about the origin of the line, and is not checked.
                let torque_error = if sign > 0.0 { column("turned")[i] - torque } else { 0.0 };
                let off = [
                    column("depth")[i] - depth,
                    column("pushed.y")[i] - sign * column("press")[i],
                    torque_error,
                    column("energy")[i] - column("energy")[0],
                ];
                worst = std::array::from_fn(|k| worst[k].max(off[k].abs()));
                reached = reached.max((column("angle")[i] - 0.3).abs());
                assert!(column("residual")[i] < 1e-9, "{label}: {}", column("residual")[i]);
            }
            println!("{label}: {worst:?} over {reached:.2} rad");
            assert!(worst[0] < 1e-13 && worst[1] < 1e-12 && worst[2] < 1e-8 && worst[3] < 1e-8, "{label}: {worst:?}");
            assert!(reached > 0.5, "{label}: it rocks");
        }
    }
}

/// Two ellipses with points of opposite normals at a known distance along the normals: depth and force are known.
#[test]
fn ellipses_touch_where_their_normals_meet() {
    for (s, tilt, [a, b], depth) in [
        (0.4, 0.9, [0.2, 0.3], 0.01),
        (2.0, -2.5, [0.5, 0.35], 0.02),
        (3.9, 3.0, [0.1, 0.1], -0.03),
        (5.5, 1.4, [0.4, 0.15], 0.005),
    ] {
        let (c, d): (f64, f64) = (0.5, 0.3);
        let ([x, y], [u, v]) = ([c * f64::cos(s), d * f64::sin(s)], [-c * f64::sin(s), d * f64::cos(s)]);
        // The outward normal, and the point of the other ellipse with the opposite one: (cos r/a, sin r/b) is along it in its axes.
        let n = [v / u.hypot(v), -u / u.hypot(v)];
        let (sin, cos) = f64::sin_cos(tilt);
        let local = [-(cos * n[0] + sin * n[1]), -(cos * n[1] - sin * n[0])];
        let r = f64::atan2(b * local[1], a * local[0]);
        let [px, py] = [a * r.cos(), b * r.sin()];
        let at = [x - (cos * px - sin * py) - depth * n[0], y - (sin * px + cos * py) - depth * n[1]];
        let text = format!(
            "planar Ellipses {{
                body big {{ mass: 2, inertia: 0.05 }}
                body small {{ mass: 1, inertia: 0.05, position: {at:?}, angle: {tilt} }}
                curve one on big = ellipse({c}, {d});
                curve other on small = ellipse({a}, {b});
                force blow = curve_contact(one, other) {{ stiffness: 1e3, exponent: 1 }};
                output depth = blow.depth;
                output residual = blow.residual;
                output pushed = load(blow).force;
            }}"
        );
        for (label, recording) in run_everywhere(&text, &[0.0, 1e-3]) {
            let first = |name: &str| recording.output(name).expect("it is declared")[0];
            let wrong = (first("depth") - depth).abs();
            let off = [0, 1].map(|k| (first(["pushed.x", "pushed.y"][k]) - 1e3 * depth.max(0.0) * n[k]).abs());
            println!("{label}: {wrong:.1e} m, {:.1e} m, {:.1e} N", first("residual"), off[0].max(off[1]));
            assert!(
                wrong < 1e-12 && first("residual") < 1e-9 && off[0].max(off[1]) < 1e-9,
                "{label}: {wrong:e} {off:?}\n{text}"
            );
        }
    }
}

/// A disc in a ring is pushed towards the centre as by a cable of the length R − r.
#[test]
fn a_ring_contains_a_disc() {
    let text = |force: &str| {
        format!(
            "planar Ring {{
                gravity: [0, -9.81];
                body disc {{ mass: 2, inertia: 0.1, position: [0.5, -0.6], velocity: [0.2, 0], angle: 0, rate: 0 }}
                curve ring on ground = circle(1);
                curve rim on disc = circle(0.2);
                force wall = {force};
                output x = position(disc);
                output pushed = load(wall).force;
            }}"
        )
    };
    let texts = [
        text("curve_contact(ring, rim) { stiffness: 1e4, exponent: 1 }"),
        text("cable(ground, disc) { free_length: 0.8, stiffness: 1e4 }"),
    ];
    assert_same("ring", [&texts[0], &texts[1]], &[0.0, 0.3, 1.0], 1e-6);
}

/// The large and hollow, or long, curve may be either end: a ring around a disc, a road under a wheel far from its middle. Friction is omitted, as it
/// acts on the surface of the second.
#[test]
fn the_larger_curve_may_be_the_second() {
    let ring = |contact: &str| {
        format!(
            "planar Ring {{
                gravity: [0, -9.81];
                body disc {{ mass: 2, inertia: 0.1, position: [0.5, -0.6], velocity: [0.2, 0], angle: 0, rate: 3 }}
                curve around(s) on ground = [cos(s), sin(s)] {{ closed: TAU }};
                curve within(s) on ground = [cos(s), -sin(s)] {{ closed: TAU }};
                curve rim on disc = circle(0.2);
                force wall = curve_contact({contact}) {{ stiffness: 1e4, exponent: 1 }};
                output depth = wall.depth;
                output x = position(disc);
            }}"
        )
    };
    assert_same("ring", [&ring("around, rim"), &ring("rim, within")], &[0.0, 0.3, 1.0], 1e-9);
    let road = |contact: &str| {
        format!(
            "planar Road {{
                gravity: [0, -9.81];
                function hills(x) = 0.1 * sin(0.8 * x);
                body wheel {{ mass: 2, inertia: 0.1, position: [7, 0.35], velocity: [1, 0], angle: 0, rate: 0 }}
                curve forth(s) on ground = [s, hills(s)] {{ range: [-10, 10] }};
                curve back(s) on ground = [-s, hills(-s)] {{ range: [-10, 10] }};
                curve rim on wheel = circle(0.3);
                force tyre = curve_contact({contact}) {{ stiffness: 1e5, exponent: 1, damping: 100 }};
                output depth = tyre.depth;
                output x = position(wheel);
            }}"
        )
    };
    assert_same("road", [&road("forth, rim"), &road("rim, back")], &[0.0, 0.15, 0.3], 1e-9);
}

#[test]
fn ellipses_keep_momentum_and_account_for_energy() {
    assert_conserved(&format!(
        "planar Eggs {{
            body a {{ mass: 1, inertia: 0.02, position: [0, 0], velocity: [0, 1], angle: 0.1, rate: 0 }}
            body b {{ mass: 2, inertia: 0.02, position: [0, 0.4], velocity: [0.5, -2], angle: 0.1, rate: 2 }}
            curve one on a = ellipse(0.3, 0.1);
            curve other(s) on b = [0.1 * cos(s), 0.15 * sin(s) + 0.01 * cos(2 * s)] {{ closed: TAU }};
            force blow = curve_contact(one, other) {{ {BLOW} }};
            {}
        }}",
        conserved_in_the_plane([0.02, 0.02])
    ));
}

/// With teeth narrower than the sampling, a hollow is mistaken for a tooth as it rotates: the run reports this and stops.
#[test]
fn teeth_that_are_missed_stop_runs() {
    for (teeth, is_lost) in [(21, true), (3, false)] {
        let text = format!(
            "planar Teeth {{
                gravity: [0, -9.81];
                body wheel {{ mass: 1, inertia: 0.01, position: [0, 0.21], velocity: [0, 0], angle: 0, rate: 6 }}
                curve rim(s) on wheel = [(0.2 + 0.01 * cos({teeth} * s)) * cos(s), (0.2 + 0.01 * cos({teeth} * s)) * sin(s)] {{ closed: TAU }};
                curve road on ground = line([1, 0]);
                force foot = curve_contact(road, rim) {{ stiffness: 1e5, exponent: 1, damping: 100, friction: 0.5 }};
                output depth = foot.depth;
            }}"
        );
        for (label, recording) in run_everywhere(&text, &[0.0, 0.5]) {
            let lost = recording.events().of("foot.lost").expect("it is an event").count();
            let last = *recording.times().last().expect("one");
            println!("{label}: {lost} at {last}");
            assert_eq!((lost, last < 0.5), (usize::from(is_lost), is_lost), "{label}");
        }
    }
}
