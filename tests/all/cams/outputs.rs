//! Outputs of cams: pressure angles, radii of curvature, forces, and events where a follower jumps off or a cam is undercut.

use std::f64::consts::TAU;

use mbs::{Integrator, Simulation};
use mbs_codegen::Failure;
use mbs_codegen::compile_text;
use mbs_compiler::compile::Options;

use super::{DRIVEN, FORMULATIONS, assert_close, compiled, driven};

const REPORTED: &str = "output alpha = contact.pressure_angle;
    output radius = contact.radius;
    output bend = contact.relative_curvature;
    output push = contact.force;";

/// The interpolant is as accurate as the ends of steps: 1e-11 is a thousandth of the tolerance of events.
const PRECISE: Integrator = Integrator::DormandPrince { rtol: 1e-11, atol: 1e-13 };

const COLUMNS: [&str; 4] = ["alpha", "radius", "bend", "push"];

/// Times over two revolutions at 30 rad/s \[s\].
fn times() -> Vec<f64> {
    (0..24).map(|k| f64::from(k) * 0.0175).collect()
}

fn assert_motion(name: &str, text: &str, expected: impl Fn(f64) -> Vec<f64>) {
    let expected: Vec<Vec<f64>> = times().into_iter().map(expected).collect();
    for formulation in FORMULATIONS {
        let found = driven(text, formulation, &times(), &COLUMNS);
        assert_close(&format!("{name}, {formulation:?}"), DRIVEN, &found, &expected);
    }
}

/// A disc of 40 mm with an eccentricity of 12 mm, below a roller of 10 mm on a guide offset by 7 mm. Norton: tan α = (ds/dθ − ε)/s, with s the height
/// of the roller above the shaft.
#[test]
fn the_pressure_angle_of_a_sliding_roller_is_that_of_the_book() {
    let text = format!(
        "pub planar Aside {{
            body shaft {{ mass: 1, inertia: 0.02 }}
            body slide {{ mass: 0.4, inertia: 1e-3, position: [0.007, 0.05] }}
            joint bearing = revolute(ground, shaft);
            joint guide = prismatic(ground at [0.007, 0], slide) {{ axis: [0, 1] }};
            curve lobe(s) on shaft = [0.012 + 0.04 * cos(s), 0.04 * sin(s)] {{ closed: TAU }};
            curve rim on slide = circle(0.01);
            joint contact = cam(lobe, rim) {{ first: 1.6, second: -1.5 }};
            drive turn = bearing.angle == 30 * t;
            {REPORTED}
        }}"
    );
    assert_motion("sliding", &text, |t| {
        let (s, c) = (30.0 * t).sin_cos();
        let (e, aside) = (0.012, 0.007 - 0.012 * c);
        let up = (0.05_f64.powi(2) - aside * aside).sqrt();
        let height = e * s + up;
        let derivative = e * c - aside * e * s / up;
        let curve = (e * s).powi(2) + aside * e * c + (aside * e * s / up).powi(2);
        let push = 0.4 * 900.0 * (-e * s - curve / up);
        let alpha = ((derivative - 0.007) / height).atan();
        vec![alpha, 0.04, 100.0 + 25.0, push / alpha.cos()]
    });
}

/// A fixed ellipse of 50 mm and 30 mm, between an arm with a roller and an arm with a face: the outputs do not depend on motion.
/// The radius of curvature of an ellipse is (a² sin² s + b² cos² s)^1.5 / (a b).
#[test]
fn arms_that_stand_still_have_their_pressure_angles() {
    for (curve, follower_curvature, second) in [("circle(0.01)", 100.0, "5"), ("line([1, 0])", 0.0, "-0.08")] {
        let text = format!(
            "pub planar Swing {{
                body shaft {{ mass: 1, inertia: 0.02 }}
                body arm {{ mass: 0.3, inertia: 2e-3, position: [0.1, 0.01], angle: -0.5 }}
                joint bearing = revolute(ground, shaft);
                joint pivot = revolute(ground at [0.1, 0.01], arm);
                marker wheel = arm at [-0.08, 0.01];
                curve lobe on shaft = ellipse(0.05, 0.03);
                curve face on wheel = {curve};
                joint contact = cam(lobe, face) {{ first: 1.2, second: {second} }};
                drive stand = bearing.angle == 0.3;
                force spring = torque(ground, arm) {{ torque: 2 }};
                {REPORTED}
                output place = contact.first;
                output at = lobe.point(contact.first);
                output along = lobe.tangent(contact.first);
            }}"
        );
        for formulation in FORMULATIONS {
            let found = driven(
                &text,
                formulation,
                &[0.0],
                &[&COLUMNS[..], &["place", "at.x", "at.y", "along.x", "along.y"]].concat(),
            );
            let [alpha, radius, curvature, push, parameter, x, y, u, v] = found[0][..] else { panic!("{found:?}") };
            // The outward normal, and the direction of motion of the arm's contact point.
            let (normal, travel) = ([v, -u], [-(y - 0.01), x - 0.1]);
            let component = travel[0] * normal[0] + travel[1] * normal[1];
            let aside = travel[0] * normal[1] - travel[1] * normal[0];
            let (s, c) = parameter.sin_cos();
            let rho = ((0.05 * s).powi(2) + (0.03 * c).powi(2)).powf(1.5) / 0.0015;
            // The spring presses the arm down with 2 N m.
            let expected = [(aside / component).atan(), rho, follower_curvature + 1.0 / rho, 2.0 / component.abs()];
            assert_close(curve, DRIVEN, &[vec![alpha, radius, curvature, push]], &[expected.to_vec()]);
        }
    }
}

