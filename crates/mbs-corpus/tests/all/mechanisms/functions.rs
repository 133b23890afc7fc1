//! Functions made from data and functions of several numbers: the compiler against the engine, in the plane and in space.

use mbs::{CubicSpline, Mechanism, State, Stepper, assemble};
use mbs_engine::Engine;
use mbs_model::Formulation;

use crate::mechanisms::harness::{FORMULATIONS, OwnedState, compiled_fma, corpus, engine, for_each_consistent_state};

/// 1e-9 of the largest: two derivations of the same equations, on numbers up to 10⁵.
#[test]
fn the_engine_agrees_with_the_compiler() {
    for stem in ["quarter_car", "cam_valve", "roller_coaster"] {
        for formulation in FORMULATIONS {
            let (compiled, engine) = (corpus(stem, formulation, compiled_fma()), engine(stem, formulation));
            for_each_consistent_state(stem, compiled, 20, |_, at| {
                let (one, other) = (results(compiled, at), results(&engine, at));
                let scale = one.iter().fold(1.0_f64, |s, x| s.max(x.abs()));
                for (x, y) in one.iter().zip(&other) {
                    assert!((x - y).abs() <= 1e-9 * scale, "{stem} ({formulation:?}): {one:?} and {other:?} at {at:?}");
                }
            });
        }
    }
}

/// Accelerations, multipliers and outputs.
fn results<M: Mechanism>(m: &M, at: &OwnedState) -> Vec<f64> {
    let sizes = m.sizes();
    let (mut a, mut lambda, mut outputs) = (vec![0.0; sizes.n_v], vec![0.0; sizes.n_c], vec![0.0; sizes.n_outputs]);
    m.accelerations(at.view(), &mut a, &mut lambda).unwrap_or_else(|error| panic!("{error} at {at:?}"));
    m.outputs(at.view(), &a, &lambda, &mut outputs);
    [a, lambda, outputs].concat()
}

/// Without drag, on rails that are a spline, energy is conserved to 1e-3 J of 10⁴ J at tolerances of 1e-10, with third derivatives that jump.
#[test]
fn a_car_on_rails_of_points_keeps_its_energy() {
    let text = std::fs::read_to_string(crate::mechanisms::harness::file("roller_coaster")).unwrap();
    let kept = |line: &&str| !line.contains("force air") && !line.contains("let speed") && !line.contains("opaque");
    let text = text.lines().filter(kept).collect::<Vec<_>>().join("\n");
    for formulation in FORMULATIONS {
        let engine = Engine::options().formulation(formulation).text(&text).unwrap_or_else(|e| panic!("{e}"));
        let mut state = State::new(&engine);
        assemble(&engine, &mut state).unwrap();
        let energy = |s: &State<Engine>| engine.energy(s.view(&[])).kinetic + engine.energy(s.view(&[])).potential;
        let before = energy(&state);
        let mut stepper = mbs::DormandPrince::new(&engine).with_tolerances(1e-10, 1e-10);
        stepper.advance_to(&engine, &mut state, 3.0, &mut mbs::zero_inputs).unwrap();
        assert!((energy(&state) - before).abs() <= 1e-3, "{formulation:?}: {}", energy(&state) - before);
    }
}

/// A function is set in all three implementations: tolerance 1e-9 as above.
#[test]
fn a_function_set_at_run_time_changes_all_alike() {
    let flat =
        CubicSpline::new([0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0], [0.0, 0.1, 0.0, -0.1, 0.0, 0.2, 0.1, 0.0]).unwrap();
    let mut engine = engine("quarter_car", Formulation::Joint);
    let mut interpreted = crate::mechanisms::harness::fresh("quarter_car", Formulation::Joint, compiled_fma());
    engine.set_function("road", &flat).unwrap();
    interpreted.set_function("road", &flat).unwrap();
    let params = mbs_corpus::joint::quarter_car::Params { road: flat, ..Default::default() };
    let generated = mbs_corpus::joint::QuarterCar::new(params).unwrap();
    let at = mbs::StateView { t: 0.21, q: &[0.01, 0.37], v: &[0.5, -0.3], z: &[], u: &[] };
    let of = |m: &dyn Fn(&mut [f64])| {
        let mut a = [0.0; 2];
        m(&mut a);
        a
    };
    let one = of(&|a| interpreted.accelerations(at, a, &mut []).unwrap());
    assert_eq!(one, of(&|a| Mechanism::accelerations(&generated, at, a, &mut []).unwrap()));
    let other = of(&|a| engine.accelerations(at, a, &mut []).unwrap());
    assert!(one.iter().zip(other).all(|(x, y)| (x - y).abs() <= 1e-9 * 1e4), "{one:?} and {other:?}");
    let before = crate::mechanisms::harness::fresh("quarter_car", Formulation::Joint, compiled_fma());
    assert_ne!(one, of(&|a| before.accelerations(at, a, &mut []).unwrap()));
}
