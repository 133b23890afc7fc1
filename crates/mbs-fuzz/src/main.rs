//! `cargo run --release -p mbs-fuzz -- --count 100000 --seed 1`: mutated inputs, and the outcome for each.

use std::io;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

use clap::{Parser, ValueEnum};
use mbs_fuzz::make::make;
use mbs_fuzz::run::{Settings, Summary, mixed, run};
use mbs_fuzz::seeds::Seeds;
use mbs_fuzz::worker::{WORKER, serve};
use mbs_fuzz::{Kind, MEMORY};

/// Examines mutated texts, URDFs, tables and command lines.
#[derive(Parser)]
struct Arguments {
    /// Number of inputs.
    #[arg(long, default_value_t = 1000)]
    count: u64,
    /// Seed of the run.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Number of the first input: `--first n --count 1` repeats one.
    #[arg(long, default_value_t = 0)]
    first: u64,
    /// Kind of inputs, by the part of the project that reads them.
    #[arg(long, default_value = "all")]
    kind: KindArgument,
    /// Print the inputs and examine nothing.
    #[arg(long)]
    show: bool,
    /// Threads; as many as there are processors if not given.
    #[arg(long)]
    threads: Option<usize>,
    /// Most inputs examined while one that fails is shrunk.
    #[arg(long, default_value_t = 1000)]
    shrinks: usize,
    /// Path of the program `mbs`; by default `mbs` in the folder of this program.
    #[arg(long)]
    mbs: Option<PathBuf>,
    /// Examine inputs from the standard input: the child of a run.
    #[arg(long, hide = true)]
    worker: bool,
    /// Limit of processor time of a worker, in seconds.
    #[arg(long, hide = true)]
    seconds: Option<u64>,
}

/// `--kind`.
#[derive(Clone, Copy, ValueEnum)]
enum KindArgument {
    Texts,
    Urdfs,
    Tables,
    Commands,
    /// All, mixed.
    All,
}

impl KindArgument {
    fn kind(self) -> Option<Kind> {
        match self {
            KindArgument::Texts => Some(Kind::Texts),
            KindArgument::Urdfs => Some(Kind::Urdfs),
            KindArgument::Tables => Some(Kind::Tables),
            KindArgument::Commands => Some(Kind::Commands),
            KindArgument::All => None,
        }
    }
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    match act(&arguments) {
        Ok(code) => code,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(2)
        }
    }
}

fn act(arguments: &Arguments) -> io::Result<ExitCode> {
    limit(arguments.seconds)?;
    if arguments.worker {
        return serve().map(|()| ExitCode::SUCCESS);
    }
    let kind = arguments.kind.kind();
    if arguments.show {
        let seeds = Seeds::from_repository();
        for number in arguments.first..arguments.first.saturating_add(arguments.count) {
            let kind = kind.unwrap_or_else(|| mixed(number));
            println!("{kind} {number}\n{}", make(kind, arguments.seed, number, &seeds));
        }
        return Ok(ExitCode::SUCCESS);
    }
    let program = std::env::current_exe()?;
    let mbs = arguments.mbs.clone().unwrap_or_else(|| program.with_file_name("mbs"));
    if kind.is_none_or(|kind| kind == Kind::Commands) && !mbs.is_file() {
        return Err(io::Error::other(format!(
            "{} is missing: build it with `cargo build -p mbs-cli`, `--release` as this program",
            mbs.display()
        )));
    }
    let settings = Settings {
        kind,
        seed: arguments.seed,
        first: arguments.first,
        count: arguments.count,
        threads: arguments.threads.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from)),
        shrinks: arguments.shrinks,
        worker: vec![program.display().to_string(), WORKER.to_owned()],
        mbs,
    };
    let start = Instant::now();
    let summary = run(&settings)?;
    print_summary(&summary, start.elapsed().as_secs_f64());
    Ok(if summary.failures.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Limits memory of this process and its children, and its processor time.
#[cfg(unix)]
fn limit(seconds: Option<u64>) -> io::Result<()> {
    rlimit::setrlimit(rlimit::Resource::AS, MEMORY, MEMORY)?;
    seconds.map_or(Ok(()), |seconds| rlimit::setrlimit(rlimit::Resource::CPU, seconds, seconds + 1))
}

#[cfg(not(unix))]
fn limit(_: Option<u64>) -> io::Result<()> {
    Ok(())
}

fn print_summary(summary: &Summary, seconds: f64) {
    println!("\n{} inputs in {seconds:.0} s", summary.count);
    for ((kind, verdict), count) in &summary.verdicts {
        println!("{count:9}  {kind:8}  {verdict}");
    }
    if !summary.failures.is_empty() {
        println!("\nfailures:");
    }
    for (law, count) in &summary.failures {
        println!("{count:9}  {law}");
    }
}
