//! `mbs`: the command line for people who have a `.mbs` file.

use std::path::PathBuf;
use std::process::ExitCode;
use std::{fs, io};

use clap::{Parser, Subcommand, ValueEnum};
use mbs_codegen::compile::{Compiled, Options};
use mbs_codegen::{Failure, compile_text, generate};
use mbs_model::Formulation;

/// Checks and compiles mechanisms.
#[derive(Parser)]
#[command(name = "mbs", version, about)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Checks a file: mistakes, mobility, redundancy; prints sizes and operation counts.
    Check(Source),
    /// Prints the Rust that a file compiles to.
    Generate {
        #[command(flatten)]
        source: Source,
        /// Writes to this file instead of the standard output.
        #[arg(short, long)]
        output: Option<PathBuf>,
    },
}

#[derive(clap::Args)]
struct Source {
    /// A `.mbs` file.
    file: PathBuf,
    /// Coordinates instead of the declared ones.
    #[arg(long)]
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

/// Exit codes: 0 fine, 1 mistakes in the mechanism, 2 a file could not be read or written (clap uses 2 for wrong usage).
fn main() -> ExitCode {
    let outcome = match Arguments::parse().command {
        Command::Check(source) => check(&source),
        Command::Generate { source, output } => print(&source, output),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            match &failure {
                Failure::Mistakes(text) => eprint!("{text}"),
                Failure::Io(..) => eprintln!("error: {failure}"),
            }
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
    use io::Write;
    match io::stdout().write_all(text.as_bytes()) {
        Err(e) if e.kind() != io::ErrorKind::BrokenPipe => Err(Failure::Io(PathBuf::from("standard output"), e)),
        _ => Ok(()),
    }
}

fn check(source: &Source) -> Result<(), Failure> {
    let mut text = String::new();
    for (compiled, _) in compile_text(&source.path(), &source.read()?, source.options())? {
        text.push_str(&summary(&compiled));
    }
    write_standard(&text)
}

/// Sizes and costs as a table.
fn summary(compiled: &Compiled) -> String {
    use std::fmt::Write;
    let (model, tree) = (&compiled.model, &compiled.tree);
    let mut text = String::new();
    let _ = writeln!(text, "{}: no mistakes", model.name);
    let coordinates = match model.formulation {
        Formulation::Body => "body",
        Formulation::Joint => "joint",
    };
    let _ = writeln!(
        text,
        "  {} bodies, {} joints, {coordinates} coordinates: {} speeds, {} rows, {} freedoms ({} without drives)",
        model.bodies.len(),
        model.joints.len(),
        tree.n(),
        tree.rows.len(),
        compiled.undriven(),
        compiled.checked.freedoms,
    );
    let _ = writeln!(text, "  {:24} {:>10} {:>7} {:>6} {:>9}", "kernel", "operations", "sincos", "calls", "critical");
    for f in &compiled.program.functions {
        let c = &f.counts;
        let _ = writeln!(
            text,
            "  {:24} {:>10} {:>7} {:>6} {:>9}",
            f.name, c.operations, c.sincos, c.calls, c.critical_path
        );
    }
    text
}
