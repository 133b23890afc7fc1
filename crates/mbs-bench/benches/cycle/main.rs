//! A revolution of the driven four-bar, 360 positions with their velocities and accelerations, against 600 accelerations by hand:
//! `cargo bench -p mbs-bench --bench cycle`.
//!
//! After criterion's measurement of each candidate, batches of all candidates alternate in this process, and the ratios of their medians are printed.

use std::env;
use std::time::Duration;

use criterion::{Criterion, criterion_group, criterion_main};
use mbs_bench::Method;
use mbs_bench::cycle::{ACCELERATIONS, BOUND, POSITIONS, Revolution, compare, revolutions};

fn cycle(criterion: &mut Criterion) {
    let mut revolutions = revolutions();
    let mut group = criterion.benchmark_group("four_bar_drive");
    group.warm_up_time(Duration::from_millis(200)).measurement_time(Duration::from_secs(1));
    for Revolution { coordinates, candidate } in &mut revolutions {
        let calls = if candidate.method == Method::Hand { ACCELERATIONS as u64 } else { 1 };
        let name = format!("{coordinates}/{}", candidate.method.name());
        group.bench_function(name, |bencher| bencher.iter_custom(|revolutions| candidate.time(calls * revolutions)));
    }
    group.finish();
    // `cargo test --benches` runs bench binaries too; only `cargo bench` passes this argument.
    if env::args().any(|argument| argument == "--bench") {
        print_ratios(&mut revolutions);
    }
}

fn print_ratios(revolutions: &mut [Revolution]) {
    for found in compare(revolutions) {
        let (microseconds, method) = (1e-3 * found.timing.nanoseconds, found.method.name());
        match found.method {
            Method::Hand => println!("{ACCELERATIONS} accelerations, {method}: {microseconds:.0} µs"),
            _ => println!(
                "{POSITIONS} positions, {} coordinates, {method}: {microseconds:.0} µs, {:.2} times as long (bound: {BOUND})",
                found.coordinates, found.ratio
            ),
        }
    }
}

criterion_group!(benches, cycle);
criterion_main!(benches);
