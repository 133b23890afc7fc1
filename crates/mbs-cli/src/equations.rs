//! `mbs equations`: the mathematics of a file.

use std::path::PathBuf;

use mbs_definition::Space;
use mbs_sheet::{MOST_SYMBOLS, expanded_size, markdown};

use crate::Outcome;
use crate::failure::Failure;
use crate::source::Source;
use crate::targets::write_text;

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
    let compiled = arguments.source.compile()?;
    if let Some(c) = compiled.iter().find(|c| c.model.space == Space::Spatial) {
        let message =
            format!("the equations of `{}`, which is spatial, cannot be written out yet", c.model.header.name);
        return Err(Failure::Usage(message));
    }
    for c in &compiled {
        let symbols = expanded_size(c);
        if symbols > MOST_SYMBOLS {
            let message = format!(
                "the equations of `{}` cannot be written out: they have {symbols:.0e} symbols, and at most {MOST_SYMBOLS:.0e} are simplified; \
                 nearest points of terrain and of curves that touch by force take that many",
                c.model.header.name
            );
            return Err(Failure::Usage(message));
        }
    }
    let texts: Vec<String> = compiled.iter().map(markdown).collect();
    write_text(arguments.output.as_deref(), &texts.join("\n"), &arguments.source)
}
