//! Writes `docs/BASELINES.md`: `cargo bench -p mbs-bench --bench report`.
//!
//! One command: this process times a build with the flags it was given, then runs cargo again with `-C target-cpu=native` in a
//! separate target directory, and that run (`-- --section`) prints the other section. Most of the ten minutes is compilation.

mod corpus;
mod cycle;
mod family;
mod format;
mod hand;
mod row;

use std::path::Path;
use std::process::{Command, Stdio};
use std::{env, fs};

use mbs_bench::machine;
use mbs_bench::measure::{BATCH, BATCHES};

const NATIVE: &str = "-C target-cpu=native";

fn main() {
    // `cargo test --benches` runs bench binaries too; only `cargo bench` passes this argument.
    if !env::args().any(|argument| argument == "--bench") {
        return;
    }
    let section = section();
    if env::args().any(|argument| argument == "--section") {
        print!("{section}");
        return;
    }
    let target = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/BASELINES.md");
    let page = format!("{}\n{section}\n{}{}", introduction(), native_section(), robots_section(&target));
    fs::write(target, &page).expect("docs/ is writable");
    print!("{page}");
}

/// Text and table of one group of measurements.
#[derive(Default)]
struct Part {
    /// Sentences before all tables.
    findings: String,
    /// A sentence on the noise of the measurements, after the findings.
    noise: String,
    table: String,
}

/// The section of this build.
fn section() -> String {
    let flags = machine::RUSTFLAGS;
    let title = if flags.is_empty() { "Default flags".to_owned() } else { format!("`RUSTFLAGS=\"{flags}\"`") };
    let fused = if mbs::math::FUSED { "with" } else { "without" };
    let parts = [hand::part(), cycle::part(), corpus::part(), family::part()];
    let join = |part: &dyn Fn(&Part) -> &str, between: &str| parts.iter().map(part).collect::<Vec<_>>().join(between);
    format!(
        "## {title}\n\nProfile `bench`, {fused} fused multiply-adds.\n\n{}{}\n{}",
        join(&|part| &part.findings, ""),
        join(&|part| &part.noise, ""),
        join(&|part| &part.table, "\n")
    )
}

/// The section of a build for this machine's processor.
fn native_section() -> String {
    eprintln!("again with RUSTFLAGS=\"{NATIVE}\"");
    let temporary = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let directory = temporary.parent().expect("it is inside the target directory").join("native");
    let mut cargo = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.current_dir(env!("CARGO_MANIFEST_DIR")).args(["bench", "-p", "mbs-bench", "--bench", "report"]);
    cargo.arg("--target-dir").arg(directory).args(["--", "--section"]);
    cargo.env("RUSTFLAGS", NATIVE).env_remove("CARGO_ENCODED_RUSTFLAGS").stderr(Stdio::inherit());
    let output = cargo.output().expect("cargo runs");
    assert!(output.status.success(), "cargo bench with {NATIVE}: {}", output.status);
    String::from_utf8(output.stdout).expect("the section is text")
}

/// The section on robots, which is written by hand and copied unchanged from the page.
fn robots_section(page: &Path) -> String {
    let text = fs::read_to_string(page).unwrap_or_default();
    text.find("\n## Robots\n").map_or_else(String::new, |start| text[start..].to_owned())
}

fn introduction() -> String {
    let (processor, processors) = (machine::processor(), machine::processors());
    let (platform, rustc, today) = (machine::platform(), machine::RUSTC, machine::today());
    let micros = BATCH.as_micros();
    format!(
        "\
# Baselines

How long it takes to compute all accelerations and multipliers once, at the declared pose, assembled. All data are `param`.

| | |
|---|---|
| written by | `cargo bench -p mbs-bench --bench report` |
| date | {today} |
| processor | {processor}, one thread of {processors} |
| platform | {platform} |
| compiler | {rustc} |

- **generated**: the code that `mechanism!` emits, called as integrators call it, results in place. *By value* returns arrays, as
  the code by hand does; *staged* goes through `at_position`, `at_velocity` and `accelerate`.
- **interpreted**: the interpreter of the same instruction lists (`mbs_interp::Interpreted`). It is made for tests, and allocates.
- **engine**: `mbs_engine::Engine`, which evaluates the declaration without compiling it.
- **by hand**: what a careful engineer writes with static nalgebra matrices: planar bodies x, y, θ, the mass matrix inverted body
  by body, the Schur complement formed pin by pin and factored by Cholesky, sines of `std`.

Times are medians of {BATCHES} batches of at least {micros} µs. All that are compared take turns, batch by batch, in one
process: on a shared machine absolute times drift, and ratios are what to look at. *Operations* are adds, products, quotients and
square roots that depend on the state, in the generated `accelerations`; where there are none, all results are constants. Its
*critical path* is in additions (a quotient counts 4, a sine and cosine 10), its *text* is machine code. Costs of every kernel of
every mechanism: `crates/mbs-corpus/tests/all/golden/costs.txt`. Criterion's view of the same: `--bench accelerations`.
"
    )
}
