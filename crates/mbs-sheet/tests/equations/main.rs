//! Tests that the printed formulas are the computed functions.
//!
//! Three checks, each against something that could disagree:
//!
//! - `numbers`: the trees of a sheet, evaluated, against the interpreted functions. The text is printed from the same trees
//!   ([`mbs_sheet::Sheet`] stores them; `value` and the writer are its only readers).
//! - `reading`: the Markdown itself, read as a person would, from the document alone: symbols from its tables,
//!   abbreviations from their definitions, formulas parsed from LaTeX and evaluated.
//! - snapshots of a pendulum and a four-bar, because looks are for people to judge: `pendulum.md`, `four_bar.md`.

mod latex;
mod numbers;
mod reading;
mod snapshots;

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use mbs_codegen::compile_text;
use mbs_compiler::compile::Options;
use mbs_compiler::interp::{Fma, Inputs};
use mbs_expr::FunctionSource;
use mbs_interp::Interpreted;
use mbs_model::Formulation;

/// Every function of the language, and names that are easily confused.
const FUNCTIONS: &str = "planar Functions {
    param e = 2;
    param theta_pin = 0.3;
    param T = 1.5;
    input gravity_load;
    gravity: [0, -9.81];
    body body_0 { mass: e, inertia: T, com: [1, 0] }
    joint pin = revolute(ground, body_0);
    let x = pin.angle;
    let w = pin.rate;
    force gravity = torque(ground, body_0) { torque: gravity_load * exp(-e * x) + theta_pin.powf(T) - abs(w) * sqrt(4 + x) };
    force velocity = torque(ground, body_0) { torque: min(e, x) - max(w, x) * atan2(x, T) + floor(3 * x) + signum(w) };
    force rest = torque(ground, body_0) { torque: asin(x / 4) + acos(x / 4) * atan(x) - sinh(x) / cosh(w) + ln(e + x) };
    force cases = torque(ground, body_0) { torque: if x <= w && x < 1 { tan(x) } else { (T + x).powf(w) } };
    potential hump = cos(x) / (T + tanh(x)).powi(2);
}";

/// Every planar mechanism of `mechanisms/` in both formulations, and [`FUNCTIONS`], compiled once.
fn corpus() -> &'static [(String, Interpreted)] {
    static CORPUS: OnceLock<Vec<(String, Interpreted)>> = OnceLock::new();
    CORPUS.get_or_init(|| {
        let mut all = vec![("functions".to_owned(), interpret("functions", FUNCTIONS, Formulation::Joint))];
        for file in files() {
            let name = file.file_stem().map_or_else(String::new, |s| s.to_string_lossy().into_owned());
            let text = fs::read_to_string(&file).unwrap_or_else(|e| panic!("{name}: {e}"));
            for formulation in [Formulation::Body, Formulation::Joint] {
                all.push((format!("{name} {formulation:?}"), interpret(&name, &text, formulation)));
            }
        }
        all
    })
}

/// Files of `mechanisms/` with planar mechanisms, sorted; equations of spatial mechanisms are not printed yet.
fn files() -> Vec<PathBuf> {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../mechanisms");
    let entries = fs::read_dir(&directory).expect("mechanisms/ is next to crates/");
    let mut files: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    files.retain(|path| path.extension().is_some_and(|e| e == "mbs"));
    files.retain(|path| fs::read_to_string(path).is_ok_and(|t| t.lines().any(|line| line.starts_with("pub planar "))));
    files.sort();
    files
}

/// The mechanism of a text, interpreted. Functions written in Rust are [`opaque_derivatives`].
fn interpret(name: &str, text: &str, formulation: Formulation) -> Interpreted {
    let options = Options { formulation: Some(formulation), ..Options::default() };
    let mut compiled = compile_text(name, text, options).unwrap_or_else(|e| panic!("{e}"));
    let mut compiled = compiled.remove(0).0;
    let rust = compiled.model.functions.iter().filter(|f| f.source() == FunctionSource::Rust);
    for function in rust.map(|f| f.name.clone()).collect::<Vec<_>>() {
        compiled
            .model
            .bind(&function, |x, y| y.iter_mut().zip(opaque_derivatives(x)).for_each(|(y, f)| *y = f))
            .expect("it is declared");
    }
    Interpreted::new(compiled, Fma::Plain).unwrap_or_else(|e| panic!("{name}: {e}"))
}

/// f(x) = 1 + x − x³ and its derivatives.
fn opaque_derivatives(x: f64) -> [f64; 5] {
    [1.0 + x - x.powi(3), 1.0 - 3.0 * x * x, -6.0 * x, -6.0, 0.0]
}

/// A random state. It satisfies no joint, which is a harder test than a state that does.
struct State {
    t: f64,
    p: Vec<f64>,
    q: Vec<f64>,
    v: Vec<f64>,
    u: Vec<f64>,
    z: Vec<f64>,
}

impl State {
    fn random(mechanism: &Interpreted, random: &mut oorandom::Rand64) -> State {
        let mut list =
            |n: usize, size: f64| -> Vec<f64> { (0..n).map(|_| size * (2.0 * random.rand_float() - 1.0)).collect() };
        let sizes = mbs_core::Mechanism::sizes(mechanism);
        State {
            t: list(1, 1.0)[0],
            p: mechanism.parameters().to_vec(),
            q: list(sizes.n_q, 1.5),
            v: list(sizes.n_v, 2.0),
            u: list(sizes.n_u, 1.0),
            z: list(sizes.n_z, 1.0),
        }
    }

    fn inputs<'a>(&'a self, mechanism: &'a Interpreted) -> Inputs<'a> {
        let State { t, p, q, v, u, z } = self;
        Inputs { t: *t, p, q, v, u, z, functions: &mechanism.compiled().model.functions, ..Inputs::default() }
    }

    /// The only output of a compiled function.
    fn run(&self, mechanism: &Interpreted, function: &str) -> Vec<f64> {
        let outputs = mechanism.run(function, self.inputs(mechanism)).expect("it has no pivots");
        outputs.into_iter().next().unwrap_or_default()
    }
}

/// Collects differences beyond a tolerance relative to the largest value of a list.
#[derive(Default)]
struct Comparison {
    wrong: Vec<String>,
    compared: usize,
}

impl Comparison {
    fn compare(&mut self, what: &str, found: &[f64], expected: &[f64], tolerance: f64) {
        let size = expected.iter().fold(1e-6_f64, |a, b| a.max(b.abs()));
        assert_eq!(found.len(), expected.len(), "{what}");
        for (i, (x, y)) in found.iter().zip(expected).enumerate() {
            self.compared += 1;
            let agrees = (x - y).abs() <= tolerance * size;
            if !agrees && self.wrong.len() < 20 {
                self.wrong.push(format!("{what}[{i}]: {x} in the text, {y} computed"));
            }
        }
    }

    fn finish(self, at_least: usize) {
        assert!(self.wrong.is_empty(), "{}", self.wrong.join("\n"));
        assert!(self.compared > at_least, "only {} values were compared", self.compared);
    }
}
