//! The trolley on a wire: a generated mechanism with a load, a state and a row added, against a declaration with all of these.

use mbs::{Describe, Error, Integrator, Item, Mechanism, Quantity, Recording, Simulation, State, StateView};

use crate::extension::analyses::{self, law};
use crate::extension::laws::{self, assert_near};
use crate::extension::trolley_on_wire::{self as wrapped, HEAT, Trolley, TrolleyOnWire, WIRE, trolley};

mbs::mechanism! {
    /// The trolley of the example with air and wire declared.
    planar Declared {
        gravity: [0, -9.81];
        coordinates: body;
        param radius = 0.1;
        param upper_length = 0.5;
        param lower_length = 0.4;
        param height = -0.6;
        param resistance = 0.8;
        input push;
        let wind = norm(velocity(tip));
        state work = 0 { rate: push * velocity(wheel).x };
        state heat = 0 { rate: resistance * wind.powi(3) };

        body wheel { mass: 2, inertia: 0.01, position: [0, radius] }
        body upper { mass: 0.5, inertia: 0.5 * upper_length.powi(2) / 12, com: [0, -upper_length / 2], angle: 0.6 }
        body lower { mass: 0.8, inertia: 0.8 * lower_length.powi(2) / 12, com: [0, -lower_length / 2], angle: -0.7 }
        marker spoke = wheel at [0, radius];
        marker tip = lower at [0, -lower_length];

        joint axle  = revolute(wheel, upper);
        joint elbow = revolute(upper at [0, -upper_length], lower);
        joint wire  = point_on_line(ground at [0, height], tip) { axis: [1, 0] };
        constraint contact = position(wheel).y == radius;
        constraint rolling = velocity(wheel).x + radius * rate(wheel) == 0;
        force motor = point_force(wheel) { force: [push, 0] };
        force drag  = point_force(tip) { force: -resistance * wind * velocity(tip) };

        initial position(wheel).x = 0, velocity(wheel).x = 0.5, angle(upper) = 0.6, rate(upper) = -1;
        freedoms: 2;
        output travel = position(wheel).x;
        output drag_power = resistance * wind.powi(3);
    }
}

fn on_wire() -> TrolleyOnWire {
    on_wire_at(-0.6)
}

fn on_wire_at(height: f64) -> TrolleyOnWire {
    TrolleyOnWire::new(Trolley::new(trolley::Params::default()).unwrap(), height, 0.8)
}

fn declared() -> Declared {
    Declared::new(declared::Params::default()).unwrap()
}

/// Names of n items.
fn names<M: Describe>(mechanism: &M, n: usize, item: fn(usize) -> Item) -> Vec<String> {
    (0..n).map(|i| mechanism.name(item(i)).to_owned()).collect()
}

#[test]
fn the_new_row_is_between_position_rows_and_velocity_rows() {
    let (mechanism, sizes) = (on_wire(), on_wire().sizes());
    let rows = names(&mechanism, sizes.n_c, Item::Row);
    assert_eq!((rows.len(), sizes.n_position, sizes.n_velocity), (7, 6, 7));
    assert_eq!((rows[WIRE].as_str(), rows[WIRE + 1].as_str()), ("wire.normal", "rolling"));
    assert!(rows[..WIRE].contains(&"contact".to_owned()) && rows[..WIRE].contains(&"elbow.y".to_owned()));
    assert_eq!(names(&mechanism, sizes.n_z, Item::Auxiliary), ["work", "heat"]);
    assert_eq!(names(&mechanism, sizes.n_outputs, Item::Output), ["travel", "wire_force", "drag_power"]);
}

/// Accelerations a and multipliers λ.
fn accelerations<M: Mechanism>(mechanism: &M, at: StateView) -> (Vec<f64>, Vec<f64>) {
    let (mut a, mut lambda) = (vec![0.0; 9], vec![0.0; 7]);
    mechanism.accelerations(at, &mut a, &mut lambda).unwrap();
    (a, lambda)
}

/// Solution x and multipliers μ of `solve`.
fn solution<M: Mechanism>(mechanism: &M, at: StateView, f: &[f64], g: &[f64]) -> (Vec<f64>, Vec<f64>) {
    let (mut x, mut mu) = (vec![0.0; 9], vec![0.0; 7]);
    mechanism.solve(at, f, g, &mut x, &mut mu).unwrap();
    (x, mu)
}

