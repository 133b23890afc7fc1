//! Files that a declaration imports, and what may be read from a folder.

use std::fs::File;
use std::io::{ErrorKind, Read};
use std::path::{Component, Path};

use mbs_import::urdf::MOST_BYTES;

use crate::utf8::decode_utf8;

/// A file that was read for `import "…";`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Imported {
    /// Path of the file, for messages and for watching changes.
    pub path: String,
    /// Its text.
    pub text: String,
}

/// Reads the file that an import names, as written there. The error is a reason in lower case without a full stop.
pub type Loader<'l> = &'l mut dyn FnMut(&str) -> Result<Imported, String>;

/// Loader for sources without a folder: refuses every import.
///
/// # Errors
/// Always.
pub fn refuse(_: &str) -> Result<Imported, String> {
    Err("it is not known which folder it lies in".to_owned())
}

/// Reads a file whose name is relative to a folder. Other names are refused, so that a declaration has one meaning on all machines.
///
/// # Errors
/// The reason why the file cannot be read.
pub fn from_folder(folder: &Path, name: &str) -> Result<Imported, String> {
    let file = Path::new(name);
    if !file.components().all(|part| matches!(part, Component::Normal(_) | Component::CurDir | Component::ParentDir)) {
        return Err("its name is not relative to the file that imports it".to_owned());
    }
    let path = folder.join(file);
    let shown = path.display().to_string();
    let text = read(&path).map_err(|reason| format!("`{shown}`: {reason}"))?;
    Ok(Imported { path: shown, text })
}

/// The text of a regular file of limited size.
fn read(path: &Path) -> Result<String, String> {
    let reason = |error: std::io::Error| match error.kind() {
        ErrorKind::NotFound => "no such file".to_owned(),
        ErrorKind::PermissionDenied => "permission denied".to_owned(),
        _ => error.to_string(),
    };
    let about = path.metadata().map_err(reason)?;
    if !about.is_file() {
        return Err("not a file".to_owned());
    }
    let mut bytes = Vec::new();
    // One byte more than is accepted shows that the file is too long.
    let most = u64::try_from(MOST_BYTES).unwrap_or(u64::MAX).saturating_add(1);
    File::open(path).and_then(|file| file.take(most).read_to_end(&mut bytes)).map_err(reason)?;
    if bytes.len() > MOST_BYTES {
        Err(format!("more than {MOST_BYTES} bytes"))
    } else {
        decode_utf8(bytes).map_err(reason)
    }
}
