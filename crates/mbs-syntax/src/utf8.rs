//! Reads texts from files; reports the position of bytes that are not UTF-8.

use std::fs::File;
use std::io::{Error, ErrorKind, Read};
use std::path::Path;

/// Largest number of bytes that [`read_text`] accepts.
const MOST_BYTES: u64 = 256 << 20;

/// The text of a file, of at most 256 MiB: a device without an end is refused and does not fill the memory.
///
/// # Errors
/// Those of [`std::fs::read`]; [`ErrorKind::FileTooLarge`]; [`ErrorKind::InvalidData`] that says which byte is not UTF-8, in which line
/// and column.
pub fn read_text(path: &Path) -> Result<String, Error> {
    decode_utf8(read_at_most(path, MOST_BYTES)?)
}

fn read_at_most(path: &Path, most: u64) -> Result<Vec<u8>, Error> {
    let mut bytes = Vec::new();
    // One byte more than is accepted shows that the file is too long.
    let length = File::open(path)?.take(most + 1).read_to_end(&mut bytes)?;
    if u64::try_from(length).unwrap_or(u64::MAX) > most {
        return Err(Error::new(ErrorKind::FileTooLarge, format!("more than {} MiB", most >> 20)));
    }
    Ok(bytes)
}

/// Decodes UTF-8.
pub(crate) fn decode_utf8(bytes: Vec<u8>) -> Result<String, Error> {
    String::from_utf8(bytes).map_err(|error| {
        let valid = error.utf8_error().valid_up_to();
        let (before, byte) = (String::from_utf8_lossy(&error.as_bytes()[..valid]), error.as_bytes()[valid]);
        let line = before.matches('\n').count() + 1;
        let column = before.rsplit('\n').next().unwrap_or("").chars().count() + 1;
        let message = format!("not a text in UTF-8: byte {}, {byte:#04x}, in line {line}, column {column}", valid + 1);
        Error::new(ErrorKind::InvalidData, message)
    })
}
