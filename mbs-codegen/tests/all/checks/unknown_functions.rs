//! Checks of mechanisms whose poses and rows contain functions written in Rust: messages, and the start of a run.

use expect_test::expect;
use mbs_codegen::{Failure, compile_text};
use mbs_compiler::compile::{Compiled, Options};
use mbs_model::Formulation;

use crate::checks::checked::{FORMULATIONS, planar};

fn compile(text: &str, formulation: Formulation) -> Result<Compiled, String> {
    match compile_text("m.mbs", text, Options { formulation: Some(formulation), ..Options::default() }) {
        Ok(mut list) => Ok(list.remove(0).0),
        Err(Failure::Mistakes(text)) => Err(text.lines().next().unwrap_or_default().to_owned()),
        Err(other) => panic!("{other}"),
    }
}

/// First lines of the messages in body and in joint coordinates.
fn mistakes(items: &str) -> [String; 2] {
    FORMULATIONS.map(|f| compile(&planar(items), f).err().unwrap_or_default())
}

/// The first line of the messages, which are equal in both formulations.
fn mistake(items: &str) -> String {
    let [body, joint] = mistakes(items);
    assert_eq!(body, joint, "{items}");
    joint
}

/// A bead on a curve.
const BEAD: &str = "function f: opaque(2); function g: opaque(2); particle bead { mass: 1, position: [1, 0] }
    constraint wire = position(bead).y == f(position(bead).x);";

/// A leg with a knee whose pose the text declares.
fn leg(rotation: &str, items: &str) -> String {
    format!(
        "function f: opaque(2);
        joint kind Knee(a, b) {{ coordinate q: angle = 0.3; pose {{ rotation: {rotation}, translation: [0.3, f(q)] }} }}
        body thigh {{ mass: 1, inertia: 1 }} body shank {{ mass: 1, inertia: 1 }}
        joint hip = revolute(ground, thigh); joint knee = Knee(thigh at [1, 0], shank); {items}"
    )
}

/// Two bodies; a function prescribes the rotation of the first.
fn prescribed(items: &str) -> String {
    format!(
        "function f: opaque(2); body arm {{ mass: 1, inertia: 1 }} body hand {{ mass: 1, inertia: 1 }}
        joint pin = revolute(ground, arm); joint wrist = revolute(arm at [1, 0], hand at [-1, 0]);
        prescribe turning = pin.angle == f(t); {items}"
    )
}

const FOOT: &str = "body foot { mass: 1, inertia: 1 } joint ankle = revolute(shank at [1, 0], foot);";

