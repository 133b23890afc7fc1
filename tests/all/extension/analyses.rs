//! Checks of all analyses of the library, for any mechanism.

use mbs::{
    Describe, FullMechanism, Integrator, Level, Loaded, Loads, Mechanism, Projection, Quantity, Recorder, Recording,
    Rk4, Simulation, Stabilization, State, StateView, Stepper, ZeroOrderHold, max_norm,
};

use crate::extension::laws::{self, Random, assert_near};

/// A generic law of inputs: a sine of 2 N or N m with a period of a second.
pub fn law(at: StateView, u: &mut [f64]) {
    u.fill(2.0 * (6.0 * at.t).sin());
}

/// Largest |Φ|, |ψ| and residual of an `initial` condition.
fn misses<M: Mechanism>(mechanism: &M, state: &State<M>) -> [f64; 3] {
    let sizes = mechanism.sizes();
    let (mut phi, mut psi) = (vec![0.0; sizes.n_position], vec![0.0; sizes.n_velocity]);
    mechanism.position_residuals(state.view(&[]), &mut phi);
    mechanism.velocity_residuals(state.view(&[]), &mut psi);
    let u = vec![0.0; sizes.n_u];
    let condition = |i| mechanism.initial_condition(i, state.view(&u), &mut vec![0.0; sizes.n_v]).residual;
    let conditions: Vec<f64> = (0..sizes.n_conditions).map(condition).collect();
    [max_norm(&phi), max_norm(&psi), max_norm(&conditions)]
}

/// Asserts that assembly from the guess satisfies rows and conditions to round-off.
pub fn assert_assembles<M: Mechanism>(mechanism: &M) {
    let mut state = State::new(mechanism);
    let before = misses(mechanism, &state);
    assert!(before.iter().any(|miss| *miss > 1e-3), "the guess is assembled already: {before:?}");
    let report = mbs::assemble(mechanism, &mut state).unwrap();
    let after = misses(mechanism, &state);
    println!("{report:?}, {after:?}");
    // Values up to 10, at most a few hundred ε.
    assert!(after.iter().all(|miss| *miss < 1e-13), "{after:?}");
}

/// Asserts that gradients of conditions are derivatives of their residuals with respect to displacements or to v.
pub fn assert_conditions<M: Mechanism>(mechanism: &M) {
    let (n_v, n_q) = (mechanism.sizes().n_v, mechanism.sizes().n_q);
    laws::for_each_state(mechanism, |at, _| {
        for i in 0..mechanism.sizes().n_conditions {
            let mut gradient = vec![0.0; n_v];
            let level = mechanism.initial_condition(i, at, &mut gradient).level;
            let residual = |k: usize, h: f64| {
                let (mut q, mut v, mut delta) = (at.q.to_vec(), at.v.to_vec(), vec![0.0; n_v]);
                delta[k] = h;
                match level {
                    Level::Position => mechanism.retract(at.t, &mut q, &delta, &mut vec![0.0; n_q]),
                    Level::Velocity => v[k] += h,
                }
                mechanism.initial_condition(i, StateView { q: &q, v: &v, ..at }, &mut vec![0.0; n_v]).residual
            };
            // Central differences have errors of (1e-5)² times third derivatives, and ε/1e-5.
            let difference = |k| (residual(k, 1e-5) - residual(k, -1e-5)) / 2e-5;
            assert_near(&(0..n_v).map(difference).collect::<Vec<_>>(), &gradient, 1e-8);
        }
    });
}

/// Asserts that projection corrects a state by the least displacement, and leaves a consistent state unchanged.
pub fn assert_projects<M: Mechanism>(mechanism: &M) {
    let sizes = mechanism.sizes();
    let mut assembled = State::new(mechanism);
    mbs::assemble(mechanism, &mut assembled).unwrap();
    for seed in 0..10 {
        let (mut random, mut state) = (Random(seed), assembled.clone());
        let delta = random.vector(sizes.n_v, 0.05);
        mechanism.retract(0.0, state.q.as_mut(), &delta, &mut vec![0.0; sizes.n_q]);
        state.v.as_mut().copy_from_slice(&random.vector(sizes.n_v, 2.0));
        let mut work = Projection::new(mechanism);
        work.iterations = 10;
        mbs::project(mechanism, &mut state, &mut work).unwrap();
        let [phi, psi, _] = misses(mechanism, &state);
        assert!(phi < 1e-14 && psi < 1e-13, "seed {seed}: {phi:e}, {psi:e}");
        let before = state.clone();
        mbs::project(mechanism, &mut state, &mut work).unwrap();
        assert_near(state.q.as_ref(), before.q.as_ref(), 1e-15);
        assert_near(state.v.as_ref(), before.v.as_ref(), 1e-15);
    }
}

