//! `import "arm.urdf" as arm;`: names with a prefix, and two robots in one mechanism.

use expect_test::{Expect, expect};
use mbs_model::Model;
use mbs_resolve::resolve;

use crate::urdf::{errors_of, items_of, parse};

/// A hinge on a base, and a finger that mimics it.
const ARM: &str = r#"<robot name="r">
<link name="base"/>
<link name="beam">
<inertial> <mass value="2"/> <inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/> </inertial>
<visual> <geometry> <sphere radius="0.1"/> </geometry> </visual>
</link>
<link name="finger"/>
<joint name="hinge" type="revolute"> <parent link="base"/> <child link="beam"/> <origin xyz="0 0 1" rpy="0.5 0 0"/>
<limit lower="-1" upper="1" effort="5" velocity="2"/> </joint>
<joint name="beam" type="revolute"> <parent link="beam"/> <child link="finger"/> <mimic joint="hinge" offset="0.5"/> </joint>
</robot>"#;

fn model_of(items: &str) -> Model {
    let parsed = parse(items, ARM);
    assert!(parsed.errors.is_empty(), "{}", errors_of(&parsed));
    resolve(&parsed.definitions[0]).unwrap_or_else(|errors| panic!("{}", parsed.sources.render(errors.list())))
}

/// Mistakes of a mechanism with `items`, of its grammar or of its names.
fn check(items: &str, expected: &Expect) {
    let parsed = parse(items, ARM);
    let errors = match parsed.errors.is_empty() {
        true => resolve(&parsed.definitions[0]).expect_err("it has a mistake"),
        false => parsed.errors.clone(),
    };
    expected.assert_eq(&parsed.sources.render(errors.list()));
}

