//! The generic engine: runs any declared mechanism without compiling it.
#![forbid(unsafe_code)]
