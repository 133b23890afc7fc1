//! Every case of `tests/reference/` with a trajectory, with every integrator at its default step, in joint, body and natural coordinates, in the
//! engine: accuracy of the integrator's order, the declared branch, and the number of revolutions of every angle.
//!
//! A run y is compared with a run y* of Dormand–Prince at tolerances of 1e-12 in joint coordinates, which itself is compared with the case. Errors
//! are parts of the largest value of a quantity in y*, the largest of all quantities and rows:
//!
//! ```text
//! e = ‖y − y*‖ ≤ 2 d K + 1e-6,     d = ‖y − y½‖,     K = 2^p/(2^p − 1)
//! ```
//!
//! with y½ the run at half the step: an error C h^p is d K, whatever C is, up to terms of order h^(p + 1), for which the 2 stands. Of Dormand–Prince
//! y½ is the run at a tenth of the tolerances, and K = 10/9. 1e-6 covers the tolerance of the equations of steps and the error of y*.
//!
//! A run with e above a twentieth has a step that is too long for the motion: at 1 ms that are runs of the two methods of Euler, of order 1, and
//! those of `Case::is_fast`. Such a run may end with an error that names the time; it is on the declared branch all the same, by the signs of
//! outputs, and the finer run shows its error. All others are accurate, count the revolutions of every angle as y* in every row, and do not fail,
//! except `Zhong06` where speeds are not rates (`Error::Unsuited`). Runs at half the step, which is no default, may end at a change point if their
//! error names it; the run is then accurate to a twentieth.
//!
//! Runs in natural coordinates are shorter (`Case::natural`): their rows are compared with the first ones of y*.

mod cases;

use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use cases::Case;
use mbs::simulation::{Cause, Failure};
use mbs::{Engine, Error, Integrator, Recording, Simulation};
use mbs_model::Formulation;
use serde_json::Value;

use crate::files::{read, root};

const STEP: f64 = 1e-3;
const SPECTRAL_RADIUS: f64 = 0.8;

/// Every integrator at a step, and its order.
fn integrators(step: f64) -> [(Integrator, i32); 10] {
    [
        (Integrator::Rk4 { step }, 4),
        (Integrator::Rk3 { step }, 3),
        (Integrator::Rk2 { step }, 2),
        (Integrator::ImplicitMidpoint { step }, 2),
        (Integrator::Gauss4 { step }, 4),
        (Integrator::Gauss6 { step }, 6),
        (Integrator::GeneralizedAlpha { step, spectral_radius: SPECTRAL_RADIUS }, 2),
        (Integrator::Zhong06 { step }, 2),
        (Integrator::SemiImplicitEuler { step }, 1),
        (Integrator::ExplicitEuler { step }, 1),
    ]
}

/// Error of y* and of equations of steps, relative to the largest value.
const FLOOR: f64 = 1e-6;
/// Relative errors above this mean that the step is too long.
const ACCURATE: f64 = 0.05;

/// The value at a path such as `parameters/mass`.
fn value<'v>(json: &'v Value, path: &str) -> &'v Value {
    path.split('/').fold(json, |value, key| value.get(key).unwrap_or_else(|| panic!("no `{key}` of `{path}`")))
}

impl Case {
    fn json(&self) -> Value {
        let path = root().join("tests/reference").join(self.name).with_extension("json");
        serde_json::from_str(&read(&path)).unwrap_or_else(|error| panic!("{}: {error}", self.name))
    }

    /// The mechanism with its angles and signs as outputs.
    fn engine(&self, formulation: Formulation) -> Engine {
        let path = root().join("mechanisms").join(self.mechanism).with_extension("mbs");
        let text = read(&path);
        let mut text = text.trim_end().strip_suffix('}').expect("a mechanism ends with a brace").to_owned();
        for (kind, list) in [("angle", self.angles), ("branch", self.branch)] {
            list.iter().enumerate().for_each(|(i, x)| text.push_str(&format!("    output {kind}_{i} = {x};\n")));
        }
        let options = Engine::options().formulation(formulation).folder(path.parent().expect("it is in a folder"));
        let mut engine = options.text(&(text + "}")).unwrap_or_else(|failure| panic!("{}: {failure}", self.name));
        let json = self.json();
        for (parameter, path) in self.parameters {
            match value(&json, path) {
                Value::Array(list) => list.iter().enumerate().for_each(|(i, x)| {
                    set(&mut engine, &format!("{parameter}[{i}]"), x);
                }),
                number => set(&mut engine, parameter, number),
            }
        }
        engine
    }

