//! Compiler and engine on random mechanisms of a fixed seed; `cargo run --release -p mbs-random --bin random` takes more.

use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use mbs_random::run::{Summary, run};

/// Mechanisms: what a debug build checks in about half a minute.
const COUNT: u64 = 200;
const SEED: u64 = 20;

#[test]
fn random_mechanisms_of_every_kind_obey_every_law() {
    let next = AtomicU64::new(0);
    let total = Mutex::new(Summary::default());
    let work = || {
        while let case @ 0..COUNT = next.fetch_add(1, Ordering::Relaxed) {
            let mut summary = Summary::default();
            let result = run(SEED, case, &mut summary);
            if let Err(found) = result {
                next.store(COUNT, Ordering::Relaxed);
                let (text, violation) = (&found.minimal.text, &found.minimal.violation);
                panic!("mechanism {case} of seed {SEED} violates a law: {violation}\n{text}");
            }
            total.lock().expect("no thread panics with the lock").merge(&summary);
        }
    };
    std::thread::scope(|scope| {
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        for _ in 0..threads {
            // Shrinking and deep declarations take more than a test thread has in a debug build.
            std::thread::Builder::new().stack_size(64 << 20).spawn_scoped(scope, work).expect("a thread starts");
        }
    });
    let summary = total.into_inner().expect("no thread panics with the lock");
    assert_eq!(summary.count as u64, COUNT);
    // Chance makes redundant and singular mechanisms, too; most are sound.
    assert!(summary.accepted() * 3 > summary.count * 2, "{:?}", summary.refused);
    let kinds = mbs_model::catalog::JOINTS.iter().map(|k| ("joint", k.name));
    let kinds = kinds.chain(mbs_model::catalog::FORCES.iter().map(|k| ("force", k.name)));
    let others = [("equation", "drive"), ("equation", "coupling"), ("equation", "knife edge"), ("force", "potential")];
    for (category, kind) in kinds.chain(others) {
        let name = format!("{category} {kind}");
        let n = summary.coverage.list().find(|(feature, _)| *feature == name).map_or(0, |(_, n)| n);
        assert!(n >= 2, "{name} occurs {n} times in {COUNT} mechanisms");
    }
}
