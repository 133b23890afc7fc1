//! Runs of a mechanism, and their comparison with reference values.

use std::fmt::Write;
use std::time::Instant;

use mbs::{DormandPrince, Item, Mechanism, State, Statistics, Stepper, assemble, zero_inputs};

/// Relative and absolute tolerance of the run that is compared; a second run is ten times tighter.
pub const TOLERANCES: [f64; 2] = [1e-12, 1e-13];

/// What a mechanism reports at one time.
struct Sample {
    outputs: Vec<f64>,
    lambda: Vec<f64>,
    energy: f64,
}

/// A run from the assembled initial state.
pub struct Run {
    samples: Vec<Sample>,
    outputs: Vec<String>,
    rows: Vec<String>,
    /// What it took.
    pub statistics: Statistics,
}

/// A run at one time.
#[derive(Clone, Copy)]
pub struct At<'r> {
    run: &'r Run,
    sample: &'r Sample,
}

impl At<'_> {
    /// Output by its flat name.
    pub fn output(&self, name: &str) -> f64 {
        self.sample.outputs[position(&self.run.outputs, name)]
    }

    /// Multiplier of a row by the row's name.
    pub fn multiplier(&self, row: &str) -> f64 {
        self.sample.lambda[position(&self.run.rows, row)]
    }

    /// Kinetic and potential energy.
    pub fn energy(&self) -> f64 {
        self.sample.energy
    }
}

fn position(names: &[String], name: &str) -> usize {
    names.iter().position(|n| n == name).unwrap_or_else(|| panic!("no `{name}` among {names:?}"))
}

impl Run {
    /// Assembles, then advances to each of the times, which ascend from 0.
    pub fn new<M: Mechanism>(mechanism: &M, times: &[f64], tolerances: [f64; 2]) -> Self {
        let integrator = DormandPrince::new(mechanism).with_tolerances(tolerances[0], tolerances[1]);
        Run::with(mechanism, times, integrator)
    }

    /// The same with any integrator.
    pub fn with<M: Mechanism>(mechanism: &M, times: &[f64], mut integrator: impl Stepper<M>) -> Self {
        let sizes = mechanism.sizes();
        let mut state = State::new(mechanism);
        assemble(mechanism, &mut state).expect("the initial state assembles");
        let mut samples = Vec::new();
        for &t in times {
            let advanced = integrator.advance_to(mechanism, &mut state, t, &mut zero_inputs);
            advanced.unwrap_or_else(|e| panic!("{}: {e}", mechanism.name(Item::Mechanism)));
            samples.push(sample(mechanism, &state));
        }
        let outputs = (0..sizes.n_outputs).map(|i| mechanism.name(Item::Output(i)).to_owned()).collect();
        let rows = (0..sizes.n_c).map(|i| mechanism.name(Item::Row(i)).to_owned()).collect();
        Run { samples, outputs, rows, statistics: integrator.statistics() }
    }

    /// At every time.
    pub fn values(&self) -> impl Iterator<Item = At<'_>> {
        self.samples.iter().map(|sample| At { run: self, sample })
    }

    /// Whether there is a row of this name.
    pub fn has_row(&self, row: &str) -> bool {
        self.rows.iter().any(|r| r == row)
    }
}

fn sample<M: Mechanism>(mechanism: &M, state: &State<M>) -> Sample {
    let sizes = mechanism.sizes();
    let u = vec![0.0; sizes.n_u];
    let (mut a, mut lambda, mut outputs) = (vec![0.0; sizes.n_v], vec![0.0; sizes.n_c], vec![0.0; sizes.n_outputs]);
    let at = state.view(&u);
    mechanism.accelerations(at, &mut a, &mut lambda).expect("a regular state");
    mechanism.outputs(at, &a, &lambda, &mut outputs);
    let energy = mechanism.energy(at);
    Sample { outputs, lambda, energy: energy.kinetic + energy.potential }
}

