//! Mistakes that `resolve` finds: one snapshot per code, and important variants. Names, kinds, ends and arguments.

use crate::mistakes::{check, check_messages};
use expect_test::expect;

#[test]
fn mbs010_unknown_name() {
    check(
        "output y = angle(crnk);",
        &expect![[r#"
        error: [MBS010] unknown name `crnk`
         --> m.mbs:1:29
          |
        1 | planar M { output y = angle(crnk);
          |                             ^^^^
          |
          = help: did you mean `crank`?"#]],
    );
    check_messages(
        &["output y = foo + foo;", "output y = 2 * (crnk + rood);", "joint j = revolute(ground, link[0]);"],
        &expect![[r#"
            output y = foo + foo;
              MBS010 unknown name `foo`
              MBS010 unknown name `foo`
            output y = 2 * (crnk + rood);
              MBS010 unknown name `crnk` = help: did you mean `crank`?
              MBS010 unknown name `rood` = help: did you mean `rod`?
            joint j = revolute(ground, link[0]);
              MBS010 unknown name `link`"#]],
    );
}

#[test]
fn mbs011_duplicate_name() {
    check(
        "body crank { mass: 1 }",
        &expect![[r#"
            error: [MBS011] `crank` is declared twice
             --> m.mbs:4:6
              |
            1 | planar M { body crank { mass: 1 }
              |                 ----- first declared here
            ...
            4 | body crank { mass: 1, inertia: 1 }
              |      ^^^^^
              |
              = help: give one of them another name"#]],
    );
    check_messages(
        &[
            "for i in 0..2 { param k = i; }",
            "output y = t; output y = p;",
            "param crank = 1;",
            "param a[0] = 1; param a = 2;",
            "gravity: param [0, 1]; param gravity = 3;",
        ],
        &expect![[r#"
            for i in 0..2 { param k = i; }
              MBS011 `k` is declared twice = help: names inside `for` carry the index: `k[i]`
            output y = t; output y = p;
              MBS011 `y` is declared twice = help: give one of them another name
            param crank = 1;
              MBS011 `crank` is declared twice = help: give one of them another name
            param a[0] = 1; param a = 2;
              MBS011 `a` is declared twice = help: give one of them another name
            gravity: param [0, 1]; param gravity = 3;
              MBS011 `gravity` is declared twice = help: give one of them another name"#]],
    );
}

#[test]
fn mbs012_unknown_category() {
    check(
        "bdy arm { mass: 1 }",
        &expect![[r#"
        error: [MBS012] unknown category `bdy`
         --> m.mbs:1:12
          |
        1 | planar M { bdy arm { mass: 1 }
          |            ^^^
          |
          = help: did you mean `body`?"#]],
    );
    check_messages(
        &["spring s = p;", "bdy arm { mass: 1 } output y = angle(arm);"],
        &expect![[r#"
            spring s = p;
              MBS012 unknown category `spring` = help: write `force s = spring_damper(…);`
            bdy arm { mass: 1 } output y = angle(arm);
              MBS012 unknown category `bdy` = help: did you mean `body`?"#]],
    );
}

#[test]
fn mbs013_unknown_kind() {
    check(
        "joint j = revolut(ground, rod);",
        &expect![[r#"
        error: [MBS013] unknown kind of joint `revolut`
         --> m.mbs:1:22
          |
        1 | planar M { joint j = revolut(ground, rod);
          |                      ^^^^^^^
          |
          = help: did you mean `revolute`?"#]],
    );
    check_messages(
        &[
            "joint j = spring_damper(crank, rod) { stiffness: 1 };",
            "force f = revolute(crank, rod);",
            "joint j = 1 + 2;",
            "joint j;",
        ],
        &expect![[r#"
            joint j = spring_damper(crank, rod) { stiffness: 1 };
              MBS013 unknown kind of joint `spring_damper` = help: `spring_damper` is a kind of force: write `force j = …`
            force f = revolute(crank, rod);
              MBS013 unknown kind of force `revolute` = help: `revolute` is a kind of joint: write `joint f = …`
            joint j = 1 + 2;
              MBS013 joint `j` has no kind = help: write `joint j = revolute(…);`
            joint j;
              MBS013 joint `j` has no kind = help: write `joint j = revolute(…);`"#]],
    );
}

#[test]
fn mbs014_number_of_ends() {
    check(
        "joint j = revolute(crank);",
        &expect![[r#"
        error: [MBS014] joint `j` has 1 end, `revolute` joins 2
         --> m.mbs:1:22
          |
        1 | planar M { joint j = revolute(crank);
          |                      ^^^^^^^^^^^^^^^
          |
          = help: write `revolute(crank, rod)`"#]],
    );
    check_messages(
        &[
            "joint j = revolute(rod, crank, ground);",
            "joint j = prismatic();",
            "force f = torque() { torque: 1 };",
            "force f = spring_damper(crank) { stiffness: 1 };",
            "joint g = gear(pin) { ratio: 2 };",
            "force f = mobility(pin, elbow) { value: 1 };",
            "joint j = revolute;",
        ],
        &expect![[r#"
            joint j = revolute(rod, crank, ground);
              MBS014 joint `j` has 3 ends, `revolute` joins 2 = help: write `revolute(rod, crank)`
            joint j = prismatic();
              MBS014 joint `j` has 0 ends, `prismatic` joins 2 = help: write `prismatic(crank, rod)`
            force f = torque() { torque: 1 };
              MBS014 force `f` has 0 ends, `torque` takes 1 or 2 = help: write `torque(crank, rod)`
            force f = spring_damper(crank) { stiffness: 1 };
              MBS014 force `f` has 1 end, `spring_damper` joins 2 = help: write `spring_damper(crank, rod)`
            joint g = gear(pin) { ratio: 2 };
              MBS014 joint `g` has 1 end, `gear` joins 2 = help: write `gear(pin, elbow)`
            force f = mobility(pin, elbow) { value: 1 };
              MBS014 force `f` has 2 ends, `mobility` takes 1 = help: write `mobility(pin)`
            joint j = revolute;
              MBS014 joint `j` has 0 ends, `revolute` joins 2 = help: write `revolute(crank, rod)`"#]],
    );
}

#[test]
fn mbs015_unsuitable_end() {
    check(
        "joint j = revolute(p, rod);",
        &expect![[r#"
        error: [MBS015] an end of `revolute` is a body or a marker, not a number
         --> m.mbs:1:31
          |
        1 | planar M { joint j = revolute(p, rod);
          |                               ^
          |
          = help: write `body`, `body at [x, y]` or a marker's name"#]],
    );
    check_messages(
        &[
            "joint g = gear(pin, crank) { ratio: 2 };",
            "joint s = prismatic(ground, rod) { axis: [1, 0] }; joint g = gear(pin, s) { ratio: 2 };",
            "force f = mobility(base) { value: 1 };",
            "force f = mobility(crank) { value: 1 };",
            "force f = torque(pin) { torque: 1 };",
        ],
        &expect![[r#"
            joint g = gear(pin, crank) { ratio: 2 };
              MBS015 a gear joins joints, not a body = help: write `gear(joint_a, joint_b)`
            joint s = prismatic(ground, rod) { axis: [1, 0] }; joint g = gear(pin, s) { ratio: 2 };
              MBS015 joint `s` has no angle to gear = help: write a `coupling` of its coordinates
            force f = mobility(base) { value: 1 };
              MBS015 joint `base` has 2 coordinates, `mobility` acts along one = help: write `mobility(base.position.x)`
            force f = mobility(crank) { value: 1 };
              MBS015 `mobility` acts along a joint or coordinate, not a body = help: write `mobility(joint)`
            force f = torque(pin) { torque: 1 };
              MBS015 an end of `torque` is a body or a marker, not a joint = help: write `body`, `body at [x, y]` or a marker's name"#]],
    );
}

#[test]
fn mbs016_both_ends_on_one_body() {
    check(
        "joint j = revolute(crank, crank at [1, 0]);",
        &expect![[r#"
        error: [MBS016] both ends of joint `j` are on `crank`
         --> m.mbs:1:44
          |
        1 | planar M { joint j = revolute(crank, crank at [1, 0]);
          |                                            ^^
          |
          = help: join two bodies"#]],
    );
    check_messages(
        &["joint j = fixed(ground, ground at [1, 0]);", "joint g = gear(pin, pin) { ratio: 2 };"],
        &expect![[r#"
            joint j = fixed(ground, ground at [1, 0]);
              MBS016 both ends of joint `j` are on `ground` = help: join two bodies
            joint g = gear(pin, pin) { ratio: 2 };
              MBS016 gear `g` joins a joint with itself"#]],
    );
}

#[test]
fn mbs017_unknown_argument() {
    check(
        "body arm { mas: 1 }",
        &expect![[r#"
        error: [MBS017] body `arm` has no argument `mas`
         --> m.mbs:1:23
          |
        1 | planar M { body arm { mas: 1 }
          |                       ^^^
          |
          = help: did you mean `mass`?"#]],
    );
    check_messages(
        &[
            "joint j = revolute(ground, rod) { axis: [1, 0] };",
            "particle q { mass: 1, inertia: 2 }",
            "particle q { mass: 1, rate: 2 }",
            "body q { rate: [1, 2] }",
            "body q { angular_velocity: 2 }",
            "param a = 1 { foo: 2 };",
            "force f = torque(crank) { torque: 1, cut: true };",
        ],
        &expect![[r#"
            joint j = revolute(ground, rod) { axis: [1, 0] };
              MBS017 joint `j` has no argument `axis` = help: it takes `enabled`, `cut`
            particle q { mass: 1, inertia: 2 }
              MBS017 particle `q` has no argument `inertia` = help: it takes `mass`, `coordinates`, `position`, `velocity`
            particle q { mass: 1, rate: 2 }
              MBS017 particle `q` has no argument `rate` = help: it takes `mass`, `coordinates`, `position`, `velocity`
            body q { rate: [1, 2] }
              MBS020 `rate` of body `q` is a number, not a vector of 2
            body q { angular_velocity: 2 }
              MBS017 body `q` has no argument `angular_velocity` = help: it takes `mass`, `coordinates`, `position`, `velocity`, `inertia`, `com`, `angle`, `rate`
            param a = 1 { foo: 2 };
              MBS017 param `a` has no argument `foo` = help: it takes none
            force f = torque(crank) { torque: 1, cut: true };
              MBS017 force `f` has no argument `cut` = help: it takes `torque`, `enabled`"#]],
    );
}

#[test]
fn mbs018_missing_argument() {
    check(
        "joint j = prismatic(ground, rod);",
        &expect![[r#"
        error: [MBS018] joint `j` needs `axis`
         --> m.mbs:1:18
          |
        1 | planar M { joint j = prismatic(ground, rod);
          |                  ^
          |
          = help: `axis`: along the line, in the first end's axes; its length does not matter"#]],
    );
    check_messages(
        &[
            "param a;",
            "let a;",
            "state z = 0;",
            "marker m;",
            "drive d;",
            "potential v;",
            "state z { rate: 1 };",
            "gravity: { };",
            "budget: { };",
        ],
        &expect![[r#"
            param a;
              MBS018 `a` needs a value to start with = help: write `a = 0`
            let a;
              MBS018 let `a` needs a value = help: write `let a = …;`
            state z = 0;
              MBS018 state `z` needs its `rate` = help: write `state z = 0 { rate: … }`
            marker m;
              MBS018 marker `m` needs a location = help: write `marker m = body at [x, y];`
            drive d;
              MBS018 drive `d` needs an equation = help: write `drive d = left == right;`
            potential v;
              MBS018 potential `v` needs an expression = help: write `potential v = …;`
            state z { rate: 1 };
              MBS018 `z` needs a value to start with = help: write `z = 0`
            gravity: { };
              MBS018 setting `gravity` needs a value
            budget: { };
              MBS018 `budget` needs `operations` = help: write `budget: { operations: 5000 };`"#]],
    );
}

#[test]
fn mbs019_given_twice() {
    check(
        "body arm { mass: 1, mass: 2 }",
        &expect![[r#"
        error: [MBS019] argument `mass` is given twice
         --> m.mbs:1:32
          |
        1 | planar M { body arm { mass: 1, mass: 2 }
          |                                ^^^^"#]],
    );
    check_messages(
        &["freedoms: 1; freedoms: 2;", "marker m = crank at [1, 0] { angle: 1, x: [1, 0] };"],
        &expect![[r#"
            freedoms: 1; freedoms: 2;
              MBS019 setting `freedoms` is given twice
            marker m = crank at [1, 0] { angle: 1, x: [1, 0] };
              MBS019 the axes of marker `m` are given twice = help: give one of `angle`, `x`, `y`, `normal`"#]],
    );
}
