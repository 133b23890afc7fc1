//! Initial contact parameters that the text leaves out: after assembly the contact is that of a text which states them.

use std::f64::consts::TAU;

use mbs_codegen::compile_text;
use mbs_compiler::compile::Options;
use mbs_model::Formulation;

use super::{FORMULATIONS, driven};

/// A disc, an ellipse or an outline of splines on a shaft, and a follower above it, with initial contact parameters `starts`.
fn text(lobe: &str, follower: &str, starts: &str) -> String {
    format!(
        "pub planar Start {{
            function outline = spline(
                [0, 1, 2, 3, 4, 5, 6],
                [[0.05, 0.02, -0.03, -0.045, -0.02, 0.03, 0.05], [0, 0.04, 0.036, 0, -0.04, -0.045, 0]]
            ) {{ ends: periodic }};
            body shaft {{ mass: 1, inertia: 0.02, angle: 0.3 }}
            joint bearing = revolute(ground, shaft);
            drive turn = bearing.angle == 0.3;
            curve lobe{lobe};
            {follower}
            joint contact = cam(lobe, face) {{ {starts} }};
            output place = [contact.first, contact.second];
        }}"
    )
}

/// A follower on a guide, at a height \[m\].
fn sliding(height: f64, face: &str) -> String {
    format!(
        "body follower {{ mass: 0.4, inertia: 1e-3, position: [0.005, {height:?}] }}
        joint guide = prismatic(ground at [0.005, 0], follower) {{ axis: [0, 1] }};
        curve face{face};"
    )
}

fn swinging(angle: f64, face: &str) -> String {
    format!(
        "body follower {{ mass: 0.3, inertia: 2e-3, position: [0.1, 0.02], angle: {angle:?} }}
        joint pivot = revolute(ground at [0.1, 0.02], follower);
        marker wheel = follower at [-0.09, 0];
        curve face{face};"
    )
}

#[test]
fn contact_is_found_at_the_declared_start() {
    let disc = "(s) on shaft = [0.012 + 0.04 * cos(s), 0.04 * sin(s)] { closed: TAU }";
    let (ellipse, outline) = (" on shaft = ellipse(0.05, 0.03)", "(s) on shaft = outline(s) { closed: 6 }");
    let (line, roller) = (" on follower = line([1, 0])", " on follower = circle(0.01)");
    let wave = "(s) on follower = [s, 0.001 * cos(90 * s)] { range: [-0.05, 0.05] }";
    let (arm, wheel) = (" on follower = line([-1, 0])", " on wheel = circle(0.01)");
    let cases = [
        // The follower is above, in touch, or overlaps by half of the radius of the disc or of the roller.
        (disc, sliding(0.09, line), "first: 1.2, second: 0", TAU),
        (disc, sliding(0.043, line), "first: 1.2, second: 0", TAU),
        (disc, sliding(0.02, line), "first: 1.2, second: 0", TAU),
        (disc, sliding(0.07, roller), "first: 1.4, second: -1.5", TAU),
        (disc, sliding(0.045, roller), "first: 1.4, second: -1.5", TAU),
        (disc, sliding(0.05, wave), "first: 1.2, second: 0.01", TAU),
        (ellipse, sliding(0.05, line), "first: 1, second: 0", TAU),
        (ellipse, swinging(-0.3, wheel), "first: 1.2, second: 5", TAU),
        (ellipse, swinging(-0.2, wheel), "first: 1.2, second: 5", TAU),
        (ellipse, swinging(-0.3, arm), "first: 1, second: 0.1", TAU),
        (outline, sliding(0.05, line), "first: 1.2, second: 0", 6.0),
        (outline, swinging(-0.3, wheel), "first: 1.2, second: 5", 6.0),
    ];
    for (lobe, follower, starts, period) in &cases {
        let declared = text(lobe, follower, starts);
        let half = text(lobe, follower, starts.split(',').next().unwrap_or_default());
        for formulation in FORMULATIONS {
            let contact_point = |text: &str| driven(text, formulation, &[0.0], &["place.x", "place.y"]).remove(0);
            let expected = contact_point(&declared);
            let nothing = text(lobe, follower, "");
            let one = (formulation == Formulation::Joint).then_some(&half);
            for open in [&nothing].into_iter().chain(one) {
                let found = contact_point(open);
                // Parameters that differ by a period of a closed curve are equal.
                let miss = [(0, *period), (1, if follower.contains("circle") { TAU } else { f64::INFINITY })].map(
                    |(i, period)| {
                        let miss = found[i] - expected[i];
                        if period.is_finite() { miss - period * (miss / period).round() } else { miss }
                    },
                );
                // 1e-9 is the residual of Newton's method for rows of 50 mm.
                assert!(miss.iter().all(|x| x.abs() < 1e-9), "{formulation:?} {open}: {found:?}, not {expected:?}");
            }
        }
    }
}