/// A face on a disc with a spring of 900 N/m under 60 N, as in case `cam_eccentric_flat`, at `speed` rad/s.
fn jumping(speed: f64) -> String {
    format!(
        "pub planar Jump {{
            body shaft {{ mass: 1, inertia: 0.02 }}
            body follower {{ mass: 0.4, inertia: 1e-3, position: [0, 0.028] }}
            joint bearing = revolute(ground, shaft);
            joint guide = prismatic(ground, follower) {{ axis: [0, 1] }};
            curve lobe(s) on shaft = [0.04 * cos(s), 0.04 * sin(s) - 0.012] {{ closed: TAU }};
            curve face on follower = line([1, 0]);
            joint contact = cam(lobe, face) {{ first: PI / 2 }};
            force spring = point_force(follower) {{ force: [0, -900 * (guide.position - 0.028) - 60] }};
            drive turn = bearing.angle == {speed:?} * t;
            event jump_off = when contact.force falls {{ stop; }}
            output angle = bearing.angle;
        }}"
    )
}

/// m s″ + k s + F₀ = 0 with s = e (1 − cos θ): cos θ = (F₀ + k e)/(k e − m e ω²), if the speed is above √((2 k e + F₀)/(m e)).
#[test]
fn a_follower_jumps_off_at_the_closed_forms_angle() {
    let limit = ((2.0 * 900.0 * 0.012 + 60.0) / (0.4 * 0.012_f64)).sqrt();
    for formulation in FORMULATIONS {
        for speed in [0.99 * limit, 1.01 * limit, 150.0, 300.0] {
            let mechanism = compiled(&jumping(speed), formulation);
            let run = Simulation::new(&mechanism).duration(TAU / speed).integrator(PRECISE);
            let recording = run.run().unwrap_or_else(|e| panic!("{formulation:?} at {speed}: {e}"));
            let stopped = recording.events().stop();
            if speed < limit {
                assert_eq!(stopped, None, "{formulation:?} at {speed}");
                continue;
            }
            assert_eq!(stopped, Some("jump_off"), "{formulation:?} at {speed}");
            let angle = recording.output("angle").expect("it is declared").last().copied().expect("it ends");
            let expected = ((60.0 + 900.0 * 0.012) / (900.0 * 0.012 - 0.4 * 0.012 * speed * speed)).acos();
            assert!((angle - expected).abs() < 1e-8, "{formulation:?} at {speed}: {angle}, not {expected}");
        }
    }
}

/// A cam made for a flat face: lift h (1 − cos 3θ)/2 on a base circle of R_b, traced by the support function H of its direction,
///
/// ```text
/// c = H u + H′ u⊥     ρ = H + H″ = R_b + s + s″
/// ```
///
/// It is undercut where ρ vanishes, cos 3θ = −(R_b + h/2)/(4 h), if there is such an angle: the point is a cusp without a tangent. The event
/// occurs at ρ = 10 µm.
fn made(base: f64, height: f64) -> String {
    format!(
        "pub planar Made {{
            const b = {base:?};
            const h = {height:?};
            body shaft {{ mass: 1, inertia: 0.02 }}
            body follower {{ mass: 0.4, inertia: 1e-3, position: [0, b] }}
            joint bearing = revolute(ground, shaft);
            joint guide = prismatic(ground, follower) {{ axis: [0, 1] }};
            function support(a) = b + h / 2 * (1 - cos(3 * (PI / 2 - a)));
            function slope(a) = -1.5 * h * sin(3 * (PI / 2 - a));
            curve lobe(a) on shaft = support(a) * [cos(a), sin(a)] + slope(a) * [-sin(a), cos(a)] {{ closed: TAU }};
            curve face on follower = line([1, 0]);
            joint contact = cam(lobe, face) {{ first: PI / 2 }};
            drive turn = bearing.angle == 20 * t;
            event undercut = when contact.radius < 1e-5 {{ stop; }}
            output angle = bearing.angle;
            output lift = guide.position - b;
            {REPORTED}
        }}"
    )
}

