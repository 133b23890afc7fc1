//! Each law fails if a number that it checks is wrong, for every entry of every kernel that it checks.

use std::collections::BTreeSet;

use mbs_compiler::compile::Compiled;
use mbs_engine::Engine;
use mbs_interp::Interpreted;
use mbs_model::Formulation;
use mbs_random::laws;
use mbs_random::oracle::Oracle;
use mbs_random::state::{Random, assembled, consistent};

use crate::broken::{TABLE, bench, compiled, interpreted, perturbed, states};
use crate::tier::by_tier;

/// A mechanism in which every kernel has entries and all bodies move: with a drive, a knife edge, and two further degrees of freedom.
const PLANE: &str = "
pub planar Everything {
    gravity: [0.3, -9.81];
    input u;
    state lag = 0.4 { rate: u - lag + rate(arm) };
    state drift = 0.1 { rate: position(tail).y - drift };
    body cart { mass: 2, inertia: 0.3, com: [0.1, 0.05], position: [0.2, 0], angle: 0 }
    body arm { mass: 1, inertia: 0.2, com: [0.4, 0.1], position: [0.4, 0.1], angle: 0.5 }
    body kite { mass: 0.5, inertia: 0.1, com: [0.05, 0.1], position: [1.2, 0.9], angle: 0.3 }
    body tail { mass: 0.3, inertia: 0.05, com: [0.2, 0.02], angle: -0.4 }
    marker tip = arm at [0.8, 0];
    joint rail = prismatic(ground, cart) { axis: [1, 0] };
    joint shoulder = revolute(cart at [0.2, 0.1], arm);
    joint flight = free(ground, kite);
    joint knot = revolute(kite at [0.3, 0.1], tail);
    drive push = rail.position == 0.2 + 0.3 * sin(2 * t);
    constraint blade = dot(velocity(tail), tail.y) + 0.3 * rate(kite) == 0.4 + 0.2 * t;
    force spring = spring_damper(tip, kite at [-0.1, 0.2]) { stiffness: 20, damping: 0.7, free_length: 0.4 };
    force motor = torque(cart, arm) { torque: u - 0.3 * shoulder.rate };
    force coil = torsion_spring(arm, tail) { stiffness: 2, damping: 0.1 };
    potential well = 0.3 * distance(ground, tail at [0.4, 0.1]);
    initial shoulder.angle = 0.5, rate(kite) = 0.2;
    output height = position(tail at [0.4, 0]).y;
    output second = rate(rate(drift)) + rate(lag);
    output effort = load(push) * acceleration(tip).x;
}";

/// A spatial mechanism in which every kernel has entries, with several attitude representations, speeds in world and body axes, and a line.
const SPACE: &str = "
pub spatial Everything {
    gravity: [0.3, 0.5, -9.81];
    input u;
    state lag = 0.4 { rate: u - lag + shoulder.u[0] };
    state drift = 0.1 { rate: position(tail).y - drift };
    body cart { mass: 2, inertia: [0.3, 0.2, 0.4], com: [0.1, 0.05, 0.2], position: [0.2, 0, 0], rotation: axis_angle([1, 2, 2], 0.4) }
    body arm {
        mass: 1, inertia: [[0.2, 0.02, 0], [0.02, 0.3, 0.01], [0, 0.01, 0.25]], com: [0.4, 0.1, 0.05],
        position: [0.4, 0.1, 0], rotation: axis_angle([1, 0, 0], 0.5)
    }
    body kite {
        mass: 0.5, inertia: [0.1, 0.12, 0.15], com: [0.05, 0.1, -0.1], position: [1.2, 0.9, 0.3],
        rotation: axis_angle([1, 2, 3], 0.3), attitude: mrp
    }
    body tail {
        mass: 0.3, inertia: [0.05, 0.06, 0.04], com: [0.2, 0.02, 0.1], rotation: axis_angle([0, 1, 1], 0.4), attitude: vector
    }
    marker tip = arm at [0.8, 0, 0.1];
    marker bench = ground { rotation: axis_angle([1, 2, 2], 0.4) };
    joint rail = prismatic(bench, cart) { axis: [1, 0, 0] };
    joint shoulder = universal(cart at [0.2, 0.1, 0], arm);
    joint flight = free(ground, kite);
    joint knot = line_orientation(kite at [0.3, 0.1, 0.2], tail);
    drive push = rail.position == 0.2 + 0.3 * sin(2 * t);
    constraint blade = dot(velocity(tail), tail.y) + 0.3 * angular_velocity(kite).x == 0.4 + 0.2 * t;
    force spring = spring_damper(tip, kite at [-0.1, 0.2, 0.1]) { stiffness: 20, damping: 0.7, free_length: 0.4 };
    force motor = torque(cart, arm) { torque: [u - 0.3 * shoulder.u[0], 0.2, 0] in arm };
    force rubber = bushing(arm, tail) { stiffness: [2, 3, 4], torsional_stiffness: [1, 2, 1], damping: [0.1, 0.2, 0.1] };
    potential well = 0.3 * distance(ground, tail at [0.4, 0.1, 0]);
    initial shoulder.q[0] = 0.5, angular_velocity(kite).z = 0.2;
    output height = position(tail at [0.4, 0, 0.1]).z;
    output facing: [4] = quaternion(rotation(tail));
    output second = rate(rate(drift)) + rate(lag);
    output effort = load(push) * acceleration(tip).x;
    output motion0 = acceleration(cart); output turn0 = angular_acceleration(cart);
    output motion1 = acceleration(arm); output turn1 = angular_acceleration(arm);
    output motion2 = acceleration(kite); output turn2 = angular_acceleration(kite);
    output motion3 = acceleration(tail); output turn3 = angular_acceleration(tail);
}";

