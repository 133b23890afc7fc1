//! A turn of the driven four-bar, 360 positions with their velocities and accelerations, against 600 accelerations by hand:
//! `cargo bench -p mbs-bench --bench cycle`.
//!
//! After criterion's view of each, all take turns batch by batch in this process, and the ratios of their medians are printed.

use std::env;
use std::time::Duration;

use criterion::{Criterion, criterion_group, criterion_main};
use mbs_bench::Way;
use mbs_bench::cycle::{ACCELERATIONS, BOUND, POSITIONS, Turn, compare, turns};

fn cycle(criterion: &mut Criterion) {
    let mut turns = turns();
    let mut group = criterion.benchmark_group("four_bar_drive");
    group.warm_up_time(Duration::from_millis(200)).measurement_time(Duration::from_secs(1));
    for Turn { coordinates, candidate } in &mut turns {
        let calls = if candidate.way == Way::Hand { ACCELERATIONS as u64 } else { 1 };
        let name = format!("{coordinates}/{}", candidate.way.name());
        group.bench_function(name, |bencher| bencher.iter_custom(|turns| candidate.time(calls * turns)));
    }
    group.finish();
    // `cargo test --benches` calls bench binaries too; only `cargo bench` passes this.
    if env::args().any(|argument| argument == "--bench") {
        print_ratios(&mut turns);
    }
}

fn print_ratios(turns: &mut [Turn]) {
    for found in compare(turns) {
        let (microseconds, way) = (1e-3 * found.timing.nanoseconds, found.way.name());
        match found.way {
            Way::Hand => println!("{ACCELERATIONS} accelerations, {way}: {microseconds:.0} µs"),
            _ => println!(
                "{POSITIONS} positions, {} coordinates, {way}: {microseconds:.0} µs, {:.2} times as long (bound: {BOUND})",
                found.coordinates, found.ratio
            ),
        }
    }
}

criterion_group!(benches, cycle);
criterion_main!(benches);
