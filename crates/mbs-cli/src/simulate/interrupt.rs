//! Ctrl-C: the run ends, and its recording is kept.

use std::process;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::failure::INTERRUPTED;

/// Whether somebody asked the program to end.
pub struct Interrupt(Arc<AtomicBool>);

impl Interrupt {
    /// Listens from now on. The first signal ends the run, the second the program.
    pub fn listen() -> Self {
        let asked = Arc::new(AtomicBool::new(false));
        let seen = Arc::clone(&asked);
        // Where signals cannot be had, the program ends at once, as it does without this.
        let _ = ctrlc::set_handler(move || {
            if seen.swap(true, Ordering::Relaxed) {
                process::exit(i32::from(INTERRUPTED));
            }
        });
        Interrupt(asked)
    }

    pub fn is_asked(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}
