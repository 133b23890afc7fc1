//! Robots as complete mechanisms: `urdf! { pub Arm = "arm.urdf"; }`, `robot Arm = "arm.urdf";`, and the text of a file.

use expect_test::{Expect, expect};
use mbs_definition::Item;
use mbs_model::Model;
use mbs_physics::Tree;
use mbs_resolve::resolve;
use mbs_syntax::{Imported, Parsed, parse_robot_tokens_with, parse_text_with, parse_urdf};

use crate::shown;
use crate::urdf::{errors_of, items_of};

/// A robot with two branches, whose tree has another order than the file, and with a mimic.
const ROBOT: &str = r#"<robot name="two arms-2">
<link name="trunk"> <inertial> <mass value="2"/> <inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/> </inertial> </link>
<link name="a"/> <link name="b"/> <link name="c"/> <link name="d"/>
<joint name="shoulder" type="revolute"> <parent link="trunk"/> <child link="a"/>
<limit lower="-1" upper="2" effort="30" velocity="3"/> <dynamics damping="0.5" friction="0.2"/> </joint>
<joint name="rail" type="prismatic"> <parent link="a"/> <child link="b"/> <dynamics friction="4"/> </joint>
<joint name="wheel" type="continuous"> <parent link="trunk"/> <child link="c"/> <limit lower="-1" upper="1" effort="7"/> </joint>
<joint name="finger" type="revolute"> <parent link="c"/> <child link="d"/> <mimic joint="wheel"/> <dynamics damping="0.1"/> </joint>
</robot>"#;

fn loaded(urdf: &str) -> impl FnMut(&str) -> Result<Imported, String> + '_ {
    move |name| match name {
        "r.urdf" => Ok(Imported { path: name.to_owned(), text: urdf.to_owned() }),
        _ => Err(format!("`{name}`: no such file")),
    }
}

fn robot(text: &str) -> Parsed {
    parse_robot_tokens_with(text.parse().expect("tokens"), &mut loaded(ROBOT))
}

/// Parses a robot as a text, where messages have positions.
fn in_text(text: &str, urdf: &str) -> Parsed {
    parse_text_with("m.mbs", text, &mut loaded(urdf))
}

fn model_of(parsed: &Parsed) -> Model {
    assert!(parsed.errors.is_empty(), "{}", errors_of(parsed));
    resolve(&parsed.definitions[0]).unwrap_or_else(|errors| panic!("{}", parsed.sources.render(errors.list())))
}

fn refused(text: &str, expected: &Expect) {
    expected.assert_eq(&errors_of(&in_text(text, ROBOT)));
}

