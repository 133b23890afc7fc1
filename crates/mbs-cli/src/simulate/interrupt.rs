//! Ctrl-C: the run ends, and its recording is written.

use std::process;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::failure::INTERRUPTED;

/// Whether the user has requested the end of the program.
pub struct Interrupt(Arc<AtomicBool>);

impl Interrupt {
    /// Listens from now on. The first signal ends the run, the second the program.
    pub fn listen() -> Self {
        let requested = Arc::new(AtomicBool::new(false));
        let seen = Arc::clone(&requested);
        // If no handler can be installed, Ctrl-C ends the program at once, as it does without this.
        let _ = ctrlc::set_handler(move || {
            if seen.swap(true, Ordering::Relaxed) {
                process::exit(i32::from(INTERRUPTED));
            }
        });
        Interrupt(requested)
    }

    /// Whether a signal has arrived.
    pub fn is_requested(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}
