//! A landing runs shorter tests than the full tier, `.ci/run --full`; these functions choose between the two. Crates of tests include this file.
#![allow(dead_code)] // each uses a part

/// Whether this is the full tier, which sets `MBS_TESTS=all`: then long runs are as long as they can be, and mechanisms, integrators,
/// coordinates and shapes are checked in all combinations. A landing checks fewer of them.
pub fn is_full_tier() -> bool {
    std::env::var("MBS_TESTS").is_ok_and(|found| found == "all")
}

/// A value for the tests of each landing, or that of the full tier.
pub fn by_tier<T>(landing: T, full: T) -> T {
    if is_full_tier() { full } else { landing }
}

/// Whether variant `k` of `n` of a case is checked: in the full tier each, in a landing one, which depends on the name or the text of the case,
/// so that cases that are alike are checked in different variants.
pub fn is_in_turn(case: &str, k: usize, n: usize) -> bool {
    is_full_tier() || case.bytes().map(usize::from).sum::<usize>() % n == k
}
