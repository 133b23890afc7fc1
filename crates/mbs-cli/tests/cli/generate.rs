//! `mbs generate`.

use std::fs;

use expect_test::expect;

use crate::{PENDULUM, Scratch, check_closed_pipe};

#[test]
fn generate_prints_and_writes_equal_texts() {
    let scratch = Scratch::new("generate");
    scratch.file("pendulum.mbs", PENDULUM);
    let printed = scratch.mbs(&["generate", "pendulum.mbs"]);
    assert!(printed.status.success() && printed.stderr.is_empty());
    scratch.check(
        &["generate", "pendulum.mbs", "-o", "pendulum.rs"],
        &expect![[r#"
        exit 0
    "#]],
    );
    let written = fs::read(scratch.0.join("pendulum.rs")).expect("it was written");
    assert!(written == printed.stdout);
    assert!(String::from_utf8_lossy(&written).contains("pub mod pendulum {"));
}

#[test]
fn a_closed_pipe_is_no_error() {
    let scratch = Scratch::new("pipe");
    scratch.file("pendulum.mbs", PENDULUM);
    check_closed_pipe(&scratch, &["generate", "pendulum.mbs"]);
}
