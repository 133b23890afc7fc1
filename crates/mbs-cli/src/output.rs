//! Where results go.

use std::fs;
use std::io::{self, Write};
use std::path::Path;

use crate::Outcome;
use crate::failure::{Failure, standard_output};

/// To a file, or to the standard output.
pub fn write(target: Option<&Path>, text: &str) -> Outcome {
    match target {
        Some(path) => fs::write(path, text).map_err(|e| Failure::io(path, e)),
        None => standard(text),
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
