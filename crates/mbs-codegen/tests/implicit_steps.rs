//! Implicit methods on every mechanism of `mechanisms/`, interpreted in its own coordinates: with derivatives and without they take the same
//! steps, and these lead where Dormand and Prince's do, at the order of the method.

use std::fs;
use std::path::{Path, PathBuf};

use mbs_codegen::Interpreted;
use mbs_codegen::compile::Options;
use mbs_codegen::interp::Fma;
use mbs_core::{
    DormandPrince, Gauss4, Gauss6, GeneralizedAlpha, ImplicitMidpoint, State, Stepper, assemble, max_norm, zero_inputs,
};
use mbs_model::Kernels;

/// Mechanisms with kinks in their forces, where high orders are lost.
const KINKED: [&str; 2] = ["cam_valve", "quarter_car"];

/// Steps of a run.
const STEPS: f64 = 8.0;

fn files() -> Vec<PathBuf> {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../mechanisms");
    let entries = fs::read_dir(&directory).expect("mechanisms/ lies beside the crates");
    let mut files: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    files.retain(|path| path.extension().is_some_and(|e| e == "mbs"));
    files.sort();
    files
}

/// `None` where a joint has no derivatives, or functions written in Rust would have to be bound.
fn interpret(path: &Path) -> Option<Interpreted> {
    let text = fs::read_to_string(path).expect("the file is there");
    let kernels = Some(Kernels { linearization: true, ..Kernels::default() });
    let options = Options { kernels, ..Options::default() };
    let mut compiled = mbs_codegen::compile_text(&path.to_string_lossy(), &text, options).ok()?;
    Interpreted::new(compiled.remove(0).0, Fma::Plain).ok()
}

/// A run from an assembled state: where it ends.
struct Run<'m> {
    mechanism: &'m Interpreted,
    start: State<Interpreted>,
    label: String,
    t_end: f64,
}

impl Run<'_> {
    fn end(&self, mut stepper: impl Stepper<Interpreted>) -> Vec<f64> {
        let mut state = self.start.clone();
        let outcome = stepper.advance_to(self.mechanism, &mut state, self.t_end, &mut zero_inputs);
        outcome.unwrap_or_else(|error| panic!("{}: {error}", self.label));
        [&state.q[..], &state.v[..], &state.z[..]].concat()
    }

    /// The largest difference, relative to the largest entry or 1.
    fn gap(&self, a: &[f64], b: &[f64]) -> f64 {
        let differences: Vec<f64> = a.iter().zip(b).map(|(a, b)| a - b).collect();
        max_norm(&differences) / max_norm(b).max(1.0)
    }

    fn assert_agreement(&self) {
        let (m, h, label) = (self.mechanism, self.t_end / STEPS, &self.label);
        let exact = self.end(DormandPrince::new(m).with_tolerances(1e-10, 1e-12));
        let gauss = [self.end(Gauss4::new(m, h)), self.end(Gauss6::new(m, h))];
        let midpoint = [h, 0.5 * h].map(|h| self.end(ImplicitMidpoint::new(m, h)));
        let alpha = [h, 0.5 * h].map(|h| self.end(GeneralizedAlpha::new(m, h, 0.8)));
        // Solved to 64 roundings a step, which stiff springs magnify.
        for (ours, other) in [
            (&midpoint[0], self.end(ImplicitMidpoint::without_derivatives(m, h))),
            (&gauss[0], self.end(Gauss4::without_derivatives(m, h))),
            (&gauss[1], self.end(Gauss6::without_derivatives(m, h))),
            (&alpha[0], self.end(GeneralizedAlpha::without_derivatives(m, h, 0.8))),
        ] {
            let gap = self.gap(ours, &other);
            assert!(gap < 1e-10, "{label}: {gap:.1e} between steps with derivatives and without");
        }
        let [four, six] = [&gauss[0], &gauss[1]].map(|end| self.gap(end, &exact));
        println!("{label}: Gauss4 {four:.0e}, Gauss6 {six:.0e}");
        let is_smooth = !KINKED.contains(&label.as_str());
        assert!(four < 1e-3 && (!is_smooth || six < 0.1 * four + 1e-9), "{label}: {four:.1e} {six:.1e}");
        for (name, [long, short]) in [("implicit midpoint", &midpoint), ("generalized-α", &alpha)] {
            let [long, short] = [long, short].map(|end| self.gap(end, &exact));
            println!("    {name} {long:.0e}, {short:.0e}");
            assert!(short < 0.35 * long + 1e-9, "{label}, {name}: {long:.1e} {short:.1e}");
        }
    }
}

#[test]
fn implicit_steps_agree_on_every_mechanism() {
    let mut count = 0;
    for path in files() {
        let label = path.file_stem().expect("a file has a name").to_string_lossy().into_owned();
        let Some(mechanism) = interpret(&path) else { continue };
        let mut start = State::new(&mechanism);
        assemble(&mechanism, &mut start).unwrap_or_else(|error| panic!("{label}: {error}"));
        // Andrews' squeezer turns fast, and the prism's cables ring.
        let t_end = if ["andrews", "tensegrity_prism"].contains(&label.as_str()) { 2e-3 } else { 4e-2 };
        Run { mechanism: &mechanism, start, label, t_end }.assert_agreement();
        count += 1;
    }
    assert!(count > 70, "{count} mechanisms");
}
