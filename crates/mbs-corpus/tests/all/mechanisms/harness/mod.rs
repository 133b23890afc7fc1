//! Shared code of the tests of the corpus: every mechanism of `mechanisms/`, compiled here and interpreted, at random states.

pub mod ledger;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, OnceLock};

use mbs::{Mechanism, Projection, State, assemble, project_positions, project_velocities};
use mbs_compiler::compile::{Compiled, Options};
use mbs_compiler::interp::Fma;
use mbs_engine::Engine;
use mbs_interp::Interpreted;
use mbs_model::{Formulation, Model};

use crate::tiers;

pub use crate::tiers::stem_of;
pub use mbs_random::laws::{accelerations, to_body};
pub use mbs_random::matrix::{dot, size, times, transposed_times};
pub use mbs_random::state::{OwnedState, Random, neighbouring_states};

/// Both choices of coordinates.
pub const FORMULATIONS: [Formulation; 2] = [Formulation::Body, Formulation::Joint];

/// Rounding of multiply-adds in compiled code of this build; `RUSTFLAGS="-C target-cpu=native"` chooses the other one.
pub fn compiled_fma() -> Fma {
    if mbs::math::FUSED { Fma::Fused } else { Fma::Plain }
}

/// Files of `mechanisms/` that this build checks, sorted: in the full tier all of them.
pub fn files() -> Vec<PathBuf> {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR"));
    if cfg!(largest) { tiers::all_files(corpus) } else { tiers::files_up_to(corpus, tiers::MOST_INTERPRETED) }
}

/// File of a mechanism by its stem.
pub fn file(stem: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../../mechanisms/{stem}.mbs"))
}

/// Files of planar mechanisms: tests that displace coordinates one by one, as if q̇ = v, use these, as do the macros
/// `for_each_planar_mechanism` and `for_each_planar_module`. `mbs-random` checks these laws in space.
pub fn planar_files() -> Vec<PathBuf> {
    let mut files = files();
    files.retain(|path| {
        let text = fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        text.lines().any(|line| line.starts_with("pub planar "))
    });
    files
}

/// Compiles the one mechanism of a text; `None` leaves the coordinates as declared.
pub fn interpret(name: &str, text: &str, formulation: Option<Formulation>, fma: Fma) -> Interpreted {
    interpret_with(name, text, Options { formulation, ..Options::default() }, fma)
}

/// Compiles the one mechanism of a text with any options.
pub fn interpret_with(name: &str, text: &str, options: Options, fma: Fma) -> Interpreted {
    interpreted(compile(name, text, options), fma)
}

/// The one mechanism of a text, compiled with any options; its functions are bound.
fn compile(name: &str, text: &str, options: Options) -> Compiled {
    let compiled = mbs_codegen::compile_text(name, text, options);
    let mut compiled = compiled.unwrap_or_else(|failure| panic!("{name}: {failure}"));
    assert_eq!(compiled.len(), 1, "{name} contains one mechanism");
    let mut compiled = compiled.remove(0).0;
    bind(&mut compiled.model);
    compiled
}

fn interpreted(compiled: Compiled, fma: Fma) -> Interpreted {
    Interpreted::new(compiled, fma).expect("default parameters are inside their domains")
}

/// Binds the functions of `mbs_corpus::functions`, which generated code calls.
pub fn bind(model: &mut Model) {
    let written_in_rust = model.functions.iter().filter(|f| f.source() == mbs_expr::FunctionSource::Rust);
    let names: Vec<String> = written_in_rust.map(|f| f.name.clone()).collect();
    for name in names {
        let called = name.clone();
        model.bind_many(&name, move |x, y| y.copy_from_slice(&function(&called, x))).expect("the model has it");
    }
}

/// A function of `mbs_corpus::functions` by its name.
pub fn function(name: &str, x: &[f64]) -> Vec<f64> {
    match (name, x) {
        ("gas", [x]) => mbs_corpus::functions::gas(*x).into(),
        ("ramp", [x]) => mbs_corpus::functions::ramp(*x).into(),
        ("drag", [v, z]) => mbs_corpus::functions::drag(*v, *z).into(),
        ("left.felt" | "right.felt", [rate]) => mbs_corpus::functions::felt(*rate).into(),
        ("wind", [z]) => mbs_corpus::functions::wind(*z).as_flattened().into(),
        _ => panic!("`{name}` is not in mbs_corpus::functions"),
    }
}

/// The engine of a mechanism of the corpus by its file stem, with the functions of `mbs_corpus::functions`.
pub fn engine(stem: &str, formulation: Formulation) -> Engine {
    let mut options = Engine::options().formulation(formulation);
    let functions = &corpus(stem, formulation, compiled_fma()).compiled().model.functions;
    for declared in functions.iter().filter(|f| f.source() == mbs_expr::FunctionSource::Rust) {
        let name = declared.name.clone();
        options = options.function_of_many(&declared.name, move |x, y| y.copy_from_slice(&function(&name, x)));
    }
    options.file(file(stem)).unwrap_or_else(|failure| panic!("{stem}: {failure}"))
}

/// A mechanism of the corpus by its file stem, made once per test binary.
pub fn corpus(stem: &str, formulation: Formulation, fma: Fma) -> &'static Interpreted {
    static KEPT: Kept<Interpreted> = Mutex::new(BTreeMap::new());
    kept(&KEPT, format!("{stem} {formulation:?} {fma:?}"), || fresh(stem, formulation, fma))
}

