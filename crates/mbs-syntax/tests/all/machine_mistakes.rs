//! Messages about gears on carriers and rotating frames.

use crate::mistakes::{check, check_messages, check_spatial_messages};
use expect_test::expect;

#[test]
fn mbs015_carriers() {
    check(
        "body ring { inertia: 1 } joint rim = revolute(rod, ring); joint mesh = gear(rim, elbow) { ratio: 2, carrier: pin };",
        &expect![[r#"
            error: [MBS015] joint `rim` rotates no gear on this carrier
             --> m.mbs:1:88
              |
            1 | planar M { body ring { inertia: 1 } joint rim = revolute(rod, ring); joint mesh = gear(rim, elbow) { ratio: 2, carrier: pin };
              |                                                                                        ^^^
              |
              = help: it is `revolute`, its first end on the carrier, or on what bears the carrier and about its axis"#]],
    );
    check_messages(
        &[
            "body ring { inertia: 1 } joint rim = revolute(ground, ring); joint mesh = gear(rim, elbow) { ratio: 2, carrier: pin };",
            "body ring { inertia: 1 } joint rim = revolute(ground at [0.5, 0], ring); joint mesh = gear(rim, elbow) { ratio: 2, carrier: pin };",
            "body ring { inertia: 1 } joint rim = revolute(ground, ring); joint mesh = gear(rim, elbow) { ratio: 2, carrier: rod };",
            "body ring { inertia: 1 } joint rim = revolute(ground, ring); joint mesh = gear(rim, elbow) { ratio: 2, carrier: base };",
            "body ring { inertia: 1 } joint rim = revolute(ground, ring); joint mesh = gear(rim, elbow) { ratio: 2, carrier: ground };",
            "body ring { inertia: 1 } joint rim = revolute(ground, ring); joint mesh = gear(rim, pin) { ratio: 2, carrier: ground };",
            "body ring { inertia: 1 } joint rim = revolute(ground, ring); joint mesh = gear(rim, pin) { ratio: 2, carrier: pin };",
            "body ring { inertia: 1 } joint rim = revolute(crank, ring); joint mesh = gear(pin, rim) { ratio: 2, carrier: pin };",
            "body ring { inertia: 1 } joint rim = revolute(ground at [sin(t), 2], ring); joint mesh = gear(pin, rim) { ratio: 2, carrier: ground };",
            "body ring { inertia: 1 } joint rim = free(ground, ring); joint mesh = gear(pin, rim) { ratio: 2, carrier: ground };",
        ],
        &expect![[r#"
            body ring { inertia: 1 } joint rim = revolute(ground, ring); joint mesh = gear(rim, elbow) { ratio: 2, carrier: pin };
            body ring { inertia: 1 } joint rim = revolute(ground at [0.5, 0], ring); joint mesh = gear(rim, elbow) { ratio: 2, carrier: pin };
              MBS015 joint `rim` rotates no gear on this carrier = help: it is `revolute`, its first end on the carrier, or on what bears the carrier and about its axis
            body ring { inertia: 1 } joint rim = revolute(ground, ring); joint mesh = gear(rim, elbow) { ratio: 2, carrier: rod };
              MBS015 a carrier is the joint that it rotates on, not a body = help: write `carrier: joint` or `carrier: ground`
            body ring { inertia: 1 } joint rim = revolute(ground, ring); joint mesh = gear(rim, elbow) { ratio: 2, carrier: base };
              MBS015 joint `base` has no angle to gear = help: write a `coupling` of its coordinates
            body ring { inertia: 1 } joint rim = revolute(ground, ring); joint mesh = gear(rim, elbow) { ratio: 2, carrier: ground };
              MBS015 joint `elbow` rotates no gear on this carrier = help: it is `revolute`, its first end on the carrier, or on what bears the carrier and about its axis
            body ring { inertia: 1 } joint rim = revolute(ground, ring); joint mesh = gear(rim, pin) { ratio: 2, carrier: ground };
              MBS031 the square of the distance of the axes of gear `mesh` is 0, it must be positive
            body ring { inertia: 1 } joint rim = revolute(ground, ring); joint mesh = gear(rim, pin) { ratio: 2, carrier: pin };
              MBS015 joint `pin` rotates no gear on this carrier = help: it is `revolute`, its first end on the carrier, or on what bears the carrier and about its axis
            body ring { inertia: 1 } joint rim = revolute(crank, ring); joint mesh = gear(pin, rim) { ratio: 2, carrier: pin };
              MBS015 joint `pin` rotates no gear on this carrier = help: it is `revolute`, its first end on the carrier, or on what bears the carrier and about its axis
            body ring { inertia: 1 } joint rim = revolute(ground at [sin(t), 2], ring); joint mesh = gear(pin, rim) { ratio: 2, carrier: ground };
              MBS024 the square of the distance of the axes of gear `mesh` is made of constants and parameters only
            body ring { inertia: 1 } joint rim = free(ground, ring); joint mesh = gear(pin, rim) { ratio: 2, carrier: ground };
              MBS015 joint `rim` rotates no gear on this carrier = help: it is `revolute`, its first end on the carrier, or on what bears the carrier and about its axis"#]],
    );
    check_spatial_messages(
        &[
            "body ring { inertia: [1, 1, 1] } joint rim = revolute(ground at [1, 0, 0], ring) { axis: [0, 1, 0] }; joint mesh = gear(pin, rim) { ratio: 2, carrier: ground };",
            "body ring { inertia: [1, 1, 1] } joint rim = revolute(ground at [1, 0, 0], ring) { axis: [0, 0, -1] }; joint mesh = gear(pin, rim) { ratio: 2, carrier: ground };",
            "body ring { inertia: [1, 1, 1] } joint rim = revolute(ground at [1, 0, 0], ring); joint mesh = gear(pin, rim) { ratio: 2, carrier: ground };",
        ],
        &expect![[r#"
            body ring { inertia: [1, 1, 1] } joint rim = revolute(ground at [1, 0, 0], ring) { axis: [0, 1, 0] }; joint mesh = gear(pin, rim) { ratio: 2, carrier: ground };
            body ring { inertia: [1, 1, 1] } joint rim = revolute(ground at [1, 0, 0], ring) { axis: [0, 0, -1] }; joint mesh = gear(pin, rim) { ratio: 2, carrier: ground };
              MBS015 the axes of gear `mesh` do not have one direction = help: gears on a carrier have parallel axes; turn an opposed one round
            body ring { inertia: [1, 1, 1] } joint rim = revolute(ground at [1, 0, 0], ring); joint mesh = gear(pin, rim) { ratio: 2, carrier: ground };
              MBS015 the axes of gear `mesh` do not have one direction = help: gears on a carrier have parallel axes; turn an opposed one round"#]],
    );
}

#[test]
fn rotating_frames() {
    check(
        "frame: rotating;",
        &expect![[r#"
        error: [MBS018] a rotating frame needs `omega`
         --> m.mbs:1:12
          |
        1 | planar M { frame: rotating;
          |            ^^^^^
          |
          = help: write `frame: rotating { omega: … };`"#]],
    );
    check_messages(
        &[
            "frame: rotating { omega: 1 };",
            "frame: rotating { omega: u };",
            "state s = 1 { rate: -s }; frame: rotating { omega: s };",
            "frame: rotating { omega: u, alpha: 0 };",
            "frame: rotating { omega: [0, 1] };",
            "frame: rotating { omega: 1, center: 2 };",
            "frame: rotating { omega: 1, center: [sin(t), 0] };",
            "frame: rotating { omega: 1, centre: [0, 0] };",
            "frame: rotating { omega: pin.rate };",
            "frame: rotating { omega: 1, alpha: pin.acceleration };",
            "frame: turning { omega: 1 };",
            "frame: { omega: 1 };",
            "frame: rotating { omega: 1 }; frame: rotating { omega: 2 };",
            "frame: rotating { omega: 1 }; body frame { mass: 1 } joint air = free(ground, frame);",
        ],
        &expect![[r#"
            frame: rotating { omega: 1 };
            frame: rotating { omega: u };
              MBS018 `omega` of a frame has no rate that is known = help: give `alpha`, too
            state s = 1 { rate: -s }; frame: rotating { omega: s };
              MBS018 `omega` of a frame has no rate that is known = help: give `alpha`, too
            frame: rotating { omega: u, alpha: 0 };
            frame: rotating { omega: [0, 1] };
              MBS020 `omega` of a frame is a number, not a vector of 2
            frame: rotating { omega: 1, center: 2 };
              MBS020 `center` of a frame is a vector of 2, not a number = help: write `[x, y]`
            frame: rotating { omega: 1, center: [sin(t), 0] };
              MBS024 `center` of a frame is made of constants and parameters only
            frame: rotating { omega: 1, centre: [0, 0] };
              MBS017 setting `frame` has no argument `centre` = help: did you mean `center`?
            frame: rotating { omega: pin.rate };
              MBS034 the rate of `omega` of a frame depends on accelerations: circular = help: accelerations, loads of rows and rates of states may stand in outputs
            frame: rotating { omega: 1, alpha: pin.acceleration };
              MBS034 `alpha` of a frame depends on accelerations: circular = help: accelerations, loads of rows and rates of states may stand in outputs
            frame: turning { omega: 1 };
              MBS032 `turning` is not a frame = help: one of `rotating`
            frame: { omega: 1 };
              MBS018 setting `frame` needs a value
            frame: rotating { omega: 1 }; frame: rotating { omega: 2 };
              MBS019 setting `frame` is given twice
            frame: rotating { omega: 1 }; body frame { mass: 1 } joint air = free(ground, frame);
              MBS011 `frame` is the name of the forces of a rotating frame = help: call the other thing something else"#]],
    );
    check_spatial_messages(
        &[
            "frame: rotating { omega: [0, 0, 1] };",
            "frame: rotating { omega: 1 };",
            "frame: rotating { omega: [0, 0, 1] in rod };",
        ],
        &expect![[r#"
            frame: rotating { omega: [0, 0, 1] };
            frame: rotating { omega: 1 };
              MBS020 `omega` of a frame is a vector of 3, not a number = help: write `[x, y, z]`
            frame: rotating { omega: [0, 0, 1] in rod };"#]],
    );
}
