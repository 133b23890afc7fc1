//! Message and location of the last panic.

use std::panic;
use std::sync::Mutex;

use super::Failure;

static LAST: Mutex<Option<Failure>> = Mutex::new(None);

/// Keeps panics from now on for `last` instead of printing them.
pub fn record() {
    panic::set_hook(Box::new(|about| {
        let location = about.location().map_or_else(String::new, |at| format!("{}:{}", at.file(), at.line()));
        let message = about.payload().downcast_ref::<String>().cloned();
        let message = message.or_else(|| about.payload().downcast_ref::<&str>().map(|s| (*s).to_owned()));
        if let Ok(mut last) = LAST.lock() {
            *last = Some(Failure::new(format!("nothing panics, {location}"), message.unwrap_or_default()));
        }
    }));
}

/// Returns the last panic and forgets it.
pub fn last() -> Failure {
    let kept = LAST.lock().ok().and_then(|mut last| last.take());
    kept.unwrap_or_else(|| Failure::new("nothing panics", ""))
}
