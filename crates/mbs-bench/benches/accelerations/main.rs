//! Accelerations with multipliers, timed by criterion: generated, interpreted, engine, and by hand for mechanisms with such code.
//!
//! `cargo bench -p mbs-bench --bench accelerations -- four_bar/body`, and with `RUSTFLAGS="-C target-cpu=native"`. For N four-bars,
//! criterion also reports the throughput in four-bars per second.

use std::time::Duration;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use mbs_bench::for_each_case;

fn accelerations(criterion: &mut Criterion) {
    for_each_case(&|_| true, &mut |mut case| {
        let mut group = criterion.benchmark_group(format!("{}/{}", case.name, case.coordinates()));
        group.warm_up_time(Duration::from_millis(200)).measurement_time(Duration::from_secs(1));
        if let Some(n) = case.four_bars() {
            group.throughput(Throughput::Elements(n as u64));
        }
        for candidate in &mut case.candidates {
            group.bench_function(candidate.method.name(), |bencher| bencher.iter_custom(|calls| candidate.time(calls)));
        }
        group.finish();
    });
}

criterion_group!(benches, accelerations);
criterion_main!(benches);
