//! Messages about prescribed coordinates.

use crate::mistakes::{check, check_messages};
use expect_test::expect;

#[test]
fn mbs049_coordinates_are_prescribed_by_time() {
    check(
        "prescribe turning = position(rod).x == 2 * t;",
        &expect![[r#"
            error: [MBS049] the left side is no coordinate of a joint
             --> m.mbs:1:32
              |
            1 | planar M { prescribe turning = position(rod).x == 2 * t;
              |                                ^^^^^^^^^^^^^^^
              |
              = help: prescribe a coordinate of a joint, `prescribe name = joint.angle == …;`, or use `drive`"#]],
    );
    check_messages(
        &[
            "prescribe m = pin.angle == 2 * base.position;",
            "prescribe m = pin.angle == t; prescribe n = pin.angle == 2 * t;",
            "switch on_ = on; prescribe m = pin.angle == t { enabled: on_ };",
            "state s = 1 { rate: -s }; prescribe m = pin.angle == s;",
            "discrete d = 1; prescribe m = pin.angle == d * t;",
            "input u; prescribe m = pin.angle == u;",
            "prescribe m = pin.rate == 2;",
            "prescribe m = 2 * t == pin.angle;",
            "prescribe m = pin.angle == [t, t];",
            "prescribe m = pin.angle;",
            "prescribe m;",
            "prescribe m = pin.angle == t; output y = load(m) + reaction(m, rod).torque;",
        ],
        &expect![[r#"
            prescribe m = pin.angle == 2 * base.position;
              MBS021 prescribe `m` equates a number with a vector of 2
            prescribe m = pin.angle == t; prescribe n = pin.angle == 2 * t;
              MBS049 `m` prescribes this coordinate already = help: remove one of the two
            switch on_ = on; prescribe m = pin.angle == t { enabled: on_ };
              MBS049 what is prescribed is no unknown, and cannot be switched off = help: prescribe it by a row: `drive name = … == …;`
            state s = 1 { rate: -s }; prescribe m = pin.angle == s;
              MBS049 a coordinate is prescribed by a function of time and parameters, not of states = help: prescribe it by a row: `drive name = … == …;`
            discrete d = 1; prescribe m = pin.angle == d * t;
              MBS049 a coordinate is prescribed by a function of time and parameters, not of states = help: prescribe it by a row: `drive name = … == …;`
            input u; prescribe m = pin.angle == u;
              MBS011 `u` is declared twice = help: give one of them another name
            prescribe m = pin.rate == 2;
              MBS049 the left side is no coordinate of a joint = help: prescribe a coordinate of a joint, `prescribe name = joint.angle == …;`, or use `drive`
            prescribe m = 2 * t == pin.angle;
              MBS049 the left side is no coordinate of a joint = help: prescribe a coordinate of a joint, `prescribe name = joint.angle == …;`, or use `drive`
            prescribe m = pin.angle == [t, t];
              MBS021 prescribe `m` equates a number with a vector of 2
            prescribe m = pin.angle;
              MBS033 prescribe `m` is not an equation = help: write `left == right`
            prescribe m;
              MBS018 prescribe `m` needs an equation = help: write `prescribe m = left == right;`
            prescribe m = pin.angle == t; output y = load(m) + reaction(m, rod).torque;
              MBS020 `m` exerts nothing on `rod` = help: name a body that its equation observes"#]],
    );
}
