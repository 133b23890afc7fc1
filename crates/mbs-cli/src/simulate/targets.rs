//! Files of a run: opened before it, written after it.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use mbs::Recording;

use crate::failure::Failure;
use crate::output;

/// Where one result goes.
pub enum Target {
    /// The standard output.
    Standard,
    /// A file that can be written, its content still as it was.
    File {
        /// Where it is.
        path: PathBuf,
        /// Open for writing.
        file: File,
        /// Whether opening it made it.
        is_new: bool,
    },
}

impl Target {
    /// Of a path, or of `-`.
    pub fn open(path: &Path) -> Result<Target, Failure> {
        if path == Path::new("-") {
            return Ok(Target::Standard);
        }
        let is_new = !path.exists();
        let file = OpenOptions::new().write(true).create(true).truncate(false).open(path);
        Ok(Target::File { path: path.to_owned(), file: file.map_err(|e| Failure::io(path, e))?, is_new })
    }

    pub fn is_standard(&self) -> bool {
        matches!(self, Target::Standard)
    }

    /// Writes, unless nothing was recorded: a file that opening made is then removed. Returns the name of the file.
    pub fn write(
        self,
        recording: &Recording,
        content: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> Result<Option<String>, Failure> {
        match self {
            Target::Standard if recording.is_empty() => Ok(None),
            Target::Standard => {
                let mut out = BufWriter::new(io::stdout().lock());
                output::forgiven(content(&mut out).and_then(|()| out.flush()))?;
                Ok(None)
            }
            Target::File { path, is_new, .. } if recording.is_empty() => {
                if is_new {
                    fs::remove_file(&path).map_err(|e| Failure::io(&path, e))?;
                }
                Ok(None)
            }
            Target::File { path, file, .. } => {
                let write = || {
                    file.set_len(0)?;
                    let mut out = BufWriter::new(file);
                    content(&mut out)?;
                    out.flush()
                };
                write().map_err(|e| Failure::io(&path, e))?;
                Ok(Some(path.display().to_string()))
            }
        }
    }
}
