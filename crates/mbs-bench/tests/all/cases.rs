//! Checks that the benches time the right code: candidates agree, and none falls back to dense matrices.

use std::collections::BTreeSet;

use mbs_bench::cycle::turns;
use mbs_bench::{Case, Way, for_each_case};

/// Making a case compares its candidates at 1e-9.
#[test]
fn every_mechanism_has_all_candidates_and_they_agree() {
    let mut names = BTreeSet::new();
    let mut by_hand = Vec::new();
    for_each_case(&|_| true, &mut |case: Case| {
        for way in [Way::Generated, Way::Fused, Way::Staged, Way::Interpreted, Way::Engine] {
            assert!(case.candidates.iter().any(|c| c.way == way), "{} has no {}", case.name, way.name());
        }
        if case.candidates.iter().any(|c| c.way == Way::Hand) {
            by_hand.push(case.name);
        }
        names.insert(case.name);
    });
    assert_eq!(by_hand, ["andrews", "four_bar"]);
    assert!(names.contains("four_bars_1") && names.contains("four_bars_5"), "{names:?}");
}

/// A crank that cannot go on would panic.
#[test]
fn turns_of_the_four_bar_come_round() {
    let mut turns = turns();
    assert_eq!(turns.iter().map(|turn| turn.candidate.way).filter(|way| *way == Way::Tracked).count(), 2);
    turns.iter_mut().for_each(|turn| assert!(!turn.candidate.time(1).is_zero()));
}
