//! Messages for people who wait: that the program still works, and on what.

use std::io::{self, IsTerminal, Write};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
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
        if !io::stderr().is_terminal() {
            // If this fails, nothing else can report it.
            return Self::telling(PATIENCE_OF_LOGS, move |_| drop(writeln!(io::stderr(), "{message}")));
        }
        Self::telling(PATIENCE, |waits| {
            let style = ProgressStyle::with_template("{spinner} {elapsed} {msg}");
            let spinner = ProgressBar::new_spinner().with_elapsed(PATIENCE).with_message(message);
            let spinner = spinner.with_style(style.unwrap_or_else(|_| ProgressStyle::default_spinner()));
            spinner.enable_steady_tick(TICK);
            let _ = waits.recv();
            spinner.finish_and_clear();
        })
    }

    /// Reports after some time; the receiver that `tell` is given closes when the work ends.
    fn telling(patience: Duration, tell: impl FnOnce(&Receiver<()>) + Send + 'static) -> Self {
        let (done, waits) = mpsc::channel::<()>();
        let thread = thread::spawn(move || {
            if waits.recv_timeout(patience) == Err(RecvTimeoutError::Timeout) {
                tell(&waits);
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_work_says_a_word_and_short_work_none() {
        let (says, said) = mpsc::channel();
        let short = says.clone();
        drop(Waiting::telling(Duration::MAX, move |_| short.send("short").unwrap()));
        let long = Waiting::telling(Duration::from_millis(1), move |_| says.send("long").unwrap());
        assert_eq!(said.recv(), Ok("long"));
        drop(long);
        assert!(said.recv().is_err());
    }
}
