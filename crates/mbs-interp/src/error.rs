//! Errors of the interpretation of compiled mechanisms.

use std::fmt;

use mbs_core::Error;
use mbs_expr::FunctionError;

/// Reason why [`Interpreted::new`](crate::Interpreted::new) fails.
#[derive(Clone, PartialEq)]
pub enum InterpretError {
    /// A function that is written in Rust is not bound to the model.
    Function(FunctionError),
    /// The default parameters are refused.
    Parameters(Error),
}

impl From<FunctionError> for InterpretError {
    fn from(error: FunctionError) -> Self {
        InterpretError::Function(error)
    }
}

impl From<Error> for InterpretError {
    fn from(error: Error) -> Self {
        InterpretError::Parameters(error)
    }
}

/// Writes the text of `Display`, because `main` prints errors with `Debug`.
impl fmt::Debug for InterpretError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl fmt::Display for InterpretError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            InterpretError::Function(error) => error.fmt(f),
            InterpretError::Parameters(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for InterpretError {}
