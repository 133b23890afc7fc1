//! Messages about declared kinds of joints.

use crate::mistakes::{check, check_messages, check_spatial_messages};
use expect_test::expect;

#[test]
fn mbs048_kinds_say_how_they_move() {
    check(
        "joint kind Sled(a, b) { coordinate way; } joint track = Sled(ground, rod);",
        &expect![[r#"
            error: [MBS048] joint kind `Sled` has coordinates without a pose
             --> m.mbs:1:47
              |
            1 | planar M { joint kind Sled(a, b) { coordinate way; } joint track = Sled(ground, rod);
              |                                               ^^^
              |
              = help: write `pose { rotation: …, translation: … }` over its coordinates"#]],
    );
    check_messages(
        &[
            "joint kind K(a, b) { } joint j = K(ground, rod);",
            "joint kind K(a) { coincident(a, a); } joint j = K(ground, rod);",
            "joint kind K(a, b) { coordinate s; pose { translation: [s, 0] } coincident(a, b); }",
            "joint kind K(a, b) { pose { translation: [1, 0] } }",
            "joint kind K(a, a) { coincident(a, a); }",
            "joint kind K(a, b) { coordinate b; pose { translation: [b, 0] } }",
            "joint kind revolute(a, b) { coincident(a, b); }",
            "joint kind K(a, b) { coincident(a, b); } joint kind K(a, b) { coincident(a, b); }",
            "joint kind K(a, b) { coordinate s; speed u; pose { translation: [s, 0] } }",
            "joint kind K(a, b) { coordinate s; speed u; kinematics: [u.powi(2)]; pose { translation: [s, 0] } } joint j = K(ground, rod);",
            "joint kind K(a, b) { coordinate q: quaternion; pose { rotation: q[0] } } joint j = K(ground, rod);",
            "joint kind K(a, b) { coordinate q: [0]; pose { translation: q } } joint j = K(ground, rod);",
            "joint kind K(a, b) { coordinate q: [20]; pose { translation: q } } joint j = K(ground, rod);",
            "joint kind K(a, b) { coordinate s = [1, 2]; pose { translation: [s, 0] } } joint j = K(ground, rod);",
            "joint kind K(a, b) { coordinate s; pose { translation: s } } joint j = K(ground, rod);",
            "joint kind K(a, b) { coordinate s; pose { rotation: [s, 0, 0] } } joint j = K(ground, rod);",
            "joint kind K(a, b) { coordinate s; pose { translation: [s, t] } } joint j = K(ground, rod);",
            "joint kind K(a, b) { coordinate s; pose { translation: [s, pin.angle] } } joint j = K(ground, rod);",
            "joint kind K(a, b) { coordinate s; pose { turn: s } } joint j = K(ground, rod);",
            "joint kind K(a, b) { coincident(a, b, a); } joint j = K(ground, rod);",
            "joint kind K(a, b) { perpendicular(a.x, 1); } joint j = K(ground, rod);",
            "joint kind K(a, b) { position(a).x; } joint j = K(ground, rod);",
            "joint kind K(a, b) { 1 == 2; } joint j = K(ground, rod);",
            "joint kind K(a, b, n) { coordinate s; pose { translation: [n * s, 0] } } joint j = K(ground, rod);",
            "joint kind K(a, b, n) { coordinate s; pose { translation: [n * s, 0] } } joint j = K(ground, rod) { n: t };",
            "joint kind K(a, b, n) { coordinate s; pose { translation: [n * s, 0] } } joint j = K(ground, rod) { m: 1 };",
            "joint kind K(a, b) { coordinate s; pose { translation: [s, 0] } } joint j = K(ground);",
            "joint kind K(a, b) { coordinate s; pose { translation: [s, 0] } } joint j = K(rod, rod);",
            "joint kind K(a, b) { coordinate s; pose { translation: [s, 0] } } joint j = K(ground, 1);",
            "joint kind K(a, b) { coordinate s; pose { translation: [s, 0] } } joint j = K(ground, rod); output y = j.r;",
            "joint kind K(a, b) { coincident(a, b); } joint j = K(ground, rod); output y = j.angle;",
            "joint kind Knee(a, b) { coincident(a, b); } joint j = Kne(ground, rod);",
            "joint kind K(a, b) { coordinate s; pose { translation: [q, 0] } } joint j = K(ground, rod);",
            "switch on_off = on; joint kind K(a, b) { coordinate s; pose { translation: [s, 0] } } joint j = K(ground, rod) { enabled: on_off };",
            "for i in 0..2 { joint kind K(a, b) { coincident(a, b); } }",
        ],
        &expect![[r#"
            joint kind K(a, b) { } joint j = K(ground, rod);
              MBS048 joint kind `K` has neither equations nor a pose = help: write equations like `coincident(a, b);`, or coordinates and a `pose`
            joint kind K(a) { coincident(a, a); } joint j = K(ground, rod);
              MBS048 joint kind `K` has 1 end, a joint joins 2 = help: write `joint kind K(a, b)`
            joint kind K(a, b) { coordinate s; pose { translation: [s, 0] } coincident(a, b); }
              MBS048 joint kind `K` has a pose and equations = help: leave the equations out: the pose says what moves
            joint kind K(a, b) { pose { translation: [1, 0] } }
              MBS048 joint kind `K` has a pose without coordinates = help: write `coordinate turn: angle;`, or equations for what does not move
            joint kind K(a, a) { coincident(a, a); }
              MBS011 `a` is declared twice in joint kind `K` = help: give one of them another name
            joint kind K(a, b) { coordinate b; pose { translation: [b, 0] } }
              MBS011 `b` is declared twice in joint kind `K` = help: give one of them another name
            joint kind revolute(a, b) { coincident(a, b); }
              MBS011 `revolute` is a kind of the language = help: give yours another name
            joint kind K(a, b) { coincident(a, b); } joint kind K(a, b) { coincident(a, b); }
              MBS011 `K` is declared twice = help: give one of them another name
            joint kind K(a, b) { coordinate s; speed u; pose { translation: [s, 0] } }
              MBS048 joint kind `K` has speeds without kinematics = help: write `kinematics: [rate of each coordinate];`, linear in the speeds
            joint kind K(a, b) { coordinate s; speed u; kinematics: [u.powi(2)]; pose { translation: [s, 0] } } joint j = K(ground, rod);
              MBS048 `kinematics` of joint kind `K` is not linear in the speeds, in `j` = help: q̇ = N(q) u
            joint kind K(a, b) { coordinate q: quaternion; pose { rotation: q[0] } } joint j = K(ground, rod);
              MBS048 `q` is a coordinate, not a `quaternion`, in `j` = help: write `angle`, or leave it out
            joint kind K(a, b) { coordinate q: [0]; pose { translation: q } } joint j = K(ground, rod);
              MBS025 0 numbers: a joint has between 1 and 12, in `j`
            joint kind K(a, b) { coordinate q: [20]; pose { translation: q } } joint j = K(ground, rod);
              MBS025 20 numbers: a joint has between 1 and 12, in `j`
            joint kind K(a, b) { coordinate s = [1, 2]; pose { translation: [s, 0] } } joint j = K(ground, rod);
              MBS021 the coordinate starts at a number, not a vector of 2, in `j`
            joint kind K(a, b) { coordinate s; pose { translation: s } } joint j = K(ground, rod);
              MBS020 `translation` of the pose of joint kind `K` is a vector of 2, not a number, in `j` = help: write `[x, y]`
            joint kind K(a, b) { coordinate s; pose { rotation: [s, 0, 0] } } joint j = K(ground, rod);
              MBS020 `rotation` of the pose of joint kind `K` is an angle, not a vector of 3, in `j`
            joint kind K(a, b) { coordinate s; pose { translation: [s, t] } } joint j = K(ground, rod);
              MBS048 the pose of joint kind `K` depends on more than its coordinates, constants and parameters, in `j` = help: what moves with time is a `drive`; what others move is a coupling or a constraint
            joint kind K(a, b) { coordinate s; pose { translation: [s, pin.angle] } } joint j = K(ground, rod);
              MBS048 the pose of joint kind `K` depends on more than its coordinates, constants and parameters, in `j` = help: what moves with time is a `drive`; what others move is a coupling or a constraint
            joint kind K(a, b) { coordinate s; pose { turn: s } } joint j = K(ground, rod);
              MBS017 the pose of joint kind `K` has no argument `turn`, in `j` = help: it takes `rotation`, `axes`, `translation`
            joint kind K(a, b) { coincident(a, b, a); } joint j = K(ground, rod);
              MBS026 `coincident` is between 2, 3 are given, in `j` = help: write `coincident(…, …)`
            joint kind K(a, b) { perpendicular(a.x, 1); } joint j = K(ground, rod);
              MBS020 the second of `perpendicular` is a vector of 2, not a number, in `j` = help: write `[x, y]`
            joint kind K(a, b) { position(a).x; } joint j = K(ground, rod);
              MBS033 equation 1 of joint kind `K` is not an equation, in `j` = help: write `left == right`
            joint kind K(a, b) { 1 == 2; } joint j = K(ground, rod);
              MBS036 equation 1 of joint kind `K` depends on no coordinate, in `j`
            joint kind K(a, b, n) { coordinate s; pose { translation: [n * s, 0] } } joint j = K(ground, rod);
              MBS018 joint `j` needs `n` = help: write `{ n: … }`
            joint kind K(a, b, n) { coordinate s; pose { translation: [n * s, 0] } } joint j = K(ground, rod) { n: t };
              MBS024 `n` of joint `j` is made of constants and parameters only
            joint kind K(a, b, n) { coordinate s; pose { translation: [n * s, 0] } } joint j = K(ground, rod) { m: 1 };
              MBS017 joint `j` has no argument `m` = help: it takes `n`, `enabled`, `cut`
            joint kind K(a, b) { coordinate s; pose { translation: [s, 0] } } joint j = K(ground);
              MBS014 joint `j` has 1 end, `K` joins 2 = help: write `K(ground, crank)`
            joint kind K(a, b) { coordinate s; pose { translation: [s, 0] } } joint j = K(rod, rod);
              MBS016 both ends of joint `j` are on `rod` = help: join two bodies
            joint kind K(a, b) { coordinate s; pose { translation: [s, 0] } } joint j = K(ground, 1);
              MBS015 an end of `K` is a body or a marker, not a number = help: write `body`, `body at [x, y]` or a marker's name
            joint kind K(a, b) { coordinate s; pose { translation: [s, 0] } } joint j = K(ground, rod); output y = j.r;
              MBS040 joint `j` has no `r` = help: it has `.s`
            joint kind K(a, b) { coincident(a, b); } joint j = K(ground, rod); output y = j.angle;
              MBS040 joint `j` has no `angle` = help: `K` has no coordinates
            joint kind Knee(a, b) { coincident(a, b); } joint j = Kne(ground, rod);
              MBS013 unknown kind of joint `Kne` = help: did you mean `Knee`?
            joint kind K(a, b) { coordinate s; pose { translation: [q, 0] } } joint j = K(ground, rod);
              MBS010 unknown name `q`, in `j`
            switch on_off = on; joint kind K(a, b) { coordinate s; pose { translation: [s, 0] } } joint j = K(ground, rod) { enabled: on_off };
              MBS048 joint `j` cannot be switched: nothing would move the coordinates of `K` while it is off = help: write its kind by equations, which need no coordinates
            for i in 0..2 { joint kind K(a, b) { coincident(a, b); } }
              MBS027 joint kind `K` inside `for` = help: write it outside the loop, with the index as an argument"#]],
    );
}

#[test]
fn syntax_errors_in_joint_kinds_are_shown_at_their_tokens() {
    let texts = [
        "joint kind K(a, b) coincident(a, b);",
        "joint kind K { coincident(a, b); }",
        "joint kind K(a, b) { coordinate; }",
        "joint kind K(a, b) { coordinate s pose { translation: [s, 0] } }",
        "joint kind K(a, b) { coordinate s: [1, 2]; pose { translation: [s, 0] } }",
        "joint kind K(a, b) { coordinate s; coordinate t: [2; pose { translation: [s, 0] } }",
        "joint kind K(a, b) { kinematics: ; speed: 3; }",
    ];
    let shown: Vec<String> = texts
        .iter()
        .map(|text| {
            let parsed = mbs_syntax::parse_text("m.mbs", &format!("planar M {{ {text} }}"));
            let list = parsed.errors.list().iter().map(|e| format!("  {} {}", e.code, e.message));
            format!("{text}\n{}", list.collect::<Vec<_>>().join("\n"))
        })
        .collect();
    expect![[r#"
        joint kind K(a, b) coincident(a, b);
          MBS001 expected `{` after the ends of `K`, found `coincident`
        joint kind K { coincident(a, b); }
          MBS001 expected `(` after `K`, found `{`
        joint kind K(a, b) { coordinate; }
          MBS001 expected a name, found `;`
        joint kind K(a, b) { coordinate s pose { translation: [s, 0] } }
          MBS001 expected `;` after the coordinate, found `pose`
        joint kind K(a, b) { coordinate s: [1, 2]; pose { translation: [s, 0] } }
          MBS001 a shape of a joint kind has one size
        joint kind K(a, b) { coordinate s; coordinate t: [2; pose { translation: [s, 0] } }
          MBS000 `[` is never closed
        joint kind K(a, b) { kinematics: ; speed: 3; }
          MBS001 expected an expression, found `;`
          MBS001 expected a name, found `:`"#]]
    .assert_eq(&shown.join("\n"));
}

#[test]
fn kinds_of_space_have_speeds_that_make_sense() {
    check_spatial_messages(
        &[
            "joint kind K(a, b) { coordinate s; speed u; kinematics: [u * u]; pose { translation: [s, 0, 0] } } joint j = K(ground, rod);",
            "joint kind K(a, b) { coordinate s; speed u; kinematics: [u + 1]; pose { translation: [s, 0, 0] } } joint j = K(ground, rod);",
            "joint kind K(a, b) { coordinate s; speed u; kinematics: [u, u]; pose { translation: [s, 0, 0] } } joint j = K(ground, rod);",
            "joint kind K(a, b) { coordinate s; speed u: [2]; kinematics: [u[0]]; pose { translation: [s, 0, 0] } } joint j = K(ground, rod);",
            "joint kind K(a, b) { coordinate q: quaternion; pose { rotation: quaternion(q) } } joint j = K(ground, rod);",
            "joint kind K(a, b) { coordinate q: [4]; speed u: [3]; kinematics: [u[0], u[1], u[2], 0]; pose { rotation: quaternion(q) } } joint j = K(ground, rod);",
            "joint kind K(a, b) { coordinate s; kinematics: [s]; pose { translation: [s, 0, 0] } } joint j = K(ground, rod);",
            "joint kind K(a, b) { coordinate s; pose { rotation: s } } joint j = K(ground, rod);",
            "joint kind K(a, b) { coordinate s; pose { axes: [[1, 0, 0], [0, 1, 0], [0, 0, 1]] } } joint j = K(ground, rod);",
            "joint kind K(a, b) { coordinate s; pose { rotation: [s, 0, 0], axes: [[0, 0, 0], [0, 1, 0], [0, 0, 1]] } } joint j = K(ground, rod);",
            "joint kind K(a, b) { coordinate s; pose { rotation: [s, 0, 0], axes: [1, 2, 3] } } joint j = K(ground, rod);",
            "joint kind K(a, b) { coordinate s; pose { translation: [s, 0, 0] in rod } } joint j = K(ground, rod);",
        ],
        &expect![[r#"
            joint kind K(a, b) { coordinate s; speed u; kinematics: [u * u]; pose { translation: [s, 0, 0] } } joint j = K(ground, rod);
              MBS048 `kinematics` of joint kind `K` is not linear in the speeds, in `j` = help: q̇ = N(q) u
            joint kind K(a, b) { coordinate s; speed u; kinematics: [u + 1]; pose { translation: [s, 0, 0] } } joint j = K(ground, rod);
              MBS048 `kinematics` of joint kind `K` is not linear in the speeds, in `j` = help: q̇ = N(q) u
            joint kind K(a, b) { coordinate s; speed u; kinematics: [u, u]; pose { translation: [s, 0, 0] } } joint j = K(ground, rod);
              MBS021 `kinematics` has 2 rates for 1 coordinate, in `j` = help: write one rate per coordinate, in order
            joint kind K(a, b) { coordinate s; speed u: [2]; kinematics: [u[0]]; pose { translation: [s, 0, 0] } } joint j = K(ground, rod);
              MBS048 joint kind `K` has 1 coordinate and 2 speeds, in `j` = help: as many speeds as coordinates, one less for each `quaternion`
            joint kind K(a, b) { coordinate q: quaternion; pose { rotation: quaternion(q) } } joint j = K(ground, rod);
              MBS048 the quaternion `q` has no speeds, in `j` = help: write `speed u: [3];` and `kinematics: […];`: q̇ = ½ q ∘ (0, u) for u in the second end's axes
            joint kind K(a, b) { coordinate q: [4]; speed u: [3]; kinematics: [u[0], u[1], u[2], 0]; pose { rotation: quaternion(q) } } joint j = K(ground, rod);
              MBS048 joint kind `K` has 4 coordinates and 3 speeds, in `j` = help: as many speeds as coordinates, one less for each `quaternion`
            joint kind K(a, b) { coordinate s; kinematics: [s]; pose { translation: [s, 0, 0] } } joint j = K(ground, rod);
              MBS048 joint kind `K` has kinematics without speeds = help: write `speed u: [3];`
            joint kind K(a, b) { coordinate s; pose { rotation: s } } joint j = K(ground, rod);
              MBS020 `rotation` of the pose of joint kind `K` is three angles about x, y, z in turn, or a rotation, not a number, in `j`
            joint kind K(a, b) { coordinate s; pose { axes: [[1, 0, 0], [0, 1, 0], [0, 0, 1]] } } joint j = K(ground, rod);
              MBS048 the pose of joint kind `K` has axes and no rotation, in `j` = help: write `rotation: [a, b, c]`
            joint kind K(a, b) { coordinate s; pose { rotation: [s, 0, 0], axes: [[0, 0, 0], [0, 1, 0], [0, 0, 1]] } } joint j = K(ground, rod);
              MBS023 the axis has length zero, in `j` = help: write `[1, 0, 0]`
            joint kind K(a, b) { coordinate s; pose { rotation: [s, 0, 0], axes: [1, 2, 3] } } joint j = K(ground, rod);
              MBS020 `axes` of the pose of joint kind `K` are three axes, not a vector of 3, in `j` = help: write `axes: [[1, 0, 0], [0, 1, 0], [0, 0, 1]]`
            joint kind K(a, b) { coordinate s; pose { translation: [s, 0, 0] in rod } } joint j = K(ground, rod);
              MBS022 `translation` of the pose of joint kind `K` is in the axes of `ground`, not of `rod`, in `j` = help: leave out `in`"#]],
    );
}
