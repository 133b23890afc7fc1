//! Files of results: checked before the work, written after it, replaced only when complete.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, ErrorKind, IsTerminal, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use crate::failure::Failure;
use crate::source::Source;
use crate::{Outcome, output};

/// The destination of one result.
pub enum Target {
    /// The standard output.
    Standard,
    /// A file, created or replaced when everything is written.
    File {
        /// The path as given.
        path: PathBuf,
        /// The path with symbolic links resolved.
        file: PathBuf,
    },
    /// A target that is written directly: a pipe, a device, a file in a folder in which no file can be created.
    Stream {
        /// The path as given.
        path: PathBuf,
        /// The target, open for writing.
        file: File,
    },
}

impl Target {
    /// Opens the target with a path, or standard output for `-`. Waits for the reader of a named pipe.
    pub fn open(path: &Path) -> Result<Target, Failure> {
        let failed = |e| Failure::io(path, e);
        let about = match fs::metadata(path) {
            _ if path == Path::new("-") => return Ok(Target::Standard),
            Err(e) if e.kind() == ErrorKind::NotFound => None,
            about => Some(about.map_err(failed)?),
        };
        if about.as_ref().is_some_and(is_standard_output) {
            return Ok(Target::Standard);
        }
        let owned = path.to_owned();
        if about.as_ref().is_some_and(|about| !about.is_file()) {
            let file = OpenOptions::new().write(true).open(path).map_err(failed)?;
            return Ok(Target::Stream { path: owned, file });
        }
        let open = about.as_ref().map(|_| OpenOptions::new().write(true).open(path).map_err(failed)).transpose()?;
        let file = if about.is_some() { path.canonicalize().map_err(failed)? } else { path.to_owned() };
        // Whether a file can be created there is tested before the run, so that no result is lost because it cannot be written.
        match (temporary_file_next_to(&file), open) {
            (Ok(_), _) => Ok(Target::File { path: owned, file }),
            (Err(e), Some(file)) if e.kind() == ErrorKind::PermissionDenied => Ok(Target::Stream { path: owned, file }),
            (Err(e), _) => Err(failed(e)),
        }
    }

    /// Refuses two results with one destination; `options` are the names of the options that give them.
    pub fn check_distinct(targets: [Option<&Target>; 2], options: [&str; 2]) -> Result<(), Failure> {
        let [Some(first), Some(second)] = targets else { return Ok(()) };
        let destination = match (first, second) {
            (Target::Standard, Target::Standard) => "the standard output".to_owned(),
            (Target::File { file: first, path }, Target::File { file: second, .. })
                if first == second || comparable_path(first) == comparable_path(second) =>
            {
                path.display().to_string()
            }
            (Target::Stream { file: first, path }, Target::Stream { file: second, .. })
                if is_same_pipe(first, second) =>
            {
                path.display().to_string()
            }
            _ => return Ok(()),
        };
        let [first, second] = options;
        Err(Failure::Usage(format!("`{first}` and `{second}` both go to {destination}: give one of them another file")))
    }

    /// Refuses to replace a file that the run reads.
    pub fn check_not_read(&self, option: &str, read: &[PathBuf]) -> Result<(), Failure> {
        match self {
            Target::File { file, .. } => output::check_not_read(file, option, read),
            Target::Standard | Target::Stream { .. } => Ok(()),
        }
    }

    pub fn is_standard(&self) -> bool {
        matches!(self, Target::Standard)
    }

    /// Writes the content. Returns the name of the file, none for the standard output.
    pub fn write(self, content: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<Option<String>, Failure> {
        match self {
            Target::Standard => {
                let mut out = BufWriter::new(io::stdout().lock());
                output::ignore_closed_pipe(content(&mut out).and_then(|()| out.flush()))?;
                Ok(None)
            }
            Target::File { path, file } => {
                replace(&file, content).map_err(|e| Failure::io(&path, e))?;
                Ok(Some(path.display().to_string()))
            }
            Target::Stream { path, file } => {
                match overwrite(file, content) {
                    // A closed pipe is no error: the reader has read enough.
                    Err(e) if e.kind() != ErrorKind::BrokenPipe => return Err(Failure::io(&path, e)),
                    _ => {}
                }
                Ok(Some(path.display().to_string()))
            }
        }
    }
}

/// Writes a text to the file of `--output`, which is replaced when it is complete and must not be one that was read, or to the standard
/// output.
pub fn write_text(target: Option<&Path>, text: &str, source: &Source) -> Outcome {
    match target {
        Some(path) => {
            output::check_not_read(path, "--output", &source.files())?;
            Target::open(path)?.write(|out| out.write_all(text.as_bytes())).map(|_| ())
        }
        None => output::print(text),
    }
}

/// Writes a new file and replaces the old one with it. The new file has the permissions of the old one.
fn replace(path: &Path, content: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    let mut out = BufWriter::new(temporary_file_next_to(path)?);
    content(&mut out)?;
    let created = out.into_inner().map_err(io::IntoInnerError::into_error)?;
    match fs::metadata(path) {
        Ok(about) => created.as_file().set_permissions(about.permissions())?,
        Err(e) if e.kind() == ErrorKind::NotFound => {}
        Err(e) => return Err(e),
    }
    created.persist(path).map_err(|e| e.error)?;
    Ok(())
}

/// Overwrites an open file.
fn overwrite(file: File, content: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    if file.metadata()?.is_file() {
        file.set_len(0)?;
    }
    let mut out = BufWriter::new(file);
    content(&mut out)?;
    out.flush()
}

/// A temporary file in the folder of another file. It is removed when it is dropped, unless it is persisted.
fn temporary_file_next_to(path: &Path) -> io::Result<NamedTempFile> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut builder = tempfile::Builder::new();
    builder.prefix(".mbs-");
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    builder.tempfile_in(folder).map_err(|e| io::Error::from(e.kind()))
}

/// A path for comparisons: the folder with its links resolved, and the name; none if the folder does not exist.
fn comparable_path(path: &Path) -> Option<PathBuf> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    Some(folder.canonicalize().ok()?.join(path.file_name()?))
}

/// Whether a path is another name of the standard output, such as `/dev/stdout`. A device must also be a terminal: two results may go to
/// `/dev/null`.
#[cfg(unix)]
fn is_standard_output(about: &fs::Metadata) -> bool {
    use std::os::fd::AsFd;
    use std::os::unix::fs::{FileTypeExt, MetadataExt};

    let standard = io::stdout().as_fd().try_clone_to_owned().map(File::from).and_then(|file| file.metadata());
    let is_same = standard.is_ok_and(|standard| (standard.dev(), standard.ino()) == (about.dev(), about.ino()));
    is_same && (!about.file_type().is_char_device() || io::stdout().is_terminal())
}

#[cfg(not(unix))]
fn is_standard_output(_: &fs::Metadata) -> bool {
    false
}

/// Whether two open files are one pipe.
#[cfg(unix)]
fn is_same_pipe(first: &File, second: &File) -> bool {
    use std::os::unix::fs::{FileTypeExt, MetadataExt};

    let (Ok(first), Ok(second)) = (first.metadata(), second.metadata()) else { return false };
    !first.file_type().is_char_device() && (first.dev(), first.ino()) == (second.dev(), second.ino())
}

#[cfg(not(unix))]
fn is_same_pipe(_: &File, _: &File) -> bool {
    false
}
