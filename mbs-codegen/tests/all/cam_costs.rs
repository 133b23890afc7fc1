//! Costs of cams: operations of the accelerations, compared with those of a lift that is a function of time.

use std::fmt::Write as _;

use expect_test::expect;
use mbs_codegen::compile_text;
use mbs_compiler::compile::Options;
use mbs_model::Formulation;

const FORMULATIONS: [Formulation; 3] = [Formulation::Joint, Formulation::Natural, Formulation::Body];

/// Items that move the follower.
const FOLLOWERS: [(&str, &str); 3] = [
    ("a lift of time", "prescribe lift = guide.position == r + e * sin(speed * t);"),
    (
        "an eccentric and a flat face",
        "curve lobe on camshaft at [e, 0] = circle(r);
        curve face on follower = line([-1, 0]);
        joint contact = cam(lobe, face) { first: PI / 2 };",
    ),
    (
        "a lobe and a roller",
        "curve lobe(s) on camshaft = (r + e * cos(s)) * [cos(s), sin(s)] { closed: TAU };
        curve wheel on follower = circle(0.01);
        joint contact = cam(lobe, wheel) { first: PI / 2, second: -PI / 2 };",
    ),
];

/// Items that rotate the camshaft: a drive, and an engine.
const MACHINES: [(&str, &str); 2] = [
    ("a driven shaft", "drive turn = bearing.angle == speed * t;"),
    (
        "an engine",
        "body crank  { mass: 2, inertia: 4e-3 }
        body rod    { mass: 0.5, inertia: 2e-3, com: [0.05, 0] }
        body piston { mass: 0.4, inertia: 1e-4, position: [0, 0.17] }
        joint main  = revolute(ground at [-0.3, 0], crank);
        joint pin   = revolute(crank at [0, 0.04], rod);
        joint wrist = revolute(rod at [0.13, 0], piston);
        joint bore  = prismatic(ground at [-0.3, 0], piston) { axis: [0, 1] };
        joint timing = gear(bearing, main) { ratio: -2 };
        force gas   = mobility(bore) { value: -1e5 * (bore.position - 0.2) };",
    ),
];

/// A camshaft and a follower on a slide. The follower presses a plunger by a spring.
fn train(machine: &str, follower: &str) -> String {
    format!(
        "pub planar Train {{
            gravity: [0, -9.81];
            param speed = 10; param r = 0.03; param e = 0.01;
            body camshaft {{ mass: 1, inertia: 1e-3 }}
            body follower {{ mass: 0.2, inertia: 1e-4, position: [0, 0.04] }}
            body plunger {{ mass: 0.1, inertia: 1e-5, position: [0, 0.1] }}
            joint bearing = revolute(ground, camshaft);
            joint guide = prismatic(ground, follower) {{ axis: [0, 1] }};
            joint bore_of_plunger = prismatic(ground, plunger) {{ axis: [0, 1] }};
            force spring = spring_damper(follower, plunger) {{ stiffness: 300, free_length: 0.06, damping: 1 }};
            {machine}
            {follower}
        }}"
    )
}

fn operations(text: &str, formulation: Formulation) -> usize {
    let options = Options { formulation: Some(formulation), ..Options::default() };
    let compiled = compile_text("train.mbs", text, options).unwrap_or_else(|failure| panic!("{failure}")).remove(0).0;
    compiled.function("accelerations").expect("it moves").counts.operations
}

/// The chapter *Numerics* of the book cites these figures.
#[test]
fn cams_cost_as_recorded() {
    let mut table = String::new();
    for (machine, drive) in MACHINES {
        for (name, follower) in FOLLOWERS {
            let _ = write!(table, "{machine}, {name}:");
            for formulation in FORMULATIONS {
                let _ = write!(table, " {formulation:?} {}", operations(&train(drive, follower), formulation));
            }
            table.push('\n');
        }
    }
    expect![[r#"
        a driven shaft, a lift of time: Joint 16 Natural 75 Body 26
        a driven shaft, an eccentric and a flat face: Joint 88 Natural 191 Body 174
        a driven shaft, a lobe and a roller: Joint 228 Natural 345 Body 295
        an engine, a lift of time: Joint 104 Natural 210 Body 134
        an engine, an eccentric and a flat face: Joint 204 Natural 327 Body 305
        an engine, a lobe and a roller: Joint 341 Natural 480 Body 427
    "#]]
    .assert_eq(&table);
}
