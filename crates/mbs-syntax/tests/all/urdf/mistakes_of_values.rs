//! Wrong numbers, and numbers that are impossible for a robot.

use expect_test::expect;

use crate::urdf::{errors_of, import, refused_joint, refused_link, two_links};

#[test]
fn mbs072_numbers_that_are_none_or_too_few() {
    refused_joint(
        "<origin xyz=\"0 0\" rpy=\"0 0 0 0\"/>",
        &expect![[r#"
        error: [MBS072] `xyz` needs 3 numbers, this has 2 numbers
         --> r.urdf:4:14
          |
        4 | <origin xyz="0 0" rpy="0 0 0 0"/> </joint>
          |              ^^^
          |
          = help: numbers are separated by spaces, as in `0 0 1.5`

        error: [MBS072] `rpy` needs 3 numbers, this has 4 numbers
         --> r.urdf:4:24
          |
        4 | <origin xyz="0 0" rpy="0 0 0 0"/> </joint>
          |                        ^^^^^^^
          |
          = help: numbers are separated by spaces, as in `0 0 1.5`"#]],
    );
    refused_joint(
        "<origin xyz=\"1, 2, 3\" rpy=\"\"/>",
        &expect![[r#"
        error: [MBS072] `1,` is not a number
         --> r.urdf:4:14
          |
        4 | <origin xyz="1, 2, 3" rpy=""/> </joint>
          |              ^^^^^^^
          |
          = help: numbers are separated by spaces, as in `0 0 1.5`

        error: [MBS072] `rpy` needs 3 numbers, this has 0 numbers
         --> r.urdf:4:27
          |
        4 | <origin xyz="1, 2, 3" rpy=""/> </joint>
          |                           ^^
          |
          = help: numbers are separated by spaces, as in `0 0 1.5`"#]],
    );
    refused_joint(
        "<origin xyz=\"1,2,3\"/>",
        &expect![[r#"
        error: [MBS072] `xyz` needs 3 numbers, this has 1 number
         --> r.urdf:4:14
          |
        4 | <origin xyz="1,2,3"/> </joint>
          |              ^^^^^
          |
          = help: numbers are separated by spaces, as in `0 0 1.5`"#]],
    );
    refused_joint(
        "<axis xyz=\"0 0 z\"/> <limit lower=\"\"/>",
        &expect![[r#"
        error: [MBS072] `z` is not a number
         --> r.urdf:4:12
          |
        4 | <axis xyz="0 0 z"/> <limit lower=""/> </joint>
          |            ^^^^^
          |
          = help: numbers are written `1`, `-0.5` or `2e-3`

        error: [MBS072] a number is missing
         --> r.urdf:4:34
          |
        4 | <axis xyz="0 0 z"/> <limit lower=""/> </joint>
          |                                  ^^
          |
          = help: numbers are written `1`, `-0.5` or `2e-3`"#]],
    );
    refused_joint(
        "<limit upper=\"${pi}\"/>",
        &expect![[r#"
        error: [MBS072] `${pi}` is not a number
         --> r.urdf:4:15
          |
        4 | <limit upper="${pi}"/> </joint>
          |               ^^^^^
          |
          = help: this is a xacro file; import what `xacro file.urdf.xacro > file.urdf` makes of it"#]],
    );
}

#[test]
fn mbs030_numbers_that_are_not_finite() {
    refused_joint(
        "<origin xyz=\"0 NaN 0\" rpy=\"inf 0 0\"/>",
        &expect![[r#"
        error: [MBS030] `NaN` is not a finite number
         --> r.urdf:4:14
          |
        4 | <origin xyz="0 NaN 0" rpy="inf 0 0"/> </joint>
          |              ^^^^^^^
          |
          = help: leave out what has no bound, or write a number

        error: [MBS030] `inf` is not a finite number
         --> r.urdf:4:28
          |
        4 | <origin xyz="0 NaN 0" rpy="inf 0 0"/> </joint>
          |                            ^^^^^^^
          |
          = help: leave out what has no bound, or write a number"#]],
    );
    refused_joint(
        "<limit effort=\"1e999\"/>",
        &expect![[r#"
        error: [MBS030] `1e999` is not a finite number
         --> r.urdf:4:16
          |
        4 | <limit effort="1e999"/> </joint>
          |                ^^^^^
          |
          = help: leave out what has no bound, or write a number"#]],
    );
    let huge = "<inertial> <origin rpy=\"1 1 1\"/> <mass value=\"1\"/>
<inertia ixx=\"1.7e308\" iyy=\"1.7e308\" izz=\"1.7e308\" ixy=\"-8e307\" ixz=\"-8e307\" iyz=\"-8e307\"/> </inertial>";
    refused_link(
        huge,
        &expect![[r#"
        error: [MBS030] the inertia of `a` is too large
         --> r.urdf:3:1
          |
        3 | <inertia ixx="1.7e308" iyy="1.7e308" izz="1.7e308" ixy="-8e307" ixz="-8e307" iyz="-8e307"/> </inertial> </link> </robot>
          | ^^^^^^^^
          |
          = help: moments of inertia are in kg m², about the centre of mass"#]],
    );
}

#[test]
fn mbs023_axes_without_direction() {
    refused_joint(
        "<axis xyz=\"0 0 -0\"/>",
        &expect![[r#"
        error: [MBS023] the axis of the joint `j` has length zero
         --> r.urdf:4:12
          |
        4 | <axis xyz="0 0 -0"/> </joint>
          |            ^^^^^^
          |
          = help: write a direction, such as `0 0 1`"#]],
    );
}

#[test]
fn mbs031_values_that_cannot_be() {
    refused_joint(
        "<limit lower=\"1\" upper=\"-1\"/>",
        &expect![[r#"
        error: [MBS031] the lower limit of the joint `j`, 1, is above the upper, -1
         --> r.urdf:4:15
          |
        4 | <limit lower="1" upper="-1"/> </joint>
          |               ^
          |
          = help: exchange them"#]],
    );
    let inertial = "<inertial> <mass value=\"-1\"/>\n<inertia ixx=\"1\" iyy=\"1\" izz=\"1\" ixy=\"0\" ixz=\"0\" iyz=\"0\"/> </inertial>";
    refused_link(
        inertial,
        &expect![[r#"
        error: [MBS031] the mass of `a` is negative
         --> r.urdf:2:25
          |
        2 | <inertial> <mass value="-1"/>
          |                         ^^
          |
          = help: masses are zero or more"#]],
    );
    refused_link(
        "<visual> <geometry> <box size=\"1 -1 1\"/> </geometry> </visual>",
        &expect![[r#"
        error: [MBS031] the `size` of the box is negative
         --> r.urdf:2:32
          |
        2 | <visual> <geometry> <box size="1 -1 1"/> </geometry> </visual> </link> </robot>
          |                                ^^^^^^
          |
          = help: lengths are zero or more"#]],
    );
    refused_link(
        "<visual> <geometry> <sphere radius=\"-1\"/> </geometry> </visual>",
        &expect![[r#"
        error: [MBS031] the `radius` of the sphere is negative
         --> r.urdf:2:37
          |
        2 | <visual> <geometry> <sphere radius="-1"/> </geometry> </visual> </link> </robot>
          |                                     ^^
          |
          = help: lengths are zero or more"#]],
    );
    let colour = "<visual> <geometry> <sphere radius=\"1\"/> </geometry>\n<material name=\"m\"> <color rgba=\"1 2 3 1\"/> </material> </visual>";
    refused_link(
        colour,
        &expect![[r#"
        error: [MBS031] a colour has a number that is not from 0 to 1
         --> r.urdf:3:34
          |
        3 | <material name="m"> <color rgba="1 2 3 1"/> </material> </visual> </link> </robot>
          |                                  ^^^^^^^
          |
          = help: write red, green, blue and alpha"#]],
    );
}

#[test]
fn mbs074_inertias_that_no_body_has() {
    let inertia = |values: &str| format!("<inertial> <mass value=\"1\"/>\n<inertia {values}/> </inertial>");
    refused_link(
        &inertia("ixx=\"1\" iyy=\"1\" izz=\"3\" ixy=\"0\" ixz=\"0\" iyz=\"0\""),
        &expect![[r#"
        error: [MBS074] no body has the inertia of `a`: its largest principal moment is 3, the others add up to 2
         --> r.urdf:3:1
          |
        3 | <inertia ixx="1" iyy="1" izz="3" ixy="0" ixz="0" iyz="0"/> </inertial> </link> </robot>
          | ^^^^^^^^
          |
          = help: moments of inertia are in kg m², about the centre of mass"#]],
    );
    refused_link(
        &inertia("ixx=\"0.1\" iyy=\"0.2\" izz=\"0.25\" ixy=\"0.4\" ixz=\"0\" iyz=\"0\""),
        &expect![[r#"
        error: [MBS074] the inertia of `a` has the principal moment -0.2531, which is negative
         --> r.urdf:3:1
          |
        3 | <inertia ixx="0.1" iyy="0.2" izz="0.25" ixy="0.4" ixz="0" iyz="0"/> </inertial> </link> </robot>
          | ^^^^^^^^
          |
          = help: products of inertia are entries of the tensor, and small beside the moments"#]],
    );
    refused_link(
        &inertia("ixx=\"-1\" iyy=\"1\" izz=\"1\" ixy=\"0\" ixz=\"0\" iyz=\"0\""),
        &expect![[r#"
        error: [MBS074] the inertia of `a` has the principal moment -1, which is negative
         --> r.urdf:3:1
          |
        3 | <inertia ixx="-1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/> </inertial> </link> </robot>
          | ^^^^^^^^
          |
          = help: products of inertia are entries of the tensor, and small beside the moments"#]],
    );
}

#[test]
fn all_mistakes_of_the_elements_are_found_at_once() {
    let parsed = import(&two_links("hinge", "<axis xyz=\"1\"/> <origin xyz=\"x y z\"/>", "<link/>"));
    assert_eq!(parsed.errors.list().len(), 4, "{}", errors_of(&parsed));
}

#[test]
fn names_of_the_file_cannot_forge_messages() {
    let parsed = import(&two_links("x`&#10;error: [MBS999] `\u{202e}\u{85}", "", ""));
    assert!(parsed.errors.list().iter().all(|d| !d.message.contains(['\n', '\u{202e}', '\u{85}'])));
}

#[test]
fn mbs031_losses_and_bounds_that_are_negative() {
    refused_joint(
        "<limit lower=\"-1\" effort=\"-5\" velocity=\"-2e-3\"/> <dynamics damping=\"-0.1\" friction=\"-1\"/>",
        &expect![[r#"
            error: [MBS031] the `effort` of the joint `j` is negative
             --> r.urdf:4:27
              |
            4 | <limit lower="-1" effort="-5" velocity="-2e-3"/> <dynamics damping="-0.1" friction="-1"/> </joint>
              |                           ^^
              |
              = help: it bounds both senses alike: write a positive number, or leave out what has no bound

            error: [MBS031] the `velocity` of the joint `j` is negative
             --> r.urdf:4:41
              |
            4 | <limit lower="-1" effort="-5" velocity="-2e-3"/> <dynamics damping="-0.1" friction="-1"/> </joint>
              |                                         ^^^^^
              |
              = help: it bounds both senses alike: write a positive number, or leave out what has no bound

            error: [MBS031] the `damping` of the joint `j` is negative
             --> r.urdf:4:69
              |
            4 | <limit lower="-1" effort="-5" velocity="-2e-3"/> <dynamics damping="-0.1" friction="-1"/> </joint>
              |                                                                     ^^^^
              |
              = help: losses resist motion: write a positive number

            error: [MBS031] the `friction` of the joint `j` is negative
             --> r.urdf:4:85
              |
            4 | <limit lower="-1" effort="-5" velocity="-2e-3"/> <dynamics damping="-0.1" friction="-1"/> </joint>
              |                                                                                     ^^
              |
              = help: losses resist motion: write a positive number"#]],
    );
    // Zero limits and losses are valid.
    let text =
        two_links("revolute", "<limit effort=\"0\" velocity=\"-0\"/> <dynamics damping=\"0\" friction=\"0\"/>", "");
    assert!(import(&text).errors.is_empty());
}
