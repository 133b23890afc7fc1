//! Texts from files, and where they are none.

use std::io::{Error, ErrorKind};
use std::path::Path;

/// The text of a file.
///
/// # Errors
/// Those of [`std::fs::read`]; [`ErrorKind::InvalidData`] that says which byte is not UTF-8, in which line and column.
pub fn read_text(path: &Path) -> Result<String, Error> {
    text_of(std::fs::read(path)?)
}

/// Bytes as a text.
pub(crate) fn text_of(bytes: Vec<u8>) -> Result<String, Error> {
    String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        let (before, byte) = (String::from_utf8_lossy(&error.as_bytes()[..at]), error.as_bytes()[at]);
        let line = before.matches('\n').count() + 1;
        let column = before.rsplit('\n').next().unwrap_or("").chars().count() + 1;
        let message = format!("not a text in UTF-8: byte {}, {byte:#04x}, in line {line}, column {column}", at + 1);
        Error::new(ErrorKind::InvalidData, message)
    })
}
