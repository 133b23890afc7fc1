//! `mbs`: the command line for people who have a `.mbs` file.

mod summary;

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;
use std::{fs, io};

use clap::{Parser, Subcommand, ValueEnum};
use mbs_codegen::compile::Options;
use mbs_codegen::{Failure, compile_text, generate};
use mbs_model::Formulation;

/// Checks mechanisms, and prints the Rust they compile to.
///
/// Exit codes: 0 fine, 1 mistakes in a mechanism, 2 wrong usage or a file that cannot be read or written.
#[derive(Parser)]
#[command(name = "mbs", version, about)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Finds mistakes: names, shapes, redundant joints, poses that do not assemble; prints sizes and costs if there are none.
    Check(Source),
    /// Prints the Rust that a file compiles to.
    Generate {
        #[command(flatten)]
        source: Source,
        /// Write to this file instead of the standard output.
        #[arg(short, long, value_name = "FILE")]
        output: Option<PathBuf>,
    },
}

#[derive(clap::Args)]
struct Source {
    /// A `.mbs` file with one mechanism or several.
    file: PathBuf,
    /// Coordinates instead of the declared ones.
    #[arg(short, long, value_name = "CHOICE")]
    coordinates: Option<Coordinates>,
}

#[derive(Clone, Copy, ValueEnum)]
enum Coordinates {
    /// x, y, θ of every body.
    Body,
    /// A tree of joint coordinates, loops closed by constraints.
    Joint,
}

impl Source {
    fn options(&self) -> Options {
        let formulation = self.coordinates.map(|c| match c {
            Coordinates::Body => Formulation::Body,
            Coordinates::Joint => Formulation::Joint,
        });
        Options { formulation }
    }

    fn read(&self) -> Result<String, Failure> {
        fs::read_to_string(&self.file).map_err(|e| Failure::Io(self.file.clone(), e))
    }

    fn path(&self) -> String {
        self.file.display().to_string()
    }
}

fn main() -> ExitCode {
    let outcome = match Arguments::parse().command {
        Command::Check(source) => check(&source),
        Command::Generate { source, output } => print(&source, output),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            // Nobody is left to tell if this fails.
            let _ = writeln!(io::stderr(), "{failure}");
            ExitCode::from(if matches!(failure, Failure::Io(..)) { 2 } else { 1 })
        }
    }
}

fn print(source: &Source, output: Option<PathBuf>) -> Result<(), Failure> {
    let rust = generate(&source.path(), &source.read()?, source.options())?;
    match output {
        Some(path) => fs::write(&path, rust).map_err(|e| Failure::Io(path, e)),
        None => write_standard(&rust),
    }
}

/// A closed pipe (`mbs generate … | head`) is no error.
fn write_standard(text: &str) -> Result<(), Failure> {
    let mut out = io::stdout();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(e) if e.kind() != io::ErrorKind::BrokenPipe => Err(Failure::Io(PathBuf::from("standard output"), e)),
        _ => Ok(()),
    }
}

fn check(source: &Source) -> Result<(), Failure> {
    let compiled = compile_text(&source.path(), &source.read()?, source.options())?;
    let summaries: Vec<String> = compiled.iter().map(|(compiled, _)| summary::of(compiled)).collect();
    write_standard(&summaries.join("\n"))
}
