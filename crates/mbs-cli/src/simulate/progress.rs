//! The progress bar of a run.

use std::cell::RefCell;
use std::io::{self, IsTerminal};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

/// Runs shorter than this show no bar.
const PATIENCE: Duration = Duration::from_secs(1);
const STEPS: u64 = 1000;

/// A bar on the standard error, if that is a terminal.
pub struct Progress {
    start: Instant,
    duration: f64,
    bar: Option<RefCell<Option<ProgressBar>>>,
}

impl Progress {
    /// Progress of a run of this length \[s\].
    pub fn new(quiet: bool, duration: f64) -> Self {
        let shown = !quiet && io::stderr().is_terminal();
        Progress { start: Instant::now(), duration, bar: shown.then(RefCell::default) }
    }

    /// Shows that the run has recorded time t \[s\].
    pub fn show(&self, t: f64) {
        let Some(bar) = self.bar.as_ref().filter(|_| self.start.elapsed() > PATIENCE) else { return };
        let mut bar = bar.borrow_mut();
        let bar = bar.get_or_insert_with(|| {
            let style = ProgressStyle::with_template("{wide_bar} {percent:>3} %  t = {msg} s  {eta} left");
            let bar = ProgressBar::new(STEPS).with_elapsed(self.start.elapsed());
            bar.with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
        });
        bar.set_message(format!("{t:.2}"));
        bar.set_position((STEPS as f64 * t / self.duration.max(f64::MIN_POSITIVE)) as u64);
    }

    /// Removes the bar.
    pub fn finish(&self) {
        if let Some(bar) = self.bar.as_ref().and_then(|bar| bar.borrow_mut().take()) {
            bar.finish_and_clear();
        }
    }
}