/// A mechanism of the corpus by its file stem, not shared.
pub fn fresh(stem: &str, formulation: Formulation, fma: Fma) -> Interpreted {
    interpreted(compiled(stem, formulation).clone(), fma)
}

/// The result of the compiler for a mechanism of the corpus, compiled once per test binary.
fn compiled(stem: &str, formulation: Formulation) -> &'static Compiled {
    static KEPT: Kept<Compiled> = Mutex::new(BTreeMap::new());
    kept(&KEPT, format!("{stem} {formulation:?}"), || {
        let path = file(stem);
        let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        compile(stem, &text, Options { formulation: Some(formulation), ..Options::default() })
    })
}

/// Values that are made once, by their keys.
type Kept<T> = Mutex<BTreeMap<String, &'static OnceLock<T>>>;

/// The value of a key, which `make` makes if it is the first to be asked for it. Other keys do not wait for it.
fn kept<T>(all: &Kept<T>, key: String, make: impl FnOnce() -> T) -> &'static T {
    let mut all = all.lock().expect("no test panics while it holds the lock");
    let slot: &'static OnceLock<T> = all.entry(key).or_insert_with(|| Box::leak(Box::default()));
    drop(all);
    slot.get_or_init(make)
}

/// A mechanism of the corpus with parameters changed by up to 5 %, so that no default (zero, one) hides a term.
/// Parameters keep their defaults if the changed mechanism does not assemble.
pub fn disturbed(stem: &str, formulation: Formulation) -> Interpreted {
    let mut interpreted = fresh(stem, formulation, compiled_fma());
    let declared = interpreted.parameters().to_vec();
    let mut random = Random::new(seed(stem));
    let parameters: Vec<f64> = declared.iter().map(|p| p * (1.0 + 0.05 * random.next_number())).collect();
    interpreted.set_parameters(&parameters).unwrap_or_else(|error| panic!("{stem}: {error}"));
    if assemble(&interpreted, &mut State::new(&interpreted)).is_err() {
        interpreted.set_parameters(&declared).expect("they were set before");
    }
    interpreted
}

/// Calls `check(label, mechanism)` for the mechanisms of some files of the corpus in one formulation.
pub fn for_each_mechanism(files: &[PathBuf], formulation: Formulation, mut check: impl FnMut(&str, &Interpreted)) {
    for path in files {
        let stem = stem_of(path);
        check(&format!("{stem} ({formulation:?})"), corpus(&stem, formulation, compiled_fma()));
    }
}

/// The declared pose, assembled at t = 0.
pub fn assembled<M: Mechanism>(label: &str, mechanism: &M) -> State<M> {
    let mut state = State::new(mechanism);
    assemble(mechanism, &mut state).unwrap_or_else(|error| panic!("{label} does not assemble: {error}"));
    state
}

/// Calls `check` at random states: positions close to the assembled pose, off the constraints; speeds up to 4.
pub fn for_each_state<M: Mechanism>(
    label: &str,
    mechanism: &M,
    count: usize,
    mut check: impl FnMut(usize, &OwnedState),
) {
    let sizes = mechanism.sizes();
    let start = assembled(label, mechanism);
    let mut random = Random::new(seed(label));
    for k in 0..count {
        let spread = [0.01, 0.3, 1.5][k % 3];
        let t = 2.0 * (random.next_number() + 1.0);
        let mut q: Vec<f64> = start.q.as_ref().iter().map(|q| q + spread * random.next_number()).collect();
        mechanism.normalize(&mut q);
        let at = OwnedState {
            t,
            q,
            v: random.vector(sizes.n_v, 4.0),
            z: neighbouring_states(mechanism, start.z.as_ref(), &mut random),
            u: random.vector(sizes.n_u, 3.0),
        };
        check(k, &at);
    }
}

/// Calls `check` at random states that satisfy Φ = 0 and ψ = 0, at t = 0 near the assembled pose. States at which the
/// projection meets a singular pose are skipped, at most half of them.
pub fn for_each_consistent_state<M: Mechanism>(
    label: &str,
    mechanism: &M,
    count: usize,
    mut check: impl FnMut(usize, &OwnedState),
) {
    let sizes = mechanism.sizes();
    let start = assembled(label, mechanism);
    let mut random = Random::new(seed(label));
    let mut work = Projection::new(mechanism);
    work.iterations = 30;
    let (mut made, mut tried) = (0, 0);
    while made < count {
        tried += 1;
        assert!(tried <= 2 * count, "{label}: most poses near the assembled one are singular");
        let mut state = start.clone();
        state.q.as_mut().iter_mut().for_each(|q| *q += 0.05 * random.next_number());
        mechanism.normalize(state.q.as_mut());
        state.v.as_mut().iter_mut().for_each(|v| *v = 3.0 * random.next_number());
        let z = neighbouring_states(mechanism, state.z.as_ref(), &mut random);
        state.z.as_mut().copy_from_slice(&z);
        let u = random.vector(sizes.n_u, 3.0);
        let t = state.t;
        if project_positions(mechanism, &mut state, &mut work).is_err()
            || project_velocities(mechanism, &mut state, &mut work).is_err()
        {
            continue;
        }
        let owned = |values: &[f64]| values.to_vec();
        check(
            made,
            &OwnedState { t, q: owned(state.q.as_ref()), v: owned(state.v.as_ref()), z: owned(state.z.as_ref()), u },
        );
        made += 1;
    }
}

/// A seed for a label, equal on every machine.
pub fn seed(label: &str) -> u128 {
    label.bytes().fold(1, |seed, byte| seed * 31 % 1_000_000_007 + u128::from(byte))
}
