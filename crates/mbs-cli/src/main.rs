//! `mbs`: the command line for people who have a `.mbs` file.

mod check;
mod equations;
mod failure;
mod generate;
mod output;
mod simulate;
mod source;
mod targets;
mod waiting;

use std::io::{self, Write};
use std::process::ExitCode;

use clap::{Parser, Subcommand};
use failure::Failure;

/// Checks mechanisms, simulates them, and prints their equations and the Rust they compile to.
///
/// Exit codes: 0 fine, 1 mistakes in a mechanism, 2 wrong usage or a file that cannot be read or written, 3 a run that failed,
/// 130 a run that was interrupted.
#[derive(Parser)]
#[command(name = "mbs", version)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Finds mistakes: names, shapes, redundant joints, poses that do not assemble; prints mobility, sizes and costs if there
    /// are none.
    Check(check::Arguments),
    /// Runs a mechanism without compiling it: a summary, a CSV file, a page on which it moves.
    Simulate(Box<simulate::Arguments>),
    /// Prints the Rust that a file compiles to.
    Generate(generate::Arguments),
    /// Prints the mathematics of a file as Markdown: coordinates, constraints, Jacobian, mass matrix, forces, energies.
    Equations(equations::Arguments),
}

fn main() -> ExitCode {
    let outcome = match Arguments::parse().command {
        Command::Check(arguments) => check::run(&arguments),
        Command::Simulate(arguments) => simulate::run(&arguments),
        Command::Generate(arguments) => generate::run(&arguments),
        Command::Equations(arguments) => equations::run(&arguments),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            // If this fails, nothing else can report it.
            let _ = writeln!(io::stderr(), "{failure}");
            ExitCode::from(failure.exit_code())
        }
    }
}

/// Success of a command, or its failure.
type Outcome = Result<(), Failure>;
