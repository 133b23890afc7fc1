//! The command line as a user runs it: exit codes, messages, output.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::{env, fs};

use expect_test::{Expect, expect};

/// A directory of its own for one test.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str) -> Self {
        let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        let _ = fs::remove_dir_all(&directory);
        fs::create_dir_all(&directory).expect("a writable target directory");
        Scratch(directory)
    }

    fn file(&self, name: &str, content: impl AsRef<[u8]>) -> &Self {
        fs::write(self.0.join(name), content).expect("a writable target directory");
        self
    }

    fn mbs(&self, arguments: &[&str]) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_mbs"));
        command.current_dir(&self.0).args(arguments).output().expect("the program starts")
    }

    /// Exit code, standard output and error.
    fn check(&self, arguments: &[&str], expected: &Expect) {
        let output = self.mbs(arguments);
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let code = output.status.code().map_or_else(|| "killed".to_owned(), |c| c.to_string());
        expected.assert_eq(&format!("{}{}exit {code}\n", text(&output.stdout), text(&output.stderr)));
    }
}

const PENDULUM: &str = "pub planar Pendulum {
    gravity: [0, -9.81];
    param mass = 1.0;
    body bob { mass: mass, inertia: 0.1, com: [0, -1] }
    joint pin = revolute(ground, bob);
    output angle = pin.angle;
}
";

/// What `check` prints, without the rows of its tables: their numbers are golden elsewhere. They are aligned with the head.
fn without_costs(shown: &str) -> String {
    let mut width = None;
    let mut kept = String::new();
    for line in shown.lines() {
        match width {
            Some(width) if line.starts_with("  ") => {
                assert_eq!(line.chars().count(), width, "{line:?}");
                assert!(line.ends_with(|c: char| c.is_ascii_digit()), "{line:?}");
            }
            _ => {
                width = line.ends_with("critical path").then(|| line.chars().count());
                let line: Vec<&str> = line.split_whitespace().collect();
                kept.push_str(&format!("{}\n", line.join(" ")));
            }
        }
    }
    kept
}

