//! Simulation, recordings and run-time loads, on mechanisms written by hand.

use std::cell::Cell;

use crate::support::{Joint, Planar, Point, double_pendulum, four_bar};
use crate::tier::by_tier;
use mbs::simulation::Cause;
use mbs::{Error, Integrator, Loaded, Mechanism, Quantity, Recorder, Rk4, Simulation, Stabilization, State, Stepper};

#[test]
fn recording_has_a_row_per_time_in_every_column() {
    let mechanism = four_bar();
    let recording = Simulation::new(&mechanism).duration(0.5).every(0.02).run().unwrap();
    assert_eq!(recording.len(), 26);
    assert_eq!(recording.times()[25], 0.5);
    for table in recording.tables() {
        assert_eq!(table.names().len(), table.columns().len());
        assert!(table.columns().iter().all(|column| column.len() == 26), "{:?}", table.quantity());
    }
    assert!(recording.bodies().iter().all(|body| body.positions.len() == 26 && body.attitudes.len() == 26));
    assert!(recording.markers().iter().all(|marker| marker.positions.len() == 26));
    assert!(recording.statistics().accepted > 5);
}

#[test]
fn progress_is_called_at_every_row() {
    let mut heard = Vec::new();
    let recording = Simulation::new(&four_bar()).duration(0.1).progress(|t| heard.push(t)).run().unwrap();
    assert_eq!(heard, recording.times());
}

#[test]
fn names_come_from_the_mechanism_with_fallbacks() {
    let recording = Simulation::new(&four_bar()).duration(0.0).run().unwrap();
    assert_eq!(recording.mechanism(), "FourBar");
    assert_eq!(recording.table(Quantity::Coordinates).names()[8], "q[8]");
    assert_eq!(recording.table(Quantity::Accelerations).names()[0], "a[0]");
    assert_eq!(recording.table(Quantity::Multipliers).names()[2], "crank_pin.x");
    assert_eq!(recording.output("stroke").unwrap(), recording.coordinate("q[6]").unwrap());
    assert_eq!(recording.marker("rocker_pin.first").unwrap().len(), 1);
    assert_eq!(recording.body("coupler").unwrap().positions.len(), 1);
}

#[test]
fn unknown_names_suggest_the_nearest() {
    let recording = Simulation::new(&four_bar()).duration(0.0).run().unwrap();
    let message = recording.output("strok").unwrap_err().to_string();
    assert_eq!(message, "unknown output `strok`, the nearest name is `stroke`");
    assert_eq!(recording.body("wheel").unwrap_err().nearest, None);
    assert!(recording.marker("crank_pin.frist").unwrap_err().nearest.unwrap().starts_with("crank_pin.f"));
}

#[test]
fn constraints_and_energy_are_kept() {
    let recording = Simulation::new(&four_bar()).duration(1.0).run().unwrap();
    // Projection stops at 4 ε max(1, |q|²), with |θ| up to 20 rad.
    assert!(recording.position_error().iter().all(|e| *e < 1e-12));
    assert!(recording.velocity_error().iter().all(|e| *e < 1e-11));
    let total = recording.total_energy();
    assert!(total.iter().all(|e| (e - total[0]).abs() < 1e-6), "{:?}", total.last());
}

#[test]
fn integrators_agree() {
    let (mechanism, duration) = (double_pendulum(), by_tier(0.2, 0.5));
    let run = |integrator| {
        let recording = Simulation::new(&mechanism).integrator(integrator).duration(duration).every(0.1).run().unwrap();
        *recording.marker("tip").unwrap().last().unwrap()
    };
    let exact = run(Integrator::DormandPrince { rtol: 1e-12, atol: 1e-13 });
    // Tolerances by order and step: five times the measured errors.
    for (integrator, tolerance) in [
        (Integrator::default(), 1e-7),
        (Integrator::Rk4 { step: 1e-3 }, 1e-8),
        (Integrator::Rk3 { step: 1e-3 }, 1e-6),
        (Integrator::Rk2 { step: 1e-3 }, 1e-4),
        (Integrator::ImplicitMidpoint { step: 1e-3 }, 1e-4),
        (Integrator::Gauss4 { step: 1e-2 }, 1e-5),
        (Integrator::Gauss6 { step: 2e-2 }, 1e-5),
        (Integrator::GeneralizedAlpha { step: 1e-3, spectral_radius: 0.8 }, 1e-4),
        (Integrator::Zhong06 { step: 1e-3 }, 1e-4),
        (Integrator::SemiImplicitEuler { step: 1e-3 }, 5e-2),
        (Integrator::ExplicitEuler { step: 1e-3 }, 5e-2),
    ] {
        let tip = run(integrator);
        let miss = (tip[0] - exact[0]).hypot(tip[1] - exact[1]);
        assert!(miss < tolerance, "{integrator:?}: {miss:.1e}");
    }
}