#[test]
fn accelerations_multipliers_and_loads_are_those_of_the_declaration() {
    let (mechanism, declared) = (on_wire(), declared());
    let (extended, reference) = (names(&mechanism, 7, Item::Row), names(&declared, 7, Item::Row));
    let sorted = |rows: &[f64]| -> Vec<f64> {
        reference.iter().map(|name| rows[extended.iter().position(|n| n == name).unwrap()]).collect()
    };
    laws::for_each_state(&mechanism, |at, random| {
        // 1e-11: condition numbers up to 1e3, relative to accelerations and multipliers up to 1e3.
        let ((a, lambda), (expected, multipliers)) = (accelerations(&mechanism, at), accelerations(&declared, at));
        assert_near(&a, &expected, 1e-11);
        assert_near(&sorted(&lambda), &multipliers, 1e-11);

        // Arbitrary right-hand sides: projections, loads and impulses use the same solver.
        let (f, g) = (random.vector(9, 10.0), random.vector(7, 10.0));
        let ((x, mu), (expected, multipliers)) =
            (solution(&mechanism, at, &f, &g), solution(&declared, at, &f, &sorted(&g)));
        assert_near(&x, &expected, 1e-11);
        assert_near(&sorted(&mu), &multipliers, 1e-11);

        let (mut forces, mut expected) = ([0.0; 9], [0.0; 9]);
        mechanism.generalized_forces(at, &mut forces);
        declared.generalized_forces(at, &mut expected);
        assert_near(&forces, &expected, 1e-13);
        let energies = [mechanism.energy(at), declared.energy(at)].map(|energy| [energy.kinetic, energy.potential]);
        assert_near(&energies[0], &energies[1], 1e-13);
        let (mut rates, mut expected) = ([0.0; 2], [0.0; 2]);
        mechanism.auxiliary_rates(at, &mut rates);
        declared.auxiliary_rates(at, &mut expected);
        assert_near(&rates, &expected, 1e-13);
    });
}

/// Asserts that columns of the declaration's recording equal the columns of the same name of the extended mechanism's.
fn assert_same(extended: &Recording, reference: &Recording, tolerance: f64) {
    for table in reference.tables().iter().filter(|table| table.quantity() != Quantity::Errors) {
        let found = extended.table(table.quantity());
        for (name, expected) in table.iter() {
            println!("{:?} {name}", table.quantity());
            assert_near(found.column(name).unwrap(), expected, tolerance);
        }
    }
    for marker in reference.markers() {
        println!("{}", marker.name);
        let (found, expected) = (extended.marker(&marker.name).unwrap(), &marker.positions);
        assert_near(found.as_flattened(), expected.as_flattened(), tolerance);
    }
}

#[test]
fn recordings_are_those_of_the_declaration() {
    let (mechanism, declared) = (on_wire(), declared());
    for (integrator, tolerance) in [
        // With equal steps errors are round-off alone, which 1000 steps amplify.
        (Integrator::Rk4 { step: 2e-3 }, 1e-10),
        // Adaptive steps at tolerances of 1e-9.
        (Integrator::default(), 1e-6),
    ] {
        let extended = Simulation::new(&mechanism).inputs(law).integrator(integrator).duration(2.0).run().unwrap();
        let reference = Simulation::new(&declared).inputs(law).integrator(integrator).duration(2.0).run().unwrap();
        assert_same(&extended, &reference, tolerance);
        assert_eq!(extended.output("wire_force").unwrap(), extended.multiplier("wire.normal").unwrap());
        let force = reference.multiplier("wire.normal").unwrap();
        assert_near(extended.output("wire_force").unwrap(), force, tolerance);
        assert!(force.iter().any(|force| force.abs() > 1.0));
    }
}

#[test]
fn kinetic_and_potential_energy_and_heat_are_conserved() {
    let mechanism = on_wire();
    let run = |law: fn(StateView, &mut [f64])| Simulation::new(&mechanism).inputs(law).duration(5.0).run().unwrap();
    for recording in [run(|_, u| u.fill(0.0)), run(law)] {
        let (work, heat) = (recording.auxiliary("work").unwrap(), recording.auxiliary("heat").unwrap());
        let energy = recording.total_energy();
        assert!(heat[500] > 0.3 && heat.windows(2).all(|pair| pair[1] >= pair[0]), "air takes energy: {}", heat[500]);
        for (i, energy) in energy.iter().enumerate() {
            // Tolerances of 1e-9 over some 400 steps, 2 J.
            let balance = energy + heat[i] - work[i] - recording.total_energy()[0];
            assert!(balance.abs() < 2e-8, "row {i}: {balance:e} J");
        }
    }
}

