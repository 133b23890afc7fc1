//! `mbs generate`: the Rust that a file compiles to.

use std::path::PathBuf;

use crate::Outcome;
use crate::source::Source;
use crate::targets::write_text;

/// Arguments of `generate`.
#[derive(clap::Args)]
pub struct Arguments {
    #[command(flatten)]
    source: Source,
    /// Write to this file instead of the standard output.
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

pub fn run(arguments: &Arguments) -> Outcome {
    let source = &arguments.source;
    let rust = mbs_codegen::format_rust(&source.compile_with_sources()?);
    write_text(arguments.output.as_deref(), &rust, source)
}