fn last_row(recording: &Recording, quantity: Quantity) -> Vec<f64> {
    recording.table(quantity).columns().iter().map(|column| *column.last().unwrap()).collect()
}

/// Asserts that every integrator with every stabilisation ends in the state of a run at tolerances of 1e-12.
pub fn assert_integrates<M: FullMechanism>(mechanism: &M) {
    let run = |integrator, stabilization| {
        let run = Simulation::new(mechanism).inputs(law).duration(0.5).every(0.1);
        run.integrator(integrator).stabilization(stabilization).run().unwrap()
    };
    let exact = run(Integrator::DormandPrince { rtol: 1e-12, atol: 1e-13 }, Stabilization::Projection);
    let step = 1e-3;
    // Tolerances by order and step, relative to 1 + the size: ten times the measured errors.
    for (integrator, tolerance) in [
        (Integrator::default(), 1e-7),
        (Integrator::Rk4 { step }, 1e-9),
        (Integrator::Rk3 { step }, 3e-7),
        (Integrator::Rk2 { step }, 1e-4),
        (Integrator::SemiImplicitEuler { step }, 2e-2),
        (Integrator::ExplicitEuler { step }, 6e-2),
    ] {
        let baumgarte = Stabilization::Baumgarte { alpha: 10.0, beta: 10.0 };
        for stabilization in [Stabilization::Projection, baumgarte, Stabilization::None] {
            println!("{integrator:?}, {stabilization:?}");
            let recording = run(integrator, stabilization);
            for quantity in [Quantity::Coordinates, Quantity::Speeds, Quantity::Auxiliary, Quantity::Multipliers] {
                assert_near(&last_row(&recording, quantity), &last_row(&exact, quantity), tolerance);
            }
            // Projection stops at 4 ε max(1, |q|²), |q| < 20.
            let kept = if stabilization == Stabilization::Projection { 1e-12 } else { tolerance };
            assert!(max_norm(recording.position_error()) < kept && max_norm(recording.velocity_error()) < kept);
        }
    }
}

/// A custom loop with a sampled controller, a recorder, and steps backward in time.
pub fn assert_steps<M: FullMechanism>(mechanism: &M) {
    let sizes = mechanism.sizes();
    let mut state = State::new(mechanism);
    mbs::assemble(mechanism, &mut state).unwrap();
    let start = state.clone();
    let mut stepper = Rk4::new(mechanism, 1e-3);
    let mut recorder = Recorder::new(mechanism);
    let mut controller = ZeroOrderHold::new(0.05, vec![0.0; sizes.n_u], law);
    for i in 1..=5 {
        controller.advance_to(mechanism, &mut stepper, &mut state, 0.05 * f64::from(i)).unwrap();
        recorder.record(state.view(controller.value())).unwrap();
    }
    assert_eq!((controller.samples(), recorder.recording().len()), (5, 5));
    assert!(state != start);
    // Steps back with the last inputs, then forward again, end in the same state.
    let end = state.clone();
    let inputs_held = controller.value().to_vec();
    let mut inputs = |_: StateView, u: &mut [f64]| u.copy_from_slice(&inputs_held);
    stepper.advance_to(mechanism, &mut state, 0.2, &mut inputs).unwrap();
    stepper.advance_to(mechanism, &mut state, end.t, &mut inputs).unwrap();
    assert_near(state.q.as_ref(), end.q.as_ref(), 1e-9);
    assert_near(state.v.as_ref(), end.v.as_ref(), 1e-8);
    assert_near(state.z.as_ref(), end.z.as_ref(), 1e-8);
}

