//! The laws can disagree: each fails when a number it looks at is off, in every entry of every kernel it guards.

use std::collections::BTreeSet;

use mbs_codegen::Interpreted;
use mbs_codegen::compile::{Compiled, Options, compile};
use mbs_codegen::interp::Fma;
use mbs_codegen::program::{Op, Operand, Statement, ValueId};
use mbs_engine::Engine;
use mbs_model::Formulation;
use mbs_random::laws::{self, Compared};
use mbs_random::ledger::Violation;
use mbs_random::number::Number;
use mbs_random::plan::{Body, Plan, Space};
use mbs_random::state::{At, Random, assembled, consistent, scattered};

/// Every kernel has entries, and everything moves: by a drive, a knife edge that slides, two freedoms and more.
const TEXT: &str = "
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

/// What laws look at.
struct Bench {
    body: Interpreted,
    engine: Engine,
    plan: Plan,
    start: At,
    anywhere: Vec<At>,
    on: Vec<At>,
}

type Law = fn(&Interpreted, &Bench) -> Result<f64, Violation>;

/// A law, by how much entries are off, and the kernels it guards, with the index of the output array.
///
/// Far above the tolerances, 1e-6 of differences and 1e-10 elsewhere, of quantities up to 100.
const TABLE: &[(&str, Law, f64, &[(&str, usize)])] = &[
    (
        "derivatives are differences",
        |m, b| laws::derivatives_are_differences(m, &b.anywhere),
        1e-2,
        &[("constraint_jacobian", 0), ("gamma", 0)],
    ),
    (
        "equations are those of series",
        |m, b| laws::equations_are_those_of_series(m, &b.anywhere),
        1e-6,
        &[
            ("position_residuals", 0),
            ("velocity_residuals", 0),
            ("nu", 0),
            ("gamma", 0),
            ("constraint_jacobian", 0),
            ("mass_matrix", 0),
            ("generalized_forces", 0),
            ("velocity_forces", 0),
        ],
    ),
    (
        "reports are those of series",
        |m, b| laws::reports_are_those_of_series(m, &b.anywhere),
        1e-6,
        &[
            ("poses", 0),
            ("marker_positions", 0),
            ("body_jacobians", 0),
            ("auxiliary_rates", 0),
            ("energy", 0),
            ("force_energies", 0),
            ("force_energies", 1),
            ("momentum", 0),
            ("outputs", 0),
            ("output_rates", 0),
            ("condition_0", 0),
            ("condition_0", 1),
            ("condition_1", 0),
            ("condition_1", 1),
        ],
    ),
    (
        "accelerations solve their equations",
        |m, b| laws::accelerations_solve_their_equations(m, &b.anywhere),
        1e-5,
        &[
            ("accelerations", 0),
            ("accelerations", 1),
            ("mass_matrix", 0),
            ("constraint_jacobian", 0),
            ("generalized_forces", 0),
            ("gamma", 0),
        ],
    ),
    (
        "stages accelerate alike",
        |m, b| laws::stages_accelerate_alike(m, &b.anywhere),
        1e-5,
        &[("accelerate", 0), ("accelerate", 1), ("accelerations", 0), ("accelerations", 1)],
    ),
    (
        "solves solve their equations",
        |m, b| laws::solves_solve_their_equations(m, &b.anywhere),
        1e-5,
        &[("solve", 0), ("solve", 1), ("mass_matrix", 0), ("constraint_jacobian", 0)],
    ),
    (
        "loads account for energy",
        |m, b| laws::loads_account_for_energy(m, &b.on),
        1e-5,
        &[("generalized_forces", 0), ("force_energies", 1), ("nu", 0), ("accelerations", 0)],
    ),
    (
        "formulations accelerate alike",
        |m, b| laws::formulations_accelerate_alike(&b.body, m, &b.on),
        1e-5,
        &[("accelerations", 0), ("accelerations", 1), ("energy", 0), ("reactions", 0)],
    ),
    (
        "compiler and engine agree",
        |m, b| {
            laws::sides_agree(
                m,
                &b.engine,
                Compared { guess: [true; 2], solutions: true, reactions: true, outputs_solved: false },
                &b.anywhere,
            )
        },
        1e-5,
        &[
            ("position_residuals", 0),
            ("velocity_residuals", 0),
            ("nu", 0),
            ("gamma", 0),
            ("constraint_jacobian", 0),
            ("mass_matrix", 0),
            ("generalized_forces", 0),
            ("velocity_forces", 0),
            ("reactions", 0),
            ("accelerations", 0),
            ("accelerations", 1),
            ("solve", 0),
            ("solve", 1),
            ("poses", 0),
            ("marker_positions", 0),
            ("body_jacobians", 0),
            ("auxiliary_rates", 0),
            ("energy", 0),
            ("outputs", 0),
            ("condition_0", 0),
            ("condition_0", 1),
            ("condition_1", 0),
            ("condition_1", 1),
        ],
    ),
    (
        "declared poses are assembled",
        |m, b| laws::declared_poses_are_assembled(m, &b.plan, true).map(|(_, error)| error),
        1e-6,
        &[("poses", 0), ("position_residuals", 0)],
    ),
];

fn compiled(formulation: Formulation) -> Compiled {
    let parsed = mbs_syntax::parse_text("everything.mbs", TEXT);
    assert!(parsed.errors.is_empty(), "{:?}", parsed.errors.list());
    compile(&parsed.definitions[0], Options { formulation: Some(formulation), ..Options::default() })
        .unwrap_or_else(|errors| panic!("{:?}", errors.list()))
}