#[test]
fn dense_output_agrees_with_steps_that_end_at_the_times() {
    let mechanism = four_bar();
    let dense = Simulation::new(&mechanism).at(&[0.0, 0.017, 0.1713, 0.3]).run().unwrap();
    let landing = Integrator::Rk4 { step: 5e-4 };
    let landed = Simulation::new(&mechanism).integrator(landing).at(&[0.0, 0.017, 0.1713, 0.3]).run().unwrap();
    for (a, b) in dense.table(Quantity::Coordinates).columns().iter().zip(landed.table(Quantity::Coordinates).columns())
    {
        assert!(a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-7), "{a:?} {b:?}");
    }
    assert_eq!(dense.times(), landed.times());
}

#[test]
fn loaded_equals_the_same_load_inside_the_mechanism() {
    let point = Point { body: Some(1), at: [0.05, 0.03] };
    let inside = Planar { wrench: Some((point, [3.0, -7.0], 0.4)), ..four_bar() };
    let free = four_bar();
    let outside = Loaded::new(&free, |_, loads| {
        let point = loads.point("coupler", [0.05, 0.03, 0.0]);
        loads.wrench(1, point, [3.0, -7.0, 0.0], [0.0, 0.0, 0.4]);
    });
    let mut state = State::new(&free);
    mbs::assemble(&free, &mut state).unwrap();
    let at = state.view(&[0.2]);
    let evaluate = |m: &dyn Fn(&mut [f64], &mut [f64])| {
        let (mut a, mut lambda) = (vec![0.0; 9], vec![0.0; 8]);
        m(&mut a, &mut lambda);
        [a, lambda].concat()
    };
    let expected = evaluate(&|a, lambda| inside.accelerations(at, a, lambda).unwrap());
    let found = evaluate(&|a, lambda| outside.accelerations(at, a, lambda).unwrap());
    // 17 unknowns of size up to 1e3, condition number about 1e3.
    assert!(expected.iter().zip(&found).all(|(a, b)| (a - b).abs() < 1e-10), "{expected:?} {found:?}");
    let (mut inner, mut outer) = ([0.0; 9], [0.0; 9]);
    inside.generalized_forces(at, &mut inner);
    outside.generalized_forces(at, &mut outer);
    assert!(inner.iter().zip(&outer).all(|(a, b)| (a - b).abs() < 1e-14), "{inner:?} {outer:?}");
}

#[test]
fn simulated_loads_and_inputs_move_the_mechanism_alike() {
    let (mechanism, duration) = (four_bar(), by_tier(0.15, 0.3));
    let by_input = Simulation::new(&mechanism).inputs(|at, u| u[0] = at.t.cos()).duration(duration).run().unwrap();
    let by_load = Simulation::new(&mechanism)
        .load(|at, loads| loads.wrench("crank", [0.3, 0.2, 0.0], [0.0; 3], [0.0, 0.0, at.t.cos()]))
        .duration(duration)
        .run()
        .unwrap();
    let by_value = Simulation::new(&mechanism)
        .load(|at, loads| loads.generalized(2, at.t.cos()))
        .duration(duration)
        .run()
        .unwrap();
    for other in [&by_load, &by_value] {
        let pairs = by_input.output("stroke").unwrap().iter().zip(other.output("stroke").unwrap());
        assert!(pairs.clone().all(|(a, b)| (a - b).abs() < 1e-9));
    }
    assert_eq!(by_input.input("torque").unwrap()[10], 0.1f64.cos());
    assert_eq!(by_load.input("torque").unwrap()[10], 0.0);
}

#[test]
fn unknown_body_in_a_load_is_named() {
    let mechanism = four_bar();
    let run = Simulation::new(&mechanism).load(|_, loads| loads.wrench("cupler", [0.0; 3], [0.0; 3], [0.0; 3]));
    let failure = run.duration(0.05).run().unwrap_err();
    assert_eq!(failure.to_string(), "unknown body `cupler`, the nearest name is `coupler` in a load");
}

#[test]
fn error_keeps_the_recording() {
    // The load becomes infinite.
    let mechanism = double_pendulum();
    let run =
        Simulation::new(&mechanism).load(|at, loads| loads.generalized(0, if at.t > 0.305 { f64::NAN } else { 0.0 }));
    let failure = run.integrator(Integrator::Rk4 { step: 0.01 }).duration(1.0).every(0.1).run().unwrap_err();
    assert!(matches!(failure.cause, Cause::Run(Error::NotFinite { .. })), "{failure}");
    assert_eq!(failure.recording.times(), [0.0, 0.1, 0.2, 0.30000000000000004]);
    let debug = format!("{failure:?}");
    assert!(debug.lines().next().is_some_and(|line| line.ends_with("(4 rows recorded)")), "{debug}");
    assert!(debug.contains("a load of a closure along speed"), "{debug}");
}

