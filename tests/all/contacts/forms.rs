//! Contact forces of curves of every form, against equal curves in another form: polynomials and splines as expressions and as terrain, outlines
//! of functions in Rust as ellipses, involutes as the strings that unwind from their circles.

use std::f64::consts::{PI, TAU};

use mbs::Recording;
use mbs::engine::Engine;

use super::{FINE, assert_equal, compiled_with_function, contact_outputs, formulations, run, run_everywhere_with};
use crate::tier::by_tier;

/// Tolerance relative to the largest value: stiff contacts magnify roundings of some 1e-16 m of positions.
const SAME: f64 = 1e-8;

const TIMES: [f64; 4] = [0.0, 0.05, 0.12, 0.2];

const LAW: &str = "stiffness: 1e4, damping: 20, friction: 0.5";

/// A wheel that drives over a road, with declared functions and curves, and a contact.
fn road(declared: &str, contact: &str) -> String {
    format!(
        "planar Road {{
            gravity: [0, -9.81];
            {declared}
            body wheel {{ mass: 2, inertia: 0.05, position: [0.1, 0.4], velocity: [1, 0], angle: 0, rate: 3 }}
            curve rim on wheel = circle(0.3);
            force tyre = {contact} {LAW} }};
            {}
            output x = position(wheel);
            output spin = rate(wheel);
        }}",
        contact_outputs("tyre")
    )
}

/// Asserts that recordings are the known ones, and that there is contact.
fn assert_known(name: &str, found: &[(String, Recording)], known: &[(String, Recording)]) {
    for ((label, found), (_, known)) in found.iter().zip(known) {
        assert_equal(&format!("{name}, {label}"), found, known, SAME);
        let press = known.output("press").expect("it is declared");
        assert!(press.iter().any(|n| *n > 1.0), "{name}, {label}: {press:?} N");
    }
}

const TOUCHING: &str = "curve_contact(road, rim) {";
const ON_TERRAIN: &str = "terrain_contact(ground, wheel) { height: hill, radius: 0.3,";

/// A polynomial as an expression, as terrain, whose nearest point is found by another method, and as the spline through five of its points, which
/// is equal to it.
#[test]
fn polynomials_agree_in_every_form() {
    let rise = |x: f64| 0.05 + 0.2 * x + 0.3 * x * x - 0.1 * x * x * x;
    let points = [-1.0, -0.2, 0.3, 1.1, 2.0];
    let expression = "function hill(s) = 0.05 + 0.2 * s + 0.3 * powi(s, 2) - 0.1 * powi(s, 3);";
    let graph = "curve road(s) on ground = [s, hill(s)] { range: [-1, 2] };";
    let spline = format!("function hill = spline({points:?}, {:?}) {{ ends: not_a_knot }};", points.map(rise));
    let known = run_everywhere_with(FINE, &road(expression, ON_TERRAIN), &TIMES);
    for (name, text) in [
        ("polynomial", road("curve road on ground = polynomial([0.05, 0.2, 0.3, -0.1]);", TOUCHING)),
        ("expression", road(&format!("{expression} {graph}"), TOUCHING)),
        ("spline", road(&format!("{spline} {graph}"), TOUCHING)),
    ] {
        assert_known(name, &run_everywhere_with(FINE, &text, &TIMES), &known);
    }
}

/// The natural spline through three points has a known, piecewise linear second derivative, −6/(2 h²) times the height of the middle one there.
#[test]
fn open_splines_are_their_pieces() {
    let graph = "curve road(s) on ground = [s, hill(s)] { range: [-1, 2] };";
    let spline = "function hill = spline([-1, 0.5, 2], [0, 0.15, 0]);";
    let pieces = "function hill(x) = if x < 0.5 { rise(x + 1) } else { rise(2 - x) };
        function rise(d) = 0.15 * (d - 0.5 * powi(d / 1.5, 3));";
    let found = run_everywhere_with(FINE, &road(&format!("{spline} {graph}"), TOUCHING), &TIMES);
    assert_known("pieces", &found, &run_everywhere_with(FINE, &road(&format!("{pieces} {graph}"), TOUCHING), &TIMES));
    assert_known("terrain", &found, &run_everywhere_with(FINE, &road(spline, ON_TERRAIN), &TIMES));
}

/// A closed outline that rotates on a pin, under a disc.
fn rotating(outline: &str, contact: &str) -> String {
    format!(
        "planar Egg {{
            gravity: [0, -9.81];
            {outline}
            body egg {{ mass: 2, inertia: 0.03, angle: 0.5 }}
            body disc {{ mass: 0.5, inertia: 1e-3, position: [0.04, 0.235], velocity: [0, 0], angle: 0, rate: 0 }}
            joint pin = revolute(ground, egg);
            initial pin.rate = 8;
            curve rim on disc = circle(0.08);
            force blow = curve_contact({contact}) {{ {LAW} }};
            {}
            output x = position(disc);
            output spin = rate(egg);
        }}",
        contact_outputs("blow")
    )
}

