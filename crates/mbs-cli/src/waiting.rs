//! Messages that the program still works, and on what.

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

/// While this value exists, long work is reported on the standard error: by a spinner on a terminal, else by one line.
pub struct Waiting {
    done: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Waiting {
    /// Starts to wait for the work that the message names.
    pub fn start(message: String) -> Self {
        if !io::stderr().is_terminal() {
            // If this fails, nothing else can report it.
            return Self::report_after(PATIENCE_OF_LOGS, move |_| drop(writeln!(io::stderr(), "{message}")));
        }
        Self::report_after(PATIENCE, |waits| {
            let style = ProgressStyle::with_template("{spinner} {elapsed} {msg}");
            let spinner = ProgressBar::new_spinner().with_elapsed(PATIENCE).with_message(message);
            let spinner = spinner.with_style(style.unwrap_or_else(|_| ProgressStyle::default_spinner()));
            spinner.enable_steady_tick(TICK);
            let _ = waits.recv();
            spinner.finish_and_clear();
        })
    }

    /// Calls `report` if the work takes longer than `patience`; the receiver that it is given closes when the work ends.
    fn report_after(patience: Duration, report: impl FnOnce(&Receiver<()>) + Send + 'static) -> Self {
        let (done, waits) = mpsc::channel::<()>();
        let thread = thread::spawn(move || {
            if waits.recv_timeout(patience) == Err(RecvTimeoutError::Timeout) {
                report(&waits);
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
    fn long_work_is_reported_and_short_work_is_not() {
        let (sender, reports) = mpsc::channel();
        let short = sender.clone();
        drop(Waiting::report_after(Duration::MAX, move |_| short.send("short").unwrap()));
        let long = Waiting::report_after(Duration::from_millis(1), move |_| sender.send("long").unwrap());
        assert_eq!(reports.recv(), Ok("long"));
        drop(long);
        assert!(reports.recv().is_err());
    }
}