#[test]
fn redundant_row_is_named() {
    let mut mechanism = double_pendulum();
    let end = Point { body: Some(0), at: [-0.3, 0.0] };
    mechanism.joints.push(Joint::pin("again", Point { body: None, at: [0.0, 0.0] }, end));
    let failure = Simulation::new(&mechanism).run().unwrap_err();
    assert_eq!(failure.item(), Some("again.y"));
    let message = failure.to_string();
    assert_eq!(message.lines().next(), Some("singular at t = 0: the pivot of `again.y` vanishes"));
    assert!(message.contains("redundant: constraint `again.x` constrains nothing new"), "{message}");
    assert!(failure.recording.is_empty());
}

#[test]
fn a_pose_that_does_not_close_is_named() {
    let mut mechanism = double_pendulum();
    mechanism.joints.push(Joint::pin(
        "far",
        Point { body: None, at: [5.0, 0.0] },
        Point { body: Some(1), at: [0.2, 0.0] },
    ));
    let message = Simulation::new(&mechanism).run().unwrap_err().to_string();
    assert!(message.contains("at t = 0") && message.contains('`'), "{message}");
}

#[test]
fn times_must_not_decrease() {
    let mechanism = double_pendulum();
    let failure = Simulation::new(&mechanism).at(&[0.0, 0.2, 0.1]).run().unwrap_err();
    assert_eq!(failure.cause, Cause::Times { index: 2 });
    let failure = Simulation::new(&mechanism).at(&[-0.1]).run().unwrap_err();
    assert_eq!(failure.cause, Cause::Times { index: 0 });
}

#[test]
fn settings_out_of_their_domain_are_named() {
    type Set = fn(Simulation<Planar>, f64) -> Simulation<Planar>;
    let settings: [(&str, Set); 14] = [
        ("every", |run, x| run.every(x)),
        ("duration", |run, x| run.duration(x)),
        ("max_step", |run, x| run.max_step(x)),
        ("rtol", |run, rtol| run.integrator(Integrator::DormandPrince { rtol, atol: 1e-9 })),
        ("atol", |run, atol| run.integrator(Integrator::DormandPrince { rtol: 1e-9, atol })),
        ("step", |run, step| run.integrator(Integrator::Rk4 { step })),
        ("step", |run, step| run.integrator(Integrator::Rk3 { step })),
        ("step", |run, step| run.integrator(Integrator::Rk2 { step })),
        ("step", |run, step| run.integrator(Integrator::SemiImplicitEuler { step })),
        ("step", |run, step| run.integrator(Integrator::ExplicitEuler { step })),
        ("step", |run, step| run.integrator(Integrator::Gauss4 { step })),
        ("step", |run, step| run.integrator(Integrator::Gauss6 { step })),
        ("step", |run, step| run.integrator(Integrator::GeneralizedAlpha { step, spectral_radius: 0.5 })),
        ("spectral_radius", |run, spectral_radius| {
            run.integrator(Integrator::GeneralizedAlpha { step: 0.01, spectral_radius })
        }),
    ];
    let mechanism = double_pendulum();
    for (name, set) in settings {
        for value in [f64::NAN, f64::INFINITY, -1.0, 0.0] {
            let outcome = set(Simulation::new(&mechanism), value).run();
            if value == 0.0 && ["duration", "rtol", "spectral_radius"].contains(&name) {
                assert!(outcome.is_ok(), "{name} = 0: {outcome:?}");
                continue;
            }
            let failure = outcome.unwrap_err();
            assert!(
                matches!(failure.cause, Cause::Setting { name: n, .. } if n == name),
                "{name} = {value}: {failure}"
            );
            assert!(failure.recording.is_empty());
        }
    }
    let failure = Simulation::new(&mechanism).every(1e-300).run().unwrap_err();
    assert!(matches!(failure.cause, Cause::Memory { .. }), "{failure}");
    let failure = Simulation::new(&mechanism).every(-0.5).run().unwrap_err();
    assert_eq!(failure.to_string(), "`every` is -0.5, it has to be positive and finite");
}

#[test]
fn steps_that_time_cannot_resolve_end_the_run() {
    let mechanism = double_pendulum();
    let mut state = State::new(&mechanism);
    state.t = 1e9;
    let run = Simulation::new(&mechanism).initial(state).integrator(Integrator::Rk4 { step: 1e-9 });
    let failure = run.run().unwrap_err();
    assert!(matches!(failure.cause, Cause::Run(Error::StepTooSmall { .. })), "{failure}");
}

