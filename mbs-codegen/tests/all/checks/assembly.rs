//! Poses that do not assemble: the named element and its residual, which are equal in both formulations.

use expect_test::{Expect, expect};

use crate::checks::checked::{messages, rendered, rendered_text, spatial};

const BODY: &str = "body b { mass: 1, inertia: 1 }";

/// A four-bar with bars of 1 m and a distance `gap` between the fixed pivots.
fn four_bar(gap: f64) -> String {
    format!(
        "body a {{ mass: 1, inertia: 1, angle: 1 }}
body b {{ mass: 1, inertia: 1, angle: 0 }}
body c {{ mass: 1, inertia: 1, angle: 1 }}
joint p = revolute(ground, a);
joint q = revolute(a at [1, 0], b);
joint r = revolute(b at [1, 0], c at [1, 0]);
joint s = revolute(ground at [{gap}, 0], c);"
    )
}

fn check(items: &str, expected: &Expect) {
    expected.assert_eq(&messages(items));
}

#[test]
fn mbs063_shown_at_the_joint() {
    expect![[r#"
        error: [MBS063] `M` does not assemble: joint `r` misses by 2 m at best
         --> m.mbs:7:7
          |
        7 | joint r = revolute(b at [1, 0], c at [1, 0]);
          |       ^
          |
          = help: check lengths, or declare poses nearer to an assembled one (`angle: …`, `position: …`)"#]]
    .assert_eq(&rendered(&four_bar(5.0)));
}

#[test]
fn lengths_that_cannot_meet() {
    check(
        &four_bar(3.2),
        &expect![[r#"
        [MBS063] `M` does not assemble: joint `r` misses by 0.2 m at best
        = help: check lengths, or declare poses nearer to an assembled one (`angle: …`, `position: …`)"#]],
    );
    let rods = |x: f64| {
        format!(
            "particle a {{ mass: 1, position: [1, 0.1] }} joint p = distance(ground, a) {{ length: 1 }};
            joint q = distance(ground at [{x}, 0], a) {{ length: 1 }};"
        )
    };
    check(&rods(1.9), &expect![[""]]);
    check(
        &rods(4.0),
        &expect![[r#"
        [MBS063] `M` does not assemble: joint `q` misses by 2 m at best
        = help: check lengths, or declare poses nearer to an assembled one (`angle: …`, `position: …`)"#]],
    );
    check(
        &format!("{BODY} joint a = revolute(ground, b); constraint reach = position(b at [1, 0]).y == 3;"),
        &expect![[r#"
        [MBS063] `M` does not assemble: constraint `reach` misses by 2 at best
        = help: check lengths, or declare poses nearer to an assembled one (`angle: …`, `position: …`)"#]],
    );
}

#[test]
fn elements_that_contradict() {
    check(
        &format!(
            "{BODY} joint a = prismatic(ground, b) {{ axis: [1, 0] }}; joint c = prismatic(ground at [0, 0.1], b) {{ axis: [1, 0] }};"
        ),
        &expect![[r#"
            [MBS063] joint `c` contradicts `a`: it misses by 0.1 m
            = help: remove it, or make it agree"#]],
    );
    check(
        &format!("{BODY} joint a = revolute(ground, b); drive d = a.angle == t; drive e = a.angle == 2 * t + 1;"),
        &expect![[r#"
            [MBS063] drive `e` contradicts `d`: it misses by 1
            = help: remove it, or make it agree"#]],
    );
    check(
        &format!("{BODY} joint a = prismatic(ground, b) {{ axis: [1, 0] }}; constraint d = position(b).y == 0.2;"),
        &expect![[r#"
            [MBS063] constraint `d` contradicts `a`: it misses by 0.2
            = help: remove it, or make it agree"#]],
    );
    check(
        &format!("{BODY} joint a = revolute(ground, b); joint f = fixed(ground at [1, 0], b) {{ angle: 1 }};"),
        &expect![[r#"
            [MBS063] joint `f` contradicts `a`: it misses by 1 m
            = help: remove it, or make it agree"#]],
    );
    check(
        &format!(
            "{BODY} body w {{ mass: 1, inertia: 1 }} joint p = revolute(ground, b); joint q = revolute(ground at [1, 0], w);
            joint g = gear(p, q) {{ ratio: 2 }}; joint h = gear(p, q) {{ ratio: 2, offset: 0.1 }};"
        ),
        &expect![[r#"
            [MBS063] joint `h` contradicts `g`: it misses by 0.1 rad
            = help: remove it, or make it agree"#]],
    );
}

#[test]
fn initial_conditions_that_cannot_be_satisfied() {
    let pin = format!("{BODY} joint a = revolute(ground, b);");
    check(
        &format!("{pin} initial position(b at [1, 0]).y = 2;"),
        &expect![[r#"
            [MBS063] `M` does not assemble: `initial position(b at [1, 0]).y` cannot be reached, it misses by 1 at best
            = help: write `~` for a guess, or a value within reach"#]],
    );
    check(
        &format!("{pin} drive d = a.angle == 0.3; initial a.angle = 0.5;"),
        &expect![[r#"
            [MBS063] `initial a.angle` contradicts `d`: it misses by 0.2
            = help: write `~` for a guess, or a value that agrees"#]],
    );
    check(
        &format!("{pin} initial a.angle = 0.5, angle(b) = 0.6;"),
        &expect![[r#"
            [MBS063] `initial angle(b)` contradicts `initial a.angle`: it misses by 0.1
            = help: write `~` for a guess, or a value that agrees"#]],
    );
    // Conditions that constraints imply are allowed; a guess may be wrong.
    check(&format!("{pin} drive d = a.angle == 0.3; initial a.angle = 0.3;"), &expect![[""]]);
    check(&format!("{pin} drive d = a.angle == 0.3; initial a.angle ~ 0.5;"), &expect![[""]]);
}

#[test]
fn initial_speeds_that_cannot_be_satisfied() {
    let pin = format!("{BODY} joint a = revolute(ground, b);");
    check(
        &format!("{pin} drive d = a.angle == 0.3 + 2 * t; initial a.rate = 0.5;"),
        &expect![[r#"
        [MBS063] `initial a.rate` asks for 0.5, but joints, drives or earlier conditions make it 2
        = help: write `~` for a guess, or leave it out"#]],
    );
    check(
        &format!("{pin} initial a.rate = 0.5, velocity(b at [1, 0]).y = -0.7;"),
        &expect![[r#"
        [MBS063] `initial velocity(b at [1, 0]).y` asks for -0.7, but joints, drives or earlier conditions make it 0.5
        = help: write `~` for a guess, or leave it out"#]],
    );
    check(
        &format!("{BODY} joint a = prismatic(ground, b) {{ axis: [1, 0] }}; initial rate(b) = 0.5;"),
        &expect![[r#"
            [MBS063] `initial rate(b)` asks for 0.5, but joints, drives or earlier conditions make it 0
            = help: write `~` for a guess, or leave it out"#]],
    );
    // Conditions that rows imply, guesses, and conditions on free speeds are allowed.
    for agrees in [
        "drive d = a.angle == 0.3 + 2 * t; initial a.rate = 2;",
        "drive d = a.angle == 0.3 + 2 * t; initial a.rate ~ 0.5;",
        "initial a.angle = 0.3, a.rate = 0.5, rate(b) = 0.5;",
        "initial norm(velocity(b at [1, 0])) ~ 3;",
    ] {
        check(&format!("{pin} {agrees}"), &expect![[""]]);
    }
}

#[test]
fn equations_without_a_value() {
    check(
        "particle a { mass: 1, position: [-1, 0] } constraint c = sqrt(position(a).x) == 1;",
        &expect![[r#"
        [MBS063] `M` does not assemble: constraint `c` has no finite value or derivative at the declared poses
        = help: declare poses where it is defined (`angle: …`, `position: …`)"#]],
    );
    check(
        &format!("{BODY} joint a = revolute(ground, b); constraint c = 1 / angle(b) == 2;"),
        &expect![[r#"
        [MBS063] `M` does not assemble: constraint `c` has no finite value or derivative at the declared poses
        = help: declare poses where it is defined (`angle: …`, `position: …`)"#]],
    );
    check(
        "particle a { mass: 1 } joint f = free(ground, a); initial norm(position(a)) = 1;",
        &expect![[r#"
            [MBS063] `M` does not assemble: at the declared poses no direction leads towards `initial norm(position(a))`
            = help: declare other poses: `angle: …`, `position: …`"#]],
    );
    // The rod's gradient vanishes where its ends coincide.
    check(
        "particle a { mass: 1 } joint rod = distance(ground, a) { length: 1 };",
        &expect![[r#"
            [MBS063] `M` does not assemble: at the declared poses no direction leads towards joint `rod`
            = help: declare other poses: `angle: …`, `position: …`"#]],
    );
    // Here the gradient vanishes up to rounding, for which both sides once gave different messages.
    let apart = "particle light { mass: 1, position: [0.2333333333333333, 0, 1] }
        particle heavy { mass: 2, position: [0.2333333333333333, 0, 1] }
        joint rod = distance(light, heavy) { length: 0.7 };";
    expect![[r#"
        error: [MBS063] `M` does not assemble: at the declared poses no direction leads towards joint `rod`
         --> m.mbs:4:15
          |
        4 |         joint rod = distance(light, heavy) { length: 0.7 };
          |               ^^^
          |
          = help: declare other poses: `angle: …`, `position: …`"#]]
    .assert_eq(&rendered_text(&spatial(apart)));
    let far = "particle a { mass: 1, position: [1, 0] } joint rod = distance(ground, a) { length: 1e9 };";
    check(
        far,
        &expect![[r#"
        [MBS063] `M` does not assemble: at the declared poses no direction leads towards joint `rod`
        = help: declare other poses: `angle: …`, `position: …`"#]],
    );
}

#[test]
fn undeclared_poses_follow_from_the_joints() {
    check(
        "body a { mass: 1, inertia: 1 } body b { mass: 1, inertia: 1 } body c { mass: 1, inertia: 1 }
        joint p = revolute(ground, a); joint q = revolute(a at [1, 0], b); joint r = prismatic(b at [1, 0], c) { axis: [0, 1] };
        initial p.angle = 0.3, q.angle = 0.4, r.position = 0.5; freedoms: 3;",
        &expect![[""]],
    );
}

/// A slide that starts from a body in body coordinates closes a loop of the tree by which poses are assembled.
#[test]
fn assembled_poses_do_not_depend_on_coordinates_of_bodies() {
    let text = super::checked::planar(
        "body a { mass: 1, inertia: 1, position: [0, 0], angle: 0 } body b { mass: 1, inertia: 1, position: [0, 0], angle: 0 }
        body c { mass: 1, inertia: 1, position: [0, 0], angle: 0, coordinates: body }
        joint p = prismatic(ground, a) { axis: [1, 0] }; joint q = revolute(a, b); joint base = free(ground, c);
        joint r = prismatic(c, b at [0.05, 0]) { axis: [1, 0] };",
    );
    let found =
        super::checked::checked(&text, mbs_model::Formulation::Joint).unwrap_or_else(|errors| panic!("{errors}"));
    // c is where it is declared, a and b at zero, so that the slide is out by 0.05.
    let mut expected = vec![0.0; found.q.len()];
    expected[found.q.len() - 1] = 0.05;
    assert_eq!(found.q, expected);
}

/// If a pin determines the pose of an undeclared body, a free joint does not.
#[test]
fn undeclared_bodies_follow_pins_rather_than_free_joints() {
    let text = super::checked::planar(
        "body a { mass: 1, inertia: 1, angle: 0 } body b { mass: 1, inertia: 1, angle: -0.1 }
        body c { mass: 1, inertia: 1, position: [3, 0], angle: 0 }
        joint hook = revolute(ground, a); joint held = revolute(ground, c at [-3, 0]);
        joint air = free(b, c); joint pin = revolute(a at [1, 0], b);",
    );
    let found =
        super::checked::checked(&text, mbs_model::Formulation::Body).unwrap_or_else(|errors| panic!("{errors}"));
    assert_eq!(found.q, [0.0, 0.0, 0.0, 1.0, 0.0, -0.1, 3.0, 0.0, 0.0]);
}

/// The rotation about the centre of mass has no inertia. Mass-weighted steps therefore once moved it 1e12 m away, where rounding hid that
/// nothing was assembled, or to a pose without any inertia of the rotation.
#[test]
fn assembly_does_not_lead_far_away() {
    check(
        "joint kind Glide(a, b, g) { coordinate p: [2]; coordinate turn: angle = 0.1;
            pose { rotation: turn + 0.2 * p[0], translation: [p[0], p[1] + g * sin(turn)] } }
        body rod { mass: 1, com: [0.05, 0], position: [0.6417221704940155, -0.13879464245922457], angle: -0.04000000000000001 }
        body slide { mass: 0.5, inertia: 0.05, com: [0.25, 0], angle: 0 }
        joint glide = Glide(ground at [0, 0.1], rod at [-0.35, 0.2]) { g: 0.25 };
        joint track = point_on_line(slide, rod) { axis: [1, 0] };",
        &expect![[""]],
    );
}