#[test]
fn every_law_fails_when_any_number_it_guards_is_off() {
    notice_every_mistake(PLANE, 3);
}

#[test]
fn every_law_fails_in_space_when_any_number_it_guards_is_off() {
    notice_every_mistake(SPACE, 1);
}

/// Checks each law with each error, at `count` states of each sort.
fn notice_every_mistake(text: &str, count: usize) {
    let right = interpreted(compiled(text, Formulation::Joint));
    let states = states(&right, count);
    let bench = bench(text, &right, &states);
    let mut unnoticed = Vec::new();
    for (name, law, by, guarded) in TABLE {
        law(&right, &bench).unwrap_or_else(|violation| panic!("without a mistake: {violation}"));
        for (function, output) in *guarded {
            let Some(kernel) = right.compiled().function(function) else {
                // In the plane they are the speeds, and all angles are coordinates.
                assert!(["coordinate_rates", "memories"].contains(function), "{function}");
                continue;
            };
            let entries = kernel.outputs[*output].values.len();
            for entry in 0..entries {
                match law(&perturbed(&right, function, *output, entry, *by), &bench) {
                    Ok(error) => unnoticed.push(format!("{name}: {function}, output {output}, [{entry}]: {error:.1e}")),
                    Err(violation) => assert_eq!(violation.law, *name),
                }
            }
        }
    }
    assert!(unnoticed.is_empty(), "unnoticed:\n{}", unnoticed.join("\n"));
}

#[test]
fn every_kernel_is_guarded() {
    for text in [PLANE, SPACE] {
        guard_every_kernel(&compiled(text, Formulation::Joint));
    }
}

fn guard_every_kernel(compiled: &Compiled) {
    let guarded: BTreeSet<&str> = TABLE.iter().flat_map(|row| row.3).map(|(function, _)| *function).collect();
    // Values of `prepare` are read by `accelerate` and `solve`, whose results are checked.
    let stages = ["position", "velocity", "pivots"];
    let others = compiled.program.functions.iter().map(|f| f.name.as_str());
    let others: Vec<&str> = others.filter(|name| !guarded.contains(name) && !stages.contains(name)).collect();
    assert_eq!(others, [""; 0], "no law looks at these");
}

#[test]
fn a_mass_matrix_that_is_not_symmetric_or_not_definite_is_noticed() {
    let right = interpreted(compiled(PLANE, Formulation::Joint));
    let states = states(&right, 3);
    laws::mass_is_definite(&right, &states.on).unwrap_or_else(|violation| panic!("without a mistake: {violation}"));
    let n = states.start.v.len();
    for entry in 0..n * n {
        // Symmetry is to the bit, so that one rounding suffices. A diagonal entry has to become negative, and belong to an admissible motion:
        // the drive constrains the rail.
        let by = if entry % (n + 1) == 0 { -100.0 } else { 1e-12 };
        let result = laws::mass_is_definite(&perturbed(&right, "mass_matrix", 0, entry, by), &states.on);
        assert_eq!(result.is_err(), entry != 0, "entry {entry}");
    }
}

/// An error of 1e-5 in each of the compiler's products, whose terms are of order one.
#[test]
fn a_product_that_is_off_is_noticed() {
    let text = PLANE.replacen(
        "gravity:",
        "kernels: [forward, kinematics, energies, outputs, reactions, operators]; gravity:",
        1,
    );
    let engine = Engine::options().formulation(Formulation::Joint).text(&text).expect("it compiles");
    let right = interpreted(compiled(&text, Formulation::Joint));
    let states = states(&right, 2);
    let law = |m: &Interpreted| laws::products_are_those_of_matrices(m, &engine, &states.on);
    law(&right).unwrap_or_else(|violation| panic!("without a mistake: {violation}"));
    let kernels = [
        "multiply_by_mass_matrix",
        "multiply_by_inverse_mass_matrix",
        "multiply_by_constraint_jacobian",
        "multiply_by_constraint_jacobian_transpose",
        "project_speeds",
        "inverse_dynamics",
        "solve",
    ];
    for kernel in kernels {
        for entry in 0..right.compiled().function(kernel).expect("it has rows").outputs[0].values.len() {
            assert!(law(&perturbed(&right, kernel, 0, entry, 1e-5)).is_err(), "{kernel}, entry {entry}");
        }
    }
}

