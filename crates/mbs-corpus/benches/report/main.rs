//! Writes `docs/BENCHMARKS.md`: operations, critical paths, text bytes and times of the accelerations, against nalgebra by hand.
//!
//! `RUSTFLAGS="-C target-cpu=native" cargo bench -p mbs-corpus --bench report`. Times are medians of batches in one process, the
//! candidates in turn; machines are noisy, so look at the ratios.

#[path = "../accelerations/baseline.rs"]
mod baseline;
#[path = "../accelerations/hand.rs"]
mod hand;

use std::fmt::Write;
use std::hint::black_box;
use std::path::Path;
use std::time::Instant;

use mbs::nalgebra::SVector;
use mbs::{Mechanism, State, StateView, assemble};
use mbs_codegen::compile::Options;
use mbs_codegen::compile_text;
use mbs_corpus::{body, joint};
use mbs_model::Formulation;
use object::{Object, ObjectSymbol};

const BATCHES: usize = 61;
const CALLS: usize = 2000;

/// Nanoseconds per call of each candidate: medians of batches taken in turn.
fn medians(candidates: &mut [(&str, &mut dyn FnMut())]) -> Vec<f64> {
    let mut times = vec![Vec::new(); candidates.len()];
    for _ in 0..BATCHES {
        for ((_, run), times) in candidates.iter_mut().zip(&mut times) {
            let start = Instant::now();
            for _ in 0..CALLS {
                run();
            }
            times.push(start.elapsed().as_secs_f64() * 1e9 / CALLS as f64);
        }
    }
    times.into_iter().map(median).collect()
}

fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

/// Bytes of machine code of a function of this executable.
fn text_bytes(executable: &object::File<'_>, module: &str, formulation: &str) -> Option<u64> {
    let parts = ["mbs_corpus", formulation, module, "kernels", "accelerations"];
    let mangled: Vec<String> = parts.iter().map(|p| format!("{}{p}", p.len())).collect();
    let found = executable.symbols().filter(|s| {
        let name = s.name().unwrap_or("");
        let mut rest = name;
        mangled.iter().all(|part| match rest.find(part.as_str()) {
            Some(at) => {
                rest = &rest[at + part.len()..];
                true
            }
            None => false,
        })
    });
    found.map(|s| s.size()).max().filter(|size| *size > 0)
}

fn counts(stem: &str, formulation: Formulation) -> mbs_codegen::program::Counts {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../../mechanisms/{stem}.mbs"));
    let text = std::fs::read_to_string(&path).expect("the mechanism is there");
    let compiled =
        compile_text(stem, &text, Options { formulation: Some(formulation) }).expect("it compiles").remove(0).0;
    compiled.function("accelerations").expect("it is always emitted").counts
}

fn assembled<M: Mechanism>(mechanism: &M) -> State<M> {
    let mut state = State::new(mechanism);
    assemble(mechanism, &mut state).expect("the declared pose assembles");
    state
}

macro_rules! rows {
    ($table:ident, $executable:ident, $title:literal, $stem:literal, $module:ident, $type:ident, $hand:expr, $n:literal) => {{
        let in_body = body::$type::new(body::$module::Params::default()).expect("defaults are valid");
        let in_joint = joint::$type::new(joint::$module::Params::default()).expect("defaults are valid");
        let hand = $hand;
        let (sb, sj) = (assembled(&in_body), assembled(&in_joint));
        let (q, v) = (SVector::<f64, $n>::from(sb.q), SVector::<f64, $n>::from(sb.v));
        // What integrators call: results written in place.
        let (_, mut ab, mut lb, ..) = in_body.storage();
        let (_, mut aj, mut lj, ..) = in_joint.storage();
        let times = medians(&mut [
            ("by hand", &mut || {
                black_box(hand.accelerations(black_box(&q), black_box(&v)));
            }),
            ("body", &mut || {
                let _ =
                    black_box(in_body.accelerations(0.0, black_box(&sb.q), black_box(&sb.v), &Default::default(), &[]));
            }),
            ("body, staged", &mut || {
                let position = in_body.at_position(0.0, black_box(&sb.q));
                let velocity = position.at_velocity(black_box(&sb.v));
                let motion = velocity.accelerate(&Default::default(), &[]);
                if let Ok(motion) = &motion {
                    black_box((&motion.a, &motion.lambda));
                }
            }),
            ("joint", &mut || {
                let _ = black_box(in_joint.accelerations(
                    0.0,
                    black_box(&sj.q),
                    black_box(&sj.v),
                    &Default::default(),
                    &[],
                ));
            }),
            ("joint, staged", &mut || {
                let position = in_joint.at_position(0.0, black_box(&sj.q));
                let velocity = position.at_velocity(black_box(&sj.v));
                let motion = velocity.accelerate(&Default::default(), &[]);
                if let Ok(motion) = &motion {
                    black_box((&motion.a, &motion.lambda));
                }
            }),
            ("body, in place", &mut || {
                let at = StateView { t: 0.0, q: black_box(&sb.q), v: black_box(&sb.v), z: &[], u: &[] };
                let _ = black_box(Mechanism::accelerations(&in_body, at, black_box(&mut ab), black_box(&mut lb)));
            }),
            ("joint, in place", &mut || {
                let at = StateView { t: 0.0, q: black_box(&sj.q), v: black_box(&sj.v), z: &[], u: &[] };
                let _ = black_box(Mechanism::accelerations(&in_joint, at, black_box(&mut aj), black_box(&mut lj)));
            }),
        ]);
        let _ = writeln!($table, "| {} | nalgebra by hand | | | | {:.0} | 1 |", $title, times[0]);
        for (i, (name, formulation)) in [("body", Formulation::Body), ("joint", Formulation::Joint)].iter().enumerate()
        {
            let c = counts($stem, *formulation);
            let bytes = text_bytes(&$executable, stringify!($module), name);
            let bytes = bytes.map_or_else(|| "inlined".to_owned(), |b| b.to_string());
            let (fused, staged) = (times[1 + 2 * i], times[2 + 2 * i]);
            let _ = writeln!(
                $table,
                "| | {name} | {} + {} sincos | {} | {bytes} | {fused:.0} | {:.1} |",
                c.operations,
                c.sincos,
                c.critical_path,
                times[0] / fused
            );
            let _ = writeln!($table, "| | {name}, staged | | | | {staged:.0} | {:.1} |", times[0] / staged);
            let in_place = times[5 + i];
            let _ = writeln!($table, "| | {name}, in place | | | | {in_place:.0} | {:.1} |", times[0] / in_place);
        }
    }};
}

