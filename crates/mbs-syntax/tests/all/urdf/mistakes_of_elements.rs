//! Elements and attributes that are missing, unknown, or given twice.

use expect_test::expect;

use crate::urdf::{refused, refused_joint, refused_link, two_links};

#[test]
fn mbs018_what_is_missing() {
    refused(
        "<robot> <link name=\"a\"/> </robot>",
        &expect![[r#"
        error: [MBS018] the robot has no `name`
         --> r.urdf:1:1
          |
        1 | <robot> <link name="a"/> </robot>
          | ^^^^^^
          |
          = help: write `<robot name="…" …>`"#]],
    );
    refused(
        "<robot name=\"r\"> </robot>",
        &expect![[r#"
        error: [MBS018] the robot has no links
         --> r.urdf:1:1
          |
        1 | <robot name="r"> </robot>
          | ^^^^^^
          |
          = help: write `<link name="…"/>`"#]],
    );
    refused(
        "<robot name=\"r\"> <link/> <link name=\" \"/> <link name=\"\"/> </robot>",
        &expect![[r#"
        error: [MBS018] a link has no `name`
         --> r.urdf:1:18
          |
        1 | <robot name="r"> <link/> <link name=" "/> <link name=""/> </robot>
          |                  ^^^^^
          |
          = help: write `<link name="…" …>`

        error: [MBS018] the `name` of a link is empty
         --> r.urdf:1:38
          |
        1 | <robot name="r"> <link/> <link name=" "/> <link name=""/> </robot>
          |                                      ^
          |
          = help: give it a name

        error: [MBS018] the `name` of a link is empty
         --> r.urdf:1:54
          |
        1 | <robot name="r"> <link/> <link name=" "/> <link name=""/> </robot>
          |                                                      ^^
          |
          = help: give it a name"#]],
    );
    refused(
        "<robot name=\"r\"> <link name=\"a\"/>\n<joint name=\"j\"/> </robot>",
        &expect![[r#"
        error: [MBS018] the joint `j` has no `type`
         --> r.urdf:2:1
          |
        2 | <joint name="j"/> </robot>
          | ^^^^^^
          |
          = help: write `<joint type="…" …>`

        error: [MBS018] the joint `j` has no parent
         --> r.urdf:2:1
          |
        2 | <joint name="j"/> </robot>
          | ^^^^^^
          |
          = help: write `<parent link="…"/>`

        error: [MBS018] the joint `j` has no child
         --> r.urdf:2:1
          |
        2 | <joint name="j"/> </robot>
          | ^^^^^^
          |
          = help: write `<child link="…"/>`"#]],
    );
    refused_link(
        "<inertial> </inertial>",
        &expect![[r#"
        error: [MBS018] the inertial of `a` has no mass
         --> r.urdf:2:1
          |
        2 | <inertial> </inertial> </link> </robot>
          | ^^^^^^^^^
          |
          = help: write `<mass value="…"/>`

        error: [MBS018] the inertial of `a` has no inertia
         --> r.urdf:2:1
          |
        2 | <inertial> </inertial> </link> </robot>
          | ^^^^^^^^^
          |
          = help: write `<inertia ixx="…" ixy="…" ixz="…" iyy="…" iyz="…" izz="…"/>`"#]],
    );
    refused_link(
        "<inertial> <mass/> <inertia ixx=\"1\" iyy=\"1\" izz=\"1\"/> </inertial>",
        &expect![[r#"
        error: [MBS018] the mass has no `value`
         --> r.urdf:2:12
          |
        2 | <inertial> <mass/> <inertia ixx="1" iyy="1" izz="1"/> </inertial> </link> </robot>
          |            ^^^^^
          |
          = help: write `<mass value="…" …>`

        error: [MBS018] the inertia of `a` has no `ixy`, `ixz` and `iyz`
         --> r.urdf:2:20
          |
        2 | <inertial> <mass/> <inertia ixx="1" iyy="1" izz="1"/> </inertial> </link> </robot>
          |                    ^^^^^^^^
          |
          = help: products of inertia that vanish are `0`"#]],
    );
    refused_link(
        "<visual/> <collision> <geometry/> </collision>",
        &expect![[r#"
        error: [MBS018] this `visual` has no geometry
         --> r.urdf:2:1
          |
        2 | <visual/> <collision> <geometry/> </collision> </link> </robot>
          | ^^^^^^^
          |
          = help: write `<geometry>…</geometry>`

        error: [MBS018] this geometry is empty
         --> r.urdf:2:23
          |
        2 | <visual/> <collision> <geometry/> </collision> </link> </robot>
          |                       ^^^^^^^^^
          |
          = help: write `<box …/>`, `<cylinder …/>`, `<sphere …/>` or `<mesh …/>`"#]],
    );
    refused_link(
        "<visual> <geometry> <cylinder radius=\"1\"/> </geometry> </visual>",
        &expect![[r#"
        error: [MBS018] the cylinder has no `length`
         --> r.urdf:2:21
          |
        2 | <visual> <geometry> <cylinder radius="1"/> </geometry> </visual> </link> </robot>
          |                     ^^^^^^^^^
          |
          = help: write `<cylinder length="…" …>`"#]],
    );
    refused_joint(
        "<mimic multiplier=\"2\"/>",
        &expect![[r#"
        error: [MBS018] the mimic of the joint `j` has no `joint`
         --> r.urdf:4:1
          |
        4 | <mimic multiplier="2"/> </joint>
          | ^^^^^^
          |
          = help: write `<mimic joint="…" …>`"#]],
    );
}

#[test]
fn mbs017_attributes_that_are_not() {
    refused_joint(
        "<origin xyz=\"0 0 0\" ryp=\"1 0 0\"/>",
        &expect![[r#"
            error: [MBS017] `origin` has no attribute `ryp`
             --> r.urdf:4:21
              |
            4 | <origin xyz="0 0 0" ryp="1 0 0"/> </joint>
              |                     ^^^^^^^^^^^
              |
              = help: did you mean `rpy`?"#]],
    );
    refused_joint(
        "<axis direction=\"0 0 1\"/>",
        &expect![[r#"
        error: [MBS017] `axis` has no attribute `direction`
         --> r.urdf:4:7
          |
        4 | <axis direction="0 0 1"/> </joint>
          |       ^^^^^^^^^^^^^^^^^
          |
          = help: it has `xyz`"#]],
    );
}

#[test]
fn mbs090_origins_with_quaternions() {
    refused_joint(
        "<origin quat_xyzw=\"0 0 0 1\"/>",
        &expect![[r#"
        error: [MBS090] an origin with a quaternion is not available yet
         --> r.urdf:4:20
          |
        4 | <origin quat_xyzw="0 0 0 1"/> </joint>
          |                    ^^^^^^^
          |
          = help: write `rpy="roll pitch yaw"`"#]],
    );
}

#[test]
fn mbs019_elements_given_twice() {
    refused_joint(
        "<origin/> <origin/>",
        &expect![[r#"
        error: [MBS019] `origin` occurs twice in this `joint`
         --> r.urdf:4:11
          |
        4 | <origin/> <origin/> </joint>
          |           ^^^^^^^
          |
          = help: leave one of them out"#]],
    );
    refused_joint(
        "<child link=\"a\"/>",
        &expect![[r#"
        error: [MBS019] `child` occurs twice in this `joint`
         --> r.urdf:4:1
          |
        4 | <child link="a"/> </joint>
          | ^^^^^^
          |
          = help: leave one of them out"#]],
    );
}

#[test]
fn mbs013_types_of_joints_that_are_not() {
    refused(
        &two_links("revolut", "", ""),
        &expect![[r#"
        error: [MBS013] the joint `j` has the unknown type `revolut`
         --> r.urdf:3:23
          |
        3 | <joint name="j" type="revolut"> <parent link="a"/> <child link="b"/>
          |                       ^^^^^^^
          |
          = help: did you mean `revolute`?"#]],
    );
    refused(
        &two_links("screw", "", ""),
        &expect![[r#"
        error: [MBS013] the joint `j` has the unknown type `screw`
         --> r.urdf:3:23
          |
        3 | <joint name="j" type="screw"> <parent link="a"/> <child link="b"/>
          |                       ^^^^^
          |
          = help: there are `revolute`, `continuous`, `prismatic`, `fixed`, `floating` and `planar`"#]],
    );
}
