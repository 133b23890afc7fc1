//! Contact forces against reference runs and closed forms, in the plane and in space, compiled in every formulation and by the engine. A landing
//! runs each test in one formulation and by the engine.

mod balls;
mod bounces;
mod curves;
mod energies;
mod forms;
mod laws;
mod robots;
mod terrain;
mod tyres;
mod wheels;

use mbs::engine::Engine;
use mbs::{FullMechanism, Integrator, Recording, Simulation};
use mbs_codegen::compile_text;
use mbs_compiler::compile::Options;
use mbs_compiler::interp::Fma;
use mbs_interp::Interpreted;
use mbs_model::Formulation;
use serde_json::Value;

use crate::tier::is_in_turn;

const FORMULATIONS: [Formulation; 3] = [Formulation::Joint, Formulation::Body, Formulation::Natural];

/// Tolerances for comparisons of times to a millionth of a second and less.
const TIGHT: Integrator = Integrator::DormandPrince { rtol: 1e-12, atol: 1e-13 };

/// Tolerances for comparisons to some 1e-8 of smooth motions and of impacts of one kind.
const FINE: Integrator = Integrator::DormandPrince { rtol: 1e-10, atol: 1e-11 };

fn compiled(text: &str, formulation: Formulation) -> Interpreted {
    let options = Options { formulation: Some(formulation), ..Options::default() };
    let compiled = compile_text("contact.mbs", text, options);
    let (compiled, _) = compiled.unwrap_or_else(|e| panic!("{formulation:?} {text}\n{e}")).remove(0);
    Interpreted::new(compiled, Fma::Fused).unwrap_or_else(|e| panic!("{e}"))
}

/// A compiled text with a function in Rust of several arguments, or with several results.
fn compiled_with_function(
    text: &str,
    formulation: Formulation,
    name: &str,
    function: impl Fn(&[f64], &mut [f64]) + Send + Sync + 'static,
) -> Interpreted {
    let options = Options { formulation: Some(formulation), ..Options::default() };
    let (mut compiled, _) = compile_text("contact.mbs", text, options).unwrap_or_else(|e| panic!("{e}")).remove(0);
    compiled.model.bind_many(name, function).unwrap_or_else(|e| panic!("{e}"));
    Interpreted::new(compiled, Fma::Fused).unwrap_or_else(|e| panic!("{e}"))
}

fn run<M: FullMechanism>(integrator: Integrator, mechanism: &M, times: &[f64]) -> Recording {
    Simulation::new(mechanism).integrator(integrator).at(times).run().unwrap_or_else(|e| panic!("{e}"))
}

/// The formulations that a test runs: in a landing one, which depends on the name of the test, in the full tier all.
fn formulations() -> Vec<Formulation> {
    let test = std::thread::current();
    let is_run = |k: usize| is_in_turn(test.name().unwrap_or_default(), k, FORMULATIONS.len());
    (0..).zip(FORMULATIONS).filter(|(k, _)| is_run(*k)).map(|(_, formulation)| formulation).collect()
}

/// Runs in [`formulations`] and by the engine, with their labels.
fn run_everywhere(text: &str, times: &[f64]) -> Vec<(String, Recording)> {
    run_everywhere_with(TIGHT, text, times)
}

fn run_everywhere_with(integrator: Integrator, text: &str, times: &[f64]) -> Vec<(String, Recording)> {
    let all = formulations().into_iter();
    let compiled = all.map(|f| (format!("{f:?}"), run(integrator, &compiled(text, f), times)));
    let engine = Engine::text(text).unwrap_or_else(|e| panic!("{e}"));
    compiled.chain([("engine".to_owned(), run(integrator, &engine, times))]).collect()
}

