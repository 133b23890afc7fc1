//! What rustc shows for a mechanism with one mistake: one error, at the user's token, and no error where it is used.
//!
//! trybuild writes its project into `target/tests` and builds it with the workspace's Cargo.lock; with `CARGO_NET_OFFLINE=true`
//! it needs nothing that `cargo test` has not fetched already.

#[test]
#[ignore = "a minute of builds of its own; `.ci/run --full`"]
fn mistakes_are_single_errors() {
    let cases = trybuild::TestCases::new();
    cases.pass("ui/sound.rs");
    cases.compile_fail("ui/mistake_*.rs");
}