/// A mechanism with one number changed: entry `entry` of output `output` of `function` is `by` too large.
fn perturbed(right: &Interpreted, function: &str, output: usize, entry: usize, by: f64) -> Interpreted {
    let right = right.compiled();
    let mut program = right.program.clone();
    let function = program.functions.iter_mut().find(|f| f.name == function).expect("the table names kernels");
    let value = ValueId(function.values() as u32);
    let right_value = &mut function.outputs[output].values[entry];
    function.body.push(Statement::Let { value, op: Op::Add(*right_value, Operand::Literal(by)) });
    *right_value = Operand::Value(value);
    function.names.push(None);
    interpreted(Compiled { program, ..right.clone() })
}

fn interpreted(compiled: Compiled) -> Interpreted {
    Interpreted::new(compiled, Fma::Plain).unwrap_or_else(|error| panic!("{error}"))
}

fn bench(right: &Interpreted) -> Bench {
    let engine = Engine::options().formulation(Formulation::Joint).text(TEXT);
    let start = assembled(right).expect("it assembles");
    let mut random = Random::new(1);
    let anywhere = scattered(right, &start, 3, &mut random);
    let on = consistent(right, &start, 3, &mut random);
    let bodies = right.compiled().model.bodies.iter().enumerate();
    let pose = |b: usize| -> [f64; 3] { std::array::from_fn(|k| run(right, "poses", &start)[3 * b + k]) };
    let zero = [Number::literal(0.0); 3];
    let body = |(b, body): (usize, &mbs_model::Body)| Body {
        name: body.name.clone(),
        particle: false,
        mass: None,
        inertia: None,
        tensor: None,
        com: zero,
        position: [pose(b)[0], pose(b)[1], 0.0],
        about: [0.0, 0.0, 1.0],
        angle: pose(b)[2],
        declared: [true; 2],
        velocity: None,
        attitude: None,
        own_velocity: None,
        coordinates: None,
    };
    let plan = Plan { bodies: bodies.map(body).collect(), ..Plan::empty(Space::Planar) };
    let body = interpreted(compiled(Formulation::Body));
    Bench { body, engine: engine.unwrap_or_else(|error| panic!("{error}")), plan, start, anywhere, on }
}

fn run(mechanism: &Interpreted, name: &str, at: &At) -> Vec<f64> {
    let inputs = mbs_codegen::interp::Inputs { t: at.t, q: &at.q, v: &at.v, z: &at.z, u: &at.u, ..Default::default() };
    mechanism.run(name, inputs).expect("it has no pivots").concat()
}

#[test]
fn every_law_fails_when_any_number_it_guards_is_off() {
    let right = interpreted(compiled(Formulation::Joint));
    let bench = bench(&right);
    let mut unnoticed = Vec::new();
    for (name, law, by, guarded) in TABLE {
        law(&right, &bench).unwrap_or_else(|violation| panic!("without a mistake: {violation}"));
        for (function, output) in *guarded {
            let entries =
                right.compiled().function(function).expect("the table names kernels").outputs[*output].values.len();
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
    let compiled = compiled(Formulation::Joint);
    let guarded: BTreeSet<&str> = TABLE.iter().flat_map(|row| row.3).map(|(function, _)| *function).collect();
    // Their values are what `accelerate` and `solve` read, and what `prepare` is checked for.
    let stages = ["position", "velocity", "pivots"];
    let others = compiled.program.functions.iter().map(|f| f.name.as_str());
    let others: Vec<&str> = others.filter(|name| !guarded.contains(name) && !stages.contains(name)).collect();
    assert_eq!(others, [""; 0], "no law looks at these");
}

#[test]
fn a_mass_matrix_that_is_not_symmetric_or_not_definite_is_noticed() {
    let right = interpreted(compiled(Formulation::Joint));
    let bench = bench(&right);
    laws::mass_is_definite(&right, &bench.on).unwrap_or_else(|violation| panic!("without a mistake: {violation}"));
    let n = bench.start.v.len();
    for entry in 0..n * n {
        // One rounding is enough where symmetry is to the bit; a diagonal entry has to fall below zero, and of a motion that may
        // be: the drive holds the rail.
        let by = if entry % (n + 1) == 0 { -100.0 } else { 1e-12 };
        let result = laws::mass_is_definite(&perturbed(&right, "mass_matrix", 0, entry, by), &bench.on);
        assert_eq!(result.is_err(), entry != 0, "entry {entry}");
    }
}

#[test]
fn a_reaction_that_is_off_does_another_power_than_its_rows() {
    let right = interpreted(compiled(Formulation::Body));
    let start = assembled(&right).expect("it assembles");
    let states = consistent(&right, &start, 3, &mut Random::new(1));
    let law = |m: &Interpreted| laws::reactions_do_the_power_of_rows(m, &states);
    law(&right).unwrap_or_else(|violation| panic!("without a mistake: {violation}"));
    for entry in 0..right.compiled().function("reactions").expect("it has joints").outputs[0].values.len() {
        // Forces and moments; where a force of zero acts does not matter.
        if entry % 5 >= 2 {
            assert!(law(&perturbed(&right, "reactions", 0, entry, 1e-5)).is_err(), "entry {entry}");
        }
    }
}