fn main() {
    // `cargo test --benches` calls bench binaries too; the report is written by `cargo bench` alone.
    if !std::env::args().any(|a| a == "--bench") {
        return;
    }
    let path = std::env::current_exe().expect("the executable has a path");
    let bytes = std::fs::read(path).expect("the executable is readable");
    let executable = object::File::parse(&*bytes).expect("the executable is an object file");
    let mut table = String::new();
    rows!(table, executable, "four-bar", "four_bar", four_bar, FourBar, hand::four_bar(), 9);
    rows!(table, executable, "Andrews", "andrews", andrews, Andrews, hand::andrews(), 21);
    let processor = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let processor = processor.lines().find_map(|l| l.strip_prefix("model name\t: ")).unwrap_or("unknown").to_owned();
    let section = format!(
        "{}\n\n{processor}, one thread.\n\n\
         | mechanism | code | operations | critical path | text bytes | ns | times faster |\n|---|---|---|---|---|---|---|\n\
         {table}",
        heading(mbs::math::FUSED)
    );
    print!("{section}");
    let target = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/BENCHMARKS.md");
    let old = std::fs::read_to_string(&target).unwrap_or_default();
    // The section of the other flags stays as it is.
    let other = section_of(&old, heading(!mbs::math::FUSED)).unwrap_or_default();
    let (native, default) = if mbs::math::FUSED { (section, other) } else { (other, section) };
    std::fs::write(&target, format!("{INTRODUCTION}\n{native}\n{default}")).expect("docs/ is writable");
}

const INTRODUCTION: &str = "\
# Benchmarks

Written by `cargo bench -p mbs-corpus --bench report`, with and without `RUSTFLAGS=\"-C target-cpu=native\"`; `--bench accelerations`
is the same with criterion. Accelerations with multipliers, all data `param`, at the declared pose: medians of 61 batches of 2000
calls, the candidates in turn in one process. Absolute times drift by a fifth on shared machines: compare ratios.

By hand: planar bodies x, y, θ, mass matrix inverted body by body, Schur complement formed pin by pin and factored by Cholesky,
static nalgebra matrices, sines of `std`. Operations count adds, products, quotients and square roots that depend on the state; the
critical path is in additions (a quotient counts 4, a sine and cosine 10); text bytes are the machine code of `accelerations`. \"In
place\" is the trait's method, which integrators call; the others return arrays by value, as the code by hand does. Costs
of every kernel of every mechanism: `crates/mbs-corpus/tests/golden/costs.txt`.
";

/// Heading of the section for one kind of arithmetic.
fn heading(fused: bool) -> &'static str {
    if fused { "## `-C target-cpu=native`" } else { "## Default flags" }
}

/// A section of the file, from its heading to the next.
fn section_of(text: &str, heading: &str) -> Option<String> {
    let start = text.find(heading)?;
    let end = text[start + 2..].find("\n## ").map_or(text.len(), |at| start + 2 + at + 1);
    Some(format!("{}\n", text[start..end].trim_end()))
}