#[test]
fn a_standalone_robot_has_a_base_gravity_and_motors() {
    expect![[r#"
        /* Torques [N m] and forces [N] of the motors, in the order of the joints' speeds. */ input effort: [3];
        gravity: [0, 0, (-9.81)];
        /* Link `trunk` of `two arms-2`. */ body trunk { mass: 2, inertia: [1, 1, 1] };
        /* Link `a` of `two arms-2`. */ body a;
        /* Link `b` of `two arms-2`. */ body b;
        /* Link `c` of `two arms-2`. */ body c;
        /* Link `d` of `two arms-2`. */ body d;
        /* Joint `shoulder`, revolute. */ joint shoulder = revolute(trunk, a) { axis: [1, 0, 0] };
        /* Lower limit of the joint `shoulder` [rad]. */ const shoulder_lower = (-1);
        /* Upper limit of the joint `shoulder` [rad]. */ const shoulder_upper = 2;
        /* Largest load of the joint `shoulder` [N m]. */ const shoulder_effort = 30;
        /* Largest speed of the joint `shoulder` [rad/s]. */ const shoulder_velocity = 3;
        /* Damping of the joint `shoulder` [N m s/rad]. */ const shoulder_damping = 0.5;
        /* Static friction of the joint `shoulder` [N m]. */ const shoulder_friction = 0.2;
        /* Joint `rail`, prismatic. */ joint rail = prismatic(a, b) { axis: [1, 0, 0] };
        /* Static friction of the joint `rail` [N]. */ const rail_friction = 4;
        /* Joint `wheel`, continuous. */ joint wheel = revolute(trunk, c) { axis: [1, 0, 0] };
        /* Largest load of the joint `wheel` [N m]. */ const wheel_effort = 7;
        /* Joint `finger`, revolute. */ joint finger = revolute(c, d) { axis: [1, 0, 0] };
        /* Damping of the joint `finger` [N m s/rad]. */ const finger_damping = 0.1;
        /* The joint `finger` follows `wheel`. */ coupling finger_mimic = (finger.angle == wheel.angle);
        /* The root is fixed to ground. */ joint stand = fixed(ground, trunk);
        /* Motor of the joint `shoulder`. */ force shoulder_motor = mobility(shoulder) { value: effort[0] };
        /* Motor of the joint `wheel`. */ force wheel_motor = mobility(wheel) { value: effort[1] };
        /* Motor of the joint `rail`. */ force rail_motor = mobility(rail) { value: effort[2] };
        /* Damping and friction of the joint `shoulder`. */ force shoulder_loss = mobility(shoulder) { value: ((-0.5) * shoulder.rate) };
        /* Damping and friction of the joint `finger`. */ force finger_loss = mobility(finger) { value: ((-0.1) * finger.rate) };
    "#]].assert_eq(&items_of(&parse_urdf("two.urdf", ROBOT)));
}

#[test]
fn settings_in_braces_change_the_robot() {
    let parsed = robot(
        "/// Docs.
        pub(crate) Two = \"r.urdf\" {
            base: free; friction_speed: 0.01; gravity: [0, 0, -1.62]; trunk: { velocity: body };
            output height = position(trunk).z;
        }",
    );
    expect![[r#"
        /* Torques [N m] and forces [N] of the motors, in the order of the joints' speeds. */ input effort: [3];
        /* Link `trunk` of `two arms-2`. */ body trunk { mass: 2, inertia: [1, 1, 1], velocity: body };
        /* Link `a` of `two arms-2`. */ body a;
        /* Link `b` of `two arms-2`. */ body b;
        /* Link `c` of `two arms-2`. */ body c;
        /* Link `d` of `two arms-2`. */ body d;
        /* Joint `shoulder`, revolute. */ joint shoulder = revolute(trunk, a) { axis: [1, 0, 0] };
        /* Lower limit of the joint `shoulder` [rad]. */ const shoulder_lower = (-1);
        /* Upper limit of the joint `shoulder` [rad]. */ const shoulder_upper = 2;
        /* Largest load of the joint `shoulder` [N m]. */ const shoulder_effort = 30;
        /* Largest speed of the joint `shoulder` [rad/s]. */ const shoulder_velocity = 3;
        /* Damping of the joint `shoulder` [N m s/rad]. */ const shoulder_damping = 0.5;
        /* Static friction of the joint `shoulder` [N m]. */ const shoulder_friction = 0.2;
        /* Joint `rail`, prismatic. */ joint rail = prismatic(a, b) { axis: [1, 0, 0] };
        /* Static friction of the joint `rail` [N]. */ const rail_friction = 4;
        /* Joint `wheel`, continuous. */ joint wheel = revolute(trunk, c) { axis: [1, 0, 0] };
        /* Largest load of the joint `wheel` [N m]. */ const wheel_effort = 7;
        /* Joint `finger`, revolute. */ joint finger = revolute(c, d) { axis: [1, 0, 0] };
        /* Damping of the joint `finger` [N m s/rad]. */ const finger_damping = 0.1;
        /* The joint `finger` follows `wheel`. */ coupling finger_mimic = (finger.angle == wheel.angle);
        /* The root moves freely. */ joint float = free(ground, trunk);
        /* Motor of the joint `shoulder`. */ force shoulder_motor = mobility(shoulder) { value: effort[0] };
        /* Motor of the joint `wheel`. */ force wheel_motor = mobility(wheel) { value: effort[1] };
        /* Motor of the joint `rail`. */ force rail_motor = mobility(rail) { value: effort[2] };
        /* Damping and friction of the joint `shoulder`. */ force shoulder_loss = mobility(shoulder) { value: (((-0.5) * shoulder.rate) + ((-0.2) * tanh((shoulder.rate / 0.01)))) };
        /* Damping and friction of the joint `rail`. */ force rail_loss = mobility(rail) { value: ((-4) * tanh((rail.speed / 0.01))) };
        /* Damping and friction of the joint `finger`. */ force finger_loss = mobility(finger) { value: ((-0.1) * finger.rate) };
        gravity: [0, 0, (-1.62)];
        output height = position(trunk).z;
    "#]].assert_eq(&items_of(&parsed));
    let definition = &parsed.definitions[0];
    assert_eq!((&*definition.docs, &*definition.visibility, &*definition.name.text), ("Docs.", "pub(crate)", "Two"));
    model_of(&parsed);
}

#[test]
fn all_notations_of_a_robot_give_equal_items() {
    let items = |parsed: &Parsed| parsed.definitions[0].items.iter().map(shown::item).collect::<Vec<_>>();
    let by_itself = items(&parse_urdf("two.urdf", ROBOT));
    for text in [
        "pub Two = \"r.urdf\"",
        "pub Two = \"r.urdf\";",
        "Two = \"r.urdf\" { base: fixed; }",
        "robot Two = \"r.urdf\" {};",
    ] {
        let parsed = robot(text);
        assert!(parsed.errors.is_empty(), "{text}: {}", errors_of(&parsed));
        assert_eq!(items(&parsed), by_itself, "{text}");
    }
    let two = robot("pub Two = \"r.urdf\"; pub Same = \"r.urdf\" { } /// Third.\n Third = \"r.urdf\";");
    assert!(two.errors.is_empty() && two.definitions.len() == 3, "{}", errors_of(&two));
    let beside = in_text("robot Two = \"r.urdf\"; pub planar P { } pub robot Same = \"r.urdf\" { base: free; }", ROBOT);
    assert!(beside.errors.is_empty() && beside.definitions.len() == 3, "{}", errors_of(&beside));
    assert_eq!(items(&beside), by_itself);
}

#[test]
fn efforts_and_limits_are_in_the_order_of_the_speeds() {
    for base in ["fixed", "free"] {
        let model = model_of(&robot(&format!("Two = \"r.urdf\" {{ base: {base}; }}")));
        let tree = Tree::new(&model);
        let speeds: Vec<String> = (0..tree.n()).map(|i| tree.speed_name(&model, i)).collect();
        let motors: Vec<&str> =
            model.loads.forces.iter().filter_map(|force| force.name.strip_suffix("_motor")).collect();
        assert_eq!(motors, ["shoulder", "wheel", "rail"]);
        let driven = model.imported.limits.iter().filter(|given| !given.follows);
        let limits: Vec<&str> = driven.map(|given| model.joints[given.joint.index()].name.as_str()).collect();
        assert_eq!(limits, motors);
        let places: Vec<_> = motors
            .iter()
            .map(|motor| speeds.iter().position(|speed| speed.starts_with(&format!("{motor}."))).expect("it moves"))
            .collect();
        assert!(places.is_sorted(), "{speeds:?}");
    }
}

#[test]
fn limits_are_data_where_given_and_without_bounds_elsewhere() {
    let model = model_of(&parse_urdf("two.urdf", ROBOT));
    let of = |name: &str| {
        let mut all = model.imported.limits.iter();
        all.find(|given| model.joints[given.joint.index()].name == name).expect("it has limits").limits
    };
    let shoulder = of("shoulder");
    assert_eq!([shoulder.lower, shoulder.upper, shoulder.effort, shoulder.velocity], [-1.0, 2.0, 30.0, 3.0]);
    assert_eq!([shoulder.damping, shoulder.friction], [0.5, 0.2]);
    let (rail, infinite) = (of("rail"), f64::INFINITY);
    assert_eq!([rail.lower, rail.upper, rail.effort, rail.velocity], [-infinite, infinite, infinite, infinite]);
    // A wheel has no limits, even if its file gives some.
    assert_eq!([of("wheel").lower, of("wheel").upper, of("wheel").effort], [-infinite, infinite, 7.0]);
}

#[test]
fn a_root_that_is_ground_needs_no_base_joint() {
    let urdf = ROBOT.replace("<link name=\"a\"/>", "<link name=\"a\"/> <link name=\"world\"/>").replace(
        "</robot>",
        "<joint name=\"hover\" type=\"floating\"> <parent link=\"world\"/> <child link=\"trunk\"/> </joint> </robot>",
    );
    let parsed = parse_urdf("hover.urdf", &urdf);
    let model = model_of(&parsed);
    assert!(model.joints.iter().all(|joint| joint.name != "stand"));
    expect![[r#"
        error: [MBS032] the root `world` has no mass and is ground, which cannot be free
         --> m.mbs:1:30
          |
        1 | robot Two = "r.urdf" { base: free; }
          |                              ^^^^
          |
          = help: leave out `base`"#]]
    .assert_eq(&errors_of(&in_text("robot Two = \"r.urdf\" { base: free; }", &urdf)));
}

#[test]
fn robots_are_called_as_their_files_say() {
    for (name, expected) in [
        ("robot_arm7", "RobotArm7"),
        ("two arms-2", "TwoArms2"),
        ("Spot", "Spot"),
        ("7dof", "Robot7dof"),
        ("左腕", "Robot"),
    ] {
        let parsed = parse_urdf("r.urdf", &format!("<robot name=\"{name}\"> <link name=\"base\"/> </robot>"));
        assert_eq!(parsed.definitions[0].name.text, expected);
        assert!(parsed.definitions[0].items.iter().all(|item| !matches!(item, Item::Reserved(_))));
    }
}

#[test]
fn mistakes_of_a_standalone_file_are_shown_in_it() {
    let broken = ROBOT.replace("type=\"prismatic\"", "type=\"slider\"");
    expect![[r#"
        error: [MBS013] the joint `rail` has the unknown type `slider`
         --> two.urdf:6:26
          |
        6 | <joint name="rail" type="slider"> <parent link="a"/> <child link="b"/> <dynamics friction="4"/> </joint>
          |                          ^^^^^^
          |
          = help: there are `revolute`, `continuous`, `prismatic`, `fixed`, `floating` and `planar`"#]]
    .assert_eq(&errors_of(&parse_urdf("two.urdf", &broken)));
    expect![[r#"
        error: [MBS013] the joint `rail` has the unknown type `slider`
         --> r.urdf:6:26
          |
        6 | <joint name="rail" type="slider"> <parent link="a"/> <child link="b"/> <dynamics friction="4"/> </joint>
          |                          ^^^^^^
          |
          = help: there are `revolute`, `continuous`, `prismatic`, `fixed`, `floating` and `planar`"#]]
    .assert_eq(&errors_of(&in_text("robot Two = \"r.urdf\";", &broken)));
}

#[test]
fn mistakes_of_resolving_are_shown_in_the_file() {
    let parsed = parse_urdf("effort.urdf", &ROBOT.replace("\"a\"", "\"effort\"").replace("\"b\"", "\"joint_effort\""));
    expect![[r#"
        error: [MBS028] the robot needs the name `effort`, which is taken
         --> effort.urdf:1:14
          |
        1 | <robot name="two arms-2">
          |              ^^^^^^^^^^
          |
          = help: rename one of them in the file"#]]
    .assert_eq(&errors_of(&parsed));
    let named = in_text("robot Two = \"r.urdf\" { body stand { mass: 1 } }", ROBOT);
    assert!(named.errors.is_empty());
    let errors = resolve(&named.definitions[0]).expect_err("two are called `stand`");
    expect![[r#"
        error: [MBS011] `stand` is declared twice
         --> r.urdf:2:13
          |
        2 | <link name="trunk"> <inertial> <mass value="2"/> <inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/> </inertial> </link>
          |             ^^^^^
          |
         ::: m.mbs:1:29
          |
        1 | robot Two = "r.urdf" { body stand { mass: 1 } }
          |                             ----- first declared here
          |
          = help: give one of them another name"#]].assert_eq(&named.sources.render(errors.list()));
}

#[test]
fn mistakes_of_grammar_are_single() {
    refused(
        "robot Two = r;",
        &expect![[r#"
        error: [MBS001] expected a file after `=`, found `r`
         --> m.mbs:1:13
          |
        1 | robot Two = r;
          |             ^
          |
          = help: write `pub Arm = "arm.urdf";`"#]],
    );
    refused(
        "robot Two = \"absent.urdf\" { base: free; }",
        &expect![[r#"
        error: [MBS070] this file cannot be imported: `absent.urdf`: no such file
         --> m.mbs:1:13
          |
        1 | robot Two = "absent.urdf" { base: free; }
          |             ^^^^^^^^^^^^^
          |
          = help: names of files are relative to the file that imports them"#]],
    );
    refused(
        "robot Two = \"r.urdf\" planar P { }",
        &expect![[r#"
        error: [MBS001] expected `;` after the robot `Two`, found `planar`
         --> m.mbs:1:22
          |
        1 | robot Two = "r.urdf" planar P { }
          |                      ^^^^^^"#]],
    );
    refused(
        "robot Two = \"r.urdf\" { base: floating; }",
        &expect![[r#"
        error: [MBS032] `floating` is no base of a robot
         --> m.mbs:1:30
          |
        1 | robot Two = "r.urdf" { base: floating; }
          |                              ^^^^^^^^
          |
          = help: did you mean `free`?"#]],
    );
    refused(
        "robot Two = \"r.urdf\" { base: 2; friction_speed: 0; base: free; }",
        &expect![[r#"
        error: [MBS032] `base` is a word
         --> m.mbs:1:30
          |
        1 | robot Two = "r.urdf" { base: 2; friction_speed: 0; base: free; }
          |                              ^
          |
          = help: one of `fixed`, `free`

        error: [MBS031] `friction_speed` is not above zero
         --> m.mbs:1:33
          |
        1 | robot Two = "r.urdf" { base: 2; friction_speed: 0; base: free; }
          |                                 ^^^^^^^^^^^^^^
          |
          = help: write a speed, such as `0.01` rad/s or m/s

        error: [MBS019] setting `base` is given twice
         --> m.mbs:1:52
          |
        1 | robot Two = "r.urdf" { base: 2; friction_speed: 0; base: free; }
          |                                                    ^^^^"#]],
    );
    refused(
        "robot Two = \"r.urdf\" { trnk: { velocity: body }; }",
        &expect![[r#"
        error: [MBS010] the robot has no link `trnk`
         --> m.mbs:1:24
          |
        1 | robot Two = "r.urdf" { trnk: { velocity: body }; }
          |                        ^^^^
          |
          = help: did you mean `trunk`?"#]],
    );
    refused(
        "robot Two = \"two.sdf\";",
        &expect![[r#"
        error: [MBS070] a file that is not called `….urdf` cannot be imported
         --> m.mbs:1:13
          |
        1 | robot Two = "two.sdf";
          |             ^^^^^^^^^
          |
          = help: import a robot in URDF"#]],
    );
    let mut nothing = |_: &str| Err("no files".to_owned());
    let calls = ["", "Two", "= \"r.urdf\"", "pub Two { }", "planar P { }", "Two = \"r.urdf\" { body", "Two = ; } { ]"];
    for call in calls {
        let Ok(tokens) = call.parse() else { continue };
        let parsed = parse_robot_tokens_with(tokens, &mut nothing);
        assert_eq!(parsed.errors.list().len(), 1, "{call}: {}", errors_of(&parsed));
    }
}
