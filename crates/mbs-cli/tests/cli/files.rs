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
        error: latin.mbs: not a text in UTF-8
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
