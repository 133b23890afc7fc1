//! A declaration compiled and run by the engine, in both formulations: the laws of random mechanisms, and runs.

use mbs_codegen::compile::Options;
use mbs_codegen::interp::Fma;
use mbs_codegen::{Interpreted, compile_text};
use mbs_core::{DormandPrince, Item, Mechanism, Sizes, State, StateView, Stepper, assemble};
use mbs_engine::Engine;
use mbs_model::Formulation;
use mbs_random::laws::{self, Compared};
use mbs_random::oracle::Oracle;
use mbs_random::state::{Random, assembled, consistent, scattered};

/// One formulation.
struct Sides {
    label: String,
    compiled: Interpreted,
    engine: Engine,
}

/// Body coordinates first.
fn sides(text: &str) -> Vec<Sides> {
    let side = |formulation: Formulation| {
        let label = format!("{formulation:?} coordinates of {text}");
        let options = Options { formulation: Some(formulation), ..Options::default() };
        let mut all = compile_text("sides.mbs", text, options).unwrap_or_else(|failure| panic!("{label}: {failure}"));
        let compiled = Interpreted::new(all.remove(0).0, Fma::Plain).expect("defaults are inside their domains");
        let engine = Engine::options().formulation(formulation).text(text);
        let engine = engine.unwrap_or_else(|failure| panic!("{label}: {failure}"));
        Sides { label, compiled, engine }
    };
    [Formulation::Body, Formulation::Joint].map(side).into_iter().collect()
}

/// Holds a declaration, whose poses are assembled, to the laws.
#[track_caller]
pub fn holds(text: &str) {
    let all = sides(text);
    let body = &all[0].compiled;
    for Sides { label, compiled, engine } in &all {
        let law = |result: Result<f64, mbs_random::ledger::Violation>| {
            result.unwrap_or_else(|violation| panic!("{label}\n{violation}"))
        };
        let start = assembled(compiled).unwrap_or_else(|error| panic!("{label}: {error}"));
        let mut random = Random::new(1);
        let mut states = scattered(compiled, &start, 6, &mut random);
        let on = consistent(compiled, &start, 4, &mut random);
        assert!(!on.is_empty(), "{label}: no state is consistent");
        law(laws::derivatives_are_differences(compiled, &states));
        states.extend(on.iter().cloned());
        let oracles = Oracle::all(compiled, &states);
        law(laws::equations_are_those_of_series(compiled, &oracles));
        law(laws::reports_are_those_of_series(compiled, &oracles));
        law(laws::accelerations_solve_their_equations(compiled, &states));
        law(laws::stages_accelerate_alike(compiled, &states));
        law(laws::solves_solve_their_equations(compiled, &states));
        law(laws::mass_is_definite(compiled, &on));
        if compiled.compiled().tree.prescribed.is_empty() {
            law(laws::loads_account_for_energy(compiled, &oracles[states.len() - on.len()..]));
        }
        law(laws::reactions_do_the_power_of_rows(body, &consistent(body, &assembled(body).unwrap(), 2, &mut random)));
        law(laws::formulations_accelerate_alike(body, compiled, &on));
        law(laws::sides_agree(compiled, engine, Compared::of(compiled, true), &states));
    }
}

/// The same of a declaration with rows that are off in some states: those laws that ask for no row.
#[track_caller]
pub fn agrees(text: &str) {
    for Sides { label, compiled, engine } in &sides(text) {
        let start = assembled(compiled).unwrap_or_else(|error| panic!("{label}: {error}"));
        let states = scattered(compiled, &start, 6, &mut Random::new(1));
        let oracles = Oracle::all(compiled, &states);
        let agreed = laws::sides_agree(compiled, engine, Compared::of(compiled, true), &states);
        for result in [laws::equations_are_those_of_series(compiled, &oracles), agreed] {
            result.unwrap_or_else(|violation| panic!("{label}\n{violation}"));
        }
    }
}

