//! Errors of engines.

use std::path::PathBuf;
use std::{fmt, io};

use mbs_core::Error;
use mbs_expr::FunctionError;

/// The reason why an engine could not be made, or does not accept a value.
#[non_exhaustive]
pub enum Failure {
    /// Mistakes in the declaration, rendered for a terminal.
    Mistakes(String),
    /// A file could not be read.
    Io(PathBuf, io::Error),
    /// The text contains several mechanisms or none, or none with the requested name.
    Mechanism {
        /// Requested name.
        wanted: Option<String>,
        /// Names in the text.
        found: Vec<String>,
    },
    /// An opaque function is not bound, or something is bound that is not declared.
    Function(FunctionError),
    /// An opaque function returns fewer derivatives than the equations use.
    Derivatives {
        /// Its name.
        function: String,
        /// Declared number.
        given: u8,
        /// Number used.
        needed: u8,
    },
    /// The mechanism declares `coordinates: auto`, which the compiler chooses by the operations of its functions.
    AutomaticCoordinates,
    /// A parameter was set that the mechanism does not have.
    UnknownParameter {
        /// Its name.
        parameter: String,
        /// Closest declared name.
        nearest: Option<String>,
    },
    /// A value was refused: outside its domain, or the equations have no solution with it.
    Value(Error),
}

impl From<FunctionError> for Failure {
    fn from(error: FunctionError) -> Self {
        Failure::Function(error)
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Failure::Value(error)
    }
}

/// Equal to `Display`, since `main` prints errors with `Debug`.
impl fmt::Debug for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::Mistakes(text) => f.write_str(text),
            Failure::Io(path, error) => write!(f, "{}: {error}", path.display()),
            Failure::Mechanism { wanted: None, found } if found.is_empty() => f.write_str("there is no mechanism"),
            Failure::Mechanism { wanted: None, found } => {
                write!(f, "there are several mechanisms, name one of {}", listed(found))
            }
            Failure::Mechanism { wanted: Some(name), found } => {
                write!(f, "there is no mechanism `{name}`, only {}", listed(found))
            }
            Failure::AutomaticCoordinates => f.write_str(
                "`coordinates: auto` is chosen by the compiler, which counts operations: choose those of the engine with \
                 `Engine::options().formulation(…)`; `mbs check` prints which the compiler chooses",
            ),
            Failure::Function(error) => error.fmt(f),
            Failure::Derivatives { function, given, needed } => {
                let s = if *given == 1 { "" } else { "s" };
                write!(
                    f,
                    "`{function}` gives {given} derivative{s}, {needed} are needed: declare it `opaque({needed})`"
                )
            }
            Failure::UnknownParameter { parameter, nearest } => {
                write!(f, "no parameter is called `{parameter}`")?;
                nearest.as_ref().map_or(Ok(()), |nearest| write!(f, ", did you mean `{nearest}`?"))
            }
            Failure::Value(error) => error.fmt(f),
        }
    }
}

/// The names in backticks, separated by commas.
fn listed(names: &[String]) -> String {
    let quoted: Vec<String> = names.iter().map(|n| format!("`{n}`")).collect();
    quoted.join(", ")
}

impl std::error::Error for Failure {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Failure::Io(_, error) => Some(error),
            Failure::Function(error) => Some(error),
            Failure::Value(error) => Some(error),
            _ => None,
        }
    }
}
