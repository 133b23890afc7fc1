//! Evaluates robots of URDF files at given states, by the compiler's interpreter and by the engine, in joint coordinates, for the comparison of
//! `.ci/pinocchio`.
//!
//! `robots IN OUT` reads and writes JSON:
//!
//! ```text
//! in:  [{ urdf, root, base: "fixed" | "free", gravity: [3], derivatives: true, states: [{ q: { name: number }, v: …, a: …, tau: … }] }]
//! out: [{ speeds: [name], bodies: [name], sides: { compiled: [quantities of a state], engine: […] } }]
//! ```
//!
//! The speeds of a free root are in body axes. q is given by names of coordinates; v, a and the generalised forces tau by names of speeds.
//! Results are in the order of `speeds`: matrices are row-major, and Jacobians have six rows for each of `bodies`.

use std::collections::BTreeMap;
use std::error::Error;
use std::process::ExitCode;
use std::{env, fs};

use mbs_compiler::compile::{Options, compile};
use mbs_compiler::interp::{Fma, Inputs};
use mbs_core::rotation::matrix_of;
use mbs_core::{Describe, Item, Mechanism, Pose, Sizes, StateView};
use mbs_definition::Definition;
use mbs_engine::Engine;
use mbs_interp::Interpreted;
use mbs_model::{Formulation, Kernels};
use mbs_syntax::Imported;
use serde_json::{Value, json};

/// Result for a robot or a state; an error means that the input is not of the form that `.ci/pinocchio` writes.
type Outcome<T> = Result<T, Box<dyn Error>>;

/// Lists of numbers of a state, by the name of the quantity.
type Quantities = BTreeMap<&'static str, Vec<f64>>;

fn main() -> ExitCode {
    let paths: Vec<String> = env::args().skip(1).collect();
    let [from, to] = paths.as_slice() else {
        eprintln!("robots: give a file of robots and states, and one to write");
        return ExitCode::FAILURE;
    };
    match evaluate(from, to) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("robots: {error}");
            ExitCode::FAILURE
        }
    }
}

fn evaluate(from: &str, to: &str) -> Outcome<()> {
    let robots: Vec<Value> = serde_json::from_str(&fs::read_to_string(from)?)?;
    let mut results = Vec::new();
    for (i, robot) in robots.iter().enumerate() {
        results.push(evaluate_robot(robot).map_err(|error| format!("robot {i}: {error}"))?);
    }
    Ok(fs::write(to, serde_json::to_string(&results)?)?)
}

fn evaluate_robot(robot: &Value) -> Outcome<Value> {
    let definition = definition(robot)?;
    let wants_derivatives = robot["derivatives"] == json!(true);
    let kernels = Kernels { operators: true, jacobians: wants_derivatives, ..Kernels::default() };
    let options = Options { formulation: Some(Formulation::Joint), kernels: Some(kernels), ..Options::default() };
    let compiled = compile(&definition, options).map_err(|errors| format!("the compiler: {errors:?}"))?;
    let compiled = Interpreted::new(compiled, Fma::Plain)?;
    let engine = Engine::options().formulation(Formulation::Joint).definition(&definition)?;
    let sizes = compiled.sizes();
    let names = |n: usize, item: fn(usize) -> Item| -> Vec<&str> { (0..n).map(|i| compiled.name(item(i))).collect() };
    let states = robot["states"].as_array().ok_or("there are no states")?;
    let (mut by_compiler, mut by_engine) = (Vec::new(), Vec::new());
    for state in states {
        let state = State::read(state, &compiled)?;
        by_compiler.push(compiled_quantities(&compiled, &state, wants_derivatives)?);
        by_engine.push(engine_quantities(&engine, &state)?);
    }
    Ok(json!({
        "speeds": names(sizes.n_v, Item::Speed),
        "bodies": names(sizes.n_bodies, Item::Body),
        "sides": { "compiled": by_compiler, "engine": by_engine },
    }))
}

/// The definition of the robot alone, with an output of its centre of mass, and a wrench on a free root.
fn definition(robot: &Value) -> Outcome<Definition> {
    let text = |key: &str| robot[key].as_str().ok_or_else(|| format!("`{key}` is no text"));
    let (urdf, root, base) = (text("urdf")?, text("root")?, text("base")?);
    let gravity: Vec<f64> = serde_json::from_value(robot["gravity"].clone())?;
    let free = match base {
        "free" => format!(
            "{root}: {{ velocity: body }};
    input push: [6];
    force pushed = wrench({root}) {{ force: [push[0], push[1], push[2]] in {root}, moment: [push[3], push[4], push[5]] in {root} }};"
        ),
        _ => String::new(),
    };
    let declaration = format!(
        "pub robot Robot = \"robot.urdf\" {{
    base: {base};
    gravity: {gravity:?};
    {free}
    output center = position(bodies at com);
}}"
    );
    let mut loader = |name: &str| Ok(Imported { path: name.to_owned(), text: urdf.to_owned() });
    let parsed = mbs_syntax::parse_text_with("robot.mbs", &declaration, &mut loader);
    if !parsed.errors.is_empty() {
        let list: Vec<String> = parsed.errors.list().iter().map(ToString::to_string).collect();
        return Err(list.join("\n").into());
    }
    Ok(parsed.definitions.into_iter().next().ok_or("it declares nothing")?)
}

/// q, v, a, and the inputs that exert generalised forces.
struct State {
    q: Vec<f64>,
    v: Vec<f64>,
    a: Vec<f64>,
    u: Vec<f64>,
}

