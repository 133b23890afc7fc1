//! Every function of every mechanism of the corpus, printed, parsed back and evaluated: the interpreter's bits, for both roundings.
//!
//! `mbs-codegen/tests/all/print_back.rs` does the same for random expressions.

use std::cell::RefCell;
use std::rc::Rc;

use mbs::Mechanism;
use mbs_codegen::print::{self, MAX_SCOPES, MAX_STATEMENTS, Paths};
use mbs_compiler::graph::Stage;
use mbs_compiler::interp::{Fma, Inputs};
use mbs_compiler::program::STAGE_COEFFICIENTS;
use mbs_compiler::program::{Argument, Function, Input, Role};
use mbs_interp::Interpreted;
use mbs_model::Formulation;

use crate::mechanisms::harness::{OwnedState, corpus, for_each_state};
use crate::tiers::is_in_turn;
use mbs_random::rust_text::{Text, Value};

/// Runs a printed function: its outputs, and the row whose pivot vanishes.
fn run_text(text: &Text, function: &Function, inputs: &Inputs<'_>) -> (Vec<Vec<f64>>, Option<usize>) {
    let array = |values: Vec<f64>| Rc::new(RefCell::new(values));
    let argument = |a: &Argument| match a.input {
        Input::Time => Value::Number(inputs.t),
        Input::Step => Value::Number(inputs.h),
        Input::Params => Value::Nothing,
        input => Value::Array(array((0..a.size as u32).map(|i| inputs.element(input, i)).collect())),
    };
    let outputs: Vec<_> = function.results().map(|o| array(vec![f64::NAN; o.values.len()])).collect();
    let mut arguments: Vec<Value> = function.inputs.iter().map(argument).collect();
    arguments.extend(outputs.iter().map(|o| Value::Array(o.clone())));
    let row = match text.call(&function.name, &arguments) {
        Value::Row(row) => row,
        _ => None,
    };
    (outputs.iter().map(|o| o.borrow().clone()).collect(), row)
}

fn bits(values: &[Vec<f64>]) -> Vec<u64> {
    values.iter().flatten().map(|x| if x.is_nan() { f64::NAN.to_bits() } else { x.to_bits() }).collect()
}

/// Asserts equal results of all functions at one state, in order; the values of each stage are passed to the next.
fn assert_printed(label: &str, mechanism: &Interpreted, text: &Text, fma: Fma, at: &OwnedState) {
    let program = &mechanism.compiled().program;
    let sizes = mechanism.sizes();
    let mut random = crate::mechanisms::harness::Random::new(crate::mechanisms::harness::seed(label));
    let [a, f] = [1.0, 2.0].map(|scale| random.vector(sizes.n_v, scale));
    let (coefficients, residual) =
        (random.vector(STAGE_COEFFICIENTS, 0.05), random.vector(2 * sizes.n_v + sizes.n_z, 1.0));
    let [lambda, g] = [1.0, 2.0].map(|scale| random.vector(sizes.n_c, scale));
    let (mut prepared, mut position, mut velocity) = (Vec::new(), Vec::new(), Vec::new());
    for function in std::iter::once(&program.prepare).chain(&program.functions) {
        let inputs = Inputs {
            p: mechanism.parameters(),
            prepared: &prepared,
            position: &position,
            velocity: &velocity,
            t: at.t,
            q: &at.q,
            v: &at.v,
            z: &at.z,
            u: &at.u,
            a: &a,
            lambda: &lambda,
            f: &f,
            g: &g,
            h: 0.01,
            coefficients: &coefficients,
            residual: &residual,
            functions: &mechanism.compiled().model.functions,
        };
        let mut outputs = vec![Vec::new(); function.results().count()];
        let verdict = function.run(&inputs, &mut outputs, fma);
        let (printed, row) = run_text(text, function, &inputs);
        // Functions that stop at a singular row do not write their outputs.
        if verdict.is_ok() || function.continues_when_singular() {
            assert_eq!(bits(&outputs), bits(&printed), "{label}: `{}`, {fma:?}, at {at:?}", function.name);
        }
        assert_eq!(verdict.err(), row, "{label}: `{}`, {fma:?}, at {at:?}", function.name);
        for (output, values) in function.results().zip(&outputs) {
            match output.role {
                _ if function.name == "prepare" => prepared = values.clone(),
                Role::Slots(Stage::Position) => position = values.clone(),
                Role::Slots(_) => velocity = values.clone(),
                Role::Result | Role::Local => {}
            }
        }
    }
}

fn printed_functions_are_what_the_interpreter_runs(formulation: Formulation) {
    for path in crate::mechanisms::harness::files() {
        let stem = crate::mechanisms::harness::stem_of(&path);
        if !is_in_turn(&stem, usize::from(formulation == Formulation::Joint), 2) {
            continue;
        }
        let label = format!("{stem} ({formulation:?})");
        let mechanism = corpus(&stem, formulation, Fma::Plain);
        let program = &mechanism.compiled().program;
        let program = print::program(program, &Paths::default());
        for fma in [Fma::Plain, Fma::Fused] {
            let mut text = Text::from_tokens(program.clone(), fma);
            let functions = &mechanism.compiled().model.functions;
            text.called = Box::new(|name, x| {
                let f = functions.iter().find(|f| mbs_model::flat_name(&f.name) == name).expect("it is declared");
                f.with_results(x, |results| results.numbers.to_vec())
            });
            assert!(
                text.longest() <= MAX_STATEMENTS + 2 && text.most_scopes() <= MAX_SCOPES,
                "{label}: {} statements",
                text.longest()
            );
            for_each_state(&label, mechanism, 2, |_, at| assert_printed(&label, mechanism, &text, fma, at));
        }
    }
}

// Two tests run in parallel.

#[test]
fn printed_functions_in_body_coordinates_are_what_the_interpreter_runs() {
    printed_functions_are_what_the_interpreter_runs(Formulation::Body);
}

#[test]
fn printed_functions_in_joint_coordinates_are_what_the_interpreter_runs() {
    printed_functions_are_what_the_interpreter_runs(Formulation::Joint);
}