/// Asserts that loads of closures on bodies and on speeds satisfy M a + Gᵀ λ = Q.
pub fn assert_takes_loads<M: Describe>(mechanism: &M) {
    let body = mechanism.name(mbs::Item::Body(mechanism.sizes().n_bodies - 1)).to_owned();
    let loaded = Loaded::new(mechanism, |at: StateView, loads| {
        let point = loads.point(&*body, [0.1, -0.2, 0.0]);
        loads.wrench(&*body, point, [3.0, -7.0, 0.0], [0.0, 0.0, 0.4]);
        loads.generalized(1, at.v[0]);
    });
    laws::assert_accelerations(&loaded);
    laws::assert_solve(&loaded);
    assert_eq!(loaded.unknown(), None);
}

/// Asserts that a load of a closure has the effect of an equal input, in a run of equal steps.
pub fn assert_load_equals_input<M: FullMechanism>(mechanism: &M, tolerance: f64, load: impl Fn(f64, &mut Loads)) {
    let run = || Simulation::new(mechanism).integrator(Integrator::Rk4 { step: 2e-3 }).duration(1.0);
    let by_input = run().inputs(|_, u| u.fill(2.5)).run().unwrap();
    let by_load = run().load(|_, loads| load(2.5, loads)).run().unwrap();
    for table in [Quantity::Coordinates, Quantity::Speeds, Quantity::Multipliers, Quantity::Forces] {
        for ((name, a), b) in by_input.table(table).iter().zip(by_load.table(table).columns()) {
            println!("{table:?} {name}");
            assert_near(a, b, tolerance);
        }
    }
    // The work of an input is recorded, that of a load is not.
    let works = [&by_input, &by_load].map(|recording| max_norm(recording.auxiliary("work").unwrap()));
    assert!(works[0] > 0.1 && works[1] == 0.0, "{works:?}");
}

/// Asserts that a recording is written as CSV with the named columns, as data of a page, as SVG and by serde.
pub fn assert_reports<M: FullMechanism>(mechanism: &M, columns: &[&str]) {
    let recording = Simulation::new(mechanism).inputs(law).duration(0.2).run().unwrap();
    let mut csv = Vec::new();
    recording.to_csv(&mut csv).unwrap();
    let csv = String::from_utf8(csv).unwrap();
    let header: Vec<&str> = csv.lines().next().unwrap().split(',').collect();
    for column in columns {
        assert!(header.contains(column), "no {column} in {header:?}");
    }
    // Every column has a name, and every line has a number for each.
    assert!(header.iter().all(|name| !name.contains("q[") && !name.contains("lambda[")), "{header:?}");
    assert_eq!(csv.lines().count(), 22);
    for line in csv.lines().skip(1) {
        let numbers: Vec<f64> = line.split(',').map(|x| x.parse().unwrap()).collect();
        assert!(numbers.len() == header.len() && numbers.iter().all(|x| x.is_finite()), "{line}");
    }

    let data = page_data(&recording);
    assert_eq!(data["t"].as_array().unwrap().len(), 21);
    for (drawn, marker) in data["markers"].as_array().unwrap().iter().zip(recording.markers()) {
        assert_eq!(drawn["name"], marker.name);
        assert_eq!(drawn["y"][20].as_f64().unwrap(), marker.positions[20][1]);
    }
    {
        let plot = recording.plot().outputs().energies().errors().table(Quantity::Auxiliary);
        let svg = plot.to_svg().unwrap();
        assert!(svg.contains("polyline") && !svg.contains("NaN"));
    }
    {
        let text = serde_json::to_string(&recording).unwrap();
        assert_eq!(serde_json::from_str::<Recording>(&text).unwrap(), recording);
    }
}

/// The JSON in the page of a recording.
pub fn page_data(recording: &Recording) -> serde_json::Value {
    let page = recording.page().to_html();
    let start = page.find("id=\"data\">").unwrap() + "id=\"data\">".len();
    let length = page[start..].find("</script>").unwrap();
    serde_json::from_str(&page[start..start + length]).unwrap()
}
