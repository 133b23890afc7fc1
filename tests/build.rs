//! Sets `cfg(largest)` in the full tier, whose tests compile the largest mechanisms.

mod tier;

fn main() {
    println!("cargo:rerun-if-env-changed=MBS_TESTS");
    println!("cargo:rustc-check-cfg=cfg(largest)");
    if tier::is_full_tier() {
        println!("cargo:rustc-cfg=largest");
    }
}