#[test]
fn check_prints_sizes_and_costs() {
    let scratch = Scratch::new("check");
    scratch.file(
        "two.mbs",
        format!(
            "{PENDULUM}
planar Driven {{
    particle p {{ mass: 1 }} particle q {{ mass: 1 }}
    joint a = distance(ground, p) {{ length: 1 }}; joint b = free(p, q);
    drive d = position(p).x == tanh(t);
    initial position(p).y ~ 1;
    kernels: forward;
}}"
        ),
    );
    let output = scratch.mbs(&["check", "two.mbs"]);
    assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
    expect![[r#"
        Pendulum: 1 body, 1 joint
        joint coordinates: 1 speed, 0 rows, 1 freedom

        kernel operations sincos critical path

        Driven: 2 bodies, 2 joints, 1 equation
        joint coordinates: 4 speeds, 2 rows, 3 freedoms, 2 after drives

        kernel operations sincos calls critical path
    "#]]
    .assert_eq(&without_costs(&String::from_utf8_lossy(&output.stdout)));
}

#[test]
fn mistakes_are_shown_and_exit_with_1() {
    let scratch = Scratch::new("mistakes");
    scratch.file("broken.mbs", PENDULUM.replace("revolute", "revolut").replace("1.0", "1 / 0"));
    scratch.check(
        &["check", "broken.mbs"],
        &expect![[r#"
        error: [MBS030] division by zero
         --> broken.mbs:3:20
          |
        3 |     param mass = 1 / 0;
          |                    ^

        error: [MBS013] unknown kind of joint `revolut`
         --> broken.mbs:5:17
          |
        5 |     joint pin = revolut(ground, bob);
          |                 ^^^^^^^
          |
          = help: did you mean `revolute`?
        exit 1
    "#]],
    );
    scratch.check(
        &["generate", "broken.mbs"],
        &expect![[r#"
        error: [MBS030] division by zero
         --> broken.mbs:3:20
          |
        3 |     param mass = 1 / 0;
          |                    ^

        error: [MBS013] unknown kind of joint `revolut`
         --> broken.mbs:5:17
          |
        5 |     joint pin = revolut(ground, bob);
          |                 ^^^^^^^
          |
          = help: did you mean `revolute`?
        exit 1
    "#]],
    );
    scratch.file("empty.mbs", "");
    scratch.check(
        &["check", "empty.mbs"],
        &expect![[r#"
        error: [MBS001] there is no mechanism here
         --> empty.mbs:1:1
          |
        1 |
          | ^
          |
          = help: write `pub planar Name { … }` or `pub spatial Name { … }`
        exit 1
    "#]],
    );
    scratch.file("open.mbs", "planar M { joint a = revolute(b, c;\n}\n");
    scratch.check(
        &["check", "open.mbs"],
        &expect![[r#"
        error: [MBS000] `(` is never closed
         --> open.mbs:1:30
          |
        1 | planar M { joint a = revolute(b, c;
          |                              ^
        exit 1
    "#]],
    );
}

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
fn generate_prints_or_writes_the_same() {
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
fn wrong_usage_exits_with_2() {
    let scratch = Scratch::new("usage");
    scratch.file("pendulum.mbs", PENDULUM);
    scratch.check(
        &["check", "pendulum.mbs", "--coordinats", "body"],
        &expect![[r#"
        error: unexpected argument '--coordinats' found

          tip: a similar argument exists: '--coordinates'

        Usage: mbs check --coordinates <CHOICE> <FILE>

        For more information, try '--help'.
        exit 2
    "#]],
    );
    scratch.check(
        &["check", "pendulum.mbs", "--coordinates", "polar"],
        &expect![[r#"
        error: invalid value 'polar' for '--coordinates <CHOICE>'
          [possible values: body, joint]

        For more information, try '--help'.
        exit 2
    "#]],
    );
    scratch.check(
        &["check"],
        &expect![[r#"
        error: the following required arguments were not provided:
          <FILE>

        Usage: mbs check <FILE>

        For more information, try '--help'.
        exit 2
    "#]],
    );
    scratch.check(
        &["chek", "pendulum.mbs"],
        &expect![[r#"
        error: unrecognized subcommand 'chek'

          tip: a similar subcommand exists: 'check'

        Usage: mbs <COMMAND>

        For more information, try '--help'.
        exit 2
    "#]],
    );
}

#[test]
fn help_says_what_there_is() {
    let scratch = Scratch::new("help");
    scratch.check(&["--help"], &expect![[r#"
        Checks mechanisms, and prints the Rust they compile to.

        Exit codes: 0 fine, 1 mistakes in a mechanism, 2 wrong usage or a file that cannot be read or written.

        Usage: mbs <COMMAND>

        Commands:
          check     Finds mistakes: names, shapes, redundant joints, poses that do not assemble; prints sizes and costs if there are none
          generate  Prints the Rust that a file compiles to
          help      Print this message or the help of the given subcommand(s)

        Options:
          -h, --help
                  Print help (see a summary with '-h')

          -V, --version
                  Print version
        exit 0
    "#]]);
    scratch.check(
        &["generate", "--help"],
        &expect![[r#"
        Prints the Rust that a file compiles to

        Usage: mbs generate [OPTIONS] <FILE>

        Arguments:
          <FILE>
                  A `.mbs` file with one mechanism or several

        Options:
          -c, --coordinates <CHOICE>
                  Coordinates instead of the declared ones

                  Possible values:
                  - body:  x, y, θ of every body
                  - joint: A tree of joint coordinates, loops closed by constraints

          -o, --output <FILE>
                  Write to this file instead of the standard output

          -h, --help
                  Print help (see a summary with '-h')
        exit 0
    "#]],
    );
}

#[test]
fn a_closed_pipe_is_no_error() {
    let scratch = Scratch::new("pipe");
    scratch.file("pendulum.mbs", PENDULUM);
    let mut command = Command::new(env!("CARGO_BIN_EXE_mbs"));
    command.current_dir(&scratch.0).args(["generate", "pendulum.mbs"]).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("the program starts");
    drop(child.stdout.take());
    let output = child.wait_with_output().expect("it ends");
    assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
}
