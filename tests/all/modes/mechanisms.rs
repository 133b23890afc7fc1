//! Mechanisms from texts, their equilibria and modes.

use mbs::analysis::{Equilibrium, Modes, NoEquilibrium, Statics};
use mbs::{Mechanism, Quantity, Recorder, StateView};
use mbs_codegen::compile_text;
use mbs_compiler::compile::Options;
use mbs_compiler::interp::Fma;
use mbs_interp::Interpreted;
use mbs_model::Formulation;

pub const FORMULATIONS: [Formulation; 3] = [Formulation::Body, Formulation::Joint, Formulation::Natural];

/// The interpreted mechanism of a text, with derivatives.
pub fn mechanism(text: &str, formulation: Formulation) -> Interpreted {
    with_kernels("forward, kinematics, energies, outputs, reactions, linearization", text, formulation)
}

pub fn with_kernels(kernels: &str, text: &str, formulation: Formulation) -> Interpreted {
    let (before, after) = text.split_once('{').expect("a mechanism has a body");
    let text = format!("{before}{{ kernels: [{kernels}]; {after}");
    let options = Options { formulation: Some(formulation), ..Options::default() };
    let compiled = compile_text("mechanism.mbs", &text, options);
    let (compiled, _) = compiled.unwrap_or_else(|e| panic!("{e:?}")).remove(0);
    Interpreted::new(compiled, Fma::Fused).unwrap_or_else(|e| panic!("{e}"))
}

/// Calls `check` with a text in every formulation.
pub fn for_each_formulation(text: &str, mut check: impl FnMut(&Interpreted)) {
    for formulation in FORMULATIONS {
        println!("{formulation:?}");
        check(&mechanism(text, formulation));
    }
}

pub fn solved(statics: Statics<Interpreted>) -> Equilibrium<Interpreted> {
    statics.solve().unwrap_or_else(|e| panic!("{e}"))
}

/// The equilibrium nearest to the declared pose.
pub fn nearest(mechanism: &Interpreted) -> Equilibrium<Interpreted> {
    solved(Statics::new(mechanism))
}

pub fn refused(mechanism: &Interpreted) -> NoEquilibrium {
    match Statics::new(mechanism).solve() {
        Ok(found) => panic!("at rest in {:?}", found.state),
        Err(error) => error,
    }
}

pub fn undamped(mechanism: &Interpreted) -> Modes {
    Modes::undamped(mechanism, &nearest(mechanism)).unwrap_or_else(|e| panic!("{e}"))
}

pub fn damped(mechanism: &Interpreted) -> Modes {
    Modes::damped(mechanism, &nearest(mechanism)).unwrap_or_else(|e| panic!("{e}"))
}

/// The value of an output in an equilibrium.
pub fn output(mechanism: &Interpreted, equilibrium: &Equilibrium<Interpreted>, name: &str) -> f64 {
    reading(mechanism, equilibrium.state.view(&equilibrium.inputs), name)
}

fn reading(mechanism: &Interpreted, at: StateView, name: &str) -> f64 {
    let mut recorder = Recorder::new(mechanism);
    recorder.record(at).unwrap_or_else(|e| panic!("{e}"));
    recorder.recording().table(Quantity::Outputs).column(name).unwrap_or_else(|e| panic!("{e}"))[0]
}

#[track_caller]
pub fn assert_near(found: f64, expected: f64, tolerance: f64) {
    let size = expected.abs().max(1.0);
    assert!((found - expected).abs() <= tolerance * size, "{found} is not {expected}");
}

#[track_caller]
pub fn assert_all_near(found: &[f64], expected: &[f64], tolerance: f64) {
    assert_eq!(found.len(), expected.len(), "{found:?} are not {expected:?}");
    for (found, expected) in found.iter().zip(expected) {
        assert_near(*found, *expected, tolerance);
    }
}

/// The value of an output in the pose of an equilibrium, with given speeds.
pub fn moving_output(
    mechanism: &Interpreted,
    equilibrium: &Equilibrium<Interpreted>,
    speeds: impl IntoIterator<Item = f64>,
    name: &str,
) -> f64 {
    let mut moving = equilibrium.state.clone();
    moving.v.iter_mut().zip(speeds).for_each(|(v, speed)| *v = speed);
    reading(mechanism, moving.view(&equilibrium.inputs), name)
}

/// Number of speeds.
pub fn speeds(mechanism: &Interpreted) -> usize {
    mechanism.sizes().n_v
}
