//! `mbs equations`: the mathematics of a file.

use std::path::PathBuf;

use mbs_codegen::equations::markdown;

use crate::source::Source;
use crate::{Outcome, output};

/// Arguments of `equations`.
#[derive(clap::Args)]
pub struct Arguments {
    #[command(flatten)]
    source: Source,
    /// Write to this file instead of the standard output.
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

pub fn run(arguments: &Arguments) -> Outcome {
    let texts: Vec<String> = arguments.source.compile()?.iter().map(markdown).collect();
    output::write(arguments.output.as_deref(), &texts.join("\n"))
}