/// Contacts with the outline as the first curve and as the second.
const UNDER_A_DISC: [&str; 2] = ["shell, rim", "rim, shell"];

/// A periodic spline through points of a cosine at equal steps h has there −λ times the cosine for its second derivative,
///
/// ```text
/// λ = 6 (1 − cos h)/(h² (2 + cos h))
/// ```
///
/// by the spline's equations (Mₖ₋₁ + 4 Mₖ + Mₖ₊₁) h²/6 = yₖ₋₁ − 2 yₖ + yₖ₊₁: all pieces are known.
#[test]
fn closed_splines_are_their_pieces() {
    let step = TAU / 8.0;
    let points: Vec<f64> = (0..=8).map(|k| step * f64::from(k)).collect();
    let wave = |size: f64, shift: i32| -> Vec<f64> {
        (0..=8).map(|k| size * (step * f64::from((k - shift).rem_euclid(8))).cos()).collect()
    };
    let spline = format!(
        "function outline = spline({points:?}, [{:?}, {:?}]) {{ ends: periodic }};
        curve shell(s) on egg = outline(s) {{ closed: TAU }};",
        wave(0.2, 0),
        wave(0.13, 2)
    );
    let pieces = "const h = TAU / 8;
        const bend = (1 - cos(h)) / (2 + cos(h));                       // λ h²/6
        function piece(u, a, b) = (1 - u) * a + u * b - bend * ((powi(1 - u, 3) - (1 - u)) * a + (powi(u, 3) - u) * b);
        function from(k, u) = piece(u, cos(h * k), cos(h * (k + 1)));
        function wave(x) = from(floor(x), x - floor(x));
        curve shell(s) on egg = [0.2 * wave(s / h), 0.13 * wave(s / h - 2)] { closed: TAU };";
    for contact in &UNDER_A_DISC[..by_tier(1, 2)] {
        let [found, known] =
            [&spline, pieces].map(|outline| run_everywhere_with(FINE, &rotating(outline, contact), &TIMES));
        assert_known(contact, &found, &known);
    }
}

/// Asserts that runs of a text whose function `outline` is bound, in every formulation and by the engine, are those of a text without functions in
/// Rust.
fn assert_bound_outline(
    name: &str,
    [text, known]: [&str; 2],
    outline: impl Fn(&[f64], &mut [f64]) + Copy + Send + Sync + 'static,
) {
    let engine =
        Engine::options().function_of_many("outline", outline).text(text).unwrap_or_else(|e| panic!("{e}\n{text}"));
    let compiled = formulations()
        .into_iter()
        .map(|f| (format!("{f:?}"), run(FINE, &compiled_with_function(text, f, "outline", outline), &TIMES)));
    let found: Vec<(String, Recording)> = compiled.chain([("engine".to_owned(), run(FINE, &engine, &TIMES))]).collect();
    assert_known(name, &found, &run_everywhere_with(FINE, known, &TIMES));
}

/// An ellipse and a road as functions in Rust.
#[test]
fn outlines_of_functions_in_rust_agree_with_built_in_ones() {
    let outline = |s: &[f64], to: &mut [f64]| {
        let (sin, cos) = s[0].sin_cos();
        to.copy_from_slice(&[
            0.2 * cos,
            -0.2 * sin,
            -0.2 * cos,
            0.2 * sin,
            0.13 * sin,
            0.13 * cos,
            -0.13 * sin,
            -0.13 * cos,
        ]);
    };
    let opaque = "function outline(s): [2] opaque(3); curve shell(s) on egg = outline(s) { closed: TAU };";
    for contact in &UNDER_A_DISC[..by_tier(1, 2)] {
        let texts = [rotating(opaque, contact), rotating("curve shell on egg = ellipse(0.2, 0.13);", contact)];
        assert_bound_outline(contact, [&texts[0], &texts[1]], outline);
    }
    // The parameter of the road is not x.
    let outline = |s: &[f64], to: &mut [f64]| {
        let (sin, cos) = (3.0 * s[0]).sin_cos();
        to.copy_from_slice(&[2.0 * s[0], 2.0, 0.0, 0.0, 0.1 * sin, 0.3 * cos, -0.9 * sin, -2.7 * cos]);
    };
    let opaque = "function outline(s): [2] opaque(3); curve road(s) on ground = outline(s) { range: [-0.5, 1] };";
    let texts = [road(opaque, TOUCHING), road("function hill(x) = 0.1 * sin(1.5 * x);", ON_TERRAIN)];
    assert_bound_outline("road", [&texts[0], &texts[1]], outline);
}

