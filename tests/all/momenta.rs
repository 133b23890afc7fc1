//! Momentum steps (`Zhong06`) of declared mechanisms, compiled and in the engine: the cases `zhong06_*`, conservation laws, and the façade.

use mbs::{
    Describe, Engine, Error, Integrator, Item, Mechanism, Momenta, Quantity, Simulation, State, Stepper, Unsuited,
    Zhong06, assemble, zero_inputs,
};
use serde_json::Value;

/// Compiles a declaration, and defines its text as a constant.
macro_rules! compiled_and_text {
    ($name:ident, $($token:tt)*) => {
        mbs::mechanism! { $($token)* }
        const $name: &str = stringify!($($token)*);
    };
}

compiled_and_text! { BARS,
    /// Thin bars of 2 kg/m; `fourbar_forward` without its spring.
    planar Bars {
        kernels: [forward, kinematics, energies, outputs, momenta];
        coordinates: natural;
        gravity: [0, -9.81];
        body crank   { mass: 0.2, inertia: 0.2 * 0.1 * 0.1 / 12, com: [0.05, 0], angle: 1.0 }
        body coupler { mass: 0.7, inertia: 0.7 * 0.35 * 0.35 / 12, com: [0.175, 0], angle: -1.12 }
        body rocker  { mass: 0.5, inertia: 0.5 * 0.25 * 0.25 / 12, com: [0.125, 0], angle: 4.32 }
        joint bearing  = revolute(ground, crank);
        joint knee     = revolute(crank at [0.1, 0], coupler);
        joint elbow    = revolute(coupler at [0.35, 0], rocker at [0.25, 0]);
        joint shoulder = revolute(ground at [0.3, 0], rocker);
        initial bearing.angle = 1.0, bearing.rate = 10;
    }
}

compiled_and_text! { FALL,
    planar Fall {
        kernels: [forward, kinematics, energies, momenta];
        coordinates: natural;
        gravity: [0, -9.81];
        body stone { mass: 1, inertia: 1 }
        joint flight = free(ground, stone);
    }
}

compiled_and_text! { DRIVEN,
    /// A pendulum on a slide with a prescribed motion: its kinetic energy depends on time.
    planar Driven {
        kernels: [forward, kinematics, energies, momenta];
        coordinates: joint;
        gravity: [0, -9.81];
        body slide { mass: 2, inertia: 0.1 }
        body bob { mass: 1, inertia: 0.02, com: [0, -0.5] }
        joint rail = prismatic(ground, slide) { axis: [1, 0] };
        joint pin = revolute(slide, bob);
        prescribe shake = rail.position == 0.1 * sin(7 * t);
        initial pin.angle = 0.4;
    }
}

