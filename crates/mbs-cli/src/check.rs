//! `mbs check`: mistakes, or a summary of a sound mechanism.

mod json;
mod notes;
mod summary;

use std::io::{self, Write};

use clap::ValueEnum;
use mbs_check::free_motions;
use mbs_compiler::compile::Compiled;

use crate::source::Source;
use crate::waiting::Waiting;
use crate::{Outcome, output};

/// Arguments of `check`.
#[derive(clap::Args)]
pub struct Arguments {
    #[command(flatten)]
    source: Source,
    /// How a sound file is described; mistakes are always text.
    #[arg(short, long, value_name = "CHOICE", default_value = "text")]
    format: Format,
}

/// `--format`.
#[derive(Clone, Copy, ValueEnum)]
enum Format {
    /// For people.
    Text,
    /// For scripts: a list with one object per mechanism.
    Json,
}

pub fn run(arguments: &Arguments) -> Outcome {
    let (compiled, warnings) = arguments.source.compile_with_warnings()?;
    if !warnings.is_empty() {
        // If this fails, nothing else can report it.
        let _ = writeln!(io::stderr(), "{warnings}");
    }
    let waiting = Waiting::start(format!("diagnosing the initial state of {}", arguments.source.path()));
    let text = match arguments.format {
        Format::Text => compiled.into_iter().map(text_of_mechanism).collect::<Vec<_>>().join("\n"),
        Format::Json => json::list_of_mechanisms(compiled),
    };
    drop(waiting);
    output::print(&text)
}

/// Facts, notes and costs of a mechanism.
fn text_of_mechanism(compiled: Compiled) -> String {
    let motions = free_motions(&compiled.model, &compiled.tree, &compiled.checked);
    let (facts, costs) = (summary::facts(&compiled, motions.as_deref()), summary::costs(&compiled));
    let notes: String = notes::sentences(compiled).iter().map(|note| summary::fact("note", note)).collect();
    format!("{facts}{notes}\n{costs}")
}
