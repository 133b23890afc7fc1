//! Momentum steps (`Zhong06`) against accelerations, for the four-bar and a heavy top: `cargo bench -p mbs-bench --no-default-features --bench
//! momenta`.
//!
//! After criterion's measurement of each candidate, batches of all candidates alternate in this process, and the ratios of their medians are printed.

use std::env;
use std::time::Duration;

use criterion::{Criterion, criterion_group, criterion_main};
use mbs_bench::measure;
use mbs_bench::momenta::{Steps, steps};

fn momenta(criterion: &mut Criterion) {
    let mut all = steps();
    for Steps { name, candidates, .. } in &mut all {
        let mut group = criterion.benchmark_group(*name);
        group.sample_size(20).warm_up_time(Duration::from_millis(100)).measurement_time(Duration::from_millis(400));
        for candidate in candidates {
            group.bench_function(candidate.method.name(), |bencher| bencher.iter_custom(|calls| candidate.time(calls)));
        }
        group.finish();
    }
    // `cargo test --benches` runs bench binaries too; only `cargo bench` passes this argument.
    if env::args().any(|argument| argument == "--bench") {
        print_ratios(&mut all);
    }
}

fn print_ratios(all: &mut [Steps]) {
    for Steps { name, step, candidates, evaluations } in all {
        let mut candidates_to_measure: Vec<_> = candidates.iter_mut().collect();
        let timings = measure(&mut candidates_to_measure);
        let accelerations = timings[0].nanoseconds;
        println!("{name}, steps of {step} s, {evaluations:.2} evaluations: acceleration {accelerations:.0} ns");
        for (candidate, timing) in candidates_to_measure.iter().zip(&timings).skip(1) {
            let (method, nanoseconds) = (candidate.method.name(), timing.nanoseconds);
            println!("    {method}: {nanoseconds:.0} ns, {:.2} accelerations", nanoseconds / accelerations);
        }
    }
}

criterion_group!(benches, momenta);
criterion_main!(benches);