#[test]
fn steps_are_no_longer_than_set() {
    // A push of 5 ms, which longer steps would miss.
    let push = |at: mbs::StateView, u: &mut [f64]| u[0] = if (1.0..1.005).contains(&at.t) { 50.0 } else { 0.0 };
    let mechanism = Planar { rates: vec![0.0, 0.0], ..double_pendulum() };
    let run = |limit: Option<f64>, integrator| {
        let run = Simulation::new(&mechanism).inputs(push).integrator(integrator).duration(1.2);
        limit.into_iter().fold(run, |run, limit| run.max_step(limit)).run().unwrap()
    };
    let loose = Integrator::DormandPrince { rtol: 1e-2, atol: 1e-2 };
    let (passed, noticed) = (run(None, loose), run(Some(1e-3), loose));
    assert!(passed.statistics().accepted < 200, "{:?}", passed.statistics());
    assert!(noticed.statistics().accepted >= 1200, "{:?}", noticed.statistics());
    assert_eq!(run(Some(1e-3), Integrator::Rk4 { step: 0.1 }).statistics().accepted, 1200);
}

#[test]
fn runs_continue_from_a_state() {
    let mechanism = double_pendulum();
    let mut state = State::new(&mechanism);
    state.t = 2.0;
    let recording = Simulation::new(&mechanism).initial(state).duration(0.1).every(0.05).run().unwrap();
    assert_eq!(recording.times(), [2.0, 2.05, 2.1]);
    let baumgarte = Stabilization::Baumgarte { alpha: 10.0, beta: 10.0 };
    let recording = Simulation::new(&mechanism).stabilization(baumgarte).as_given().run().unwrap();
    assert!(recording.position_error().iter().all(|e| *e < 1e-6));
}

#[test]
fn a_given_state_is_kept_and_declared_conditions_are_not() {
    // The crank is declared to start at 10 rad/s; half a second later it has another rate.
    let mechanism = four_bar();
    let full = Simulation::new(&mechanism).at(&[0.0, 0.5, 0.8]).run().unwrap();
    let mut state = State::new(&mechanism);
    state.t = 0.5;
    let at = |quantity, row: usize| full.table(quantity).columns().iter().map(|c| c[row]).collect::<Vec<f64>>();
    state.q.copy_from_slice(&at(Quantity::Coordinates, 1));
    state.v.copy_from_slice(&at(Quantity::Speeds, 1));
    assert!((state.v[2] - 10.0).abs() > 1.0);
    let rest = Simulation::new(&mechanism).initial(state.clone()).at(&[0.5, 0.8]).run().unwrap();
    for quantity in [Quantity::Coordinates, Quantity::Speeds] {
        for (full, rest) in full.table(quantity).columns().iter().zip(rest.table(quantity).columns()) {
            // The first row is exact up to a projection, the second differs by the choice of steps: 1e-9 of |q|, |v| ≤ 40.
            assert!((full[1] - rest[0]).abs() < 1e-12 && (full[2] - rest[1]).abs() < 1e-6, "{full:?} {rest:?}");
        }
    }

    // A state off the constraints is assembled, unless it is used as given.
    state.q[0] += 1e-3;
    let near = Simulation::new(&mechanism).initial(state.clone()).duration(0.0).run().unwrap();
    assert!(near.position_error()[0] < 1e-14);
    let given = Simulation::new(&mechanism).as_given().initial(state).duration(0.0).run().unwrap();
    assert!((given.position_error()[0] - 1e-3).abs() < 1e-9);
}

#[test]
fn recorder_serves_custom_loops() {
    let mechanism = double_pendulum();
    let mut state = State::new(&mechanism);
    mbs::assemble(&mechanism, &mut state).unwrap();
    let mut stepper = Rk4::new(&mechanism, 0.01);
    let mut recorder = Recorder::new(&mechanism);
    let evaluations = Cell::new(0);
    for _ in 0..10 {
        recorder.record(state.view(&[0.0])).unwrap();
        let inputs = &mut |_: mbs::StateView, u: &mut [f64]| {
            evaluations.set(evaluations.get() + 1);
            u[0] = 0.0;
        };
        stepper.step(&mechanism, &mut state, inputs, 0.01).unwrap();
    }
    let recording = recorder.finish(stepper.statistics());
    assert_eq!((recording.len(), recording.statistics().accepted, evaluations.get()), (10, 10, 40));
}

#[test]
fn tables_become_matrices() {
    let recording = Simulation::new(&double_pendulum()).duration(0.1).run().unwrap();
    let matrix = recording.table(Quantity::Speeds).matrix();
    assert_eq!(matrix.shape(), (11, 6));
    assert_eq!(matrix[(10, 2)], recording.speed("v[2]").unwrap()[10]);
    assert_eq!(mbs::vector(&[3.0, 4.0]).norm(), 5.0);
}
