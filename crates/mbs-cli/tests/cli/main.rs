//! The command line as a user runs it: exit codes, messages, output.

mod check;
mod equations;
mod files;
mod generate;
mod moves;
mod results;
mod simulate;
mod usage;

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::{env, fs};

use expect_test::Expect;

/// The directory of one test.
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

    /// Compares the standard output, the standard error and the exit code of a command.
    fn check(&self, arguments: &[&str], expected: &Expect) {
        let output = self.mbs(arguments);
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let code = output.status.code().map_or_else(|| "killed".to_owned(), |c| c.to_string());
        let shown = format!("{}{}exit {code}\n", text(&output.stdout), text(&output.stderr));
        // Help has lines of spaces.
        let shown: String = shown.lines().map(|line| format!("{}\n", line.trim_end())).collect();
        expected.assert_eq(&shown);
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

/// Runs a command and closes the pipe that it writes to: it must succeed without a message.
fn check_closed_pipe(scratch: &Scratch, arguments: &[&str]) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_mbs"));
    command.current_dir(&scratch.0).args(arguments).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("the program starts");
    drop(child.stdout.take());
    let output = child.wait_with_output().expect("it ends");
    assert!(output.status.success() && output.stderr.is_empty(), "{arguments:?}: {output:?}");
}
