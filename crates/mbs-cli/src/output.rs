//! The standard output, and files that must not be replaced.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use crate::Outcome;
use crate::failure::{Failure, standard_output};

/// Refuses to replace a file that is read: `option` is the name of the option that asks for the file.
pub fn check_kept(file: &Path, option: &str, read: &[PathBuf]) -> Outcome {
    let place = file.canonicalize();
    let is_read =
        |other: &Path| place.as_ref().is_ok_and(|place| other.canonicalize().is_ok_and(|other| other == *place));
    match read.iter().find(|other| is_read(other)) {
        Some(other) => {
            let message = format!("`{option}` would replace {}, which is read: give it another file", other.display());
            Err(Failure::Usage(message))
        }
        None => Ok(()),
    }
}

/// To the standard output. A closed pipe (`mbs generate … | head`) is no error.
pub fn standard(text: &str) -> Outcome {
    let mut out = io::stdout();
    forgiven(out.write_all(text.as_bytes()).and_then(|()| out.flush()))
}

/// The outcome of writing to the standard output.
pub fn forgiven(result: io::Result<()>) -> Outcome {
    match result {
        Err(e) if e.kind() != io::ErrorKind::BrokenPipe => Err(Failure::io(&standard_output(), e)),
        _ => Ok(()),
    }
}