impl State {
    fn read(state: &Value, mechanism: &Interpreted) -> Outcome<Self> {
        let sizes = mechanism.sizes();
        let list = |key: &str, n: usize, item: fn(usize) -> Item| -> Outcome<Vec<f64>> {
            let number = |i: usize| {
                let name = mechanism.name(item(i));
                state[key][name].as_f64().ok_or_else(|| format!("there is no `{name}` in `{key}`").into())
            };
            (0..n).map(number).collect()
        };
        let tau = list("tau", sizes.n_v, Item::Speed)?;
        // Inputs are in the order of the speeds of joints, after those of a free root.
        let (root, joints) = tau.split_at(if sizes.n_q > sizes.n_v { 6 } else { 0 });
        let (mut root, mut joints) = (root.iter(), joints.iter());
        let input = |i: usize| match mechanism.name(Item::Input(i)).starts_with("push") {
            true => root.next().copied(),
            false => joints.next().copied(),
        };
        let u = (0..sizes.n_u).map(input).collect::<Option<Vec<f64>>>().ok_or("inputs and speeds do not match")?;
        Ok(State {
            q: list("q", sizes.n_q, Item::Coordinate)?,
            v: list("v", sizes.n_v, Item::Speed)?,
            a: list("a", sizes.n_v, Item::Speed)?,
            u,
        })
    }

    fn view<'a>(&'a self, u: &'a [f64]) -> StateView<'a> {
        StateView { t: 0.0, q: &self.q, v: &self.v, z: &[], u }
    }
}

/// Quantities that the compiled mechanism and the engine both provide.
fn common_quantities<M: Mechanism>(mechanism: &M, state: &State) -> Outcome<Quantities> {
    let Sizes { n_v, n_u, n_bodies, n_outputs, .. } = mechanism.sizes();
    let nothing = vec![0.0; n_u];
    let at = state.view(&nothing);
    let mut forces = vec![0.0; n_v];
    mechanism.generalized_forces(at, &mut forces);
    let mut a = vec![0.0; n_v];
    mechanism.accelerations(state.view(&state.u), &mut a, &mut [])?;
    let mut poses = vec![Pose::planar(0.0, 0.0, 0.0); n_bodies];
    mechanism.poses(at, &mut poses);
    let mut jacobians = vec![0.0; 6 * n_bodies * n_v];
    mechanism.body_jacobians(at, &mut jacobians);
    let mut outputs = vec![0.0; n_outputs];
    mechanism.outputs(at, &vec![0.0; n_v], &[], &mut outputs);
    let energy = mechanism.energy(at);
    Ok(Quantities::from([
        ("bias", forces.iter().map(|f| -f).collect()),
        ("forward dynamics", a),
        ("positions of bodies", poses.iter().flat_map(|pose| pose.position).collect()),
        ("rotations of bodies", poses.iter().flat_map(|pose| matrix_of(pose.attitude).concat()).collect()),
        ("Jacobians of bodies", jacobians),
        ("centre of mass", outputs),
        ("kinetic energy", vec![energy.kinetic]),
        ("potential energy", vec![energy.potential]),
    ]))
}

/// As [`common_quantities`], with M, inverse dynamics M a − Q by its recursion, and derivatives of both dynamics with respect to displacements and
/// speeds.
fn compiled_quantities(mechanism: &Interpreted, state: &State, wants_derivatives: bool) -> Outcome<Quantities> {
    let mut found = common_quantities(mechanism, state)?;
    let nothing = vec![0.0; mechanism.sizes().n_u];
    found.insert("mass matrix", mechanism.mass_matrix(state.view(&nothing)));
    let run = |name: &str, u: &[f64]| {
        let inputs = Inputs { q: &state.q, v: &state.v, a: &state.a, u, ..Inputs::default() };
        mechanism.run(name, inputs).map_err(|row| format!("`{name}` has no pivot in row {row}"))
    };
    found.insert("inverse dynamics", run("inverse_dynamics", &nothing)?.swap_remove(0));
    if wants_derivatives {
        // Outputs of forward dynamics are a, λ and their derivatives with respect to q, v, z, u, t in pairs; those of inverse dynamics, the
        // derivatives of the forces alone.
        let mut forward = run("derivatives", &state.u)?;
        let mut inverse = run("inverse_derivatives", &nothing)?;
        found.insert("derivatives of forward dynamics along v", forward.swap_remove(4));
        found.insert("derivatives of forward dynamics along q", forward.swap_remove(2));
        found.insert("derivatives of inverse dynamics along v", inverse.swap_remove(2));
        found.insert("derivatives of inverse dynamics along q", inverse.swap_remove(0));
    }
    Ok(found)
}

/// As [`common_quantities`], with M, and M a by its recursion.
fn engine_quantities(engine: &Engine, state: &State) -> Outcome<Quantities> {
    let mut found = common_quantities(engine, state)?;
    let n = engine.sizes().n_v;
    let at = state.view(&[]);
    let mut mass = vec![0.0; n * n];
    engine.mass_matrix(at, &mut mass);
    found.insert("mass matrix", mass);
    let mut acting = vec![0.0; n];
    engine.multiply_by_mass_matrix(at, &state.a, &mut acting);
    acting.iter_mut().zip(&found["bias"]).for_each(|(f, bias)| *f += bias);
    found.insert("inverse dynamics", acting);
    Ok(found)
}
