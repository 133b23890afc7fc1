//! `no_std/` links and runs in release: generated code, assembly and integrators have no panic path and need no allocator.
//!
//! Its panic handler calls an undefined function, so that a remaining panic is a linker error with the name of its function.
//! Built with the workspace's lock, offline, with and without FMA. Only for Linux, for which it contains the start code of an executable.
#![cfg(all(target_os = "linux", target_env = "gnu"))]

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

fn text(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn host() -> String {
    let rustc = env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let version = Command::new(rustc).arg("-vV").output().expect("rustc runs").stdout;
    let version = String::from_utf8(version).expect("rustc speaks UTF-8");
    version.lines().find_map(|line| line.strip_prefix("host: ")).expect("rustc knows its host").to_owned()
}

/// A copy of the crate, so that neither a lock nor a target directory appears among the sources.
fn copied() -> PathBuf {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("no_std");
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let copy = Path::new(env!("CARGO_TARGET_TMPDIR")).join("no_std");
    fs::create_dir_all(copy.join("src")).expect("the target directory is writable");
    let root_text = root.canonicalize().expect("the workspace exists").display().to_string();
    let write = |to: &str, text: String| fs::write(copy.join(to), text).expect("the target directory is writable");
    write("Cargo.toml", text(&source.join("Cargo.toml")).replace("../../..", &root_text));
    write("Cargo.lock", text(&root.join("Cargo.lock")));
    write("src/main.rs", text(&source.join("src/main.rs")));
    copy
}

fn assert_links_and_runs(flags: &str) {
    let (copy, host) = (copied(), host());
    let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    // With an explicit target the flags apply to it alone, so that build scripts are built once.
    let mut command = Command::new(cargo);
    command.current_dir(&copy).args(["build", "--release", "--offline", "--target", &host, "--target-dir", "target"]);
    command.env("RUSTFLAGS", flags).env_remove("CARGO_ENCODED_RUSTFLAGS").env_remove("CARGO_TARGET_DIR");
    let output = command.output().expect("cargo runs");
    assert!(output.status.success(), "{flags}\n{}", String::from_utf8_lossy(&output.stderr));
    let status =
        Command::new(copy.join("target").join(&host).join("release/mbs-no-std")).status().expect("it is executable");
    assert!(status.success(), "{flags}: {status}");
}

#[test]
#[ignore = "half a minute of separate builds; `.ci/run --full`"]
fn release_builds_have_no_panic_path() {
    assert_links_and_runs("");
    if cfg!(target_arch = "x86_64") && std::arch::is_x86_feature_detected!("fma") {
        assert_links_and_runs("-C target-feature=+fma");
    }
}