/// Two teeth on base circles of radii \[m\] at a distance, with friction.
fn teeth(d: f64, angles: [f64; 2], flanks: &str) -> String {
    let [one, other] = angles;
    format!(
        "planar Teeth {{
            body pinion {{ mass: 1, inertia: 0.002, angle: {one} }}
            body wheel {{ mass: 1, inertia: 0.03, position: [{d}, 0], angle: {other} }}
            joint left = revolute(ground, pinion);
            joint right = revolute(ground at [{d}, 0], wheel);
            initial left.rate = -3;
            initial right.rate = 0.5;
            {flanks}
            force blow = curve_contact(flank, other) {{ stiffness: 1e5, exponent: 1, damping: 10, friction: 0.3, creep: 0.02 }};
            {}
            output spin = rate(wheel);
            output angles = [left.angle, right.angle];
            output rates = [left.rate, right.rate];
            output residual = blow.residual;
        }}",
        contact_outputs("blow")
    )
}

/// Two teeth on base circles of radii r₁ and r₂ at a distance d, which strike each other with friction. Their strings unwind along one line, the
/// common tangent of both circles, of length L between these and at α to the line of centres:
///
/// ```text
/// cos α = (r₁ + r₂)/d      L = d sin α      δ = r₁ (α − θ₁) + r₂ (α + π − θ₂) − L      ℓ₂ = r₂ (α + π − θ₂)      ℓ₁ = L − ℓ₂
/// u = ω₁ ℓ₁ + ω₂ ℓ₂        τ₂ = r₂ N + ℓ₂ F       F = −μ N tanh(u/v₀)
/// ```
///
/// with the friction acting on the surface of the second. The involute as an expression gives equal results. Both run over half a revolution, past
/// cusps.
#[test]
fn involutes_are_strings_between_their_circles() {
    let (r, d): ([f64; 2], f64) = ([0.047, 0.094], 0.15);
    let (mu, creep) = (0.3, 0.02);
    let text = |flanks: &str| teeth(d, [-0.15, 3.2], flanks);
    let formed = text("curve flank on pinion = involute(0.047); curve other on wheel = involute(0.094);");
    let written = text(
        "function unwound(r, s) = r * [cos(s) + s * sin(s), sin(s) - s * cos(s)];
        curve flank(s) on pinion = unwound(0.047, s) { range: [0, PI] };
        curve other(s) on wheel = unwound(0.094, s) { range: [0, PI] };",
    );
    let times: Vec<f64> = (0..=40).map(|k| 1e-3 * f64::from(k)).collect();
    let found = run_everywhere_with(FINE, &formed, &times);
    assert_known("involute", &found, &run_everywhere_with(FINE, &written, &times));
    let alpha = ((r[0] + r[1]) / d).acos();
    let line = d * alpha.sin();
    for (label, recording) in found {
        let column = |name: &str| recording.output(name).unwrap_or_else(|e| panic!("{e}"));
        let (mut worst, mut touched) = ([0.0_f64; 3], 0);
        for i in 0..times.len() {
            let [[one, other], [first, second]] =
                [["angles.x", "angles.y"], ["rates.x", "rates.y"]].map(|names| names.map(|name| column(name)[i]));
            let away = r[1] * (alpha + PI - other);
            let depth = r[0] * (alpha - one) + away - line;
            let slip = first * (line - away) + second * away;
            let press = column("press")[i];
            let torque = press * (r[1] - away * mu * (slip / creep).tanh());
            let off = [column("depth")[i] - depth, column("slip")[i] - slip, column("turned")[i] - torque];
            worst = std::array::from_fn(|k| worst[k].max(off[k].abs()));
            touched += usize::from(press > 1.0);
        }
        println!("{label}: {worst:?}, {touched} in touch");
        assert!(
            worst[0] < 1e-13 && worst[1] < 1e-12 && worst[2] < 1e-10 && touched > 5,
            "{label}: {worst:?}, {touched}"
        );
    }
}

/// Teeth at any point of the line between their circles, of other sizes and pressure angles, apart and in contact: the depth is that of the strings.
#[test]
fn teeth_are_found_where_their_strings_meet() {
    for ([one, other], alpha, part, depth) in [
        ([0.047, 0.094], 0.35_f64, 0.3, 1e-4),
        ([0.05, 0.05], 0.45, 0.6, -2e-4),
        ([0.09, 0.03], 0.3, 0.7, 5e-5),
        ([0.03, 0.09], 0.4, 0.3, 1e-4),
    ] {
        let d = (one + other) / alpha.cos();
        let line = d * alpha.sin();
        let [first, second] = [part * line / one, ((1.0 - part) * line + depth) / other];
        let flanks = format!("curve flank on pinion = involute({one}); curve other on wheel = involute({other});");
        let text = teeth(d, [alpha - first, alpha + PI - second], &flanks);
        for (label, recording) in run_everywhere_with(FINE, &text, &[0.0, 1e-4]) {
            let [found, residual] =
                ["depth", "residual"].map(|name| recording.output(name).expect("it is declared")[0]);
            println!("{label}: {:.1e} m, {residual:.1e} m", found - depth);
            assert!((found - depth).abs() < 1e-13 && residual < 1e-9, "{label}: {found}, not {depth}\n{text}");
        }
    }
}
