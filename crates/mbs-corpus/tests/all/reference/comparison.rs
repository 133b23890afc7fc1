//! Runs of a mechanism, and their comparison with reference values.

use mbs::{Describe, DormandPrince, Item, Mechanism, State, Statistics, Stepper, assemble, zero_inputs};
use mbs_random::matrix::size;

pub use crate::reference::figures::Accuracy;
use crate::reference::figures::{Figures, Line, largest_difference};

/// Relative and absolute tolerance of the run that is compared; a second run is ten times tighter.
pub const TOLERANCES: [f64; 2] = [1e-12, 1e-13];
/// Largest change of a quantity between the two runs, relative to its largest value: ten times the change is added to the accuracy of
/// the reference, and a run that is far from converged would be compared with nothing.
const MOST_CHANGE: f64 = 1e-8;
/// Change that is round-off whatever the size of the quantity, such as a residual.
const ROUND_OFF: f64 = 1e-12;

/// Reported values of a mechanism at one time.
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
    /// Steps and evaluations of the integrator.
    pub statistics: Statistics,
}

/// A run at one time.
#[derive(Clone, Copy)]
pub struct RunSample<'r> {
    run: &'r Run,
    sample: &'r Sample,
}

impl RunSample<'_> {
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
    pub fn new<M: Describe>(mechanism: &M, times: &[f64], tolerances: [f64; 2]) -> Self {
        let integrator = DormandPrince::new(mechanism).with_tolerances(tolerances[0], tolerances[1]);
        Run::with_integrator(mechanism, times, integrator)
    }

    /// Assembles, then advances with any integrator.
    pub fn with_integrator<M: Describe>(mechanism: &M, times: &[f64], mut integrator: impl Stepper<M>) -> Self {
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

    /// Samples at all times.
    pub fn samples(&self) -> impl Iterator<Item = RunSample<'_>> {
        self.samples.iter().map(|sample| RunSample { run: self, sample })
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

/// A mechanism in one formulation against one case: two runs, lines of figures.
pub struct Comparison {
    runs: [Run; 2],
    figures: Figures,
}

impl Comparison {
    /// Runs the mechanism twice: with [`TOLERANCES`], and ten times tighter.
    pub fn new<M: Describe>(case: &str, coordinates: &str, mechanism: &M, times: &[f64]) -> Self {
        let figures = Figures::new(case, coordinates);
        let runs = [1.0, 0.1].map(|factor| Run::new(mechanism, times, TOLERANCES.map(|x| factor * x)));
        Comparison { runs, figures }
    }

    /// The run that is compared.
    pub fn run(&self) -> &Run {
        &self.runs[0]
    }

    /// Compares a quantity at all times.
    pub fn compare(
        &mut self,
        quantity: &str,
        accuracy: Accuracy,
        reference: &[f64],
        value: impl Fn(RunSample<'_>) -> f64,
    ) {
        let [base, tight] = [0, 1].map(|i: usize| self.runs[i].samples().map(&value).collect::<Vec<f64>>());
        assert_eq!(base.len(), reference.len(), "{quantity}: one reference value per time");
        let change = largest_difference(&base, &tight);
        let most = ROUND_OFF.max(MOST_CHANGE * size(&base).max(size(reference)));
        assert!(change <= most, "{quantity}: tighter tolerances change it by {change:e}, more than {most:e}");
        self.figures.push(Line {
            quantity: quantity.to_owned(),
            error: largest_difference(&base, reference),
            tolerance: accuracy.tolerance(reference) + 10.0 * change,
            change,
        });
    }

    /// Adds a figure with a separate bound.
    pub fn bound(&mut self, quantity: &str, error: f64, bound: f64) {
        self.figures.push(Line { quantity: quantity.to_owned(), error, tolerance: bound, change: 0.0 });
    }

    /// Prints the figures and fails if one of them is above its tolerance.
    pub fn finish(self) {
        let [base, tight] = [0, 1].map(|i: usize| self.runs[i].statistics.accepted);
        self.figures.finish(&format!("{base} and {tight} steps"));
    }
}
