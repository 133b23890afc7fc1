//! Messages about loops over sets.

use crate::mistakes::{check, check_messages};
use expect_test::expect;

#[test]
fn sets_are_of_bodies_and_markers() {
    check(
        "for (a, b) in pairs([rod, pin]) { potential v = distance(a, b); }",
        &expect![[r#"
        error: [MBS020] a set contains bodies and markers
         --> m.mbs:1:38
          |
        1 | planar M { for (a, b) in pairs([rod, pin]) { potential v = distance(a, b); }
          |                                      ^^^
          |
          = help: write `bodies`, or names: `[ground, sun, earth]`"#]],
    );
    check_messages(
        &[
            "for (a, b) in pairs([ground, rod]) { potential v = distance(a, b at [1, 0]); } output y = v;",
            "for b in [rod, ground, rod] { output y = position(b).x; }",
            "for b in [rdo] { output y = position(b).x; }",
            "for b in [1] { output y = 1; }",
            "for b in pairs(bodies) { output y = 1; }",
            "for (a, b) in bodies { output y = 1; }",
            "for (a, a) in pairs(bodies) { output y = 1; }",
            "for (a, b) in pairs() { output y = 1; }",
            "for (a, b) in pairs(pin) { output y = 1; }",
            "for b in bodies { body c { mass: 1, inertia: 1 } }",
            "for b in bodies { force f = torque(b) { torque: missing }; }",
            "for b in bodies { force f[1] = torque(b) { torque: 1 }; output y = f; }",
            "for ground in bodies { output y = 1; }",
            "for b in rod { output y = 1; }",
            "for b in bodies { output y = b; }",
            "output y = b; for b in bodies { output z = 1; }",
        ],
        &expect![[r#"
            for (a, b) in pairs([ground, rod]) { potential v = distance(a, b at [1, 0]); } output y = v;
              MBS010 unknown name `v`
            for b in [rod, ground, rod] { output y = position(b).x; }
              MBS027 `rod` is in the set twice
            for b in [rdo] { output y = position(b).x; }
              MBS010 there is no body or marker `rdo` = help: did you mean `rod`?
            for b in [1] { output y = 1; }
              MBS020 a set contains bodies and markers = help: write `bodies`, or names: `[ground, sun, earth]`
            for b in pairs(bodies) { output y = 1; }
              MBS027 1 loop variable where there are 2 = help: write `for (a, b) in pairs(…)`
            for (a, b) in bodies { output y = 1; }
              MBS027 2 loop variables where there is 1 = help: write `for a in …`
            for (a, a) in pairs(bodies) { output y = 1; }
              MBS011 both loop variables are called `a` = help: give one of them another name
            for (a, b) in pairs() { output y = 1; }
              MBS026 `pairs` takes a set, not 0 arguments = help: write `pairs(bodies)`
            for (a, b) in pairs(pin) { output y = 1; }
              MBS020 a set contains bodies and markers = help: write `bodies`, or names: `[ground, sun, earth]`
            for b in bodies { body c { mass: 1, inertia: 1 } }
              MBS027 body `c` inside a loop over a set = help: sets are of what is outside
            for b in bodies { force f = torque(b) { torque: missing }; }
              MBS038 particle `bob` has no rotation = help: `torque` needs one
              MBS010 unknown name `missing`
            for b in bodies { force f[1] = torque(b) { torque: 1 }; output y = f; }
              MBS011 `f[1]` is declared twice = help: leave the index out: names here carry those of the set
              MBS038 particle `bob` has no rotation = help: `torque` needs one
            for ground in bodies { output y = 1; }
              MBS028 `ground` is reserved = help: choose another name
            for b in rod { output y = 1; }
              MBS025 a range of whole numbers is expected = help: write `0..n`
            for b in bodies { output y = b; }
              MBS020 output `y[crank]` is a number, vector, matrix or rotation, not a body
            output y = b; for b in bodies { output z = 1; }
              MBS010 unknown name `b`"#]],
    );
}