#[test]
fn the_wire_is_satisfied_to_the_tolerance_of_projection() {
    let recording = Simulation::new(&on_wire()).inputs(law).duration(5.0).run().unwrap();
    // Projection stops at 4 ε max(1, |q|²); the wheel rotates by 30 rad.
    assert!(recording.marker("tip").unwrap().iter().all(|p| (p[1] + 0.6).abs() < 1e-12));
    assert!(recording.marker("tip").unwrap().iter().any(|p| p[0] > 1.0));
}

#[test]
fn assembly_puts_the_tip_on_the_wire() {
    let mechanism = on_wire();
    analyses::assert_assembles(&mechanism);
    let mut state = State::new(&mechanism);
    mbs::assemble(&mechanism, &mut state).unwrap();
    let mut reference = State::new(&declared());
    mbs::assemble(&declared(), &mut reference).unwrap();
    assert_near(&state.q, &reference.q, 1e-13);
    assert_near(&state.v, &reference.v, 1e-12);
    assert_eq!(state.z[HEAT], 0.0);
}

#[test]
fn a_wire_too_far_away_is_named() {
    let far = on_wire_at(-2.0);
    let failure = Simulation::new(&far).run().unwrap_err();
    assert!(failure.to_string().contains("at t = 0") && failure.item().is_some(), "{failure}");
}

#[test]
fn a_taut_trolley_is_singular_in_the_wire() {
    // Both links are vertical: to first order no freedom moves the tip vertically.
    let taut = on_wire_at(-0.8);
    let mut state = State::new(&taut);
    state.q = [0.0, 0.1, 0.0, 0.0, 0.1, 0.0, 0.0, -0.4, 0.0];
    state.v = [0.0; 9];
    let failure = Simulation::new(&taut).initial(state).as_given().run().unwrap_err();
    assert_eq!(failure.item(), Some("wire.normal"), "{failure}");
}

#[test]
fn errors_of_the_trolley_name_its_rows() {
    let mechanism = on_wire();
    let row = |error| match wrapped::renumbered(error) {
        Error::Singular { row, .. } => row,
        other => panic!("{other}"),
    };
    let rows = [trolley::NV - 1, trolley::NV, trolley::NV + WIRE];
    let [speed, first, rolling] = rows.map(|row_of_trolley| row(Error::Singular { row: row_of_trolley, t: 0.0 }));
    assert_eq!((speed, first), (trolley::NV - 1, trolley::NV));
    assert_eq!(mechanism.name(Item::Row(rolling - trolley::NV)), "rolling");
}

#[test]
fn the_page_draws_the_wire_as_a_slot() {
    let recording = Simulation::new(&on_wire()).duration(0.1).run().unwrap();
    let data = analyses::page_data(&recording);
    let wire = data["joints"].as_array().unwrap().iter().find(|joint| joint["name"] == "wire").unwrap();
    let ends = [0, 1].map(|i| data["markers"][wire["ends"][i].as_u64().unwrap() as usize]["name"].clone());
    assert_eq!((&wire["kind"], &ends[0], &ends[1]), (&"slot".into(), &"wire.first".into(), &"tip".into()));
    assert!(recording.forces().iter().any(|force| force.name == "drag" && force.ends.is_none()));
}

#[test]
fn a_load_on_the_wheel_pushes_as_the_input_does() {
    // Errors are round-off alone, which 500 steps amplify.
    analyses::assert_load_equals_input(&on_wire(), 1e-11, |push, loads| {
        let axle = loads.point("wheel", [0.0; 3]);
        loads.wrench("wheel", axle, [push, 0.0, 0.0], [0.0; 3]);
    });
}

#[test]
fn methods_obey_the_laws() {
    let mechanism = on_wire();
    laws::assert_solve(&mechanism);
    laws::assert_accelerations(&mechanism);
    laws::assert_kinematics(&mechanism);
    laws::assert_power(&mechanism, |at: StateView| {
        let mut rates = [0.0; 2];
        mechanism.auxiliary_rates(at, &mut rates);
        rates[0] - rates[1]
    });
    analyses::assert_conditions(&mechanism);
}

#[test]
fn every_analysis_takes_it() {
    let mechanism = on_wire();
    analyses::assert_projects(&mechanism);
    analyses::assert_integrates(&mechanism);
    analyses::assert_steps(&mechanism);
    analyses::assert_takes_loads(&mechanism);
    let columns =
        ["lambda.wire.normal", "lambda.rolling", "z.heat", "output.wire_force", "Q.lower.vx", "marker.wire.first.y"];
    analyses::assert_reports(&mechanism, &columns);
}
