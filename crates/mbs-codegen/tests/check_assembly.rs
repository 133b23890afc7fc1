//! Poses that do not assemble: which element is named, and what it misses by, in both formulations alike.

mod checked;

use checked::{found, messages};
use expect_test::{Expect, expect};

const BODY: &str = "body b { mass: 1, inertia: 1 }";

/// Bars of 1 m on pivots `gap` apart.
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
    .assert_eq(&found(&four_bar(5.0)));
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
fn initial_conditions_that_cannot_hold() {
    let pin = format!("{BODY} joint a = revolute(ground, b);");
    check(
        &format!("{pin} initial position(b at [1, 0]).y = 2;"),
        &expect![[r#"
        [MBS063] `M` does not assemble: `initial position(b at [1, 0]).y` cannot be held, it misses by 2
        = help: joints, drives or earlier conditions decide it: write `~` for a guess, or another value"#]],
    );
    check(
        &format!("{pin} drive d = a.angle == 0.3; initial a.angle = 0.5;"),
        &expect![[r#"
        [MBS063] `M` does not assemble: `initial a.angle` cannot be held, it misses by 0.2
        = help: joints, drives or earlier conditions decide it: write `~` for a guess, or another value"#]],
    );
    check(
        &format!("{pin} initial a.angle = 0.5, angle(b) = 0.6;"),
        &expect![[r#"
        [MBS063] `M` does not assemble: `initial angle(b)` cannot be held, it misses by 0.1
        = help: joints, drives or earlier conditions decide it: write `~` for a guess, or another value"#]],
    );
    // What constraints imply already may be said again; a guess may be wrong.
    check(&format!("{pin} drive d = a.angle == 0.3; initial a.angle = 0.3;"), &expect![[""]]);
    check(&format!("{pin} drive d = a.angle == 0.3; initial a.angle ~ 0.5;"), &expect![[""]]);
}

#[test]
fn equations_without_a_value() {
    check(
        "particle a { mass: 1, position: [-1, 0] } constraint c = sqrt(position(a).x) == 1;",
        &expect![[r#"
        [MBS063] `M` does not assemble: constraint `c` has no finite value or slope at the declared poses
        = help: declare poses where it is defined (`angle: …`, `position: …`)"#]],
    );
    check(
        &format!("{BODY} joint a = revolute(ground, b); constraint c = 1 / angle(b) == 2;"),
        &expect![[r#"
        [MBS063] `M` does not assemble: constraint `c` has no finite value or slope at the declared poses
        = help: declare poses where it is defined (`angle: …`, `position: …`)"#]],
    );
    check(
        "particle a { mass: 1 } joint f = free(ground, a); initial norm(position(a)) = 1;",
        &expect![[r#"
            [MBS063] `M` does not assemble: `initial norm(position(a))` cannot be held, it misses by 1
            = help: joints, drives or earlier conditions decide it: write `~` for a guess, or another value"#]],
    );
    // The rod's gradient vanishes where its ends coincide.
    check(
        "particle a { mass: 1 } joint rod = distance(ground, a) { length: 1 };",
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

/// A slide that starts from a body in body coordinates closes a loop of the tree in which poses are placed.
#[test]
fn assembled_poses_are_kept_whatever_coordinates_bodies_choose() {
    let text = checked::planar(
        "body a { mass: 1, inertia: 1, position: [0, 0], angle: 0 } body b { mass: 1, inertia: 1, position: [0, 0], angle: 0 }
        body c { mass: 1, inertia: 1, position: [0, 0], angle: 0, coordinates: body }
        joint p = prismatic(ground, a) { axis: [1, 0] }; joint q = revolute(a, b); joint base = free(ground, c);
        joint r = prismatic(c, b at [0.05, 0]) { axis: [1, 0] };",
    );
    let found = checked::checked(&text, mbs_model::Formulation::Joint).unwrap_or_else(|errors| panic!("{errors}"));
    // c is where it is declared, a and b at zero, so that the slide is out by 0.05.
    let mut expected = vec![0.0; found.q.len()];
    expected[found.q.len() - 1] = 0.05;
    assert_eq!(found.q, expected);
}
