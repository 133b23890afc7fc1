//! Prints the figures in the docs of `PACKED_LIMIT`:
//!
//! ```sh
//! cargo test --release -p mbs-saddle --lib tests::timing -- --ignored --nocapture
//! ```

use std::hint::black_box;
use std::time::Instant;

use super::patterns::{Frame, andrews, chain, filled, four_bars, full, net};
use super::*;

/// Shortest time of one call in µs, of 15 batches of at least 2 ms.
fn microseconds(mut call: impl FnMut()) -> f64 {
    let mut batch = |calls: u32| {
        let start = Instant::now();
        (0..calls).for_each(|_| call());
        start.elapsed().as_secs_f64()
    };
    let mut calls = 1;
    while batch(calls) < 2e-3 {
        calls *= 2;
    }
    (0..15).map(|_| batch(calls)).fold(f64::MAX, f64::min) / f64::from(calls) * 1e6
}

#[test]
#[ignore = "prints timings; run in release"]
fn factor_and_solve() {
    println!("| | unknowns | entries of L | updates | packed | faer |");
    for (name, pattern) in cases() {
        let mut random = Random(1);
        let system = filled(pattern, &[], &mut random);
        let right = system.right(&mut random);
        let elimination = elimination(&system.pattern);
        let fill: usize = elimination.columns.iter().map(Vec::len).sum();
        let times = system.solvers().map(|mut saddle| {
            let (mut x, mut mu) = (vec![0.0; system.pattern.n_v], vec![0.0; system.pattern.n_c]);
            microseconds(|| {
                // Nearly dependent random rows are as much work.
                let _ = saddle.factor(black_box(&system.mass), black_box(&system.jacobian));
                let (f, g) = right.split_at(x.len());
                x.copy_from_slice(f);
                mu.copy_from_slice(g);
                saddle.solve(&mut x, &mut mu);
                black_box((&x, &mu));
            })
        });
        let unknowns = right.len();
        let updates = updates(&elimination);
        println!("| {name} | {unknowns} | {fill} | {updates} | {:.2} | {:.2} |", times[0], times[1]);
    }
}

fn cases() -> Vec<(String, Pattern)> {
    let mut cases = vec![("full 20".to_owned(), full(20, 2)), ("full 80".to_owned(), full(80, 2))];
    for frame in [Frame::Centre, Frame::Full] {
        let mut add = |name: &str, pattern| cases.push((format!("{name}, {frame:?}"), pattern));
        add("chain 2", chain(2, frame));
        add("four-bar", four_bars(1, frame));
        add("andrews", andrews(frame));
        [5, 10, 20, 33, 150].into_iter().for_each(|n| add(&format!("bars {n}"), four_bars(n, frame)));
        [6, 20, 40].into_iter().for_each(|k| add(&format!("net {k}"), net(k, frame)));
    }
    cases
}