/// Wheels on roads, and teeth: lines, polynomials and involutes have unbounded or separate parameter ranges.
#[test]
fn forms_are_searched_to_the_size_of_the_mechanism() {
    for (road, x) in [("polynomial([0, 0.2, 0.5])", 0.3), ("line([1, 0.2])", 0.4)] {
        let text = |starts: &str| {
            format!(
                "pub planar Road {{
                    body wheel {{ mass: 1, inertia: 0.1, position: [{x:?}, 0.35] }}
                    joint track = prismatic(ground at [{x:?}, 0], wheel) {{ axis: [0, 1] }};
                    curve road on ground = {road};
                    curve rim on wheel = circle(0.1);
                    joint contact = cam(road, rim) {{ {starts} }};
                    output place = [contact.first, contact.second];
                }}"
            )
        };
        let declared = format!("first: {x:?}, second: -1.3");
        for formulation in FORMULATIONS {
            let contact_point =
                |starts: &str| driven(&text(starts), formulation, &[0.0], &["place.x", "place.y"]).remove(0);
            let (found, expected) = (contact_point(""), contact_point(&declared));
            let miss = [found[0] - expected[0], (found[1] - expected[1] + TAU / 2.0).rem_euclid(TAU) - TAU / 2.0];
            assert!(miss.iter().all(|x| x.abs() < 1e-9), "{formulation:?} {road}: {found:?}, not {expected:?}");
        }
    }
    let teeth = |starts: &str| {
        format!(
            "pub planar Teeth {{
                body pinion {{ mass: 1, inertia: 0.002, angle: -0.15 }}
                body wheel {{ mass: 1, inertia: 0.03, position: [0.15, 0], angle: 3.2 }}
                joint left = revolute(ground, pinion);
                joint right = revolute(ground at [0.15, 0], wheel);
                curve flank on pinion = involute(0.047);
                curve other on wheel = involute(0.094);
                joint contact = cam(flank, other) {{ {starts} }};
                drive turn = left.angle == -0.15;
                output place = [contact.first, contact.second];
            }}"
        )
    };
    for formulation in FORMULATIONS {
        let [found, expected] = ["", "first: 0.5, second: 0.3"]
            .map(|starts| driven(&teeth(starts), formulation, &[0.0], &["place.x", "place.y"]).remove(0));
        let miss = [0, 1].map(|i| found[i] - expected[i]);
        assert!(miss.iter().all(|x| x.abs() < 1e-9), "{formulation:?}: {found:?}, not {expected:?}");
    }
}

/// Compiling a text twice gives identical bits: the guesses are part of the generated code.
#[test]
fn contact_is_found_reproducibly() {
    let text = text(" on shaft = ellipse(0.05, 0.03)", &swinging(-0.3, " on wheel = circle(0.01)"), "");
    let bits = || {
        let (compiled, _) = compile_text("cam.mbs", &text, Options::default()).expect("it compiles").remove(0);
        compiled.checked.q.iter().map(|x| x.to_bits()).collect::<Vec<_>>()
    };
    assert_eq!(bits(), bits());
}