/// How exact reference values are.
#[derive(Clone, Copy)]
pub enum Accuracy {
    /// In the unit of the quantity.
    Absolute(f64),
    /// Times the largest value.
    Relative(f64),
}

/// One line of the table: the worst of a quantity.
struct Line {
    quantity: String,
    error: f64,
    tolerance: f64,
    change: f64,
}

impl Line {
    fn holds(&self) -> bool {
        self.error <= self.tolerance
    }

    /// Error in units of the tolerance, NaN counted as infinite.
    fn ratio(&self) -> f64 {
        if self.error == 0.0 {
            0.0
        } else {
            (self.error / self.tolerance).abs().max(f64::from(self.error.is_nan()) * 1e300)
        }
    }
}

/// A mechanism in one formulation against one case: two runs, lines of figures.
pub struct Comparison {
    title: String,
    runs: [Run; 2],
    lines: Vec<Line>,
    start: Instant,
}

impl Comparison {
    /// Runs the mechanism twice: with [`TOLERANCES`], and ten times tighter.
    pub fn new<M: Mechanism>(case: &str, coordinates: &str, mechanism: &M, times: &[f64]) -> Self {
        let start = Instant::now();
        let runs = [1.0, 0.1].map(|factor| Run::new(mechanism, times, TOLERANCES.map(|x| factor * x)));
        Comparison { title: format!("{case}, {coordinates}"), runs, lines: Vec::new(), start }
    }

    /// The run that is compared.
    pub fn run(&self) -> &Run {
        &self.runs[0]
    }

    /// Compares a quantity at all times. Quantities of one name share a line, the worst of them.
    pub fn compare(&mut self, quantity: &str, accuracy: Accuracy, reference: &[f64], value: impl Fn(At<'_>) -> f64) {
        let [base, tight] = [0, 1].map(|i: usize| self.runs[i].values().map(&value).collect::<Vec<f64>>());
        assert_eq!(base.len(), reference.len(), "{}: one reference value per time", self.title);
        let scale = reference.iter().fold(0.0, |m: f64, x| m.max(x.abs()));
        let stated = match accuracy {
            Accuracy::Absolute(accuracy) => accuracy,
            Accuracy::Relative(accuracy) => accuracy * scale,
        };
        let change = largest_difference(&base, &tight);
        let tolerance = stated.max(1e-12 * scale) + 10.0 * change;
        self.push(Line {
            quantity: quantity.to_owned(),
            error: largest_difference(&base, reference),
            tolerance,
            change,
        });
    }

    /// A figure with a bound of its own.
    pub fn bound(&mut self, quantity: &str, error: f64, bound: f64) {
        self.push(Line { quantity: quantity.to_owned(), error, tolerance: bound, change: 0.0 });
    }

    fn push(&mut self, line: Line) {
        match self.lines.iter_mut().find(|l| l.quantity == line.quantity) {
            Some(old) if old.ratio() >= line.ratio() => {}
            Some(old) => *old = line,
            None => self.lines.push(line),
        }
    }

    /// Prints the figures and fails if one of them is above its tolerance.
    pub fn finish(self) {
        let [base, tight] = [0, 1].map(|i: usize| self.runs[i].statistics.accepted);
        let seconds = self.start.elapsed().as_secs_f64();
        let mut table = format!("{}: {base} and {tight} steps, {seconds:.2} s\n", self.title);
        for line in &self.lines {
            let Line { quantity, error, tolerance, change } = line;
            let verdict = if line.holds() { "" } else { "  FAILS" };
            let _ = writeln!(
                table,
                "    {quantity:<28} error {error:8.1e}   tolerance {tolerance:8.1e}   change {change:8.1e}{verdict}"
            );
        }
        print!("{table}");
        assert!(self.lines.iter().all(Line::holds), "{table}");
    }
}

fn largest_difference(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).fold(0.0, |m: f64, (a, b)| if (a - b).abs() <= m { m } else { (a - b).abs() })
}
