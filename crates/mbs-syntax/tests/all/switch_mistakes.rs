//! Messages about elements that can be switched off.

use crate::mistakes::{check, check_messages};
use expect_test::expect;

#[test]
fn mbs046_switches_within_a_step() {
    check(
        "drive d = pin.rate == 1 { enabled: pin.angle < 1 };",
        &expect![[r#"
        error: [MBS046] `enabled` of drive `d` may change within a step
         --> m.mbs:1:57
          |
        1 | planar M { drive d = pin.rate == 1 { enabled: pin.angle < 1 };
          |                                                         ^
          |
          = help: make it of switches, `discrete` variables and parameters, and change those in an `event`"#]],
    );
    check_messages(
        &[
            "drive d = pin.rate == 1 { enabled: t < 1 };",
            "state z = 0 { rate: 1 }; drive d = pin.rate == 1 { enabled: z < 1 };",
            "drive d = pin.rate == 1 { enabled: u > 0 };",
            "drive d = pin.rate == 1 { enabled: 1 };",
            "drive d = pin.rate == 1 { enabled: true };",
            "drive d = pin.rate == 1 { enabled: p > 0 };",
            "switch s = on; drive d = pin.rate == 1 { enabled: s, enabled: s };",
            "switch s = on; joint j = revolute(ground at [1, 0], rod at [1, 0]) { enabled: s && t > 1 };",
            "force f = torque(ground, rod) { torque: 1, enabled: pin.angle };",
            "force f = torque(ground, rod) { torque: 1, enabled: pin.acceleration > 1 };",
            "potential v = pin.angle { enabled: pin.rate > 1 };",
            "switch s = on; output y = 1 { enabled: s };",
        ],
        &expect![[r#"
            drive d = pin.rate == 1 { enabled: t < 1 };
              MBS046 `enabled` of drive `d` may change within a step = help: make it of switches, `discrete` variables and parameters, and change those in an `event`
            state z = 0 { rate: 1 }; drive d = pin.rate == 1 { enabled: z < 1 };
              MBS046 `enabled` of drive `d` may change within a step = help: make it of switches, `discrete` variables and parameters, and change those in an `event`
            drive d = pin.rate == 1 { enabled: u > 0 };
              MBS046 `enabled` of drive `d` may change within a step = help: make it of switches, `discrete` variables and parameters, and change those in an `event`
            drive d = pin.rate == 1 { enabled: 1 };
              MBS020 a truth value is expected, not a number = help: compare with `<`, `>`, `==`
            drive d = pin.rate == 1 { enabled: true };
            drive d = pin.rate == 1 { enabled: p > 0 };
            switch s = on; drive d = pin.rate == 1 { enabled: s, enabled: s };
              MBS019 argument `enabled` is given twice
            switch s = on; joint j = revolute(ground at [1, 0], rod at [1, 0]) { enabled: s && t > 1 };
              MBS046 `enabled` of joint `j` may change within a step = help: make it of switches, `discrete` variables and parameters, and change those in an `event`
            force f = torque(ground, rod) { torque: 1, enabled: pin.angle };
              MBS020 a truth value is expected, not a number = help: compare with `<`, `>`, `==`
            force f = torque(ground, rod) { torque: 1, enabled: pin.acceleration > 1 };
              MBS034 `enabled` of force `f` depends on accelerations: circular = help: accelerations, loads of rows and rates of states may stand in outputs
            potential v = pin.angle { enabled: pin.rate > 1 };
              MBS034 potential `v` depends on velocities
            switch s = on; output y = 1 { enabled: s };
              MBS017 output `y` has no argument `enabled` = help: it takes none"#]],
    );
}

#[test]
fn mbs047_alternatives() {
    check(
        "switch s = on; drive d = pin.rate == 1 { enabled: s }; drive e = pin.rate == 0; exclusive: [d, e];",
        &expect![[r#"
            error: [MBS047] `e` is always on
             --> m.mbs:1:107
              |
            1 | planar M { switch s = on; drive d = pin.rate == 1 { enabled: s }; drive e = pin.rate == 0; exclusive: [d, e];
              |                                                                                                           ^
              |
              = help: give `e` a switch: `{ enabled: … }`"#]],
    );
    check_messages(
        &[
            "exclusive: pin;",
            "exclusive: [];",
            "switch s = on; drive d = pin.rate == 1 { enabled: s }; exclusive: [d];",
            "switch s = on; drive d = pin.rate == 1 { enabled: s }; exclusive: [d, missing];",
            "switch s = on; drive spin = pin.rate == 1 { enabled: s }; exclusive: [spin, spni];",
            "switch s = on; force f = torque(ground, rod) { torque: 1, enabled: s }; exclusive: [f, pin];",
        ],
        &expect![[r#"
            exclusive: pin;
              MBS047 `exclusive` takes a list of names = help: write `exclusive: [lock_a, lock_b];`
            exclusive: [];
              MBS047 alternatives are two or more = help: name at least two of which one is on at a time
            switch s = on; drive d = pin.rate == 1 { enabled: s }; exclusive: [d];
              MBS047 alternatives are two or more = help: name at least two of which one is on at a time
            switch s = on; drive d = pin.rate == 1 { enabled: s }; exclusive: [d, missing];
              MBS010 there is no joint, drive, coupling or constraint `missing`
            switch s = on; drive spin = pin.rate == 1 { enabled: s }; exclusive: [spin, spni];
              MBS010 there is no joint, drive, coupling or constraint `spni` = help: did you mean `spin`?
            switch s = on; force f = torque(ground, rod) { torque: 1, enabled: s }; exclusive: [f, pin];
              MBS010 there is no joint, drive, coupling or constraint `f`
              MBS047 `pin` is always on = help: give `pin` a switch: `{ enabled: … }`"#]],
    );
}
