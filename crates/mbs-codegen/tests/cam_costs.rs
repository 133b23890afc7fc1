//! What cams cost: operations of the accelerations, beside those of a lift that is a function of time.

use std::fmt::Write as _;

use expect_test::expect;
use mbs_codegen::compile::Options;
use mbs_codegen::compile_text;
use mbs_model::Formulation;

/// A camshaft and a follower on a slide. The follower presses a plunger by a spring.
fn train(follower: &str) -> String {
    format!(
        "pub planar Train {{
            gravity: [0, -9.81];
            param speed = 10; param r = 0.03; param e = 0.01;
            body camshaft {{ mass: 1, inertia: 1e-3 }}
            body follower {{ mass: 0.2, position: [0, 0.04] }}
            body plunger {{ mass: 0.1, position: [0, 0.1] }}
            joint bearing = revolute(ground, camshaft);
            joint guide = prismatic(ground, follower) {{ axis: [0, 1] }};
            joint bore = prismatic(ground, plunger) {{ axis: [0, 1] }};
            force spring = spring_damper(follower, plunger) {{ stiffness: 300, free_length: 0.06, damping: 1 }};
            {follower}
        }}"
    )
}

/// The book's *Numerics* has these figures.
#[test]
fn cams_cost_as_recorded() {
    let turned = |contact: &str| format!("drive turn = bearing.angle == speed * t; {contact}");
    let followers = [
        ("a lift of time", turned("prescribe lift = guide.position == r + e * sin(speed * t);")),
        (
            "an eccentric and a flat face",
            turned(
                "curve lobe on camshaft at [e, 0] = circle(r);
                curve face on follower = line([-1, 0]);
                joint contact = cam(lobe, face) { first: PI / 2 };",
            ),
        ),
        (
            "a lobe and a roller",
            turned(
                "curve lobe(s) on camshaft = (r + e * cos(s)) * [cos(s), sin(s)] { closed: TAU };
                curve wheel on follower = circle(0.01);
                joint contact = cam(lobe, wheel) { first: PI / 2, second: -PI / 2 };",
            ),
        ),
    ];
    let mut table = String::new();
    for (name, follower) in followers {
        let _ = write!(table, "{name}:");
        for formulation in [Formulation::Joint, Formulation::Natural, Formulation::Body] {
            let options = Options { formulation: Some(formulation), ..Options::default() };
            let compiled = compile_text("train.mbs", &train(&follower), options);
            let compiled = compiled.unwrap_or_else(|failure| panic!("{name}: {failure}")).remove(0).0;
            let counts = compiled.function("accelerations").expect("it moves").counts;
            let _ = write!(table, " {formulation:?} {}", counts.operations);
        }
        table.push('\n');
    }
    expect![[r#"
        a lift of time: Joint 16 Natural 190 Body 39
        an eccentric and a flat face: Joint 217 Natural 475 Body 811
        a lobe and a roller: Joint 463 Natural 842 Body 881
    "#]]
    .assert_eq(&table);
}
