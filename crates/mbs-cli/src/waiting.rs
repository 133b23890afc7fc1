//! A word for people who wait: that the program still works, and on what.

use std::io::{self, IsTerminal, Write};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

/// Work shorter than this shows nothing on a terminal.
const PATIENCE: Duration = Duration::from_secs(1);
/// Work shorter than this shows nothing in a log.
const PATIENCE_OF_LOGS: Duration = Duration::from_secs(30);
const TICK: Duration = Duration::from_millis(100);

/// While it lives, the standard error says that something takes its time: a spinner on a terminal, else one line.
pub struct Waiting {
    done: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Waiting {
    /// Waits for what the message names.
    pub fn on(message: String) -> Self {
        let (done, waits) = mpsc::channel::<()>();
        let is_terminal = io::stderr().is_terminal();
        let thread = thread::spawn(move || {
            let patience = if is_terminal { PATIENCE } else { PATIENCE_OF_LOGS };
            if waits.recv_timeout(patience) != Err(RecvTimeoutError::Timeout) {
                return;
            }
            if is_terminal {
                let style = ProgressStyle::with_template("{spinner} {elapsed} {msg}");
                let spinner = ProgressBar::new_spinner().with_elapsed(patience).with_message(message);
                let spinner = spinner.with_style(style.unwrap_or_else(|_| ProgressStyle::default_spinner()));
                spinner.enable_steady_tick(TICK);
                let _ = waits.recv();
                spinner.finish_and_clear();
            } else {
                // Nobody is left to tell if this fails.
                let _ = writeln!(io::stderr(), "{message}");
            }
        });
        Waiting { done: Some(done), thread: Some(thread) }
    }
}

impl Drop for Waiting {
    fn drop(&mut self) {
        drop(self.done.take());
        if let Some(thread) = self.thread.take() {
            // A panic of the thread concerns nothing but the spinner.
            let _ = thread.join();
        }
    }
}
