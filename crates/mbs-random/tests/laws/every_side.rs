//! Checks of a declaration by the compiler and the engine, in every formulation: the laws of random mechanisms, and runs. Functions `wave` and
//! `field` of the declaration are bound to those of this module.

use mbs_codegen::compile_text;
use mbs_compiler::compile::Options;
use mbs_compiler::interp::Fma;
use mbs_core::{DormandPrince, Mechanism, Sizes, State, StateView, Stepper, assemble};
use mbs_engine::Engine;
use mbs_expr::FunctionSource;
use mbs_interp::Interpreted;
use mbs_model::Formulation;
use mbs_random::expr::wave;
use mbs_random::laws::{self, Compared};
use mbs_random::ledger::Violation;
use mbs_random::oracle::Oracle;
use mbs_random::state::{OwnedState, Random, assembled, consistent, scattered};

use crate::tier::{by_tier, is_in_turn};

/// One formulation.
pub struct Sides {
    pub label: String,
    pub compiled: Interpreted,
    pub engine: Engine,
}

/// Body and joint coordinates; a landing takes one of them, which depends on the text.
pub fn sides(text: &str) -> Vec<Sides> {
    let all = (0..).zip([Formulation::Body, Formulation::Joint]);
    all.filter(|(k, _)| is_in_turn(text, *k, 2)).map(|(_, formulation)| side(text, formulation)).collect()
}

/// The compiled mechanism, in a formulation or in the declared coordinates.
pub fn compiled(text: &str, formulation: impl Into<Option<Formulation>>) -> Interpreted {
    let options = Options { formulation: formulation.into(), ..Options::default() };
    let mut all = compile_text("sides.mbs", text, options).unwrap_or_else(|failure| panic!("{text}: {failure}"));
    let mut compiled = all.remove(0).0;
    // Binding fails where the mechanism does not declare the function.
    let _ = compiled.model.bind("wave", wave);
    let _ = compiled.model.bind_many("field", field);
    Interpreted::new(compiled, Fma::Plain).expect("defaults are inside their domains")
}

/// `function field(x, y): [2] opaque(4);`: (0.2 sin(0.7 x + 1.1 y + 0.4), 0.15 cos(0.9 x − 0.5 y) + 0.1 x y).
fn field(x: &[f64], results: &mut [f64]) {
    let [x, y] = [x[0], x[1]];
    let shifted_sine = |k: i32, angle: f64| (angle + f64::from(k) * std::f64::consts::FRAC_PI_2).sin();
    let orders = (0..=4).flat_map(|k| (0..=k).map(move |b| (k - b, b)));
    let all: Vec<(i32, i32)> = orders.take(results.len() / 2).collect();
    let (first, second) = results.split_at_mut(all.len());
    for (&(a, b), (first, second)) in all.iter().zip(first.iter_mut().zip(second)) {
        let product = match (a, b) {
            (0, 0) => x * y,
            (1, 0) => y,
            (0, 1) => x,
            (1, 1) => 1.0,
            _ => 0.0,
        };
        *first = 0.2 * 0.7_f64.powi(a) * 1.1_f64.powi(b) * shifted_sine(a + b, 0.7 * x + 1.1 * y + 0.4);
        *second =
            0.15 * 0.9_f64.powi(a) * (-0.5_f64).powi(b) * shifted_sine(a + b + 1, 0.9 * x - 0.5 * y) + 0.1 * product;
    }
}

/// The mechanism in a formulation, or in the declared coordinates.
pub fn side(text: &str, formulation: impl Into<Option<Formulation>>) -> Sides {
    let formulation = formulation.into();
    let label = format!("{formulation:?} coordinates of {text}");
    let mut options = Engine::options();
    if let Some(formulation) = formulation {
        options = options.formulation(formulation);
    }
    if text.contains("function wave: opaque") {
        options = options.function("wave", wave);
    }
    if text.contains("function field(x, y): [2] opaque") {
        options = options.function_of_many("field", field);
    }
    let engine = options.text(text);
    let engine = engine.unwrap_or_else(|failure| panic!("{label}: {failure}"));
    Sides { compiled: compiled(text, formulation), engine, label }
}

/// Checks the laws for a declaration whose poses are assembled.
#[track_caller]
pub fn check_laws(text: &str) {
    let first = side(text, Formulation::Body);
    let body = &first.compiled;
    // A landing compares each mechanism in joint or in natural coordinates.
    let joint = is_in_turn(text, 1, 2).then(|| side(text, Formulation::Joint));
    for side in [&first].into_iter().chain(&joint) {
        let mut random = Random::new(1);
        let on = check_side(side, by_tier([3, 2], [6, 4]), &mut random);
        side.law(laws::mass_is_definite(&side.compiled, &on));
        let constrained = consistent(body, &assembled(body).unwrap(), 2, &mut random);
        side.law(laws::reactions_do_the_power_of_rows(body, &constrained));
        side.law(laws::formulations_accelerate_alike(body, &side.compiled, &on));
    }
    if is_in_turn(text, 0, 2) {
        check_against_body(body, &side(text, Formulation::Natural), by_tier(1, 2));
    }
}

