//! The items made of each element of a file.

use std::f64::consts::FRAC_PI_2;

use expect_test::{Expect, expect};
use mbs_syntax::parse_text;

use crate::shown;
use crate::urdf::{import, items_of, parse, two_links};

fn check(urdf: &str, expected: &Expect) {
    expected.assert_eq(&items_of(&import(urdf)));
}

fn file(name: &str) -> String {
    let path = format!("{}/../../../mechanisms/urdf/{name}", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{path}: {e}"))
}

#[test]
fn the_arm_is_seven_hinges() {
    check(
        &file("robot_arm7.urdf"),
        &expect![[r#"
        /* Link `base` of `robot_arm7`. */ body base;
        /* Link `l1` of `robot_arm7`. */ body l1 { mass: 4.1, inertia: [[0.021, 0.0004, (-0.0007)], [0.0004, 0.019, 0.0011], [(-0.0007), 0.0011, 0.012]], com: [0.01, (-0.02), 0.08] };
        /* Link `l2` of `robot_arm7`. */ body l2 { mass: 3.6, inertia: [[0.028, (-0.0003), 0.0006], [(-0.0003), 0.026, (-0.0012)], [0.0006, (-0.0012), 0.009]], com: [(-0.005), 0.03, 0.1] };
        /* Link `l3` of `robot_arm7`. */ body l3 { mass: 2.9, inertia: [[0.015, 0.0002, 0.0003], [0.0002, 0.016, 0.0004], [0.0003, 0.0004, 0.007]], com: [0.012, 0.004, 0.07] };
        /* Link `l4` of `robot_arm7`. */ body l4 { mass: 2.4, inertia: [[0.011, (-0.0002), 0.0005], [(-0.0002), 0.01, 0.0001], [0.0005, 0.0001, 0.006]], com: [0.02, (-0.01), 0.06] };
        /* Link `l5` of `robot_arm7`. */ body l5 { mass: 1.7, inertia: [[0.0085, 0.0001, (-0.0002)], [0.0001, 0.0083, 0.0003], [(-0.0002), 0.0003, 0.0031]], com: [0, 0.008, 0.09] };
        /* Link `l6` of `robot_arm7`. */ body l6 { mass: 1.2, inertia: [[0.0031, 0.00005, 0.0001], [0.00005, 0.0029, (-0.00008)], [0.0001, (-0.00008), 0.0022]], com: [0.006, 0, 0.03] };
        /* Link `l7` of `robot_arm7`. */ body l7 { mass: 0.6, inertia: [[0.0009, 0.00001, 0.00002], [0.00001, 0.0008, (-0.00003)], [0.00002, (-0.00003), 0.0007]], com: [0.004, (-0.003), 0.02] };
        /* Joint `j1`, continuous. */ joint j1 = revolute((base at [0, 0, 0.15]), l1) { axis: [0, 0, 1] };
        /* Joint `j2`, continuous. */ joint j2 = revolute((l1 at [0, 0, 0.19]), l2) { axis: [0, 1, 0] };
        /* Frame of the joint `j3`. */ marker j3_frame = (l2 at [0, 0.01, 0.21]) { rotation: euler(zyx, [0.3, (-0.2), 0.1]) };
        /* Joint `j3`, continuous. */ joint j3 = revolute(j3_frame, l3) { axis: [0, 0, 1] };
        /* Joint `j4`, continuous. */ joint j4 = revolute((l3 at [0.01, 0, 0.19]), l4) { axis: [0, (-1), 0] };
        /* Joint `j5`, continuous. */ joint j5 = revolute((l4 at [0, 0, 0.2]), l5) { axis: [0, 0, 1] };
        /* Frame of the joint `j6`. */ marker j6_frame = (l5 at [0, 0, 0.19]) { rotation: euler(zyx, [0.3, (-0.2), 0.1]) };
        /* Joint `j6`, continuous. */ joint j6 = revolute(j6_frame, l6) { axis: [0, 1, 0] };
        /* Joint `j7`, continuous. */ joint j7 = revolute((l6 at [0, 0.02, 0.08]), l7) { axis: [0, 0, 1] };
    "#]],
    );
}

#[test]
fn the_quadruped_has_four_legs_at_its_trunk() {
    check(
        &file("robot_quadruped18.urdf"),
        &expect![[r#"
            /* Link `trunk` of `robot_quadruped18`. */ body trunk { mass: 9.2, inertia: [[0.072, 0.0007, (-0.0011)], [0.0007, 0.25, 0.0009], [(-0.0011), 0.0009, 0.29]], com: [0.012, (-0.003), 0.008] };
            /* Link `FL_hip` of `robot_quadruped18`. */ body FL_hip { mass: 0.7, inertia: [[0.00047, (-0.00001), 0], [(-0.00001), 0.00081, 0], [0, 0, 0.00055]], com: [(-0.004), 0.001, 0] };
            /* Link `FL_thigh` of `robot_quadruped18`. */ body FL_thigh { mass: 1.03, inertia: [[0.0056, (-0.00001), 0.0003], [(-0.00001), 0.0052, 0.00045], [0.0003, 0.00045, 0.0013]], com: [(-0.003), (-0.022), (-0.028)] };
            /* Link `FL_calf` of `robot_quadruped18`. */ body FL_calf { mass: 0.21, inertia: [[0.0031, 0, 0.00016], [0, 0.0031, 0], [0.00016, 0, 0.00004]], com: [0.006, 0, (-0.11)] };
            /* Link `FR_hip` of `robot_quadruped18`. */ body FR_hip { mass: 0.7, inertia: [[0.00047, 0.00001, 0], [0.00001, 0.00081, 0], [0, 0, 0.00055]], com: [(-0.004), (-0.001), 0] };
            /* Link `FR_thigh` of `robot_quadruped18`. */ body FR_thigh { mass: 1.03, inertia: [[0.0056, 0.00001, 0.0003], [0.00001, 0.0052, (-0.00045)], [0.0003, (-0.00045), 0.0013]], com: [(-0.003), 0.022, (-0.028)] };
            /* Link `FR_calf` of `robot_quadruped18`. */ body FR_calf { mass: 0.21, inertia: [[0.0031, 0, 0.00016], [0, 0.0031, 0], [0.00016, 0, 0.00004]], com: [0.006, 0, (-0.11)] };
            /* Link `RL_hip` of `robot_quadruped18`. */ body RL_hip { mass: 0.7, inertia: [[0.00047, 0.00001, 0], [0.00001, 0.00081, 0], [0, 0, 0.00055]], com: [0.004, 0.001, 0] };
            /* Link `RL_thigh` of `robot_quadruped18`. */ body RL_thigh { mass: 1.03, inertia: [[0.0056, (-0.00001), 0.0003], [(-0.00001), 0.0052, 0.00045], [0.0003, 0.00045, 0.0013]], com: [(-0.003), (-0.022), (-0.028)] };
            /* Link `RL_calf` of `robot_quadruped18`. */ body RL_calf { mass: 0.21, inertia: [[0.0031, 0, 0.00016], [0, 0.0031, 0], [0.00016, 0, 0.00004]], com: [0.006, 0, (-0.11)] };
            /* Link `RR_hip` of `robot_quadruped18`. */ body RR_hip { mass: 0.7, inertia: [[0.00047, (-0.00001), 0], [(-0.00001), 0.00081, 0], [0, 0, 0.00055]], com: [0.004, (-0.001), 0] };
            /* Link `RR_thigh` of `robot_quadruped18`. */ body RR_thigh { mass: 1.03, inertia: [[0.0056, 0.00001, 0.0003], [0.00001, 0.0052, (-0.00045)], [0.0003, (-0.00045), 0.0013]], com: [(-0.003), 0.022, (-0.028)] };
            /* Link `RR_calf` of `robot_quadruped18`. */ body RR_calf { mass: 0.21, inertia: [[0.0031, 0, 0.00016], [0, 0.0031, 0], [0.00016, 0, 0.00004]], com: [0.006, 0, (-0.11)] };
            /* Joint `FL_hip_j`, continuous. */ joint FL_hip_j = revolute((trunk at [0.18, 0.047, 0]), FL_hip) { axis: [1, 0, 0] };
            /* Largest load of the joint `FL_hip_j` [N m]. */ const FL_hip_j_effort = 33.5;
            /* Largest speed of the joint `FL_hip_j` [rad/s]. */ const FL_hip_j_velocity = 21;
            /* Joint `FL_thigh_j`, continuous. */ joint FL_thigh_j = revolute((FL_hip at [0, 0.084, 0]), FL_thigh) { axis: [0, 1, 0] };
            /* Largest load of the joint `FL_thigh_j` [N m]. */ const FL_thigh_j_effort = 33.5;
            /* Largest speed of the joint `FL_thigh_j` [rad/s]. */ const FL_thigh_j_velocity = 21;
            /* Joint `FL_calf_j`, continuous. */ joint FL_calf_j = revolute((FL_thigh at [0, 0, (-0.2)]), FL_calf) { axis: [0, 1, 0] };
            /* Largest load of the joint `FL_calf_j` [N m]. */ const FL_calf_j_effort = 33.5;
            /* Largest speed of the joint `FL_calf_j` [rad/s]. */ const FL_calf_j_velocity = 21;
            /* Joint `FR_hip_j`, continuous. */ joint FR_hip_j = revolute((trunk at [0.18, (-0.047), 0]), FR_hip) { axis: [1, 0, 0] };
            /* Largest load of the joint `FR_hip_j` [N m]. */ const FR_hip_j_effort = 33.5;
            /* Largest speed of the joint `FR_hip_j` [rad/s]. */ const FR_hip_j_velocity = 21;
            /* Joint `FR_thigh_j`, continuous. */ joint FR_thigh_j = revolute((FR_hip at [0, (-0.084), 0]), FR_thigh) { axis: [0, 1, 0] };
            /* Largest load of the joint `FR_thigh_j` [N m]. */ const FR_thigh_j_effort = 33.5;
            /* Largest speed of the joint `FR_thigh_j` [rad/s]. */ const FR_thigh_j_velocity = 21;
            /* Joint `FR_calf_j`, continuous. */ joint FR_calf_j = revolute((FR_thigh at [0, 0, (-0.2)]), FR_calf) { axis: [0, 1, 0] };
            /* Largest load of the joint `FR_calf_j` [N m]. */ const FR_calf_j_effort = 33.5;
            /* Largest speed of the joint `FR_calf_j` [rad/s]. */ const FR_calf_j_velocity = 21;
            /* Joint `RL_hip_j`, continuous. */ joint RL_hip_j = revolute((trunk at [(-0.18), 0.047, 0]), RL_hip) { axis: [1, 0, 0] };
            /* Largest load of the joint `RL_hip_j` [N m]. */ const RL_hip_j_effort = 33.5;
            /* Largest speed of the joint `RL_hip_j` [rad/s]. */ const RL_hip_j_velocity = 21;
            /* Joint `RL_thigh_j`, continuous. */ joint RL_thigh_j = revolute((RL_hip at [0, 0.084, 0]), RL_thigh) { axis: [0, 1, 0] };
            /* Largest load of the joint `RL_thigh_j` [N m]. */ const RL_thigh_j_effort = 33.5;
            /* Largest speed of the joint `RL_thigh_j` [rad/s]. */ const RL_thigh_j_velocity = 21;
            /* Joint `RL_calf_j`, continuous. */ joint RL_calf_j = revolute((RL_thigh at [0, 0, (-0.2)]), RL_calf) { axis: [0, 1, 0] };
            /* Largest load of the joint `RL_calf_j` [N m]. */ const RL_calf_j_effort = 33.5;
            /* Largest speed of the joint `RL_calf_j` [rad/s]. */ const RL_calf_j_velocity = 21;
            /* Joint `RR_hip_j`, continuous. */ joint RR_hip_j = revolute((trunk at [(-0.18), (-0.047), 0]), RR_hip) { axis: [1, 0, 0] };
            /* Largest load of the joint `RR_hip_j` [N m]. */ const RR_hip_j_effort = 33.5;
            /* Largest speed of the joint `RR_hip_j` [rad/s]. */ const RR_hip_j_velocity = 21;
            /* Joint `RR_thigh_j`, continuous. */ joint RR_thigh_j = revolute((RR_hip at [0, (-0.084), 0]), RR_thigh) { axis: [0, 1, 0] };
            /* Largest load of the joint `RR_thigh_j` [N m]. */ const RR_thigh_j_effort = 33.5;
            /* Largest speed of the joint `RR_thigh_j` [rad/s]. */ const RR_thigh_j_velocity = 21;
            /* Joint `RR_calf_j`, continuous. */ joint RR_calf_j = revolute((RR_thigh at [0, 0, (-0.2)]), RR_calf) { axis: [0, 1, 0] };
            /* Largest load of the joint `RR_calf_j` [N m]. */ const RR_calf_j_effort = 33.5;
            /* Largest speed of the joint `RR_calf_j` [rad/s]. */ const RR_calf_j_velocity = 21;
        "#]],
    );
}

#[test]
fn joints_of_all_types_become_joints_of_the_language() {
    for (kind, expected) in [
        ("revolute", "revolute(a, b) { axis: [0, 0, 1] }"),
        ("continuous", "revolute(a, b) { axis: [0, 0, 1] }"),
        ("prismatic", "prismatic(a, b) { axis: [0, 0, 1] }"),
        ("fixed", "fixed(a, b)"),
        ("floating", "free(a, b)"),
        ("planar", "planar(a, b) { normal: [0, 0, 1] }"),
    ] {
        let shown = items_of(&import(&two_links(kind, "<axis xyz=\"0 0 1\"/>", "")));
        assert!(shown.contains(&format!("joint j = {expected};\n")), "{kind}: {shown}");
    }
}

#[test]
fn a_joint_origin_is_a_point_or_a_marker_if_it_is_rotated() {
    let origins = [
        "",
        "<origin/>",
        r#"<origin xyz="0.1 0 -2"/>"#,
        r#"<origin rpy="0.1 0.2 0.3"/>"#,
        r#"<origin xyz=" 1  2	3 " rpy="0 -0.5 0"/>"#,
    ];
    let shown: String = origins.iter().map(|origin| items_of(&import(&two_links("fixed", origin, "")))).collect();
    let joints: Vec<&str> = shown.lines().filter(|line| !line.contains("body")).collect();
    expect![[r#"
        /* Joint `j`, fixed. */ joint j = fixed(a, b);
        /* Joint `j`, fixed. */ joint j = fixed(a, b);
        /* Joint `j`, fixed. */ joint j = fixed((a at [0.1, 0, (-2)]), b);
        /* Frame of the joint `j`. */ marker j_frame = (a at [0, 0, 0]) { rotation: euler(zyx, [0.3, 0.2, 0.1]) };
        /* Joint `j`, fixed. */ joint j = fixed(j_frame, b);
        /* Frame of the joint `j`. */ marker j_frame = (a at [1, 2, 3]) { rotation: euler(zyx, [0, (-0.5), 0]) };
        /* Joint `j`, fixed. */ joint j = fixed(j_frame, b);"#]]
    .assert_eq(&joints.join("\n"));
}

#[test]
fn limits_damping_and_friction_are_constants_where_given() {
    let given = r#"<limit lower="-1" upper="2.5" effort="30" velocity="6"/> <dynamics damping="0.1" friction="0.02"/>"#;
    check(
        &two_links("revolute", given, ""),
        &expect![[r#"
        /* Link `a` of `two`. */ body a;
        /* Link `b` of `two`. */ body b;
        /* Joint `j`, revolute. */ joint j = revolute(a, b) { axis: [1, 0, 0] };
        /* Lower limit of the joint `j` [rad]. */ const j_lower = (-1);
        /* Upper limit of the joint `j` [rad]. */ const j_upper = 2.5;
        /* Largest load of the joint `j` [N m]. */ const j_effort = 30;
        /* Largest speed of the joint `j` [rad/s]. */ const j_velocity = 6;
        /* Damping of the joint `j` [N m s/rad]. */ const j_damping = 0.1;
        /* Static friction of the joint `j` [N m]. */ const j_friction = 0.02;
    "#]],
    );
    check(
        &two_links("prismatic", r#"<limit effort="5" velocity="1"/>"#, ""),
        &expect![[r#"
        /* Link `a` of `two`. */ body a;
        /* Link `b` of `two`. */ body b;
        /* Joint `j`, prismatic. */ joint j = prismatic(a, b) { axis: [1, 0, 0] };
        /* Largest load of the joint `j` [N]. */ const j_effort = 5;
        /* Largest speed of the joint `j` [m/s]. */ const j_velocity = 1;
    "#]],
    );
    // A continuous joint has no ends, a fixed one no limits.
    check(
        &two_links("continuous", given, ""),
        &expect![[r#"
        /* Link `a` of `two`. */ body a;
        /* Link `b` of `two`. */ body b;
        /* Joint `j`, continuous. */ joint j = revolute(a, b) { axis: [1, 0, 0] };
        /* Largest load of the joint `j` [N m]. */ const j_effort = 30;
        /* Largest speed of the joint `j` [rad/s]. */ const j_velocity = 6;
        /* Damping of the joint `j` [N m s/rad]. */ const j_damping = 0.1;
        /* Static friction of the joint `j` [N m]. */ const j_friction = 0.02;
    "#]],
    );
    check(
        &two_links("fixed", given, ""),
        &expect![[r#"
        /* Link `a` of `two`. */ body a;
        /* Link `b` of `two`. */ body b;
        /* Joint `j`, fixed. */ joint j = fixed(a, b);
    "#]],
    );
}

#[test]
fn a_mimic_becomes_a_coupling() {
    let robot = |kind: &str, mimic: &str| {
        let more =
            r#"<link name="c"/> <joint name="k" type="prismatic"> <parent link="a"/> <child link="c"/> </joint>"#;
        let shown = items_of(&import(&two_links(kind, mimic, more)));
        shown.lines().find(|line| line.contains("coupling")).map(str::to_owned).unwrap_or_default() + "\n"
    };
    let shown = robot("revolute", r#"<mimic joint="k"/>"#)
        + &robot("continuous", r#"<mimic joint="k" multiplier="2"/>"#)
        + &robot("prismatic", r#"<mimic joint="k" multiplier="-0.5" offset="0.1"/>"#)
        + &robot("revolute", r#"<mimic joint="k" offset="-0.25"/>"#);
    expect![[r#"
        /* The joint `j` follows `k`. */ coupling j_mimic = (j.angle == k.position);
        /* The joint `j` follows `k`. */ coupling j_mimic = (j.angle == (2 * k.position));
        /* The joint `j` follows `k`. */ coupling j_mimic = (j.position == (((-0.5) * k.position) + 0.1));
        /* The joint `j` follows `k`. */ coupling j_mimic = (j.angle == (k.position - 0.25));
    "#]]
    .assert_eq(&shown);
}

fn one_link(inertial: &str) -> String {
    format!(r#"<robot name="one"> <link name="a"> <inertial> {inertial} </inertial> </link> </robot>"#)
}

#[test]
fn an_inertia_is_expressed_in_the_axes_of_the_link() {
    let inertia = r#"<mass value="2"/> <inertia ixx="1" iyy="2" izz="2.5" ixy="0" ixz="0" iyz="0"/>"#;
    check(
        &one_link(inertia),
        &expect![[r#"
        /* Link `a` of `one`. */ body a { mass: 2, inertia: [1, 2, 2.5] };
    "#]],
    );
    // A rotation by 90° about x exchanges y and z exactly.
    let turned = format!(r#"<origin xyz="0 0 0.5" rpy="{FRAC_PI_2} 0 0"/> {inertia}"#);
    check(
        &one_link(&turned),
        &expect![[r#"
        /* Link `a` of `one`. */ body a { mass: 2, inertia: [1, 2.5, 2], com: [0, 0, 0.5] };
    "#]],
    );
    // About z by φ: I_xy = (I_xx − I_yy) sin φ cos φ = −½ sin 2φ, with tan φ = ½ it is −0.4.
    let skew = format!(r#"<origin rpy="0 0 {}"/> {inertia}"#, 0.5_f64.atan());
    check(
        &one_link(&skew),
        &expect![[r#"
        /* Link `a` of `one`. */ body a { mass: 2, inertia: [[1.2, (-0.39999999999999997), 0], [(-0.39999999999999997), 1.7999999999999998, 0], [0, 0, 2.5]] };
    "#]],
    );
}

#[test]
fn a_link_without_mass_has_no_arguments() {
    check(
        r#"<robot name="r"><link name="a"/></robot>"#,
        &expect![[r#"
        /* Link `a` of `r`. */ body a;
    "#]],
    );
    check(
        &one_link(r#"<mass value="0"/> <inertia ixx="0" iyy="0" izz="0" ixy="0" ixz="-0" iyz="0.0"/>"#),
        &expect![[r#"
            /* Link `a` of `one`. */ body a;
        "#]],
    );
}

#[test]
fn a_root_called_world_is_ground_unless_it_has_mass() {
    let world = |inside: &str| {
        format!(
            r#"<robot name="r"> <link name="world">{inside}</link> <link name="a"/>
<joint name="stand" type="fixed"> <parent link="world"/> <child link="a"/> <origin xyz="0 0 1"/> </joint> </robot>"#
        )
    };
    check(
        &world(""),
        &expect![[r#"
        /* Link `a` of `r`. */ body a;
        /* Joint `stand`, fixed. */ joint stand = fixed((ground at [0, 0, 1]), a);
    "#]],
    );
    let inertial =
        r#"<inertial> <mass value="1"/> <inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/> </inertial>"#;
    check(
        &world(inertial),
        &expect![[r#"
        /* Link `world` of `r`. */ body world { mass: 1, inertia: [1, 1, 1] };
        /* Link `a` of `r`. */ body a;
        /* Joint `stand`, fixed. */ joint stand = fixed((world at [0, 0, 1]), a);
    "#]],
    );
}

#[test]
fn names_become_identifiers_and_docs_keep_them() {
    let urdf = r#"<robot name="my robot"> <link name="base link"/> <link name="2nd"/> <link name="type"/> <link name="hip"/>
<joint name="hip" type="continuous"> <parent link="base link"/> <child link="2nd"/> </joint>
<joint name="t" type="continuous"> <parent link="2nd"/> <child link="type"/> </joint>
<joint name="a/b" type="continuous"> <parent link="type"/> <child link="hip"/> <dynamics damping="1"/> </joint> </robot>"#;
    check(
        urdf,
        &expect![[r#"
        /* Link `base link` of `my robot`. */ body base_link;
        /* Link `2nd` of `my robot`. */ body _2nd;
        /* Link `type` of `my robot`. */ body type_;
        /* Link `hip` of `my robot`. */ body hip;
        /* Joint `hip`, continuous. */ joint hip_joint = revolute(base_link, _2nd) { axis: [1, 0, 0] };
        /* Joint `t`, continuous. */ joint t_ = revolute(_2nd, type_) { axis: [1, 0, 0] };
        /* Joint `a/b`, continuous. */ joint a_b = revolute(type_, hip) { axis: [1, 0, 0] };
        /* Damping of the joint `a/b` [N m s/rad]. */ const a_b_damping = 1;
    "#]],
    );
}

#[test]
fn names_of_joint_items_avoid_names_of_links() {
    let urdf = two_links("revolute", r#"<limit lower="0" upper="1"/>"#, "").replace("\"b\"", "\"j_lower\"");
    check(
        &urdf,
        &expect![[r#"
        /* Link `a` of `two`. */ body a;
        /* Link `j_lower` of `two`. */ body j_lower;
        /* Joint `j`, revolute. */ joint j = revolute(a, j_lower) { axis: [1, 0, 0] };
        /* Lower limit of the joint `j` [rad]. */ const j_joint_lower = 0;
        /* Upper limit of the joint `j` [rad]. */ const j_upper = 1;
    "#]],
    );
}

#[test]
fn elements_without_mechanics_are_ignored() {
    let more = r#"<!-- words --> <transmission name="t"><joint name="j"/></transmission> <gazebo reference="a"><x/></gazebo>
<?pi data?> <g:link xmlns:g="http://gazebosim.org" name="a"/> <ros2_control/>"#;
    let inside = r#"<safety_controller k_velocity="nothing"/> <calibration rising="0"/> words"#;
    check(
        &two_links("fixed", inside, more),
        &expect![[r#"
        /* Link `a` of `two`. */ body a;
        /* Link `b` of `two`. */ body b;
        /* Joint `j`, fixed. */ joint j = fixed(a, b);
    "#]],
    );
}

#[test]
fn a_default_namespace_changes_nothing() {
    let plain = two_links("fixed", "", "");
    let named = plain.replace("<robot ", "<robot xmlns=\"http://www.ros.org\" ");
    assert_eq!(items_of(&import(&named)), items_of(&import(&plain)));
}

#[test]
fn a_byte_order_mark_is_skipped() {
    let plain = two_links("fixed", "", "");
    assert_eq!(items_of(&import(&format!("\u{feff}{plain}"))), items_of(&import(&plain)));
}

#[test]
fn added_arguments_follow_those_of_the_link() {
    let urdf = one_link(r#"<mass value="2"/> <inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/>"#);
    let parsed = parse(
        "gravity: [0, 0, -9.81]; import \"r.urdf\" { a: { velocity: body, attitude: mrp } }; freedoms: 6;",
        &urdf,
    );
    expect![[r#"
        gravity: [0, 0, (-9.81)];
        /* Link `a` of `one`. */ body a { mass: 2, inertia: [1, 1, 1], velocity: body, attitude: mrp };
        freedoms: 6;
    "#]]
    .assert_eq(&items_of(&parsed));
}

/// The printed items are text of the language: parsed again, they print equal text.
#[test]
fn items_of_a_robot_can_be_written_as_text() {
    let hand = two_links(
        "revolute",
        r#"<mimic joint="k" multiplier="-2" offset="-1"/> <limit lower="-1"/>"#,
        "<link name=\"c\"/>
        <joint name=\"k\" type=\"planar\"> <parent link=\"a\"/> <child link=\"c\"/> <origin rpy=\"1 0 0\"/> </joint>",
    )
    .replace("planar", "prismatic");
    for urdf in [file("robot_arm7.urdf"), file("robot_quadruped18.urdf"), hand] {
        let printed = items_of(&import(&urdf));
        let again = parse_text("m.mbs", &format!("spatial M {{ {printed} }}"));
        let read: String = again.definitions[0].items.iter().map(|item| shown::item(item) + "\n").collect();
        assert_eq!(read, without_docs(&printed));
        assert!(again.errors.is_empty());
    }
}

/// Comments are not part of the text that is read again.
fn without_docs(printed: &str) -> String {
    let line = |line: &str| line.split_once("*/ ").map_or(line, |(_, rest)| rest).to_owned() + "\n";
    printed.lines().map(line).collect()
}
