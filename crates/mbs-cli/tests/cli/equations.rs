//! `mbs equations`.

use std::fs;

use expect_test::expect;

use crate::{PENDULUM, Scratch, check_closed_pipe};

#[test]
fn every_mechanism_has_a_chapter() {
    let scratch = Scratch::new("equations");
    scratch.file(
        "two.mbs",
        format!("{PENDULUM}planar Other {{ particle p {{ mass: 2 }} joint base = free(ground, p); }}\n"),
    );
    let printed = scratch.mbs(&["equations", "two.mbs"]);
    assert!(printed.status.success() && printed.stderr.is_empty(), "{printed:?}");
    let text = String::from_utf8_lossy(&printed.stdout).into_owned();
    let heads: Vec<&str> = text.lines().filter(|line| line.starts_with("# ")).collect();
    assert_eq!(heads, ["# Pendulum", "# Other"]);
    assert!(text.contains("Q_{0} = -9.81\\ \\mathrm{mass}\\sin\\theta_{\\text{pin}}"), "{text}");
    scratch.check(
        &["equations", "two.mbs", "-o", "two.md"],
        &expect![[r#"
        exit 0
    "#]],
    );
    assert!(fs::read(scratch.0.join("two.md")).expect("it was written") == printed.stdout);
}

/// Their derivation took for ever before they were refused.
#[test]
fn equations_of_nearest_points_are_refused() {
    let scratch = Scratch::new("equations_terrain");
    scratch.file(
        "wheel.mbs",
        "planar Wheel {
            body wheel { mass: 8, inertia: 0.18, position: [0, 0.5] }
            function hills(x) = 0.15 * sin(1.2 * x);
            force tyre = terrain_contact(ground, wheel) { height: hills, radius: 0.2, stiffness: 8e5 };
        }",
    );
    let printed = scratch.mbs(&["equations", "wheel.mbs"]);
    let message = String::from_utf8_lossy(&printed.stderr).into_owned();
    assert_eq!(printed.status.code(), Some(2), "{message}");
    assert!(message.starts_with("error: the equations of `Wheel` cannot be written out"), "{message}");
}

#[test]
fn coordinates_may_be_chosen() {
    let scratch = Scratch::new("equations_body");
    scratch.file("pendulum.mbs", PENDULUM);
    let printed = scratch.mbs(&["equations", "pendulum.mbs", "--coordinates", "body"]);
    let text = String::from_utf8_lossy(&printed.stdout).into_owned();
    assert!(text.contains("\\Phi_{0} &= -x_{\\text{bob}}"), "{text}");
}

#[test]
fn mistakes_and_closed_pipes_are_handled() {
    let scratch = Scratch::new("equations_broken");
    scratch.file("pendulum.mbs", PENDULUM).file("broken.mbs", PENDULUM.replace("pin.angle", "pin.angel"));
    scratch.check(
        &["equations", "broken.mbs"],
        &expect![[r#"
        error: [MBS040] joint `pin` has no `angel`
         --> broken.mbs:6:24
          |
        6 |     output angle = pin.angel;
          |                        ^^^^^
          |
          = help: did you mean `angle`?
        exit 1
    "#]],
    );
    scratch.check(
        &["equations", "pendulum.mbs", "-o", "no/such/folder.md"],
        &expect![[r#"
        error: no/such/folder.md: no such folder
        exit 2
    "#]],
    );
    check_closed_pipe(&scratch, &["equations", "pendulum.mbs"]);
}
