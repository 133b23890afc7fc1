//! Compiled mechanisms with an error in one number, and the laws that must fail.

use mbs_compiler::compile::{Compiled, Options, compile};
use mbs_compiler::interp::Fma;
use mbs_compiler::program::{Op, Operand, Statement, ValueId};
use mbs_core::rotation::log;
use mbs_core::{Mechanism, Pose};
use mbs_engine::Engine;
use mbs_interp::Interpreted;
use mbs_model::Formulation;
use mbs_random::laws::{self, Compared};
use mbs_random::ledger::Violation;
use mbs_random::number::Number;
use mbs_random::oracle::Oracle;
use mbs_random::plan::{Body, Plan};
use mbs_random::state::{OwnedState, Random, assembled, consistent, scattered};

/// States of a mechanism.
pub struct States {
    pub start: OwnedState,
    pub anywhere: Vec<OwnedState>,
    pub on: Vec<OwnedState>,
}

/// States, mechanism, engine and series that the laws compare.
pub struct Bench<'a> {
    pub states: &'a States,
    body: Interpreted,
    engine: Engine,
    plan: Plan,
    series_anywhere: Vec<Oracle<'a>>,
    series_on: Vec<Oracle<'a>>,
}

type Law = fn(&Interpreted, &Bench<'_>) -> Result<f64, Violation>;

/// A law, the error of an entry, and the kernels that the law checks, with the index of the output.
///
/// Errors are far above the tolerances, 1e-6 of differences and 1e-10 of others, of quantities up to 100.
pub const TABLE: &[(&str, Law, f64, &[(&str, usize)])] = &[
    (
        "derivatives are differences",
        |m, b| laws::derivatives_are_differences(m, &b.states.anywhere),
        1e-2,
        &[("constraint_jacobian", 0), ("gamma", 0)],
    ),
    (
        "equations are those of series",
        |m, b| laws::equations_are_those_of_series(m, &b.series_anywhere),
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
        |m, b| laws::reports_are_those_of_series(m, &b.series_anywhere),
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
        |m, b| laws::accelerations_solve_their_equations(m, &b.states.anywhere),
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
        |m, b| laws::stages_accelerate_alike(m, &b.states.anywhere),
        1e-5,
        &[("accelerate", 0), ("accelerate", 1), ("accelerations", 0), ("accelerations", 1)],
    ),
    (
        "solves solve their equations",
        |m, b| laws::solves_solve_their_equations(m, &b.states.anywhere),
        1e-5,
        &[("solve", 0), ("solve", 1), ("mass_matrix", 0), ("constraint_jacobian", 0)],
    ),
    (
        "corrections are those of evaluations",
        |m, b| laws::corrections_are_those_of_evaluations(m, &b.states.anywhere),
        1e-2,
        &[("corrections", 0), ("corrections", 1), ("corrections", 2), ("corrections", 3), ("corrections", 4)],
    ),
    (
        "loads account for energy",
        |m, b| laws::loads_account_for_energy(m, &b.series_on),
        1e-5,
        &[("generalized_forces", 0), ("force_energies", 1), ("nu", 0), ("accelerations", 0)],
    ),
    (
        "formulations accelerate alike",
        |m, b| laws::formulations_accelerate_alike(&b.body, m, &b.states.on),
        1e-5,
        &[("accelerations", 0), ("accelerations", 1), ("energy", 0), ("reactions", 0)],
    ),
    (
        "compiler and engine agree",
        |m, b| {
            laws::sides_agree(
                m,
                &b.engine,
                Compared {
                    guess: [true; 2],
                    memories: 0,
                    solutions: true,
                    reactions: true,
                    events_accelerate: [false; 2],
                },
                &b.states.anywhere,
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
            ("coordinate_rates", 0),
            ("memories", 0),
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

pub fn compiled(text: &str, formulation: Formulation) -> Compiled {
    let parsed = mbs_syntax::parse_text("everything.mbs", text);
    assert!(parsed.errors.is_empty(), "{:?}", parsed.errors.list());
    compile(&parsed.definitions[0], Options { formulation: Some(formulation), ..Options::default() })
        .unwrap_or_else(|errors| panic!("{:?}", errors.list()))
}

/// The mechanism with one changed number: entry `entry` of output `output` of `function` is increased by `by`.
pub fn perturbed(right: &Interpreted, function: &str, output: usize, entry: usize, by: f64) -> Interpreted {
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

pub fn interpreted(compiled: Compiled) -> Interpreted {
    Interpreted::new(compiled, Fma::Plain).unwrap_or_else(|error| panic!("{error}"))
}

/// `count` states off the constraints, and on them.
pub fn states(right: &Interpreted, count: usize) -> States {
    let start = assembled(right).expect("it assembles");
    let mut random = Random::new(1);
    let anywhere = scattered(right, &start, count, &mut random);
    let on = consistent(right, &start, count, &mut random);
    States { start, anywhere, on }
}

pub fn bench<'a>(text: &str, right: &'a Interpreted, states: &'a States) -> Bench<'a> {
    let engine = Engine::options().formulation(Formulation::Joint).text(text);
    let space = right.compiled().model.space;
    let mut poses = vec![Pose::planar(0.0, 0.0, 0.0); right.sizes().n_bodies];
    right.poses(states.start.view(), &mut poses);
    let bodies = right.compiled().model.bodies.iter().zip(poses).map(|(body, pose)| declared(&body.name, &pose));
    Bench {
        states,
        body: interpreted(compiled(text, Formulation::Body)),
        engine: engine.unwrap_or_else(|error| panic!("{error}")),
        plan: Plan { bodies: bodies.collect(), ..Plan::empty(space) },
        series_anywhere: Oracle::all(right, &states.anywhere),
        series_on: Oracle::all(right, &states.on),
    }
}

/// A body whose declared pose is `pose`.
fn declared(name: &str, pose: &Pose) -> Body {
    let turn = log(pose.attitude);
    let angle = turn.iter().map(|x| x * x).sum::<f64>().sqrt();
    // In the plane about z.
    let sign = if turn[2] < 0.0 { -1.0 } else { 1.0 };
    let about = if angle == 0.0 { [0.0, 0.0, 1.0] } else { turn.map(|x| sign * x / angle) };
    Body {
        name: name.to_owned(),
        particle: false,
        mass: None,
        inertia: None,
        tensor: None,
        com: [Number::literal(0.0); 3],
        position: pose.position,
        about,
        angle: sign * angle,
        declared: [true; 2],
        velocity: None,
        attitude: None,
        body_velocity: None,
        coordinates: None,
    }
}
