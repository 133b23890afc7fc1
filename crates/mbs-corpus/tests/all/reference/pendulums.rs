//! Pendulums: a point mass, bars, two in a chain, one on a cart.

use mbs::{Describe, DormandPrince};

use crate::reference::case::{Case, for_both_formulations, for_every_formulation};
use crate::reference::comparison::{Accuracy, Comparison, Run, RunSample};

#[test]
fn simple_pendulum_follows_jacobi_for_ten_seconds() {
    let case = Case::read("iftomm_a01_simple_pendulum");
    for_every_formulation!(simple_pendulum {
        mass: case.parameter("point_mass"), length: case.parameter("length"), g: case.parameter("g"),
    } => simple_pendulum(&case));
}

fn simple_pendulum<M: Describe>(coordinates: &str, mechanism: &M, case: &Case) {
    let mut comparison = Comparison::new(&case.name, coordinates, mechanism, &case.times());
    let exact = Accuracy::Absolute(case.accuracy());
    for (column, output) in [
        ("x", "position.x"),
        ("y", "position.y"),
        ("vx", "velocity.x"),
        ("vy", "velocity.y"),
        ("phi", "phi"),
        ("phidot", "rate"),
    ] {
        comparison.compare(column, exact, &case.series(column), |at| at.output(output));
    }
    let energy = case.number_at("reference/energy");
    let drift = comparison.run().samples().map(|at| (at.energy() - energy).abs()).fold(0.0, f64::max);
    comparison.bound("energy drift", drift, 5e-5);
    comparison.finish();
}

/// The long version of the Laboratorio de Ingeniería Mecánica, whose high precision is 1e-3 m after 2000 s: 845 swings.
#[test]
#[cfg_attr(not(largest), ignore = "a quarter of a minute: `.ci/run --full`")]
fn simple_pendulum_keeps_its_phase_for_two_thousand_seconds() {
    let case = Case::read("lim_a01_simple_pendulum_2000s");
    for_every_formulation!(simple_pendulum {
        mass: case.parameter("point_mass"), length: case.parameter("length"), g: case.parameter("g"),
    } => long_pendulum(&case));
}

fn long_pendulum<M: Describe>(coordinates: &str, mechanism: &M, case: &Case) {
    let mut integrator = DormandPrince::new(mechanism).with_tolerances(1e-11, 1e-12);
    // Natural coordinates need 230 steps a second, and the last two times are 1000 s apart.
    integrator.max_steps = 1_000_000;
    let run = Run::with_integrator(mechanism, &case.times(), integrator);
    let (x, y) = (case.series("x"), case.series("y"));
    // The case starts on the opposite side: x₀ = −1 m.
    let apart =
        |(at, (x, y)): (RunSample<'_>, (&f64, &f64))| (at.output("position.x") + x).hypot(at.output("position.y") - y);
    let miss = run.samples().zip(x.iter().zip(&y)).map(apart).fold(0.0, f64::max);
    println!("{} in {coordinates} coordinates: {miss:.1e} m in 2000 s", case.name);
    assert!(miss <= case.number_at("criteria/LIM_high_precision"), "{coordinates}: {miss:.1e} m");
}

#[test]
fn physical_pendulums_follow_jacobi() {
    for name in ["physical_pendulum_170deg", "physical_pendulum_libration_offset", "physical_pendulum_rotating"] {
        let case = Case::read(name);
        for_both_formulations!(physical_pendulum {
            mass: case.parameter("mass"), com_distance: case.parameter("com_distance"), g: case.parameter("g"),
            inertia_com: case.parameter("inertia_com"), start_angle: case.number_at("initial_conditions/phi"),
            start_rate: case.number_at("initial_conditions/phidot"),
        } => physical_pendulum(&case));
    }
}

fn physical_pendulum<M: Describe>(coordinates: &str, mechanism: &M, case: &Case) {
    let mut comparison = Comparison::new(&case.name, coordinates, mechanism, &case.times());
    let exact = Accuracy::Absolute(case.accuracy());
    comparison.compare("phi", exact, &case.series("phi"), |at| at.output("phi"));
    comparison.compare("phidot", exact, &case.series("phidot"), |at| at.output("phi_rate"));
    // The bar is the second end: +λ is the force of the pin on it. Joint coordinates have no such row.
    if comparison.run().has_row("pin.x") {
        comparison.compare("pin reaction x", exact, &case.series("Rx"), |at| at.multiplier("pin.x"));
        comparison.compare("pin reaction y", exact, &case.series("Ry"), |at| at.multiplier("pin.y"));
    }
    comparison.finish();
}

#[test]
fn double_pendulum_keeps_its_modes_and_energy_for_100_s() {
    let case = Case::read("double_pendulum_small_100s");
    for (com, length) in [("c1", "L1"), ("c2", "L2")] {
        assert_eq!(case.parameter(com), case.parameter(length), "point masses at the ends");
    }
    assert_eq!([case.parameter("I1"), case.parameter("I2")], [0.0; 2]);
    for_every_formulation!(double_pendulum {
        m1: case.parameter("m1"), m2: case.parameter("m2"), l1: case.parameter("L1"), l2: case.parameter("L2"),
        g: case.parameter("g"),
    } => double_pendulum(&case));
}

fn double_pendulum<M: Describe>(coordinates: &str, mechanism: &M, case: &Case) {
    let mut comparison = Comparison::new(&case.name, coordinates, mechanism, &case.times());
    let exact = Accuracy::Absolute(case.accuracy());
    for column in ["theta1", "theta2", "omega1", "omega2"] {
        comparison.compare(column, exact, &case.series(column), |at| at.output(column));
    }
    comparison.compare("energy", exact, &case.series("E"), |at| at.output("energy"));
    comparison.finish();
}

#[test]
fn cart_pendulum_matches_lagrange() {
    let case = Case::read("cart_pendulum");
    for_both_formulations!(cart_pendulum {
        cart_mass: case.parameter("M"), m: case.parameter("m"), l: case.parameter("l"), inertia: case.parameter("I"),
        k: case.parameter("k"), c: case.parameter("c"), amplitude: case.parameter("F0"), w: case.parameter("w"),
        g: case.parameter("g"),
    } => cart_pendulum(&case));
}

fn cart_pendulum<M: Describe>(coordinates: &str, mechanism: &M, case: &Case) {
    let mut comparison = Comparison::new(&case.name, coordinates, mechanism, &case.times());
    for column in ["x", "theta", "v", "omega"] {
        let exact = Accuracy::Absolute(case.accuracy());
        comparison.compare(column, exact, &case.series(column), |at| at.output(column));
    }
    comparison.finish();
}
