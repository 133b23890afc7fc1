//! Mistakes in parts are shown in their text and name the instance; mistakes in arguments are shown at the arguments.

use expect_test::{Expect, expect};

use super::mistakes;

fn check(items: &str, expected: &Expect) {
    expected.assert_eq(&mistakes(&format!("planar M {{\n{items}\n}}")));
}

#[test]
fn mbs041_a_part_that_does_not_exist() {
    check(
        "part post(x) { joint pin = revolute(ground at [x, 0], rod); body rod { mass: 1, inertia: 1 } }
part a = past(1);
part b = revolute(ground, a.rod);
part c = lib.post(1);",
        &expect![[r#"
            error: [MBS041] unknown part `past`
             --> m.mbs:3:10
              |
            3 | part a = past(1);
              |          ^^^^
              |
              = help: did you mean `post`?

            error: [MBS041] unknown part `revolute`
             --> m.mbs:4:10
              |
            4 | part b = revolute(ground, a.rod);
              |          ^^^^^^^^
              |
              = help: `revolute` is a kind of joint: write `joint name = revolute(…);`

            error: [MBS010] unknown name `lib`
             --> m.mbs:5:10
              |
            5 | part c = lib.post(1);
              |          ^^^"#]],
    );
    check(
        "body post { mass: 1, inertia: 1 }
joint pin = revolute(ground, post);
part a = post(1);
part b = 3;
part c;",
        &expect![[r#"
            error: [MBS041] unknown part `post`
             --> m.mbs:4:10
              |
            4 | part a = post(1);
              |          ^^^^
              |
              = help: `post` is no part

            error: [MBS018] `b` is an instance of no part
             --> m.mbs:5:10
              |
            5 | part b = 3;
              |          ^
              |
              = help: write `part b = leg(…);` for an instance of `part leg(…) { … }`

            error: [MBS018] `c` is an instance of no part
             --> m.mbs:6:6
              |
            6 | part c;
              |      ^
              |
              = help: write `part c = leg(…);` for an instance of `part leg(…) { … }`"#]],
    );
}

#[test]
fn mbs042_too_few_or_too_many_arguments() {
    check(
        "part post(x, y, mass = 1) { body rod { mass, inertia: 1 } joint pin = revolute(ground at [x, y], rod); }
part a = post();
part b = post(1, 2, 3, 4);
part c = post(1) { z: 2 };
part d = post(1, 2) { y: 2 };
let sum = a.pin.angle + b.pin.angle;",
        &expect![[r#"
            error: [MBS042] `b` is made with 4 arguments, `post` takes 3
             --> m.mbs:4:24
              |
            4 | part b = post(1, 2, 3, 4);
              |                        ^
              |
              = help: it is `post(x, y, mass)`

            error: [MBS017] part `post` has no argument `z`
             --> m.mbs:5:20
              |
            5 | part c = post(1) { z: 2 };
              |                    ^
              |
              = help: it takes `x`, `y`, `mass`

            error: [MBS019] argument `y` is given twice
             --> m.mbs:6:23
              |
            6 | part d = post(1, 2) { y: 2 };
              |                       ^

            error: [MBS042] `a` is made without `x` and `y`
             --> m.mbs:3:10
              |
            3 | part a = post();
              |          ^^^^^^
              |
              = help: it is `post(x, y, mass)`"#]],
    );
}

#[test]
fn mistakes_in_the_text_of_a_part_come_once_and_name_the_first_instance() {
    check(
        "part post(x) { body rod { mass: 1, inertia: 1 } joint pin = revolute(ground at [x, 0], rodd); }
for i in 0..3 { part a[i] = post(i); }",
        &expect![[r#"
            error: [MBS010] unknown name `rodd`, in `a[0]`
             --> m.mbs:2:88
              |
            2 | part post(x) { body rod { mass: 1, inertia: 1 } joint pin = revolute(ground at [x, 0], rodd); }
              |                                                                                        ^^^^
              |
              = help: did you mean `rod`?"#]],
    );
    check(
        "part outer(x) {
    part inner(y) { body rod { mass: y, inertia: 1 } joint pin = revolute(ground, rod); }
    part left = inner(1);
    part right = inner(x);
}
part good = outer(1);
part bad = outer(-1);",
        &expect![[r#"
            error: [MBS031] `mass` of body `bad.right.rod` is -1, it must not be negative
             --> m.mbs:3:38
              |
            3 |     part inner(y) { body rod { mass: y, inertia: 1 } joint pin = revolute(ground, rod); }
              |                                      ^
              |
              = help: `y` is given as `-1`"#]],
    );
}

#[test]
fn messages_about_wrong_kinds_name_the_argument() {
    check(
        "part post(place, mass) { body rod { mass, inertia: 1 } joint pin = revolute(place, rod); }
input u;
part a = post(1, ground);
part b = post(ground, u);
part c = post(ground at [0, 0, 1], 1);
part d = post(gruond, 1);",
        &expect![[r#"
            error: [MBS020] `mass` of body `a.rod` is a number, not ground
             --> m.mbs:2:37
              |
            2 | part post(place, mass) { body rod { mass, inertia: 1 } joint pin = revolute(place, rod); }
              |                                     ^^^^
              |
              = help: `mass` is given as `ground`

            error: [MBS024] `mass` of body `b.rod` is made of constants and parameters only
             --> m.mbs:2:37
              |
            2 | part post(place, mass) { body rod { mass, inertia: 1 } joint pin = revolute(place, rod); }
              |                                     ^^^^
              |
              = help: `mass` is given as `u`

            error: [MBS015] an end of `revolute` is a body or a marker, not a number, in `a`
             --> m.mbs:2:77
              |
            2 | part post(place, mass) { body rod { mass, inertia: 1 } joint pin = revolute(place, rod); }
              |                                                                             ^^^^^
              |
              = help: `place` is given as `1`

            error: [MBS010] unknown name `gruond`
             --> m.mbs:7:15
              |
            7 | part d = post(gruond, 1);
              |               ^^^^^^
              |
              = help: did you mean `ground`?

            error: [MBS021] `at` takes a vector of 2, not a vector of 3
             --> m.mbs:6:25
              |
            6 | part c = post(ground at [0, 0, 1], 1);
              |                         ^^^^^^^^^
              |
              = help: write `at [x, y]` or `at com`"#]],
    );
}

/// A mistake in the list of arguments is reported alone.
#[test]
fn arguments_of_an_instance_that_is_not_made_are_not_looked_at() {
    check(
        "part post(x, y, state = soft) { body rod { mass: 1, inertia: -y } joint pin = revolute(x, rod); }
body trunk { mass: 1, inertia: 1 } joint base = free(ground, trunk);
part a = post(ground);
part b = post(trunk, 1, 2, 3);
part c = post(ground, 1, 1) { y: nothing };
part d = post(ground, trunk, 1);",
        &expect![[r#"
            error: [MBS020] cannot negate a body, in `d`
             --> m.mbs:2:62
              |
            2 | part post(x, y, state = soft) { body rod { mass: 1, inertia: -y } joint pin = revolute(x, rod); }
              |                                                              ^
              |
              = help: `y` is given as `trunk`

            error: [MBS042] `b` is made with 4 arguments, `post` takes 3
             --> m.mbs:5:28
              |
            5 | part b = post(trunk, 1, 2, 3);
              |                            ^
              |
              = help: it is `post(x, y, state)`

            error: [MBS019] argument `y` is given twice
             --> m.mbs:6:31
              |
            6 | part c = post(ground, 1, 1) { y: nothing };
              |                               ^

            error: [MBS042] `a` is made without `y`
             --> m.mbs:4:10
              |
            4 | part a = post(ground);
              |          ^^^^^^^^^^^^
              |
              = help: it is `post(x, y, state)`"#]],
    );
}

#[test]
fn an_argument_of_the_wrong_kind_is_reported_once() {
    check(
        "part post(place, side) {
    body rod { mass: 2 * side, inertia: 1 + side, com: [side, 2 * side * 3] }
    joint pin = revolute(place, rod);
    force pull = torsion_spring(place, rod) { stiffness: 3 };
    let far = place.x;
}
part a = post(1, ground);",
        &expect![[r#"
            error: [MBS020] cannot multiply a number by ground, in `a`
             --> m.mbs:3:24
              |
            3 |     body rod { mass: 2 * side, inertia: 1 + side, com: [side, 2 * side * 3] }
              |                        ^
              |
              = help: `side` is given as `ground`

            error: [MBS015] an end of `revolute` is a body or a marker, not a number, in `a`
             --> m.mbs:4:26
              |
            4 |     joint pin = revolute(place, rod);
              |                          ^^^^^
              |
              = help: `place` is given as `1`"#]],
    );
}

#[test]
fn an_argument_that_nothing_uses_is_looked_at_too() {
    check(
        "part empty(x) { } part a = empty(unknwn); param unknown = 1; part b = empty(unknown);",
        &expect![[r#"
        error: [MBS010] unknown name `unknwn`
         --> m.mbs:2:34
          |
        2 | part empty(x) { } part a = empty(unknwn); param unknown = 1; part b = empty(unknown);
          |                                  ^^^^^^
          |
          = help: did you mean `unknown`?"#]],
    );
}

#[test]
fn mbs029_parts_that_contain_themselves() {
    check(
        "part a() { part inner = a(); } part x = a();",
        &expect![[r#"
        error: [MBS029] part `a` contains itself, in `x`
         --> m.mbs:2:25
          |
        2 | part a() { part inner = a(); } part x = a();
          |                         ^
          |
          = help: break the circle"#]],
    );
    check(
        "part a() { part inner = b(); } part b() { part inner = a(); } part x = a();",
        &expect![[r#"
        error: [MBS029] part `a` contains itself through `b`, in `x.inner`
         --> m.mbs:2:56
          |
        2 | part a() { part inner = b(); } part b() { part inner = a(); } part x = a();
          |                                                        ^
          |
          = help: break the circle"#]],
    );
    check(
        "part a(x) { const k = x; } part p = a(p.k);",
        &expect![[r#"
        error: [MBS029] `p.k` refers to itself
         --> m.mbs:2:41
          |
        2 | part a(x) { const k = x; } part p = a(p.k);
          |                                         ^
          |
          = help: break the circle"#]],
    );
}

#[test]
fn forbidden_items_in_parts_and_loops_are_refused() {
    check(
        "part post() { gravity: [0, -1]; body rod { mass: 1, inertia: 1 } joint pin = revolute(ground, rod); }
part a = post();
for i in 0..2 { part inner() { } }
part c: [3] = post();",
        &expect![[r#"
            error: [MBS027] setting `gravity` inside a part, in `a`
             --> m.mbs:2:15
              |
            2 | part post() { gravity: [0, -1]; body rod { mass: 1, inertia: 1 } joint pin = revolute(ground, rod); }
              |               ^^^^^^^
              |
              = help: write it in the mechanism

            error: [MBS027] part `inner` inside `for`
             --> m.mbs:4:22
              |
            4 | for i in 0..2 { part inner() { } }
              |                      ^^^^^
              |
              = help: write it outside the loop, with the index as a parameter

            error: [MBS027] part `c` has no shape and no axes
             --> m.mbs:5:6
              |
            5 | part c: [3] = post();
              |      ^
              |
              = help: write `part c = …;`"#]],
    );
}

#[test]
fn mistakes_of_grammar() {
    check(
        "part post { body rod { mass: 1 } }",
        &expect![[r#"
        error: [MBS001] expected `(` after `post`, found `{`
         --> m.mbs:2:11
          |
        2 | part post { body rod { mass: 1 } }
          |           ^
          |
          = help: write `part leg(hip, side) { … }` for a part, `part left = leg(…);` for an instance"#]],
    );
    check(
        "part post(x y) { } param p = ;",
        &expect![[r#"
        error: [MBS001] expected `,` or `)` after a parameter, found `y`
         --> m.mbs:2:13
          |
        2 | part post(x y) { } param p = ;
          |             ^

        error: [MBS001] expected an expression, found `;`
         --> m.mbs:2:30
          |
        2 | part post(x y) { } param p = ;
          |                              ^"#]],
    );
    check(
        "part post(x) body rod { mass: 1, inertia: 1 }",
        &expect![[r#"
        error: [MBS001] expected `{` after the parameters of `post`, found `body`
         --> m.mbs:2:14
          |
        2 | part post(x) body rod { mass: 1, inertia: 1 }
          |              ^^^^
          |
          = help: write `part leg(hip, side) { … }` for a part, `part left = leg(…);` for an instance"#]],
    );
    check(
        "part post(x = ) { } part a = post(1)\nparam p = 1",
        &expect![[r#"
        error: [MBS001] expected an expression, found `)`
         --> m.mbs:2:15
          |
        2 | part post(x = ) { } part a = post(1)
          |               ^

        error: [MBS001] expected `;` after the declaration of `a`
         --> m.mbs:2:37
          |
        2 | part post(x = ) { } part a = post(1)
          |                                     ^

        error: [MBS001] expected `;` after the declaration of `p`
         --> m.mbs:3:12
          |
        3 | param p = 1
          |            ^"#]],
    );
}

#[test]
fn a_bad_instance_silences_its_uses() {
    check(
        "part a = post(1); output x = a.pin.angle; part b = c(a); joint j = revolute(a.rod, ground);",
        &expect![[r#"
        error: [MBS041] unknown part `post`
         --> m.mbs:2:10
          |
        2 | part a = post(1); output x = a.pin.angle; part b = c(a); joint j = revolute(a.rod, ground);
          |          ^^^^

        error: [MBS041] unknown part `c`
         --> m.mbs:2:52
          |
        2 | part a = post(1); output x = a.pin.angle; part b = c(a); joint j = revolute(a.rod, ground);
          |                                                    ^"#]],
    );
}
