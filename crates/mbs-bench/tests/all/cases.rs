//! Checks that the benches time the right code: candidates agree, and none falls back to dense matrices.

use std::collections::BTreeSet;

use mbs_bench::cycle::revolutions;
use mbs_bench::{Case, Method, for_each_case};

/// Creating a case compares its candidates at 1e-9.
#[test]
fn every_mechanism_has_all_candidates_and_they_agree() {
    let mut names = BTreeSet::new();
    let mut by_hand = Vec::new();
    for_each_case(&|_| true, &mut |case: Case| {
        for method in [Method::Generated, Method::Fused, Method::Staged, Method::Interpreted, Method::Engine] {
            assert!(case.candidates.iter().any(|c| c.method == method), "{} has no {}", case.name, method.name());
        }
        if case.candidates.iter().any(|c| c.method == Method::Hand) {
            by_hand.push(case.name);
        }
        names.insert(case.name);
    });
    assert_eq!(by_hand, ["andrews", "four_bar"]);
    assert!(names.contains("four_bars_1") && names.contains("four_bars_5"), "{names:?}");
}

/// A crank that cannot rotate fully would panic.
#[test]
fn the_four_bar_completes_its_revolution() {
    let mut revolutions = revolutions();
    assert_eq!(
        revolutions
            .iter()
            .map(|revolution| revolution.candidate.method)
            .filter(|method| *method == Method::Tracked)
            .count(),
        2
    );
    revolutions.iter_mut().for_each(|revolution| assert!(!revolution.candidate.time(1).is_zero()));
}