    fn named(&self, kind: &str) -> Vec<String> {
        let list = if kind == "angle" { self.angles } else { self.branch };
        (0..list.len()).map(|i| format!("{kind}_{i}")).collect()
    }

    /// Outputs that are compared.
    fn outputs(&self) -> Vec<String> {
        self.columns.iter().map(|(_, output)| (*output).to_owned()).chain(self.named("angle")).collect()
    }

    fn run(&self, engine: &Engine, integrator: Integrator) -> Result<Recording, Failure> {
        let [duration, every] = self.time;
        let is_natural = engine.model().coordinates.formulation == Formulation::Natural;
        let duration = if is_natural { self.natural } else { duration };
        Simulation::new(engine).integrator(integrator).duration(duration).every(every).run()
    }
}

fn set(engine: &mut Engine, parameter: &str, value: &Value) {
    let value = value.as_f64().unwrap_or_else(|| panic!("`{parameter}` is no number"));
    engine.set_parameter(parameter, value).unwrap_or_else(|failure| panic!("{failure}"));
}

fn column<'r>(recording: &'r Recording, output: &str) -> &'r [f64] {
    recording.output(output).unwrap_or_else(|error| panic!("{error}"))
}

fn largest(values: impl Iterator<Item = f64>) -> f64 {
    // A NaN is larger than all numbers.
    values.fold(0.0, |most, x| if x.abs() <= most { most } else { x.abs() })
}

/// ‖a − b‖ over rows and outputs, relative to the largest values of y*.
fn apart(outputs: &[String], [a, b]: [&Recording; 2], reference: &Recording) -> f64 {
    largest(outputs.iter().map(|output| {
        let size = largest(column(reference, output).iter().copied()).max(1e-3);
        largest(column(a, output).iter().zip(column(b, output)).map(|(a, b)| a - b)) / size
    }))
}

/// The run y*, after a check against the case.
fn reference(case: &Case) -> Recording {
    let integrator = Integrator::DormandPrince { rtol: 1e-12, atol: 1e-13 };
    let run = case.run(&case.engine(Formulation::Joint), integrator).unwrap_or_else(|f| panic!("{}: {f}", case.name));
    let json = case.json();
    let table = value(&json, "reference/series");
    let names: Vec<&str> = table["columns"].as_array().expect("columns").iter().filter_map(Value::as_str).collect();
    let mut compared = 0;
    for row in table["rows"].as_array().expect("rows") {
        let time = row[0].as_f64().expect("a time");
        let Some(at) = run.times().iter().position(|t| (t - time).abs() < 1e-9) else { continue };
        for (name, output) in case.columns {
            let index = names.iter().position(|n| n == name).unwrap_or_else(|| panic!("{}: no `{name}`", case.name));
            let known = row[index].as_f64().expect("a number");
            let found = column(&run, output)[at];
            // The bound covers the accuracy of the least accurate case, 3e-9, and errors at tolerances of 1e-12.
            let bound = FLOOR * known.abs().max(1.0);
            assert!((found - known).abs() < bound, "{}, {name} at {time} s: {found}, not {known}", case.name);
            compared += 1;
        }
    }
    assert!(compared > case.columns.len(), "{}: nothing but the start is compared", case.name);
    run
}

/// All failures of the runs of a case.
fn check(case: &Case) -> Vec<String> {
    let reference = reference(case);
    let mut wrong = Vec::new();
    for formulation in [Formulation::Joint, Formulation::Body, Formulation::Natural] {
        let engine = case.engine(formulation);
        let tolerances = [1e-9, 1e-10].map(|rtol| Integrator::DormandPrince { rtol, atol: 1e-2 * rtol });
        let fixed = integrators(STEP).into_iter().zip(integrators(0.5 * STEP));
        let fixed = fixed.map(|((full, order), (half, _))| Pair { runs: [full, half], order });
        for pair in [Pair { runs: tolerances, order: 5 }].into_iter().chain(fixed) {
            let label = format!("{}, {formulation:?}, {:?}", case.name, pair.runs[0]);
            match judge(case, &engine, &reference, &pair) {
                Ok(summary) => println!("{label}: {summary}"),
                Err(message) => {
                    println!("WRONG {label}: {message}");
                    wrong.push(format!("{label}: {message}"));
                }
            }
        }
    }
    wrong
}

