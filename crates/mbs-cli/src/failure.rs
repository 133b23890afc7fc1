//! Failures of commands, and their exit codes.

use std::path::{Path, PathBuf};
use std::{fmt, io};

/// Exit code of a run that the user has interrupted: 128 + SIGINT.
pub const INTERRUPTED: u8 = 130;

/// The reason why a command ends early.
#[derive(Debug)]
pub enum Failure {
    /// Mistakes in the mechanism (1), or a file that cannot be read or written (2).
    Compile(mbs_codegen::Failure),
    /// Wrong usage (2): a message, with a suggested correction.
    Usage(String),
    /// A run that failed (3), in the words of the declaration.
    Run(String),
    /// A run that the user has interrupted (130).
    Interrupted(String),
}

impl Failure {
    /// A file that cannot be read or written.
    pub fn io(path: &Path, error: io::Error) -> Failure {
        Failure::Compile(mbs_codegen::Failure::Io(path.to_owned(), error))
    }

    /// Wrong usage in a file: the location (`params.txt:3`) is prepended to the message, unless it is empty.
    pub fn in_file(self, location: &str) -> Failure {
        match self {
            Failure::Usage(message) if !location.is_empty() => Failure::Usage(format!("{location}: {message}")),
            other => other,
        }
    }

    /// Exit code of the program.
    pub fn exit_code(&self) -> u8 {
        match self {
            Failure::Compile(mbs_codegen::Failure::Mistakes(_)) => 1,
            Failure::Compile(mbs_codegen::Failure::Io(..)) | Failure::Usage(_) => 2,
            Failure::Run(_) => 3,
            Failure::Interrupted(_) => INTERRUPTED,
        }
    }
}

impl From<mbs_codegen::Failure> for Failure {
    fn from(failure: mbs_codegen::Failure) -> Self {
        Failure::Compile(failure)
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::Compile(failure) => failure.fmt(f),
            Failure::Usage(message) | Failure::Run(message) | Failure::Interrupted(message) => {
                write!(f, "error: {message}")
            }
        }
    }
}

/// "unknown parameter `stifness`, the nearest name is `stiffness`", or the known names.
pub fn unknown(kind: &str, name: &str, known: &[String]) -> Failure {
    let nearest = mbs_core::nearest(name, known.iter().map(String::as_str));
    let listed = |names: &[String]| names.iter().map(|n| format!("`{n}`")).collect::<Vec<_>>().join(", ");
    let instead = match (nearest, known) {
        (Some(nearest), _) => format!(", the nearest name is `{nearest}`"),
        (None, []) => format!(", there are no {kind}s"),
        (None, [only]) => format!(", the only one is `{only}`"),
        (None, few) if few.len() <= 12 => format!(", there are {}", listed(few)),
        (None, many) => format!(", there are {}, …", listed(&many[..12])),
    };
    Failure::Usage(format!("unknown {kind} `{name}`{instead}"))
}

/// The name of the standard output in messages about files.
pub fn standard_output() -> PathBuf {
    PathBuf::from("standard output")
}
