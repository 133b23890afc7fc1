//! The standard output, and files that must not be replaced.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use crate::Outcome;
use crate::failure::{Failure, standard_output};

/// Refuses to replace a file that is read: `option` is the name of the option that names the file.
pub fn check_not_read(file: &Path, option: &str, read: &[PathBuf]) -> Outcome {
    let canonical = file.canonicalize();
    let is_read =
        |other: &Path| canonical.as_ref().is_ok_and(|file| other.canonicalize().is_ok_and(|other| other == *file));
    match read.iter().find(|other| is_read(other)) {
        Some(other) => {
            let message = format!("`{option}` would replace {}, which is read: give it another file", other.display());
            Err(Failure::Usage(message))
        }
        None => Ok(()),
    }
}

/// Writes a text to the standard output. A closed pipe (`mbs generate … | head`) is no error.
pub fn print(text: &str) -> Outcome {
    let mut out = io::stdout();
    ignore_closed_pipe(out.write_all(text.as_bytes()).and_then(|()| out.flush()))
}

/// The outcome of writing to the standard output: a closed pipe is no error.
pub fn ignore_closed_pipe(result: io::Result<()>) -> Outcome {
    match result {
        Err(e) if e.kind() != io::ErrorKind::BrokenPipe => Err(Failure::io(&standard_output(), e)),
        _ => Ok(()),
    }
}
