//! Many inputs, on several threads, and their outcomes.

use std::collections::BTreeMap;
use std::io;
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use crate::commands::Scratch;
use crate::examine::{Failure, Verdict};
use crate::input::{Input, Kind};
use crate::make::make;
use crate::seeds::Seeds;
use crate::shrink::shrink;
use crate::worker::{LATE, SECONDS, Worker, time_bound};

/// Settings of a run.
pub struct Settings {
    /// One kind, or all mixed.
    pub kind: Option<Kind>,
    /// Seed of the run.
    pub seed: u64,
    /// Number of the first input.
    pub first: u64,
    /// Number of inputs.
    pub count: u64,
    /// Number of threads.
    pub threads: usize,
    /// Most inputs examined while shrinking one failure.
    pub shrinks: usize,
    /// Program of the worker and its arguments.
    pub worker: Vec<String>,
    /// Path of the program `mbs`.
    pub mbs: PathBuf,
}

/// Longest time for shrinking one failure.
const SHRINKING: Duration = Duration::from_secs(60);

/// Multiple of the time bound that a late input may wait on a machine with other load.
const WAITING: u32 = 60;

/// Summary of the outcomes of many inputs.
#[derive(Default)]
pub struct Summary {
    /// Number of inputs.
    pub count: u64,
    /// Number of inputs by kind and verdict.
    pub verdicts: BTreeMap<(Kind, String), u64>,
    /// Number of failures by law.
    pub failures: BTreeMap<String, u64>,
}

/// The kind of a number in a mixed run: for 20 inputs 13 texts, 4 URDFs, 2 tables and a command line.
pub fn mixed(number: u64) -> Kind {
    match number % 20 {
        0..13 => Kind::Texts,
        13..17 => Kind::Urdfs,
        17 | 18 => Kind::Tables,
        _ => Kind::Commands,
    }
}

/// Examines all inputs, and prints each failure; the first failure of each law is shrunk.
///
/// # Errors
/// A worker or the command line cannot be started.
pub fn run(settings: &Settings) -> io::Result<Summary> {
    let seeds = Seeds::from_repository();
    let next = AtomicU64::new(settings.first);
    let end = settings.first.saturating_add(settings.count);
    let summary = Mutex::new(Summary::default());
    let start = Instant::now();
    let work = || -> io::Result<()> {
        let mut examiner = Examiner::new(settings)?;
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= end {
                return Ok(());
            }
            let kind = settings.kind.unwrap_or_else(|| mixed(number));
            let input = make(kind, settings.seed, number, &seeds);
            let verdict = examiner.examine(&input)?;
            if let Verdict::Failed(failure) = &verdict {
                let is_new = note_failure(&summary, failure);
                let smallest = if is_new { examiner.shrink_failure(&input, failure, settings.shrinks) } else { None };
                print_failure(settings.seed, number, kind, failure, smallest.as_ref());
            }
            let mut summary = summary.lock().expect("no thread panics with the lock");
            summary.note(kind, &verdict);
            if summary.count.is_multiple_of(10_000) {
                eprintln!("{} of {} in {:.0} s", summary.count, settings.count, start.elapsed().as_secs_f64());
            }
        }
    };
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..settings.threads).map(|_| scope.spawn(work)).collect();
        threads
            .into_iter()
            .try_for_each(|thread| thread.join().unwrap_or_else(|_| Err(io::Error::other("a thread panicked"))))
    })?;
    Ok(summary.into_inner().expect("no thread panics with the lock"))
}

impl Summary {
    fn note(&mut self, kind: Kind, verdict: &Verdict) {
        self.count += 1;
        let word = match verdict {
            Verdict::Refused(code) => code.clone(),
            Verdict::Sound { is_compiled: true } => "sound, compiled".to_owned(),
            Verdict::Sound { is_compiled: false } => "sound".to_owned(),
            Verdict::Failed(_) => "FAILED".to_owned(),
        };
        *self.verdicts.entry((kind, word)).or_default() += 1;
    }
}

/// Counts a failure; returns whether it is the first of its law.
fn note_failure(summary: &Mutex<Summary>, failure: &Failure) -> bool {
    let mut summary = summary.lock().expect("no thread panics with the lock");
    let count = summary.failures.entry(failure.law.clone()).or_default();
    *count += 1;
    *count == 1
}

fn print_failure(seed: u64, number: u64, kind: Kind, failure: &Failure, smallest: Option<&Input>) {
    let repeat = format!("--kind {kind} --seed {seed} --first {number} --count 1");
    match smallest {
        Some(smallest) => println!("\nFAILED {repeat}\n{}\n{}\n{smallest}", failure.law, failure.message),
        None => println!("FAILED {repeat}: {}", failure.law),
    }
}

/// Worker and scratch directory of one thread.
struct Examiner {
    program: Vec<String>,
    worker: Worker,
    scratch: Scratch,
}

impl Examiner {
    fn new(settings: &Settings) -> io::Result<Examiner> {
        let program = settings.worker.clone();
        Ok(Examiner { worker: Worker::new(&program), program, scratch: Scratch::new(&settings.mbs)? })
    }

    /// Examines an input. A late input may have waited for other programs: it is examined again, in a worker with the bound as limit of its
    /// processor time, and a much larger limit of elapsed time.
    fn examine(&mut self, input: &Input) -> io::Result<Verdict> {
        let bound = time_bound(input);
        let verdict = self.examine_once(input, bound)?;
        let is_late = matches!(&verdict, Verdict::Failed(failure) if failure.law == LATE);
        match input.kind {
            _ if !is_late => Ok(verdict),
            Kind::Commands => self.scratch.examine(input, WAITING * bound),
            _ => {
                let seconds = bound.as_secs().to_string();
                let program = [&self.program[..], &[SECONDS.to_owned(), seconds]].concat();
                Worker::new(&program).verdict(input, WAITING * bound)
            }
        }
    }

    fn examine_once(&mut self, input: &Input, bound: Duration) -> io::Result<Verdict> {
        match input.kind {
            Kind::Commands => self.scratch.examine(input, bound),
            _ => self.worker.verdict(input, bound),
        }
    }

    /// The smallest input that violates the same law.
    fn shrink_failure(&mut self, input: &Input, failure: &Failure, most: usize) -> Option<Input> {
        let start = Instant::now();
        let mut fails = |input: &Input| {
            let verdict = (start.elapsed() < SHRINKING).then(|| self.examine_once(input, time_bound(input)));
            matches!(verdict, Some(Ok(Verdict::Failed(found))) if found.law == failure.law)
        };
        Some(shrink(input, most, &mut fails))
    }
}
