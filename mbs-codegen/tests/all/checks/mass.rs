//! Zero mass and inertia: legal unless a motion has neither, in which case the body is named.

use expect_test::{Expect, expect};

use crate::checks::checked::{FORMULATIONS, checked, messages, planar, rendered};

fn check(items: &str, expected: &Expect) {
    expected.assert_eq(&messages(items));
}

/// Checks that MBS064 with this name is the only message.
fn assert_named(items: &str, name: &str) {
    let shown = messages(items);
    assert!(shown.starts_with("[MBS064]") && shown.contains(&format!("`{name}`")), "{name}: {shown}");
    assert_eq!(shown.matches("[MBS").count(), 1, "{shown}");
}

#[test]
fn mbs064_shown_at_the_body() {
    expect![[r#"
        error: [MBS064] body `hull` can move without mass: its acceleration is undetermined
         --> m.mbs:2:6
          |
        2 | body hull { }
          |      ^^^^
          |
          = help: give it `mass` and `inertia`, hold it, or ask for kinematics alone: `kernels: [kinematics, outputs];`"#]].assert_eq(&rendered("body hull { }\njoint base = free(ground, hull);"));
}

#[test]
fn solvable_without_mass_everywhere() {
    for items in [
        // Pendulums with a point mass, in the origin and off the origin.
        "body bob { mass: 1 } joint p = revolute(ground, bob at [-1, 0]);",
        "body bob { mass: 1, com: [1, 0] } joint p = revolute(ground, bob);",
        // A massless coupler between two massive bars.
        "body a { mass: 1, inertia: 1, angle: 1 } body b { angle: 0 } body c { mass: 1, inertia: 1, angle: 1 }
        joint p = revolute(ground, a); joint q = revolute(a at [1, 0], b); joint r = revolute(b at [1, 0], c at [1, 0]);
        joint s = revolute(ground at [1.2, 0], c);",
        // Inertia of the crank alone.
        "body a { inertia: 1, angle: 1 } body b { angle: -0.3 } body c { }
        joint p = revolute(ground, a); joint q = revolute(a at [1, 0], b); joint r = revolute(b at [3, 0], c);
        joint s = prismatic(ground, c) { axis: [1, 0] };",
        // Nothing has mass, and nothing is free.
        "body a { } joint p = revolute(ground, a); drive d = p.angle == t;",
        // A coordinate that constraints close.
        "coordinate s = 0.2; particle a { mass: 1 } constraint c = position(a).x == s; constraint e = position(a).y == s * s;",
    ] {
        for formulation in FORMULATIONS {
            let result = checked(&planar(items), formulation);
            assert!(result.as_ref().is_ok_and(|c| c.solvable), "{items} {formulation:?} {result:?}");
        }
    }
}

#[test]
fn bodies_that_move_without_mass_are_named() {
    assert_named("particle a { } particle b { mass: 1 } joint f = free(ground, a); joint g = free(ground, b);", "a");
    assert_named("particle b { mass: 1 } particle a { } joint f = free(ground, a); joint g = free(ground, b);", "a");
    assert_named(
        "body a { mass: 1, inertia: 1 } body s { } joint f = revolute(ground, a); joint g = prismatic(a, s) { axis: [1, 0] };",
        "s",
    );
    assert_named(
        "body a { mass: 1, inertia: 1 } body b { } joint f = revolute(ground, a); joint g = revolute(a at [1, 0], b);",
        "b",
    );
    // Pinned at one end to a massless link and at the other to ground: both rotate.
    assert_named(
        "body a { angle: 1 } body b { angle: 0 } body c { angle: 1 } joint p = revolute(ground, a);
        joint q = revolute(a at [1, 0], b); joint r = revolute(b at [1, 0], c at [1, 0]);
        joint s = revolute(ground at [1.2, 0], c);",
        "a",
    );
    assert_named("coordinate w = 1; particle a { mass: 1 } joint f = free(ground, a);", "w");
    assert_named("coordinate k: [2] = [1, 1]; particle a { mass: 1 } constraint c = position(a).x == k[0];", "k[1]");
}

#[test]
fn messages_name_the_missing_property() {
    check(
        "body a { mass: 1 } joint f = free(ground, a);",
        &expect![[r#"
        [MBS064] body `a` can turn without inertia: its acceleration is undetermined
        = help: give it `inertia`, hold it, or ask for kinematics alone: `kernels: [kinematics, outputs];`"#]],
    );
    check(
        "body a { mass: 1, com: [1, 0] } joint f = revolute(ground at [1, 0], a at [1, 0]);",
        &expect![[r#"
        [MBS064] body `a` can turn without inertia: its acceleration is undetermined
        = help: give it `inertia`, hold it, or ask for kinematics alone: `kernels: [kinematics, outputs];`"#]],
    );
    check(
        "body a { inertia: 1 } joint f = free(ground, a);",
        &expect![[r#"
        [MBS064] body `a` can move without mass: its acceleration is undetermined
        = help: give it `mass` and `inertia`, hold it, or ask for kinematics alone: `kernels: [kinematics, outputs];`"#]],
    );
    check(
        "particle a { } joint f = free(ground, a);",
        &expect![[r#"
        [MBS064] particle `a` can move without mass: its acceleration is undetermined
        = help: give it `mass`, hold it, or ask for kinematics alone: `kernels: [kinematics, outputs];`"#]],
    );
    check(
        "coordinate w = 1; particle a { mass: 1 } joint f = free(ground, a);",
        &expect![[r#"
        [MBS064] coordinate `w` is closed by no constraint
        = help: write a `constraint` that determines it"#]],
    );
    // A pose that does not depend on one of its coordinates.
    check(
        "joint kind Idle(a, b) { coordinate s; coordinate w; pose { translation: [s, 0] } }
        body a { mass: 1, inertia: 1 } joint f = Idle(ground, a);",
        &expect![[r#"
        [MBS064] a coordinate of joint `f` moves nothing: its acceleration is undetermined
        = help: let the pose of `Idle` change with each of its coordinates"#]],
    );
    // A parameter that is zero by default.
    check(
        "param m = 0; body a { mass: m, inertia: 1 } joint f = free(ground, a);",
        &expect![[r#"
        [MBS064] body `a` can move without mass at default parameters: its acceleration is undetermined
        = help: give it `mass` and `inertia`, hold it, or ask for kinematics alone: `kernels: [kinematics, outputs];`"#]],
    );
}

#[test]
fn kinematics_need_no_mass() {
    let linkage = "body a { angle: 1 } body b { angle: 0 } body c { angle: 1 } joint p = revolute(ground, a);
        joint q = revolute(a at [1, 0], b); joint r = revolute(b at [1, 0], c at [1, 0]);
        joint s = revolute(ground at [1.2, 0], c); freedoms: 1; output tip = position(b at [0.5, 0.5]);
        kernels: [kinematics, outputs];";
    for formulation in FORMULATIONS {
        let checked = checked(&planar(linkage), formulation).expect("it compiles");
        assert!(!checked.solvable && checked.freedoms == 1);
        let options = mbs_compiler::compile::Options { formulation: Some(formulation), ..Default::default() };
        assert!(mbs_codegen::compile_text("m.mbs", &planar(linkage), options).is_ok());
    }
}
