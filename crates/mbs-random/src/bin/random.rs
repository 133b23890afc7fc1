//! `cargo run --release -p mbs-random --bin random -- --count 10000`: checks random mechanisms and prints their coverage.

use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use clap::Parser;
use mbs_random::plan::Space;
use mbs_random::run::{MOST_SHRINKS, Summary, run};

/// Checks random mechanisms in every formulation.
#[derive(Parser)]
struct Arguments {
    /// How many mechanisms.
    #[arg(long, default_value_t = 1000)]
    count: u64,
    /// Seed of the run.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Number of the first mechanism: `--first n --count 1` repeats one.
    #[arg(long, default_value_t = 0)]
    first: u64,
    /// Spatial mechanisms instead of planar ones.
    #[arg(long)]
    space: bool,
    /// Go on after a mechanism that violates a law.
    #[arg(long)]
    keep_going: bool,
    /// Most mechanisms looked at while shrinking one that violates a law.
    #[arg(long, default_value_t = MOST_SHRINKS)]
    shrinks: usize,
    /// Threads; as many as there are processors if not given.
    #[arg(long)]
    threads: Option<usize>,
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    // A panic is reported as a failure with the mechanism, so that the message of the panic hook is not printed.
    std::panic::set_hook(Box::new(|_| {}));
    let start = Instant::now();
    let (summary, failures) = run_all(&arguments);
    print_summary(&summary, start.elapsed().as_secs_f64());
    if failures == 0 {
        return ExitCode::SUCCESS;
    }
    println!("\n{failures} violate a law");
    ExitCode::FAILURE
}

/// Runs all mechanisms on all threads; without `--keep-going`, no thread begins another after a failure.
fn run_all(arguments: &Arguments) -> (Summary, u64) {
    let space = if arguments.space { Space::Spatial } else { Space::Planar };
    let processors = std::thread::available_parallelism().map_or(1, usize::from);
    let threads = arguments.threads.unwrap_or(processors).max(1);
    let end = arguments.first + arguments.count;
    let next = AtomicU64::new(arguments.first);
    let (total, failures) = (Mutex::new(Summary::default()), AtomicU64::new(0));
    let work = || {
        loop {
            let case = next.fetch_add(1, Ordering::Relaxed);
            if case >= end {
                return;
            }
            let mut summary = Summary::default();
            let result = run(space, arguments.seed, case, &mut summary);
            let mut total = total.lock().expect("no thread panics with the lock");
            total.merge(&summary);
            if total.count.is_multiple_of(500) && summary.count > 0 {
                eprintln!("{} of {}", total.count, arguments.count);
            }
            drop(total);
            if let Err(found) = result {
                // The others need not wait for the smallest mechanism, which takes minutes in space.
                if !arguments.keep_going {
                    next.store(end, Ordering::Relaxed);
                }
                let seed = arguments.seed;
                println!("\nmechanism {case} of seed {seed} violates a law: {}", found.original.violation);
                println!("{}", found.original.text);
                let minimal = found.shrink(arguments.shrinks);
                println!("\nmechanism {case}, shrunk: {}", minimal.violation);
                println!("{}", minimal.text);
                failures.fetch_add(1, Ordering::Relaxed);
            }
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..threads {
            std::thread::Builder::new().stack_size(64 << 20).spawn_scoped(scope, work).expect("a thread starts");
        }
    });
    (total.into_inner().expect("no thread panics with the lock"), failures.into_inner())
}

fn print_summary(summary: &Summary, seconds: f64) {
    let share = |n: usize, of: usize| 100.0 * n as f64 / of.max(1) as f64;
    println!("{} mechanisms in {seconds:.0} s, {} accepted", summary.count, summary.accepted());
    println!("\nrefused by all sides:");
    for (codes, n) in &summary.refused {
        println!("{n:7}  {:5.1} %  {codes}", share(*n, summary.count));
    }
    println!("\nlargest relative error of each law:");
    for (law, error) in &summary.worst {
        println!("{error:9.1e}  {law}");
    }
    println!("\naccepted mechanisms with");
    for (feature, n) in summary.coverage.list() {
        println!("{n:7}  {:5.1} %  {feature}", share(n, summary.accepted()));
    }
}