fn case(name: &str) -> Value {
    let path = format!("{}/reference/{name}.json", env!("CARGO_MANIFEST_DIR"));
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

fn list(value: &Value) -> Vec<f64> {
    value.as_array().unwrap().iter().map(|x| x.as_f64().unwrap()).collect()
}

fn assert_close(found: &[f64], expected: &[f64], tolerance: f64, quantity: &str) {
    for (a, b) in found.iter().zip(expected) {
        assert!((a - b).abs() <= tolerance, "{quantity}: {a} for {b}, {:.1e} apart", (a - b).abs());
    }
}

/// Asserts that steps are those of the case to its stated accuracy; see `mbs-core/tests/runtime/zhong06.rs` for speeds after 1000 steps.
fn follow<M: Momenta>(m: &M, mut stepper: Zhong06<M>, reference: &Value, h: f64) {
    let steps = reference["steps"].as_object().unwrap();
    let mut state = State::new(m);
    state.q.as_mut().copy_from_slice(&list(&steps["0"]["q"]));
    state.v.as_mut().copy_from_slice(&list(&steps["0"]["qdot"]));
    for n in 1..=1000 {
        stepper.step(m, &mut state, &mut zero_inputs, h).unwrap();
        let Some(row) = steps.get(&n.to_string()) else { continue };
        assert_close(state.q.as_ref(), &list(&row["q"]), 1e-11, "positions");
        assert_close(state.v.as_ref(), &list(&row["qdot"]), if n <= 250 { 1e-11 } else { 5e-11 }, "speeds");
        let energy = m.energy(state.view(&[]));
        assert!(energy.kinetic > 0.0);
    }
}

#[test]
fn a_declared_four_bar_takes_the_steps_of_the_case() {
    let (compiled, engine) = (Bars::new(Default::default()).unwrap(), Engine::text(BARS).unwrap());
    let case = case("zhong06_fourbar_forward");
    for h in [0.002, 0.0005] {
        let reference = &case["reference"][format!("h={h}")];
        follow(&compiled, Zhong06::new(&compiled, h), reference, h);
        follow(&compiled, Zhong06::without_derivatives(&compiled, h), reference, h);
        follow(&engine, Zhong06::new(&engine, h), reference, h);
    }
}

#[test]
fn energy_does_not_drift_by_steps_with_exact_derivatives() {
    let m = Bars::new(Default::default()).unwrap();
    let mut state = State::new(&m);
    assemble(&m, &mut state).unwrap();
    let mut stepper = Zhong06::new(&m, 1e-3);
    // ½ p·M⁻¹p + V.
    let energy = |state: &State<Bars>, p: &[f64]| {
        0.5 * state.v.iter().zip(p).map(|(v, p)| v * p).sum::<f64>() + m.energy(state.view(&[])).potential
    };
    let mut p = [0.0; 4];
    m.momenta(state.view(&[]), &mut p).unwrap();
    let initial = energy(&state, &p);
    let mut largest = [0.0_f64; 10];
    for k in 0..100_000 {
        stepper.step(&m, &mut state, &mut zero_inputs, 1e-3).unwrap();
        largest[k / 10_000] = largest[k / 10_000].max((energy(&state, stepper.momenta()) - initial).abs());
    }
    // The energy of a state is that of its speeds, also if they violate velocity rows.
    let reported = m.energy(state.view(&[]));
    let total = energy(&state, stepper.momenta());
    assert!((reported.kinetic + reported.potential - total).abs() < 1e-12, "{reported:?} {total}");
    let evaluations = stepper.statistics().evaluations;
    println!("{largest:?} J of {initial:.3} J, {evaluations} evaluations");
    // The case states 7.02e-4 J at steps of 1 ms.
    assert!(largest.iter().all(|x| *x < 7.1e-4), "{largest:?}");
    assert!(largest[9] < 1.02 * largest[0], "{largest:?}");
    assert!(evaluations < 200_000, "{evaluations}");
}

#[test]
fn free_fall_of_a_body_is_exact() {
    let (compiled, engine) = (Fall::new(Default::default()).unwrap(), Engine::text(FALL).unwrap());
    fn fall<M: Momenta>(m: &M, reference: &Value) {
        let (mut state, mut stepper) = (State::new(m), Zhong06::new(m, 1e-3));
        let (z, vz) = (list(&reference["z"]), list(&reference["vz"]));
        for n in 1..=10 {
            stepper.step(m, &mut state, &mut zero_inputs, 1e-3).unwrap();
            let [y, rate] = [state.q.as_ref()[1], state.v.as_ref()[1]];
            // The tolerance is the accuracy that the case states.
            assert_close(&[y, rate], &[z[n], vz[n]], 2e-16, "position and speed");
            if n == 1 {
                assert_close(&stepper.mid_velocity()[1..2], &list(&reference["v_mid_first"])[2..], 2e-16, "mean speed");
            }
        }
    }
    let case = case("zhong06_free_fall_rible_doc");
    fall(&compiled, &case["reference"]);
    fall(&engine, &case["reference"]);
}

#[test]
fn prescribed_motions_are_moved_where_momenta_are_written() {
    let (compiled, engine) = (Driven::new(Default::default()).unwrap(), Engine::text(DRIVEN).unwrap());
    let end = |integrator| {
        let run = Simulation::new(&compiled).integrator(integrator).duration(1.0).run().unwrap();
        run.table(Quantity::Coordinates).columns().iter().map(|column| *column.last().unwrap()).collect::<Vec<f64>>()
    };
    let exact = end(Integrator::default());
    let errors = [5e-3, 2.5e-3].map(|step| {
        let found = end(Integrator::Zhong06 { step });
        found.iter().zip(&exact).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
    });
    let order = (errors[0] / errors[1]).log2();
    println!("prescribed: errors {errors:?}, order {order:.3}");
    assert!((order - 2.0).abs() < 0.15 && errors[1] < 1e-3, "{errors:?}");
    let mut state = State::new(&engine);
    assemble(&engine, &mut state).unwrap();
    let refused = Zhong06::new(&engine, 1e-3).step(&engine, &mut state, &mut zero_inputs, 1e-3);
    assert_eq!(refused, Err(Error::Unsuited { cause: Unsuited::Prescribed }));
}

#[test]
fn a_simulation_reports_unsuited_mechanisms() {
    let text = "spatial Top { gravity: [0, 0, -9.81]; body top { mass: 1, inertia: [1, 1, 2], com: [0, 0, 1] } \
                joint tip = spherical(ground, top); }";
    let top = Engine::text(text).unwrap();
    let failure = Simulation::new(&top).integrator(Integrator::Zhong06 { step: 1e-3 }).duration(0.1).run().unwrap_err();
    assert!(failure.to_string().contains("use natural coordinates"), "{failure}");
    assert!(!top.name(Item::Coordinate(0)).is_empty());
}