/// Compares a declaration that prescribes coordinates with its twin that drives them, at consistent states of joint coordinates: accelerations,
/// energies, powers of forces, outputs.
#[track_caller]
pub fn compared(prescribed: &str, driven: &str) {
    let [given, twin] = [prescribed, driven].map(|text| sides(text).remove(1).compiled);
    let start = assembled(&given).unwrap_or_else(|error| panic!("{prescribed}: {error}"));
    let states = consistent(&given, &start, 4, &mut Random::new(1));
    assert!(!states.is_empty(), "{prescribed}: no state is consistent");
    let names = |mechanism: &Interpreted, item: fn(usize) -> Item, n: usize| -> Vec<String> {
        (0..n).map(|i| mechanism.name(item(i)).to_owned()).collect()
    };
    let (few, all) = (given.sizes(), twin.sizes());
    assert!(few.n_v < all.n_v && few.n_c < all.n_c, "{prescribed}: nothing is eliminated");
    let places = |item: fn(usize) -> Item, few: usize, all: usize| -> Vec<Option<usize>> {
        let own = names(&given, item, few);
        names(&twin, item, all).iter().map(|name| own.iter().position(|own| own == name)).collect()
    };
    let (q_of, v_of) = (places(Item::Coordinate, few.n_q, all.n_q), places(Item::Speed, few.n_v, all.n_v));
    let rows = places(Item::Row, few.n_c, all.n_c);
    for at in &states {
        // What is missing is what the drives' rows p − f(t) tell where it is zero.
        let mut q: Vec<f64> = q_of.iter().map(|i| i.map_or(0.0, |i| at.q[i])).collect();
        let mut v: Vec<f64> = v_of.iter().map(|i| i.map_or(0.0, |i| at.v[i])).collect();
        let missing = |of: &[Option<usize>]| (0..of.len()).filter(|i| of[*i].is_none()).collect::<Vec<_>>();
        let (missing_q, missing_v) = (missing(&q_of), missing(&v_of));
        let mut jacobian = vec![0.0; all.n_velocity * all.n_v];
        let (mut phi, mut psi) = (vec![0.0; all.n_position], vec![0.0; all.n_velocity]);
        let view =
            |q: &[f64], v: &[f64], f: &mut dyn FnMut(StateView)| f(StateView { t: at.t, q, v, z: &at.z, u: &at.u });
        view(&q, &v, &mut |at| {
            Mechanism::constraint_jacobian(&twin, at, &mut jacobian);
            twin.position_residuals(at, &mut phi);
            twin.velocity_residuals(at, &mut psi);
        });
        for (q_i, v_i) in missing_q.into_iter().zip(missing_v) {
            let row = (0..all.n_position).find(|r| rows[*r].is_none() && jacobian[r * all.n_v + v_i] != 0.0);
            let row = row.expect("each is driven");
            (q[q_i], v[v_i]) = (-phi[row], -psi[row]);
        }
        let told = |mechanism: &Interpreted, at: StateView| {
            let s = mechanism.sizes();
            let (mut a, mut lambda, mut outputs) = (vec![0.0; s.n_v], vec![0.0; s.n_c], vec![0.0; s.n_outputs]);
            mechanism.accelerations(at, &mut a, &mut lambda).unwrap_or_else(|error| panic!("{prescribed}: {error}"));
            mechanism.outputs(at, &a, &lambda, &mut outputs);
            let energy = mechanism.energy(at);
            outputs.extend([energy.kinetic, energy.potential]);
            let inputs =
                mbs_codegen::interp::Inputs { t: at.t, q: at.q, v: at.v, z: at.z, u: at.u, ..Default::default() };
            outputs.extend(
                mechanism.run("force_energies", inputs).ok().and_then(|e| e.into_iter().nth(1)).unwrap_or_default(),
            );
            (a, lambda, outputs)
        };
        let (a, lambda, outputs) = told(&given, at.view());
        let mut expected = None;
        view(&q, &v, &mut |at| expected = Some(told(&twin, at)));
        let (all_a, all_lambda, all_outputs) = expected.expect("it was called");
        let pick = |of: &[Option<usize>], from: &[f64], n: usize| -> Vec<f64> {
            (0..n).map(|i| from[of.iter().position(|o| *o == Some(i)).expect("all are of the twin")]).collect()
        };
        let pairs = [
            ("accelerations", a, pick(&v_of, &all_a, few.n_v)),
            ("multipliers", lambda, pick(&rows, &all_lambda, few.n_c)),
            ("outputs, energies, powers", outputs, all_outputs),
        ];
        for (what, found, expected) in pairs {
            let size = expected.iter().fold(1.0_f64, |m, x| m.max(x.abs()));
            for (found, expected) in found.iter().zip(&expected) {
                // Round-off of two eliminations of a few bodies.
                assert!(
                    (found - expected).abs() <= 1e-10 * size,
                    "{what} at {at:?}: {found}, not {expected}\n{prescribed}"
                );
            }
        }
    }
}

/// Runs a declaration on every side for some time, and looks at sizes, time and outputs at twenty times on the way.
#[track_caller]
pub fn runs(text: &str, seconds: f64, look: impl Fn(Sizes, f64, &[f64])) {
    for Sides { label, compiled, engine } in &sides(text) {
        run(&format!("compiled, {label}"), compiled, seconds, &look);
        run(&format!("engine, {label}"), engine, seconds, &look);
    }
}

fn run<M: Mechanism>(label: &str, mechanism: &M, seconds: f64, look: &impl Fn(Sizes, f64, &[f64])) {
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
        look(sizes, state.t, &outputs);
    }
}
