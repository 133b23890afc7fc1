//! Names of parts and of their items: clashes, suggestions, and the scope of a part.

use expect_test::{Expect, expect};

use super::mistakes;

fn check(items: &str, expected: &Expect) {
    expected.assert_eq(&mistakes(&format!("planar M {{\n{items}\n}}")));
}

#[test]
fn names_that_clash() {
    check(
        "part post(x) { const x = 1; }
part both(y, y) { }
part post() { }
body a { mass: 1, inertia: 1 }
joint pin = revolute(ground, a);
part empty() { const k = 1; }
part a = empty();
part b = empty();
part b = empty();
for i in 0..2 { part c = empty(); }
param b_k = 2;",
        &expect![[r#"
            error: [MBS011] `x` is declared twice
             --> m.mbs:2:22
              |
            2 | part post(x) { const x = 1; }
              |                      ^
              |
              = help: it is a parameter of part `post`

            error: [MBS011] part `both` has two parameters `y`
             --> m.mbs:3:14
              |
            3 | part both(y, y) { }
              |           -  ^
              |           |
              |           first declared here
              |
              = help: give one of them another name

            error: [MBS011] `a` is declared twice
             --> m.mbs:8:6
              |
            5 | body a { mass: 1, inertia: 1 }
              |      - first declared here
            ...
            8 | part a = empty();
              |      ^
              |
              = help: give one of them another name

            error: [MBS011] `b` is declared twice
              --> m.mbs:10:6
               |
             9 | part b = empty();
               |      - first declared here
            10 | part b = empty();
               |      ^
               |
               = help: give one of them another name

            error: [MBS011] `c` is declared twice
              --> m.mbs:11:22
               |
            11 | for i in 0..2 { part c = empty(); }
               |                      ^
               |
               = help: names inside `for` carry the index: `c[i]`

            error: [MBS011] `b_k` is declared twice
              --> m.mbs:12:7
               |
             7 | part empty() { const k = 1; }
               |                      - first declared here
            ...
            12 | param b_k = 2;
               |       ^^^
               |
               = help: `b.k` and `b_k` would have one name in Rust"#]],
    );
}

#[test]
fn unknown_names_of_an_instance_suggest_near_ones() {
    check(
        "part post() { body rod { mass: 1, inertia: 1 } joint pin = revolute(ground, rod); let twice = 2 * pin.agle; }
part a = post();
for i in 0..2 { part b[i] = post(); }
output x = a.pin.angle + a.pan.angle;
output y = b[2].pin.angle;
output z = b[0].rd.x;",
        &expect![[r#"
            error: [MBS040] joint `a.pin` has no `agle`
             --> m.mbs:2:103
              |
            2 | part post() { body rod { mass: 1, inertia: 1 } joint pin = revolute(ground, rod); let twice = 2 * pin.agle; }
              |                                                                                                       ^^^^
              |
              = help: did you mean `angle`?

            error: [MBS010] unknown name `a.pan`
             --> m.mbs:5:28
              |
            5 | output x = a.pin.angle + a.pan.angle;
              |                            ^^^
              |
              = help: did you mean `a.pin`?

            error: [MBS025] there is no `b[2]`
             --> m.mbs:6:14
              |
            6 | output y = b[2].pin.angle;
              |              ^
              |
              = help: the last one declared is `b[1]`

            error: [MBS010] unknown name `b[0].rd`
             --> m.mbs:7:17
              |
            7 | output z = b[0].rd.x;
              |                 ^^
              |
              = help: did you mean `b[0].rod`?"#]],
    );
}

#[test]
fn a_part_does_not_know_names_of_its_instantiating_scope() {
    check(
        "part post() { body rod { mass: m[i], inertia: i } joint pin = revolute(ground, rod); }
for i in 0..2 { part a[i] = post(); }",
        &expect![[r#"
            error: [MBS010] unknown name `m`, in `a[0]`
             --> m.mbs:2:32
              |
            2 | part post() { body rod { mass: m[i], inertia: i } joint pin = revolute(ground, rod); }
              |                                ^

            error: [MBS010] unknown name `i`, in `a[0]`
             --> m.mbs:2:47
              |
            2 | part post() { body rod { mass: m[i], inertia: i } joint pin = revolute(ground, rod); }
              |                                               ^"#]],
    );
}
