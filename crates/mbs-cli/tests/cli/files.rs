//! Files that cannot be read or written.

use std::fs;

use expect_test::expect;

use crate::{PENDULUM, Scratch};

#[test]
fn files_that_cannot_be_read_exit_with_2() {
    let scratch = Scratch::new("unreadable");
    scratch.check(
        &["check", "missing.mbs"],
        &expect![[r#"
        error: missing.mbs: no such file
        exit 2
    "#]],
    );
    fs::create_dir(scratch.0.join("folder.mbs")).expect("a writable target directory");
    scratch.check(
        &["check", "folder.mbs"],
        &expect![[r#"
        error: folder.mbs: a directory, not a file
        exit 2
    "#]],
    );
    scratch.file("latin.mbs", b"planar M { // \xe9t\xe9\n}");
    scratch.check(
        &["generate", "latin.mbs"],
        &expect![[r#"
        error: latin.mbs: not a text in UTF-8: byte 15, 0xe9, in line 1, column 15
        exit 2
    "#]],
    );
}

#[test]
fn outputs_that_cannot_be_written_exit_with_2() {
    let scratch = Scratch::new("unwritable");
    scratch.file("pendulum.mbs", PENDULUM);
    scratch.check(
        &["generate", "pendulum.mbs", "--output", "no/such/folder.rs"],
        &expect![[r#"
        error: no/such/folder.rs: no such folder
        exit 2
    "#]],
    );
    scratch.check(
        &["generate", "pendulum.mbs", "--output", "."],
        &expect![[r#"
        error: .: a directory, not a file
        exit 2
    "#]],
    );
}

#[test]
fn imports_are_relative_to_the_file_and_mistakes_in_them_are_located() {
    let scratch = Scratch::new("imports");
    std::fs::create_dir_all(scratch.0.join("robots")).expect("a writable target directory");
    scratch.file("robots/arm.mbs", "spatial Arm {\n    import \"arm.urdf\";\n}\n");
    let missing = &expect![[r#"
        error: [MBS070] this file cannot be imported: `robots/arm.urdf`: no such file
         --> robots/arm.mbs:2:12
          |
        2 |     import "arm.urdf";
          |            ^^^^^^^^^^
          |
          = help: names of files are relative to the file that imports them
        exit 1
    "#]];
    scratch.check(&["check", "robots/arm.mbs"], missing);
    scratch.file("robots/arm.urdf", "<robot name=\"arm\">\n  <link name=\"a\"/>\n  <link name=\"b\"/>\n</robot>\n");
    let roots = &expect![[r#"
        error: [MBS073] the link `b` is no joint's child, nor is `a`: the robot has two roots
         --> robots/arm.urdf:3:15
          |
        3 |   <link name="b"/>
          |               ^
          |
          = help: join it to the others
        exit 1
    "#]];
    scratch.check(&["check", "robots/arm.mbs"], roots);
    scratch.check(&["simulate", "robots/arm.mbs"], roots);
}

#[test]
fn a_file_of_parts_is_no_mechanism() {
    let scratch = Scratch::new("parts");
    scratch.file("post.mbs", "part post(x) { const k = x; }");
    let none = &expect![[r#"
        error: post.mbs contains parts but no mechanism
        exit 2
    "#]];
    for command in ["check", "simulate", "generate"] {
        scratch.check(&[command, "post.mbs"], none);
    }
}

const LAMP: &str = r#"<robot name="desk_lamp">
  <link name="foot"/>
  <link name="arm">
    <inertial><origin xyz="0 0 0.2"/><mass value="0.5"/><inertia ixx="0.01" iyy="0.01" izz="0.001" ixy="0" ixz="0" iyz="0"/></inertial>
  </link>
  <joint name="hinge" type="revolute">
    <parent link="foot"/><child link="arm"/><axis xyz="1 0 0"/>
    <limit lower="-1" upper="1" effort="5" velocity="2"/><dynamics damping="0.1"/>
  </joint>
</robot>
"#;

#[test]
fn a_robots_file_is_a_mechanism() {
    let scratch = Scratch::new("robot");
    scratch.file("lamp.urdf", LAMP);
    let checked = scratch.mbs(&["check", "lamp.urdf"]);
    let text = String::from_utf8_lossy(&checked.stdout);
    assert!(text.starts_with("DeskLamp\n") && text.contains("2 bodies, 2 joints"), "{text}");
    assert!(text.contains("1 input"), "{text}");
    let run = ["simulate", "lamp.urdf", "--duration", "0.1", "--input", "effort[0]=0.2", "--csv", "-"];
    let simulated = scratch.mbs(&run);
    let text = String::from_utf8_lossy(&simulated.stdout);
    assert!(
        text.lines().next().is_some_and(|row| row.contains("q.hinge.angle") && row.contains("u.effort[0]")),
        "{text}"
    );
    let generated = scratch.mbs(&["generate", "lamp.urdf"]);
    let text = String::from_utf8_lossy(&generated.stdout);
    assert!(text.contains("pub struct DeskLamp") && text.contains("pub const HINGE: ::mbs::Limits"), "{text}");
}

#[test]
fn mistakes_of_a_robots_file_are_shown_in_it() {
    let scratch = Scratch::new("broken_robot");
    scratch.file("lamp.urdf", LAMP.replace("lower=\"-1\"", "lower=\"2\""));
    let expected = &expect![[r#"
        error: [MBS031] the lower limit of the joint `hinge`, 2, is above the upper, 1
         --> lamp.urdf:8:19
          |
        8 |     <limit lower="2" upper="1" effort="5" velocity="2"/><dynamics damping="0.1"/>
          |                   ^
          |
          = help: exchange them
        exit 1
    "#]];
    scratch.check(&["check", "lamp.urdf"], expected);
    scratch.check(&["simulate", "lamp.urdf"], expected);
}
