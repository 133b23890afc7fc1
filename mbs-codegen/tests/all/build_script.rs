//! `Build` as a build script calls it, in a separate process: the output for Cargo, and the exit code.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::{env, fs};

use expect_test::expect;
use mbs_codegen::Build;

/// The build script that the tests below run; it is no test by itself.
#[test]
#[ignore = "run by the other tests"]
fn script() {
    Build::new().compile(env::var("MECHANISM").expect("set by the test"));
}

fn scratch(name: &str) -> PathBuf {
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::create_dir_all(&directory).expect("a writable target directory");
    directory
}

/// Runs the script in a directory, which is also `OUT_DIR`.
fn build(directory: &Path, mechanism: &str) -> Output {
    Command::new(env::current_exe().expect("tests are files"))
        .args(["--exact", "build_script::script", "--ignored", "--nocapture"])
        .current_dir(directory)
        .env("OUT_DIR", directory)
        .env("MECHANISM", mechanism)
        .output()
        .expect("the test runs itself")
}

#[test]
fn a_mechanism_is_written_and_watched() {
    let directory = scratch("build_sound");
    fs::write(directory.join("bob.mbs"), "planar Bob { particle p { mass: 1 } joint f = free(ground, p); }")
        .expect("writable");
    let output = build(&directory, "bob.mbs");
    assert!(output.status.success(), "{output:?}");
    assert!(String::from_utf8_lossy(&output.stdout).contains("cargo:rerun-if-changed=bob.mbs"));
    assert!(fs::read_to_string(directory.join("bob.rs")).expect("it was written").contains("pub struct Bob"));
}

#[test]
fn unused_parameters_are_warnings_of_cargo() {
    let directory = scratch("build_warning");
    let text = "planar Bob { param spare = 1; particle p { mass: 1 } joint f = free(ground, p); }";
    fs::write(directory.join("warned.mbs"), text).expect("writable");
    let output = build(&directory, "warned.mbs");
    let shown = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{output:?}");
    assert!(shown.contains("cargo:warning=warned.mbs:1:20: [MBS052] parameter `spare` is not used\n"), "{shown}");
}

#[test]
fn imported_files_are_watched() {
    let directory = scratch("build_import");
    fs::write(directory.join("post.mbs"), "spatial Post { import \"post.urdf\"; joint foot = fixed(ground, post); }")
        .expect("writable");
    fs::write(directory.join("post.urdf"), "<robot name=\"r\"> <link name=\"post\"/> </robot>").expect("writable");
    let output = build(&directory, "post.mbs");
    let shown = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{output:?}");
    assert!(shown.contains("cargo:rerun-if-changed=post.mbs\ncargo:rerun-if-changed=post.urdf\n"), "{shown}");
}

#[test]
fn a_robot_is_written_and_watched() {
    let directory = scratch("build_robot");
    fs::write(directory.join("post.urdf"), "<robot name=\"sign_post\"> <link name=\"post\"/> </robot>")
        .expect("writable");
    let output = build(&directory, "post.urdf");
    assert!(output.status.success(), "{output:?}");
    assert!(String::from_utf8_lossy(&output.stdout).contains("cargo:rerun-if-changed=post.urdf"));
    assert!(fs::read_to_string(directory.join("post.rs")).expect("it was written").contains("pub struct SignPost"));
}

#[test]
fn mistakes_end_the_build_and_read_well() {
    let directory = scratch("build_mistakes");
    fs::write(
        directory.join("bob.mbs"),
        "planar Bob {\n    particle bob { mass: 1 }\n    joint f = free(ground, bib);\n}\n",
    )
    .expect("writable");
    let output = build(&directory, "bob.mbs");
    assert_eq!(output.status.code(), Some(1));
    expect![[r#"
        error: [MBS010] unknown name `bib`
         --> bob.mbs:3:28
          |
        3 |     joint f = free(ground, bib);
          |                            ^^^
          |
          = help: did you mean `bob`?
    "#]]
    .assert_eq(&String::from_utf8_lossy(&output.stderr));
}

#[test]
fn a_missing_file_is_one_message() {
    let output = build(&scratch("build_missing"), "mechanisms/arm.mbs");
    assert_eq!(output.status.code(), Some(1));
    expect![[r#"
        error: mechanisms/arm.mbs: no such folder
    "#]]
    .assert_eq(&String::from_utf8_lossy(&output.stderr));
}
