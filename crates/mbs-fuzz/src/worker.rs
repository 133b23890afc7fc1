//! A child process that examines inputs, and its owner: deaths and delays are verdicts, and the next input starts a new child.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use crate::examine::{Failure, Verdict, examine, record_panics};
use crate::input::Input;

/// Argument that makes the program a worker.
pub const WORKER: &str = "--worker";

/// Argument of a worker that is killed after a given number of seconds of processor time, independently of other load.
pub const SECONDS: &str = "--seconds";

/// Stack for an input \[bytes\]: that of the main thread of a program, and of rustc.
const STACK: usize = 8 << 20;

/// Time bound of an input: 10 s, and 0.1 ms for each byte; it also limits processor time if other programs share the processor.
pub fn time_bound(input: &Input) -> Duration {
    Duration::from_secs(10) + Duration::from_micros(100) * u32::try_from(input.size()).unwrap_or(u32::MAX)
}

/// Runs the loop of a worker: reads an input and writes its verdict, a line each, until the standard input ends.
pub fn serve() -> io::Result<()> {
    record_panics();
    for line in io::stdin().lock().lines() {
        let input: Input = serde_json::from_str(&line?)?;
        // Each input has a separate thread: proc-macro2 keeps every text that it has parsed until the thread ends.
        let thread = thread::Builder::new().stack_size(STACK).spawn(move || examine(&input))?;
        let examined = thread.join().map_err(|_| io::Error::other("the worker panicked"))?;
        let verdict = serde_json::to_string(&examined)?;
        let mut out = io::stdout().lock();
        writeln!(out, "{verdict}")?;
        out.flush()?;
    }
    Ok(())
}

/// A worker and the pipes to it.
pub struct Worker {
    program: Vec<String>,
    running: Option<Running>,
}

struct Running {
    child: Child,
    requests: ChildStdin,
    replies: Receiver<String>,
    last_words: JoinHandle<String>,
}

impl Worker {
    /// Creates a worker from a program with its arguments; the program starts at the first request.
    pub fn new(program: &[String]) -> Worker {
        Worker { program: program.to_vec(), running: None }
    }

    /// Returns the verdict on an input, within a time.
    ///
    /// # Errors
    /// If the program cannot be started.
    pub fn verdict(&mut self, input: &Input, bound: Duration) -> io::Result<Verdict> {
        let mut running = match self.running.take() {
            Some(running) => running,
            None => start(&self.program)?,
        };
        let line = serde_json::to_string(input)?;
        // A terminated child is detected by its missing answer.
        let _ = writeln!(running.requests, "{line}").and_then(|()| running.requests.flush());
        match running.replies.recv_timeout(bound) {
            Ok(reply) => {
                let verdict = serde_json::from_str(&reply)?;
                self.running = Some(running);
                Ok(verdict)
            }
            Err(reason) => {
                let is_late = reason == RecvTimeoutError::Timeout;
                if is_late {
                    running.child.kill()?;
                }
                let status = running.child.wait()?;
                let stderr = running.last_words.join().unwrap_or_default();
                Ok(Verdict::Failed(if is_late { late_failure(bound) } else { death_failure(status, &stderr) }))
            }
        }
    }
}

/// Kills the child when its owner is dropped.
impl Drop for Worker {
    fn drop(&mut self) {
        if let Some(mut running) = self.running.take() {
            let _ = running.child.kill();
            let _ = running.child.wait();
        }
    }
}

fn start(program: &[String]) -> io::Result<Running> {
    let (name, arguments) = program.split_first().ok_or_else(|| io::Error::other("no program"))?;
    let mut child = Command::new(name)
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()?;
    let missing = || io::Error::other("no pipe to the worker");
    let requests = child.stdin.take().ok_or_else(missing)?;
    let stdout = child.stdout.take().ok_or_else(missing)?;
    let mut stderr = child.stderr.take().ok_or_else(missing)?;
    let (sender, replies) = channel();
    thread::spawn(move || {
        for line in BufReader::new(stdout).lines().map_while(Result::ok) {
            if sender.send(line).is_err() {
                return;
            }
        }
    });
    let last_words = thread::spawn(move || {
        let mut bytes = Vec::new();
        let _ = stderr.read_to_end(&mut bytes);
        String::from_utf8_lossy(&bytes).into_owned()
    });
    Ok(Running { child, requests, replies, last_words })
}

/// The law that an input violates if it takes too long.
pub const LATE: &str = "it ends in time";

/// Whether the system has killed a process for its processor time.
#[cfg(unix)]
fn is_out_of_time(status: ExitStatus) -> bool {
    use std::os::unix::process::ExitStatusExt;

    // SIGXCPU on Linux and the BSDs.
    status.signal() == Some(24)
}

#[cfg(not(unix))]
fn is_out_of_time(_: ExitStatus) -> bool {
    false
}

/// The failure of an input that exceeds its time bound.
pub fn late_failure(bound: Duration) -> Failure {
    Failure::new(LATE, format!("more than {:.1} s", bound.as_secs_f64()))
}

/// The failure of an input that killed its process.
pub fn death_failure(status: ExitStatus, stderr: &str) -> Failure {
    let law = if is_out_of_time(status) {
        LATE
    } else if stderr.contains("overflowed its stack") {
        "the stack is enough"
    } else if stderr.contains("memory allocation of") {
        "memory is enough"
    } else {
        "the process lives"
    };
    Failure::new(law, format!("{status}: {}", stderr.trim()))
}