#[test]
fn every_name_begins_with_the_prefix() {
    let parsed = parse("import \"r.urdf\" as left { beam: { velocity: body } };", ARM);
    expect![[r#"
        group left;
        /* Link `base` of `r`. */ body left.base;
        /* Link `beam` of `r`. */ body left.beam { mass: 2, inertia: [1, 1, 1], velocity: body };
        /* Link `finger` of `r`. */ body left.finger;
        /* Frame of the joint `hinge`. */ marker left.hinge_frame = (left.base at [0, 0, 1]) { rotation: euler(zyx, [0, 0, 0.5]) };
        /* Joint `hinge`, revolute. */ joint left.hinge = revolute(left.hinge_frame, left.beam) { axis: [1, 0, 0] };
        /* Lower limit of the joint `hinge` [rad]. */ const left.hinge_lower = (-1);
        /* Upper limit of the joint `hinge` [rad]. */ const left.hinge_upper = 1;
        /* Largest load of the joint `hinge` [N m]. */ const left.hinge_effort = 5;
        /* Largest speed of the joint `hinge` [rad/s]. */ const left.hinge_velocity = 2;
        /* Joint `beam`, revolute. */ joint left.beam_joint = revolute(left.beam, left.finger) { axis: [1, 0, 0] };
        /* The joint `beam` follows `hinge`. */ coupling left.beam_joint_mimic = (left.beam_joint.angle == (left.hinge.angle + 0.5));
    "#]]
    .assert_eq(&items_of(&parsed));
}

#[test]
fn two_arms_are_mounted_on_one_bench() {
    let model = model_of(
        "body bench { mass: 5, inertia: [1, 1, 1] }
        joint slide = prismatic(ground, bench) { axis: [1, 0, 0] };
        import \"r.urdf\" as left;
        import \"r.urdf\" as right { base: { mass: 1 } };
        joint left_stand = fixed(bench at [0, 0.5, 0], left.base);
        joint right_stand = fixed(bench at [0, -0.5, 0], right.base);
        const most = 2 * left.hinge_effort;
        force motor = mobility(left.hinge) { value: most - left.hinge.rate };
        function lag(x) = x - right.hinge_lower;
        initial left.hinge.angle = 0.2, right.hinge.angle ~ lag(0);
        for i in 0..2 { output angle[i] = left.hinge.angle + i * right.hinge.angle; }
        output reach = distance(left.beam, right.beam at [0, 0, 1]);
        output center = position(left at com);
        output pull = reaction(right.hinge).force;
        constraint grip = position(right.finger).x == position(left.finger).x;",
    );
    let bodies: Vec<&str> = model.bodies.iter().map(|body| body.name.as_str()).collect();
    assert_eq!(bodies, ["bench", "left.base", "left.beam", "left.finger", "right.base", "right.beam", "right.finger"]);
    assert_eq!(model.start.conditions[0].name, "left.hinge.angle");
    let solids: Vec<usize> =
        model.imported.solids.iter().filter_map(|solid| solid.body.map(|body| body.index())).collect();
    assert_eq!(solids, [2, 5]);
    let limits: Vec<&str> =
        model.imported.limits.iter().map(|given| model.joints[given.joint.index()].name.as_str()).collect();
    assert_eq!(limits, ["left.hinge", "left.beam_joint", "right.hinge", "right.beam_joint"]);
}

#[test]
fn names_that_no_robot_has_are_unknown() {
    check(
        "import \"r.urdf\" as left; joint s = fixed(ground, left.bse); output x = left.hinge.angl;",
        &expect![[r#"
            error: [MBS010] unknown name `left.bse`
             --> m.mbs:1:67
              |
            1 | spatial M { import "r.urdf" as left; joint s = fixed(ground, left.bse); output x = left.hinge.angl; }
              |                                                                   ^^^
              |
              = help: did you mean `left.base`?

            error: [MBS040] joint `left.hinge` has no `angl`
             --> m.mbs:1:95
              |
            1 | spatial M { import "r.urdf" as left; joint s = fixed(ground, left.bse); output x = left.hinge.angl; }
              |                                                                                               ^^^^
              |
              = help: did you mean `angle`?"#]],
    );
    check(
        "import \"r.urdf\" as left; joint s = fixed(ground, lft.base);",
        &expect![[r#"
            error: [MBS010] unknown name `lft`
             --> m.mbs:1:62
              |
            1 | spatial M { import "r.urdf" as left; joint s = fixed(ground, lft.base); }
              |                                                              ^^^
              |
              = help: did you mean `left`?"#]],
    );
}

#[test]
fn a_group_is_its_bodies_and_nothing_else() {
    check(
        "import \"r.urdf\" as left; joint s = fixed(ground, left.base); output x = 2 * left; const k = left;",
        &expect![[r#"
            error: [MBS020] cannot multiply a number by a set of bodies
             --> m.mbs:1:87
              |
            1 | spatial M { import "r.urdf" as left; joint s = fixed(ground, left.base); output x = 2 * left; const k = left; }
              |                                                                                       ^

            error: [MBS020] constant `k` is made of numbers, not a set of bodies
             --> m.mbs:1:105
              |
            1 | spatial M { import "r.urdf" as left; joint s = fixed(ground, left.base); output x = 2 * left; const k = left; }
              |                                                                                                         ^^^^
              |
              = help: write `let` or `marker`"#]],
    );
}

#[test]
fn prefixes_are_separate_names() {
    check(
        "import \"r.urdf\" as left; import \"r.urdf\" as left;",
        &expect![[r#"
        error: [MBS011] two imports are called `left`
         --> m.mbs:1:57
          |
        1 | spatial M { import "r.urdf" as left; import "r.urdf" as left; }
          |                                                         ^^^^
          |
          = help: give one of them another name"#]],
    );
    check(
        "joint s = fixed(ground, left.base); body left { mass: 1 } import \"r.urdf\" as left;",
        &expect![[r#"
            error: [MBS011] `left` is declared twice
             --> m.mbs:1:90
              |
            1 | spatial M { joint s = fixed(ground, left.base); body left { mass: 1 } import "r.urdf" as left; }
              |                                                      ---- first declared here            ^^^^
              |
              = help: `left` is the prefix of an import"#]],
    );
    check(
        "import \"r.urdf\" as ground;",
        &expect![[r#"
            error: [MBS028] `ground` is reserved
             --> m.mbs:1:32
              |
            1 | spatial M { import "r.urdf" as ground; }
              |                                ^^^^^^
              |
              = help: choose another name"#]],
    );
    check(
        "import \"r.urdf\" as type;",
        &expect![[r#"
        error: [MBS001] `type` is a word of Rust and cannot be a name
         --> m.mbs:1:32
          |
        1 | spatial M { import "r.urdf" as type; }
          |                                ^^^^"#]],
    );
    check(
        "import \"r.urdf\" as;",
        &expect![[r#"
        error: [MBS001] expected a name, found `;`
         --> m.mbs:1:31
          |
        1 | spatial M { import "r.urdf" as; }
          |                               ^"#]],
    );
}

#[test]
fn names_that_are_equal_in_rust_are_refused() {
    check(
        "import \"r.urdf\" as left; joint s = fixed(ground, left.base); body left_beam { mass: 1 } joint f = free(ground, left_beam);",
        &expect![[r#"
            error: [MBS011] `left_beam` is declared twice
             --> m.mbs:1:79
              |
            1 | spatial M { import "r.urdf" as left; joint s = fixed(ground, left.base); body left_beam { mass: 1 } joint f = free(ground, left_beam); }
              |                                                                               ^^^^^^^^^
              |
             ::: r.urdf:3:13
              |
            3 | <link name="beam">
              |             ---- first declared here
              |
              = help: `left.beam` and `left_beam` would have one name in Rust"#]],
    );
}

#[test]
fn arguments_are_given_by_the_names_of_the_file() {
    check(
        "import \"r.urdf\" as left { left_beam: { mass: 1 } };",
        &expect![[r#"
        error: [MBS010] the robot has no link `left_beam`
         --> m.mbs:1:39
          |
        1 | spatial M { import "r.urdf" as left { left_beam: { mass: 1 } }; }
          |                                       ^^^^^^^^^"#]],
    );
}
