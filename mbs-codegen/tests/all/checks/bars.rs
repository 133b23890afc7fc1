//! Bars: items off their line, and items that rotate them about it, are named.

use expect_test::{Expect, expect};
use mbs_codegen::compile_text;
use mbs_compiler::compile::Options;

fn message(items: &str) -> String {
    let text = format!("spatial M {{\n{items}\n}}");
    match compile_text("m.mbs", &text, Options::default()) {
        Ok(_) => "nothing".to_owned(),
        Err(failure) => failure.to_string().trim_end().to_owned(),
    }
}

/// Compares the first lines of messages; each list of items gives at most one message.
fn check(all: &[&str], expected: &Expect) {
    let body =
        "body rod { mass: 1, inertia: [0.1, 0.1, 0.01], coordinates: natural { points: [[0, 0, 0], [0, 0, 1]] } }";
    let first_line = |items: &&str| {
        let body = if items.contains("body rod") { "" } else { body };
        let first = message(&format!("{body} joint ball = spherical(ground, rod); {items}"));
        assert_eq!(first.matches("[MBS").count(), usize::from(first != "nothing"), "{items}: {first}");
        format!("{}\n", first.lines().next().unwrap_or_default())
    };
    expected.assert_eq(&all.iter().map(first_line).collect::<String>());
}

#[test]
fn mbs051_shown_at_the_bar() {
    expect![[r#"
        error: [MBS051] `rod` is a bar, and `hinge` rotates it about its line, or depends on its rotation
         --> m.mbs:3:7
          |
        3 | joint hinge = revolute(ground, rod) { axis: [1, 0, 0] };
          |       ^^^^^
          |
          = help: a bar, one direction in `natural { … }`, is all on its line and does not rotate about it; state three directions, or none"#]].assert_eq(&message(
        "body rod { mass: 1, inertia: [0.1, 0.1, 0.01], coordinates: natural { points: [[0, 0, 0], [0, 0, 1]] } }
joint hinge = revolute(ground, rod) { axis: [1, 0, 0] };",
    ));
}

#[test]
fn items_off_the_line_of_a_bar_are_named() {
    check(
        &[
            "marker tip = rod at [0, 0, 0.5];",
            "marker tip = rod at [0, 0.01, 0.5];",
            "body rod { mass: 1, inertia: [0.1, 0.1, 0.01], com: [0.1, 0, 0.5], coordinates: natural { points: [[0, 0, 0], [0, 0, 1]] } }",
            "body rod { mass: 1, inertia: [0.1, 0.1, 0.1], coordinates: natural { points: [[0.1, 0, 0]], vectors: [[0, 0, 1]] } }",
            "body rod { mass: 1, inertia: [0.1, 0.12, 0.01], coordinates: natural { points: [[0, 0, 0], [0, 0, 1]] } }",
            "body rod { mass: 1, inertia: [0.1, 0.1, 0.1], coordinates: natural { points: [[0, 0, 0], [0, 1, 1]] } }",
            "body rod { mass: 1, inertia: [0.1, 0.1, 0.01], coordinates: natural { points: [[0, 0, 0], [0, 1, 1]] } }",
            "body rod { mass: 1, inertia: [0.1, 0.1, 0.01], angular_velocity: [1, 0, 0], coordinates: natural { points: [[0, 0, 0], [0, 0, 1]] } }",
            "body rod { mass: 1, inertia: [0.1, 0.1, 0.01], angular_velocity: [1, 0, 2], coordinates: natural { points: [[0, 0, 0], [0, 0, 1]] } }",
        ],
        &expect![[r#"
            nothing
            error: [MBS051] `rod` is a bar, and `tip` is off its line
            error: [MBS051] `rod` is a bar, and `rod.com` is off its line
            error: [MBS051] `rod` is a bar, and its origin is off its line
            error: [MBS051] `rod` is a bar, and its inertia is not the same about all axes across its line
            nothing
            error: [MBS051] `rod` is a bar, and its inertia is not the same about all axes across its line
            nothing
            error: [MBS051] `rod` is a bar, and its `angular_velocity` rotates it about its line
        "#]],
    );
}

#[test]
fn items_that_rotate_a_bar_about_its_line_are_named() {
    check(
        &[
            "body ring { mass: 1, inertia: [1, 1, 1] } joint guide = cylindrical(rod at [0, 0, 1], ring);",
            "body ring { mass: 1, inertia: [1, 1, 1] } joint guide = cylindrical(ring, rod at [0, 0, 1]);",
            "joint cross = universal(ground at [0, 0, 1], rod at [0, 0, 1]);",
            "force push = point_force(rod at [0, 0, 1]) { force: [1, 0, 0] in ground };",
            "force follower = point_force(rod at [0, 0, 1]) { force: [0, 0, 1] in rod };",
            "input u; force push = point_force(rod at [0, 0, 1]) { force: [u, 0, 0] in rod };",
            "force motor = torque(ground, rod) { torque: [0, 0, 1] in ground };",
            "force brake = torque(ground, rod) { torque: -0.1 * angular_velocity(rod) };",
            "output across = rod.x;",
            "output lean = rod.z.z;",
            "output turns = angular_velocity(rod);",
            "constraint blade = dot(velocity(rod at [0, 0, 1]), rod.x) == 0;",
            "constraint level = rod.z.x == 0;",
            "constraint held = rod.x.z == 0;",
            "initial rod.x.z = 0;",
            "initial angular_velocity(rod).z = 1;",
            "state wear = 0 { rate: rod.x.y };",
            "stop when rod.x.y > 0.9;",
        ],
        &expect![[r#"
            error: [MBS051] `rod` is a bar, and `guide` rotates it about its line, or depends on its rotation
            nothing
            error: [MBS051] `rod` is a bar, and `cross` rotates it about its line, or depends on its rotation
            nothing
            nothing
            error: [MBS051] `rod` is a bar, and `push` rotates it about its line, or depends on its rotation
            error: [MBS051] `rod` is a bar, and `motor` rotates it about its line, or depends on its rotation
            error: [MBS051] `rod` is a bar, and `brake` rotates it about its line, or depends on its rotation
            error: [MBS051] `rod` is a bar, and `across` rotates it about its line, or depends on its rotation
            nothing
            nothing
            error: [MBS051] `rod` is a bar, and `blade` rotates it about its line, or depends on its rotation
            nothing
            error: [MBS051] `rod` is a bar, and `held` rotates it about its line, or depends on its rotation
            error: [MBS051] `rod` is a bar, and `initial rod.x.z` rotates it about its line, or depends on its rotation
            error: [MBS051] `rod` is a bar, and `initial angular_velocity(rod).z` rotates it about its line, or depends on its rotation
            error: [MBS051] `rod` is a bar, and `wear` rotates it about its line, or depends on its rotation
            error: [MBS051] `rod` is a bar, and `stop` rotates it about its line, or depends on its rotation
        "#]],
    );
}