/// An integrator, and its variant with half the step or a tenth of the tolerances.
struct Pair {
    runs: [Integrator; 2],
    order: i32,
}

impl Pair {
    /// The factor K.
    fn factor(&self) -> f64 {
        match self.runs[0] {
            Integrator::DormandPrince { .. } => 10.0 / 9.0,
            _ => 2f64.powi(self.order) / (2f64.powi(self.order) - 1.0),
        }
    }

    /// Whether its step may be too long.
    fn may_be_crude(&self, case: &Case) -> bool {
        let has_step = !matches!(self.runs[0], Integrator::DormandPrince { .. });
        has_step && (self.order == 1 || case.is_fast)
    }
}

/// A summary of a run, or its failure.
fn judge(case: &Case, engine: &Engine, reference: &Recording, pair: &Pair) -> Result<String, String> {
    let outputs = case.outputs();
    let is_at_change_point = |failure: &Failure| failure.to_string().contains("close to a change point");
    let (run, finer) = match pair.runs.map(|integrator| case.run(engine, integrator)) {
        [Ok(run), Ok(finer)] => (run, Some(finer)),
        [Ok(run), Err(failure)] if is_at_change_point(&failure) => (run, None),
        [Err(failure), _] | [_, Err(failure)] => {
            let is_unsuited = matches!(failure.cause, Cause::Run(Error::Unsuited { .. }));
            let is_named = matches!(failure.cause, Cause::Run(_)) && pair.may_be_crude(case);
            return if is_unsuited || is_named { Ok(failure.to_string()) } else { Err(failure.to_string()) };
        }
    };
    let error = apart(&outputs, [&run, reference], reference);
    let bound = finer.map_or(ACCURATE, |finer| {
        let change = apart(&outputs, [&run, &finer], reference);
        2.0 * pair.factor() * change + FLOOR
    });
    if error.is_nan() || error > bound {
        return Err(format!("off by {error:.1e}, above {bound:.1e}"));
    }
    for sign in case.named("branch") {
        let least = column(&run, &sign).iter().copied().fold(f64::INFINITY, f64::min);
        if least.is_nan() || least <= 0.0 {
            return Err(format!("leaves its branch: {sign} is {least:.1e}; off by {error:.1e}"));
        }
    }
    if error > ACCURATE {
        let message = format!("not accurate, off by {error:.1e}");
        return if pair.may_be_crude(case) { Ok(message) } else { Err(message) };
    }
    for angle in case.named("angle") {
        let difference = largest(column(&run, &angle).iter().zip(column(reference, &angle)).map(|(a, b)| a - b));
        if difference.is_nan() || difference > std::f64::consts::PI {
            return Err(format!("{angle} has rotated by {difference} rad more or less"));
        }
    }
    Ok(format!("off by {error:.1e} of at most {bound:.1e}"))
}

fn check_all(cases: &[Case]) {
    let next = AtomicUsize::new(0);
    let work = || {
        let mut wrong = Vec::new();
        while let Some(case) = cases.get(next.fetch_add(1, Ordering::Relaxed)) {
            wrong.extend(check(case));
        }
        wrong
    };
    let processors = thread::available_parallelism().map_or(1, usize::from);
    let wrong: Vec<String> = thread::scope(|scope| {
        let threads: Vec<_> = (0..processors).map(|_| scope.spawn(work)).collect();
        threads.into_iter().flat_map(|thread| thread.join().unwrap_or_else(|_| vec!["a panic".to_owned()])).collect()
    });
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
#[ignore = "minutes: every integrator in three coordinates; `.ci/run --full`"]
fn motions_in_the_plane() {
    check_all(cases::PLANE);
}

#[test]
#[ignore = "minutes: every integrator in three coordinates; `.ci/run --full`"]
fn loops_in_the_plane() {
    check_all(cases::LOOPS);
}

#[test]
#[ignore = "minutes: every integrator in three coordinates; `.ci/run --full`"]
fn motions_in_space() {
    check_all(cases::SPACE);
}

#[test]
#[ignore = "minutes: every integrator in three coordinates; `.ci/run --full`"]
fn loops_in_space() {
    check_all(cases::SPATIAL_LOOPS);
}
