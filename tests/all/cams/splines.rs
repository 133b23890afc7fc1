//! Curves of cubic splines, open and closed, against derivatives of the splines.

use mbs::{Beyond, CubicSpline, Ends};

use super::{DRIVEN, FORMULATIONS, assert_close, driven};

/// A plate slides to the left at 0.6 m/s below a roller of 8 mm, whose position follows from the contact parameter s, with f of the spline:
///
/// ```text
/// X = −s + r f′/w     y = f + r/w     y′ = −f′     y″ = f″/(1 − r f″/w³)     w = √(1 + f′²)
/// ```
#[test]
fn a_spline_of_points_lifts_a_roller() {
    let (x, y) = ([0.0, 0.03, 0.06, 0.1, 0.14, 0.18], [0.0, 0.002, 0.012, 0.015, 0.006, 0.004]);
    let text = format!(
        "pub planar Plate {{
            function height = spline({x:?}, {y:?});
            body plate {{ mass: 1, inertia: 0.1 }}
            body follower {{ mass: 0.4, inertia: 1e-3, position: [0, 0.01] }}
            joint rail = prismatic(ground, plate) {{ axis: [1, 0] }};
            joint guide = prismatic(ground, follower) {{ axis: [0, 1] }};
            curve top(s) on plate = [s, height(s)];
            curve rim on follower = circle(0.008);
            joint contact = cam(top, rim) {{ first: 0.005, second: -PI / 2 }};
            drive slide = rail.position == -0.6 * t;
            output place = contact.first;
            output lift = guide.position;
            output speed = guide.speed;
            output acceleration = guide.acceleration;
        }}"
    );
    let spline = CubicSpline::fit(x, [y], Ends::Natural, Beyond::Linear).expect("it joins");
    let (mut times, mut expected) = (Vec::new(), Vec::new());
    for k in 0..40 {
        let s = 0.006 + 0.0041 * f64::from(k);
        let [f, f_1, f_2, _] = spline.derivatives(s);
        let w = f_1.hypot(1.0);
        times.push((s - 0.008 * f_1 / w) / 0.6);
        let acceleration = 0.36 * f_2 / (1.0 - 0.008 * f_2 / w.powi(3));
        expected.push(vec![s, f + 0.008 / w, 0.6 * f_1, acceleration]);
    }
    for formulation in FORMULATIONS {
        let found = driven(&text, formulation, &times, &["place", "lift", "speed", "acceleration"]);
        assert_close(&format!("{formulation:?}"), DRIVEN, &found, &expected);
    }
}

/// Two revolutions of ρ(s) [cos s, sin s] with a periodic spline ρ below a flat face. The radius to the contact at s is at the angle φ to the
/// face:
///
/// ```text
/// θ + s = φ     tan φ = −ρ/ρ′     y = ρ sin φ     y′ = ρ cos φ     y″ = (ρ cos φ)′ s′     s′ = −1/(1 + (ρ′² − ρ ρ″)/(ρ² + ρ′²))
/// ```
#[test]
fn a_closed_spline_lifts_a_face() {
    let rho = [0.04, 0.042, 0.046, 0.05, 0.047, 0.042, 0.04];
    let text = format!(
        "pub planar Closed {{
            function rho = spline([0, 1, 2, 3, 4, 5, TAU], {rho:?}) {{ ends: periodic }};
            body shaft {{ mass: 1, inertia: 0.02 }}
            body follower {{ mass: 0.4, inertia: 1e-3, position: [0, 0.04] }}
            joint bearing = revolute(ground, shaft);
            joint guide = prismatic(ground, follower) {{ axis: [0, 1] }};
            curve lobe(s) on shaft = rho(s) * [cos(s), sin(s)] {{ closed: TAU }};
            curve face on follower = line([1, 0]);
            joint contact = cam(lobe, face) {{ first: PI / 2 }};
            drive turn = bearing.angle == 30 * t;
            output place = contact.first;
            output aside = contact.second;
            output lift = guide.position;
            output speed = guide.speed;
            output acceleration = guide.acceleration;
        }}"
    );
    let at = [0.0, 1.0, 2.0, 3.0, 4.0, 5.0, std::f64::consts::TAU];
    let spline = CubicSpline::fit(at, [rho], Ends::Periodic, Beyond::Cubic).expect("it joins");
    let (mut times, mut expected) = (Vec::new(), Vec::new());
    for k in 0..50 {
        let s = 1.5 - 0.25 * f64::from(k);
        let [rho, rho_1, rho_2, _] = spline.derivatives(s);
        let w2 = rho * rho + rho_1 * rho_1;
        // φ is near a right angle: revolutions are counted by s.
        let phi = rho.atan2(-rho_1);
        let (lift, aside) = (rho * phi.sin(), rho * phi.cos());
        let factor = (rho_1 * rho_1 - rho * rho_2) / w2;
        let numerator = rho_1 * phi.cos() + rho * phi.sin() * factor;
        times.push((phi - s) / 30.0);
        expected.push(vec![s, aside, lift, 30.0 * aside, -900.0 * numerator / (1.0 + factor)]);
    }
    for formulation in FORMULATIONS {
        let found = driven(&text, formulation, &times, &["place", "aside", "lift", "speed", "acceleration"]);
        assert_close(&format!("{formulation:?}"), DRIVEN, &found, &expected);
    }
}
