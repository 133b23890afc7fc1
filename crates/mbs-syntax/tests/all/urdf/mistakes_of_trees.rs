//! Links and joints that do not form a tree, and names that cannot become identifiers.

use expect_test::{Expect, expect};

use crate::urdf::{errors_of, import, refused, two_links};

/// Links `a`, `b`, `c`, `d` and fixed joints `ab` for each pair of parent and child.
fn tree(pairs: &[&str], expected: &Expect) {
    let joint = |pair: &&str| {
        let (parent, child) = pair.split_at(1);
        format!(
            "<joint name=\"{pair}\" type=\"fixed\"> <parent link=\"{parent}\"/> <child link=\"{child}\"/> </joint>\n"
        )
    };
    let joints: String = pairs.iter().map(joint).collect();
    let links = "<link name=\"a\"/> <link name=\"b\"/> <link name=\"c\"/> <link name=\"d\"/>";
    refused(&format!("<robot name=\"r\"> {links}\n{joints}</robot>"), expected);
}

#[test]
fn mbs073_links_that_form_no_tree() {
    // Two roots.
    tree(
        &["ab", "cd"],
        &expect![[r#"
        error: [MBS073] the link `c` is no joint's child, nor is `a`: the robot has two roots
         --> r.urdf:1:64
          |
        1 | <robot name="r"> <link name="a"/> <link name="b"/> <link name="c"/> <link name="d"/>
          |                                                                ^
          |
          = help: join it to the others"#]],
    );
    // Two parents.
    tree(
        &["ab", "bc", "ac", "cd"],
        &expect![[r#"
        error: [MBS073] the link `c` is the child of two joints, `bc` and `ac`
         --> r.urdf:4:64
          |
        4 | <joint name="ac" type="fixed"> <parent link="a"/> <child link="c"/> </joint>
          |                                                                ^
          |
          = help: a robot's links form a tree; close loops with joints of the declaration"#]],
    );
    // A cycle in addition to the root, and one without a root.
    tree(
        &["ab", "cd", "dc"],
        &expect![[r#"
        error: [MBS073] the links from `c` on lead back to `c`
         --> r.urdf:4:64
          |
        4 | <joint name="dc" type="fixed"> <parent link="d"/> <child link="c"/> </joint>
          |                                                                ^
          |
          = help: a robot's links form a tree; close loops with joints of the declaration"#]],
    );
    tree(
        &["ab", "bc", "cd", "da"],
        &expect![[r#"
        error: [MBS073] the links from `a` on lead back to `a`
         --> r.urdf:5:64
          |
        5 | <joint name="da" type="fixed"> <parent link="d"/> <child link="a"/> </joint>
          |                                                                ^
          |
          = help: a robot's links form a tree; close loops with joints of the declaration"#]],
    );
    // A link joined to itself.
    tree(
        &["ab", "bc", "dd"],
        &expect![[r#"
        error: [MBS073] the joint `dd` joins `d` to itself
         --> r.urdf:4:64
          |
        4 | <joint name="dd" type="fixed"> <parent link="d"/> <child link="d"/> </joint>
          |                                                                ^
          |
          = help: a joint joins two links"#]],
    );
}

#[test]
fn mbs010_ends_that_are_not() {
    refused(
        &two_links("fixed", "", "")
            .replace("<parent link=\"a\"/>", "<parent link=\"trnk\"/>")
            .replace("name=\"a\"", "name=\"trunk\""),
        &expect![[r#"
            error: [MBS010] there is no link `trnk`
             --> r.urdf:3:45
              |
            3 | <joint name="j" type="fixed"> <parent link="trnk"/> <child link="b"/>
              |                                             ^^^^
              |
              = help: did you mean `trunk`?"#]],
    );
    refused(
        &two_links("revolute", "<mimic joint=\"k\"/>", ""),
        &expect![[r#"
            error: [MBS010] there is no joint `k`
             --> r.urdf:4:15
              |
            4 | <mimic joint="k"/> </joint>
              |               ^"#]],
    );
}

#[test]
fn mbs011_names_given_twice() {
    refused(
        "<robot name=\"r\"> <link name=\"a\"/> <link name=\"a\"/> </robot>",
        &expect![[r#"
        error: [MBS011] there are two links `a`
         --> r.urdf:1:47
          |
        1 | <robot name="r"> <link name="a"/> <link name="a"/> </robot>
          |                                               ^
          |
          = help: give one of them another name"#]],
    );
    let more = "<link name=\"c\"/> <joint name=\"j\" type=\"fixed\"> <parent link=\"a\"/> <child link=\"c\"/> </joint>";
    refused(
        &two_links("fixed", "", more),
        &expect![[r#"
        error: [MBS011] there are two joints `j`
         --> r.urdf:5:31
          |
        5 | <link name="c"/> <joint name="j" type="fixed"> <parent link="a"/> <child link="c"/> </joint></robot>
          |                               ^
          |
          = help: give one of them another name"#]],
    );
}

#[test]
fn mbs028_names_that_cannot_become_identifiers() {
    refused(
        "<robot name=\"r\"> <link name=\"左腕\"/> </robot>",
        &expect![[r#"
        error: [MBS028] the link `左腕` has a name that cannot become an identifier
         --> r.urdf:1:30
          |
        1 | <robot name="r"> <link name="左腕"/> </robot>
          |                              ^^^^
          |
          = help: use letters, digits and `_` of ASCII"#]],
    );
    refused(
        &two_links("fixed", "", "").replace("\"a\"", "\"l-1\"").replace("\"b\"", "\"l_1\""),
        &expect![[r#"
        error: [MBS028] the link `l-1` would be called `l_1`, which is taken
         --> r.urdf:2:13
          |
        2 | <link name="l-1"/> <link name="l_1"/>
          |             ^^^
          |
          = help: rename one of them in the file"#]],
    );
    // Links use all names of a limit.
    let more = "<link name=\"c\"/> <joint name=\"k\" type=\"fixed\"> <parent link=\"a\"/> <child link=\"c\"/> </joint>"
        .replace("\"c\"", "\"j_joint_lower\"");
    let urdf = two_links("revolute", "<limit lower=\"0\"/>", &more).replace("\"b\"", "\"j_lower\"");
    refused(
        &urdf,
        &expect![[r#"
        error: [MBS028] the joint `j` needs the name `j_lower`, which is taken
         --> r.urdf:3:14
          |
        3 | <joint name="j" type="revolute"> <parent link="a"/> <child link="j_lower"/>
          |              ^
          |
          = help: rename one of them in the file"#]],
    );
}

#[test]
fn mbs029_mimics_that_follow_themselves() {
    refused(
        &two_links("revolute", "<mimic joint=\"j\"/>", ""),
        &expect![[r#"
        error: [MBS029] the joint `j` follows itself
         --> r.urdf:4:15
          |
        4 | <mimic joint="j"/> </joint>
          |               ^
          |
          = help: let one of them follow a joint that follows none"#]],
    );
    let more = "<link name=\"c\"/> <joint name=\"k\" type=\"revolute\"> <parent link=\"a\"/> <child link=\"c\"/>
<mimic joint=\"j\"/> </joint>";
    refused(
        &two_links("revolute", "<mimic joint=\"k\"/>", more),
        &expect![[r#"
        error: [MBS029] the joints that `j` follows lead back to it
         --> r.urdf:4:15
          |
        4 | <mimic joint="k"/> </joint>
          |               ^
          |
          = help: let one of them follow a joint that follows none"#]],
    );
}

#[test]
fn mbs040_mimics_of_joints_without_a_coordinate() {
    let more = "<link name=\"c\"/> <joint name=\"k\" type=\"fixed\"> <parent link=\"a\"/> <child link=\"c\"/> </joint>";
    refused(
        &two_links("revolute", "<mimic joint=\"k\"/>", more),
        &expect![[r#"
        error: [MBS040] the joint `k` is fixed and can neither follow nor be followed
         --> r.urdf:4:15
          |
        4 | <mimic joint="k"/> </joint>
          |               ^
          |
          = help: revolute, continuous and prismatic joints can, which have one coordinate"#]],
    );
    refused(
        &two_links("floating", "<mimic joint=\"j\"/>", ""),
        &expect![[r#"
        error: [MBS040] the joint `j` is floating and can neither follow nor be followed
         --> r.urdf:4:15
          |
        4 | <mimic joint="j"/> </joint>
          |               ^
          |
          = help: revolute, continuous and prismatic joints can, which have one coordinate"#]],
    );
}

#[test]
fn mbs039_robots_with_too_many_links() {
    let links: String = (0..2001).map(|i| format!("<link name=\"l{i}\"/>")).collect();
    let parsed = import(&format!("<robot name=\"r\"> {links} </robot>"));
    assert!(errors_of(&parsed).starts_with("error: [MBS039] the robot has more than 2000 links\n"));
}
