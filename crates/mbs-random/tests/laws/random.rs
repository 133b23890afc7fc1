//! Compiler and engine on random mechanisms: with a new seed in every run, and with fixed seeds under which every kind occurs.
//!
//! `MBS_SEED=… cargo test -p mbs-random --test laws random` repeats a run; `cargo run --release -p mbs-random --bin random` checks more mechanisms.

use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use mbs_model::catalog::Kind;
use mbs_random::features::Coverage;
use mbs_random::plan::Space;
use mbs_random::run::{MOST_SHRINKS, Summary, run};
use mbs_random::strategy::ATTITUDES;

/// Most planar and spatial mechanisms with a new seed.
const NEW: [u64; 2] = [20, 5];
/// Time after which no check of another mechanism with a new seed begins, in the plane and in space each: some take many times as long as others.
const TIME_FOR_NEW: Duration = Duration::from_secs(4);
/// Number of planar mechanisms with the fixed seed.
const IN_THE_PLANE: u64 = 150;
/// Number of spatial mechanisms with the fixed seed.
const IN_SPACE: u64 = 40;
/// Seeds of planar and spatial mechanisms for which every kind occurs.
const SEEDS: [u64; 2] = [20, 24];

#[test]
fn new_random_mechanisms_obey_every_law() {
    let seed = new_seed();
    // Shown by a test that fails.
    println!("MBS_SEED={seed}");
    for (space, count) in [Space::Planar, Space::Spatial].into_iter().zip(NEW) {
        let summary = check(space, seed, count, TIME_FOR_NEW);
        println!("{} mechanisms of {space:?}", summary.count);
        assert!(summary.count > 0);
    }
}

/// The seed of the environment variable `MBS_SEED`, else the time.
fn new_seed() -> u64 {
    match std::env::var("MBS_SEED") {
        Ok(text) => text.parse().expect("MBS_SEED is a whole number"),
        Err(_) => SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs()),
    }
}

#[test]
#[ignore = "takes a minute and a half: `.ci/run --full`"]
fn random_mechanisms_of_every_kind_obey_every_law() {
    let coverage = coverage(Space::Planar, SEEDS[0], IN_THE_PLANE);
    let kinds = mbs_model::catalog::JOINTS.iter().map(|k| ("joint", k.name));
    let kinds = kinds.chain(kinds_of(Space::Planar)).chain(forces(mbs_model::catalog::FORCES));
    let others = [("equation", "drive"), ("equation", "coupling"), ("equation", "knife edge"), ("force", "potential")];
    let more = [
        "operators",
        "joint cam",
        "cam, circles",
        "cam, line",
        "equation prescribed",
        "joint, switched",
        "equation, switched",
        "force, switched",
        "cable, taut",
        "cable, slack",
        "set, inverse distance",
        "event falls",
    ];
    let names = kinds.chain(others).map(|(category, kind)| format!("{category} {kind}"));
    for name in names.chain(more.map(str::to_owned)) {
        let n = coverage.list().find(|(feature, _)| *feature == name).map_or(0, |(_, n)| n);
        assert!(n >= 2, "{name} occurs {n} times in {IN_THE_PLANE} mechanisms");
    }
    for (points, vectors) in [(1, 1), (2, 0), (1, 2), (2, 1)] {
        let name = format!("basis of {points} points and {vectors} vectors");
        assert!(coverage.list().any(|(feature, _)| feature == name), "no {name} in {IN_THE_PLANE} mechanisms");
    }
}

#[test]
#[ignore = "takes a minute and a half: `.ci/run --full`"]
fn random_mechanisms_of_every_kind_of_space_obey_every_law() {
    let coverage = coverage(Space::Spatial, SEEDS[1], IN_SPACE);
    let kinds = mbs_model::catalog::SPATIAL_JOINTS.iter().map(|k| ("joint", k.name));
    let kinds = kinds.chain(kinds_of(Space::Spatial)).chain(forces(mbs_model::catalog::SPATIAL_FORCES));
    let kinds = kinds.chain(ATTITUDES.iter().map(|name| ("attitude", *name)));
    let others = [
        ("force", "potential"),
        ("velocity:", "body"),
        ("velocity:", "world"),
        ("equation", "drive"),
        ("equation", "prescribed"),
        ("equation", "coupling"),
        ("equation", "knife edge"),
    ];
    let names = kinds.chain(others).map(|(category, kind)| format!("{category} {kind}"));
    let missing: Vec<String> = names.filter(|name| !coverage.list().any(|(feature, _)| feature == *name)).collect();
    assert!(missing.is_empty(), "{missing:?} do not occur in {IN_SPACE} mechanisms");
}

fn forces(kinds: &[Kind]) -> impl Iterator<Item = (&'static str, &'static str)> {
    kinds.iter().map(|kind| ("force", kind.name))
}

/// Features of the mechanisms of a seed that compile. Some random mechanisms are redundant or singular; most are regular.
fn coverage(space: Space, seed: u64, count: u64) -> Coverage {
    let summary = check(space, seed, count, Duration::MAX);
    assert_eq!(summary.count as u64, count);
    assert!(summary.accepted() * 3 > summary.count * 2, "{:?}", summary.refused);
    summary.coverage
}

/// Declared kinds of joints.
fn kinds_of(space: Space) -> impl Iterator<Item = (&'static str, &'static str)> {
    mbs_random::declared::kinds(space).iter().map(|k| ("joint", k.name))
}

/// Checks mechanisms on all processors, at most so many; after `time` it begins no more.
fn check(space: Space, seed: u64, count: u64, time: Duration) -> Summary {
    let start = Instant::now();
    let next = AtomicU64::new(0);
    let total = Mutex::new(Summary::default());
    let work = || {
        while let Some(case) =
            Some(next.fetch_add(1, Ordering::Relaxed)).filter(|case| *case < count && start.elapsed() <= time)
        {
            let mut summary = Summary::default();
            let result = run(space, seed, case, &mut summary);
            if let Err(found) = result {
                next.store(count, Ordering::Relaxed);
                println!("mechanism {case} of seed {seed} violates a law: {}", found.original.violation);
                let minimal = found.shrink(MOST_SHRINKS);
                panic!("mechanism {case} of seed {seed} violates a law: {}\n{}", minimal.violation, minimal.text);
            }
            total.lock().expect("no thread panics with the lock").merge(&summary);
        }
    };
    std::thread::scope(|scope| {
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        for _ in 0..threads {
            // Shrinking and deep declarations need a larger stack than a test thread has in a debug build.
            std::thread::Builder::new().stack_size(64 << 20).spawn_scoped(scope, work).expect("a thread starts");
        }
    });
    total.into_inner().expect("no thread panics with the lock")
}
