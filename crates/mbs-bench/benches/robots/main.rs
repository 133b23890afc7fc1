//! Dynamics of robots and their derivatives, compiled and by the engine's recursions, and the Jacobian of a satellite, compiled and by
//! jets: `cargo bench -p mbs-bench --bench robots`, with `--no-default-features` to compile nothing else.
//!
//! After criterion's measurement of each candidate, batches of all candidates alternate in this process, and the ratios of their
//! medians are printed in a table.
//!
//! Callgrind counts instructions of a given number of calls of one candidate; the difference of two such runs excludes
//! everything before the first call:
//!
//! ```text
//! RUSTFLAGS="-C target-cpu=x86-64-v3" cargo bench -p mbs-bench --no-default-features --bench robots --no-run
//! for N in 100 1100; do
//!     CALLS=$N TASK=robot_arm7/derivatives WAY=generated valgrind --tool=callgrind --callgrind-out-file=/dev/null …/robots-…
//! done
//! ```

use std::env;
use std::time::Duration;

use criterion::{Criterion, criterion_group, criterion_main};
use mbs_bench::robots::{Task, counts, tasks};
use mbs_bench::{Executable, measure};

fn robots(criterion: &mut Criterion) {
    if let Some(calls) = env::var("CALLS").ok().and_then(|calls| calls.parse().ok()) {
        return run(calls);
    }
    let mut tasks = tasks(&|_| true);
    for task in &mut tasks {
        let mut group = criterion.benchmark_group(task.name());
        group.sample_size(20).warm_up_time(Duration::from_millis(100)).measurement_time(Duration::from_millis(400));
        for candidate in &mut task.candidates {
            group.bench_function(candidate.method.name(), |bencher| bencher.iter_custom(|calls| candidate.time(calls)));
        }
        group.finish();
    }
    // `cargo test --benches` runs bench binaries too; only `cargo bench` passes this argument.
    if env::args().any(|argument| argument == "--bench") {
        print_table(&mut tasks);
    }
}

/// Runs one candidate of one task, without measurement.
fn run(calls: u64) {
    let [task, method] = ["TASK", "WAY"].map(|name| env::var(name).unwrap_or_else(|_| panic!("{name} is not set")));
    let mut tasks = tasks(&|mechanism| task.starts_with(mechanism));
    let found = tasks.iter_mut().find(|t| t.name() == task).unwrap_or_else(|| panic!("no task `{task}`"));
    let candidate = found.candidates.iter_mut().find(|candidate| candidate.method.name() == method);
    candidate.unwrap_or_else(|| panic!("no candidate `{method}`")).time(calls);
}

fn print_table(tasks: &mut [Task]) {
    let executable = Executable::running();
    println!(
        "| mechanism | kernel | operations | critical path | text \\[bytes\\] | ns | ns per operation | other | other / generated |\n\
         |---|---|---:|---:|---:|---:|---:|---|---:|"
    );
    for Task { mechanism, kernel, candidates } in tasks {
        let timings = measure(&mut candidates.iter_mut().collect::<Vec<_>>());
        let counts = counts(mechanism, kernel);
        let bytes =
            executable.kernel(&["generated", mechanism], kernel).map_or_else(String::new, |bytes| bytes.to_string());
        let (ns, ratio) = (timings[0].nanoseconds, timings[1].nanoseconds / timings[0].nanoseconds);
        println!(
            "| {mechanism} | `{kernel}` | {} + {} sincos | {} | {bytes} | {ns:.0} | {:.3} | {} | {ratio:.1} |",
            counts.operations,
            counts.sincos,
            counts.critical_path,
            ns / counts.operations as f64,
            candidates[1].method.name(),
        );
    }
}

criterion_group!(benches, robots);
criterion_main!(benches);
