//! Machines against closed forms, in every formulation, in the plane and in space, compiled and by the engine.

mod belts;
mod frames;
mod gears;
mod geneva;

use mbs::engine::Engine;
use mbs::{Describe, Item, Reaction, State, assemble};
use mbs_codegen::compile_text;
use mbs_compiler::compile::Options;
use mbs_compiler::interp::Fma;
use mbs_interp::Interpreted;
use mbs_model::Formulation;

const FORMULATIONS: [Formulation; 3] = [Formulation::Joint, Formulation::Body, Formulation::Natural];

fn compiled(text: &str, formulation: Formulation) -> Interpreted {
    let options = Options { formulation: Some(formulation), ..Options::default() };
    let compiled = compile_text("machine.mbs", text, options);
    let (compiled, _) = compiled.unwrap_or_else(|e| panic!("{formulation:?} {text}\n{e}")).remove(0);
    Interpreted::new(compiled, Fma::Fused).unwrap_or_else(|e| panic!("{e}"))
}

fn by_engine(text: &str, formulation: Formulation) -> Engine {
    Engine::options().formulation(formulation).text(text).unwrap_or_else(|e| panic!("{formulation:?} {text}\n{e}"))
}

/// Outputs and reactions of a mechanism, with their names.
struct Results {
    names: Vec<String>,
    outputs: Vec<f64>,
    joints: Vec<String>,
    reactions: Vec<Reaction>,
}

impl Results {
    /// Results at the assembled start.
    fn at_start<M: Describe>(mechanism: &M) -> Self {
        let mut state = State::new(mechanism);
        assemble(mechanism, &mut state).unwrap_or_else(|e| panic!("{e}"));
        let s = mechanism.sizes();
        let (mut a, mut lambda, u) = (vec![0.0; s.n_v], vec![0.0; s.n_c], vec![0.0; s.n_u]);
        mechanism.accelerations(state.view(&u), &mut a, &mut lambda).unwrap_or_else(|e| panic!("{e}"));
        let (mut reactions, mut outputs) = (vec![Reaction::default(); s.n_joints], vec![0.0; s.n_outputs]);
        mechanism.reactions(state.view(&u), &a, &lambda, &mut reactions);
        mechanism.outputs(state.view(&u), &a, &lambda, &mut outputs);
        let named =
            |item: &dyn Fn(usize) -> Item, n: usize| (0..n).map(|i| mechanism.name(item(i)).to_string()).collect();
        Results {
            names: named(&Item::Output, s.n_outputs),
            outputs,
            joints: named(&Item::Joint, s.n_joints),
            reactions,
        }
    }

    fn output(&self, name: &str) -> f64 {
        let at = self.names.iter().position(|n| n == name);
        self.outputs[at.unwrap_or_else(|| panic!("`{name}` among {:?}", self.names))]
    }

    fn reaction(&self, name: &str) -> Reaction {
        let at = self.joints.iter().position(|n| n == name);
        self.reactions[at.unwrap_or_else(|| panic!("`{name}` among {:?}", self.joints))]
    }
}

/// Results of a text at its start, in every formulation, compiled and by the engine, with their labels.
fn at_start(text: &str) -> Vec<(String, Results)> {
    let each = FORMULATIONS.into_iter().flat_map(|f| {
        let results = [Results::at_start(&compiled(text, f)), Results::at_start(&by_engine(text, f))];
        ["compiled", "engine"].map(|how| format!("{f:?}, {how}")).into_iter().zip(results)
    });
    each.collect()
}

/// Asserts that a value is the expected one, within a tolerance relative to the larger of 1 and the expected value.
#[track_caller]
fn assert_near(case: &str, quantity: &str, results: f64, expected: f64, tolerance: f64) {
    let miss = (results - expected).abs() / expected.abs().max(1.0);
    assert!(miss <= tolerance, "{case}: {quantity} is {results}, not {expected}: off by {miss:.1e}");
}
