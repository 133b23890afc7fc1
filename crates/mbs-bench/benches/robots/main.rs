//! Dynamics of robots and their derivatives, compiled and by the engine's recursions, and the Jacobian of a satellite, compiled and by
//! jets: `cargo bench -p mbs-bench --bench robots`, and with `--no-default-features` where nothing
//! else is to be compiled.
//!
//! After criterion's view of each, all take turns batch by batch in this process, and a table has the ratios of their medians.
//!
//! Instructions are counted by callgrind, which is told to run one of them so many times; the difference of two such runs is free
//! of everything before the first call:
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
            group.bench_function(candidate.way.name(), |bencher| bencher.iter_custom(|calls| candidate.time(calls)));
        }
        group.finish();
    }
    // `cargo test --benches` calls bench binaries too; only `cargo bench` passes this.
    if env::args().any(|argument| argument == "--bench") {
        print_table(&mut tasks);
    }
}

/// One candidate of one task, alone.
fn run(calls: u64) {
    let [task, way] = ["TASK", "WAY"].map(|name| env::var(name).unwrap_or_else(|_| panic!("{name} is not set")));
    let mut tasks = tasks(&|mechanism| task.starts_with(mechanism));
    let found = tasks.iter_mut().find(|t| t.name() == task).unwrap_or_else(|| panic!("no task `{task}`"));
    let candidate = found.candidates.iter_mut().find(|candidate| candidate.way.name() == way);
    candidate.unwrap_or_else(|| panic!("nobody `{way}`")).time(calls);
}

fn print_table(tasks: &mut [Task]) {
    let executable = Executable::this();
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
            candidates[1].way.name(),
        );
    }
}

criterion_group!(benches, robots);
criterion_main!(benches);