/// An error of 1e-5 in one of the compiler's entries, whose terms are of order one. A landing takes every fifth entry.
#[test]
fn a_second_derivative_that_is_off_is_noticed() {
    for text in [PLANE, SPACE] {
        let text = text.replacen("gravity:", "kernels: [forward, kinematics, hessians]; gravity:", 1);
        let engine = Engine::options().formulation(Formulation::Body).text(&text).expect("it compiles");
        let right = interpreted(compiled(&text, Formulation::Body));
        let states = states(&right, 1);
        let expected = laws::contracted_hessians(&engine, &states.on).expect("the engine has them");
        let law = |m: &Interpreted| laws::hessians_are_those(m, &expected, &states.on);
        law(&right).unwrap_or_else(|violation| panic!("without a mistake: {violation}"));
        let entries = right.compiled().function("hessians").expect("it has rows").outputs[0].values.len();
        for entry in (0..entries).step_by(by_tier(5, 1)) {
            assert!(law(&perturbed(&right, "hessians", 0, entry, 1e-5)).is_err(), "entry {entry} of {entries}");
        }
    }
}

/// The value of an event, its rate, and the assignments of its handler are compared.
#[test]
fn an_event_that_is_off_is_noticed() {
    let more = "discrete count = 0.3; event pass = when position(tip).y * drift falls { count = count + arm.x.y; shoulder.rate = 0.3 * u; }";
    let text = PLANE.trim_end().strip_suffix('}').map(|text| format!("{text} {more} }}")).expect("it ends");
    let right = interpreted(compiled(&text, Formulation::Joint));
    let states = states(&right, 2);
    let oracles = Oracle::all(&right, &states.anywhere);
    let law = |m: &Interpreted| laws::events_are_those_of_series(m, &oracles);
    law(&right).unwrap_or_else(|violation| panic!("without a mistake: {violation}"));
    for (kernel, output) in [("event_values", 0), ("event_rates", 0), ("event_0", 0), ("event_0", 1)] {
        assert!(law(&perturbed(&right, kernel, output, 0, 1e-5)).is_err(), "{kernel}, output {output}");
    }
}

#[test]
fn a_reaction_that_is_off_does_another_power_than_its_rows() {
    let right = interpreted(compiled(PLANE, Formulation::Body));
    let start = assembled(&right).expect("it assembles");
    let states = consistent(&right, &start, 3, &mut Random::new(1));
    let law = |m: &Interpreted| laws::reactions_do_the_power_of_rows(m, &states);
    law(&right).unwrap_or_else(|violation| panic!("without a mistake: {violation}"));
    for entry in 0..right.compiled().function("reactions").expect("it has joints").outputs[0].values.len() {
        // Forces and moments; the point of a force of zero is not checked.
        if entry % 5 >= 2 {
            assert!(law(&perturbed(&right, "reactions", 0, entry, 1e-5)).is_err(), "entry {entry}");
        }
    }
}

/// An error of 1e-5 in each generalised force of the compiler, whose terms are of order one.
#[test]
fn a_rate_of_momenta_that_is_off_is_noticed() {
    let spatial = "pub spatial Arm {
        body base { mass: 1, inertia: [0.1, 0.2, 0.3], com: [0.1, 0.2, 0.1] }
        body hand { mass: 2, inertia: [0.2, 0.1, 0.3], com: [0.3, 0, 0.1] }
        joint column = cylindrical(ground, base);
        joint elbow = universal(base at [0.4, 0, 0.2], hand) { axis: [1, 0, 0], second_axis: [0, 1, 0] };
    }";
    for (text, formulation) in [(PLANE, Formulation::Body), (spatial, Formulation::Joint)] {
        let text = text.replace("drive push = rail.position == 0.2 + 0.3 * sin(2 * t);", "");
        let text = text.replace("output effort = load(push) * acceleration(tip).x;", "");
        let engine = Engine::options().formulation(formulation).text(&text).expect("it compiles");
        let right = interpreted(compiled(&text, formulation));
        let states = states(&right, 2);
        let law = |m: &Interpreted| laws::momentum_rates_are_those_of_forces(m, &engine, &states.on);
        law(&right).unwrap_or_else(|violation| panic!("without a mistake: {violation}"));
        for kernel in ["generalized_forces", "velocity_forces"] {
            for entry in 0..right.compiled().function(kernel).expect("it has loads").outputs[0].values.len() {
                assert!(law(&perturbed(&right, kernel, 0, entry, 1e-5)).is_err(), "{kernel}, entry {entry}");
            }
        }
    }
}