/// The JSON of a reference case.
fn case(name: &str) -> Value {
    let path = format!("{}/reference/{name}.json", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(path).expect("it is there");
    serde_json::from_str(&text).expect("it is JSON")
}

fn as_number(value: &Value) -> f64 {
    value.as_f64().expect("a number")
}

/// Items for [`assert_conserved`]: planar bodies `a` of 1 kg and `b` of 2 kg with these moments of inertia, with outputs of their momenta and of
/// the energy with the losses of the contact `blow` of law [`BLOW`].
fn conserved_in_the_plane([a, b]: [f64; 2]) -> String {
    format!(
        "const k = 2e5;
        let elastic = k * max(blow.depth, 0).powf(1.5);
        let approach = rate(blow.depth);
        state lost = 0 {{ rate: (blow.normal_force - elastic) * approach + 0.3 * blow.normal_force * tanh(abs(blow.slip) / 0.02) * abs(blow.slip) }};
        output px = 1 * velocity(a).x + 2 * velocity(b).x;
        output py = 1 * velocity(a).y + 2 * velocity(b).y;
        output lz = {a} * rate(a) + {b} * rate(b) + position(a).x * velocity(a).y - position(a).y * velocity(a).x
            + 2 * (position(b).x * velocity(b).y - position(b).y * velocity(b).x);
        output energy = kinetic_energy + potential_energy + lost;
        output lost = lost;
        output spin = rate(b);"
    )
}

/// Items for [`assert_conserved`] with balls in space.
fn conserved_in_space([a, b]: [f64; 2]) -> String {
    format!(
        "const k = 2e5;
        let elastic = k * max(blow.depth, 0).powf(1.5);
        let approach = rate(blow.depth);
        let slip = blow.slip;
        let rubbed = 0.3 * blow.normal_force * tanh(slip / 0.02) * slip;
        state lost = 0 {{ rate: (blow.normal_force - elastic) * approach + rubbed }};
        let p = 1 * velocity(a) + 2 * velocity(b);
        let l = {a} * angular_velocity(a) + {b} * angular_velocity(b) + cross(position(a), velocity(a)) + 2 * cross(position(b), velocity(b));
        output px = p.x;
        output py = p.y;
        output pz = p.z;
        output lx = l.x;
        output ly = l.y;
        output lz = l.z;
        output energy = kinetic_energy + potential_energy + lost;
        output lost = lost;
        output spin = angular_velocity(b).z;"
    )
}

/// The law of a contact whose losses [`conserved_in_the_plane`] and [`conserved_in_space`] count.
const BLOW: &str = "stiffness: k, dissipation: 0.1, friction: 0.3, creep: 0.02";

/// Outputs of a contact that [`assert_same`] compares.
fn contact_outputs(name: &str) -> String {
    format!(
        "output depth = {name}.depth;
        output press = {name}.normal_force;
        output slip = {name}.slip;
        output pushed = load({name}).force;
        output turned = load({name}).torque;"
    )
}

/// Asserts that momentum, angular momentum about the origin, and energy with the losses are conserved in a glancing collision: all are sums over
/// bodies.
fn assert_conserved(text: &str) {
    for (label, recording) in run_everywhere(text, &[0.0, 0.2, 0.4]) {
        assert_eq!(recording.events().of("blow").expect("it is an event").count(), 2, "{label}");
        for name in ["px", "py", "pz", "lx", "ly", "lz", "energy"] {
            let Ok(kept) = recording.output(name) else { continue };
            let change = (kept[2] - kept[0]).abs();
            println!("{label}, {name}: {change:.1e} of {:.2}", kept[0]);
            assert!(change < 1e-8, "{label}, {name}: {kept:?}");
        }
        let [lost, spin] = ["lost", "spin"].map(|name| recording.output(name).expect("it is declared")[2]);
        assert!(lost > 0.05 && spin.abs() > 0.5, "{label}: {lost} J, {spin} rad/s");
    }
}

/// Asserts that the outputs of two equivalent texts agree at all times, relative to the largest value of each column.
fn assert_same(name: &str, [one, other]: [&str; 2], times: &[f64], within: f64) {
    for ((label, a), (_, b)) in run_everywhere(one, times).into_iter().zip(run_everywhere(other, times)) {
        assert_equal(&format!("{name}, {label}"), &a, &b, within);
    }
}

const OUTPUTS: [&str; 18] = [
    "depth", "press", "slip", "pushed.x", "pushed.y", "pushed.z", "turned", "turned.x", "turned.y", "turned.z", "x.x",
    "x.y", "x.z", "energy", "spin", "spin.x", "spin.y", "spin.z",
];

fn assert_equal(name: &str, a: &Recording, b: &Recording, within: f64) {
    assert_eq!(OUTPUTS.map(|o| a.output(o).is_ok()), OUTPUTS.map(|o| b.output(o).is_ok()), "{name}");
    let mut compared = 0;
    for output in OUTPUTS {
        let (Ok(x), Ok(y)) = (a.output(output), b.output(output)) else { continue };
        compared += 1;
        let largest = y.iter().fold(1.0_f64, |most, y| most.max(y.abs()));
        let worst = x.iter().zip(y).fold(0.0_f64, |most, (x, y)| most.max((x - y).abs() / largest));
        println!("{name}, {output}: {worst:.1e}");
        assert!(worst < within, "{name}, {output}: {worst:e}");
    }
    assert!(compared > 0, "{name}: nothing was compared");
}