#[test]
fn properties_of_almost_all_functions_are_checked() {
    let all = [
        format!("{BEAD} constraint other = 2 * position(bead).y == 2 * f(position(bead).x);"),
        format!(
            "{BEAD} constraint other = position(bead).y == g(position(bead).x); constraint more = position(bead).y == 3;"
        ),
        format!("{BEAD} freedoms: 1;"),
        leg("q", "").replace("body shank { mass: 1, inertia: 1 }", "body shank {}"),
        leg("f(1)", "").replace("[0.3, f(q)]", "[0.3, 0]"),
    ];
    expect![[r#"
        error: [MBS060] constraint `other` is redundant: `wire` constrains the same already
        error: [MBS060] constraint `more` is redundant: `wire` and `other` constrain the same already

        error: [MBS064] body `shank` can move without mass: its acceleration is undetermined
        error: [MBS064] a coordinate of joint `knee` moves nothing: its acceleration is undetermined"#]]
    .assert_eq(&all.map(|text| mistake(&text)).join("\n"));
}

#[test]
fn conditions_on_values_are_left_to_the_run() {
    for items in [
        format!("{BEAD} freedoms: 1;"),
        // Two curves may cross somewhere.
        format!("{BEAD} constraint other = position(bead).y == g(position(bead).x); freedoms: 0;"),
        format!("{BEAD} drive lead = rate(position(bead).x) == g(t); freedoms: 1;"),
        // It closes for some functions.
        leg("f(2 * q)", &format!("{FOOT} joint sole = revolute(foot at [1, 0], ground at [2, 0.5]); freedoms: 1;")),
        leg("f(2 * q)", &format!("{FOOT} joint sole = revolute(foot at [1, 0], ground at [9, 0.5]); freedoms: 1;")),
        leg("f(2 * q)", &format!("{FOOT} joint sole = fixed(foot at [1, 0], ground at [2, 0.5]); freedoms: 0;")),
        // A guess cannot move a prescribed coordinate.
        prescribed(
            "initial pin.angle ~ 0.3; initial pin.rate ~ 0.3; initial position(hand).y ~ 0.3; initial velocity(hand).y ~ 0.3;",
        ),
        leg("1 / f(q)", ""),
        leg("ln(f(q)) + acos(f(2 * q)) + sqrt(f(0))", ""),
    ] {
        assert_eq!(mistake(&items), "", "{items}");
    }
}

/// The contradiction exists for any function.
#[test]
fn initial_values_that_contradict_known_rows_are_refused_next_to_unknown_rows() {
    let found = mistake(&prescribed("constraint other = angle(hand) == 0.2; initial angle(hand) = 0.5;"));
    expect!["error: [MBS063] `initial angle(hand)` contradicts `other`: it misses by 0.3"].assert_eq(&found);
}

#[test]
fn mbs068_no_value_with_the_stand_in_of_a_function() {
    let bead = mistake(&BEAD.replace("== f(", "== sqrt(f(position(bead).x) - 3) + f("));
    let [body, joint] = mistakes(&leg("sqrt(f(q) - 3)", ""));
    expect![[r#"
        error: [MBS068] `wire` has no finite value at what stands for `f`, which the compiler cannot call
        error: [MBS068] `knee.angle` has no finite value at what stands for `f`, which the compiler cannot call
        error: [MBS068] joint `knee` has no finite value at what stands for `f`, which the compiler cannot call"#]]
    .assert_eq(&[bead, body, joint].join("\n"));
}

/// Known redundant rows are removed as usual, unknown ones remain.
#[test]
fn redundant_rows_are_removed_next_to_unknown_rows() {
    let text = planar(
        "redundant: resolve; function f: opaque(2);
        body cart { mass: 1, inertia: 1 } joint rail = prismatic(ground, cart) { axis: [1, 0] };
        joint guide = prismatic(ground at [0, 1], cart at [0, 1]) { axis: [1, 0], cut: true };
        particle bead { mass: 1, position: [1, 0] }
        constraint wire = position(bead).y == f(position(bead).x) + position(cart).x;
        constraint same = position(bead).y == f(position(bead).x) + position(cart).x + 0 * t;",
    );
    let once =
        text.replace("constraint same", "output same").replace("== f(position(bead).x) + position(cart).x + 0 * t", "");
    for formulation in FORMULATIONS {
        let compiled = compile(&once, formulation).unwrap();
        let names: Vec<&str> = compiled.tree.redundant.rows.iter().map(|row| row.name.as_str()).collect();
        assert_eq!((names, compiled.checked.freedoms), (vec!["guide.normal", "guide.angle"], 2));
        assert!(compile(&text, formulation).err().unwrap().contains("[MBS060] constraint `same` is redundant"));
    }
}

/// Start value and speed of a coordinate, by name.
fn start_of(compiled: &Compiled, name: &str) -> [f64; 2] {
    let Compiled { model, tree, checked, speeds, .. } = compiled;
    let i = (0..tree.interface.len()).find(|i| tree.coordinate_name(model, *i) == name);
    let i = i.unwrap_or_else(|| panic!("no coordinate `{name}`"));
    [checked.q[i], speeds[i]]
}

/// In joint coordinates the start has the declared values of coordinates; in body coordinates it has the declared poses of bodies.
#[test]
fn motion_starts_as_declared_where_poses_are_unknown() {
    let start = "initial hip.rate = 2; initial ankle.angle = 0.2; initial knee.q ~ 0.4; initial rate(knee.q) = 0.7;";
    let compiled = compile(&planar(&leg("f(q)", &format!("{FOOT} {start}"))), Formulation::Joint).unwrap();
    assert_eq!(start_of(&compiled, "hip.angle"), [0.0, 2.0]);
    assert_eq!(start_of(&compiled, "knee.q"), [0.4, 0.7]);
    assert!((start_of(&compiled, "ankle.angle")[0] - 0.2).abs() < 1e-15);
    // Without a declaration, the kind determines the start.
    let compiled = compile(&planar(&leg("f(q)", FOOT)), Formulation::Joint).unwrap();
    assert_eq!([start_of(&compiled, "knee.q")[0], start_of(&compiled, "ankle.angle")[0]], [0.3, 0.0]);

    let declared = leg("f(q)", FOOT).replace("body foot {", "body foot { position: [2, 0.5], angle: 0.6,");
    let compiled = compile(&planar(&declared), Formulation::Body).unwrap();
    let pose = ["foot.angle", "knee.q"].map(|name| start_of(&compiled, name)[0]);
    assert_eq!(pose, [0.6, 0.3]);
}