/// Checks the laws of a mechanism in natural coordinates, also against body coordinates, at `count` random states of each sort.
pub fn check_against_body(body: &Interpreted, natural: &Sides, count: usize) {
    let on = check_side(natural, [count; 2], &mut Random::new(3));
    let worst = natural.law(laws::formulations_accelerate_alike(body, &natural.compiled, &on));
    assert!(worst > 0.0, "{}: no state was compared", natural.label);
}

/// Checks a declaration in natural coordinates against body coordinates, at two states of each sort, in a landing at one.
#[track_caller]
pub fn check_natural(text: &str) {
    check_against_body(&compiled(text, Formulation::Body), &side(text, Formulation::Natural), by_tier(1, 2));
}

impl Sides {
    #[track_caller]
    fn law(&self, result: Result<f64, Violation>) -> f64 {
        result.unwrap_or_else(|violation| panic!("{}\n{violation}", self.label))
    }
}

/// Checks the laws of one formulation, at `anywhere` scattered states and `count` consistent ones. Returns the consistent states.
#[track_caller]
fn check_side(side: &Sides, [anywhere, count]: [usize; 2], random: &mut Random) -> Vec<OwnedState> {
    let Sides { label, compiled, engine } = side;
    // The compiler computes its guess without the values of functions written in Rust.
    let known = compiled.compiled().model.functions.iter().all(|f| f.source() != FunctionSource::Rust);
    let compared = Compared::new(compiled, known);
    let start = assembled(compiled).unwrap_or_else(|error| panic!("{label}: {error}"));
    let mut states = scattered(compiled, &start, anywhere, random);
    let on = consistent(compiled, &start, count, random);
    assert!(!on.is_empty(), "{label}: no state is consistent");
    side.law(laws::derivatives_are_differences(compiled, &states));
    states.extend(on.iter().cloned());
    let oracles = Oracle::all(compiled, &states);
    side.law(laws::equations_are_those_of_series(compiled, &oracles));
    side.law(laws::reports_are_those_of_series(compiled, &oracles));
    side.law(laws::accelerations_solve_their_equations(compiled, &states));
    side.law(laws::stages_accelerate_alike(compiled, &states));
    side.law(laws::solves_solve_their_equations(compiled, &states));
    side.law(laws::loads_account_for_energy(compiled, &oracles[states.len() - on.len()..]));
    side.law(laws::sides_agree(compiled, engine, compared, &states));
    on
}

/// Simulates a declaration on every side, and calls `check` with sizes, time and outputs at twenty times.
#[track_caller]
pub fn run_on_every_side(text: &str, seconds: f64, check: impl Fn(Sizes, f64, &[f64])) {
    for Sides { label, compiled, engine } in &sides(text) {
        run(&format!("compiled, {label}"), compiled, seconds, &check);
        run(&format!("engine, {label}"), engine, seconds, &check);
    }
}

fn run<M: Mechanism>(label: &str, mechanism: &M, seconds: f64, check: &impl Fn(Sizes, f64, &[f64])) {
    let mut state = State::new(mechanism);
    assemble(mechanism, &mut state).unwrap_or_else(|error| panic!("{label}: {error}"));
    let mut integrator = DormandPrince::new(mechanism).with_tolerances(1e-10, 1e-10);
    let sizes = mechanism.sizes();
    let (mut a, mut lambda) = (vec![0.0; sizes.n_v], vec![0.0; sizes.n_c]);
    let mut outputs = vec![0.0; sizes.n_outputs];
    for k in 0..=20 {
        let until = seconds * f64::from(k) / 20.0;
        integrator
            .advance_to(mechanism, &mut state, until, &mut |_: StateView, _: &mut [f64]| {})
            .unwrap_or_else(|error| panic!("{label} at {until}: {error}"));
        let (z, u) = (state.z.as_ref(), vec![0.0; sizes.n_u]);
        let at = StateView { t: state.t, q: state.q.as_ref(), v: state.v.as_ref(), z, u: &u };
        mechanism.accelerations(at, &mut a, &mut lambda).unwrap_or_else(|error| panic!("{label} at {until}: {error}"));
        mechanism.outputs(at, &a, &lambda, &mut outputs);
        println!("{label}");
        check(sizes, state.t, &outputs);
    }
}