#[test]
fn an_undercut_cam_is_reported_at_the_closed_forms_angle() {
    for formulation in FORMULATIONS {
        for (base, height) in [(0.04, 0.02), (0.02, 0.008), (0.0302, 0.0086), (0.0298, 0.0086)] {
            let mechanism = compiled(&made(base, height), formulation);
            let run = Simulation::new(&mechanism).duration(TAU / 20.0).integrator(PRECISE);
            let recording = run.run().unwrap_or_else(|e| panic!("{formulation:?}, {base}: {e}"));
            let cosine = (1e-5 - base - height / 2.0) / (4.0 * height);
            if cosine < -1.0 {
                assert_eq!(recording.events().stop(), None, "{formulation:?}, {base}");
                continue;
            }
            assert_eq!(recording.events().stop(), Some("undercut"), "{formulation:?}, {base}");
            let angle = recording.output("angle").expect("it is declared").last().copied().expect("it ends");
            let expected = cosine.acos() / 3.0;
            assert!((angle - expected).abs() < 1e-8, "{formulation:?}, {base}: {angle}, not {expected}");
        }
    }
}

/// A plate with waves A cos(k s) slides below a roller that is larger than the hollows are: it is undercut where 1/r = f″/w³, and rows are
/// singular there; the event occurs a tenth of 1/r before. The plate is then at −s + r f′/w, w = √(1 + f′²).
#[test]
fn a_roller_too_large_for_a_hollow_is_reported() {
    let text = "pub planar Waves {
        body plate { mass: 1, inertia: 0.1 }
        body follower { mass: 0.4, inertia: 1e-3, position: [0, 0.02] }
        joint rail = prismatic(ground, plate) { axis: [1, 0] };
        joint guide = prismatic(ground, follower) { axis: [0, 1] };
        curve top(s) on plate = [s, 0.004 * cos(120 * s)];
        curve rim on follower = circle(0.02);
        joint contact = cam(top, rim) { second: -PI / 2 };
        drive slide = rail.position == -0.6 * t;
        event undercut = when contact.relative_curvature < 0.1 * rim.curvature(contact.second) { stop; }
        output place = rail.position;
    }";
    let derivative = |s: f64| -0.48 * (120.0 * s).sin();
    let margin = |s: f64| 50.0 + 57.6 * (120.0 * s).cos() / derivative(s).hypot(1.0).powi(3) - 5.0;
    // Curvature changes its sign once between the crest and the hollow.
    let (mut low, mut high) = (0.0, std::f64::consts::PI / 120.0);
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        if margin(middle) > 0.0 { low = middle } else { high = middle }
    }
    let expected = -low + 0.02 * derivative(low) / derivative(low).hypot(1.0);
    for formulation in FORMULATIONS {
        let mechanism = compiled(text, formulation);
        let run = Simulation::new(&mechanism).duration(0.1).integrator(PRECISE);
        let recording = run.run().unwrap_or_else(|e| panic!("{formulation:?}: {e}"));
        assert_eq!(recording.events().stop(), Some("undercut"), "{formulation:?}");
        let position = recording.output("place").expect("it is declared").last().copied().expect("it ends");
        assert!((position - expected).abs() < 1e-10, "{formulation:?}: {position}, not {expected}");
    }
}

/// Without undercutting the radius of curvature is that of the lift law, and the pressure angle of a face is zero.
#[test]
fn the_radius_of_a_cam_is_that_of_its_lift() {
    let (base, height) = (0.04, 0.008);
    let expected = |angle: f64| {
        let c = (3.0 * angle).cos();
        let radius = base + height / 2.0 + 4.0 * height * c;
        vec![radius, 1.0 / radius, height / 2.0 * (1.0 - c)]
    };
    let times: Vec<f64> = (0..40).map(|k| 0.0123 * f64::from(k)).collect();
    let expected: Vec<Vec<f64>> = times.iter().map(|t| expected(20.0 * t)).collect();
    for formulation in FORMULATIONS {
        let found = driven(&made(base, height), formulation, &times, &["radius", "bend", "lift"]);
        assert_close(&format!("{formulation:?}"), DRIVEN, &found, &expected);
        let flat = driven(&made(base, height), formulation, &times, &["alpha"]);
        assert!(flat.iter().all(|row| row[0].abs() < 1e-12), "{formulation:?}: {flat:?}");
    }
}

#[test]
fn a_body_without_a_guide_has_no_pressure_angle() {
    let text = "planar Loose {
        body disc { mass: 1, inertia: 1 }
        body plate { mass: 1, inertia: 1, position: [0, 1] }
        joint air = free(ground, plate);
        joint pin = revolute(ground, disc);
        curve rim on disc = circle(1);
        curve face on plate = line([1, 0]);
        curve floor on ground = line([1, 0]);
        joint contact = cam(rim, face);
        joint other = cam(rim, floor) { first: -PI / 2 };
        joint straight = cam(face, rim);
        output a = contact.pressure_angle;
        output b = other.pressure_angle;
        output c = straight.radius;
    }";
    let Err(Failure::Mistakes(shown)) = compile_text("cam.mbs", text, Options::default()) else {
        panic!("it compiles")
    };
    for message in [
        "[MBS040] `contact` has no pressure angle: no single joint determines how `plate` travels",
        "[MBS040] ground does not travel: there is no pressure angle",
        "[MBS030] a straight curve has no radius of curvature",
    ] {
        assert!(shown.contains(message), "{shown}");
    }
}
