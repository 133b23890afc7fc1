//! Costs of joints whose kinds the text declares.

use mbs_codegen::compile_text;
use mbs_compiler::compile::{Compiled, Options};
use mbs_model::Formulation;

/// Thigh and shank, joined by a knee whose translations follow its angle by splines, or by a pin.
fn leg(space: &str, knee: &str) -> String {
    let (tensor, hip, pose, at) = match space {
        "planar" => {
            ("0.13", "revolute(ground, thigh)", "rotation: turn, translation: [slide(turn), drop(turn)]", "[0, 0]")
        }
        _ => (
            "[0.13, 0.035, 0.14]",
            "revolute(ground, thigh)",
            "rotation: [0, 0, turn], translation: [slide(turn), drop(turn), 0]",
            "[0, 0, 0]",
        ),
    };
    let down = |y: f64| if space == "planar" { format!("[0, {y}]") } else { format!("[0, {y}, 0]") };
    format!(
        "pub {space} Leg {{
            gravity: {gravity};
            function slide = spline([-2.1, -1.4, -0.7, 0, 0.2], [-0.0032, 0.0041, 0.0021, -0.0048, -0.0052]);
            function drop = spline([-2.1, -1.2, -0.5, 0, 0.2], [-0.4226, -0.4082, -0.399, -0.3959, -0.3953]);
            joint kind Knee(a, b) {{ coordinate turn: angle; pose {{ {pose} }} }}
            body thigh {{ mass: 9.3, inertia: {tensor}, com: {thigh} }}
            body shank {{ mass: 3.7, inertia: {tensor}, com: {shank} }}
            joint hip = {hip};
            joint knee = {knee};
            force flex = torque(thigh, shank at {at}) {{ torque: {torque} }};
        }}",
        gravity = down(-9.81),
        thigh = down(-0.17),
        shank = down(-0.19),
        torque = if space == "planar" { "3" } else { "[0, 0, 3] in shank" },
    )
}

fn compiled(text: &str) -> Compiled {
    let options = Options { formulation: Some(Formulation::Joint), ..Options::default() };
    compile_text("leg", text, options).unwrap_or_else(|failure| panic!("{failure}")).remove(0).0
}

/// Forward dynamics of a leg that floats in space: with a knee by splines it needs at most 1.3 times the operations as with a pin. Values of
/// splines are calls, which are counted separately. In the plane, and on a hip in space, equations with the pin are so short that no knee is
/// within this limit: written by hand in absolute angles, derivatives and bias of the two translations add 28 operations to the 38 of the hip in
/// the plane, and 42 to the 90 of the leg that floats.
#[test]
fn a_knee_costs_little_more_than_a_pin() {
    let counted = |space: &str, hip: &str, pin: &str| {
        ["Knee(thigh, shank)", pin].map(|knee| {
            let text = leg(space, knee).replace("revolute(ground, thigh)", hip);
            compiled(&text).function("accelerations").expect("it is always emitted").counts.operations
        })
    };
    let hips =
        |space: &str, pin: &str| ["free", "revolute"].map(|hip| counted(space, &format!("{hip}(ground, thigh)"), pin));
    let space = hips("spatial", "revolute(thigh at [0, -0.4, 0], shank)");
    let plane = hips("planar", "revolute(thigh at [0, -0.4], shank)");
    assert!(10 * space[0][0] <= 13 * space[0][1], "{space:?}");
    expect_test::expect!["[[386, 299], [95, 30]] [[197, 90], [128, 38]]"].assert_eq(&format!("{space:?} {plane:?}"));
}
